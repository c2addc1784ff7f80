#include "engine/text/normalization.h"

#include "engine/base/check.h"
#include "engine/text/sentencepiece_normalization.h"
#include "engine/text/unicode.h"

namespace headlight {

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

} // namespace headlight
