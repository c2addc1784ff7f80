#include "engine/train/fixed_weights.h"

#include "tests/support/explanation_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headlight;
using namespace headlight::test;

namespace {

double fruit(const FixedWeights& senses, Mixing mixing, Index sentence) {
    return double(senses.pass(mixing, sentence).probabilities->value(0, 0, 0));
}

} // namespace

TEST_CASE("both learn all sentences, and every number can say why") {
    const FixedWeights senses(FixedWeightsSetting{});
    CHECK(unexplained_cell(senses.graph()) == "");
    for (const Mixing mixing : {Mixing::fixed, Mixing::attention}) {
        INFO(int(mixing));
        CHECK(senses.losses(mixing).front() > 0.6f);
        CHECK(senses.losses(mixing).back() < 0.05f);
        CHECK(fruit(senses, mixing, 0) > 0.9); // Eu gosto de comer manga
        CHECK(fruit(senses, mixing, 1) < 0.1); // Ele pediu para a costureira cortar a manga
    }
}

TEST_CASE("fixed weights are the same for every sentence, attention's are not") {
    const FixedWeights senses(FixedWeightsSetting{});
    const auto weight = [&](Mixing mixing, Index sentence, Index place) {
        return senses.pass(mixing, sentence).weights->value(0, 0, place);
    };
    for (Index place = 0; place < 4; ++place)
        CHECK(weight(Mixing::fixed, 0, place) == weight(Mixing::fixed, 1, place));
    bool differs = false;
    for (Index place = 0; place < 4; ++place)
        differs =
            differs
            || std::abs(weight(Mixing::attention, 0, place) - weight(Mixing::attention, 1, place)) > 0.05;
    CHECK(differs);
}

TEST_CASE("words in front move all others, which attention does not mind") {
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        FixedWeightsSetting setting;
        setting.seed = seed;
        const FixedWeights still(setting);
        double moved_fixed = 0, moved_attention = 0;
        for (Index count = 1; count <= most_in_front; ++count) {
            setting.in_front = count;
            const FixedWeights moved(setting, &still);
            for (Index sentence = 0; sentence < 2; ++sentence) {
                const auto by = [&](Mixing mixing) {
                    return std::abs(fruit(moved, mixing, sentence) - fruit(still, mixing, sentence));
                };
                moved_fixed = std::max(moved_fixed, by(Mixing::fixed));
                moved_attention = std::max(moved_attention, by(Mixing::attention));
            }
        }
        INFO("seed " << seed << ": fixed " << moved_fixed << ", attention " << moved_attention);
        CHECK(moved_fixed > 0.5);     // it says the other sense
        CHECK(moved_attention < 0.1); // it says the same
    }
}

TEST_CASE("an epoch is shown again as it was, and words that nobody learned say nothing") {
    FixedWeightsSetting setting;
    setting.epochs = 40;
    const FixedWeights early(setting);
    const double then = fruit(early, Mixing::attention, 0);
    setting.epochs = 90;
    const FixedWeights later(setting, &early);
    setting.epochs = 40;
    setting.own = "Xyzzy manga! ";
    const FixedWeights again(setting, &later);
    CHECK(fruit(again, Mixing::attention, 0) == then);
    CHECK(again.words(2) == std::vector<std::string>{"xyzzy", "manga"});
    CHECK_FALSE(again.is_known(2, 0));
    CHECK(again.is_known(2, 1));
    const Tensor& x = again.graph().find("places.fixed.2.x")->value;
    for (Index c = 0; c < x.columns(); ++c) CHECK(x(0, 0, c) == 0);
    setting.own = "";
    CHECK(FixedWeights(setting, &later).words(2) == std::vector<std::string>{"manga"});
    setting.own = "a b c d e f g h i j k l m n o p q r s t";
    setting.in_front = 4;
    CHECK(Index(FixedWeights(setting, &later).words(2).size()) == longest_sense_sentence);
}
