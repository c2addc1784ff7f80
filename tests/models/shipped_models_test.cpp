// What is promised of the models under assets/models.
#include "engine/decode/writing.h"
#include "engine/inspect/sweep.h"
#include "engine/io/model_folder.h"
#include "engine/model/transformer.h"
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

const fs::path assets = fs::path(HEADLIGHT_SOURCE_DIR) / "assets";

struct Shipped {
    std::string folder, task;
};
const std::vector<Shipped> shipped = {
    {"copy", "copy"}, {"reverse", "reverse"}, {"translate-en-pt", "en-pt"}, {"translate-pt-en", "pt-en"}};

ModelFiles open(const std::string& folder) {
    Result<ModelFiles> files = read_model_folder(assets / "models" / folder);
    REQUIRE_MESSAGE(files, (files ? "" : files.error().key));
    return *std::move(files);
}

std::vector<TokenId> said_to(ModelFiles& model, Model& graph, const std::string& text) {
    return greedy_decode(graph, encode_with_end(model.source, text, model.config.eos_id));
}

std::string answer(ModelFiles& model, Model& graph, const std::string& text) {
    return model.target.decode(said_to(model, graph, text));
}

std::vector<std::string> lines_of(const fs::path& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

std::vector<std::string> examples_and_held_out(const Shipped& s) {
    std::vector<std::string> texts = lines_of(assets / "models" / s.folder / "examples.txt");
    const Result<std::unique_ptr<Task>> task = make_task(s.task, assets.string());
    REQUIRE(task);
    for (std::size_t i = 0; i < 100; ++i) texts.push_back((*task)->held_out()[i].source);
    return texts;
}

} // namespace

TEST_CASE("each shipped model is small, and its command and examples stand beside it") {
    for (const Shipped& s : shipped) {
        CAPTURE(s.folder);
        const fs::path folder = assets / "models" / s.folder;
        std::uintmax_t bytes = 0;
        for (const auto& entry : fs::directory_iterator(folder)) bytes += fs::file_size(entry.path());
        CHECK(bytes < 3'000'000);
        const std::vector<std::string> command = lines_of(folder / "command.txt");
        REQUIRE(command.size() == 1);
        CHECK(command[0].starts_with("headlight train --task " + s.task));
        CHECK(lines_of(folder / "examples.txt").size() >= 5);
    }
}

TEST_CASE("each shipped model answers at least 99 of 100 held-out pairs exactly") {
    Workers workers(2);
    for (const Shipped& s : shipped) {
        CAPTURE(s.folder);
        ModelFiles model = open(s.folder);
        const Result<std::unique_ptr<Task>> task = make_task(s.task, assets.string());
        REQUIRE(task);
        const EncodedTask encoded(**task, {model.source, model.target}, model.config);
        CHECK(encoded.unknown_words() == 0);
        const Evaluation judged =
            Evaluator(model.config, model.parameters).evaluate(encoded.held_out(), workers);
        CHECK(judged.pairs >= 400);
        CHECK(judged.exact_match >= 0.99);
    }
}

TEST_CASE("the shipped models doubt: of the words that they say, half have a probability below 0.98") {
    for (const Shipped& s : shipped) {
        CAPTURE(s.folder);
        ModelFiles model = open(s.folder);
        const auto graph = build_transformer(model.config, model.parameters);
        std::vector<Real> probabilities;
        for (const std::string& text : examples_and_held_out(s)) {
            const std::vector<TokenId> said = said_to(model, *graph, text);
            for (std::size_t t = 0; t < said.size(); ++t)
                probabilities.push_back(graph->map.output.probabilities->value(0, Index(t), said[t]));
        }
        const auto middle = probabilities.begin() + std::ptrdiff_t(probabilities.size() / 2);
        std::nth_element(probabilities.begin(), middle, probabilities.end());
        CHECK(*middle < Real(0.98));
    }
}

// Silenced alone, a head that matters changes a word of what is said to some sentence.
TEST_CASE("more than half of the heads of each shipped model matter") {
    for (const Shipped& s : shipped) {
        CAPTURE(s.folder);
        ModelFiles model = open(s.folder);
        const auto graph = build_transformer(model.config, model.parameters);
        std::vector<SweepTrial> heads = plan_silenced_heads(graph->map).trials;
        const std::size_t all = heads.size();
        for (const std::string& text : examples_and_held_out(s)) {
            std::vector<TokenId> said = said_to(model, *graph, text); // and is fed now
            said.push_back(model.config.eos_id);
            std::erase_if(heads, [&](const SweepTrial& head) {
                graph->graph.set_edits(head.edits);
                graph->graph.forward();
                const Tensor& logits = graph->map.output.values->value;
                for (std::size_t t = 0; t < said.size(); ++t) {
                    const Real* row = logits.row(0, Index(t));
                    if (std::max_element(row, row + logits.columns()) - row != said[t]) return true;
                }
                return false;
            });
            graph->graph.set_edits({});
        }
        CHECK(2 * heads.size() < all);
    }
}

TEST_CASE("one teacher-forced pass and greedy decoding agree on which held-out pairs are exact") {
    ModelFiles model = open("reverse");
    const Result<std::unique_ptr<Task>> task = make_task("reverse", assets.string());
    REQUIRE(task);
    const EncodedTask encoded(**task, {model.source, model.target}, model.config);
    const std::unique_ptr<Model> graph = build_transformer(model.config, model.parameters);
    Workers workers(1);
    Evaluator evaluator(model.config, model.parameters, 1);
    for (std::size_t i = 0; i < 100; ++i) {
        const EncodedPair& pair = encoded.held_out()[i];
        std::vector<TokenId> said = greedy_decode(*graph, pair.source);
        said.push_back(model.config.eos_id);
        CHECK((evaluator.evaluate({&pair, 1}, workers).exact_match == 1) == (said == pair.target));
    }
}

TEST_CASE("the classroom's sentences come out word for word") {
    ModelFiles english = open("translate-en-pt");
    const auto to_portuguese = build_transformer(english.config, english.parameters);
    const auto pt = [&](const std::string& text) { return answer(english, *to_portuguese, text); };
    CHECK(pt("The animal didn't cross the street because it was too tired")
          == "O animal não atravessou a rua porque ele estava cansado demais");
    CHECK(pt("The animal didn't cross the street because it was too wide")
          == "O animal não atravessou a rua porque ela era larga demais");
    CHECK(pt("You are welcome") == "De nada");
    CHECK(pt("I am fine") == "Eu estou bem");
    CHECK(pt("I grew up in Germany, so I speak fluent German")
          == "Eu cresci na Alemanha, então eu falo alemão fluente");

    ModelFiles portuguese = open("translate-pt-en");
    const auto to_english = build_transformer(portuguese.config, portuguese.parameters);
    const auto en = [&](const std::string& text) { return answer(portuguese, *to_english, text); };
    CHECK(en("Eu gosto de comer manga") == "I like to eat mango");
    CHECK(en("Ele pediu para a costureira cortar a manga") == "He asked the seamstress to cut the sleeve");
    CHECK(en("O rato roeu a roupa do rei de Roma") == "The rat gnawed the clothes of the king of Rome");
}

TEST_CASE("copy and reverse work on any typed word up to 24 characters") {
    ModelFiles copy = open("copy"), reverse = open("reverse");
    const auto copies = build_transformer(copy.config, copy.parameters);
    const auto reverses = build_transformer(reverse.config, reverse.parameters);
    for (const std::string text :
         {"a", "Headlight", "coração", "São Paulo 1985", "Attention is all you", "jabuticaba",
          "mnemonicamente", "0123456789", "guarda-chuva", "paralelepípedo"}) {
        CAPTURE(text);
        const std::vector<TokenId> ids = reverse.source.encode_ids(text);
        CHECK(answer(copy, *copies, text) == text);
        CHECK(reverse.target.encode_ids(answer(reverse, *reverses, text))
              == std::vector<TokenId>(ids.rbegin(), ids.rend()));
    }
}

namespace {

// Of the same shape, so explained by the same operations.
bool is_like_another(const Shipped& s) { return s.folder == "reverse" || s.folder == "translate-pt-en"; }

} // namespace

TEST_CASE("every gradient of the shipped models is what its explanation says") {
    for (const Shipped& s : shipped) {
        CAPTURE(s.folder);
        if (is_like_another(s) && !test::soaks()) continue;
        ModelFiles model = open(s.folder);
        const auto graph = build_transformer(model.config, model.parameters, {.loss = true});
        answer(model, *graph, lines_of(assets / "models" / s.folder / "examples.txt").front());
        graph->graph.backward(graph->map.output.loss);
        CHECK(test::unexplained_gradient(graph->graph, test::sampled_cells()) == "");
    }
}

TEST_CASE("every cell of every node of the shipped models is what its explanation says") {
    for (const Shipped& s : shipped) {
        CAPTURE(s.folder);
        if (is_like_another(s) && !test::soaks()) continue;
        ModelFiles model = open(s.folder);
        const auto graph = build_transformer(model.config, model.parameters);
        const std::string example = lines_of(assets / "models" / s.folder / "examples.txt").front();
        answer(model, *graph, example);
        CHECK(test::unexplained_cell(graph->graph, test::sampled_cells()) == "");
    }
}
