#include "engine/text/normalization.h"

#include "engine/base/check.h"
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
        return is_line_or_tab || !(c == 0 || c == 0xFFFD || is_control(c));
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

void apply(const Normalization& step, AlignedText& text) {
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
    case Kind::clean_text:
        text = cleaned(text);
        break;
    case Kind::space_ideographs:
        text = with_spaced_ideographs(text);
        break;
    case Kind::bert_accents:
        text = filtered(to_form(text, NormalForm::nfd), [](char32_t c) { return !is_nonspacing_mark(c); });
        break;
    }
}

} // namespace headlight
