// Commands of the close-ups that play, and how they go on by themselves.
#include "app/session/closeups.h"
#include "app/session/setting.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr double columns_in_a_phase = 8; // a product's further columns go by faster

Index last_row(const Session& session) { return session.step().node->value.rows() - 1; }

// One phase on, and after the last one of a row the next row. False at the end of the last row.
bool to_next_phase(const Session& session, Workings& workings) {
    if (workings.phase + 1 < present_row(session).phases()) {
        ++workings.phase;
        return true;
    }
    if (workings.row >= last_row(session)) return false;
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
    const Index last = Index(stages.size()) - 1;
    return stages[std::size_t(
        std::clamp(Index(present - stages.begin()) + std::clamp(Index(steps), -last, last), Index(0), last))];
}

bool at_end(const Session& session, const Workings& workings) {
    return workings.row == last_row(session) && workings.phase + 1 >= present_row(session).phases();
}

void play(const Session& session, Workings& workings) {
    if (at_end(session, workings)) workings.row = workings.phase = 0; // again from the beginning
    workings.playing = true;
    workings.clock = 0;
}

void play(FollowedWord& word) {
    if (word.stage == WordStage::sum) word.stage = WordStage::vectors;
    word.playing = true;
    word.clock = 0;
}

// A close-up opens at the number that is held, where that is one of its own.
void look_at_held_row(const Session& session, View& view) {
    const Node* held = view.asking.held ? session.find(view.asking.held->path) : nullptr;
    if (!held) return;
    const Index row = view.asking.held->cell.row;
    if (held == session.step().node && view.close_ups.open == CloseUp::workings)
        view.close_ups.workings = {session.step().path(), row, 0, false, 0};
    if (view.close_ups.open != CloseUp::word) return;
    const std::optional<FollowedAttention> attention = followed_attention(session);
    if (!attention) return;
    const Node* of_queries[] = {attention->q,      attention->scores,  attention->scaled,
                                attention->masked, attention->weights, attention->heads};
    if (std::find(std::begin(of_queries), std::end(of_queries), held) != std::end(of_queries))
        view.close_ups.word.token = row;
}

// It takes the place of the canvas: a room that has none gives way to one that has.
void open_close_up(const Session& session, View& view, CloseUp which) {
    view.close_ups.open = which;
    if (which == CloseUp::none) return;
    if (view.room == Room::heads || is_small_page(view.room)) view.room = Room::explore;
    if (which != CloseUp::workings && which != CloseUp::word && which != CloseUp::tokens) return;
    view.playing = false;
    look_at_held_row(session, view);
}

void add_workings_commands(CommandRegistry& commands, const Session& session, View& view) {
    using namespace argument;
    // `set` gets the workings of the present step; it may return an Error.
    const auto add = [&](std::string_view words, std::vector<Argument> arguments, auto set) {
        commands.add_with_model(words, std::move(arguments), [&, set](const Arguments& in) -> Result<Done> {
            Workings workings = present_workings(session);
            const Result<Done> done = set(in, workings);
            if (done) view.close_ups.workings = workings;
            return done;
        });
    };
    const auto go_to_row = [](Workings& workings, Index row) -> Result<Done> {
        if (row != workings.row) workings.phase = 0;
        workings.row = row;
        return Done{};
    };
    add("workings", {"next|previous"}, [&](const Arguments& in, Workings& workings) -> Result<Done> {
        workings.playing = false;
        in.said("next") ? void(to_next_phase(session, workings)) : to_previous_phase(session, workings);
        return Done{};
    });
    add("workings row", {"next|previous"}, [=, &session](const Arguments& in, Workings& workings) {
        const Index row = workings.row + (in.said("next") ? 1 : -1);
        return go_to_row(workings, std::clamp<Index>(row, 0, last_row(session)));
    });
    add("workings row", {whole("ROW")},
        [=, &session](const Arguments& in, Workings& workings) -> Result<Done> {
            const Index row = in.whole("ROW"), last = last_row(session);
            if (row >= 0 && row <= last) return go_to_row(workings, row);
            return Error{"error.out_of_range", {"workings row", "0", std::to_string(last)}};
        });
    add("workings", {"play|pause|toggle"}, [&](const Arguments& in, Workings& workings) -> Result<Done> {
        if (in.said("play") || (in.said("toggle") && !workings.playing))
            play(session, workings);
        else
            workings.playing = false;
        return Done{};
    });
}

void add_word_commands(CommandRegistry& commands, const Session& session, View& view) {
    using namespace argument;
    // `set` gets the word that is followed, and the attention; it may return an Error.
    const auto add = [&](std::vector<Argument> arguments, auto set) {
        const auto run = [&, set](const Arguments& in) -> Result<Done> {
            const std::optional<FollowedAttention> attention = followed_attention(session);
            if (!attention) // or one that adds where others multiply
                return Error{session.model().map().attentions.empty() ? "error.no_attention"
                                                                      : "error.other_attention",
                             {session.model().name}};
            FollowedWord word = view.close_ups.word;
            word.token = followed_token(session, *attention);
            const Result<Done> done = set(in, word, *attention);
            if (done) view.close_ups.word = word;
            return done;
        };
        commands.add_with_model("word", std::move(arguments), run).replayable = true;
    };
    const auto last = [](const FollowedAttention& attention) { return attention.q->value.rows() - 1; };
    add({"next|previous"},
        [last](const Arguments& in, FollowedWord& word, const FollowedAttention& attention) {
            word.token = std::clamp<Index>(word.token + (in.said("next") ? 1 : -1), 0, last(attention));
            return Done{};
        });
    add({"step", whole("+N")},
        [&session](const Arguments& in, FollowedWord& word, const FollowedAttention& attention) {
            word.stage = stage_after(session, attention, in.whole("+N"));
            word.playing = false;
            return Done{};
        });
    add({"matrices|words"}, [](const Arguments& in, FollowedWord& word, const FollowedAttention&) {
        word.as_matrices = in.said("matrices");
        return Done{};
    });
    add({"play|pause|toggle"}, [](const Arguments& in, FollowedWord& word, const FollowedAttention&) {
        if (in.said("play") || (in.said("toggle") && !word.playing))
            play(word);
        else
            word.playing = false;
        return Done{};
    });
    add({whole("TOKEN")},
        [last](const Arguments& in, FollowedWord& word, const FollowedAttention& attention) -> Result<Done> {
            word.token = in.whole("TOKEN");
            if (word.token >= 0 && word.token <= last(attention)) return Done{};
            return Error{"error.out_of_range", {"word", "0", std::to_string(last(attention))}};
        });
}

} // namespace

void add_close_up_commands(CommandRegistry& commands, const Session& session, View& view) {
    using namespace argument;
    SettingsOf shown(commands, of_view(view, itself));
    shown.change("closeup", {"off|step|positions|workings|word|tokens"}, [&](View& all, const Arguments& in) {
        open_close_up(session, all, CloseUp(in.place())); // as they are declared there
    });
    commands.add("view", {"canvas|step|next"}, [&](const Arguments& in) {
        const bool is_step = view.close_ups.open == CloseUp::step;
        open_close_up(session, view,
                      in.said("canvas") || (in.said("next") && is_step) ? CloseUp::none : CloseUp::step);
    });
    shown.add("positions", within(&View::close_ups, &CloseUps::picture), "codes|curves|distances");
    add_workings_commands(commands, session, view);
    add_word_commands(commands, session, view);
    add_cut_commands(commands, session, view);
}

bool close_up_plays(const View& view) {
    const CloseUp open = view.close_ups.open;
    return (open == CloseUp::workings && view.close_ups.workings.playing)
           || (open == CloseUp::word && view.close_ups.word.playing)
           || (open == CloseUp::tokens && view.close_ups.cut.playing);
}

bool advance_close_up(const Session& session, View& view, double seconds) {
    if (!session.has_model() || !close_up_plays(view)) return false;
    if (view.close_ups.open == CloseUp::tokens) return advance_cut_film(session, view, seconds);
    const double phase_lasts = 1 / view.steps_per_second;
    if (view.close_ups.open == CloseUp::word) {
        FollowedWord& word = view.close_ups.word;
        word.clock += seconds;
        if (word.clock < phase_lasts) return false;
        word.clock = 0;
        const std::optional<FollowedAttention> attention = followed_attention(session);
        if (attention) word.stage = stage_after(session, *attention, 1);
        word.playing = attention && word.stage != WordStage::sum;
        return true;
    }
    Workings workings = present_workings(session);
    const bool further_column = present_row(session).is_product && workings.phase >= 3;
    const double lasts = further_column ? phase_lasts / columns_in_a_phase : phase_lasts;
    workings.clock += seconds;
    const bool due = workings.clock >= lasts;
    if (due) {
        workings.clock = 0;
        workings.playing = to_next_phase(session, workings);
    }
    view.close_ups.workings = workings;
    return due;
}

} // namespace headlight
