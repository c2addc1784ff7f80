#include "engine/inspect/formulas.h"

#include <doctest/doctest.h>

#include <vector>

using namespace headlight;

TEST_CASE("a long sum inside a line gets a line of its own, and every value stays what it was") {
    const auto numbers = [](std::initializer_list<double> all) {
        std::vector<Expr> list;
        for (const double x : all) list.push_back(Expr::constant(x));
        return list;
    };
    const Explanation before{"",
                             {{"mean", Expr::sum(numbers({1, 2, 6})) / Expr::constant(3)},
                              {"largest", Expr::make(Expr::Kind::maximum, numbers({4, 9}))},
                              {"y", Expr::result(0) * Expr::result(1) + Expr::sum(numbers({0.5, 1, 1.5}))}}};
    const Explanation after = with_sums_apart(before);
    REQUIRE(after.steps.size() == 5);
    CHECK(after.steps[0].symbol == "sum");
    CHECK(after.steps[1].symbol == "mean");
    CHECK(after.steps[2].symbol == "largest"); // nothing but its list
    CHECK(after.steps[3].symbol == "sum");
    CHECK(after.evaluate_steps() == std::vector<double>{9, 3, 9, 3, 30});
    CHECK(after.evaluate() == before.evaluate());
}

TEST_CASE("an explanation of short lines stays as it is") {
    const Explanation before{"f", {{"y", Expr::constant(2) * Expr::constant(3)}}, "note.learned"};
    const Explanation after = with_sums_apart(before);
    CHECK(after.steps.size() == 1);
    CHECK(after.formula == "f");
    CHECK(after.note == "note.learned");
}
