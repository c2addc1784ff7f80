// The line on top: where one is, which model, and what belongs to the window itself.
#include "app/session/navigation.h"
#include "app/ui/widgets/drop_list.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace headlight {

namespace {

std::vector<const NavigationPage*> pages_of(Place place) {
    std::vector<const NavigationPage*> pages;
    for (const NavigationPage& page : navigation())
        if (page.place == place) pages.push_back(&page);
    return pages;
}

// Its contents as they were left; all of them anew when it is in sight already.
void go_to(const NavigationPage& page, const Session& session, CommandSink& commands) {
    const View& view = session.view();
    // Beams are searched on their page; elsewhere the model says what it finds most probable, as before.
    if (present_page(view).and_then == "say beam" && !page.is_at(view)
        && session.question().saying.method == SayingMethod::beam)
        commands.emit("say greedy");
    if (!page.then.empty() && (page.is_at(view) || !page.is_shown(view)))
        for (const std::string_view command : {page.then, page.and_then})
            if (!command.empty()) commands.emit(std::string(command));
    commands.emit(std::string(page.room_command));
}

float page_width(const std::string& title) { return std::ceil(text_width(faces().body, title)) + px(22); }

// Where one is, at the left of a line.
class Where {
public:
    explicit Where(const Session& session)
        : session_(session), here_(present_page(session.view())), pages_(pages_of(here_.place)) {
        const Strings& s = session.strings();
        for (const std::string_view name : place_names)
            places_.push_back(s.text("place." + std::string(name)));
        for (const NavigationPage* page : pages_) titles_.push_back(s.text(page->title));
        if (titles_.size() == 1) titles_.clear(); // nothing to choose
        // Nothing moves when another page is chosen.
        for (const std::string& title : titles_) {
            row_ += page_width(title) + px(2);
            list_ = std::max(list_, drop_list_width(title));
        }
        for (const NavigationPage& page : navigation())
            any_ = std::max(any_, drop_list_width(s.text(page.title)));
        tabs_ = segmented_width(places_);
    }

    // That it wants at least: one list of all pages.
    float least() const { return any_; }
    // That it has all pages of the place in sight with, where there is that much room.
    float wanted(float room) const {
        const float whole = tabs_ + (titles_.empty() ? 0 : gap() + row_);
        return whole <= room ? whole : any_ + px(260);
    }

    void draw(float left, float right, float y, CommandSink& commands) {
        NavigationPage const*& last = last_page(here_.place);
        last = &here_;
        const float room = right - left;
        if (room < tabs_ + (titles_.empty() ? 0 : gap() + list_))
            return all_in_one({left, y}, room, commands);
        int chosen = int(here_.place);
        ImGui::SetCursorScreenPos({left, y});
        if (segmented("places", places_, chosen, session_.strings().text("place.tip")))
            go_to(*last_page(Place(chosen)), session_, commands);
        if (titles_.empty()) return;
        left += tabs_ + gap();
        if (row_ <= right - left)
            in_a_row({left, y}, commands);
        else
            in_a_list({left, y}, commands);
    }

private:
    static float gap() { return px(14); }

    // Of a place: which of its pages was seen last.
    static const NavigationPage*& last_page(Place place) {
        struct LastPages {
            std::array<const NavigationPage*, std::size(place_names)> of{};
        };
        const NavigationPage*& last = ui().memory<LastPages>().of[std::size_t(place)];
        if (!last) last = pages_of(place).front();
        return last;
    }

    void in_a_row(ImVec2 at, CommandSink& commands) const {
        for (std::size_t i = 0; i < pages_.size(); ++i) {
            const float width = page_width(titles_[i]);
            ImGui::SetCursorScreenPos(at);
            const std::string name = "page." + std::to_string(i);
            if (button(name, titles_[i],
                       {.tooltip = session_.strings().text(std::string(pages_[i]->title) + ".tip"),
                        .kind = ButtonKind::quiet,
                        .chosen = pages_[i] == &here_,
                        .width = width / theme().scale}))
                go_to(*pages_[i], session_, commands);
            at.x += width + px(2);
        }
    }

    void in_a_list(ImVec2 at, CommandSink& commands) const {
        const auto here = std::find(pages_.begin(), pages_.end(), &here_) - pages_.begin();
        const DropList list{"pages", titles_[std::size_t(here)], session_.strings().text("place.page.tip"),
                            titles_, int(here)};
        if (const auto now = drop_list(at, list_, list))
            go_to(*pages_[std::size_t(*now)], session_, commands);
    }

    // Places with their pages, where there is room for no more than that.
    void all_in_one(ImVec2 at, float room, CommandSink& commands) const {
        const Strings& s = session_.strings();
        const float width = std::min(any_, room);
        ImGui::SetCursorScreenPos(at);
        const float inner = width - drop_list_width("") + 1;
        const std::string whole = places_[std::size_t(here_.place)] + " · " + s.text(here_.title);
        const std::string label = text_width(faces().body, whole) <= inner
                                      ? whole
                                      : ellipsized(faces().body, s.text(here_.title), inner);
        if (button("places", label + "  ▾", {.tooltip = s.text("place.tip"), .width = width / theme().scale}))
            ImGui::OpenPopup("places.menu");
        if (!ImGui::IsPopupOpen("places.menu")) return;
        std::vector<MenuLine> lines;
        for (const NavigationPage& page : navigation()) {
            MenuLine line{"page." + std::to_string(lines.size()), s.text(page.title)};
            line.begins_group = lines.empty() || page.place != navigation()[lines.size() - 1].place;
            if (line.begins_group) line.caption = places_[std::size_t(page.place)];
            line.chosen = &page == &here_;
            lines.push_back(std::move(line));
        }
        const ScreenRect place = ScreenRect::at(at.x, at.y, width, control_height());
        if (const auto now = menu("places.menu", place, lines)) go_to(navigation()[*now], session_, commands);
    }

    const Session& session_;
    const NavigationPage& here_;
    std::vector<const NavigationPage*> pages_;
    std::vector<std::string> places_, titles_;
    float tabs_ = 0, row_ = 0, list_ = 0, any_ = 0;
};

} // namespace

void first_line(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const float gap = px(6), small = px(44);
    float right = rect.max.x;
    const auto take = [&](float width) {
        right -= width;
        const ScreenRect place = ScreenRect::at(right, rect.min.y, width, rect.height());
        right -= gap;
        return place;
    };
    ImGui::SetCursorScreenPos(take(small).min);
    if (button("help", "?",
               {.tooltip = s.text("window.help.tip"),
                .kind = ButtonKind::quiet,
                .chosen = session.view().show_help,
                .width = small / theme().scale}))
        commands.emit("help toggle");
    more_menu(take(small), session, commands);
    Where where(session);
    const float brand = text_width(faces().heading, "Headlight");
    const auto room = [&] { return right - rect.min.x; };
    if (session.has_model()) {
        const float share = share_menu_width(session);
        if (room() - share > where.least() + px(160)) share_menu(take(share), session, commands);
    }
    const float most = std::max(px(90), room() - where.least() - px(16));
    models_menu(take(std::min({models_menu_width(session), most, px(300)})), session, commands);
    float left = rect.min.x;
    if (room() - px(8) >= brand + px(22) + where.wanted(room() - px(8))) {
        draw_text_in(pen(), faces().heading, {{left, rect.min.y}, {left + brand + 1, rect.max.y}},
                     colours().ink, "Headlight");
        left += brand + px(22);
    }
    where.draw(left, right - px(8), rect.min.y, commands);
}

} // namespace headlight
