// A folder as one text, and back: for fuzzers, which know only bytes.
//
//   @@@@ config.json
//   {"d_model": 8}
//   @@@@ model.safetensors|        a pipe in its place; with / a folder
//
// A file's bytes are those between its line and the line's end before the next “@@@@ ”, so that nothing that
// is changed within a file moves the others.
#pragma once

#include "tests/support/temporary_folder.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace headlight::fuzz {

// Only what is smaller than `longest_file` bytes: small examples are mutated sooner.
std::string packed_folder(const std::filesystem::path& folder, std::size_t longest_file = 100'000);

// A folder in memory, where there is a file system for it, that becomes one input after another.
class InputFolder {
public:
    InputFolder();
    // The folder as this input says; valid until the next.
    const std::filesystem::path& holding(std::string_view packed);
    // A single file of this name.
    std::filesystem::path file(const std::string& name, std::string_view bytes);

private:
    void put(const std::string& name, std::string_view bytes);
    std::unique_ptr<TemporaryFolder> folder_;
    std::map<std::string, std::string> there_; // what each file holds
};

} // namespace headlight::fuzz
