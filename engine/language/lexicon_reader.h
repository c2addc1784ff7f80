// What reads the lexicon's files into a Lexicon. Nothing else needs this.
#pragma once

#include "engine/language/lexicon.h"

#include <set>

namespace headlight::language {

class LexiconReader {
public:
    // Files in any order: entries are kept as they stand, and inflected when all is known.
    Result<Done> read_entries(std::string_view text, const std::string& file);
    Result<Done> read_classes(std::string_view text, const std::string& file);
    void set_conjugations(Conjugations conjugations) { lexicon_.conjugations_ = std::move(conjugations); }
    Result<Lexicon> finish();

private:
    Result<Done> add_noun(std::size_t entry);
    Result<Done> add_verb(std::size_t entry);
    Result<Done> add_adjective(std::size_t entry);
    Result<Done> check_classes(const std::vector<std::string>& classes, const Entry& entry) const;

    Lexicon lexicon_;
    std::map<std::string, std::vector<std::string>, std::less<>> irregular_; // English base: forms written once
    std::map<std::string, std::size_t, std::less<>> joined_at_;             // line of classes.txt
};

// The entry's line with what is wrong there.
Error entry_error(const Entry& entry, std::string key, std::vector<std::string> details = {});

} // namespace headlight::language
