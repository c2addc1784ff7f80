#include "engine/task/grammar.h"

#include "engine/task/plain_text.h"
#include "engine/text/unicode.h"

#include <unordered_map>

namespace headlight::grammar {

namespace {

constexpr std::size_t most_sentences = 500'000;

using Choice = std::vector<const Entry*>; // the entry in each slot of a phrase

std::string say(const std::vector<Piece>& pieces, Language language, const Choice& choice) {
    std::string text;
    for (const Piece& piece : pieces) {
        const Forms& forms =
            piece.slot ? choice[*piece.slot]->columns.in(language)[piece.column] : piece.forms;
        text += piece.agrees_with ? forms.agreeing(*choice[*piece.agrees_with]->agreement) : forms.single();
    }
    return with_capital(text);
}

// By the words themselves, not by their lists: a pair of words held out here is held out wherever both occur.
bool holds_out(const Phrase& phrase, const Choice& choice) {
    for (const std::vector<std::size_t>& slots : phrase.holds) {
        std::string combination;
        for (std::size_t slot : slots) combination += choice[slot]->columns.english[0].single() + "|";
        if (stable_hash(combination) % held_out_one_in == 0) return true;
    }
    return false;
}

// Calls visit(choice) for every combination of words that serves the direction, the last slot changing
// fastest.
template <class Visit>
void for_each_choice(const Grammar& grammar, const Phrase& phrase, Direction direction, Choice& choice,
                     const Visit& visit) {
    if (choice.size() == phrase.slots.size()) return visit();
    for (const Entry& entry : grammar.lists[phrase.slots[choice.size()]].entries) {
        if (!serves(entry.arrow, direction)) continue;
        choice.push_back(&entry);
        for_each_choice(grammar, phrase, direction, choice, visit);
        choice.pop_back();
    }
}

struct Sentence {
    SentencePair pair;
    std::size_t block, phrase;
    std::size_t line;
    bool held_out, in_full;
};

class Speaker {
public:
    Speaker(const Grammar& grammar, Direction direction) : grammar_(grammar), direction_(direction) {}

    Result<std::vector<SpokenBlock>> speak_all() {
        std::vector<SpokenBlock> blocks;
        for (const PhraseBlock& block : grammar_.blocks) {
            blocks.push_back({block.name, block.share, {}});
            for (const Phrase& phrase : block.phrases) {
                blocks.back().phrases.push_back({phrase.line, {}, {}});
                if (!serves(phrase.arrow, direction_)) continue;
                if (std::optional<Error> error = count(phrase)) return *error;
                block_ = blocks.size() - 1;
                phrase_ = blocks.back().phrases.size() - 1;
                if (std::optional<Error> error = speak_one(phrase)) return *error;
            }
        }
        for (Sentence& sentence : sentences_) {
            SpokenPhrase& phrase = blocks[sentence.block].phrases[sentence.phrase];
            const bool held_out = sentence.held_out && !sentence.in_full;
            (held_out ? phrase.held_out : phrase.training).push_back(std::move(sentence.pair));
        }
        return blocks;
    }

private:
    // Before they are made: a slot too many in a teacher's file should not take all memory.
    std::optional<Error> count(const Phrase& phrase) {
        std::size_t count = 1;
        for (std::size_t list : phrase.slots) {
            count *= grammar_.lists[list].entries.size();
            if (count > most_sentences) break;
        }
        counted_ += count;
        if (counted_ <= most_sentences) return std::nullopt;
        return Error{"error.grammar_too_large",
                     {grammar_.file, std::to_string(phrase.line), std::to_string(most_sentences)}};
    }

    std::optional<Error> speak_one(const Phrase& phrase) {
        std::optional<Error> error;
        Choice choice;
        for_each_choice(grammar_, phrase, direction_, choice, [&] {
            if (!error) error = add(phrase, choice);
        });
        return error;
    }

    std::optional<Error> add(const Phrase& phrase, const Choice& choice) {
        SentencePair pair{say(phrase.pieces.english, Language::english, choice),
                          say(phrase.pieces.portuguese, Language::portuguese, choice)};
        if (direction_ == Direction::portuguese_to_english) std::swap(pair.source, pair.target);
        const bool held_out = holds_out(phrase, choice);
        const bool in_full = phrase.slots.empty();
        const auto [known, is_new] = by_source_.try_emplace(lowercase(pair.source), sentences_.size());
        if (is_new) {
            sentences_.push_back({std::move(pair), block_, phrase_, phrase.line, held_out, in_full});
            return std::nullopt;
        }
        Sentence& first = sentences_[known->second];
        if (first.pair.target != pair.target)
            return Error{"error.grammar_contradiction",
                         {grammar_.file, std::to_string(phrase.line), pair.source, pair.target,
                          first.pair.target, std::to_string(first.line)}};
        first.held_out |= held_out;
        first.in_full |= in_full;
        return std::nullopt;
    }

    const Grammar& grammar_;
    Direction direction_;
    std::size_t counted_ = 0;
    std::size_t block_ = 0, phrase_ = 0; // being spoken
    std::vector<Sentence> sentences_;
    std::unordered_map<std::string, std::size_t> by_source_; // in lower case → index in sentences_
};

} // namespace

Result<std::vector<SpokenBlock>> speak(const Grammar& grammar, Direction direction) {
    return Speaker(grammar, direction).speak_all();
}

} // namespace headlight::grammar
