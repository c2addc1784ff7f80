#include "app/session/history.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {
constexpr std::size_t longest_way_back = 1000; // steps

// Whether a letter or so was typed or deleted.
bool is_a_letter(const UndoState& before, const UndoState& now) {
    UndoState with_this_source = before;
    with_this_source.question.source = now.question.source;
    const std::string &was = before.question.source, &is = now.question.source;
    return with_this_source == now && is.size() <= was.size() + 4 && was.size() <= is.size() + 4
           && (is.starts_with(was) || was.starts_with(is));
}

// A word that was begun ends with a blank.
bool ends_a_word(const std::string& was, const std::string& is) {
    const auto& [shorter, longer] =
        std::minmax(was, is, [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
    return longer.find(' ', shorter.size()) != longer.npos;
}

} // namespace

void History::remember(const UndoState& before, const UndoState& now) {
    const std::string moved = std::exchange(moved_now_, {});
    if (std::exchange(stepped_, false) || now == before) return;
    // Without a model there is nowhere to go back to.
    if (before.question.model.empty() && !now.question.model.empty()) return;
    future_.clear();
    const bool letter = is_a_letter(before, now);
    const bool goes_on = (std::exchange(typing_, letter) && letter
                          && !ends_a_word(before.question.source, now.question.source))
                         || (!moved.empty() && moved == moved_);
    moved_ = moved;
    if (!goes_on) past_.push_back(before);
    if (past_.size() > longest_way_back) past_.pop_front();
}

void History::undo(const UndoState& now) {
    future_.push_back(now);
    past_.pop_back();
    typing_ = false;
    stepped_ = true;
}

void History::redo(const UndoState& now) {
    past_.push_back(now);
    future_.pop_back();
    typing_ = false;
    stepped_ = true;
}

} // namespace headlight
