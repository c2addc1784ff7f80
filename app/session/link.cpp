#include "app/session/link.h"

#include "engine/text/words.h"

#include <algorithm>
#include <string>
#include <vector>

namespace headlight {

Result<Done> check_link(std::string_view lines) {
    int models = 0, count = 0;
    for (std::size_t at = 0; at < lines.size() && count <= most_lines_of_a_link; ++count) {
        const std::size_t end = std::min(lines.find('\n', at), lines.size());
        const std::vector<std::string> words = words_of(lines.substr(at, end - at));
        if (!words.empty() && words.front() == "model") ++models; // each is read from its files
        at = end + 1;
    }
    if (lines.size() > longest_link || count > most_lines_of_a_link || models > 1)
        return Error{"error.link_too_long", {}};
    return Done{};
}

} // namespace headlight
