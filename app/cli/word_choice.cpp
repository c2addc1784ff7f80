#include "app/cli/word_choice.h"

#include "engine/io/json_reader.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <numeric>

namespace headlight {

namespace {

constexpr std::size_t alternatives_told = 5;

// The most probable words, the best first; of equals the first.
JsonTree most_probable_words(std::span<const Real> logits, const Tokenizer& tokenizer) {
    std::vector<TokenId> order(logits.size());
    std::iota(order.begin(), order.end(), TokenId(0));
    const std::size_t count = std::min(alternatives_told, order.size());
    std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(count), order.end(),
                      [&](TokenId a, TokenId b) {
                          const Real x = logits[std::size_t(a)], y = logits[std::size_t(b)];
                          return x != y ? x > y : a < b;
                      });
    JsonTree words = JsonTree::list();
    for (std::size_t i = 0; i < count; ++i)
        words.push_back(JsonTree{{"token", token_label(tokenizer, order[i])},
                                 {"log_probability", log_probability_of(logits, order[i])}});
    return words;
}

} // namespace

void WordChoice::declare(CLI::App& app, const Strings& strings) {
    const auto option = [&](const char* name, Typed& typed, const char* key, const char* kind) {
        app.add_option(name, typed, strings.text(std::string("cli.translate.") + key))->type_name(kind);
    };
    option("--beam", typed_beam_, "beam", "K");
    option("--length-penalty", typed_penalty_, "length_penalty", "F");
    option("--n-best", typed_n_best_, "n_best", "N");
    option("--temperature", typed_temperature_, "temperature", "F");
    option("--top-k", typed_top_k_, "top_k", "N");
    option("--top-p", typed_top_p_, "top_p", "F");
    option("--seed", typed_seed_, "seed", "N");
    option("--samples", typed_samples_, "samples", "N");
    app.add_flag("--json", json_, strings.text("cli.translate.json"));
}

void WordChoice::read(ArgumentReader& reader) {
    reader.read("--beam", typed_beam_, beam_.width, 1, 64);
    reader.read("--length-penalty", typed_penalty_, beam_.length_penalty, 0, 10);
    reader.read("--n-best", typed_n_best_, n_best_, 1, 64);
    reader.read("--temperature", typed_temperature_, sampling_.temperature, 0, 1000);
    reader.read("--top-k", typed_top_k_, sampling_.top_k, 0, 1'000'000);
    reader.read("--top-p", typed_top_p_, sampling_.top_p, 0, 1);
    reader.read("--seed", typed_seed_, seed_);
    reader.read("--samples", typed_samples_, samples_, 1, 100'000);
    const bool searches = typed_beam_ || typed_penalty_ || typed_n_best_;
    if (searches && draws()) {
        const char* drawing = typed_temperature_ ? "--temperature"
                              : typed_top_k_     ? "--top-k"
                              : typed_top_p_     ? "--top-p"
                              : typed_seed_      ? "--seed"
                                                 : "--samples";
        reader.exclude(typed_beam_ ? "--beam" : typed_penalty_ ? "--length-penalty" : "--n-best", drawing);
    }
    beam_.width = std::max(beam_.width, n_best_); // so many answers want as many beginnings
}

const char* WordChoice::asked_of_writer() const {
    return typed_beam_      ? "--beam"
           : typed_penalty_ ? "--length-penalty"
           : typed_n_best_  ? "--n-best"
           : draws()        ? "--samples"
           : json_          ? "--json"
                            : nullptr;
}

std::vector<ChosenAnswer> WordChoice::answers(Model& model, const std::vector<TokenId>& given,
                                              const std::atomic<bool>& stop) const {
    std::vector<ChosenAnswer> answers;
    const Stream& target = *model.map.target();
    if (beam_.width > 1) {
        Beam beam = beam_;
        beam.stop = &stop;
        const BeamTree tree = grow_beams(model, given, beam);
        for (const Index best : tree.answers(beam_.length_penalty)) {
            if (Index(answers.size()) == n_best_) break;
            ChosenAnswer answer;
            answer.words = words_of(tree, best, target);
            for (const Index b : tree.path(best))
                answer.said.push_back(
                    {tree.branches[std::size_t(b)].word, tree.branches[std::size_t(b)].log_probability});
            answer.has_ended = target.is_end(answer.said.back().word);
            answer.score = tree.score(best, beam_.length_penalty);
            answers.push_back(std::move(answer));
        }
        return answers;
    }
    for (Index i = 0; i < samples_ && (i == 0 || !stop); ++i) {
        Writing writing(model, given);
        AnswerSettings settings;
        settings.stop = &stop;
        if (draws()) settings.sampling = sampling_;
        settings.seed = seed_ + std::uint64_t(i);
        const Answer said = write_answer(writing, settings);
        answers.push_back({said.words(), said.said, said.has_ended, {}});
    }
    return answers;
}

std::string WordChoice::json(const ModelFiles& files, Model& model, const std::string& sentence,
                             const std::vector<TokenId>& given, const ChosenAnswer& answer) const {
    JsonTree tokens = JsonTree::list(), ids = tokens, probabilities = tokens, alternatives = tokens;
    double sum = 0;
    if (!answer.said.empty()) {
        // Fed all but the last word at once: the logits of each word's place.
        std::vector<TokenId> fed;
        for (const SaidWord& word : answer.said) fed.push_back(word.word);
        fed.pop_back();
        const Writing writing(model, given, fed);
        for (std::size_t i = 0; i < answer.said.size(); ++i)
            alternatives.push_back(
                most_probable_words(writing.logits_before(Index(answer.said.size() - 1 - i)), files.target));
    }
    for (const SaidWord& word : answer.said) {
        tokens.push_back(token_label(files.target, word.word));
        ids.push_back(word.word);
        probabilities.push_back(word.log_probability);
        sum += word.log_probability;
    }
    JsonTree object{{"source", sentence},
                    {"text", files.target.decode(answer.words)},
                    {"tokens", tokens},
                    {"ids", ids},
                    {"log_probabilities", probabilities},
                    {"log_probability", sum},
                    {"ended", answer.has_ended},
                    {"alternatives", alternatives}};
    if (answer.score) object["score"] = *answer.score;
    return object.text();
}

} // namespace headlight
