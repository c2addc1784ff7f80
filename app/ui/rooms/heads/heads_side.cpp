#include "app/session/session_sweep.h"
#include "app/ui/changes/change_words.h"
#include "app/ui/changes/changes_parts.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "engine/text/words.h"

#include <algorithm>
#include <array>

namespace headlight {

namespace {

// A measure of the head as a bar, and a mark at what a head has that looks everywhere alike.
bool measure_row(PanelColumn& column, const Session& session, const std::string& name, double value,
                 double uniform, double full, Index queries = 0) {
    const Strings& s = session.strings();
    const ScreenRect line = column.take(faces().body.size * 1.4f);
    const Pressable p = pressable(("measure." + name).c_str(), {line.min, {line.max.x, line.max.y + px(8)}});
    draw_label(pen(), faces().body, {line.min, {line.max.x - px(60), line.max.y}},
               p.hovered ? colours().accent : colours().ink,
               s.text("heads." + name)
                   + (queries > 0 ? "  ·  " + s.text("heads.of_queries", {format_whole(queries)}) : ""));
    draw_text_in(pen(), faces().mono_small, line, colours().ink, format_number(value, 3), Align::right);
    const ScreenRect track = column.take(px(5));
    const auto at = [&](double x) {
        return track.min.x + float(std::clamp(x / full, 0.0, 1.0)) * track.width();
    };
    pen().AddRectFilled(track.min, track.max, colours().raised, px(2));
    pen().AddRectFilled(track.min, {at(value), track.max.y}, colours().probability, px(2));
    pen().AddRectFilled({at(uniform) - 1, track.min.y - px(2)}, {at(uniform) + 1, track.max.y + px(2)},
                        colours().ink);
    tooltip_when_resting("measure." + name, line, p.hovered, s.text("heads." + name + ".text"));
    column.skip(px(8));
    return p.pressed;
}

// A measure that is pressed tells below how it was made.
void measures(PanelColumn& column, const Session& session, const MeasuredAttention& attention, Index number,
              CommandSink& commands) {
    const MeasuredHead& head = attention.heads[std::size_t(number)];
    const double most = std::max(head.uniform_entropy, head.entropy);
    measure_row(column, session, "entropy", head.entropy, head.uniform_entropy, most > 0 ? most : 1);
    const std::string place = "measures.heads." + attention.path + ".";
    for (std::size_t i = 0; i < head_measures; ++i) {
        const std::string name = name_of(HeadMeasure(i));
        if (!head.value[i]) continue;
        const Index queries = is_of_repeated_words(HeadMeasure(i)) ? head.queries[i] : 0;
        if (!measure_row(column, session, name, *head.value[i], head.uniform[i].value_or(0), 1, queries))
            continue;
        const NamedCell cell{place + name, {number, 0, 0}};
        if (session.has(cell))
            commands.emit(session.view().asking.held == cell ? "unselect" : select_command(cell));
    }
}

// With a second sentence: what the earlier heads tell this one, path by path.
void who_tells(PanelColumn& column, const Session& session, const std::string& attention, Index head,
               CommandSink& commands) {
    if (!session.what_if().second()) return;
    const Strings& s = session.strings();
    column.skip(px(8));
    column_caption(column, s.text("board.who_tells"));
    constexpr std::pair<PathInput, const char*> inputs[] = {{PathInput::q, "board.sweep.by_q"},
                                                            {PathInput::k, "board.sweep.by_k"},
                                                            {PathInput::v, "board.sweep.by_v"}};
    std::vector<Chip> choices;
    for (const auto& [input, key] : inputs) choices.push_back({s.text(key), s.text("board.sweep.paths.tip")});
    const auto pressed = chips("paths", choices, column);
    if (!pressed) return;
    commands.emit("heads sweep");
    commands.emit("sweep paths " + receiver_words({attention, head, inputs[*pressed].first}));
}

// Of the head under the pointer, or of the one that is large; this one may be silenced.
void one_head(PanelColumn& column, const Session& session, const MeasuredAttention& attention, Index head,
              CommandSink& commands) {
    const Strings& s = session.strings();
    const MeasuredHead& measured = attention.heads[std::size_t(head)];
    column_text(column, faces().strong, colours().ink,
                place_words(session, attention.path) + ", "
                    + s.text("story.head_number", {std::to_string(head + 1)}));
    column_text(column, faces().body, colours().accent, s.text(measured.label()));
    column.skip(px(10));
    if (!session.view().heads.attention.empty()) {
        silence_button(column, session, attention.path, head, commands);
        column.skip(px(8));
        effect_beside(column, session, commands);
        who_tells(column, session, attention.path, head, commands);
        column_line(column);
    }
    measures(column, session, attention, head, commands);
    column_text(column, faces().caption, colours().ink_faint, s.text("board.mark"));
    column.skip(px(10));
    column_text(column, faces().caption, colours().ink_faint, s.text("heads.label.text"));
}

// Only heads with much of the measure that the grid is sorted by.
void filter_choice(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const HeadsView& view = session.view().heads;
    if (view.order.empty()) return;
    column_caption(column, s.text("board.filter", {s.text("heads." + view.order)}));
    constexpr std::array<double, 4> steps = {0.1, 0.25, 0.5, 0.75};
    std::vector<Chip> choices = {{s.text("board.filter.all"), {}, view.filter.measure.empty()}};
    for (const double least : steps)
        choices.push_back({"≥ " + exact_text(least), s.text("board.filter.tip"),
                           view.filter == HeadsFilter{view.order, least}});
    if (const auto pressed = chips("filter", choices, column))
        commands.emit(*pressed == 0
                          ? std::string("heads filter off")
                          : "heads filter " + view.order + " " + exactly(steps[std::size_t(*pressed - 1)]));
    column.skip(px(16));
}

// Where somebody goes on who does not know yet which head to look at.
void which_head_matters(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    column_caption(column, s.text("board.which"));
    if (!column_chip(column, "which", {s.text("board.which.find"), s.text("board.which.tip")})) return;
    commands.emit("heads sweep");
    commands.emit("sweep heads");
}

} // namespace

void heads_side(const ScreenRect& rect, const Session& session, const MeasuredAttention* attention,
                Index head, bool with_words, CommandSink& commands) {
    const Strings& s = session.strings();
    const HeadsView& view = session.view().heads;
    ScrolledColumn scrolled("headside", rect);
    PanelColumn& column = scrolled.column;
    if (view.attention.empty()) {
        column_heading(column, s.text("board.title"));
        column_paragraph(column, s.text("board.text"));
        which_head_matters(column, session, commands);
        column.skip(px(14));
        column_caption(column, s.text("board.order"));
        std::vector<Chip> choices = {{s.text("board.order.layer"), {}, view.order.empty()}};
        for (const std::string& name : measure_names())
            choices.push_back(
                {s.text("heads." + name), s.text("heads." + name + ".text"), view.order == name});
        if (const auto pressed = chips("order", choices, column))
            commands.emit(*pressed == 0 ? std::string("heads order")
                                        : "heads order " + measure_names()[std::size_t(*pressed - 1)]);
        column.skip(px(16));
        filter_choice(column, session, commands);
    }
    if (!attention) return;
    const bool is_one = view.attention.empty() || view.map == HeadMap::one;
    if (is_one && head < Index(attention->heads.size())) {
        one_head(column, session, *attention, head, commands);
    } else {
        constexpr const char* names[] = {"", "heads.mean.text", "heads.maximum.text", "heads.rollout.text"};
        column_text(column, faces().strong, colours().ink, title_of_map(session, *attention));
        column_text(column, faces().body, colours().ink_soft, s.text(names[int(view.map)]));
    }
    if (with_words && !view.attention.empty()) {
        column_line(column);
        words_of_map(column, session, *attention);
    }
}

} // namespace headlight
