// The training of a net of gradient descent: the way down that was walked, from step to step.
#include "app/ui/asking/asking_panel.h"
#include "app/ui/closeup/closeups.h"
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/rooms/train/training_parts.h"
#include "app/ui/widgets/menu.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

void choose_trained(PanelColumn& column, const Session& session, CommandSink& commands) {
    if (!session.shows_way()) return;
    const Strings& s = session.strings();
    const bool is_net = session.trains_net();
    const std::array<Chip, 2> choices = {
        Chip{s.text("ground.way.net"), s.text("ground.way.net.tip"), is_net},
        Chip{s.text("ground.way.runs"), s.text("ground.way.runs.tip"), !is_net}};
    const auto pressed = chips("way.trained", choices, column);
    column.skip(px(10));
    if (!pressed) return;
    commands.emit(*pressed == 0 ? "desk net" : "desk runs");
    if (*pressed == 1 && session.training().training.run()) commands.emit("train run");
}

void way_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const Descent& way = *session.small_pages().descended;
    ScrolledColumn scrolled("way", rect);
    PanelColumn& column = scrolled.column;
    const float top = column.y;
    const bool alone = session.view().alone, held = session.view().asking.held.has_value();
    if (!alone && !held) { // then the buttons stand above the answer
        choose_trained(column, session, commands);
        if (!theme().presents()) { // it is the steps that one looks for on a wall
            column_heading(column, s.text("ground.way.title"));
            column_note(column, s.text("ground.way.text"));
        }
        descent_walking(column, session, commands);
    }
    column_text(column, faces().body, colours().ink,
                s.text("ground.way.standing",
                       {format_whole(way.step()), format_whole(way.last()), format_number(way.cost(), 4)}));
    if (way.diverged())
        column_text(column, faces().body, colours().alarm,
                    s.text("ground.diverged", {format_whole(way.last())}));
    column.skip(px(8));
    const float left = rect.height() - (column.y - top) - px(28);
    const ScreenRect costs = column.take(std::max(left, px(150)));
    descent_costs(costs, session, commands);
    widgets().record("desk", rect);
}

namespace {

// The lines of a text of one's own as its tokens show them.
std::string on_one_line(std::string_view text) {
    std::string line;
    for (const char c : text) line += c == '\n' ? "⏎" : std::string(1, c == '\r' || c == '\t' ? ' ' : c);
    return line;
}

// Words one after another, in as many lines as it takes; those that are not right stand out in colour and by
// a line: below a word that should not be there, dots below one that is missing.
void judged_words(TrainingContext& context, std::span<const JudgedWord> words, Colour right, Colour wrong) {
    const Face& face = faces().body;
    const float line = face.size * line_spacing + px(3), space = std::ceil(text_width(face, " ")) + px(1);
    float x = context.column.left;
    for (const JudgedWord& word : words) {
        const float width = std::ceil(text_width(face, word.text));
        if (x > context.column.left && x + width > context.column.right) {
            x = context.column.left;
            context.column.skip(line);
        }
        draw_text(pen(), face, {x, context.column.y}, word.right ? right : wrong, word.text);
        if (!word.right) {
            const float y = std::round(context.column.y + face.size * 1.12f);
            pen().AddRectFilled({x, y}, {x + width, y + px(1.5f)}, wrong);
        }
        x += width + space;
    }
    context.column.skip(line);
}

void example(TrainingContext& context, const JudgedExample& example, std::size_t number) {
    const Strings& s = context.strings();
    const float top = context.column.y;
    context.column.skip(px(4));
    const ScreenRect head = context.column.take(faces().caption.size * 1.5f);
    draw_text_in(pen(), faces().caption, {head.min, {head.min.x + px(16), head.max.y}},
                 example.exact ? colours().positive : colours().alarm, example.exact ? "✓" : "×");
    draw_label(pen(), faces().caption, {{head.min.x + px(18), head.min.y}, head.max}, colours().ink_faint,
               on_one_line(example.source));
    if (example.output.empty())
        small_caption(context, s.text("window.output.empty"));
    else
        judged_words(context, example.output, colours().ink, colours().alarm);
    if (!example.exact) {
        small_caption(context, s.text("learn.examples.wanted"));
        judged_words(context, example.wanted, colours().ink_faint, colours().warning);
    }
    context.column.skip(px(4));
    const std::string id = "example." + std::to_string(number);
    const ScreenRect all{{context.column.left, top}, {context.column.right, context.column.y}};
    const Pressable p = pressable(id.c_str(), all);
    if (p.hovered) pen().AddRect(all.min, all.max, colours().line, px(5));
    tooltip_when_resting(id, all, p.hovered, s.text("learn.examples.tip"));
    if (p.pressed) context.commands.emit("source " + example.source);
    pen().AddRectFilled({all.min.x, all.max.y}, {all.max.x, all.max.y + 1}, colours().line);
    context.column.skip(px(2));
}

} // namespace

void examples_page(TrainingContext& context) {
    const Run* run = context.run();
    const Strings& s = context.strings();
    if (!run || run->examples.empty()) {
        running_text(context, s.text("learn.examples.empty"));
        return;
    }
    small_caption(context, s.text(judged_on_training(*run) ? "learn.examples.seen" : "learn.examples.title"));
    context.column.skip(px(4));
    for (std::size_t i = 0; i < run->examples.size(); ++i) example(context, run->examples[i], i);
}

namespace {

// As a list that opens, where height is dear.
void choose_page_in_list(TrainingContext& context, TrainingPage present) {
    const Strings& s = context.strings();
    std::vector<std::string> pages;
    for (int i = 0; i < training_pages; ++i)
        pages.push_back(s.text("learn.page." + std::string(name_of(TrainingPage(i)))));
    const std::string& label = pages[std::size_t(present)];
    const DropList list{"desk", label, s.text("learn.page." + std::string(name_of(present)) + ".tip"), pages,
                        int(present)};
    const float width = std::min(drop_list_width(label), context.column.width());
    if (const auto picked = drop_list({context.column.left, context.column.y}, width, list))
        context.commands.emit("desk " + std::string(name_of(TrainingPage(*picked))));
    context.column.skip(control_height() + px(8));
}

void choose_page(TrainingContext& context, TrainingPage present) {
    const Strings& s = context.strings();
    std::vector<Chip> pages;
    for (int i = 0; i < training_pages; ++i) {
        const std::string key = "learn.page." + std::string(name_of(TrainingPage(i)));
        pages.push_back({s.text(key), s.text(key + ".tip"), present == TrainingPage(i)});
    }
    if (const auto pressed = column_chips(context.column, "desk", pages))
        context.commands.emit("desk " + std::string(name_of(TrainingPage(*pressed))));
    context.column.skip(px(4));
}

} // namespace

void training_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (rect.empty()) return;
    if (session.trains_net()) return way_panel(rect, session, commands);
    const TrainingPage page =
        session.view().training_pages.page(session.training().training.run() != nullptr);
    TrainingContext context{session, commands, {rect.min.x, rect.max.x, rect.min.y}};
    // The controls stay where they are while the page below them scrolls; in a low window all else does.
    const bool held = session.view().asking.held.has_value(); // then the answer stands below the controls
    const bool all_scrolls = !held && rect.height() < px(430);
    float pages_at = 0; // where the choice of pages stands
    // A page that fills the window is looked at; only the settings are of no use without the controls.
    const bool alone = session.view().alone && page != TrainingPage::settings;
    const auto header = [=, &pages_at](TrainingContext& where) {
        if (alone) return;
        // A curve is looked at, and says most of what the figures say.
        const bool is_low = theme().presents() && page == TrainingPage::curves && rect.height() < px(430);
        if (!held && !(is_low && where.run())) run_standing(where);
        pages_at = where.column.y;
        is_low ? choose_page_in_list(where, page) : choose_page(where, page);
    };
    if (!alone) choose_trained(context.column, session, commands);
    if (!alone && !held) run_controls(context);
    if (!all_scrolls) header(context);

    const ScreenRect below{{rect.min.x, context.column.y}, rect.max};
    if (session.view().teaching.cover.picture && page != TrainingPage::settings)
        return covered_picture(below, session);
    const float bar = ImGui::GetStyle().ScrollbarSize + px(4);
    ImGui::SetCursorScreenPos(below.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushID(int(page)); // each page keeps its own place
    ImGui::BeginChild("desk.page", {below.width(), below.height()}, false, ImGuiWindowFlags_NoBackground);
    const float scrolled = ImGui::GetScrollY();
    TrainingContext inside{session, commands, {below.min.x, below.max.x - bar, below.min.y - scrolled}};
    if (all_scrolls) {
        header(inside);
        // A page that was chosen comes into sight, below the choice of pages.
        if (context.state.page && *context.state.page != page)
            ImGui::SetScrollY(pages_at - below.min.y + scrolled);
    }
    context.state.page = page;
    switch (page) {
    case TrainingPage::settings:
        settings_page(inside);
        break;
    case TrainingPage::curves:
        curves_page(inside, below.max.y - scrolled - px(4));
        break;
    case TrainingPage::examples:
        examples_page(inside);
        break;
    case TrainingPage::words:
        words_page(inside);
        break;
    case TrainingPage::backward:
        backward_page(inside);
        break;
    case TrainingPage::checkpoints:
        checkpoints_page(inside);
        break;
    }
    // What the page is as high as.
    ImGui::SetCursorScreenPos({below.min.x, inside.column.y});
    ImGui::Dummy({1, page == TrainingPage::curves ? 1 : px(10)});
    ImGui::EndChild();
    ImGui::PopID();
    ImGui::PopStyleVar();
    widgets().record("desk", rect);
}

void training_room(const ScreenRect& body, const Session& session, CanvasView& canvas,
                   CommandSink& commands) {
    const TrainingPage page =
        session.view().training_pages.page(session.training().training.run() != nullptr);
    if (session.view().alone && page != TrainingPage::backward) { // which is about what the canvas shows
        canvas.hide();
        canvas.hinted.reset();
        pen().AddRectFilled(body.min, body.max, colours().card, px(10));
        ScreenRect inner = body.inset(px(14));
        // What is set stands beside what it is called.
        if (page == TrainingPage::settings) inner.max.x = std::min(inner.max.x, inner.min.x + px(560));
        return training_panel(inner, session, commands);
    }
    if (session.view().alone) return canvas_or_closeup(body, session, canvas, commands);
    const float width = std::clamp(body.width() * 0.34f, px(330), px(470));
    const auto [view, side] = with_side(body, width);
    const std::optional<NamedCell>& held = session.view().asking.held;
    if (session.has_model()) {
        canvas_or_closeup(view, session, canvas, commands);
    } else {
        pen().AddRectFilled(view.min, view.max, colours().card, px(10));
        const std::string& text = session.strings().text("learn.no_model");
        const float words = std::min(view.width() - px(60), px(420));
        draw_wrapped(pen(), faces().body, {view.centre().x - words / 2, view.centre().y - px(30)}, words,
                     colours().ink_soft, text);
    }
    pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    const ScreenRect inner{{side.min.x + px(16), side.min.y + px(12)},
                           {side.max.x - px(14), side.max.y - px(10)}};
    // A number that is held is answered below the controls; the training waits below the answer, where there
    // is room for both, until it is let go.
    canvas.hinted.reset();
    if (!held) return training_panel(inner, session, commands);
    TrainingContext context{session, commands, {inner.min.x, inner.max.x, inner.min.y}};
    if (session.trains_net())
        context.column.skip(descent_controls(inner, session, commands));
    else
        run_controls(context);
    const ScreenRect rest{{inner.min.x, context.column.y}, inner.max};
    const bool has_both = rest.height() >= px(380);
    const float answered = has_both ? rest.height() * 0.5f : rest.height();
    canvas.hinted = asking_panel({rest.min, {rest.max.x, rest.min.y + answered}}, session, commands, {});
    if (!has_both) return;
    pen().AddRectFilled({rest.min.x, rest.min.y + answered + px(5)},
                        {rest.max.x, rest.min.y + answered + px(5) + 1}, colours().line);
    training_panel({{rest.min.x, rest.min.y + answered + px(12)}, rest.max}, session, commands);
}

} // namespace headlight
