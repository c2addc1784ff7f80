#include "engine/io/safetensors.h"

#include "engine/io/json_reader.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>

namespace headlight {

static_assert(std::endian::native == std::endian::little, "the numbers of a file are read as they lie");

namespace {

using nlohmann::json;

// Bytes. The format allows more, but the header of a model of a thousand layers is a tenth of this, and
// parsed JSON takes twenty times its text.
constexpr Index longest_header = 16'000'000;

// Bytes of one number; 0 for a dtype that the format does not have.
Index size_of_dtype(std::string_view dtype) {
    for (std::string_view name : {"BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3"})
        if (dtype == name) return 1;
    for (std::string_view name : {"U16", "I16", "F16", "BF16"})
        if (dtype == name) return 2;
    for (std::string_view name : {"U32", "I32", "F32"})
        if (dtype == name) return 4;
    for (std::string_view name : {"U64", "I64", "F64"})
        if (dtype == name) return 8;
    return 0;
}

// A whole number that is not negative and fits an Index, or nothing.
std::optional<Index> size_from(const json& value) {
    if (!value.is_number_unsigned()) return std::nullopt; // the parser's type of whole numbers without a sign
    const auto number = value.get<std::uint64_t>();
    if (number > std::uint64_t(std::numeric_limits<Index>::max())) return std::nullopt;
    return Index(number);
}

std::optional<Index> product(Index a, Index b) {
    Index result = 0;
    if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
    return result;
}

Result<TensorEntry> read_entry(const std::string& file, const std::string& name, const json& value,
                               Index data_size) {
    const auto malformed = [&](const char* field) {
        return Error{"error.safetensors_entry", {file, name, field}};
    };
    if (!value.is_object()) return malformed("{…}");
    const auto dtype = value.find("dtype"), shape = value.find("shape"), offsets = value.find("data_offsets");
    if (dtype == value.end() || !dtype->is_string()) return malformed("dtype");
    if (shape == value.end() || !shape->is_array()) return malformed("shape");
    if (offsets == value.end() || !offsets->is_array() || offsets->size() != 2)
        return malformed("data_offsets");

    TensorEntry entry;
    entry.name = name;
    entry.dtype = dtype->get<std::string>();
    const Index dtype_size = size_of_dtype(entry.dtype);
    if (dtype_size == 0) return Error{"error.safetensors_dtype", {file, name, quoted(*dtype)}};
    for (const json& dimension : *shape) {
        const std::optional<Index> size = size_from(dimension);
        if (!size) return malformed("shape");
        entry.shape.push_back(*size);
        // Overflow counts even beside a size of zero: no array has such a shape.
        const std::optional<Index> count = product(entry.count, *size);
        if (!count) return malformed("shape");
        entry.count = *count;
    }
    const std::optional<Index> bytes = product(entry.count, dtype_size);
    if (!bytes) return malformed("shape");

    const std::optional<Index> begin = size_from((*offsets)[0]), end = size_from((*offsets)[1]);
    if (!begin || !end || *begin > *end) return malformed("data_offsets");
    if (*end > data_size)
        return Error{"error.safetensors_outside",
                     {file, name, std::to_string(*begin), std::to_string(*end), std::to_string(data_size)}};
    if (*end - *begin != *bytes)
        return Error{
            "error.safetensors_size",
            {file, name, std::to_string(*end - *begin), to_string(entry.shape), std::to_string(*bytes)}};
    entry.begin = *begin;
    entry.end = *end;
    return entry;
}

// Every byte belongs to one entry: the entries, in the order of their places, leave no hole and no overlap.
Result<Done> check_cover(const std::string& file, const std::vector<TensorEntry>& entries, Index data_size) {
    Index covered = 0;
    const std::string* previous = nullptr;
    for (const TensorEntry& entry : entries) {
        if (entry.begin < covered) return Error{"error.safetensors_overlap", {file, entry.name, *previous}};
        if (entry.begin > covered) break;
        covered = entry.end;
        previous = &entry.name;
    }
    if (covered < data_size)
        return Error{"error.safetensors_hole", {file, std::to_string(covered), std::to_string(data_size)}};
    return Done{};
}

// Reads numbers of type Stored by the chunk and converts each.
template <class Stored, class Convert>
Result<Done> read_converted(const InputFile& file, Index offset, Index count, Real* to, Convert convert) {
    std::vector<Stored> chunk(std::size_t(std::min(count, Index(16384))));
    for (Index done = 0; done < count;) {
        const Index n = std::min(count - done, Index(chunk.size()));
        const Index bytes = n * Index(sizeof(Stored));
        if (const Result<Done> read = file.read(offset, chunk.data(), bytes); !read) return read;
        std::transform(chunk.begin(), chunk.begin() + n, to + done, convert);
        done += n;
        offset += bytes;
    }
    return Done{};
}

} // namespace

std::string to_string(const std::vector<Index>& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return text + "]";
}

Result<SafetensorsFile> SafetensorsFile::open(const std::filesystem::path& path) {
    Result<InputFile> opened = InputFile::open(path);
    if (!opened) return opened.error();
    SafetensorsFile file(*std::move(opened));
    const std::string& name = file.name();
    const Index size = file.file_.size();

    std::uint64_t length = 0;
    constexpr Index prefix = sizeof(length);
    if (size < prefix) return Error{"error.safetensors_too_short", {name}};
    if (const Result<Done> read = file.file_.read(0, &length, prefix); !read) return read.error();
    const Index longest = std::min(size - prefix, longest_header);
    if (length > std::uint64_t(longest))
        return Error{"error.safetensors_header_length", {name, std::to_string(length), std::to_string(size)}};
    file.data_begin_ = prefix + Index(length);
    const Index data_size = size - file.data_begin_;

    std::string text(std::size_t(length), '\0');
    if (const Result<Done> read = file.file_.read(prefix, text.data(), Index(length)); !read)
        return read.error();
    const Result<json> header = parse_json(text, name);
    if (!header) return header.error();
    if (!header->is_object()) return Error{"error.safetensors_header", {name}};

    for (const auto& [key, value] : header->items()) {
        if (key == "__metadata__") {
            if (!value.is_object()) return Error{"error.safetensors_metadata", {name}};
            for (const auto& [note, content] : value.items()) {
                if (!content.is_string()) return Error{"error.safetensors_metadata", {name}};
                file.metadata_[note] = content.get<std::string>();
            }
            continue;
        }
        Result<TensorEntry> entry = read_entry(name, key, value, data_size);
        if (!entry) return entry.error();
        file.entries_.push_back(*std::move(entry));
    }
    std::sort(file.entries_.begin(), file.entries_.end(), [](const TensorEntry& a, const TensorEntry& b) {
        return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
    });
    if (const Result<Done> covered = check_cover(name, file.entries_, data_size); !covered)
        return covered.error();
    for (std::size_t i = 0; i < file.entries_.size(); ++i) file.places_.emplace(file.entries_[i].name, i);
    return file;
}

const TensorEntry* SafetensorsFile::find(std::string_view wanted) const {
    const auto found = places_.find(std::string(wanted));
    return found == places_.end() ? nullptr : &entries_[found->second];
}

Result<Done> SafetensorsFile::read(const TensorEntry& entry, Real* to) const {
    const Result<Done> read = this->read(entry, 0, entry.count, to);
    file_.forget(data_begin_ + entry.begin, entry.end - entry.begin);
    return read;
}

Result<Done> SafetensorsFile::read(const TensorEntry& entry, Index first, Index count, Real* to) const {
    const Index offset = data_begin_ + entry.begin + first * size_of_dtype(entry.dtype);
    if (entry.dtype == "F32") {
        if constexpr (sizeof(Real) == sizeof(float))
            return file_.read(offset, to, count * Index(sizeof(float)));
        else
            return read_converted<float>(file_, offset, count, to, [](float x) { return Real(x); });
    }
    if (entry.dtype == "F64")
        return read_converted<double>(file_, offset, count, to, [](double x) { return Real(x); });
    if (entry.dtype == "F16") return read_converted<std::uint16_t>(file_, offset, count, to, from_f16);
    if (entry.dtype == "BF16") return read_converted<std::uint16_t>(file_, offset, count, to, from_bf16);
    return Error{"error.safetensors_not_numbers", {name(), entry.name, entry.dtype}};
}

Result<Done> SafetensorsFile::read(const TensorEntry& entry, PackedReals& to) const {
    const Result<Done> read = file_.read(data_begin_ + entry.begin, to.bits(), entry.end - entry.begin);
    file_.forget(data_begin_ + entry.begin, entry.end - entry.begin);
    return read;
}

std::optional<PackedReals::Format> packed_format(const TensorEntry& entry) {
    if (entry.dtype == "BF16") return PackedReals::Format::bf16;
    if (entry.dtype == "F16") return PackedReals::Format::f16;
    return {};
}

} // namespace headlight
