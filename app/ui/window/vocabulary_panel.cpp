// All words that may be typed, with a search: a click puts one at the end of the sentence, which stays in
// sight above.
#include "app/session/word_offers.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// A line of the list: a theme's name, or some words beside each other.
struct ListLine {
    bool is_theme = false;
    std::size_t first = 0, count = 0; // among those that were found
};

struct VocabularyState {
    bool was_open = false;
    std::string request, asked; // what is typed; what a command asked for
    unsigned long model = 0;    // the list is of it
    bool has_lexicon = false;   // likewise
    WordList list;
    std::vector<std::size_t> found;
    std::size_t chosen = 0; // among them
    bool moved = false;     // the chosen one is to be in sight
    bool put = false;       // the field has not taken over yet what a command asked for
};

void find_words(VocabularyState& state) {
    state.found = state.list.with(state.request);
    state.chosen = state.list.meant(state.request, state.found).value_or(0);
    state.moved = true;
}

// The list follows the model and what has been read of the lexicon.
void follow(VocabularyState& state, const Session& session) {
    const unsigned long model = session.experiment().model_version();
    const bool has_lexicon = session.word_offers().thesaurus() != nullptr;
    const std::string& asked = session.view().vocabulary_request;
    const bool begins = !std::exchange(state.was_open, true);
    if (begins || state.asked != asked) {
        state.request = state.asked = asked;
        state.put = true;
    } else if (state.model == model && state.has_lexicon == has_lexicon) {
        return;
    }
    if (state.model != model || state.has_lexicon != has_lexicon) state.list = word_list(session);
    state.model = model;
    state.has_lexicon = has_lexicon;
    find_words(state);
}

std::vector<ListLine> lines_of(const VocabularyState& state, std::size_t columns) {
    std::vector<ListLine> lines;
    for (std::size_t i = 0; i < state.found.size(); ++i) {
        const std::string& theme = state.list.words[state.found[i]].theme;
        const bool is_other = i == 0 || state.list.words[state.found[i - 1]].theme != theme;
        if (is_other && !theme.empty()) lines.push_back({true, i, 0});
        if (is_other || lines.back().count == columns) lines.push_back({false, i, 0});
        ++lines.back().count;
    }
    return lines;
}

std::string with_word(const Session& session, const std::string& word) {
    const std::string& text = session.question().source;
    const bool touches = text.empty() || text.back() == ' ' || session.model().files.source.is_characters();
    return text + (touches ? "" : " ") + word;
}

void draw_word(const ScreenRect& cell, const ListedWord& word, bool is_lit) {
    if (is_lit) pen().AddRectFilled(cell.min, cell.max, colours().hovered, px(5));
    const ScreenRect inner{{cell.min.x + px(8), cell.min.y}, {cell.max.x - px(8), cell.max.y}};
    const float half = word.translation.empty() ? inner.width() : inner.width() / 2;
    draw_label(pen(), faces().body, {inner.min, {inner.min.x + half - px(4), inner.max.y}}, colours().ink,
               word.shown);
    if (!word.translation.empty())
        draw_label(pen(), faces().body, {{inner.min.x + half, inner.min.y}, inner.max}, colours().ink_soft,
                   word.translation);
}

// The words, as many columns as there is room for; returns the one that is pressed, among those that were
// found.
std::optional<std::size_t> words_grid(const ScreenRect& rect, VocabularyState& state, const Strings& s) {
    const float row = std::round(faces().body.size * 1.6f),
                wanted = px(state.list.has_translations ? 330 : 150);
    ScrolledColumn scrolled("vocabulary.words", rect);
    const float width = scrolled.column.width(), top = scrolled.column.y;
    const std::size_t columns = std::size_t(std::max(1.f, std::floor(width / wanted)));
    const std::vector<ListLine> lines = lines_of(state, columns);
    // The line of the chosen word; up and down lead to the word above or below it.
    std::size_t at = 0;
    while (at + 1 < lines.size() && (lines[at].is_theme || lines[at].first + lines[at].count <= state.chosen))
        ++at;
    const int page = std::max(1, int(rect.height() / row) - 1);
    int by = int(key_pressed(Key::down)) - int(key_pressed(Key::up))
             + page * (int(key_pressed(Key::page_down)) - int(key_pressed(Key::page_up)));
    if (by != 0 && !lines.empty()) {
        const std::size_t column = state.chosen - lines[at].first;
        const int step = by > 0 ? 1 : -1;
        for (int next = int(at) + step; by != 0 && next >= 0 && next < int(lines.size()); next += step)
            if (by -= step; !lines[std::size_t(next)].is_theme) at = std::size_t(next);
        state.chosen = lines[at].first + std::min(column, lines[at].count - 1);
        state.moved = true;
    }
    std::optional<std::size_t> pressed;
    for (std::size_t l = 0; l < lines.size(); ++l) {
        const float y = top + row * float(l);
        if (state.moved && l == at) {
            const float offset = y - top, seen = ImGui::GetScrollY();
            if (offset < seen + row) ImGui::SetScrollY(std::max(0.f, offset - row)); // its theme, too
            if (offset + row > seen + rect.height()) ImGui::SetScrollY(offset + row - rect.height());
        }
        const ScreenRect line = ScreenRect::at(scrolled.column.left, y, width, row);
        if (!ImGui::IsRectVisible(line.min, line.max)) continue;
        if (lines[l].is_theme) {
            const std::string& theme = state.list.words[state.found[lines[l].first]].theme;
            draw_label(pen(), faces().caption, line, colours().ink_faint,
                       s.text_or("window.vocabulary.theme." + theme, theme));
            continue;
        }
        for (std::size_t i = 0; i < lines[l].count; ++i) {
            const std::size_t place = lines[l].first + i;
            const float cell = width / float(columns);
            const ScreenRect where = ScreenRect::at(line.min.x + cell * float(i), y, cell, row);
            const Pressable p = pressable(("vocabulary.word." + std::to_string(place)).c_str(), where);
            draw_word(where, state.list.words[state.found[place]], p.hovered || place == state.chosen);
            if (p.pressed) pressed = place;
        }
    }
    state.moved = false;
    scrolled.column.skip(row * float(lines.size()));
    return pressed;
}

} // namespace

std::string vocabulary_label(const Session& session) {
    const Strings& s = session.strings();
    if (knows_lexicon(session)) return s.text("window.vocabulary.title");
    return s.text("window.vocabulary", {format_whole(session.model().files.source.vocabulary().size())});
}

void vocabulary_panel(const ScreenRect& window, const Session& session, CommandSink& commands) {
    VocabularyState& state = ui().state<VocabularyState>();
    if (!session.view().show_vocabulary || !session.has_model()) {
        state.was_open = false;
        return;
    }
    follow(state, session);
    const Strings& s = session.strings();
    // Below the sentence and what the model says to it.
    const float above =
        px(16) + first_line_height() + control_height()
        + (session.view().presenter ? px(40) : px(14) + faces().body.size + faces().mono_small.size + px(14));
    const float width = std::min(window.width() - px(40), px(760));
    const float height = std::max(px(200), window.height() - above - px(24));
    const ScreenRect card =
        ScreenRect::at(window.min.x + px(20), window.max.y - height - px(16), width, height);
    ImGui::SetNextWindowPos(card.min);
    ImGui::SetNextWindowSize({card.width(), card.height()});
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(12));
    ImGui::Begin("vocabulary.panel", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    pen().AddRectFilled(card.min, card.max, colours().card, px(12));
    pen().AddRect(card.min, card.max, colours().frame, px(12));
    widgets().record("vocabulary.panel", card);
    const ScreenRect inner = card.inset(px(12));
    const std::string count = s.text("window.vocabulary.found", {format_whole(Index(state.found.size()))});
    const float counted = std::ceil(text_width(faces().caption, count)) + px(16);
    ImGui::SetCursorScreenPos(inner.min);
    const FieldEvent event =
        text_field("vocabulary.search", "", state.request,
                   {.tooltip = s.text("window.vocabulary.tip"),
                    .hint = s.text(state.list.has_translations ? "window.vocabulary.hint.both"
                                                               : "window.vocabulary.hint"),
                    .width = (inner.width() - counted) / theme().scale,
                    .focus = !ImGui::IsAnyItemActive(),
                    .put = &state.put});
    if (event == FieldEvent::changed) find_words(state);
    draw_text_in(pen(), faces().caption,
                 ScreenRect::at(inner.min.x, inner.min.y, inner.width(), control_height()),
                 colours().ink_soft, count, Align::right);
    const ScreenRect below{{inner.min.x, inner.min.y + control_height() + px(8)}, inner.max};
    std::optional<std::size_t> taken = words_grid(below, state, s);
    if (event == FieldEvent::entered && !state.found.empty()) taken = state.chosen;
    if (state.found.empty())
        draw_text_in(pen(), faces().body,
                     ScreenRect::at(below.min.x + px(8), below.min.y, below.width(), px(30)),
                     colours().ink_faint, s.text("window.vocabulary.none"));
    if (taken) commands.emit("source " + with_word(session, state.list.words[state.found[*taken]].typed));
    const bool outside = !card.contains(ImGui::GetIO().MousePos);
    ImGui::End();
    ImGui::PopStyleVar();
    if (key_pressed(Key::escape) || (outside && ImGui::IsMouseClicked(0))) commands.emit("vocabulary off");
}

} // namespace headlight
