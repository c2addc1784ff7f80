#include "app/canvas/layout.h"

#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"
#include "tests/engine/model/foreign_models.h"
#include "tests/engine/model/small_model.h"
#include "tests/support/soak.h"

#include <doctest/doctest.h>

#include <numeric>

namespace headlight {

namespace {

// A model with its values computed, so that shapes are known.
struct Told {
    Parameters parameters;
    std::unique_ptr<Model> model;
    std::vector<StoryStep> story;
    std::vector<StoryBlock> blocks;

    Told(const ModelConfig& config, Index source, Index target)
        : parameters(test::random_parameters(config, 3)), model(build_transformer(config, parameters)) {
        const std::vector<std::int32_t> from(std::size_t(source), 4), to(std::size_t(target), 4);
        feed(model->map.source()->tokens, from, 1, source);
        feed(model->map.target()->tokens, to, 1, target);
        model->graph.forward();
        story = tell(*model);
        blocks = blocks_of(*model, story);
    }
    CanvasLayout lay_out() const { return headlight::lay_out(model->map, story, blocks); }
};

ModelConfig config_of(Index layers, Index heads, Index d_k) {
    ModelConfig config = test::small_config();
    config.encoder_layers = config.decoder_layers = layers;
    config.num_heads = heads;
    config.d_model = heads * d_k;
    config.max_length = 64;
    return config;
}

void check_frames(const CanvasLayout& layout) {
    for (std::size_t i = 0; i < layout.cards.size(); ++i) {
        const Card& card = layout.cards[i];
        CHECK_MESSAGE(layout.blocks[card.block].rect.contains(card.rect), card.node->path);
        for (const PlaneRect& matrix : card.matrices)
            CHECK_MESSAGE(card.rect.contains(matrix), card.node->path);
        CHECK(card.rect.contains(card.title));
        for (std::size_t j = 0; j < i; ++j)
            CHECK_MESSAGE(!card.rect.overlaps(layout.cards[j].rect),
                          (card.node->path + " and " + layout.cards[j].node->path));
    }
    const auto apart = [](const std::vector<CanvasGroup>& groups) {
        for (std::size_t i = 0; i < groups.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) CHECK(!groups[i].rect.overlaps(groups[j].rect));
    };
    apart(layout.blocks);
    apart(layout.layers);
    apart(layout.sides);
    for (const CanvasGroup& block : layout.blocks) {
        int around_it = 0;
        for (const CanvasGroup& layer : layout.layers) around_it += layer.rect.contains(block.rect);
        CHECK(around_it == (block.layer >= 0 ? 1 : 0));
        int sides = 0;
        for (const CanvasGroup& side : layout.sides) sides += side.rect.contains(block.rect);
        CHECK(sides == 1);
        CHECK(layout.bounds.contains(block.rect));
    }
}

// Boxes from below upwards, a mask beside the ids that it is made of; cards from left to right within a box.
void check_order(const CanvasLayout& layout, const Told& told) {
    for (std::size_t i = 1; i < layout.blocks.size(); ++i) {
        const CanvasGroup &before = layout.blocks[i - 1], &after = layout.blocks[i];
        if (before.kind == "mask" || after.kind == "mask") continue;
        const bool other_side = before.side != after.side && after.side != "output";
        const bool to_the_right = after.rect.x >= before.rect.right();
        const bool above = after.rect.bottom() <= before.rect.y;
        CHECK_MESSAGE((to_the_right || above), after.kind);
        if (other_side) CHECK(to_the_right);
    }
    for (const StoryStep& step : told.story) {
        const Card* card = layout.find(step.node);
        REQUIRE(card);
        CHECK(card->step == long(&step - told.story.data()));
        for (const Node* operand : step.operands) {
            const Card* source = layout.find(operand);
            REQUIRE_MESSAGE(source, operand->path);
            if (source->block != card->block) continue;
            const bool left = source->rect.right() <= card->rect.x;
            const bool below = source->rect.y >= card->rect.bottom(); // a vector along the columns
            CHECK_MESSAGE((left || below), (operand->path + " → " + step.path()));
        }
    }
}

// Lines run where no card is: they touch only what they connect, and what belongs to it.
void check_lines(const CanvasLayout& layout) {
    for (const Connection& line : layout.connections) {
        const Card &from = layout.cards[line.from], &to = layout.cards[line.to];
        REQUIRE(line.points.size() >= 2);
        for (std::size_t i = 1; i < line.points.size(); ++i) {
            const PlanePoint a = line.points[i - 1], b = line.points[i];
            CHECK((a.x == b.x || a.y == b.y));
            const PlaneRect segment{std::min(a.x, b.x), std::min(a.y, b.y),
                                    std::max(std::abs(a.x - b.x), 0.1), std::max(std::abs(a.y - b.y), 0.1)};
            for (const Card& card : layout.cards)
                if (&card != &from && &card != &to && segment.overlaps(card.rect.grown(-1)))
                    FAIL_CHECK("the line from " << from.node->path << " to " << to.node->path << " crosses "
                                                << card.node->path);
        }
    }
}

} // namespace

TEST_CASE("cards, blocks, layers and sides never overlap, whatever the layers, heads and lengths") {
    constexpr Index some_layers[] = {1, 2, 6}, some_heads[] = {1, 2, 8}, some_lengths[] = {1, 5, 64};
    for (std::size_t i = 0; i < 27; ++i) {
        // Each with each of the others, but not all three with all: a Latin square.
        if ((i / 9 + i / 3 + i) % 3 != 0 && !test::soaks()) continue;
        const Index layers = some_layers[i / 9], heads = some_heads[i / 3 % 3], length = some_lengths[i % 3];
        CAPTURE(layers);
        CAPTURE(heads);
        CAPTURE(length);
        const Told told(config_of(layers, heads, 4), length, std::max<Index>(1, length / 2));
        const CanvasLayout layout = told.lay_out();
        check_frames(layout);
        check_order(layout, told);
        check_lines(layout);
    }
}

TEST_CASE("nothing is rearranged by what is typed: boxes and lines of the figure stand where the "
          "architecture puts them") {
    const ModelConfig config = config_of(2, 4, 8);
    const Told one(config, 1, 1), many(config, 64, 63);
    const CanvasLayout a = one.lay_out(), b = many.lay_out();
    CHECK(a.bounds == b.bounds);
    REQUIRE(a.blocks.size() == b.blocks.size());
    for (std::size_t i = 0; i < a.blocks.size(); ++i) CHECK(a.blocks[i].rect == b.blocks[i].rect);
    REQUIRE(a.lines.size() == b.lines.size());
    for (std::size_t i = 0; i < a.lines.size(); ++i) CHECK(a.lines[i].points == b.lines[i].points);
    REQUIRE(a.cards.size() == b.cards.size());
    for (std::size_t i = 0; i < a.cards.size(); ++i) { // their heads lie in the same rows and columns
        const Card &x = a.cards[i], &y = b.cards[i];
        REQUIRE(x.matrices.size() == y.matrices.size());
        for (std::size_t h = 1; h < x.matrices.size(); ++h)
            CHECK((x.matrices[h].y == x.matrices[h - 1].y) == (y.matrices[h].y == y.matrices[h - 1].y));
    }
}

TEST_CASE("the figure has a spine from box to box, an arc past each sublayer, a band to each reader of "
          "another stream") {
    const Told told(config_of(2, 2, 4), 5, 4);
    const CanvasLayout layout = told.lay_out();
    const auto count = [&](FigureLineKind kind) {
        return std::count_if(layout.lines.begin(), layout.lines.end(),
                             [&](const FigureLine& line) { return line.kind == kind; });
    };
    CHECK(count(FigureLineKind::residual) == 2 * 2 + 2 * 3);
    CHECK(count(FigureLineKind::memory) == 2);
    for (const FigureLine& line : layout.lines) {
        const PlaneRect& to = layout.blocks[line.to].rect;
        CHECK(to.grown(1).contains(line.points.back()));
        for (std::size_t i = 1; i < line.points.size(); ++i) { // through no box
            const PlanePoint p = line.points[i - 1], q = line.points[i];
            CHECK((p.x == q.x || p.y == q.y));
            const PlaneRect segment{std::min(p.x, q.x), std::min(p.y, q.y),
                                    std::max(std::abs(p.x - q.x), 0.1), std::max(std::abs(p.y - q.y), 0.1)};
            for (const CanvasGroup& block : layout.blocks)
                CHECK_MESSAGE(!segment.overlaps(block.rect.grown(-1)), block.kind);
        }
    }
    CHECK(layout.words.size() == 3); // two that are fed, one that is said
}

TEST_CASE("every choice of architecture is laid out, each value and each weight once") {
    for (const ModelConfig& config : test::all_configs()) {
        CAPTURE(test::description(config));
        const Told told(config, 7, 5);
        const CanvasLayout layout = told.lay_out();
        check_frames(layout);
        check_order(layout, told);
        check_lines(layout);
        for (const Node& node : told.model->graph.nodes())
            if (node.named) CHECK_MESSAGE(layout.find(&node), node.path);
    }
}

TEST_CASE("a cell is found where it lies") {
    const Told told(config_of(2, 4, 4), 9, 6);
    const CanvasLayout layout = told.lay_out();
    for (const Card& card : layout.cards) {
        const Shape shape = card.node->shape();
        for (Index head = 0; head < Index(card.matrices.size()); ++head)
            for (const auto& [row, column] :
                 {std::pair<Index, Index>{0, 0}, {shape.rows - 1, shape.columns - 1}}) {
                Cell found;
                REQUIRE(card.cell_at(card.cell(head, row, column).centre(), found));
                CHECK(found == Cell{head, row, column});
            }
        Cell none;
        CHECK(!card.cell_at({card.title.x + 1, card.title.y + 1}, none));
    }
}

TEST_CASE("attention unfolds from scores to heads, and heads lie side by side") {
    const Told told(config_of(1, 4, 4), 6, 6);
    const CanvasLayout layout = told.lay_out();
    const auto card = [&](const char* name) -> const Card& {
        return *layout.find(told.model->graph.find(std::string("encoder.0.self_attn.") + name));
    };
    const char* names[] = {"q", "scores", "scaled", "masked", "weights", "heads", "concat", "output"};
    for (std::size_t i = 1; i < std::size(names); ++i)
        CHECK(card(names[i - 1]).rect.right() < card(names[i]).rect.x);
    const Card& weights = card("weights");
    REQUIRE(weights.matrices.size() == 4);
    CHECK(weights.matrices[1].x > weights.matrices[0].right());
    CHECK(weights.matrices[1].y == weights.matrices[0].y);
}

TEST_CASE(
    "architectures that nobody ships are laid out: a side for each of their streams, a card for each value") {
    for (const test::ForeignModel& foreign : test::foreign_models()) {
        CAPTURE(foreign.name);
        const test::ComputedForeignModel m(foreign);
        const std::vector<StoryStep> story = tell(*m.model);
        const std::vector<StoryBlock> blocks = blocks_of(*m.model, story);
        const CanvasLayout layout = lay_out(m.model->map, story, blocks);
        check_frames(layout);
        CHECK(layout.sides.size() == std::max<std::size_t>(1, m.model->map.streams.size()));
        CHECK(layout.layers.size() == m.model->map.layers.size());
        for (const StoryStep& step : story) {
            CHECK(layout.find(step.node));
            for (const Node* operand : step.operands) CHECK_MESSAGE(layout.find(operand), operand->path);
        }
    }
}

TEST_CASE("a weight is drawn as X W wants it, a table of words as it is looked up in") {
    const Told told(config_of(1, 2, 3), 5, 4);
    const CanvasLayout layout = told.lay_out();
    const Card& w = *layout.find(told.model->graph.find("encoder.0.ffn.w_1")); // stored [d_ff × d_model]
    const Tensor& value = w.node->value;
    REQUIRE(w.transposed);
    CHECK(w.rows() == value.columns());
    CHECK(w.columns() == value.rows());
    for (const Cell stored : {Cell{0, 0, 0}, Cell{0, 5, 1}, Cell{0, value.rows() - 1, value.columns() - 1}}) {
        const PlaneRect there = w.cell(0, stored.row, stored.column);
        CHECK(w.matrices.front().contains(there));
        Cell found;
        REQUIRE(w.cell_at(there.centre(), found));
        CHECK(found == stored);
    }
    CHECK(w.cell(0, 1, 0).x > w.cell(0, 0, 0).x); // what comes out lies across
    CHECK_FALSE(layout.find(told.model->graph.find("encoder.embed.table"))->transposed);
    CHECK_FALSE(layout.find(told.model->graph.find("encoder.0.ffn.b_1"))->transposed);
}

} // namespace headlight
