#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"
#include "engine/train/adam.h"
#include "engine/train/trainer.h"
#include "tests/engine/pytorch/reference.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headlight;
using namespace headlight::pytorch;

namespace {

// A model with a loss, fed with the batch that PyTorch was given; sequences of unlike lengths, so padded.
struct TrainingPass {
    ReferenceFile file;
    ModelFiles model;
    std::vector<Real> gradients;
    std::unique_ptr<Model> transformer;

    explicit TrainingPass(const std::filesystem::path& folder)
        : file(folder / "training.safetensors"),
          model(read_model(folder)),
          gradients(std::size_t(model.parameters.count())),
          transformer(build_transformer(model.config, model.parameters,
                                        {.batch_statistics = true,
                                         .probabilities = false,
                                         .loss = true,
                                         .label_smoothing = file.metadata("label_smoothing"),
                                         .gradients = gradients.data()})) {
        const std::vector<std::vector<TokenId>> sources = file.metadata("sources"),
                                                goals = file.metadata("goals");
        std::vector<EncodedPair> pairs;
        for (std::size_t i = 0; i < sources.size(); ++i) pairs.push_back({sources[i], goals[i]});
        std::vector<const EncodedPair*> list;
        for (const EncodedPair& pair : pairs) list.push_back(&pair);
        Batch batch;
        batch.fill(list, model.config);
        feed(*transformer, batch);
    }
    void run() {
        transformer->graph.forward();
        transformer->graph.backward(transformer->map.output.loss);
    }
};

double largest_of(const Reference& reference) {
    double largest = 0;
    for (const Real x : reference.values) largest = std::max(largest, std::abs(double(x)));
    return largest;
}

// Recurrent networks are small ones here: their sums are short.
double tolerance_of(const ModelConfig& config) {
    return config.is_recurrent() ? std::min(1e-5, tolerance) : tolerance;
}

} // namespace

TEST_CASE("logits, loss and the gradient of every parameter over a padded batch are PyTorch's") {
    const auto folders = folders_with("training.safetensors");
    REQUIRE(folders.size() == 13);
    for (const std::filesystem::path& folder : folders) {
        CAPTURE(folder.filename().string());
        TrainingPass pass(folder);
        pass.run();
        const double tolerance = tolerance_of(pass.model.config);
        const Reference logits = pass.file.read("logits");
        REQUIRE(Index(logits.values.size()) == pass.transformer->map.output.values->value.size());
        CHECK(worst_difference(pass.transformer->map.output.values->value.data(), logits) <= tolerance);
        CHECK(worst_difference(pass.transformer->map.output.loss->value.data(), pass.file.read("loss"))
              <= tolerance);
        for (const Parameter& p : pass.model.parameters.list()) {
            if (!p.is_learned) continue;
            CAPTURE(p.name);
            const Reference gradient = pass.file.read("gradient/" + p.name);
            REQUIRE(Index(gradient.values.size()) == p.size());
            const double size = largest_of(gradient);
            // What the next batch norm takes away again has no gradient but rounding, which is nobody's.
            if (pass.model.config.norm == Norm::batch && size < 1e-3)
                CHECK(worst_difference(pass.gradients.data() + p.offset, gradient) * size <= 1e-6);
            else
                CHECK(worst_difference(pass.gradients.data() + p.offset, gradient) <= tolerance);
        }
    }
}

TEST_CASE("the gradient of a state is through all later steps, as PyTorch has it of a state by itself") {
    Index compared = 0;
    for (const std::filesystem::path& folder : folders_with("training.safetensors")) {
        CAPTURE(folder.filename().string());
        TrainingPass pass(folder);
        const std::vector<std::string> names = pass.file.names();
        if (std::find(names.begin(), names.end(), "state_gradient") == names.end()) continue;
        pass.run();
        const Node* hidden = pass.transformer->map.recurrent_layers.back().hidden;
        REQUIRE(pass.transformer->graph.has_gradient(*hidden));
        CHECK(worst_difference(hidden->grad.data(), pass.file.read("state_gradient"))
              <= tolerance_of(pass.model.config));
        ++compared;
    }
    CHECK(compared == 3);
}

TEST_CASE("the running statistics of batch norm are PyTorch's, and so are logits by them") {
    TrainingPass pass(HEADLIGHT_SOURCE_DIR "/tests/data/pytorch/small_batch_norm");
    pass.run();
    keep_running_statistics(*pass.transformer, pass.model.parameters);
    Index kept = 0;
    for (const Parameter& p : pass.model.parameters.list()) {
        if (p.is_learned) continue;
        CAPTURE(p.name);
        CHECK(worst_difference(pass.model.parameters.values(p), pass.file.read("running/" + p.name))
              <= tolerance);
        ++kept;
    }
    CHECK(kept == 2 * (2 * 2 + 3 + 2)); // two of each norm
    const auto evaluated = build_transformer(pass.model.config, pass.model.parameters);
    for (const char* stream : {"encoder", "decoder"}) {
        const Node& fed = *pass.transformer->map.stream(stream)->tokens;
        std::vector<std::int32_t> ids;
        for (Index s = 0; s < fed.value.batch(); ++s)
            for (Index t = 0; t < fed.value.rows(); ++t) ids.push_back(fed_token(fed, s, t));
        feed(evaluated->map.stream(stream)->tokens, ids, fed.value.batch(), fed.value.rows());
    }
    evaluated->graph.forward();
    CHECK(worst_difference(evaluated->map.output.values->value.data(), pass.file.read("evaluation/logits"))
          <= tolerance);
}

TEST_CASE("after each of three steps of Adam every parameter is PyTorch's") {
    const auto folders = folders_with("training.safetensors");
    const auto with_adam = std::find_if(folders.begin(), folders.end(), [](const auto& folder) {
        return !ReferenceFile(folder / "training.safetensors").metadata("learning_rates").empty();
    });
    REQUIRE(with_adam != folders.end());
    TrainingPass pass(*with_adam);
    Parameters& parameters = pass.model.parameters;
    const std::vector<double> rates = pass.file.metadata("learning_rates");
    REQUIRE(rates.size() == 3);

    Adam adam(parameters.count());
    for (std::size_t step = 1; step <= rates.size(); ++step) {
        CAPTURE(step);
        pass.run();
        adam.begin_step();
        adam.update(0, parameters.count(), parameters.data(), pass.gradients.data(), rates[step - 1]);
        for (const Parameter& p : parameters.list()) {
            CAPTURE(p.name);
            const Reference after = pass.file.read("adam." + std::to_string(step) + "/" + p.name);
            std::vector<Real> ours(parameters.values(p), parameters.values(p) + p.size());
            // What is added to every key adds the same to all scores of a row, and softmax does not see it:
            // the gradient of b_K is zero but for rounding, which Adam, dividing by √v, makes steps of full
            // size. Only in double does its ε outweigh that rounding.
            if (std::is_same_v<Real, float> && p.name.ends_with(".in_proj_bias")) {
                const Index d_model = pass.model.config.d_model;
                std::copy_n(after.values.begin() + d_model, d_model, ours.begin() + d_model);
            }
            CHECK(worst_difference(ours.data(), after) <= tolerance);
        }
    }
}
