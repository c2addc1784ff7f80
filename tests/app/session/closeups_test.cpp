// What close-ups show is what the model has: operands and results are cells of the graph, and between them is
// the arithmetic that leads from the ones to the others, worked out here once more by the book.
#include "app/session/closeups.h"

#include "app/session/help_pages.h"
#include "app/session/session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace headlight;

namespace {

using Numbers = std::vector<double>;

const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";

std::unique_ptr<Session> a_session(const std::string& model = "translate-en-pt") {
    Result<Strings> strings = Strings::load(assets);
    REQUIRE(strings);
    auto session = std::make_unique<Session>(assets, *std::move(strings));
    REQUIRE(session->execute("model " + model));
    return session;
}

void run(Session& session, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) REQUIRE_MESSAGE(session.execute(line), line);
}

bool close(double a, double b, double scale = 1) {
    if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
    return std::abs(a - b) <= 3e-5 * std::max({scale, std::abs(a), std::abs(b)});
}

const Numbers& numbers_of(const RowWorking& working, const std::string& symbol) {
    const auto found = std::find_if(working.strips.begin(), working.strips.end(),
                                    [&](const WorkingStrip& strip) { return strip.symbol == symbol; });
    REQUIRE_MESSAGE(found != working.strips.end(), symbol);
    return found->numbers;
}

const Numbers& cells_of(const RowWorking& working, const Node& node) {
    const auto found =
        std::find_if(working.strips.begin(), working.strips.end(), [&](const WorkingStrip& strip) {
            return strip.kind == WorkingStrip::Kind::cells && strip.cells.front().node == &node;
        });
    REQUIRE_MESSAGE(found != working.strips.end(), node.path);
    return found->numbers;
}

void check_softmax(const RowWorking& working, const Node& node) {
    const Numbers &x = cells_of(working, node.input(0)), &e = numbers_of(working, "e");
    const double largest = numbers_of(working, "largest").at(0), total = numbers_of(working, "total").at(0);
    CHECK(largest == *std::max_element(x.begin(), x.end()));
    for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(close(e[i], std::exp(x[i] - largest)));
        CHECK(close(e[i] / total, working.strips.back().numbers[i]));
    }
    if (working.columns == node.value.columns())
        CHECK(close(total, std::accumulate(e.begin(), e.end(), 0.0)));
}

void check_layer_norm(const RowWorking& working, const Node& node) {
    const Numbers& x = cells_of(working, node.input(0));
    const double n = double(x.size()), mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
    double variance = 0;
    for (const double number : x) variance += (number - mean) * (number - mean) / n;
    CHECK(close(numbers_of(working, "mean").at(0), mean));
    CHECK(close(numbers_of(working, "variance").at(0), variance));
    const double deviation = numbers_of(working, "deviation").at(0);
    CHECK(close(deviation, std::sqrt(variance + 1e-5)));
    const Numbers &gamma = cells_of(working, node.input(1)), &beta = cells_of(working, node.input(2));
    for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(close(numbers_of(working, "normal")[i], (x[i] - mean) / deviation));
        CHECK(close((x[i] - mean) / deviation * gamma[i] + beta[i], working.strips.back().numbers[i]));
    }
}

void check_sum(const RowWorking& working, const Node& node) {
    const Numbers &a = cells_of(working, node.input(0)), &b = cells_of(working, node.input(1));
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(close(a[i] + b[i], working.strips.back().numbers[i]));
}

void check_product(const RowWorking& working, const Graph& graph, const Node& node, Index head, Index row) {
    CHECK(working.phases() == node.value.columns() + 3);
    const Index step = std::max<Index>(1, node.value.columns() / 12); // some of many
    for (Index column = 0; column < node.value.columns(); column += step) {
        const auto product = product_of_column(graph, node, {head, row, column});
        REQUIRE(product);
        REQUIRE(product->left.size() == product->right.size());
        REQUIRE(product->left.size() == working.strips.front().numbers.size());
        double sum = product->added ? product->added->value() : 0, size = 0;
        for (std::size_t i = 0; i < product->left.size(); ++i) {
            CHECK(product->left[i].value() == working.strips.front().numbers[i]);
            CHECK(product->products[i] == product->left[i].value() * product->right[i].value());
            sum += product->products[i];
            size += std::abs(product->products[i]);
        }
        CHECK(close(sum, product->sum, size));
        CHECK(close(sum, double(node.value(head, row, column)), size));
    }
}

void check_row(const Graph& graph, const Node& node, Index head, Index row) {
    const RowWorking working = work_out_row(graph, node, head, row);
    REQUIRE_FALSE(working.strips.empty());
    REQUIRE(working.strips.back().kind == WorkingStrip::Kind::result);
    for (const WorkingStrip& strip : working.strips)
        for (std::size_t i = 0; i < strip.cells.size(); ++i)
            REQUIRE(strip.numbers[i] == strip.cells[i].value());
    for (Index c = 0; c < working.columns; ++c)
        REQUIRE(working.strips.back().numbers[std::size_t(c)]
                == double(node.value(head, row, working.first_column + c)));
    const std::string_view op = node.op->name();
    if (working.is_product)
        check_product(working, graph, node, head, row);
    else if (op == "softmax")
        check_softmax(working, node);
    else if (op == "layer_norm")
        check_layer_norm(working, node);
    else if (op == "add" || op == "masked")
        check_sum(working, node);
    else if (op == "divide")
        for (std::size_t i = 0; i < working.strips[0].numbers.size(); ++i)
            CHECK(close(working.strips[0].numbers[i] / numbers_of(working, "√d_k").at(0),
                        working.strips.back().numbers[i]));
    else if (op == "relu")
        for (std::size_t i = 0; i < working.strips[0].numbers.size(); ++i)
            CHECK(std::max(0.0, working.strips[0].numbers[i]) == working.strips.back().numbers[i]);
}

} // namespace

TEST_CASE("every step of the shipped models is worked out as the model computed it") {
    for (const char* model : {"translate-en-pt", "copy"}) {
        const auto opened = a_session(model);
        const LoadedModel& loaded = opened->model();
        std::set<std::string> roles, products;
        for (const StoryStep& step : loaded.story) {
            if (!roles.insert(step.role).second && step.role != "mask") continue;
            CAPTURE(step.path());
            const Node& node = *step.node;
            const Index head = node.value.batch() - 1;
            for (const Index row : {Index(0), node.value.rows() - 1}) {
                check_row(loaded.graph(), node, head, row);
                if (work_out_row(loaded.graph(), node, head, row).is_product) products.insert(step.role);
            }
        }
        CHECK(roles.size() > 40);
        for (const char* role :
             {"self_attn.query", "self_attn.scores", "cross_attn.heads", "ffn.hidden", "logits"})
            CHECK_MESSAGE(products.contains(role), role);
    }
}

TEST_CASE("what an edit sets is not shown as if it had been computed") {
    const auto opened = a_session();
    Session& session = *opened;
    const Node& node = *session.model().graph().find("encoder.0.self_attn.scaled");
    const RowWorking before = work_out_row(session.model().graph(), node, 0, 1);
    CHECK(before.edited.empty());
    run(session, {"change cell encoder.0.self_attn.scaled 0 1 2 3"});
    const RowWorking working = work_out_row(session.model().graph(), node, 0, 1);
    CHECK(working.edited == std::vector<Index>{2});
    CHECK(working.strips.back().numbers[2] == 3);
    CHECK(working.strips.size() == before.strips.size());
}

TEST_CASE("a row is worked out phase by phase, then the next one, forward and back") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, {"goto encoder.0.self_attn.weights", "closeup workings"});
    CHECK(present_workings(session).phase == 0);
    CHECK(present_row(session).phases() == 5); // scores, largest, e, total, shares
    for (int i = 0; i < 4; ++i) run(session, {"workings next"});
    CHECK(present_workings(session).row == 0);
    CHECK(present_workings(session).phase == 4);
    run(session, {"workings next"});
    CHECK(present_workings(session).row == 1);
    CHECK(present_workings(session).phase == 0);
    run(session, {"workings previous"});
    CHECK(present_workings(session).row == 0);
    CHECK(present_workings(session).phase == 4);
    run(session, {"workings row 3"});
    CHECK(present_workings(session).row == 3);
    run(session, {"goto encoder.0.norm1"}); // another step begins anew
    CHECK(present_workings(session).row == 0);
    run(session, {"workings row next", "source I am"});
    CHECK(present_workings(session).row == 1);
    run(session, {"workings row 2", "source I"}); // a shorter sentence
    CHECK(present_workings(session).row < session.step().node->value.rows());
    for (const char* line : {"workings", "workings row 64", "workings row x", "workings fast", "word 64",
                             "word", "word step x", "closeup weights"})
        CHECK_FALSE_MESSAGE(session.execute(line), line);
}

TEST_CASE("played, the workings come to the end of the last row and stop there") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session,
        {"source I am fine", "goto encoder.0.self_attn.scores", "closeup workings", "workings play"});
    CHECK(session.is_lively());
    int moments = 0;
    while (present_workings(session).playing && moments < 1000) {
        session.advance(10);
        ++moments;
    }
    const Index rows = session.step().node->value.rows();
    CHECK(present_workings(session).row == rows - 1);
    CHECK(Index(moments) == rows * present_row(session).phases());
    CHECK_FALSE(session.is_lively());
    run(session, {"workings toggle"}); // again from the beginning
    CHECK(present_workings(session).row == 0);
    CHECK(present_workings(session).playing);
}

TEST_CASE(
    "a word is followed through the attention at hand, the mask a step only where something is masked") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, {"goto encoder.embed.tokens", "closeup word", "word 2", "head 1"});
    auto attention = followed_attention(session);
    REQUIRE(attention);
    CHECK(attention->path == "encoder.0.self_attn"); // none at hand: the first
    CHECK(stages_of(*attention).size() == 6);
    run(session, {"word step +3"});
    CHECK(present_stage(session, *attention) == WordStage::weights);
    CHECK(followed_token(session, *attention) == 2);
    CHECK(followed_head(session, *attention) == 1);
    run(session, {"goto decoder.1.self_attn.q", "word step -9", "word step +3"});
    attention = followed_attention(session);
    REQUIRE(attention);
    CHECK(attention->path == "decoder.1.self_attn");
    CHECK(stages_of(*attention).size() == 7);
    CHECK(present_stage(session, *attention) == WordStage::masked);
    run(session, {"goto encoder.1.self_attn.q"}); // where nothing is masked the next step stands for it
    CHECK(present_stage(session, *followed_attention(session)) == WordStage::weights);
    run(session, {"goto decoder.0.cross_attn.heads", "select decoder.0.cross_attn.heads 0 3 1", "closeup off",
                  "closeup word", "word play"});
    attention = followed_attention(session);
    CHECK(attention->path == "decoder.0.cross_attn");
    CHECK(followed_token(session, *attention) == 3); // that of the number that is held
    for (int i = 0; i < 10; ++i) session.advance(10);
    CHECK(present_stage(session, *attention) == WordStage::sum);
    CHECK_FALSE(session.is_lively());
}

TEST_CASE("while a close-up is open its keys take the place of the window's") {
    int arrows = 0;
    for (const CloseUp open : {CloseUp::none, CloseUp::step, CloseUp::positions, CloseUp::workings,
                               CloseUp::word, CloseUp::tokens})
        for (const char* chord : {"left", "right", "up", "down", "space", "escape", "w", "k", "f1"}) {
            CAPTURE(chord);
            const auto& all = key_bindings();
            const auto count = std::count_if(all.begin(), all.end(), [&](const KeyBinding& binding) {
                return binding.chord == chord && is_at_work(binding, open);
            });
            CHECK(count == 1);
            ++arrows;
        }
    CHECK(arrows == 54);
}

TEST_CASE("a close-up stands in the canvas's place: one at a time, and in a room that has a canvas") {
    const auto opened = a_session();
    Session& session = *opened;
    const View& state = session.view();
    run(session, {"view step"});
    CHECK(state.close_ups.open == CloseUp::step);
    run(session, {"view next"});
    CHECK(state.close_ups.open == CloseUp::none);
    run(session, {"view next", "closeup workings"});
    CHECK(state.close_ups.open == CloseUp::workings);
    run(session, {"view next"});
    CHECK(state.close_ups.open == CloseUp::step);
    run(session, {"view canvas"});
    CHECK(state.close_ups.open == CloseUp::none);
    for (const char* room : {"heads", "lesson", "cabinet", "train", "whatif"}) {
        run(session, {std::string("room ") + room, "closeup step"});
        const bool has_canvas = room == std::string("train") || room == std::string("whatif");
        CHECK((state.room == Room::explore) == !has_canvas);
    }
    CHECK_FALSE(session.execute("view plane"));
    CHECK_FALSE(session.execute("closeup canvas"));
    CHECK(state.close_ups.open == CloseUp::step);
}

TEST_CASE("a close-up is of its room: in another there is the canvas again") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, {"room explore", "closeup workings", "room explore"});
    CHECK(session.view().close_ups.open == CloseUp::workings);
    run(session, {"room whatif"});
    CHECK(session.view().close_ups.open == CloseUp::none);
}
