// A new architecture needs no new view: whatever is asked of a model is asked of its map and its operations.
#include "engine/inspect/export.h"
#include "engine/inspect/heads.h"
#include "engine/inspect/region_cells.h"
#include "engine/inspect/story.h"
#include "engine/inspect/sweep.h"
#include "engine/io/safetensors.h"
#include "engine/io/trace.h"
#include "tests/engine/model/foreign_models.h"
#include "tests/support/explanation_check.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace headlight;
using namespace headlight::test;

namespace {

std::vector<std::string> some_words(Index count) {
    std::vector<std::string> all;
    for (Index i = 0; i < count; ++i) all.push_back("w" + std::to_string(i));
    return all;
}

} // namespace

TEST_CASE("every architecture tells its story, with a formula for each step and a box around it") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const ComputedForeignModel m(foreign);
        const std::vector<StoryStep> steps = tell(*m.model);
        const std::vector<StoryBlock> blocks = blocks_of(*m.model, steps);
        Index told = 0;
        for (const StoryBlock& block : blocks) {
            CHECK(block.first == told);
            told += block.count;
        }
        CHECK(told == Index(steps.size()));
        std::set<const Node*> before;
        for (const StoryStep& step : steps) {
            CAPTURE(step.path());
            CHECK_FALSE(step.formula.empty());
            CHECK_FALSE(step.role.empty());
            for (std::size_t i = 0; i < step.operands.size(); ++i) {
                const Node* operand = step.operands[i];
                CHECK((operand->is(ValueKind::parameter) || before.contains(operand)
                       || step.node->op->reads_row_before(i)));
            }
            before.insert(step.node);
        }
        for (const Node& node : m.model->graph.nodes())
            if (node.named && !node.is(ValueKind::parameter))
                CHECK_MESSAGE(before.contains(&node), node.path);
    }
}

TEST_CASE("every architecture explains each of its numbers, forward and backward") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const ComputedForeignModel m(foreign);
        CHECK(unexplained_cell(m.model->graph) == "");
        if (!m.model->map.output.loss) continue;
        CHECK(unexplained_gradient(m.model->graph) == "");
        const std::vector<BackwardStep> steps = tell_backward(*m.model);
        CHECK(steps.front().node == m.model->map.output.loss);
        for (const Parameter& p : m.parameters.list()) CHECK_FALSE(p.name.empty());
        std::set<const Node*> told;
        for (const BackwardStep& step : steps) told.insert(step.node);
        for (const Node& node : m.model->graph.nodes())
            if (node.is(ValueKind::parameter)) CHECK_MESSAGE(told.contains(&node), node.path);
    }
}

TEST_CASE("in every architecture each number knows what it touches") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const ComputedForeignModel m(foreign);
        for (const Node& node : m.model->graph.nodes()) {
            bool is_read = false;
            for (const Node& reader : m.model->graph.nodes())
                for (const Node* input : reader.inputs) is_read = is_read || input == &node;
            const std::vector<TouchedCells> touched = forward_cells(m.model->graph, node, {});
            if (!is_read) CHECK(touched.empty());
            const bool may_touch_nothing = node.is(ValueKind::parameter) || node.is(ValueKind::positions)
                                           || node.is(ValueKind::tokens) || node.is(ValueKind::mask);
            if (is_read && !may_touch_nothing) CHECK_MESSAGE(!touched.empty(), node.path);
        }
    }
}

TEST_CASE("the heads of every attention are measured, also those that share their keys") {
    std::size_t attentions = 0;
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const ComputedForeignModel m(foreign);
        for (const Attention& attention : m.model->map.attentions) {
            CAPTURE(attention.path);
            ++attentions;
            const Shape& shape = attention.weights->shape();
            CHECK(shape.batch == attention.heads);
            CHECK(attention.k->shape().batch == attention.key_heads);
            const auto heads = measure_heads(attention, some_words(shape.rows), some_words(shape.columns));
            CHECK(Index(heads.size()) == attention.heads);
            for (const MeasuredHead& head : heads) CHECK(std::isfinite(head.entropy));
        }
    }
    CHECK(attentions == 18);
}

TEST_CASE("heads are silenced and positions patched, one after another, in every architecture") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        ComputedForeignModel m(foreign);
        const ModelMap& map = m.model->map;
        const std::unique_ptr<Model> other = m.another_pass();
        for (const SweepPlan& plan : {plan_silenced_heads(map), plan_patched_positions(map, other->graph)}) {
            const std::unique_ptr<Model> pass = m.another_pass();
            Sweep sweep(*pass, {}, plan, {SweepTarget{0, 0}});
            while (sweep.advance()) {
            }
            CHECK(sweep.done() == Index(plan.trials.size()));
            CHECK(std::isfinite(sweep.baseline()));
            for (const SweepTrial& trial : plan.trials)
                CHECK(std::isfinite(sweep.values(SweepMeasure::probability)(0, trial.row, trial.column)));
        }
        Index heads = 0;
        for (const Attention& attention : map.attentions) heads += attention.heads;
        CHECK(Index(plan_silenced_heads(map).trials.size()) == heads);
    }
}

TEST_CASE("every architecture is written as a trace and as text") {
    const Vocabulary words = Vocabulary::with_specials(some_words(9));
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        const ComputedForeignModel m(foreign);
        const TemporaryFolder folder;
        REQUIRE(write_trace(folder / "t.safetensors", *m.model, words, words));
        const auto file = SafetensorsFile::open(folder / "t.safetensors");
        REQUIRE(file);
        for (const StoryStep& step : tell(*m.model)) {
            CHECK_MESSAGE(file->find(step.path()) != nullptr, step.path());
            CHECK_FALSE(export_text(step.node->value, {}).empty());
        }
    }
}
