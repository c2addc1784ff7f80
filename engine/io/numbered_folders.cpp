#include "engine/io/folder_transaction.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace headlight {

namespace fs = std::filesystem;

std::vector<std::pair<Index, std::string>> numbered_folders(const fs::path& folder) {
    std::vector<std::pair<Index, std::string>> numbered;
    std::error_code ignored;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
        const std::string name = at->path().filename().string();
        Index number = 0;
        const auto [rest, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
        std::error_code none;
        const bool is_number = fault == std::errc() && rest == name.data() + name.size();
        if (is_number && number < std::numeric_limits<Index>::max()
            && at->is_directory(none)) // one may follow
            numbered.emplace_back(number, name);
    }
    std::sort(numbered.begin(), numbered.end());
    return numbered;
}

fs::path claim_numbered_folder(const fs::path& folder) {
    std::error_code cause;
    fs::create_directories(folder, cause);
    Index number = 1;
    for (const auto& [taken, name] : numbered_folders(folder)) number = std::max(number, taken + 1);
    while (!cause && !fs::create_directory(folder / std::to_string(number), cause)) ++number;
    return folder / std::to_string(number);
}

} // namespace headlight
