#include "engine/text/sentencepiece_normalization.h"

#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::size_t longest_key = 64; // bytes of a text that the table is asked about at one place

// Reads a text from the front, a replacement at a time.
class Replacer {
public:
    Replacer(const AlignedText& text, const SentencepieceRules& rules) : text_(text), rules_(rules) {
        starts_.reserve(text.characters.size() + 1);
        for (char32_t c : text.characters) {
            starts_.push_back(bytes_.size());
            append_utf8(bytes_, c);
        }
        starts_.push_back(bytes_.size());
    }

    struct Part {
        std::u32string characters; // that the next ones become
        std::size_t begin, end;    // which: characters of the text
    };
    bool at_end() const { return at_ == text_.characters.size(); }
    Part next() const {
        const std::string_view rest = std::string_view(bytes_).substr(starts_[at_]);
        if (!rules_.kept().empty())
            if (const std::size_t length = rules_.kept().longest_prefix(rest).first; length > 0)
                return {code_points(rest.substr(0, length)), at_, character_at(starts_[at_] + length)};
        const Charsmap::Match match = rules_.charsmap.longest(rest.substr(0, longest_key));
        if (match.length == 0) return {{text_.characters[at_]}, at_, at_ + 1};
        return {code_points(match.replacement), at_, character_at(starts_[at_] + match.length)};
    }
    void pass(const Part& part) { at_ = part.end; }

private:
    std::size_t character_at(std::size_t byte) const {
        return std::size_t(std::lower_bound(starts_.begin(), starts_.end(), byte) - starts_.begin());
    }

    const AlignedText& text_;
    const SentencepieceRules& rules_;
    std::string bytes_;
    std::vector<std::size_t> starts_; // byte of each character, and of the end
    std::size_t at_ = 0;
};

} // namespace

void SentencepieceRules::keep(std::string piece) {
    kept_tree_.insert(piece, std::uint32_t(kept_.size()));
    kept_.push_back(std::move(piece));
}

bool SentencepieceRules::operator==(const SentencepieceRules& other) const {
    return charsmap == other.charsmap && add_dummy_prefix == other.add_dummy_prefix
           && remove_extra_whitespaces == other.remove_extra_whitespaces
           && escape_whitespaces == other.escape_whitespaces && kept_ == other.kept_;
}

AlignedText normalized(const AlignedText& text, const SentencepieceRules& rules) {
    AlignedText result;
    const auto append = [&](char32_t c, AlignedText::Origin origin) {
        result.characters.push_back(c);
        result.origins.push_back(origin);
    };
    const char32_t space = rules.escape_whitespaces ? visible_space : U' ';
    Replacer replacer(text, rules);
    while (rules.remove_extra_whitespaces && !replacer.at_end()) {
        const Replacer::Part part = replacer.next();
        if (part.characters != U" ") break;
        replacer.pass(part);
    }
    if (replacer.at_end()) return result;
    if (rules.add_dummy_prefix) {
        const std::size_t begin = text.origins[replacer.next().begin].begin;
        append(space, {begin, begin});
    }
    bool after_space = rules.remove_extra_whitespaces;
    while (!replacer.at_end()) {
        const Replacer::Part part = replacer.next();
        replacer.pass(part);
        std::u32string_view characters = part.characters;
        while (after_space && characters.starts_with(U' ')) characters.remove_prefix(1);
        const AlignedText::Origin origin = {text.origins[part.begin].begin, text.origins[part.end - 1].end};
        for (char32_t c : characters) append(c == U' ' ? space : c, origin);
        if (!characters.empty()) after_space = characters.ends_with(U' ');
        after_space = after_space && rules.remove_extra_whitespaces;
    }
    while (rules.remove_extra_whitespaces && result.characters.ends_with(space)) {
        result.characters.pop_back();
        result.origins.pop_back();
    }
    return result;
}

bool take_language_codes(AlignedText& text, CharacterRange& code) {
    bool begins = false;
    AlignedText rest;
    const std::u32string_view all = text.characters;
    for (std::size_t line = 0; line < all.size();) {
        const std::size_t line_end = std::min(all.find(U'\n', line), all.size() - 1) + 1;
        const std::u32string_view here = all.substr(0, line_end);
        const std::size_t open = here.find(U">>", line);
        std::size_t close = here.rfind(U"<<");
        if (open == here.npos || close == here.npos || close < open + 3) close = line;
        const CharacterRange cut =
            close == line ? CharacterRange{line, line} : CharacterRange{open, close + 2};
        if (cut.begin == 0 && cut.end > 0) {
            begins = true;
            code = cut;
        }
        for (std::size_t i = line; i < line_end; ++i) {
            if (i >= cut.begin && i < cut.end) continue;
            rest.characters.push_back(text.characters[i]);
            rest.origins.push_back(text.origins[i]);
        }
        line = line_end;
    }
    text = std::move(rest);
    return begins;
}

} // namespace headlight
