// safetensors files: weights, traces, kept moments.
#include "tests/fuzz/folder_input.h"
#include "tests/fuzz/targets.h"

#include "engine/io/safetensors.h"

#include <cstring>

namespace headlight::fuzz {

namespace {

constexpr std::size_t length_bytes = 8;

// The header ends where its first brace is closed: the length in front says so again.
void mend_length(std::string& input) {
    if (input.size() <= length_bytes) return;
    int depth = 0;
    for (std::size_t i = length_bytes; i < input.size(); ++i) {
        depth += input[i] == '{' ? 1 : input[i] == '}' ? -1 : 0;
        if (depth > 0) continue;
        const std::uint64_t length = i + 1 - length_bytes;
        std::memcpy(input.data(), &length, length_bytes);
        return;
    }
}

void read_weights(std::string_view input, const Judge& judge) {
    static InputFolder folder;
    const std::filesystem::path path = folder.file("x.safetensors", input);
    const Result<SafetensorsFile> file = SafetensorsFile::open(path);
    if (!judge.accepts(file, path.string())) return;
    for (const TensorEntry& entry : file->entries()) {
        judge.expect(file->find(entry.name) == &entry, "an entry is found by its name");
        std::vector<Real> numbers(std::size_t(entry.count));
        (void)judge.accepts(file->read(entry, numbers.data()), path.string());
        if (const auto format = packed_format(entry)) {
            PackedReals packed(*format, entry.count);
            (void)judge.accepts(file->read(entry, packed), path.string());
        }
    }
}

} // namespace

Target weights_target() {
    return {.name = "safetensors",
            .has_json = true,
            .examples = {"tests/data/families/gpt2/model.safetensors",
                         "tests/data/families/llama_wide_heads_bf16/model.safetensors",
                         "tests/data/families/distilbert_masked_f16/model.safetensors"},
            .words = {"\"dtype\":\"F64\"", "\"BF16\"", "\"F16\"", "\"F8_E5M2\"", "\"BOOL\"", "\"shape\":[]",
                      "\"shape\":[0]", "\"data_offsets\":[0,0]", "\"__metadata__\":{}", "\"a\":"},
            .read = read_weights,
            .mend = mend_length,
            .runs = 1500};
}

} // namespace headlight::fuzz
