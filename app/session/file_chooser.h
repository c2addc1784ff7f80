#pragma once

#include "app/session/files.h"
#include "engine/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// What lies in a folder, for somebody who chooses something there.

struct FolderEntry {
    std::string name;       // as the system has it: any bytes
    bool is_folder = false; // else a file
    bool fits = false;      // it can be chosen: a model's folder where a model is wanted
};

struct FolderListing {
    static constexpr std::size_t most = 20'000;

    std::filesystem::path folder;
    std::vector<FolderEntry> entries; // folders first, each in order of name
    bool fits = false;                // the folder itself can be chosen
    bool is_cut = false;              // there is more than that
    std::optional<Error> error;       // it cannot be read; then there are no entries
};

// `every`: files of all extensions, and what is hidden.
FolderListing list_folder(const std::filesystem::path& folder, const FileKind& kind, bool every = false);

// Whether a folder is of the kind: it holds a model, or a run.
bool is_of_kind(const std::filesystem::path& folder, const FileKind& kind);

// Choosing a file or a folder without a desktop: a folder's list, a line in which a name or a path is typed,
// and what keys do to them. Knows no window; app/ui/files draws it.

class FileChooser {
public:
    // `choosing.name`: proposed for something new.
    FileChooser(Choosing choosing, const std::filesystem::path& folder);
    FileChooser(FileRequest request, const std::filesystem::path& folder, std::string name = {});

    const Choosing& choosing() const { return choosing_; }
    const FileKind& kind() const { return kind_of(choosing_.request); }
    const std::filesystem::path& folder() const { return listing_.folder; } // that is listed
    const FolderListing& listing() const { return listing_; }
    // Places of the entries that what is typed leaves over; the one that is marked is a place among these.
    const std::vector<std::size_t>& rows() const { return rows_; }
    const FolderEntry& row(std::size_t place) const { return listing_.entries[rows_[place]]; }
    int marked() const { return marked_; } // −1: none
    const std::string& text() const { return text_; }
    bool shows_every() const { return every_; }
    const std::optional<Error>& problem() const { return problem_; } // of what was wanted last
    bool asks_to_replace() const { return !to_replace_.empty(); }    // accept once more does it
    const std::filesystem::path& to_replace() const { return to_replace_; }

    void type(std::string text); // what the line says now
    void mark(int place);        // a row; out of range: the nearest
    void move_mark(int by);
    void complete(); // as far as the names there agree
    void go_to(const std::filesystem::path& folder);
    void go_up();
    void show_every(bool every);
    // What is marked, or else typed. A folder is entered, unless it is what is wanted. The command line of
    // what is chosen; nothing as long as there is something to say or to ask.
    std::optional<std::string> accept();

private:
    struct Typed {
        std::filesystem::path folder; // in which it is looked for
        std::string name;             // the beginning of a name there
    };
    Typed typed() const;
    std::filesystem::path expanded(std::string_view path) const;
    void list(const std::filesystem::path& folder);
    void choose_rows();
    std::optional<std::string> accept_entry(const FolderEntry& entry);
    std::optional<std::string> accept_path(std::filesystem::path path);
    std::optional<std::string> take(const std::filesystem::path& path);

    Choosing choosing_;
    std::filesystem::path base_; // where relative names are
    std::string text_, proposed_;
    FolderListing listing_;
    std::vector<std::size_t> rows_;
    int marked_ = -1;
    bool every_ = false;
    std::optional<Error> problem_;
    std::filesystem::path to_replace_;
};

// A new name beside those that there are: "lesson.headlight", "lesson 2.headlight".
std::string free_name(const std::filesystem::path& folder, const std::string& name);

} // namespace headlight
