// The way that led to the present question, for undo and redo.
#pragma once

#include "app/session/heads_view.h"
#include "app/session/question.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// What undo brings back: the question, and how the heads were looked at.
struct UndoState {
    Question question;
    HeadsView heads;
    bool operator==(const UndoState&) const = default;
};

class History {
public:
    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }

    // A command has led from one to the other. A word that is being typed is one step, not one for each
    // letter; so is a drag.
    void remember(const UndoState& before, const UndoState& now);
    // The command at hand moves this, as the next ones may: many small changes of one thing.
    void drag(std::string what) { moved_now_ = std::move(what); }
    void end_drag() { moved_.clear(); }

    // Where undo (redo) leads; nothing when it leads nowhere. Then, once one is there, the step is taken.
    const UndoState* before() const { return past_.empty() ? nullptr : &past_.back(); }
    const UndoState* after() const { return future_.empty() ? nullptr : &future_.back(); }
    void undo(const UndoState& now);
    void redo(const UndoState& now);

private:
    std::deque<UndoState> past_; // of a long day the last thousand steps
    std::vector<UndoState> future_;
    bool typing_ = false;           // the last change was a letter more or less
    bool stepped_ = false;          // the command at hand goes along the way: there is nothing to remember
    std::string moved_, moved_now_; // by the drag that the last step was, and by the command at hand
};

} // namespace headlight
