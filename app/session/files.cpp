#include "app/session/files.h"

#include "engine/text/unicode.h"
#include "engine/text/words.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::string_view session_files[] = {".headlight", ".txt"};
constexpr std::string_view pair_files[] = {".tsv", ".txt", ".csv"};
constexpr std::string_view text_files[] = {".txt", ".md"};
constexpr std::string_view picture_files[] = {".png"};

const FileKind kinds[file_wishes] = {
    {"open", "open", false, false, session_files},
    {"save", "save", true, false, session_files},
    {"run", "train open", false, true},
    {"save_run", "train save", true, true},
    {"model", "model", false, true},
    {"pairs", "train task", false, false, pair_files},
    {"picture", "picture", true, false, picture_files},
    {"labels", "train labels", false, false, pair_files},
    {"words", "train text words", false, false, text_files},
    {"characters", "train text characters", false, false, text_files},
    {"bpe", "train text bpe", false, false, text_files},
};

// With what it is opened again; empty: a picture is not opened here.
std::string_view opened_by(const FileKind& kind) {
    if (!kind.saves) return kind.command;
    return kind.command == "save" ? "open" : kind.command == "train save" ? "train open" : "";
}

} // namespace

const FileKind& kind_of(FileWish wish) { return kinds[std::size_t(wish)]; }

std::span<const std::string_view> where_it_is_seen(const FileKind& kind) {
    static constexpr std::string_view run[] = {"room train"}, pairs[] = {"room train", "desk settings"};
    if (kind.command == "train open") return run;
    if (kind.command == "train task" || kind.command == "train labels"
        || kind.command.starts_with("train text"))
        return pairs;
    return {};
}

std::string file_argument(const std::filesystem::path& path) {
    const std::string text = path.string();
    return trim(text) == text && !text.starts_with('"') ? text : '"' + text + '"';
}

std::string shown_name(std::string_view name) {
    std::string shown;
    for (const char32_t character : code_points(name))
        append_utf8(shown, is_control(character) ? char32_t(0xFFFD) : character);
    return shown;
}

void Files::remember(std::string_view line, const std::filesystem::path& shipped) {
    for (const FileKind& kind : kinds) {
        const std::string begin = std::string(kind.command) + " ";
        if (!line.starts_with(begin)) continue;
        std::string_view rest = trim(line.substr(begin.size()));
        if (rest.size() > 1 && rest.front() == '"' && rest.back() == '"')
            rest = rest.substr(1, rest.size() - 2);
        std::error_code none;
        const std::filesystem::path path = std::filesystem::absolute(rest, none);
        if (none || !std::filesystem::exists(path, none) || path.parent_path() == shipped) continue;
        folder = path.parent_path();
        if (opened_by(kind).empty()) return;
        const std::string again = std::string(opened_by(kind)) + " " + file_argument(path);
        std::erase(recent, again);
        recent.insert(recent.begin(), again);
        recent.resize(std::min(recent.size(), most_recent));
        return;
    }
}

} // namespace headlight
