// Two Transformers trained beside one another, alike but for their norm: their losses, what they get right,
// and how far the answer to one sentence hangs on the others in its batch.
#include "app/session/norms_race.h"
#include "app/ui/asking/asked.h"
#include "app/ui/rooms/norms/norms_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

Colour norm_colour(bool batch) { return colours().series[batch ? 1 : 0]; }
// Of batch norm by the batch at hand.
Colour own_batch_colour() { return colours().series[2]; }

struct NormCurve {
    std::vector<float> x, y;
};

template <class Number>
NormCurve curve_over_steps(const RaceNews& news, std::string_view racer, const Number& number) {
    NormCurve curve;
    for (const LaneNews& lane : news.lanes)
        for (const RaceCheckpoint& checkpoint : lane.checkpoints)
            if (lane.model == racer) {
                curve.x.push_back(float(checkpoint.step));
                curve.y.push_back(float(number(checkpoint)));
            }
    return curve;
}

void norm_plots(const ScreenRect& rect, const Session& session) {
    const Strings& s = session.strings();
    const RaceNews& news = *session.norms_race().news();
    const float gap = px(16), width = std::floor((rect.width() - gap) * 0.44f); // of the one with fewer names
    const auto loss = [](const RaceCheckpoint& m) { return m.loss; };
    const auto kept = [](const RaceCheckpoint& m) { return m.held_out.token_accuracy * 100; };
    const auto own = [](const RaceCheckpoint& m) {
        return m.by_batch ? m.by_batch->token_accuracy * 100 : 0;
    };
    const NormCurve layer_loss = curve_over_steps(news, "layer-norm", loss),
                    batch_loss = curve_over_steps(news, "batch-norm", loss),
                    layer_right = curve_over_steps(news, "layer-norm", kept),
                    kept_right = curve_over_steps(news, "batch-norm", kept),
                    own_right = curve_over_steps(news, "batch-norm", own);
    const std::string layer = s.text("normed.line.layer"), batch = s.text("normed.line.batch"),
                      by_kept = s.text("normed.line.kept"), by_own = s.text("normed.line.own");
    const std::array<PlotSeries, 2> losses = {
        PlotSeries{.label = layer, .y = layer_loss.y, .x = layer_loss.x, .colour = norm_colour(false)},
        PlotSeries{.label = batch, .y = batch_loss.y, .x = batch_loss.x, .colour = norm_colour(true)}};
    const std::array<PlotSeries, 3> right = {
        PlotSeries{.label = layer, .y = layer_right.y, .x = layer_right.x, .colour = norm_colour(false)},
        PlotSeries{.label = by_kept, .y = kept_right.y, .x = kept_right.x, .colour = norm_colour(true)},
        PlotSeries{.label = by_own, .y = own_right.y, .x = own_right.x, .colour = own_batch_colour()}};
    const float steps = float(news.race.plan.steps);
    const std::array<float, 2> ticks = {std::round(steps / 2), steps};
    plot({.name = "norms.losses",
          .title = s.text("normed.losses"),
          .x_axis = s.text("normed.steps"),
          .y_axis = s.text("normed.losses.y"),
          .series = losses,
          .ticks_x = ticks,
          .low_y = 0.f},
         ScreenRect::at(rect.min.x, rect.min.y, width, rect.height()));
    plot({.name = "norms.right",
          .title = s.text("normed.right"),
          .x_axis = s.text("normed.steps"),
          .y_axis = "%",
          .series = right,
          .ticks_x = ticks,
          .low_y = 0.f,
          .high_y = 100.f},
         {{rect.min.x + width + gap, rect.min.y}, rect.max});
}

std::string percent(double share) { return percent_text(share, 1); }

// What each reaches on all held-out sentences.
void judged_table(const ScreenRect& rect, const Session& session, const NormsTrained& trained) {
    const Strings& s = session.strings();
    Table table{.name = "norms.judged",
                .columns = {{{s.text("normed.judged"), colours().ink, {}, 0, &faces().strong}, Align::left},
                            {.heading = {s.text("normed.judged.words")}, .least = px(60)},
                            {.heading = {s.text("normed.judged.loss")}, .least = px(60), .spare = 1},
                            {.heading = {s.text("normed.judged.whole")}, .least = px(60), .spare = 2}},
                .height = rect.height()};
    for (const NormsJudged& one : trained.judged)
        table.rows.push_back(
            {{{.text = !one.batch_norm    ? s.text("normed.judged.layer")
                       : one.at_once == 0 ? s.text("normed.judged.kept")
                                          : s.text("normed.judged.own", {std::to_string(one.at_once)}),
               .dot = one.at_once > 0 ? own_batch_colour() : norm_colour(one.batch_norm)},
              {percent(one.held_out.token_accuracy)},
              {format_number(one.held_out.loss, 3)},
              {percent(one.held_out.exact_match)}}});
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    draw_table(table, column);
}

// One sentence, in one batch after another.
void beside_table(const ScreenRect& rect, const Session& session, const NormsTrained& trained) {
    const Strings& s = session.strings();
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    draw_label(pen(), faces().strong, column.take(table_line()), colours().ink,
               s.text("normed.beside", {trained.pair.source, trained.pair.target}));
    Table table{.name = "norms.beside",
                .columns = {{.align = Align::left},
                            {{s.text("normed.beside.other", {std::to_string(trained.others)})},
                             Align::left,
                             &faces().body,
                             px(90),
                             1,
                             1},
                            {{s.text("normed.beside.said")}, Align::left, &faces().body, px(100), 1.1f},
                            {{s.text("normed.beside.own")}, Align::right, &faces().caption},
                            {{s.text("normed.beside.kept")}, Align::right, &faces().caption}},
                .height = rect.max.y - column.y};
    const auto row = [&](Colour dot, const std::string& other, const std::string& said, std::string own,
                         std::string kept) {
        table.rows.push_back({{{.dot = dot},
                               {other},
                               {said, said == trained.pair.target ? colours().ink : colours().alarm},
                               {std::move(own)},
                               {std::move(kept)}}});
    };
    row(norm_colour(false), s.text("normed.judged.layer"), trained.by_layer,
        format_number(trained.layer_loss, 3), "");
    row(norm_colour(true), s.text("normed.beside.kept.row"), trained.beside.front().by_kept, "",
        format_number(trained.beside.front().loss_by_kept, 3));
    for (const NormsBeside& one : trained.beside)
        row(own_batch_colour(), one.first_other + " …", one.by_batch, format_number(one.loss_by_batch, 3),
            format_number(one.loss_by_kept, 3));
    draw_table(table, column);
}

void train_buttons(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const NormsRace& race = session.norms_race();
    const RaceNews* news = race.news();
    const NormsSetting& setting = session.small_pages().norms;
    const bool is_same = news && news->race.plan == norms_plan(setting), goes = race.is_going();
    const bool rests = is_same && !goes && !news->is_over();
    const char* key = goes ? "normed.train.stop" : rests ? "normed.train.continue" : "normed.train.start";
    if (ControlRow(column).button("norms.train", s.text(key),
                                  {.tooltip = s.text("normed.train.tip"),
                                   .kind = goes ? ButtonKind::plain : ButtonKind::primary,
                                   .enabled = goes || !is_same || rests}))
        commands.emit(goes ? "norms train stop" : "norms train start");
    if (!news) return;
    Index least = news->race.plan.steps;
    for (const LaneNews& lane : news->lanes)
        least = std::min(least, lane.step > 0              ? lane.step
                                : lane.checkpoints.empty() ? Index(0)
                                                           : lane.checkpoints.back().step);
    const RacePlan& plan = news->race.plan;
    column_note(column, s.text("normed.train.steps", {format_whole(least), format_whole(plan.steps),
                                                      s.text("learn.task." + plan.task)}));
}

void trained_side(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const NormsSetting& setting = session.small_pages().norms;
    ScrolledColumn scrolled("normstrainedside", rect);
    PanelColumn& column = scrolled.column;
    norms_what_choice(column, session, commands);
    column_caption(column, s.text("normed.task"));
    std::vector<Chip> tasks, steps;
    for (const std::string_view name : norms_task_names)
        tasks.push_back(
            {s.text("learn.task." + std::string(name)), s.text("normed.task.tip"), setting.task == name});
    if (const auto pressed = column_chips(column, "norms.task", tasks))
        commands.emit("norms task " + std::string(norms_task_names[std::size_t(*pressed)]));
    constexpr std::array<Index, 4> offered = {200, 400, 800, 1600};
    column_caption(column, s.text("normed.steps"));
    for (const Index count : offered)
        steps.push_back({format_whole(count), s.text("normed.steps.tip"), setting.steps == count});
    if (const auto pressed = column_chips(column, "norms.steps", steps))
        commands.emit("norms steps " + std::to_string(offered[std::size_t(*pressed)]));
    train_buttons(column, session, commands);
    if (session.norms_race().trained()) {
        if (ControlRow(column).button("norms.held-out.next", s.text("normed.sentence.next"),
                                      {.tooltip = s.text("normed.sentence.next.tip")}))
            commands.emit("norms held-out next");
    }
    if (session.view().teaching.on) return;
    column_heading(column, s.text("normed.trained.title"));
    column_text(column, faces().body, colours().ink_soft, s.text("normed.trained.text"));
}

} // namespace

void norms_trained_page(const PageFrame& frame, const Session& session, CommandSink& commands) {
    if (frame.has_side) trained_side(frame.side, session, commands);
    const ScreenRect& rect = frame.main;
    if (!session.norms_race().news()) {
        PanelColumn column{rect.min.x, rect.min.x + std::min(rect.width(), px(560)), rect.min.y};
        column_heading(column, session.strings().text("normed.trained.none.title"));
        column_paragraph(column, session.strings().text("normed.trained.none"));
        if (ControlRow(column).button(
                "norms.begin", session.strings().text("normed.train.start"),
                {.tooltip = session.strings().text("normed.train.tip"), .kind = ButtonKind::primary}))
            commands.emit("norms train start");
        return;
    }
    const NormsTrained* trained = session.norms_race().trained();
    const float tables = trained ? std::min(table_line() * 10 + px(6), rect.height() * 0.56f) : 0;
    norm_plots({rect.min, {rect.max.x, rect.max.y - tables - px(trained ? 8 : 0)}}, session);
    if (!trained) return;
    const float split = std::floor(rect.min.x + rect.width() * (theme().presents() ? 0.52f : 0.46f)),
                top = rect.max.y - tables;
    judged_table({{rect.min.x, top}, {split - px(14), rect.max.y}}, session, *trained);
    beside_table({{split + px(6), top}, rect.max}, session, *trained);
}

// Batch norm beside layer norm: along which cells each takes mean and deviation, and what one longer sentence
// in the batch does to the others under each.

namespace {

constexpr const char* model_that_pads = "translate-en-pt";

// Nothing is normed or padded here: what to open instead.
void no_norms(PanelColumn column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    column_paragraph(column, s.text("normed.none", {session.model().name, model_that_pads}));
    if (ControlRow(column).button("norms.open", s.text("normed.open", {model_that_pads}),
                                  {.tooltip = s.text("normed.open.tip")}))
        commands.emit(std::string("model ") + model_that_pads);
}

// Of every other sentence, the largest difference in its own words; a click leads to it.
void table_of_changes(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const NormsPage& page = *session.norms();
    column_text(column, faces().caption, colours().ink_soft, s.text("normed.changes"));
    Table table{.columns = {{.align = Align::left, .face = &faces().caption, .share = 1},
                            {.heading = {"X"}},
                            {.heading = {s.text("normed.layer.short")}},
                            {.heading = {s.text("normed.batch.short")}}},
                .line = std::ceil(faces().caption.size * 1.7f)};
    for (Index n = 0; n < page.computed->samples; ++n) {
        const std::string &text = page.sentences[std::size_t(n)].text, number = std::to_string(n + 1);
        TableRow row{.cells = {{number + "  " + text}},
                     .name = "norms.changed." + number,
                     .tooltip = s.text("normed.changed.tip", {text})};
        for (const char* value : {"input", "layer", "batch"}) {
            const double largest = page.largest_change(value, n).largest;
            row.cells.push_back(
                {format_number(largest, 2), largest > 1e-3 ? colours().alarm : colours().ink});
        }
        table.rows.push_back(std::move(row));
    }
    if (const auto pressed = draw_table(table, column).pressed) {
        if (session.small_pages().norms.shown != NormsShown::change) commands.emit("norms show change");
        commands.emit(
            select_command({"norms.change.batch", page.largest_change("batch", Index(*pressed)).cell}));
    }
    column.skip(px(12));
}

void norms_side(const ScreenRect& rect, Index features, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const NormsPage& page = *session.norms();
    const NormsSetting& setting = session.small_pages().norms;
    ScrolledColumn scrolled("normsside", rect);
    PanelColumn& column = scrolled.column;
    norms_what_choice(column, session, commands);
    const auto words = [&] {
        if (session.view().teaching.on) return;
        column_heading(column, s.text("normed.title"));
        column_paragraph(column, s.text("normed.text"));
    };
    const bool controls_first = theme().presents();
    if (!controls_first) words();
    column_caption(column, s.text("normed.show"));
    const auto chip = [&](NormsShown shown, const char* key, const char* tip) {
        return Chip{s.text(key), s.text(tip), setting.shown == shown};
    };
    const std::array<Chip, 3> shown = {
        chip(NormsShown::without, "normed.show.without", "normed.show.without.tip"),
        chip(NormsShown::with, "normed.show.with", "normed.show.with.tip"),
        chip(NormsShown::change, "normed.show.change", "normed.show.change.tip")};
    if (const auto pressed = column_chips(column, "norms.show", shown))
        commands.emit("norms show " + std::string(norms_shown_names[std::size_t(*pressed)]));
    struct TypedLonger {
        std::string text, was;
    };
    TypedLonger& typed = ui().state<TypedLonger>();
    const std::string& used = page.sentences.back().text;
    if (typed.was != used) typed = {used, used}; // undone, of a session, or of another model
    column_caption(column, s.text("normed.longer"));
    if (ControlRow(column).field("norms.longer", typed.text,
                                 {.tooltip = s.text("normed.longer.tip"), .hint = s.text("normed.longer")})
            != FieldEvent::none
        && typed.text != typed.was && !trim(typed.text).empty()) {
        typed.was = typed.text;
        commands.emit("drag norms sentence " + typed.text);
    }
    column.skip(px(6));
    table_of_changes(column, session, commands);
    const Index last = page.computed->graph.find("norms.input")->value.columns() - features;
    if (last > 0) {
        float feature = float(std::min(setting.feature, last));
        if (ControlRow(column).slider("norms.feature", s.text("normed.feature"), feature, 0, float(last),
                                      {.tooltip = s.text("normed.feature.tip"), .step = 1}))
            commands.emit("drag norms feature " + std::to_string(std::lround(feature)));
    }
    if (column_chip(column, "norms.reset", {s.text("plain.reset"), s.text("normed.reset.tip")}))
        commands.emit("norms reset");
    if (controls_first) words();
}

} // namespace

void norms_what_choice(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    std::vector<Chip> pages;
    for (std::size_t i = 0; i < std::size(norms_what_names); ++i) {
        const std::string key = "normed.page." + std::string(norms_what_names[i]);
        pages.push_back(
            {s.text(key), s.text(key + ".tip"), session.small_pages().norms.page == NormsWhat(i)});
    }
    if (const auto pressed = column_chips(column, "norms.page", pages))
        commands.emit("norms page " + std::string(norms_what_names[std::size_t(*pressed)]));
}

void norms_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    small_page_asking().begin_frame();
    const PageFrame frame = page_frame(body, session);
    if (session.small_pages().norms.page == NormsWhat::trained)
        return norms_trained_page(frame, session, commands);
    if (!first_padded_norm(session.model().map())) {
        no_norms({frame.main.min.x, frame.main.max.x, frame.main.min.y}, session, commands);
        if (!frame.has_side) return;
        ScrolledColumn scrolled("normsside", frame.side);
        return norms_what_choice(scrolled.column, session, commands);
    }
    if (!session.norms()) return; // until the next command
    const Index features = norms_sheets(frame.main, session, commands);
    if (!page_answer(frame, session, commands) && frame.has_side)
        norms_side(frame.side, features, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
