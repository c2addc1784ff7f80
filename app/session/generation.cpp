#include "app/session/generation.h"

#include "engine/model/transformer.h"
#include "engine/text/words.h"

#include <algorithm>

namespace headlight {

std::vector<TokenId> GenerationSettings::begun() const {
    if (branch < 1 || branch > Index(branches.size())) return {};
    return branches[std::size_t(branch - 1)];
}

void GenerationSettings::forget_words() {
    branches.clear();
    branch = pass = 0;
    opened = -1;
}

// --- its words
// ------------------------------------------------------------------------------------------------

AnswerSettings answer_settings(const GenerationSettings& settings, const ModelMap& map, Index most_words) {
    AnswerSettings answer;
    answer.goes_on = settings.is_endless && !map.source() && settings.method != GenerationMethod::beam;
    answer.most_words = most_words > 0 || !answer.goes_on ? most_words : map.target()->max_words();
    if (settings.method == GenerationMethod::draw) answer.sampling = settings.sampling;
    answer.seed = settings.seed;
    return answer;
}

std::vector<TokenId> fed_of_branch(const std::vector<TokenId>& begun, const AnswerSettings& settings,
                                   const Stream& target) {
    return settings.goes_on ? fed_of_texts(begun, target) : begun;
}

std::vector<SaidWord> said_by(const BeamTree& tree, Index best) {
    std::vector<SaidWord> said;
    for (const Index b : tree.path(best))
        said.push_back({tree.branches[std::size_t(b)].word, tree.branches[std::size_t(b)].log_probability});
    return said;
}

namespace {

std::vector<TokenId> ids_of(const std::vector<SaidWord>& said) {
    std::vector<TokenId> words;
    for (const SaidWord& word : said) words.push_back(word.word);
    return words;
}

bool opens_branch(const GenerationSettings& settings, const BeamTree& tree) {
    return settings.opened >= 0 && settings.opened < Index(tree.branches.size());
}

// Of the words that are said, an end included. `is_cut`: there would be more of them.
OwnWords fed_of(const std::vector<TokenId>& said, bool is_open, bool is_cut,
                const GenerationSettings& settings, const Stream& target) {
    OwnWords own;
    own.is_prefix = is_open || settings.pass > 0;
    const bool has_ended = !said.empty() && target.is_end(said.back());
    const std::size_t words = said.size() - (has_ended ? 1 : 0);
    // The pass that chooses word n was fed those before it.
    std::size_t fed = words;
    if (settings.pass > 0) fed = std::min(words, std::size_t(settings.pass - 1));
    if (fed == words && !has_ended && !is_open && is_cut && words > 0) {
        own.is_cut = own.is_prefix = true;
        --fed;
    }
    if (fed < said.size()) own.next = said[fed];
    own.words = fed_of_texts(std::span(said).first(fed), target); // of an endless one
    return own;
}

} // namespace

OwnWords own_words(Model& model, const std::vector<TokenId>& given, const GenerationSettings& settings,
                   Index most_multiplications, Index most_words) {
    const Stream& target = *model.map.target();
    const std::vector<TokenId> begun = settings.begun();
    if (settings.method == GenerationMethod::beam) {
        Beam searching = settings.beam();
        searching.most_multiplications = most_multiplications;
        searching.most_words = most_words;
        const BeamTree tree = grow_beams(model, given, searching);
        const std::vector<Index> ranked = tree.answers(settings.length_penalty);
        const bool is_open = opens_branch(settings, tree);
        std::vector<TokenId> said(begun.begin(), begun.begin() + tree.begun);
        if (is_open || !ranked.empty())
            for (const TokenId word : ids_of(said_by(tree, is_open ? settings.opened : ranked.front())))
                said.push_back(word);
        return fed_of(said, is_open, tree.is_cut || Index(said.size()) == most_words, settings, target);
    }
    AnswerSettings answering = answer_settings(settings, model.map, most_words);
    answering.most_multiplications = most_multiplications;
    Writing writing(model, given, fed_of_branch(begun, answering, target));
    if (settings.pass > 0)
        answering.most_words = std::min(settings.pass, writing.most_words(answering.most_words));
    const Answer answer = write_answer(writing, answering);
    const bool is_cut = answer.is_cut || Index(answer.said.size()) == most_words;
    return fed_of(ids_of(answer.said), false, is_cut, settings, target);
}

OwnWords own_words(const Generation& generation, const GenerationSettings& settings, const Stream& target) {
    const SaidAnswer& answer = generation.followed(settings);
    std::vector<TokenId> said;
    const bool is_open = generation.tree && opens_branch(settings, *generation.tree);
    if (is_open) {
        said.assign(answer.begun.begin(), answer.begun.end());
        for (const TokenId word : ids_of(said_by(*generation.tree, settings.opened))) said.push_back(word);
    } else {
        for (const SaidPlace& place : answer.places) said.push_back(place.said.word);
    }
    return fed_of(said, is_open, generation.cut_after > 0, settings, target);
}

const SaidAnswer& Generation::followed(const GenerationSettings& settings) const {
    const auto branch = std::size_t(std::max<Index>(settings.branch, 0));
    return answers[branch < answers.size() ? branch : 0];
}

} // namespace headlight
