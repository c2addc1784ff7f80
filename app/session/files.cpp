#include "app/session/files.h"

#include "engine/text/unicode.h"
#include "engine/text/words.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::string_view session_files[] = {".headlight", ".txt"};
constexpr std::string_view sessions_and_lessons[] = {".headlight", ".txt", ".md"};
constexpr std::string_view lesson_files[] = {".md"};
constexpr std::string_view pair_files[] = {".tsv", ".txt", ".csv"};
constexpr std::string_view text_files[] = {".txt", ".md"};
constexpr std::string_view picture_files[] = {".png"};
constexpr std::string_view taken_files[] = {".png", ".svg", ".pdf", ".csv", ".tsv", ".npy", ".tex", ".md"};

constexpr std::string_view escaped_begin = "$'"; // of a path with line breaks

const FileKind kinds[file_requests] = {
    {"open", "open", false, false, sessions_and_lessons},
    {"lesson", "lesson open", false, false, lesson_files},
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
    {"export", "export", true, false, taken_files},
};

// With what it is opened again; empty: a picture is not opened here.
std::string_view opened_by(const FileKind& kind) {
    if (!kind.saves) return kind.command;
    return kind.command == "save" ? "open" : kind.command == "train save" ? "train open" : "";
}

} // namespace

const FileKind& kind_of(FileRequest request) { return kinds[std::size_t(request)]; }

std::string command_of(const Choosing& choosing) {
    return std::string(kind_of(choosing.request).command)
           + (choosing.what.empty() ? "" : " " + choosing.what);
}

// Names of values have dots in them: only an ending of the kind's own says what a picture or a table is.
std::filesystem::path with_ending(const Choosing& choosing, std::filesystem::path file) {
    const std::span<const std::string_view> known = kind_of(choosing.request).extensions;
    const std::string ending = file.extension().string();
    const bool has_own = choosing.request == FileRequest::take_away
                             ? std::find(known.begin(), known.end(), ending) != known.end()
                             : !ending.empty();
    if (known.empty() || has_own) return file;
    const std::string proposed = std::filesystem::path(choosing.name).extension().string();
    file += proposed.empty() ? std::string(known.front()) : proposed;
    return file;
}

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
    if (text.find_first_of("\n\r") == text.npos)
        return trim(text) == text && !text.starts_with('"') && !text.starts_with(escaped_begin)
                   ? text
                   : '"' + text + '"';
    std::string escaped(escaped_begin);
    for (const char c : text)
        if (c == '\n')
            escaped += "\\n";
        else if (c == '\r')
            escaped += "\\r";
        else if (c == '\\' || c == '\'')
            escaped += {'\\', c};
        else
            escaped += c;
    return escaped + '\'';
}

std::string file_of_argument(std::string_view written) {
    const bool is_quoted = written.size() > 1 && written.front() == '"' && written.back() == '"';
    if (is_quoted) return std::string(written.substr(1, written.size() - 2));
    if (written.size() <= escaped_begin.size() || !written.starts_with(escaped_begin)
        || written.back() != '\'')
        return std::string(written);
    std::string path;
    const std::string_view inner =
        written.substr(escaped_begin.size(), written.size() - escaped_begin.size() - 1);
    for (std::size_t i = 0; i < inner.size(); ++i) {
        const bool is_escape = inner[i] == '\\' && i + 1 < inner.size();
        const char c = is_escape ? inner[++i] : inner[i];
        path += is_escape && c == 'n' ? '\n' : is_escape && c == 'r' ? '\r' : c;
    }
    return path;
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
        const std::string rest = file_of_argument(trim(line.substr(begin.size())));
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
