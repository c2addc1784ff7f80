// Recurrences: rows that read their own row before, against plain loops over time in double.
#include "engine/ops/recurrent.h"

#include "engine/ops/leaves.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/products.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

namespace {

constexpr Index batch = 2, steps = 4, width = 3;

using Vector = std::vector<double>;
// What is done to a value of one step of one sequence when it is computed.
using Meddle = std::function<void(const std::string& value, Index sequence, Index t, Vector& numbers)>;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Vector times(const Vector& h, const Numbers& w, const Numbers& b) {
    Vector y;
    for (Index j = 0; j < w.shape.rows; ++j) {
        double sum = b(0, 0, j);
        for (Index c = 0; c < w.shape.columns; ++c) sum += h[std::size_t(c)] * w(0, j, c);
        y.push_back(sum);
    }
    return y;
}

// One of the three, step by step. in: u, w_hh, b_hh, and the state before the first step.
Numbers over_time(char kind, const std::vector<Numbers>& in, const Meddle& meddle = {}) {
    const Numbers &u = in[0], &w = in[1], &b = in[2];
    Numbers all({u.shape.batch, u.shape.rows, width});
    for (Index s = 0; s < u.shape.batch; ++s) {
        Vector h(width, 0), c(width, 0);
        if (in.size() > 3)
            for (Index j = 0; j < width; ++j) h[std::size_t(j)] = in[3](s, 0, j);
        for (Index t = 0; t < u.shape.rows; ++t) {
            std::map<std::string, Vector> now;
            const auto made = [&](const std::string& name, const std::function<double(Index)>& number) {
                Vector numbers;
                for (Index j = 0; j < width; ++j) numbers.push_back(number(j));
                if (meddle) meddle(name, s, t, numbers);
                return now[name] = numbers;
            };
            const Vector before = made("before", [&](Index j) { return h[std::size_t(j)]; });
            const Vector v = times(before, w, b);
            const auto at = [](const Vector& x, Index j) { return x[std::size_t(j)]; };
            const auto sum = [&](Index block, Index j) {
                return u(s, t, block * width + j) + at(v, block * width + j);
            };
            if (kind == 'r') {
                h = made("hidden", [&](Index j) { return std::tanh(sum(0, j)); });
            } else if (kind == 'l') {
                const Vector kept = made("cell_before", [&](Index j) { return c[std::size_t(j)]; });
                const Vector i = made("input_gate", [&](Index j) { return sigmoid(sum(0, j)); });
                const Vector f = made("forget_gate", [&](Index j) { return sigmoid(sum(1, j)); });
                const Vector g = made("cell_candidate", [&](Index j) { return std::tanh(sum(2, j)); });
                const Vector o = made("output_gate", [&](Index j) { return sigmoid(sum(3, j)); });
                c = made("cell", [&](Index j) { return at(f, j) * at(kept, j) + at(i, j) * at(g, j); });
                h = made("hidden", [&](Index j) { return at(o, j) * std::tanh(at(c, j)); });
            } else {
                const Vector r = made("reset_gate", [&](Index j) { return sigmoid(sum(0, j)); });
                const Vector z = made("update_gate", [&](Index j) { return sigmoid(sum(1, j)); });
                const Vector n = made("new", [&](Index j) {
                    return std::tanh(u(s, t, 2 * width + j) + at(r, j) * at(v, 2 * width + j));
                });
                h = made("hidden",
                         [&](Index j) { return (1 - at(z, j)) * at(n, j) + at(z, j) * at(before, j); });
            }
            for (Index j = 0; j < width; ++j) all(s, t, j) = h[std::size_t(j)];
        }
    }
    return all;
}

Index blocks(char kind) { return kind == 'r' ? 1 : kind == 'l' ? 4 : 3; }

Node* recurrence(char kind, Graph& graph, const Inputs& in) {
    const RecurrenceScope scope(graph);
    Node* u = in[0];
    Node* before = name("before", row_before(u, width, in.size() > 3 ? in[3] : nullptr));
    Node* v = name("from_state", linear(before, in[1], in[2]));
    const auto gate = [&](const char* as, Index number, Squash squash, Node* reset = nullptr) {
        return name(as, recurrent_gate(u, v, squash, {number, blocks(kind), "i"}, reset));
    };
    Node* hidden = nullptr;
    if (kind == 'r') {
        hidden = gate("hidden", 0, Squash::tanh);
    } else if (kind == 'l') {
        Node* kept = name("cell_before", row_before(u, width));
        Node *i = gate("input_gate", 0, Squash::sigmoid), *f = gate("forget_gate", 1, Squash::sigmoid),
             *g = gate("cell_candidate", 2, Squash::tanh), *o = gate("output_gate", 3, Squash::sigmoid);
        Node* c = name("cell", cell_state(f, kept, i, g));
        graph.feed_back(kept, c);
        hidden = name("hidden", shown_state(o, c));
    } else {
        Node *r = gate("reset_gate", 0, Squash::sigmoid), *z = gate("update_gate", 1, Squash::sigmoid),
             *n = gate("new", 2, Squash::tanh, r);
        hidden = name("hidden", updated_state(z, n, before));
    }
    graph.feed_back(before, hidden);
    return hidden;
}

std::vector<Numbers> numbers_for(char kind, bool with_initial) {
    const Index columns = blocks(kind) * width;
    std::vector<Numbers> in{random_numbers({batch, steps, columns}, 1),
                            random_numbers({1, columns, width}, 2), random_numbers({1, 1, columns}, 3)};
    if (with_initial) in.push_back(random_numbers({batch, 1, width}, 4));
    return in;
}

// The recurrence with edits, against the loop that is meddled with.
void check_edited(char kind, const std::vector<Edit>& edits, const Meddle& meddle) {
    CAPTURE(kind);
    CHECK(fault(
              numbers_for(kind, true),
              [&](Graph& graph, const Inputs& in) { return recurrence(kind, graph, in); },
              [&](const auto& in) { return over_time(kind, in, meddle); }, edits)
          == "");
}

constexpr char kinds[] = {'r', 'l', 'g'};

} // namespace

TEST_CASE("a recurrence computes, differentiates and explains what a loop over time does") {
    for (const char kind : kinds)
        for (const bool with_initial : {false, true}) {
            CAPTURE(kind);
            CAPTURE(with_initial);
            CHECK(fault(
                      numbers_for(kind, with_initial),
                      [&](Graph& graph, const Inputs& in) { return recurrence(kind, graph, in); },
                      [&](const auto& in) { return over_time(kind, in); })
                  == "");
        }
}

TEST_CASE("a cell that is set in one step changes that step and those after it") {
    for (const char kind : kinds) {
        check_edited(kind, {{"once.hidden", {1, 1, 2}, Edit::Kind::replace, Real(0.75)}},
                     [](const std::string& value, Index s, Index t, Vector& numbers) {
                         if (value == "hidden" && s == 1 && t == 1) numbers[2] = 0.75;
                     });
        check_edited(kind, {{"once.before", {-1, 2, -1}, Edit::Kind::scale, 0}},
                     [](const std::string& value, Index, Index t, Vector& numbers) {
                         if (value == "before" && t == 2) numbers.assign(width, 0);
                     });
    }
}

TEST_CASE("a gate is frozen, opened and scaled like any other value") {
    check_edited('l', {{"once.forget_gate", {}, Edit::Kind::replace, 1}},
                 [](const std::string& value, Index, Index, Vector& numbers) {
                     if (value == "forget_gate") numbers.assign(width, 1);
                 });
    check_edited('l',
                 {{"once.input_gate", {-1, -1, 0}, Edit::Kind::scale, Real(0.5)},
                  {"once.cell", {0, 2, 1}, Edit::Kind::add, Real(0.25)}},
                 [](const std::string& value, Index s, Index t, Vector& numbers) {
                     if (value == "input_gate") numbers[0] *= 0.5;
                     if (value == "cell" && s == 0 && t == 2) numbers[1] += 0.25;
                 });
    Edit frozen{"once.update_gate", {0, 1, -1}};
    const Real kept[] = {Real(0.5), Real(0.25), Real(0.75)};
    frozen.values = KeptTensor(Tensor({1, 1, 3}, const_cast<Real*>(kept)));
    check_edited('g', {frozen}, [](const std::string& value, Index s, Index t, Vector& numbers) {
        if (value == "update_gate" && s == 0 && t == 1) numbers = {0.5, 0.25, 0.75};
    });
}

TEST_CASE("a step takes what an earlier one computed; of a later one there is nothing to take yet") {
    Edit of_step_0{"once.hidden", {-1, 2, -1}};
    of_step_0.from = "once.hidden";
    of_step_0.from_region.row = 0;
    for (const char kind : kinds) {
        std::vector<Vector> first(batch);
        check_edited(kind, {of_step_0}, [&](const std::string& value, Index s, Index t, Vector& numbers) {
            if (value != "hidden") return;
            if (t == 0) first[std::size_t(s)] = numbers;
            if (t == 2) numbers = first[std::size_t(s)];
        });
        Edit of_later = of_step_0;
        of_later.region.row = 0;
        of_later.from_region.row = 2;
        check_edited(kind, {of_later}, [](const std::string&, Index, Index, Vector&) {});
    }
    Edit of_gate{"once.update_gate", {-1, 3, -1}};
    of_gate.from = "once.reset_gate";
    of_gate.from_region.row = 1;
    std::vector<Vector> reset(batch);
    check_edited('g', {of_gate}, [&](const std::string& value, Index s, Index t, Vector& numbers) {
        if (value == "reset_gate" && t == 1) reset[std::size_t(s)] = numbers;
        if (value == "update_gate" && t == 3) numbers = reset[std::size_t(s)];
    });
}

TEST_CASE("computing again from within a recurrence computes all of it") {
    Graph graph;
    Inputs in;
    for (const Numbers& numbers : numbers_for('g', false)) in.push_back(input(graph, numbers));
    Node* hidden = recurrence('g', graph, in);
    graph.forward();
    graph.set_edits({{"update_gate", {0, 0, 0}, Edit::Kind::replace, 1}});
    graph.forward();
    const Numbers whole = numbers_of(hidden->value);
    graph.set_edits({});
    graph.forward();
    CHECK(difference(hidden->value, whole, 1e-6) != "");
    graph.set_edits({{"update_gate", {0, 0, 0}, Edit::Kind::replace, 1}});
    graph.forward(graph.find("update_gate")->index);
    CHECK(difference(hidden->value, whole, 0) == "");
}

TEST_CASE("what cannot be computed row by row is refused in a recurrence, as is one without a way back") {
    Graph graph;
    Node* u = input(graph, random_numbers({1, 2, width}, 1));
    const RecurrenceScope scope(graph);
    CHECK_THROWS_AS(input(graph, Numbers({1, 2, 2})), std::logic_error);
    Node* before = row_before(u, width);
    CHECK_THROWS_AS(graph.feed_back(before, u), std::logic_error);
    CHECK_THROWS_AS(graph.forward(), std::logic_error);
}

TEST_CASE("the last word is the last that is not padding, sequence by sequence") {
    for (const std::vector<std::int32_t>& ids :
         {std::vector<std::int32_t>{5, 6, 7, 8, 2, 9}, {5, 2, 0, 8, 0, 0}, {0, 0, 4, 0, 0, 0}})
        CHECK(fault(
                  {random_numbers({2, 3, 4}, 1)},
                  [&](Graph& graph, const Inputs& in) {
                      Node* fed = tokens(graph);
                      feed(fed, ids, 2, 3);
                      return last_word(in[0], fed, 0);
                  },
                  [&](const auto& in) {
                      Numbers last({2, 1, 4});
                      for (Index s = 0; s < 2; ++s)
                          for (Index t = 0; t < 3; ++t)
                              if (ids[std::size_t(s * 3 + t)] != 0)
                                  for (Index c = 0; c < 4; ++c) last(s, 0, c) = in[0](s, t, c);
                      return last;
                  })
              == "");
}
