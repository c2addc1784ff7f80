#include "engine/io/safetensors.h"

#include "engine/base/check.h"
#include "engine/io/file.h"
#include <cstdint>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace headlight {

namespace {

std::string json_string(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Index count_of(const std::vector<Index>& shape) {
    Index count = 1;
    for (Index size : shape) count *= size;
    return count;
}

std::string header_of(const std::vector<TensorToWrite>& tensors,
                      const std::map<std::string, std::string>& metadata) {
    // Written by hand: an object of the JSON library would sort the names or search all of them for each.
    std::string header = "{";
    const auto begin_key = [&](const std::string& key) {
        if (header.size() > 1) header += ',';
        header += json_string(key) + ':';
    };
    if (!metadata.empty()) {
        begin_key("__metadata__");
        header += '{';
        bool is_first = true;
        for (const auto& [key, value] : metadata) {
            if (!is_first) header += ',';
            is_first = false;
            header += json_string(key) + ':' + json_string(value);
        }
        header += '}';
    }
    std::set<std::string_view> names;
    Index offset = 0;
    for (const TensorToWrite& tensor : tensors) {
        HEADLIGHT_CHECK(names.insert(tensor.name).second && tensor.name != "__metadata__",
                        "two tensors of one file are named " + tensor.name);
        const bool half = tensor.stored == StoredAs::f16;
        const Index end =
            offset + count_of(tensor.shape) * Index(half ? sizeof(std::uint16_t) : sizeof(float));
        begin_key(tensor.name);
        header += std::string(R"({"dtype":)") + (half ? R"("F16")" : R"("F32")") + R"(,"shape":)"
                  + nlohmann::json(tensor.shape).dump() + R"(,"data_offsets":[)" + std::to_string(offset)
                  + ',' + std::to_string(end) + "]}";
        offset = end;
    }
    header += '}';
    header.resize((header.size() + 7) / 8 * 8, ' '); // the numbers then begin at a multiple of eight bytes
    return header;
}

template <class Number, class Convert>
Result<Done> write_converted(OutputFile& file, const Real* values, Index count, Convert convert) {
    std::array<Number, 4096> chunk;
    for (Index done = 0; done < count;) {
        const Index n = std::min(count - done, Index(chunk.size()));
        std::transform(values + done, values + done + n, chunk.begin(), convert);
        if (const Result<Done> written = file.write(chunk.data(), std::size_t(n) * sizeof(Number)); !written)
            return written;
        done += n;
    }
    return Done{};
}

Result<Done> write_numbers(OutputFile& file, const Real* values, Index count, StoredAs stored) {
    if (stored == StoredAs::f16)
        return write_converted<std::uint16_t>(file, values, count, [](Real x) { return to_f16(float(x)); });
    if constexpr (sizeof(Real) == sizeof(float))
        return file.write(values, std::size_t(count) * sizeof(float));
    else
        return write_converted<float>(file, values, count, [](Real x) { return float(x); });
}

} // namespace

Result<Done> write_safetensors(OutputFile& file, const std::vector<TensorToWrite>& tensors,
                               const std::map<std::string, std::string>& metadata) {
    const std::string header = header_of(tensors, metadata);
    const std::uint64_t length = header.size();
    if (const Result<Done> written = file.write(&length, sizeof(length)); !written) return written;
    if (const Result<Done> written = file.write(header); !written) return written;
    for (const TensorToWrite& tensor : tensors)
        if (const Result<Done> written =
                write_numbers(file, tensor.values, count_of(tensor.shape), tensor.stored);
            !written)
            return written;
    return Done{};
}

Result<Done> write_safetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors,
                               const std::map<std::string, std::string>& metadata) {
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    if (const Result<Done> written = write_safetensors(file->contents(), tensors, metadata); !written)
        return written;
    return file->commit();
}

} // namespace headlight
