#include "engine/task/tasks.h"

#include "engine/base/lasting.h"
#include "engine/task/plain_text.h"

#include <algorithm>
#include <span>

namespace headlight {

namespace {

using Characters = std::vector<std::string>;

// Strings shorter than this are so few that a model should see them all.
constexpr std::size_t shortest_held_out = 4;

struct Symbols {
    Characters vowels = characters_of("aeiouaeiouaeiouaeiouáàâãéêíóôõúü");
    Characters consonants = characters_of("bcdfghjklmnpqrstvwxyzbcdfglmnprstvç");
    Characters marks = characters_of("-'.,!?");
    Characters digits = characters_of("0123456789");
};

const Symbols& symbols() {
    static const Symbols& value = lasting(Symbols());
    return value;
}

const std::string& any_of(std::span<const std::string> choices, Random& random) {
    return choices[std::size_t(random.below(Index(choices.size())))];
}

// Every character as likely as any other, but no blank at either end and never two in a row: a person's text
// has none there either.
Characters uniform_string(std::size_t length, Random& random) {
    Characters text;
    while (text.size() < length) {
        const std::string& character = any_of(character_alphabet(), random);
        const bool at_end = text.empty() || text.size() + 1 == length;
        if (character == " " && (at_end || text.back() == " ")) continue;
        text.push_back(character);
    }
    return text;
}

// One to nine letters, consonants and vowels in turn.
void append_word(Characters& text, Random& random) {
    const Index letters = 1 + random.below(9);
    const bool capital = random.below(4) == 0;
    bool vowel = random.below(2) == 0;
    for (Index i = 0; i < letters; ++i, vowel = !vowel) {
        const std::string& letter = any_of(vowel ? symbols().vowels : symbols().consonants, random);
        text.push_back(capital && i == 0 ? with_capital(letter) : letter);
    }
}

void append_number(Characters& text, Random& random) {
    for (Index digits = 1 + random.below(4); digits > 0; --digits)
        text.push_back(any_of(symbols().digits, random));
}

// Words and numbers with a blank between them and a mark here and there, cut to length.
Characters wordlike_string(std::size_t length, Random& random) {
    Characters text;
    while (text.size() < length) {
        if (random.below(8) == 0)
            append_number(text, random);
        else
            append_word(text, random);
        if (random.below(5) == 0) text.push_back(any_of(symbols().marks, random));
        text.push_back(" ");
    }
    text.resize(length);
    if (text.back() == " ") text.back() = any_of(symbols().vowels, random);
    return text;
}

std::string joined(const Characters& characters) {
    std::string text;
    for (const std::string& character : characters) text += character;
    return text;
}

bool is_held_out(const Characters& characters, std::string_view text) {
    return characters.size() >= shortest_held_out && stable_hash(text) % held_out_one_in == 0;
}

class CharacterTask final : public Task {
public:
    CharacterTask(std::string name, bool reversed) : name_(std::move(name)), reversed_(reversed) {
        // The same strings are held out of copying and of reversing, and on every machine.
        Random random({0x68656c64, 0x6f7574});
        while (held_out_.size() < held_out_limit) held_out_.push_back(draw(true, random));
        for (const std::string& character : character_alphabet())
            vocabulary_.push_back({character, character});
    }

    std::string_view name() const override { return name_; }
    TokenizerKind tokenizer_kind() const override { return TokenizerKind::characters; }
    SentencePair sample(Random& random) const override { return draw(false, random); }
    std::optional<std::string> target_of(std::string_view source) const override {
        return target_of(characters_of(source));
    }
    const std::vector<SentencePair>& held_out() const override { return held_out_; }
    const std::vector<SentencePair>& all_training() const override { return vocabulary_; }
    bool is_finite() const override { return false; }
    const std::vector<std::string>& alphabet() const override { return character_alphabet(); }
    std::size_t longest_source() const override { return longest_character_string; }
    std::size_t longest_target() const override { return longest_character_string; }

private:
    SentencePair draw(bool held_out, Random& random) const {
        while (true) {
            const std::size_t length = std::size_t(1 + random.below(Index(longest_character_string)));
            Characters characters =
                random.below(2) == 0 ? uniform_string(length, random) : wordlike_string(length, random);
            std::string source = joined(characters);
            if (is_held_out(characters, source) != held_out) continue;
            return {std::move(source), target_of(std::move(characters))};
        }
    }

    std::string target_of(Characters characters) const {
        if (reversed_) std::reverse(characters.begin(), characters.end());
        return joined(characters);
    }

    std::string name_;
    bool reversed_;
    std::vector<SentencePair> held_out_;
    std::vector<SentencePair> vocabulary_;
};

} // namespace

const std::vector<std::string>& character_alphabet() {
    static const std::vector<std::string>& alphabet = lasting(characters_of("abcdefghijklmnopqrstuvwxyz"
                                                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                                            "áàâãéêíóôõúüç"
                                                                            "ÁÀÂÃÉÊÍÓÔÕÚÜÇ"
                                                                            "0123456789 -'.,!?"));
    return alphabet;
}

std::unique_ptr<Task> make_copy_task() { return std::make_unique<CharacterTask>("copy", false); }
std::unique_ptr<Task> make_reverse_task() { return std::make_unique<CharacterTask>("reverse", true); }

} // namespace headlight
