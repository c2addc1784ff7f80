// What may stand for what: every form of every word of the lexicon, and which words of the other language it may be there.
#pragma once

#include "engine/language/lexicon.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight::language {

// A form of one sense of a word, in small letters: "wake", "up". An empty word is a gap: turn … on.
struct SenseForm {
    std::size_t sense;
    std::vector<std::string> words;
};

class Senses {
public:
    // Beside the lexicon's words those of `small_words`, text as in assets/grammars/everyday-gloss.txt, whose head explains
    // it. Errors (file, line): gloss_words_line.
    static Result<Senses> read(const Lexicon& lexicon, std::string_view small_words, const std::string& file);

    // Those that begin with this word; null: none.
    const std::vector<SenseForm>* english(const std::string& word) const { return find(english_, word); }
    const std::vector<SenseForm>* portuguese(const std::string& word) const { return find(portuguese_, word); }

    // A noun, a verb, an adjective: what has to be said on the other side as well.
    bool is_content(std::size_t sense) const { return is_content_[sense]; }
    // What the last word of several says most: “movie theater”; of a verb it is the first: “wake up”.
    bool is_noun(std::size_t sense) const { return is_noun_[sense]; }
    bool may_be_none(const std::string& english) const { return none_english_.contains(english); }
    bool may_stand_for_none(const std::string& portuguese) const { return none_portuguese_.contains(portuguese); }

    // What an English word means though Portuguese leaves it out: “I” in “estou com fome”. Empty: nothing.
    std::string left_out(const std::string& english) const {
        const auto found = left_out_.find(english);
        return found == left_out_.end() ? std::string() : found->second;
    }

    // Portuguese words of a text, what is written together taken apart: "do livro" → "de", "o", "livro"; "vê-lo" → "ver",
    // "lo". Each with the number of the word, between blanks and signs, that it is a part of.
    struct WrittenPart {
        std::string word; // in small letters
        std::size_t written;
    };
    std::vector<WrittenPart> parts_of(const std::vector<std::string>& written) const;

private:
    using Forms = std::unordered_map<std::string, std::vector<SenseForm>>;
    static const std::vector<SenseForm>* find(const Forms& forms, const std::string& word) {
        const auto found = forms.find(word);
        return found == forms.end() ? nullptr : &found->second;
    }
    std::size_t begin_sense(bool content, bool noun = false);
    void add_english(std::size_t sense, const std::string& form);
    void add_portuguese(std::size_t sense, const std::string& form);
    void add_nouns(const Lexicon& lexicon);
    void add_adjectives(const Lexicon& lexicon);
    void add_verbs(const Lexicon& lexicon);
    void add_others(const Lexicon& lexicon);
    void learn_contractions(const Lexicon& lexicon);

    Forms english_, portuguese_;
    std::vector<bool> is_content_, is_noun_;
    std::unordered_map<std::string, std::vector<std::string>> together_; // "do" → "de", "o"
    std::unordered_map<std::string, std::string> left_out_;
    std::unordered_map<std::string, bool> none_english_, none_portuguese_;
};

} // namespace headlight::language
