#include "engine/text/pre_tokenizer.h"

#include "engine/text/bpe.h"
#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

namespace {

struct Place {
    CharacterRange range;
    bool found; // by the pattern; else it stands between
};

// All of `word`: the places found, and what stands between them.
std::vector<Place> places_of(CharacterRange word, const std::vector<CharacterRange>& found, bool invert) {
    std::vector<Place> places;
    std::size_t at = word.begin;
    for (const CharacterRange& range : found) {
        if (at < range.begin) places.push_back({{at, range.begin}, invert});
        places.push_back({range, !invert});
        at = range.end;
    }
    if (at < word.end) places.push_back({{at, word.end}, invert});
    return places;
}

void append_words(const std::vector<Place>& places, SplitBehavior behavior,
                  std::vector<CharacterRange>& words) {
    const std::size_t first = words.size();
    bool was_found = false;
    const auto join_or_add = [&](bool joins, const Place& place) {
        if (joins && words.size() > first)
            words.back().end = place.range.end;
        else
            words.push_back(place.range);
        was_found = place.found;
    };
    switch (behavior) {
    case SplitBehavior::removed:
        for (const Place& place : places)
            if (!place.found) words.push_back(place.range);
        break;
    case SplitBehavior::isolated:
        for (const Place& place : places) words.push_back(place.range);
        break;
    case SplitBehavior::contiguous:
        for (const Place& place : places) join_or_add(place.found == was_found, place);
        break;
    case SplitBehavior::merged_with_previous:
        for (const Place& place : places) join_or_add(place.found && !was_found, place);
        break;
    case SplitBehavior::merged_with_next: // of places that touch, the last one
        for (std::size_t i = 0; i < places.size(); ++i) {
            const bool joins = i > 0 && places[i - 1].found && !places[i].found;
            join_or_add(joins, places[i]);
        }
        break;
    }
}

bool is_in(ClassSplit::Of of, char32_t c) {
    switch (of) {
    case ClassSplit::Of::digits:
        return is_numeric(c);
    case ClassSplit::Of::punctuation:
        return is_punctuation(c);
    case ClassSplit::Of::white_space:
        return is_space(c);
    }
    return false;
}

// One step after another on the same text.
class Cutter {
public:
    Cutter(CutText& cut, bool begins, bool& gave_up) : cut_(cut), begins_(begins), gave_up_(gave_up) {}

    void operator()(Splitting step) { cut_.words = split(cut_.text.characters, cut_.words, step); }

    void operator()(const PatternSplit& step) {
        for_each_word([&](CharacterRange word, std::vector<CharacterRange>& finer) {
            append_words(places_of(word, found_in(word, step.pattern), step.invert), step.behavior, finer);
        });
    }

    void operator()(const ClassSplit& step) {
        for_each_word([&](CharacterRange word, std::vector<CharacterRange>& finer) {
            std::vector<CharacterRange> found;
            for (std::size_t i = word.begin; i < word.end; ++i)
                if (is_in(step.of, cut_.text.characters[i])) found.push_back({i, i + 1});
            append_words(places_of(word, found, false), step.behavior, finer);
        });
    }

    void operator()(const ByteLevel& step) {
        rewrite([&](CharacterRange word, AlignedText& to) {
            if (step.add_prefix_space && cut_.text.characters[word.begin] != U' ')
                put_in_front(U' ', word, to);
            copy(word, to);
        });
        if (step.pattern) (*this)(PatternSplit{*step.pattern, SplitBehavior::isolated, false});
        rewrite([&](CharacterRange word, AlignedText& to) {
            for (std::size_t i = word.begin; i < word.end; ++i) append_bytes(i, to);
        });
    }

    void operator()(const Metaspace& step) {
        using Prepend = Metaspace::Prepend;
        rewrite([&](CharacterRange word, AlignedText& to) {
            const char32_t first = cut_.text.characters[word.begin];
            const bool wanted = step.prepend == Prepend::always
                                || (step.prepend == Prepend::first && begins_ && word.begin == 0);
            if (wanted && first != step.replacement && first != U' ')
                put_in_front(step.replacement, word, to);
            const std::size_t begin = to.characters.size();
            copy(word, to);
            std::replace(to.characters.begin() + std::ptrdiff_t(begin), to.characters.end(), U' ',
                         step.replacement);
        });
        if (!step.split) return;
        for_each_word([&](CharacterRange word, std::vector<CharacterRange>& finer) {
            std::vector<CharacterRange> found;
            for (std::size_t i = word.begin; i < word.end; ++i)
                if (cut_.text.characters[i] == step.replacement) found.push_back({i, i + 1});
            append_words(places_of(word, found, false), SplitBehavior::merged_with_next, finer);
        });
    }

private:
    std::vector<CharacterRange> found_in(CharacterRange word, const Pattern& pattern) {
        const std::u32string_view all = cut_.text.characters;
        std::vector<CharacterRange> found =
            pattern.find(all.substr(word.begin, word.end - word.begin), gave_up_);
        for (CharacterRange& range : found) range = {range.begin + word.begin, range.end + word.begin};
        return found;
    }

    template <class Step>
    void for_each_word(Step step) {
        std::vector<CharacterRange> finer;
        for (const CharacterRange& word : cut_.words) step(word, finer);
        std::erase_if(finer, [](const CharacterRange& range) { return range.begin == range.end; });
        cut_.words = std::move(finer);
    }

    // The text anew, word by word; what stood between words is gone.
    template <class Write>
    void rewrite(Write write) {
        CutText anew;
        for (const CharacterRange& word : cut_.words) {
            const std::size_t begin = anew.text.characters.size();
            write(word, anew.text);
            anew.words.push_back({begin, anew.text.characters.size()});
        }
        cut_ = std::move(anew);
    }

    void copy(CharacterRange word, AlignedText& to) const {
        to.characters.append(cut_.text.characters, word.begin, word.end - word.begin);
        to.origins.insert(to.origins.end(), cut_.text.origins.begin() + std::ptrdiff_t(word.begin),
                          cut_.text.origins.begin() + std::ptrdiff_t(word.end));
    }
    void put_in_front(char32_t character, CharacterRange word, AlignedText& to) const {
        const std::size_t begin = cut_.text.origins[word.begin].begin;
        to.characters.push_back(character);
        to.origins.push_back({begin, begin});
    }
    // A character that stands as it was typed gives each of its bytes its own place there.
    void append_bytes(std::size_t i, AlignedText& to) const {
        std::string bytes;
        append_utf8(bytes, cut_.text.characters[i]);
        const AlignedText::Origin origin = cut_.text.origins[i];
        const bool as_typed = origin.end - origin.begin == bytes.size();
        for (std::size_t k = 0; k < bytes.size(); ++k) {
            to.characters.push_back(byte_character(static_cast<unsigned char>(bytes[k])));
            to.origins.push_back(as_typed ? AlignedText::Origin{origin.begin + k, origin.begin + k + 1}
                                          : origin);
        }
    }

    CutText& cut_;
    bool begins_;
    bool& gave_up_;
};

} // namespace

CutText cut_words(AlignedText text, const std::vector<PreTokenization>& steps, bool begins, bool& gave_up) {
    CutText cut{std::move(text), {}};
    if (!cut.text.characters.empty()) cut.words.push_back({0, cut.text.characters.size()});
    Cutter cutter(cut, begins, gave_up);
    for (const PreTokenization& step : steps) std::visit(cutter, step);
    return cut;
}

} // namespace headlight
