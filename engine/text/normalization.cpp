#include "engine/text/normalization.h"
#include "engine/base/check.h"
#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr std::size_t unit_bytes = 4;

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = unit_bytes; i-- > 0;)
        number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

} // namespace

std::optional<Charsmap> Charsmap::from_bytes(std::string bytes) {
    Charsmap map;
    if (bytes.empty()) return map;
    if (bytes.size() < unit_bytes) return std::nullopt;
    const std::size_t trie = little_endian(bytes, 0);
    if (trie > bytes.size() - unit_bytes || trie % unit_bytes != 0) return std::nullopt;
    map.units_ = trie / unit_bytes;
    for (std::size_t begin = unit_bytes + trie; begin < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\0', begin), bytes.size());
        map.longest_replacement_ = std::max(map.longest_replacement_, end - begin);
        begin = end + 1;
    }
    map.bytes_ = std::make_shared<const std::string>(std::move(bytes));
    return map;
}

std::string_view Charsmap::bytes() const { return bytes_ ? std::string_view(*bytes_) : std::string_view(); }

std::uint32_t Charsmap::unit(std::size_t place) const {
    return little_endian(*bytes_, unit_bytes + unit_bytes * place);
}

// Calls on_match(match) for each beginning of the text that the table has, shortest first, until it says
// false.
template <class OnMatch>
void Charsmap::walk(std::string_view text, OnMatch on_match) const {
    if (units_ == 0) return;
    const auto offset = [](std::uint32_t u) { return std::size_t(u >> 10) << ((u & 512) >> 6); };
    std::size_t place = offset(unit(0));
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        place ^= byte;
        if (place >= units_) return;
        const std::uint32_t here = unit(place);
        if ((here & 0x800000FF) != byte) return;
        place ^= offset(here);
        if ((here >> 8 & 1) == 0) continue;
        if (place >= units_) return;
        const std::size_t strings = unit_bytes + unit_bytes * units_;
        const std::size_t begin = strings + (unit(place) & 0x7FFFFFFF);
        if (begin >= bytes_->size()) return;
        const std::size_t end = std::min(bytes_->find('\0', begin), bytes_->size());
        if (!on_match(Match{i + 1, std::string_view(*bytes_).substr(begin, end - begin)})) return;
    }
}

Charsmap::Match Charsmap::longest(std::string_view text) const {
    Match found;
    walk(text, [&](const Match& match) {
        found = match;
        return true;
    });
    return found;
}

Charsmap::Match Charsmap::shortest(std::string_view text) const {
    Match found;
    walk(text, [&](const Match& match) {
        found = match;
        return false;
    });
    return found;
}

namespace {

using Origin = AlignedText::Origin;

void append(AlignedText& text, char32_t character, Origin origin) {
    text.characters.push_back(character);
    text.origins.push_back(origin);
}

// What characters [begin, end) came from, together.
Origin joined_origin(const AlignedText& text, std::size_t begin, std::size_t end) {
    return {text.origins[begin].begin, text.origins[end - 1].end};
}

AlignedText to_form(const AlignedText& text, NormalForm form) {
    const std::u32string_view characters = text.characters;
    AlignedText result;
    for (std::size_t begin = 0; begin < characters.size();) {
        const std::size_t end = grapheme_end(characters, begin);
        const std::u32string_view cluster = characters.substr(begin, end - begin);
        const std::u32string changed = normalized(cluster, form);
        // A grapheme that changes came from the whole of what was typed; in another each character keeps its
        // own.
        for (std::size_t i = 0; i < changed.size(); ++i)
            append(result, changed[i],
                   changed == cluster ? text.origins[begin + i] : joined_origin(text, begin, end));
        begin = end;
    }
    return result;
}

AlignedText to_lowercase(const AlignedText& text) {
    AlignedText result;
    for (std::size_t i = 0; i < text.characters.size(); ++i) {
        append_lowercase(result.characters, text.characters[i]);
        result.origins.resize(result.characters.size(), text.origins[i]);
    }
    return result;
}

AlignedText replaced(const AlignedText& text, std::u32string_view from, std::u32string_view to) {
    HEADLIGHT_CHECK(!from.empty(), "nothing to replace");
    const std::u32string_view characters = text.characters;
    AlignedText result;
    for (std::size_t i = 0; i < characters.size();) {
        if (characters.substr(i, from.size()) == from) {
            for (char32_t c : to) append(result, c, joined_origin(text, i, i + from.size()));
            i += from.size();
        } else {
            append(result, characters[i], text.origins[i]);
            ++i;
        }
    }
    return result;
}

AlignedText replaced(const AlignedText& text, const Pattern& pattern, std::u32string_view to, bool& gave_up) {
    AlignedText result;
    std::size_t done = 0;
    const auto keep_until = [&](std::size_t end) {
        for (; done < end; ++done) append(result, text.characters[done], text.origins[done]);
    };
    for (const CharacterRange& match : pattern.find(text.characters, gave_up)) {
        keep_until(match.begin);
        const bool is_inserted = match.begin == match.end;
        const std::size_t typed = match.begin == 0 ? 0 : text.origins[match.begin - 1].end;
        const Origin origin =
            is_inserted ? Origin{typed, typed} : joined_origin(text, match.begin, match.end);
        for (char32_t c : to) append(result, c, origin);
        done = match.end;
    }
    keep_until(text.characters.size());
    return result;
}

void prepend(AlignedText& text, std::u32string_view front) {
    if (text.characters.empty()) return;
    const std::size_t begin = text.origins.front().begin;
    text.characters.insert(0, front);
    text.origins.insert(text.origins.begin(), front.size(), {begin, begin});
}

void strip(AlignedText& text, bool left, bool right) {
    std::size_t begin = 0, end = text.characters.size();
    while (left && begin < end && is_space(text.characters[begin])) ++begin;
    while (right && begin < end && is_space(text.characters[end - 1])) --end;
    text = slice(text, begin, end);
}

// A whole grapheme becomes what any beginning of it stands for in the table; only where there is none, or the
// grapheme has six bytes or more, is it looked up character by character. So the library does it.
AlignedText mapped(const AlignedText& text, const Charsmap& charsmap) {
    constexpr std::size_t longest_grapheme = 5; // bytes
    AlignedText result;
    const std::u32string_view characters = text.characters;
    const auto map = [&](std::size_t begin, std::size_t end) {
        const std::string bytes = utf8(characters.substr(begin, end - begin));
        if (bytes.size() > longest_grapheme) return false;
        const Charsmap::Match match = charsmap.shortest(bytes);
        if (match.length == 0) return false;
        for (char32_t c : code_points(match.replacement)) append(result, c, joined_origin(text, begin, end));
        return true;
    };
    for (std::size_t begin = 0; begin < characters.size();) {
        const std::size_t end = grapheme_end(characters, begin);
        if (!map(begin, end))
            for (std::size_t i = begin; i < end; ++i)
                if (end - begin == 1 || !map(i, i + 1)) append(result, characters[i], text.origins[i]);
        begin = end;
    }
    return result;
}

template <class Keep>
AlignedText filtered(const AlignedText& text, Keep keep) {
    AlignedText result;
    for (std::size_t i = 0; i < text.characters.size(); ++i)
        if (keep(text.characters[i])) append(result, text.characters[i], text.origins[i]);
    return result;
}

AlignedText cleaned(const AlignedText& text) {
    AlignedText result = filtered(text, [](char32_t c) {
        const bool is_line_or_tab = c == '\t' || c == '\n' || c == '\r';
        return is_line_or_tab || !(c == 0 || c == 0xFFFD || (is_control(c) && !is_unassigned(c)));
    });
    for (char32_t& c : result.characters)
        if (is_space(c)) c = ' ';
    return result;
}

AlignedText with_spaced_ideographs(const AlignedText& text) {
    AlignedText result;
    for (std::size_t i = 0; i < text.characters.size(); ++i) {
        const bool is_spaced = is_ideograph(text.characters[i]);
        if (is_spaced) append(result, ' ', text.origins[i]);
        append(result, text.characters[i], text.origins[i]);
        if (is_spaced) append(result, ' ', text.origins[i]);
    }
    return result;
}

} // namespace

AlignedText aligned(std::string_view text, std::size_t offset) {
    AlignedText result;
    result.characters.reserve(text.size());
    result.origins.reserve(text.size());
    while (!text.empty()) {
        const CodePoint first = first_code_point(text);
        append(result, first.value, {offset, offset + first.bytes});
        text.remove_prefix(first.bytes);
        offset += first.bytes;
    }
    return result;
}

AlignedText slice(const AlignedText& text, std::size_t begin, std::size_t end) {
    return {text.characters.substr(begin, end - begin),
            {text.origins.begin() + std::ptrdiff_t(begin), text.origins.begin() + std::ptrdiff_t(end)}};
}

bool Normalization::operator==(const Normalization& other) const {
    const bool same_rules =
        sentencepiece == other.sentencepiece
        || (sentencepiece && other.sentencepiece && *sentencepiece == *other.sentencepiece);
    return kind == other.kind && from == other.from && to == other.to && pattern == other.pattern
           && left == other.left && right == other.right && charsmap == other.charsmap && same_rules;
}

void apply(const Normalization& step, AlignedText& text, bool& gave_up) {
    using Kind = Normalization::Kind;
    switch (step.kind) {
    case Kind::nfc:
        text = to_form(text, NormalForm::nfc);
        break;
    case Kind::nfd:
        text = to_form(text, NormalForm::nfd);
        break;
    case Kind::nfkc:
        text = to_form(text, NormalForm::nfkc);
        break;
    case Kind::nfkd:
        text = to_form(text, NormalForm::nfkd);
        break;
    case Kind::lowercase:
        text = to_lowercase(text);
        break;
    case Kind::strip_accents:
        text = filtered(text, [](char32_t c) { return !is_mark(c); });
        break;
    case Kind::replace:
        text = replaced(text, step.from, step.to);
        break;
    case Kind::replace_pattern:
        text = replaced(text, *step.pattern, step.to, gave_up);
        break;
    case Kind::prepend:
        prepend(text, step.to);
        break;
    case Kind::strip:
        strip(text, step.left, step.right);
        break;
    case Kind::clean_text:
        text = cleaned(text);
        break;
    case Kind::space_ideographs:
        text = with_spaced_ideographs(text);
        break;
    case Kind::bert_accents:
        text = filtered(to_form(text, NormalForm::nfd), [](char32_t c) { return !is_nonspacing_mark(c); });
        break;
    case Kind::charsmap:
        text = mapped(text, step.charsmap);
        break;
    case Kind::sentencepiece:
        text = normalized(text, *step.sentencepiece);
        break;
    }
}

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
