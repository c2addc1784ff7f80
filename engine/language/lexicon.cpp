#include "engine/language/lexicon.h"

#include "engine/io/file.h"
#include "engine/language/lexicon.h"

#include <algorithm>
#include <filesystem>

namespace headlight::language {

namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr Index largest_lexicon_file = 1 << 24;

} // namespace

// "countable" after a word lifts "uncountable" of its heading.
bool Entry::has_english(std::string_view feature) const {
    if (feature == "uncountable" && contains(english_features, "countable")) return false;
    return contains(english_features, feature);
}

bool Entry::has_portuguese(std::string_view feature) const {
    if (feature == "uncountable" && contains(portuguese_features, "countable")) return false;
    return contains(portuguese_features, feature);
}

Result<Lexicon> Lexicon::read(const std::string& folder) {
    std::error_code failed;
    std::vector<std::filesystem::path> files;
    for (std::filesystem::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed))
        if (each->path().extension() == ".txt") files.push_back(each->path());
    if (failed || files.empty()) return Error{"error.lexicon_missing", {folder}};
    std::sort(files.begin(), files.end());
    LexiconReader reader;
    for (const std::filesystem::path& path : files) {
        const Result<std::string> text = read_file(path, largest_lexicon_file);
        if (!text) return text.error();
        const std::string name = path.filename().string();
        if (name == "ambiguous.txt") continue; // what decides a meaning is no matter of forms
        if (name == "conjugations.txt") {
            Result<Conjugations> conjugations = Conjugations::parse(*text, name);
            if (!conjugations) return conjugations.error();
            reader.set_conjugations(std::move(*conjugations));
            continue;
        }
        const Result<Done> done = name == "classes.txt" ? reader.read_classes(*text, name)
                                                        : reader.read_entries(*text, name);
        if (!done) return done.error();
    }
    return reader.finish();
}

std::optional<std::size_t> Lexicon::leaf(std::string_view name) const {
    const auto at = std::find(leaves_.begin(), leaves_.end(), name);
    if (at == leaves_.end()) return std::nullopt;
    return std::size_t(at - leaves_.begin());
}

std::vector<std::string> Lexicon::joined_classes() const {
    std::vector<std::string> names;
    for (const auto& [name, members] : joined_) names.push_back(name);
    return names;
}

std::optional<std::vector<std::size_t>> Lexicon::leaves_of(std::string_view name) const {
    if (const std::optional<std::size_t> single = leaf(name)) return std::vector{*single};
    const auto found = joined_.find(name);
    if (found == joined_.end()) return std::nullopt;
    std::vector<std::size_t> all;
    for (const std::string& member : found->second)
        if (const auto leaves = leaves_of(member))
            for (const std::size_t each : *leaves)
                if (std::find(all.begin(), all.end(), each) == all.end()) all.push_back(each);
    return all;
}

} // namespace headlight::language
