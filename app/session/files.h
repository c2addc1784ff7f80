// What a person opens and saves: of which kinds, which file the session is, which were used of late, and what
// is being chosen now. A chooser yields a command line, so that what it chose could as well be written.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class CommandRegistry;
class Session;
struct View;

enum class FileRequest {
    open_session,
    open_lesson,
    save_session,
    open_run,
    save_run,
    open_model,
    open_pairs,
    save_picture,
    open_labels,
    open_words,
    open_characters,
    open_bpe,
    take_away, // what `export` writes
};
constexpr int file_requests = 13;
constexpr int menu_requests = 8; // these stand in the menu; the others beside what they are for

struct FileKind {
    std::string_view name;    // `choose NAME` asks for it; strings "file.NAME", "file.NAME.title"
    std::string_view command; // what is done with the file that was chosen
    bool saves = false;
    bool folders = false;                           // a folder is what is chosen
    std::span<const std::string_view> extensions{}; // that are offered; the first is that of a new file
};
const FileKind& kind_of(FileRequest request);

// What leads to where an opened file is seen.
std::span<const std::string_view> where_it_is_seen(const FileKind& kind);

// A path as it is written behind a command that takes a file: blanks at its ends and quotes survive, and so
// do line breaks, $'…\n…', as a shell has it. And back.
std::string file_argument(const std::filesystem::path& path);
std::string file_of_argument(std::string_view written);
// What a person reads of a name, which may be any bytes: no line breaks, no broken letters.
std::string shown_name(std::string_view name);

struct Choosing {
    FileRequest request = FileRequest::open_session;
    bool here = false;     // in the window, even where the desktop has a chooser
    std::string what = {}; // is taken away: "shown", "card" …
    std::string name = {}; // is proposed; empty: by the kind
    bool operator==(const Choosing&) const = default;
};
// What is done with the file: the command but for its name.
std::string command_of(const Choosing& choosing);
// As it was typed, with an ending that the kind knows, where it has none.
std::filesystem::path with_ending(const Choosing& choosing, std::filesystem::path file);

struct Files {
    static constexpr std::size_t most_recent = 8;

    std::filesystem::path session;   // that was opened or saved last; empty: it has no file yet
    std::filesystem::path folder;    // where something was chosen last
    std::vector<std::string> recent; // command lines, the latest first
    std::optional<Choosing> choosing;

    // A command line was done: what it opened or saved is remembered. `shipped`: what lies there is not.
    void remember(std::string_view line, const std::filesystem::path& shipped);
};

// save, open, afresh, classroom, choose, picture.
void add_file_commands(CommandRegistry& commands, Session& session, View& view);

} // namespace headlight
