#include "app/ui/rooms/page_choice.h"

#include "app/ui/asking/asked.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/widgets/drop_list.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace headlight {

namespace {

void choose_page(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    std::vector<Chip> pages;
    for (std::size_t room = std::size_t(Room::lesson); room < std::size(room_names); ++room)
        pages.push_back({s.text("window.room." + std::string(room_names[room])), s.text("window.room.tip"),
                         session.view().room == Room(room)});
    const auto pressed = theme().presents() ? chips_or_list("pages", pages, s.text("window.room.tip"), column)
                                            : chips("page", pages, column); // all in sight
    if (pressed)
        commands.emit("room " + std::string(room_names[std::size_t(Room::lesson) + std::size_t(*pressed)]));
    column.skip(px(10));
}

} // namespace

bool pages_have_row() { return !theme().presents() || ImGui::GetIO().DisplaySize.y >= px(600); }

float page_row(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    choose_page(column, session, commands);
    return column.y - rect.min.y;
}

void page_choice(PanelColumn& column, const Session& session, CommandSink& commands) {
    if (!pages_have_row()) choose_page(column, session, commands);
}

PageFrame page_frame(const ScreenRect& body, const Session& session) {
    const float gap = px(12), beside = std::clamp(body.width() * 0.28f, px(290), px(440));
    const bool is_narrow =
        body.width() - beside < px(session.view().teaching.on ? 640 : 460) && !held_on_small_page(session);
    PageFrame frame;
    frame.has_side = !session.view().alone && !is_narrow;
    const ScreenRect main{body.min, {body.max.x - (frame.has_side ? beside + gap : 0), body.max.y}};
    const ScreenRect side{{main.max.x + gap, body.min.y}, body.max};
    pen().AddRectFilled(main.min, main.max, colours().card, px(10));
    if (frame.has_side) pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    frame.main = main.inset(px(theme().presents() ? 10 : 18));
    frame.side = {{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}};
    return frame;
}

void covered_picture(const ScreenRect& rect, const Session& session) {
    pen().AddRectFilled(rect.min, rect.max, colours().raised, px(8));
    pen().AddRect(rect.min, rect.max, colours().accent, px(8), 0, px(1.5f));
    const std::string& words = session.strings().text("teach.picture_covered");
    const float width = std::min(rect.width() - px(24), px(420)),
                height = wrapped_height(faces().body, words, width);
    draw_wrapped(pen(), faces().body, {rect.centre().x - width / 2, rect.centre().y - height / 2}, width,
                 colours().ink_soft, words);
    widgets().record("covered", rect);
}

bool page_answer(const PageFrame& frame, const Session& session, CommandSink& commands) {
    small_page_asking().hinted.reset();
    if (!frame.has_side || !held_on_small_page(session)) return false;
    const ScreenRect card{{frame.side.min.x - px(12), frame.side.min.y - px(8)},
                          {frame.side.max.x + px(2), frame.side.max.y + px(4)}};
    small_page_asking().hinted = asking_panel(card, session, commands, {});
    return true;
}

} // namespace headlight
