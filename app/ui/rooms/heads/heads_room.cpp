#include "app/ui/rooms/heads/heads_room.h"

#include "app/ui/base/ui.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/widgets/chips.h"

#include <imgui.h>

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

// What the board shows.
void page_choice(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const HeadsPage page = session.state().heads.page;
    const std::vector<std::pair<HeadsPage, const char*>> pages = {{HeadsPage::grid, "grid"},
                                                                  {HeadsPage::pair, "pair"},
                                                                  {HeadsPage::masks, "masks"},
                                                                  {HeadsPage::batch, "batch"},
                                                                  {HeadsPage::sweep, "sweep"}};
    std::vector<Chip> choices;
    for (const auto& [which, name] : pages)
        choices.push_back({s.text(std::string("board.page.") + name), {}, page == which});
    if (const auto pressed = chips("page", choices, column))
        commands.emit(std::string("heads ") + pages[std::size_t(*pressed)].second);
    column.skip(theme().px(12));
}

} // namespace

void heads_room(const ScreenRect& body, const Session& session, HeadsRoom& room, CommandSink& commands) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const HeadsView& view = session.state().heads;
    const bool with_side = view.page == HeadsPage::grid;
    const float gap = t.px(12),
                width = with_side ? std::clamp(body.width() * 0.26f, t.px(260), t.px(360)) : -gap;
    const ScreenRect board{body.min, {body.max.x - width - gap, body.max.y}};
    const ScreenRect side{{board.max.x + gap, body.min.y}, {body.max.x, body.max.y}};
    list.AddRectFilled(board.min, board.max, t.colours.card, t.px(10));
    if (with_side) list.AddRectFilled(side.min, side.max, t.colours.card, t.px(10));
    const ScreenRect inner{{board.min.x + t.px(16), board.min.y + t.px(12)},
                           {board.max.x - t.px(8), board.max.y - t.px(8)}};

    PanelColumn top{inner.min.x, inner.max.x, inner.min.y};
    page_choice(top, session, commands);
    const ScreenRect page{{inner.min.x, top.y}, inner.max};

    const MeasuredAttention* attention =
        view.page == HeadsPage::grid ? room.data.find(session, view.attention) : nullptr;
    Index head = view.head;
    const bool is_roomy = page.height() > t.px(360); // what is seen comes before what is said
    if (view.page == HeadsPage::masks) {
        masks_page(page, session, commands);
    } else if (view.page == HeadsPage::pair) {
        pair_page(page, session, room, commands);
    } else if (view.page == HeadsPage::batch) {
        batch_page(page, session, room, commands);
    } else if (view.page == HeadsPage::sweep) {
        sweep_page(page, session, room, commands);
    } else if (attention) {
        head_large(page, session, room, *attention, is_roomy, commands);
    } else if (const auto hovered = heads_grid(page, session, room, commands)) {
        attention = hovered->first;
        head = hovered->second;
    }
    if (with_side)
        heads_side(
            {{side.min.x + t.px(16), side.min.y + t.px(12)}, {side.max.x - t.px(6), side.max.y - t.px(8)}},
            session, room, attention, head, !is_roomy, commands);
}

} // namespace headlight
