#include "app/ui/panels/training/training_panel.h"

#include "app/ui/panels/chips.h"
#include "app/ui/panels/training/training_parts.h"
#include "app/ui/ui.h"

#include <imgui.h>

#include <algorithm>

namespace headlight {

namespace {

void choose_page(TrainingContext& context, DeskPage present) {
    const Strings& s = context.strings();
    std::vector<Chip> pages;
    for (int i = 0; i < desk_pages; ++i) {
        const std::string key = "training.page." + std::string(name_of(DeskPage(i)));
        pages.push_back({s.text(key), s.text(key + ".tip"), present == DeskPage(i)});
    }
    if (const auto pressed = chips("desk", pages, context.column))
        context.commands.emit("desk " + std::string(name_of(DeskPage(*pressed))));
    context.column.skip(theme().px(12));
}

} // namespace

void training_panel(const ScreenRect& rect, const Session& session, CommandSink& commands,
                    TrainingBoard& board) {
    if (rect.empty()) return;
    const Theme& t = theme();
    const DeskPage page = session.state().desk.page(session.training().training.run() != nullptr);
    TrainingContext context{session, commands, board, {rect.min.x, rect.max.x, rect.min.y}};
    run_header(context);
    choose_page(context, page);

    // What is longer than the column scrolls below the controls, which stay.
    const ScreenRect below{{rect.min.x, context.column.y}, rect.max};
    if (below.height() < t.px(40)) return;
    const float bar = ImGui::GetStyle().ScrollbarSize + t.px(4);
    ImGui::SetCursorScreenPos(below.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushID(int(page)); // each page keeps its own place
    ImGui::BeginChild("desk.page", {below.width(), below.height()}, false, ImGuiWindowFlags_NoBackground);
    const float scrolled = ImGui::GetScrollY();
    TrainingContext inside{
        session, commands, board, {below.min.x, below.max.x - bar, below.min.y - scrolled}};
    switch (page) {
    case DeskPage::settings:
        settings_page(inside);
        break;
    case DeskPage::curves:
        inside.column.right = below.max.x;
        curves_page(inside, below.max.y);
        break;
    case DeskPage::examples:
        examples_page(inside);
        break;
    case DeskPage::words:
        words_page(inside);
        break;
    }
    if (page != DeskPage::curves || inside.column.y + scrolled > below.max.y + 1) {
        ImGui::SetCursorScreenPos({below.min.x, inside.column.y});
        ImGui::Dummy({1, t.px(10)});
    }
    ImGui::EndChild();
    ImGui::PopID();
    ImGui::PopStyleVar();
    widgets().record("desk", rect);
}

} // namespace headlight
