// What goes wrong in a run, said in a sentence.
#include "app/live/run_findings.h"
#include "app/ui/rooms/train/training_parts.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace headlight {

namespace {

std::string share(double part) { return format_number(100 * part, 3) + " %"; }

std::string sentence_of(const Strings& s, const RunFinding& found, const Run& run) {
    const std::string step = format_whole(found.step), value = format_number(found.value, 3),
                      now = format_number(found.now, 3), chance = format_number(chance_loss(*run.model), 3),
                      words = format_whole(words_to_choose_from(*run.model));
    switch (found.sign) {
    case RunSign::too_fast:
        return s.text("learn.sign.too_fast", {value, chance, setting(run.settings, "learning_rate")});
    case RunSign::silent:
        return s.text("learn.sign.silent", {share(found.value)});
    case RunSign::overfitting:
        return s.text("learn.sign.overfitting", {value, step, now});
    case RunSign::memorised:
        return s.text("learn.sign.memorised", {format_whole(run.model->training_pairs)});
    case RunSign::chance:
        return s.text("learn.sign.chance", {value, words, chance});
    case RunSign::plateau:
        return s.text("learn.sign.plateau", {step, value});
    case RunSign::recedes:
        return s.text("learn.sign.recedes", {step, share(found.value), share(run.settings.goal_exact)});
    }
    return {};
}

} // namespace

const std::vector<RunFinding>& signs_of(TrainingContext& context, const Run& run) {
    TrainingPanelState& state = context.state;
    std::pair<std::string, std::vector<double>> of{
        run.name,
        {double(run.steps.size()), double(run.judged.size()), run.settings.goal_exact, double(run.training)}};
    if (state.of_signs != of) {
        state.of_signs = std::move(of);
        state.signs = run.model ? find_signs(metrics_of(run)) : std::vector<RunFinding>();
    }
    return state.signs;
}

std::string told_signs(TrainingContext& context, const Run& run) {
    const std::vector<RunFinding>& found = signs_of(context, run);
    return found.empty() ? std::string() : sentence_of(context.strings(), found.front(), run);
}

namespace {

constexpr std::array<const char*, 7> paces = {"1", "2", "4", "8", "16", "32", "all"};

std::string pace_text(const Strings& s, const std::string& pace) {
    return pace == "all" ? s.text("learn.pace.all") : s.text("learn.pace", {pace});
}

// How fast one wants to watch, above Start: a list, and a button that lets go. It ends at `right`; returns
// where it begins.
float choose_pace(TrainingContext& context, const ScreenRect& row, float right) {
    const Strings& s = context.strings();
    const double present = context.training().pace();
    const std::string now = present > 0 ? exactly(present) : "all";
    std::vector<std::string> offered;
    int chosen = -1;
    float width = drop_list_width(pace_text(s, now));
    for (const char* pace : paces) {
        if (pace == now) chosen = int(offered.size());
        offered.push_back(pace_text(s, pace));
        width = std::max(width, drop_list_width(offered.back()));
    }
    const float release = px(34), left = right - release - width;
    const std::string label = pace_text(s, now);
    const DropList list{"train.pace", label, s.text("learn.pace.tip"), offered, chosen};
    if (const auto picked = drop_list({left, row.min.y}, width, list))
        context.commands.emit("train pace " + std::string(paces[std::size_t(*picked)]));
    ImGui::SetCursorScreenPos({right - release, row.min.y});
    if (button("train.pace.all", "»",
               {.tooltip = s.text("learn.pace.all.tip"),
                .kind = ButtonKind::quiet,
                .enabled = present > 0,
                .width = 34}))
        context.commands.emit("train pace all");
    return left;
}

constexpr const char* more_label = "…";

// What is seldom done with the run that is looked at: its name, its curve, its end.
void more_of_run(TrainingContext& context, const Run& run, ImVec2 place, float width) {
    const Strings& s = context.strings();
    enum { name, curve, erase };
    const std::array<std::string, 3> choices = {s.text("learn.name"),
                                                s.text(run.hidden ? "learn.curve.show" : "learn.curve.hide"),
                                                s.text("learn.delete")};
    const std::string number = std::to_string(run.number);
    switch (
        drop_list(place, width, {"train.more", more_label, s.text("learn.more.tip"), choices}).value_or(-1)) {
    case name:
        context.state.name = run.name;
        send_keyboard_to("train.name");
        break;
    case curve:
        context.commands.emit((run.hidden ? "train show " : "train hide ") + number);
        break;
    case erase:
        context.commands.emit("train delete " + number);
        break;
    default:
        break;
    }
}

// The name in its place, until Enter, Esc or a click elsewhere.
void type_name(TrainingContext& context, ImVec2 place, float width) {
    std::string& name = *context.state.name;
    ImGui::SetCursorScreenPos(place);
    const bool entered = text_field("train.name", "", name, {.pixels = width}) == FieldEvent::entered;
    const bool ends = entered || ImGui::IsItemDeactivated();
    if (entered && !name.empty()) context.commands.emit("train name " + name);
    if (ends) context.state.name.reset();
}

// Which run is looked at; several stand side by side.
void choose_run(TrainingContext& context) {
    const Strings& s = context.strings();
    const LiveTraining& training = context.training();
    const ScreenRect row = context.column.take(control_height());
    const Run* run = context.run();
    if (!run) {
        const float end = choose_pace(context, row, row.max.x) - px(8);
        draw_label(pen(), faces().heading, {row.min, {end, row.max.y}}, colours().ink, s.text("learn.title"));
        return;
    }
    std::vector<std::string> names;
    int chosen = -1;
    for (const auto& each : training.runs()) {
        if (each.get() == run) chosen = int(names.size());
        names.push_back(each->name);
        if (each->origin)
            names.back() += s.text("learn.run.origin", {each->origin->run, format_whole(each->origin->step)});
        const std::string apart = told_apart(context.session, *each);
        if (!apart.empty()) names.back() += "  ·  " + apart;
        if (each->hidden) names.back() += "  ·  " + s.text("learn.run.hidden");
    }
    const float more = drop_list_width(more_label), dot = px(5);
    pen().AddCircleFilled({row.min.x + dot, row.centre().y}, dot, colour_of_run(*run), 24);
    const float left = row.min.x + 2 * dot + px(8);
    const float end = choose_pace(context, row, row.max.x - more);
    const float width = std::min(drop_list_width(names[std::size_t(chosen)]), end - left - px(6));
    if (context.state.name) return type_name(context, {left, row.min.y}, end - left - px(6));
    const DropList runs{"runs", names[std::size_t(chosen)], s.text("learn.run.tip"), names, chosen};
    if (const auto now = drop_list({left, row.min.y}, width, runs); now && *now != chosen)
        context.commands.emit("train run " + std::to_string(training.runs()[std::size_t(*now)]->number));
    more_of_run(context, *run, {row.max.x - more, row.min.y}, more);
}

// Start would begin a new run beside the one that is looked at.
bool begins_beside(TrainingContext& context) {
    const Run* run = context.run();
    return run && !run->training && context.training().starts_new_run() && !run->steps.empty();
}

// Start or pause, one step, back to the first step. The buttons keep their places whatever they say.
void controls(TrainingContext& context) {
    const Strings& s = context.strings();
    const Run* run = context.run();
    const bool runs = run && run->training, anew = context.training().starts_new_run();
    const std::string key = runs                 ? "learn.pause"
                            : !run || anew       ? "learn.start"
                            : run->steps.empty() ? "learn.start"
                                                 : "learn.go_on";
    float widest = 0;
    for (const char* each : {"learn.start", "learn.pause", "learn.go_on"})
        widest = std::max(widest, text_width(faces().body, s.text(each)));
    ControlRow row(context.column);
    // Own pairs were asked for, and there are none yet: nothing else is trained in their place.
    const bool lacks_pairs = context.training().settings().lacks_file();
    if (row.button("train.start", s.text(key),
                   {.tooltip = s.text(lacks_pairs              ? "learn.start.pairs.tip"
                                      : begins_beside(context) ? "learn.start.beside.tip"
                                                               : key + ".tip"),
                    .kind = ButtonKind::primary,
                    .enabled = runs || !lacks_pairs,
                    .pixels = widest + px(36)}))
        context.commands.emit(runs ? "train pause" : "train start");
    if (row.button("train.step", s.text("learn.step"),
                   {.tooltip = s.text("learn.step.tip"), .enabled = !runs && !lacks_pairs}))
        context.commands.emit("train step");
    if (row.button("train.reset", s.text("learn.reset"),
                   {.tooltip = s.text("learn.reset.tip"), .enabled = run != nullptr}))
        context.commands.emit("train reset");
}

// Numbers beside one another, each below what it is.
void figures(TrainingContext& context, const Run& run) {
    const Strings& s = context.strings();
    const std::string none = "–";
    const double pace = run.steps_per_second();
    const auto left = run.training ? run.seconds_to_goal() : std::nullopt;
    const bool has_goal = run.settings.goal_exact > 0 || run.settings.goal_steps > 0;
    constexpr std::size_t long_enough = 10; // judgements
    const bool comes_no_nearer =
        run.training && has_goal && !run.has_reached_goal() && run.judged.size() >= long_enough;
    Table table{.rows = {{}}, .line = (faces().caption.size * 1.3f + faces().mono.size * 1.35f) / 2};
    const auto figure = [&](const char* what, std::string number) {
        table.columns.push_back({.heading = {s.text(what)},
                                 .align = Align::left,
                                 .face = &faces().mono,
                                 .least = context.column.width() / 5});
        table.rows[0].cells.push_back({std::move(number)});
    };
    figure("learn.figure.step", format_whole(run.step()));
    figure("learn.figure.time", duration(run.seconds));
    figure("learn.figure.pace", pace > 0 ? format_number(pace, 3) : none);
    figure("learn.figure.left", left              ? "≈ " + duration(*left)
                                : comes_no_nearer ? s.text("learn.figure.left.none")
                                                  : none);
    draw_table(table, context.column);
}

// How much of the held-out pairs comes out word for word, on the way to the goal; where there are too few to
// hold any out, of those that it trains on.
void progress(TrainingContext& context, const Run& run) {
    const Strings& s = context.strings();
    const double exact = run.judged.empty() ? 0 : run.judged.back().exact_match;
    const double goal = context.training().settings().goal_exact;
    const std::string judged = judged_on_training(run) ? "learn.progress.trained" : "learn.progress";
    // Of few a share says little: then how many there are is said.
    constexpr std::size_t few = 20;
    const std::size_t pairs = run.model ? run.model->held_out.size() : 0; // or the first of them
    const std::string share = percent_text(exact, 1),
                      said = run.judged.empty() ? s.text(judged + ".none")
                             : pairs > 0 && pairs < few && !judged_on_training(run)
                                 ? s.text("learn.progress.few", {share, format_whole(Index(pairs))})
                                 : s.text(judged, {share});
    const ScreenRect words = context.column.take(faces().caption.size * 1.4f);
    draw_label(pen(), faces().caption, words, colours().ink_soft, said);
    if (goal > 0) {
        const std::string wanted = s.text("learn.progress.goal", {percent_text(goal, 1)});
        const float width = text_width(faces().caption, wanted) + 1;
        if (text_width(faces().caption, said) + width + px(12) < words.width())
            draw_text_in(pen(), faces().caption, {{words.max.x - width, words.min.y}, words.max},
                         colours().ink_faint, wanted, Align::right);
    }
    const ScreenRect bar = context.column.take(px(6));
    pen().AddRectFilled(bar.min, bar.max, colours().pressed, px(3));
    const float end = bar.min.x + float(exact) * bar.width();
    if (exact > 0) pen().AddRectFilled(bar.min, {end, bar.max.y}, colours().accent, px(3));
    if (goal > 0) {
        const float x = std::round(bar.min.x + float(goal) * bar.width());
        pen().AddRectFilled({x - 1, bar.min.y - px(3)}, {x + 1, bar.max.y + px(3)}, colours().ink);
    }
}

// Why it stands still, or what Start would do.
void tell_standing(TrainingContext& context, const Run& run) {
    const Strings& s = context.strings();
    if (begins_beside(context)) return small_caption(context, s.text("learn.start.beside"));
    if (run.training || !run.pause) return;
    switch (run.pause->reason) {
    case PauseReason::exact:
        return small_caption(context, s.text("learn.paused.exact"));
    case PauseReason::steps:
        return small_caption(context, s.text("learn.paused.steps"));
    case PauseReason::told:
        return small_caption(context, s.text("learn.paused.told"));
    case PauseReason::not_finite:
        return running_text(
            context, s.text("learn.paused.not_finite",
                            {format_whole(run.step() + 1), run.pause->where, format_whole(run.step())}));
    case PauseReason::failed:
        if (run.error) running_text(context, s.text(*run.error));
        return;
    }
}

// What is often said keeps its place while it is not: what stands below holds still.
void standing(TrainingContext& context, const Run& run) {
    float height = 0;
    for (const char* key :
         {"learn.paused.told", "learn.paused.steps", "learn.paused.exact", "learn.start.beside"})
        height = std::max(
            height, wrapped_height(faces().caption, context.strings().text(key), context.column.width()));
    const float end = context.column.y + height;
    tell_standing(context, run);
    context.column.y = std::max(context.column.y, end);
}

// What somebody works on stays on the screen until they ask for the run.
void show_button(TrainingContext& context, const Run& run) {
    if (context.session.training().shown || context.session.training().pending || !run.model) return;
    const Strings& s = context.strings();
    context.column.skip(px(4));
    if (ControlRow(context.column)
            .button("train.show", s.text("learn.show"), {.tooltip = s.text("learn.show.tip")}))
        context.commands.emit("train run " + std::to_string(run.number));
}

} // namespace

std::string duration(double seconds) {
    const long whole = long(std::max(0.0, seconds) + 0.5);
    char text[32];
    if (whole >= 3600)
        std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else
        std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
    return text;
}

bool judged_on_training(const Run& run) { return run.model && run.model->held_out_is_training; }

Colour colour_of_run(const Run& run) {
    const auto& series = colours().series;
    return series[std::size_t(std::max<Index>(run.colour, 0)) % series.size()];
}

std::string told_apart(const Session& session, const Run& run) {
    constexpr std::size_t most = 3;
    const Strings& s = session.strings();
    const std::vector<std::string> names = session.training().training.what_differs();
    std::string told;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        told += (i > 0 ? ", " : "") + s.text("setting." + names[i]) + " "
                + setting_value(s, names[i], setting(run.settings, names[i]));
    return names.size() > most ? told + ", …" : told;
}

void small_caption(TrainingContext& context, std::string_view text) {
    column_text(context.column, faces().caption, colours().ink_faint, text);
}

void running_text(TrainingContext& context, std::string_view text, bool soft) {
    column_text(context.column, faces().body, soft ? colours().ink_soft : colours().ink, text);
}

void run_controls(TrainingContext& context) {
    choose_run(context);
    context.column.skip(px(8));
    controls(context);
    context.column.skip(px(4));
}

void run_standing(TrainingContext& context) {
    if (const Run* run = context.run()) {
        figures(context, *run);
        context.column.skip(px(6));
        progress(context, *run);
        context.column.skip(px(6));
        standing(context, *run);
        show_button(context, *run);
    } else {
        const Strings& s = context.strings();
        running_text(context,
                     s.text("learn.empty", {task_label(context.session, context.training().settings())}));
    }
    context.column.skip(px(10));
}

} // namespace headlight
