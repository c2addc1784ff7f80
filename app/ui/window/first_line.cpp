// The one line above what fills the window.
#include "app/session/navigation.h"
#include "app/session/translation.h"
#include "app/ui/rooms/ground_up/ground_up_parts.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/rooms/train/training_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace headlight {

namespace {

// What fills the window, in words; of a step its formulas too, the fullest first, and which one it is.
struct AloneWords {
    std::string place, title, counter;
    std::vector<std::string> formulas;
};

AloneWords words_of_step(const Session& session) {
    const StoryStep& step = session.step();
    AloneWords words{
        step_place(session, step),
        step_title(session, step),
        session.strings().text("window.step.counter", {std::to_string(session.view().step + 1),
                                                       std::to_string(session.model().story.size())}),
        {}};
    for (const std::string* tex : {&step.formula, &step.sized})
        if (!tex->empty()) words.formulas.push_back(formula_in_language(session, *tex));
    return words;
}

AloneWords alone_words(const Session& session) {
    const Strings& s = session.strings();
    const View& view = session.view();
    switch (view.room) {
    case Room::heads: {
        const bool grid = view.heads.page == HeadsPage::grid;
        const MeasuredAttention* large =
            grid ? ui().state<HeadsState>().data.find(session, view.heads.attention) : nullptr;
        return {"",
                large ? title_of_map(session, *large) : s.text("board.page." + name_of(view.heads.page)),
                "",
                {}};
    }
    case Room::ground_up:
        return {"", s.text("window.room.lesson"), "", {lesson_formula(session.small_pages())}};
    case Room::cabinet:
        return {"", s.text("window.room.cabinet"), "", {cabinet_formula()}};
    case Room::descent:
    case Room::fixed_weights:
    case Room::memory:
    case Room::norms:
    case Room::costs:
    case Room::library:
        return {"", s.text(present_page(view).title), "", {}};
    case Room::train: {
        if (session.trains_net()) return {"", s.text("ground.way.title"), "", {}};
        const TrainingPage page = view.training_pages.page(session.training().training.run() != nullptr);
        if (page == TrainingPage::backward) return words_of_step(session);
        return {"", s.text("learn.page." + std::string(name_of(page))), "", {}};
    }
    case Room::say:
        if (view.generation.page == GenerationPage::words) break;
        return {"",
                s.text("say.page." + std::string(generation_page_names[std::size_t(view.generation.page)])),
                "",
                {}};
    case Room::explore:
    case Room::what_if:
        break;
    }
    return words_of_step(session);
}

} // namespace

float alone_line(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const AloneWords words = alone_words(session);
    const float row = control_height(), gap = px(18);
    const ScreenRect line = ScreenRect::at(rect.min.x, rect.min.y, rect.width(), row);
    const std::string& out = s.text("window.alone.out");
    const float out_width = text_width(faces().body, out) + px(24);
    float right = line.max.x - out_width;
    ImGui::SetCursorScreenPos({right, line.min.y});
    if (button("alone.off", out,
               {.tooltip = s.text("window.alone.out.tip"),
                .kind = ButtonKind::quiet,
                .width = out_width / theme().scale}))
        commands.emit("alone off");
    right -= px(10);
    if (differs(session)) { // nothing is changed in secret
        const float title =
            std::min(std::ceil(text_width(faces().strong, words.title)) + 1, (right - line.min.x) * 0.4f);
        draw_label(pen(), faces().strong, ScreenRect::at(line.min.x, line.min.y, title, row), colours().ink,
                   words.title);
        differences_strip({{line.min.x + title + gap, line.min.y + px(2)}, {right, line.max.y - px(2)}},
                          session, commands);
        widgets().record("alone", line);
        return row + px(6);
    }
    const auto before = [&](const Face& face, Colour ink, const std::string& text) {
        if (text.empty()) return;
        const float width = std::ceil(text_width(face, text)) + 1;
        draw_text_in(pen(), face, {{right - width, line.min.y}, {right, line.max.y}}, ink, text,
                     Align::right);
        right -= width + gap;
    };
    before(faces().caption, colours().ink_faint, words.counter);
    // The title keeps its room; the formula and the place share what is left, the formula first.
    const Face* face = &faces().heading;
    if (text_width(*face, words.title) > right - line.min.x) face = &faces().strong;
    const float title = std::min(std::ceil(text_width(*face, words.title)) + 1, right - line.min.x);
    draw_label(pen(), *face, ScreenRect::at(line.min.x, line.min.y, title, row), colours().ink, words.title);
    const float left = line.min.x + title + gap;
    for (const std::string& tex : words.formulas) {
        const FormulaStyle style{MathSize::small, colours().ink};
        const FormulaExtent extent = measure_formula(tex, style);
        if (extent.width > right - left || extent.height() > row + px(4)) continue;
        draw_formula(pen(), {right - extent.width, line.centre().y + (extent.ascent - extent.descent) / 2},
                     tex, style);
        right -= extent.width + gap;
        break;
    }
    if (!words.place.empty() && text_width(faces().caption, words.place) <= right - left)
        draw_text_in(pen(), faces().caption, {{left, line.min.y}, {right, line.max.y}}, colours().accent,
                     words.place);
    widgets().record("alone", line);
    return row + px(6);
}

// What is to be said of the answer: that it is a guess, and what it means, read back.

namespace {

// Whether there is a model of the other direction is looked up on the disk once, not in every frame.
struct OppositeState {
    unsigned long version = 0; // of the model that is open; 0: of none yet
    bool is_there = false;
};

bool reads_back(const Session& session) {
    OppositeState& state = ui().state<OppositeState>();
    if (const unsigned long version = session.experiment().model_version(); state.version != version) {
        const ModelMap& map = session.model().map();
        state = {version, map.source() && map.target() && opposite_model(session.model().folder)};
    }
    return state.is_there;
}

bool is_guess(std::optional<double> trust) { return trust && *trust < guess_below; }

} // namespace

bool is_a_guess(const Session& session) { return is_guess(answer_trust(session.experiment())); }

void answer_remarks(const ScreenRect& line, const Session& session, CommandSink& commands) {
    if (!session.has_model() || session.view().teaching.cover.words) return;
    const Strings& s = session.strings();
    float x = line.min.x;
    const auto say = [&](Colour ink, const std::string& text) {
        const float width = std::min(text_width(faces().caption, text) + 1, line.max.x - x);
        if (width < px(30)) return;
        draw_label(pen(), faces().caption, {{x, line.min.y}, {x + width, line.max.y}}, ink, text);
        x += width + px(10);
    };
    if (const std::optional<double> trust = answer_trust(session.experiment()); is_guess(trust)) {
        const ScreenRect place{{x, line.min.y}, line.max};
        const int right = int(std::lround(100 * *trust));
        say(colours().warning, s.text("answer.guess"));
        tooltip_when_resting("answer.guess", {place.min, {x, line.max.y}},
                             place.contains(ImGui::GetIO().MousePos) && ImGui::GetIO().MousePos.x < x,
                             s.text("answer.guess.tip", {std::to_string(right)}));
        widgets().record("answer.guess", {place.min, {x, line.max.y}});
        // Typed in the language that this model writes: the way out is the other one.
        if (const std::filesystem::path& other = model_of_its_language(session); !other.empty()) {
            const std::string offer = s.text("window.unknown.model", {model_label(session, other)});
            if (remark_chip(x, line, "its_language", offer, s.text("answer.language.tip"),
                            colours().accent)) {
                commands.emit("model " + other.string());
                commands.emit("source " + session.question().source);
                return;
            }
        }
    }
    if (!reads_back(session) || session.sentence().output.empty()) return;
    const bool on = session.view().reads_back;
    if (remark_chip(x, line, "answer.back", s.text("answer.back"), s.text("answer.back.tip"),
                    on ? colours().accent : colours().ink_soft))
        commands.emit("readback toggle");
    if (on) say(colours().ink, session.back_translation().text());
}

// The line on top: where one is, which model, and what belongs to the window itself.

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
        && session.question().generation.method == GenerationMethod::beam)
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
        const NavigationPage*& last = ui().state<LastPages>().of[std::size_t(place)];
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
