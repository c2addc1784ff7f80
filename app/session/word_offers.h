#pragma once

#include "engine/base/background.h"
#include "engine/language/thesaurus.h"
#include "engine/text/tokenizer.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// The words that may be typed, to be browsed and searched: the vocabulary of a model that reads whole words;
// for an everyday model, which reads any, those of the lexicon with their translations, by theme.

class Session;

struct ListedWord {
    std::string shown, translation; // “a maçã”, “apple”; of a vocabulary's word none
    std::string typed;              // “maçã”
    std::string theme;              // the lexicon's file: “nouns-food”; of a vocabulary's word none
    std::u32string folded, folded_translation;
};

struct WordList {
    std::vector<ListedWord> words; // a theme's beside each other
    bool has_translations = false;

    // Places of the words that begin with `wish`, or whose translation does, whatever its case and accents
    // (of several words any); all of them for an empty one.
    std::vector<std::size_t> with(std::string_view request) const;
    // Which of `found` is meant: the word itself, else the first that begins so, else the first; nothing of
    // none.
    std::optional<std::size_t> meant(std::string_view request, const std::vector<std::size_t>& found) const;
};

WordList word_list(const Session& session); // that has a model

// It is a shipped model for any sentence, of words that the lexicon has.
bool knows_lexicon(const Session& session);

// Known words for one that the model does not know: a slip of the hand mended, or a word of the same kind and
// meaning from the lexicon. That is read when it is first wanted, beside the window.

class WordOffers {
public:
    explicit WordOffers(std::filesystem::path lexicon) : folder_(std::move(lexicon)) {}
    ~WordOffers();
    WordOffers(const WordOffers&) = delete;
    WordOffers& operator=(const WordOffers&) = delete;

    // True when the lexicon has come since the last time. `wanted`: it is read, unless it was; `waits`: until
    // then.
    bool follow(bool wanted, bool waits);
    bool is_reading() const { return work_ != nullptr; }
    // Null: not yet, or there is none. In a browser it comes behind the first picture.
    const language::Thesaurus* thesaurus() const { return thesaurus_ ? &*thesaurus_ : nullptr; }
    // A line of it is wrong.
    std::optional<Error> take_trouble() { return std::exchange(trouble_, std::nullopt); }

    // For a word that this reader of whole words does not have, best first, at most `most_offers`. A word
    // that the lexicon has was meant as it is: another of its own forms, then its like; any other is a slip
    // of at most two edits. `version`: another whenever the reader may be another.
    const std::vector<std::string>& offers(const Tokenizer& reader, unsigned long version,
                                           const std::string& word) const;

private:
    const std::filesystem::path folder_;
    std::optional<Result<language::Thesaurus>> read_; // by the work, until is_read_
    std::atomic<bool> is_read_ = false;
    std::unique_ptr<BackgroundWork> work_;
    bool was_begun_ = false;
    std::optional<language::Thesaurus> thesaurus_;
    std::optional<Error> trouble_;

    struct Answered { // of one reader, by the word
        unsigned long version = 0;
        std::optional<language::Thesaurus::Known> known;
        std::map<std::string, std::vector<std::string>> offers;
    };
    mutable Answered answered_;
};

constexpr std::size_t most_offers = 3;

class Session;
// Something that is shown says words of the lexicon.
bool wants_lexicon(const Session& session);
// What was typed with another word where this piece of the sentence was.
std::string with_piece_replaced(const Session& session, std::size_t piece, const std::string& by);

} // namespace headlight
