// What is promised of the shipped models of one stack: gloss, sentiment, next-word.
#include "engine/decode/writing.h"
#include "engine/inspect/heads.h"
#include "engine/inspect/sweep.h"
#include "engine/io/model_folder.h"
#include "engine/ops/leaves.h"
#include "engine/task/task.h"
#include "engine/train/evaluate.h"
#include "tests/support/explanation_check.h"
#include "tests/support/soak.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace headlight;
namespace fs = std::filesystem;

namespace {

const fs::path shipped_assets = fs::path(HEADLIGHT_SOURCE_DIR) / "assets";
const std::vector<std::string> one_stack_models = {"gloss", "sentiment", "next-word"}; // and their tasks

std::unique_ptr<Task> task_of(const std::string& name) {
    auto task = make_task(name, shipped_assets.string());
    REQUIRE(task);
    return *std::move(task);
}

std::vector<std::string> lines_in(const fs::path& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

struct OneStack {
    ModelFiles files;
    std::unique_ptr<Model> model;

    explicit OneStack(const std::string& name, bool loss = false) {
        Result<ModelFiles> read = read_model_folder(shipped_assets / "models" / name);
        REQUIRE_MESSAGE(read, name);
        files = *std::move(read);
        model = files.build(files.parameters, {.loss = loss});
    }
    std::vector<TokenId> given(const std::string& text) const {
        return as_given(model->map, files.source.encode_ids(text));
    }
    std::string answer(const std::string& text) const {
        const std::vector<TokenId> said = most_probable_answer(*model, given(text));
        return files.config.sorts() ? files.config.labels[std::size_t(said.front())]
                                    : files.target.decode(said);
    }
    double probability(const std::string& text, Index row, const std::string& word) {
        answer(text);
        return watched(*model, row, *files.target.vocabulary().find(word), SweepMeasure::probability);
    }
};

// A held-out sentence with "it", and the nouns that it may mean, of unlike genders.
struct Pronoun {
    std::string text, wanted; // "ele" or "ela"
    Index it, right, other;   // places: of "it", of the noun that is meant, of the other
};

std::vector<Pronoun> pronouns(const ModelFiles& gloss) {
    const auto is_feminine = [](const std::string& word) {
        return word == "A" || word == "a" || word == "na" || word == "ela";
    };
    const auto task = task_of("gloss");
    std::vector<Pronoun> found;
    for (const SentencePair& pair : task->held_out()) {
        const auto words = gloss.source.encode(pair.source), glosses = gloss.target.encode(pair.target);
        const auto because = std::find_if(words.begin(), words.end(),
                                          [](const Piece& word) { return word.text == "because"; });
        if (because == words.end()) continue;
        const Index second = because - words.begin() - 1, it = second + 2;
        const std::string wanted = glosses[std::size_t(it)].text;
        const bool first = is_feminine(glosses[0].text);
        if (first == is_feminine(glosses[std::size_t(second - 1)].text)) continue;
        const bool means_first = first == is_feminine(wanted);
        found.push_back({pair.source, wanted, it, means_first ? 1 : second, means_first ? second : 1});
    }
    return found;
}

} // namespace

TEST_CASE("each shipped model of one stack is small, and its command and examples stand beside it") {
    for (const std::string& name : one_stack_models) {
        CAPTURE(name);
        const fs::path folder = shipped_assets / "models" / name;
        std::uintmax_t bytes = 0;
        for (const auto& entry : fs::directory_iterator(folder)) bytes += fs::file_size(entry.path());
        CHECK(bytes < 3'000'000);
        const std::vector<std::string> command = lines_in(folder / "command.txt");
        REQUIRE(command.size() == 1);
        CHECK(command[0].starts_with("headlight train --task " + name));
        CHECK(lines_in(folder / "examples.txt").size() >= 5);
    }
}

TEST_CASE("each shipped model of one stack is right on at least 95 of 100 held-out pairs") {
    Workers workers(2);
    for (const std::string& name : one_stack_models) {
        CAPTURE(name);
        OneStack shipped(name);
        const auto task = task_of(name);
        const EncodedTask encoded(*task, {shipped.files.source, shipped.files.target}, shipped.files.config);
        CHECK(encoded.unknown_words() == 0);
        CHECK(Evaluator(shipped.files.config, shipped.files.parameters)
                  .evaluate(encoded.held_out(), workers)
                  .exact_match
              >= 0.95);
    }
}

TEST_CASE("it is glossed where it stands, by the last word of the sentence") {
    OneStack gloss("gloss");
    CHECK(gloss.answer("The animal didn't cross the street because it was too tired")
          == "O animal não atravessou a rua porque ele estava demais cansado");
    CHECK(gloss.answer("The animal didn't cross the street because it was too wide")
          == "O animal não atravessou a rua porque ela era demais larga");
    CHECK(gloss.answer("The man slept on the bank of the river") == "O homem dormiu na – margem do – rio");
    CHECK(gloss.answer("The man worked at the bank") == "O homem trabalhou no – banco");
}

TEST_CASE("a head of the last layer looks from it to the noun that is meant; without it the word changes") {
    OneStack gloss("gloss");
    const Index heads = gloss.files.config.num_heads;
    const Attention& last = gloss.model->map.attentions.back();
    std::vector<double> right(std::size_t(heads), 0), other = right, changed = right;
    const std::vector<Pronoun> all = pronouns(gloss.files);
    REQUIRE(all.size() >= 50);
    const SweepPlan plan = plan_silenced_heads(gloss.model->map);
    Index correct = 0;
    for (const Pronoun& pronoun : all) {
        const auto says = [&] { return gloss.probability(pronoun.text, pronoun.it, pronoun.wanted) > 0.5; };
        correct += says();
        for (Index h = 0; h < heads; ++h) {
            right[std::size_t(h)] += last.weights->value(h, pronoun.it, pronoun.right) / double(all.size());
            other[std::size_t(h)] += last.weights->value(h, pronoun.it, pronoun.other) / double(all.size());
        }
        for (const SweepTrial& trial : plan.trials) {
            if (plan.rows[std::size_t(trial.row)] != last.path) continue;
            gloss.model->graph.set_edits(trial.edits);
            changed[std::size_t(trial.column)] += says() ? 0 : 1 / double(all.size());
        }
        gloss.model->graph.set_edits({});
    }
    CHECK(double(correct) >= 0.97 * double(all.size()));
    bool is_there = false;
    for (std::size_t h = 0; h < std::size_t(heads); ++h) {
        INFO("head ", h, ": right ", right[h], ", other ", other[h], ", changed ", changed[h]);
        is_there = is_there || (right[h] > 0.36 && other[h] < 0.04 && changed[h] > 0.3);
    }
    CHECK(is_there);
}

TEST_CASE("sentiment turns round with a not, in either language, and the word that turns it moves it") {
    OneStack sentiment("sentiment");
    CHECK(sentiment.answer("The film was boring") == "negative");
    CHECK(sentiment.answer("The film was not boring") == "positive");
    CHECK(sentiment.answer("O filme foi maravilhoso") == "positive");
    CHECK(sentiment.answer("O filme não foi maravilhoso") == "negative");
    CHECK(sentiment.answer("The film was long, but wonderful") == "positive");
    const std::vector<TokenId> given = sentiment.given("the film was not boring");
    sentiment.answer("the film was not boring");
    const double whole = watched(*sentiment.model, 0, 1, SweepMeasure::probability);
    const std::vector<double> without =
        watch_silenced_words(*sentiment.model, given, sentiment.files.config.pad_id, {0, 1});
    CHECK(without[3] < 0.5);
    CHECK(whole > 0.8);
    for (const std::size_t small : {0, 2}) CHECK(std::abs(whole - without[small]) < 0.2);
}

TEST_CASE(
    "the clouds are in the sky, and who grew up in Germany speaks German; a tired animal or a wide street") {
    OneStack next("next-word");
    CHECK(next.answer("The clouds are in the") == "sky.");
    CHECK(next.answer("I grew up in Germany, so I speak fluent") == "german.");
    const std::string open = "The animal didn't cross the street because it was too";
    const auto probability = [&](const std::string& word) {
        std::vector<TokenId> fed = next.given(open);
        fed.insert(fed.begin(), next.files.config.bos_id);
        feed(next.model->map.target()->tokens, fed, 1, Index(fed.size()));
        next.model->graph.forward();
        return watched(*next.model, Index(fed.size()) - 1, *next.files.target.vocabulary().find(word),
                       SweepMeasure::probability);
    };
    CHECK(probability("tired") > 0.02);
    CHECK(probability("wide") > 0.02);
    CHECK(probability("sky") < 0.02);
}

TEST_CASE("every cell and every gradient of the shipped models of one stack is what its explanation says") {
    for (const std::string& name : one_stack_models) {
        CAPTURE(name);
        OneStack shipped(name, true);
        const std::string example = lines_in(shipped_assets / "models" / name / "examples.txt").front();
        std::vector<TokenId> ids = shipped.given(example), goal = ids;
        if (!shipped.files.config.has_encoder())
            ids.insert(ids.begin(), shipped.files.config.bos_id), ids.pop_back();
        if (shipped.files.config.has_encoder()) goal.assign(shipped.files.config.sorts() ? 1 : ids.size(), 1);
        feed(shipped.model->map.streams.front().tokens, ids, 1, Index(ids.size()));
        feed(shipped.model->map.output.goal, goal, 1, Index(goal.size()));
        shipped.model->graph.forward();
        shipped.model->graph.backward(shipped.model->map.output.loss);
        CHECK(test::unexplained_cell(shipped.model->graph, test::sampled_cells()) == "");
        CHECK(test::unexplained_gradient(shipped.model->graph, test::sampled_cells()) == "");
    }
}
