#include "app/session/history.h"

#include <doctest/doctest.h>

using namespace headlight;

TEST_CASE("of a long day the last thousand steps are gone back, and no more are kept") {
    History history;
    UndoState state;
    state.question.model = "copy";
    for (int i = 0; i < 1500; ++i) {
        UndoState next = state;
        next.question.target = std::to_string(i);
        history.remember(state, next);
        state = next;
    }
    int steps = 0;
    while (const UndoState* before = history.before()) {
        const UndoState to = *before;
        history.undo(state);
        state = to;
        ++steps;
    }
    CHECK(steps == 1000);
    CHECK(state.question.target == "499");
    while (const UndoState* after = history.after()) {
        const UndoState to = *after;
        history.redo(state);
        state = to;
    }
    CHECK(state.question.target == "1499");
}
