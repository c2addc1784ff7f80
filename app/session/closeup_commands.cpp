// Commands of the close-ups that play, and how they go on by themselves.
#include "app/session/session.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

using Text = std::string_view;

constexpr const char* close_up_arguments = "step|positions|workings|word|off";
constexpr const char* workings_arguments = "next|previous|row N|row next|row previous|play|pause|toggle";
constexpr const char* word_arguments = "N|next|previous|step +N|step -N|matrices|words|play|pause|toggle";

constexpr std::pair<Text, CloseUp> close_ups[] = {{"step", CloseUp::step},
                                                  {"positions", CloseUp::positions},
                                                  {"workings", CloseUp::workings},
                                                  {"word", CloseUp::word},
                                                  {"off", CloseUp::none}};

constexpr double columns_in_a_phase = 8; // a product's further columns go by faster

Result<Index> number_up_to(const std::string& word, const char* what, Index last) {
    const Result<long> number = whole_number_of(word);
    if (!number) return number.error();
    if (*number < 0 || *number > last) return Error{"error.out_of_range", {what, "0", std::to_string(last)}};
    return Index(*number);
}

// One phase on, and after the last one of a row the next row. False at the end of the last row.
bool to_next_phase(const Session& session, Workings& workings) {
    if (workings.phase + 1 < present_row(session).phases()) {
        ++workings.phase;
        return true;
    }
    if (workings.row + 1 >= session.step().node->value.rows()) return false;
    ++workings.row;
    workings.phase = 0;
    return true;
}

// One phase back; before the first one of a row the row before, all of it.
void to_previous_phase(const Session& session, Workings& workings) {
    if (workings.phase > 0) {
        workings.phase = std::min(workings.phase, present_row(session).phases()) - 1;
    } else if (workings.row > 0) {
        --workings.row;
        workings.phase = work_out_row(session.model().graph(), *session.step().node, head_worked_out(session),
                                      workings.row)
                             .phases()
                         - 1;
    }
}

WordStage stage_after(const Session& session, const FollowedAttention& attention, long steps) {
    const std::vector<WordStage> stages = stages_of(attention);
    const auto present = std::find(stages.begin(), stages.end(), present_stage(session, attention));
    const long last = long(stages.size()) - 1;
    return stages[std::size_t(
        std::clamp(present - stages.begin() + std::clamp(steps, -last, last), 0l, last))];
}

Result<Index> row_named(const std::string& word, Index present, Index last) {
    if (word == "next") return std::min(present + 1, last);
    if (word == "previous") return std::max<Index>(present - 1, 0);
    return number_up_to(word, "workings row", last);
}

bool at_end(const Session& session, const Workings& workings) {
    return workings.row + 1 == session.step().node->value.rows()
           && workings.phase + 1 >= present_row(session).phases();
}

} // namespace

Result<Done> Session::work(std::string_view how) {
    if (!has_model()) return Error{"error.no_model", {}};
    Workings workings = present_workings(*this);
    const std::vector<std::string> words = words_of(how);
    const std::string what = words.empty() ? "" : words[0];
    if (what == "row" && words.size() == 2) {
        const Result<Index> row = row_named(words[1], workings.row, step().node->value.rows() - 1);
        if (!row) return row.error();
        if (*row != workings.row) workings.phase = 0;
        workings.row = *row;
    } else if (words.size() != 1) {
        return usage(std::string("workings ") + workings_arguments);
    } else if (what == "next" || what == "previous") {
        workings.playing = false;
        if (what == "next")
            to_next_phase(*this, workings);
        else
            to_previous_phase(*this, workings);
    } else if (what == "play" || (what == "toggle" && !workings.playing)) {
        if (at_end(*this, workings)) workings.row = workings.phase = 0; // again from the beginning
        workings.playing = true;
        workings.clock = 0;
    } else if (what == "pause" || what == "toggle") {
        workings.playing = false;
    } else {
        return usage(std::string("workings ") + workings_arguments);
    }
    state_.close_ups.workings = workings;
    return Done{};
}

Result<Done> Session::follow_word(std::string_view how) {
    if (!has_model()) return Error{"error.no_model", {}};
    const std::optional<FollowedAttention> attention = followed_attention(*this);
    if (!attention) return Error{"error.no_such_value", {"self_attn", model_->name}};
    FollowedWord word = state_.close_ups.word;
    word.token = followed_token(*this, *attention);
    const Index last = attention->q->value.rows() - 1;
    const std::vector<std::string> words = words_of(how);
    const std::string what = words.empty() ? "" : words[0];
    if (what == "step" && words.size() == 2) {
        const Result<long> steps = whole_number_of(words[1]);
        if (!steps) return steps.error();
        word.stage = stage_after(*this, *attention, *steps);
        word.playing = false;
    } else if (words.size() != 1) {
        return usage(std::string("word ") + word_arguments);
    } else if (what == "next" || what == "previous") {
        word.token = std::clamp<Index>(word.token + (what == "next" ? 1 : -1), 0, last);
    } else if (what == "matrices" || what == "words") {
        word.as_matrices = what == "matrices";
    } else if (what == "play" || (what == "toggle" && !word.playing)) {
        if (word.stage == WordStage::sum) word.stage = WordStage::vectors;
        word.playing = true;
        word.clock = 0;
    } else if (what == "pause" || what == "toggle") {
        word.playing = false;
    } else {
        const Result<Index> token = number_up_to(what, "word", last);
        if (!token) return token.error();
        word.token = *token;
    }
    state_.close_ups.word = word;
    return Done{};
}

Result<Done> Session::open_close_up(std::string_view which) {
    const auto named = std::find_if(std::begin(close_ups), std::end(close_ups),
                                    [&](const auto& close_up) { return close_up.first == which; });
    if (named == std::end(close_ups)) return usage(std::string("closeup ") + close_up_arguments);
    state_.asking.close_up = named->second;
    if (named->second == CloseUp::none) return Done{};
    // It takes the place of the canvas: a room that has none gives way to one that has.
    if (state_.room == Room::heads || state_.room == Room::lesson) state_.room = Room::explore;
    if (named->second == CloseUp::workings || named->second == CloseUp::word) {
        state_.playing = false;
        look_at_held_row();
    }
    return Done{};
}

// A close-up opens at the number that is held, where that is one of its own.
void Session::look_at_held_row() {
    if (!state_.selection || !has_model()) return;
    const Node* held = model_->graph().find(state_.selection->path);
    const Index row = state_.selection->cell.row;
    if (held == step().node && state_.asking.close_up == CloseUp::workings)
        state_.close_ups.workings = {step().path(), row, 0, false, 0};
    if (state_.asking.close_up != CloseUp::word) return;
    const std::optional<FollowedAttention> attention = followed_attention(*this);
    if (!attention) return;
    const Node* of_queries[] = {attention->q,      attention->scores,  attention->scaled,
                                attention->masked, attention->weights, attention->heads};
    if (std::find(std::begin(of_queries), std::end(of_queries), held) != std::end(of_queries))
        state_.close_ups.word.token = row;
}

void Session::add_close_up_commands() {
    commands_.add({"closeup", close_up_arguments, [this](Text which) { return open_close_up(which); }});
    commands_.add({"view", "canvas|step|next", [this](Text what) -> Result<Done> {
                       if (what == "next") what = state_.asking.close_up == CloseUp::step ? "canvas" : "step";
                       if (what == "canvas") return open_close_up("off");
                       return what == "step" ? open_close_up("step") : usage("view canvas|step|next");
                   }});
    commands_.add({"workings", workings_arguments, [this](Text how) { return work(how); }});
    commands_.add({"word", word_arguments, [this](Text how) { return follow_word(how); }});
}

bool Session::close_up_plays() const {
    const CloseUp open = state_.asking.close_up;
    return (open == CloseUp::workings && state_.close_ups.workings.playing)
           || (open == CloseUp::word && state_.close_ups.word.playing);
}

bool Session::advance_close_up(double seconds) {
    if (!has_model() || !close_up_plays()) return false;
    const double phase_lasts = 1 / state_.steps_per_second;
    if (state_.asking.close_up == CloseUp::word) {
        FollowedWord& word = state_.close_ups.word;
        word.clock += seconds;
        if (word.clock < phase_lasts) return false;
        word.clock = 0;
        const std::optional<FollowedAttention> attention = followed_attention(*this);
        if (attention) word.stage = stage_after(*this, *attention, 1);
        word.playing = attention && word.stage != WordStage::sum;
        return true;
    }
    Workings workings = present_workings(*this);
    const bool further_column = present_row(*this).is_product && workings.phase >= 3;
    const double lasts = further_column ? phase_lasts / columns_in_a_phase : phase_lasts;
    workings.clock += seconds;
    const bool due = workings.clock >= lasts;
    if (due) {
        workings.clock = 0;
        workings.playing = to_next_phase(*this, workings);
    }
    state_.close_ups.workings = workings;
    return due;
}

} // namespace headlight
