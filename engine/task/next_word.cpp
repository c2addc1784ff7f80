#include "engine/task/tasks.h"

#include "engine/base/giving_up.h"
#include "engine/task/pairs.h"
#include "engine/task/plain_text.h"
#include "engine/task/tasks.h"
#include "engine/text/cutting.h"
#include "engine/text/pattern.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <map>
#include <set>

namespace headlight {

namespace {

constexpr std::size_t most_windows = 20'000;

// --- sentences of the grammar ------------------------------------------------------------------------------

// "The clouds are in the sky" → "The clouds are in the", "sky."
SentencePair before_last_word(std::string sentence) {
    constexpr std::string_view final_marks = ".!?";
    if (final_marks.find(sentence.back()) == std::string_view::npos) sentence += '.';
    const std::size_t blank = sentence.rfind(' ');
    if (blank == std::string::npos) return {"", std::move(sentence)};
    return {sentence.substr(0, blank), sentence.substr(blank + 1)};
}

// Which last words each beginning has.
using Endings = std::map<std::string, std::set<std::string>>;

void cut_last_words(std::vector<SentencePair>& pairs, Endings& endings) {
    for (SentencePair& pair : pairs) {
        pair = before_last_word(std::move(pair.source));
        endings[lowercase(pair.source)].insert(pair.target);
    }
}

// --- any text ----------------------------------------------------------------------------------------------

class TextTask final : public KeptPairs {
public:
    TextTask(std::string name, TokenizerKind unit, std::vector<SentencePair> training,
             std::vector<SentencePair> held_out, std::size_t window, std::vector<std::string> alphabet)
        : KeptPairs(std::move(name), std::move(training), std::move(held_out), std::move(alphabet)),
          unit_(unit),
          window_(window) {}

    TokenizerKind tokenizer_kind() const override { return unit_; }
    Learner learner() const override { return {Architecture::decoder_only, Head::tokens, {}}; }
    bool target_ends() const override { return false; }
    std::size_t longest_source() const override { return window_ - 1; }
    std::size_t longest_target() const override { return 1; }

private:
    TokenizerKind unit_;
    std::size_t window_;
};

// A text in tokens, of which windows are cut.
class TokenisedText {
public:
    TokenisedText(std::string_view text, TokenizerKind unit) : characters_(code_points(text)) {
        const Splitting cut = unit == TokenizerKind::words ? Splitting::words : Splitting::characters;
        tokens_ = split(characters_, {{0, characters_.size()}}, cut);
    }

    std::size_t size() const { return tokens_.size(); }

    // Windows that begin in [first, end) and end in it, every `stride`-th; the last token is the target.
    std::vector<SentencePair> windows(std::size_t first, std::size_t end, std::size_t length,
                                      std::size_t stride) const {
        std::vector<SentencePair> windows;
        if (end < first + 2) return windows;
        length = std::min(length, end - first);
        for (std::size_t begin = first; begin + length <= end; begin += stride) {
            give_up_if_told();
            const std::size_t last = begin + length - 1;
            windows.push_back({text(begin, last - 1), text(last, last)});
        }
        return windows;
    }

    std::vector<std::string> alphabet() const {
        std::set<char32_t> different(characters_.begin(), characters_.end());
        std::vector<std::string> alphabet;
        for (const char32_t character : different) append_utf8(alphabet.emplace_back(), character);
        return alphabet;
    }

private:
    std::string text(std::size_t first, std::size_t last) const {
        std::string text;
        for (std::size_t i = tokens_[first].begin; i < tokens_[last].end; ++i)
            append_utf8(text, characters_[i]);
        return text;
    }

    std::u32string characters_;
    std::vector<CharacterRange> tokens_;
};

} // namespace

Result<std::unique_ptr<Task>> make_next_word_task(const std::string& grammars) {
    const Result<grammar::Grammar> rules = grammar::read(grammars + "/english-portuguese.txt");
    if (!rules) return rules.error();
    auto blocks = grammar::speak(*rules, grammar::Direction::english_to_portuguese);
    if (!blocks) return blocks.error();
    Endings endings;
    for (grammar::SpokenBlock& block : *blocks)
        for (grammar::SpokenPhrase& phrase : block.phrases) {
            cut_last_words(phrase.training, endings);
            cut_last_words(phrase.held_out, endings);
        }
    for (grammar::SpokenBlock& block : *blocks)
        for (grammar::SpokenPhrase& phrase : block.phrases)
            std::erase_if(phrase.held_out, [&](const SentencePair& pair) {
                return endings.at(lowercase(pair.source)).size() > 1;
            });
    return make_phrase_task("next-word", *blocks, {Architecture::decoder_only, Head::tokens, {}},
                            Periods::none);
}

namespace {

// --- a text in byte pairs ----------------------------------------------------------------------------------

class BytePairTask final : public KeptPairs {
public:
    BytePairTask(std::string name, Tokenizer tokenizer, std::vector<SentencePair> training,
                 std::vector<SentencePair> held_out)
        : KeptPairs(std::move(name), std::move(training), std::move(held_out)),
          tokenizer_(std::move(tokenizer)) {
        for (const auto* pairs : {&training_, &held_out_})
            for (const SentencePair& pair : *pairs) {
                give_up_if_told();
                source_ = std::max(source_, tokenizer_.encode_ids(pair.source).size());
                target_ = std::max(target_, tokenizer_.encode_ids(pair.target).size());
            }
    }

    TokenizerKind tokenizer_kind() const override { return TokenizerKind::bpe; }
    const Tokenizer* learnt_tokenizer() const override { return &tokenizer_; }
    Learner learner() const override { return {Architecture::decoder_only, Head::tokens, {}}; }
    bool target_ends() const override { return false; }
    std::size_t longest_source() const override { return source_; }
    std::size_t longest_target() const override { return target_; }

private:
    Tokenizer tokenizer_;
    std::size_t source_ = 0, target_ = 0;
};

// What windows are made of: a word, or a part of one that is too long, with its number of tokens.
struct TextUnit {
    std::size_t begin, end; // bytes of the text
    std::size_t tokens;
};

std::vector<TextUnit> units_of(const Tokenizer& tokenizer, std::string_view text) {
    constexpr std::size_t portion = 1 << 16, most_tokens = text_window_bpe / 4;
    std::vector<TextUnit> units;
    for (std::size_t from = 0; from < text.size();) {
        give_up_if_told();
        std::size_t end = std::min(text.size(), from + portion);
        if (end < text.size())
            if (const std::size_t line = text.rfind('\n', end - 1);
                line != std::string_view::npos && line > from)
                end = line;
        const auto continues = [&](std::size_t at) { // the byte there is inside of a character
            return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
        };
        while (continues(end)) ++end;
        Index word = -1;
        for (const Piece& piece : tokenizer.encode(text.substr(from, end - from))) {
            const TextUnit one{from + piece.typed.begin, from + piece.typed.end, 1};
            const bool begins = piece.word != word || units.empty() || units.back().tokens >= most_tokens;
            word = piece.word;
            if (begins && !continues(one.begin)) {
                units.push_back(one);
            } else {
                units.back().end = one.end;
                ++units.back().tokens;
            }
        }
        from = end;
    }
    return units;
}

// Windows of units [first, end): as many units as have room, the last of them being the target.
std::vector<SentencePair> windows_of(const std::vector<TextUnit>& units, std::string_view text,
                                     std::size_t first, std::size_t end, std::size_t stride,
                                     std::size_t most) {
    std::vector<SentencePair> windows;
    for (std::size_t begin = first; begin + 1 < end && windows.size() < most; begin += stride) {
        std::size_t last = begin, tokens = units[begin].tokens;
        while (last + 1 < end && tokens + units[last + 1].tokens <= text_window_bpe)
            tokens += units[++last].tokens;
        if (last == begin) continue;
        windows.push_back(
            {std::string(text.substr(units[begin].begin, units[last].begin - units[begin].begin)),
             std::string(text.substr(units[last].begin, units[last].end - units[last].begin))});
        if (last + 1 == end) break; // the next ones would only be shorter
    }
    return windows;
}

Result<std::unique_ptr<Task>> make_byte_pair_task(std::string name, const std::string& text,
                                                  Index vocabulary) {
    Tokenizer tokenizer = train_byte_level_bpe(text, vocabulary > 0 ? vocabulary : usual_bpe_vocabulary);
    const std::vector<TextUnit> units = units_of(tokenizer, text);
    if (units.size() < fewest_text_tokens)
        return Error{"error.text_too_short",
                     {std::move(name), std::to_string(units.size()), std::to_string(fewest_text_tokens)}};
    const std::size_t kept = units.size() - units.size() / held_out_one_in;
    const std::size_t stride = std::max<std::size_t>(1, kept / most_windows);
    std::vector<SentencePair> training = windows_of(units, text, 0, kept, stride, most_windows),
                              held_out = windows_of(units, text, kept, units.size(), 8, held_out_limit);
    return std::unique_ptr<Task>(std::make_unique<BytePairTask>(std::move(name), std::move(tokenizer),
                                                                std::move(training), std::move(held_out)));
}

} // namespace

Result<std::unique_ptr<Task>> make_text_task(std::string name, std::string_view text, TokenizerKind unit,
                                             Index vocabulary) {
    std::string clean;
    for (const char byte : text)
        if (byte != '\r') clean += byte;
    if (!is_valid_utf8(clean)) return Error{"error.text_not_utf8", {std::move(name)}};
    if (unit == TokenizerKind::bpe) return make_byte_pair_task(std::move(name), clean, vocabulary);
    const TokenisedText tokens(clean, unit);
    if (tokens.size() < fewest_text_tokens)
        return Error{"error.text_too_short",
                     {std::move(name), std::to_string(tokens.size()), std::to_string(fewest_text_tokens)}};
    const std::size_t longest = unit == TokenizerKind::words ? text_window_words : text_window_characters;
    const std::size_t kept = tokens.size() - tokens.size() / held_out_one_in; // the rest is held out
    const std::size_t window = std::min(longest, kept);
    const std::size_t stride = std::max<std::size_t>(1, kept / most_windows);
    std::vector<SentencePair> held_out = tokens.windows(kept, tokens.size(), window, window / 2);
    held_out.resize(std::min(held_out.size(), held_out_limit));
    return std::unique_ptr<Task>(std::make_unique<TextTask>(
        std::move(name), unit, tokens.windows(0, kept, window, stride), std::move(held_out), window,
        unit == TokenizerKind::characters ? tokens.alphabet() : std::vector<std::string>()));
}

} // namespace headlight
