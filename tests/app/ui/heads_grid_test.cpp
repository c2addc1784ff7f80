#include "app/ui/rooms/heads/heads_data.h"
#include "app/ui/widgets/text.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <cmath>

#include <string>

using namespace headlight;

namespace {

struct GridStage : CanvasStage {
    explicit GridStage(int width = 1280, int height = 800) : CanvasStage("translate-en-pt", width, height) {
        REQUIRE(run("room heads\nsource The animal didn't cross the street because it was too tired") == "");
    }
};

} // namespace

TEST_CASE("all heads of the shipped translation are seen at once, each layer a row") {
    GridStage stage;
    for (const char* language : {"en", "pt"}) {
        REQUIRE(stage.run(std::string("language ") + language + "\nwait 3") == "");
        const auto first = stage.names().find("grid.encoder.0.self_attn.0");
        REQUIRE(first);
        HeadsData data;
        for (const MeasuredAttention& attention : data.of(stage.session())) {
            std::optional<float> row;
            for (Index head = 0; head < 4; ++head) {
                const auto tile = stage.names().find("grid." + attention.path + "." + std::to_string(head));
                REQUIRE(tile);
                CHECK(std::abs(tile->height() - first->height()) < 1); // whole: none is scrolled away
                CHECK(row.value_or(tile->min.y) == tile->min.y);
                row = tile->min.y;
            }
        }
    }
}

TEST_CASE("what a tile says of its head is what was measured") {
    GridStage stage;
    HeadsData data;
    const Strings& s = stage.session().strings();
    for (const MeasuredAttention& attention : data.of(stage.session()))
        for (Index i = 0; i < Index(attention.heads.size()); ++i) {
            const MeasuredHead& head = attention.heads[std::size_t(i)];
            const HeadWords words = head_words(stage.session(), {&attention, i});
            const std::string label = head.label();
            if (label == "heads.spread") {
                CHECK(words.does == s.text(label));
                CHECK(words.more == s.text("heads.bits", {format_number(head.entropy, 2)}));
                continue;
            }
            const auto nearest = head.strongest(0);
            REQUIRE(nearest);
            CHECK(words.does == s.text("heads." + name_of(*nearest)));
            const std::string value = format_number(*head.value[std::size_t(*nearest)], 2);
            CHECK(words.more == (label == "heads.mixed" ? s.text("heads.mixed.value", {value}) : value));
            CHECK(words.stands_out == (label != "heads.mixed"));
        }
    REQUIRE(stage.run("heads order entropy") == "");
    const MeasuredAttention& attention = data.of(stage.session()).front();
    CHECK(head_words(stage.session(), {&attention, 1}).does
          == s.text("heads.entropy") + " " + format_number(attention.heads[1].entropy, 2));
}

TEST_CASE("many heads are a wall, a row for each layer, with the mean of its heads at the end") {
    GridStage stage;
    ModelConfig config;
    config.d_model = 16;
    config.num_heads = 8;
    config.encoder_layers = config.decoder_layers = 3;
    config.d_ff = 16;
    config.max_length = 8;
    const Tokenizer letters = Tokenizer::characters("abcdefgh");
    config.source_vocab_size = config.target_vocab_size = letters.vocabulary().size();
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, 1);
    stage.session().open(assemble_model({config, parameters, letters, letters}));
    REQUIRE(stage.run("source abc\nroom heads\nheads grid\nwait 3") == "");
    HeadsData data;
    for (const MeasuredAttention& attention : data.of(stage.session())) {
        const auto last = stage.names().find("grid." + attention.path + ".7"),
                   mean = stage.names().find("grid." + attention.path + ".mean");
        REQUIRE(last);
        REQUIRE(mean);
        CHECK(mean->min.y == last->min.y);
        CHECK(mean->min.x > last->max.x);
    }
    REQUIRE(stage.run("click grid.encoder.1.self_attn.mean") == "");
    CHECK(stage.view().heads.attention == "encoder.1.self_attn");
    CHECK(stage.view().heads.map == HeadMap::mean);
}
