#include "app/cli/head_table.h"

#include "engine/decode/writing.h"
#include "engine/io/json_reader.h"
#include "engine/task/plain_text.h"
#include "engine/task/tasks.h"
#include "engine/text/unicode.h"
#include "engine/text/words.h"
#include "engine/train/evaluate.h"

#include <algorithm>
#include <array>

namespace headlight {

namespace {

constexpr std::size_t most_sentences = 100; // and as many again with pronouns
constexpr std::uint64_t most_drawn = 3000;  // to find these among

// A word of `one` turns where the other answer has that of `other` in its place.
struct Gendered {
    std::string_view one, other;
};
constexpr std::array<Gendered, 8> gendered = {{{"ele", "ela"},
                                               {"eles", "elas"},
                                               {"dele", "dela"},
                                               {"deles", "delas"},
                                               {"nele", "nela"},
                                               {"neles", "nelas"},
                                               {"he", "she"},
                                               {"him", "her"}}};

// +k and −k: the two words of the k-th of `gendered`, in the order of the text.
std::vector<int> genders_in(const std::string& text) {
    std::vector<int> found;
    for (const TypedRange& range : gloss_words(text)) {
        const std::string word = lowercase(text.substr(range.begin, range.end - range.begin));
        for (std::size_t k = 0; k < gendered.size(); ++k)
            if (word == gendered[k].one || word == gendered[k].other)
                found.push_back(word == gendered[k].one ? int(k) + 1 : -int(k) - 1);
    }
    return found;
}

bool has_turned(const std::vector<int>& before, const std::vector<int>& now) {
    for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i)
        if (before[i] == -now[i]) return true;
    return false;
}

// What has no gender of its own in English.
bool leaves_gender_open(const std::string& source) {
    for (const TypedRange& range : gloss_words(source)) {
        const std::string word = lowercase(source.substr(range.begin, range.end - range.begin));
        if (word == "it" || word == "they" || word == "them") return true;
    }
    return false;
}

// The pieces that a place of the text is cut into: from the first to the one behind the last.
std::pair<Index, Index> pieces_at(const std::vector<Piece>& pieces, const TypedRange& place) {
    const auto first =
        std::find_if(pieces.begin(), pieces.end(), [&](const Piece& p) { return p.typed.end > place.begin; });
    const auto last =
        std::find_if(first, pieces.end(), [&](const Piece& p) { return p.typed.begin >= place.end; });
    return {Index(first - pieces.begin()), Index(last - pieces.begin())};
}

std::vector<SilencedSentence::Same> same_words(const WordGlosser& glosser, const ModelFiles& files,
                                               const SentencePair& pair, bool from_english) {
    std::vector<SilencedSentence::Same> same;
    const std::string& english = from_english ? pair.source : pair.target;
    const auto places = glosser.align(english, from_english ? pair.target : pair.source);
    if (!places) return same;
    const std::vector<TypedRange> words = gloss_words(english);
    const std::vector<Piece> read = files.source.encode(pair.source), said = files.target.encode(pair.target);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if ((*places)[i].size() != 1) continue;
        const TypedRange& other = (*places)[i].front();
        const auto [first, end] = pieces_at(read, from_english ? words[i] : other);
        same.push_back({pieces_at(said, from_english ? other : words[i]).first, first, end});
    }
    return same;
}

} // namespace

Result<Done> print_head_table(Terminal& terminal, ModelFiles& files, const Task& task,
                              const std::string& assets) {
    const auto model = build_model(files.config, files.family.get(), files.parameters, {.loss = true});
    const bool translates = task.name().ends_with("en-pt") || task.name().ends_with("pt-en");
    std::optional<WordGlosser> glosser;
    if (translates) {
        Result<WordGlosser> opened = WordGlosser::open(assets);
        if (!opened) return opened.error();
        glosser = *std::move(opened);
    }
    std::vector<SilencedSentence> sentences;
    std::vector<std::vector<int>> genders; // of the answer as it is, where English leaves it open
    std::size_t counted = 0, open = 0;
    const auto add = [&](const SentencePair& pair, bool counts) -> Result<Done> {
        const bool asks = open < most_sentences && leaves_gender_open(pair.source);
        if (!counts && !asks) return Done{};
        Result<EncodedPair> encoded =
            encode_pair(pair, {files.source, files.target}, files.config, task.target_ends());
        if (!encoded) return encoded.error();
        SilencedSentence sentence{*std::move(encoded)};
        sentence.counts = counts;
        std::vector<int> said;
        if (asks) said = genders_in(files.target.decode(most_probable_answer(*model, sentence.pair.source)));
        if (!counts && said.empty()) return Done{};
        if (counts && glosser)
            sentence.same = same_words(*glosser, files, pair, task.name().ends_with("en-pt"));
        counted += counts;
        open += !said.empty();
        sentences.push_back(std::move(sentence));
        genders.push_back(std::move(said));
        return Done{};
    };
    for (const SentencePair& pair : task.held_out())
        if (const Result<Done> added = add(pair, counted < most_sentences); !added) return added.error();
    // Where too few of them have pronouns, others that the task draws.
    for (std::uint64_t i = 0; i < most_drawn && open < most_sentences; ++i) {
        Random random({0x5e47e4ce, i});
        if (const Result<Done> added = add(task.sample(random), false); !added) return added.error();
    }
    const auto turns = [&](std::size_t i, const std::vector<TokenId>&, const std::vector<TokenId>& without) {
        return !genders[i].empty() && has_turned(genders[i], genders_in(files.target.decode(without)));
    };
    silence_heads(*model, files.config, sentences, turns, [&](const SilencedHead& head) {
        const std::vector<std::string_view> path = split_at(head.attention, '.'); // decoder.0.cross_attn
        const Result<long> layer = path.size() == 3 ? whole_number_of(std::string(path[1])) : 0;
        JsonTree line{
            {"layer", layer ? *layer : 0},
            {"kind", path.size() == 3 ? std::string(path[0]) + "." + std::string(path[2]) : head.attention},
            {"head", head.head},
            {"answers_changed", head.answers_changed},
            {"loss_change", head.loss_change},
            {"sentences", Index(counted)},
            {"turned", head.turned},
            {"pronouns", Index(open)}};
        if (head.aligned) line["aligned"] = *head.aligned;
        return terminal.print(line.text());
    });
    return Done{};
}

} // namespace headlight
