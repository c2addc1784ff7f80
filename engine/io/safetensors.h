// The safetensors format: eight bytes with the length of a JSON header, the header, the numbers. Nothing in a
// file is believed before it is checked.
#pragma once

#include "engine/io/file.h"
#include "engine/tensor/tensor.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight {

// One named array of a file.
struct TensorEntry {
    std::string name;
    std::string dtype;        // as the format writes it: "F32"
    std::vector<Index> shape; // empty: a single number
    Index count = 1;          // numbers: the product of the shape
    Index begin = 0, end = 0; // bytes, from where the numbers of the file begin
};

std::string to_string(const std::vector<Index>& shape); // "[3, 48]"
// Of F16 and BF16.
std::optional<PackedReals::Format> packed_format(const TensorEntry& entry);

class SafetensorsFile {
public:
    // Errors: a header that is cut short, too long or not JSON; an entry without dtype, shape or place; a
    // dtype that the format does not have; a place outside the file, of another size than shape × dtype, over
    // another entry; bytes that belong to no entry.
    static Result<SafetensorsFile> open(const std::filesystem::path& path);

    const std::vector<TensorEntry>& entries() const { return entries_; } // in the order of the file
    const TensorEntry* find(std::string_view name) const;                // nullptr when there is none
    const std::map<std::string, std::string>& metadata() const { return metadata_; }
    const std::string& name() const { return file_.name(); }
    // The entry's numbers, row-major, into `to` [entry.count]. F64, F32, F16 and BF16; other dtypes are an
    // Error.
    Result<Done> read(const TensorEntry& entry, Real* to) const;
    // `count` of them from the number `first` on.
    Result<Done> read(const TensorEntry& entry, Index first, Index count, Real* to) const;
    // As it lies in the file, an entry of packed_format().
    Result<Done> read(const TensorEntry& entry, PackedReals& to) const;

private:
    explicit SafetensorsFile(InputFile file) : file_(std::move(file)) {}
    InputFile file_;
    Index data_begin_ = 0; // bytes before the numbers
    std::vector<TensorEntry> entries_;
    std::unordered_map<std::string, std::size_t> places_;
    std::map<std::string, std::string> metadata_;
};

enum class StoredAs { f32, f16 };
constexpr std::string_view name_of(StoredAs stored) { return stored == StoredAs::f16 ? "f16" : "f32"; }

struct TensorToWrite {
    std::string name; // distinct in a file
    std::vector<Index> shape;
    const Real* values; // row-major
    StoredAs stored = StoredAs::f32;
};

// Writes F32, or F16 where a tensor says so, whole or not at all. Errors: the folder is missing or may not be
// written to, the disk is full.
Result<Done> write_safetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors,
                               const std::map<std::string, std::string>& metadata = {});
// The same into a file that was opened, for those who write several together.
Result<Done> write_safetensors(OutputFile& file, const std::vector<TensorToWrite>& tensors,
                               const std::map<std::string, std::string>& metadata = {});

} // namespace headlight
