#include "engine/train/trainer.h"

#include "engine/model/transformer.h"
#include "tests/engine/model/small_model.h"

#include <doctest/doctest.h>

#include <limits>

using namespace headlight;
using namespace headlight::test;

namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();

struct Trained {
    ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 3);
    std::unique_ptr<Model> model = build_transformer(config, parameters, {.loss = true});
    Batch batch = padded_batch(config);

    std::optional<NotFinite> look() {
        feed(*model, batch);
        model->graph.forward();
        model->graph.backward(model->map.output.loss);
        return first_not_finite(model->graph);
    }
};

} // namespace

TEST_CASE("masks are full of −∞, and that is as it should be") {
    Trained trained;
    CHECK_FALSE(trained.look());
}

TEST_CASE("the first value that is not finite is found, before all that it spoils") {
    for (const Real bad : {infinite, -infinite, std::numeric_limits<Real>::quiet_NaN()}) {
        Trained trained;
        trained.model->graph.set_edits({{"encoder.0.self_attn.scores", {1, 2, 0}, Edit::Kind::replace, bad}});
        const auto found = trained.look();
        REQUIRE(found);
        CHECK(to_string(*found) == "encoder.0.self_attn.scores");
        CHECK(found->cell == Cell{1, 2, 0});
    }
}

TEST_CASE("a gradient that overflows where the values do not is found as one") {
    Trained trained;
    Node* scaled = trained.model->graph.find("decoder.embed.scaled");
    REQUIRE(scaled);
    REQUIRE_FALSE(trained.look());
    scaled->grad(0, 1, 2) = infinite;
    const auto found = first_not_finite(trained.model->graph);
    REQUIRE(found);
    CHECK(to_string(*found) == "∂loss/∂decoder.embed.scaled");
    CHECK(found->cell == Cell{0, 1, 2});
}
