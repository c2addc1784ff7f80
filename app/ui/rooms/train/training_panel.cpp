#include "app/ui/rooms/train/training_parts.h"

#include "app/ui/rooms/page_frame.h"
#include "app/ui/widgets/drop_list.h"

#include <algorithm>

namespace headlight {

namespace {

// As a list that opens, where height is dear.
void choose_page_in_list(TrainingContext& context, DeskPage present) {
    const Strings& s = context.strings();
    std::vector<std::string> pages;
    for (int i = 0; i < desk_pages; ++i)
        pages.push_back(s.text("learn.page." + std::string(name_of(DeskPage(i)))));
    const std::string& label = pages[std::size_t(present)];
    const DropList list{"desk", label, s.text("learn.page." + std::string(name_of(present)) + ".tip"), pages,
                        int(present)};
    const float width = std::min(drop_list_width(label), context.column.width());
    if (const auto picked = drop_list({context.column.left, context.column.y}, width, list))
        context.commands.emit("desk " + std::string(name_of(DeskPage(*picked))));
    context.column.skip(control_height() + px(8));
}

void choose_page(TrainingContext& context, DeskPage present) {
    const Strings& s = context.strings();
    std::vector<Chip> pages;
    for (int i = 0; i < desk_pages; ++i) {
        const std::string key = "learn.page." + std::string(name_of(DeskPage(i)));
        pages.push_back({s.text(key), s.text(key + ".tip"), present == DeskPage(i)});
    }
    if (const auto pressed = column_chips(context.column, "desk", pages))
        context.commands.emit("desk " + std::string(name_of(DeskPage(*pressed))));
    context.column.skip(px(4));
}

} // namespace

void training_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (rect.empty()) return;
    if (session.trains_net()) return way_panel(rect, session, commands);
    const DeskPage page = session.view().desk.page(session.training().training.run() != nullptr);
    TrainingContext context{session, commands, {rect.min.x, rect.max.x, rect.min.y}};
    // The controls stay where they are while the page below them scrolls; in a low window all else does.
    const bool held = session.view().asking.held.has_value(); // then the answer stands below the controls
    const bool all_scrolls = !held && rect.height() < px(430);
    float pages_at = 0; // where the choice of pages stands
    // A page that fills the window is looked at; only the settings are of no use without the controls.
    const bool alone = session.view().alone && page != DeskPage::settings;
    const auto header = [=, &pages_at](TrainingContext& where) {
        if (alone) return;
        // A curve is looked at, and says most of what the figures say.
        const bool is_low = theme().presents() && page == DeskPage::curves && rect.height() < px(430);
        if (!held && !(is_low && where.run())) run_standing(where);
        pages_at = where.column.y;
        is_low ? choose_page_in_list(where, page) : choose_page(where, page);
    };
    if (!alone) choose_trained(context.column, session, commands);
    if (!alone && !held) run_controls(context);
    if (!all_scrolls) header(context);

    const ScreenRect below{{rect.min.x, context.column.y}, rect.max};
    if (session.view().teaching.cover.picture && page != DeskPage::settings)
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
        if (context.memory.page && *context.memory.page != page)
            ImGui::SetScrollY(pages_at - below.min.y + scrolled);
    }
    context.memory.page = page;
    switch (page) {
    case DeskPage::settings:
        settings_page(inside);
        break;
    case DeskPage::curves:
        curves_page(inside, below.max.y - scrolled - px(4));
        break;
    case DeskPage::examples:
        examples_page(inside);
        break;
    case DeskPage::words:
        words_page(inside);
        break;
    case DeskPage::backward:
        backward_page(inside);
        break;
    case DeskPage::moments:
        moments_page(inside);
        break;
    }
    // What the page is as high as.
    ImGui::SetCursorScreenPos({below.min.x, inside.column.y});
    ImGui::Dummy({1, page == DeskPage::curves ? 1 : px(10)});
    ImGui::EndChild();
    ImGui::PopID();
    ImGui::PopStyleVar();
    widgets().record("desk", rect);
}

} // namespace headlight
