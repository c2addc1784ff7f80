// Every sentence that a person reads, in every language the program speaks: assets/strings/en/*.json,
// assets/strings/pt/*.json, … are flat objects of key → text with {0}, {1}, … for arguments. To add a
// language is to add a folder.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class Strings {
public:
    using Texts = std::map<std::string, std::string, std::less<>>;

    // All languages of the folder; English is spoken until another is chosen. Errors: no folder, a file that
    // is not a flat object of texts, a key that stands in two files of a language.
    static Result<Strings> load(const std::filesystem::path& assets);

    const std::vector<std::string>& languages() const { return codes_; } // "en", "pt"
    bool speaks(std::string_view code) const { return texts_.contains(code); }
    const std::string& language() const { return language_; }
    void set_language(std::string_view code); // one of languages()

    // The text of a key; a key that is missing is shown as itself in brackets: [panel.title]. The reference
    // holds as long as this object. For one thread.
    const std::string& text(std::string_view key) const;
    // The text, or what stands for it where there is none.
    std::string text_or(std::string_view key, const std::string& otherwise) const;
    std::string text(std::string_view key, std::span<const std::string> arguments) const;
    std::string text(std::string_view key, std::initializer_list<std::string> arguments) const;
    // What a file brought with it (a name of five megabytes) is told by its beginning and its end, and in one
    // line of UTF-8.
    std::string text(const Error& error) const;

    // From now on numbers are written as this language writes them: its "number.decimal" and
    // "number.thousands". Loading and choosing a language do so too; a window, before it draws.
    void write_numbers() const;

    const Texts& texts(std::string_view code) const; // of one of languages()
    // Keys that were asked for and are not there, each in its brackets.
    const std::set<std::string, std::less<>>& missing() const { return missing_; }

private:
    std::vector<std::string> codes_;
    std::map<std::string, Texts, std::less<>> texts_; // by language
    std::string language_;
    mutable std::set<std::string, std::less<>> missing_; // in brackets
};

// A text of more than 1500 bytes by its first 300 and its last 100, cut between characters.
std::string shortened(const std::string& text);
// The text with control characters, line breaks among them, as blanks, and as U+FFFD what is not UTF-8 or
// would turn around or part what stands beside it.
std::string in_one_line(const std::string& text);
// {0}, {1}, … replaced by the arguments; a number without an argument stays as it is.
std::string fill_in(std::string_view text, std::span<const std::string> arguments);

// The language of LC_ALL, LC_MESSAGES or LANG (the first that is set) as "pt", when it is spoken; else "en".
std::string language_of_environment(const Strings& strings);

} // namespace headlight
