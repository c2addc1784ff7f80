#include "app/ui/panels/top_bar.h"

#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/text.h"
#include "app/ui/widgets/token_strip.h"

#include <imgui.h>

#include <algorithm>

namespace headlight {

namespace {

// Which of the shipped models, and the window's own switches, from right to left.
void switches(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const SessionState& state = session.state();
    const Theme& t = theme();
    const float gap = t.px(4);
    const std::string theme_label =
        s.text(state.theme == ThemeName::dark ? "window.theme.light" : "window.theme.dark");
    const float small = t.px(44), wide = text_width(t.faces.body, theme_label) + t.px(28);
    float x = rect.max.x - 3 * small - wide - 3 * gap;
    const auto next = [&](const char* name, const char* label, const std::string& tip,
                          const std::string& command, float width, bool chosen = false) {
        ImGui::SetCursorScreenPos({x, rect.min.y});
        ButtonOptions options{.tooltip = tip, .kind = ButtonKind::quiet, .chosen = chosen, .width = width};
        if (button(name, label, options)) commands.emit(command);
        x += width + gap;
    };
    next("language", s.language() == "en" ? "PT" : "EN", s.text("window.language.tip"),
         s.language() == "en" ? "language pt" : "language en", small);
    next("theme", theme_label.c_str(), s.text("window.theme.tip"),
         state.theme == ThemeName::dark ? "theme light" : "theme dark", wide);
    next("presenter", "Aa", s.text("window.presenter.tip"), "presenter toggle", small, state.presenter);
    next("help", "?", s.text("window.help.tip"), "help toggle", small, state.show_help);
}

void model_chooser(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const std::vector<std::filesystem::path> folders = session.shipped_models();
    std::vector<std::string> names;
    int chosen = -1;
    for (const auto& folder : folders) {
        names.push_back(folder.filename().string());
        if (session.has_model() && names.back() == session.model().name) chosen = int(names.size()) - 1;
    }
    if (session.has_model() && chosen < 0) { // a folder of one's own
        names.push_back(session.model().name);
        chosen = int(names.size()) - 1;
    }
    if (names.empty()) return;
    ImGui::SetCursorScreenPos(rect.min);
    const int before = chosen;
    if (segmented("models", names, chosen, session.strings().text("window.model.label")) && chosen != before)
        commands.emit("model " + folders[std::size_t(chosen)].string());
}

// A word that the model does not know, and the nearest ones that it does.
void unknown_words(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Sentence& sentence = session.sentence();
    const Strings& s = session.strings();
    if (sentence.tokens_left_out > 0) {
        draw_text_in(list, t.faces.caption, rect, t.colours.warning,
                     s.text("window.tokens.left_out", {std::to_string(session.model().config().max_length),
                                                       std::to_string(sentence.tokens_left_out)}));
        return;
    }
    const auto unknown =
        std::find_if(sentence.source.begin(), sentence.source.end(), [](const Piece& p) { return !p.known; });
    if (unknown == sentence.source.end()) return;
    const std::string text = s.text("window.unknown.one", {unknown->text});
    draw_text_in(list, t.faces.caption, rect, t.colours.warning, text);
    float x = rect.min.x + text_width(t.faces.caption, text) + t.px(10);
    for (const std::string& word : session.model().files.source.nearest(unknown->text, 4)) {
        const float width = text_width(t.faces.caption, word) + t.px(14);
        if (x + width > rect.max.x) break;
        const ScreenRect chip = ScreenRect::at(x, rect.min.y, width, rect.height());
        const Pressable p = pressable(("nearest." + word).c_str(), chip);
        list.AddRectFilled(chip.min, chip.max, p.hovered ? t.colours.hovered : t.colours.raised, t.px(4));
        draw_text_in(list, t.faces.caption, chip, t.colours.ink, word, Align::centre);
        if (p.pressed) {
            std::string whole = session.state().source_text;
            if (const std::size_t at = whole.find(unknown->text); at != whole.npos)
                commands.emit("source " + whole.replace(at, unknown->text.size(), word));
        }
        x += width + t.px(6);
    }
}

void source_field(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    static std::string text; // what is being typed; the session's own when nobody types
    if (!ImGui::IsAnyItemActive()) text = session.state().source_text;
    ImGui::SetCursorScreenPos(rect.min);
    const Strings& s = session.strings();
    FieldOptions options{.hint = s.text("window.source.hint"), .width = rect.width()};
    if (text_field("source", "", text, options) != FieldEvent::none) commands.emit("source " + text);
}

void source_tokens(const ScreenRect& rect, const Session& session) {
    const Sentence& sentence = session.sentence();
    std::vector<TokenChip> chips;
    for (std::size_t i = 0; i < sentence.source_ids.size(); ++i)
        chips.push_back({sentence.source_labels[i], int(sentence.source_ids[i]), !sentence.source_known[i],
                         i + 1 == sentence.source_ids.size()});
    TokenStripView view{.name = "source.tokens", .tokens = chips, .wrap = false};
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::PushItemWidth(rect.width());
    token_strip(view);
    ImGui::PopItemWidth();
}

} // namespace

float top_bar(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Strings& s = session.strings();
    const float row = control_height(), gap = t.px(10), label_width = t.px(140);
    float y = rect.min.y;

    const float name_width = text_width(t.faces.heading, "Headlight");
    draw_text_in(list, t.faces.heading, ScreenRect::at(rect.min.x, y, name_width, row), t.colours.ink,
                 "Headlight");
    model_chooser({{rect.min.x + name_width + t.px(24), y}, {rect.max.x - t.px(240), y + row}}, session,
                  commands);
    switches({{rect.min.x, y}, {rect.max.x, y + row}}, session, commands);
    y += row + gap;
    if (!session.has_model()) return y - rect.min.y;

    draw_text_in(list, t.faces.caption, ScreenRect::at(rect.min.x, y, label_width - t.px(12), row),
                 t.colours.ink_soft, s.text("window.source.label"), Align::left);
    source_field({{rect.min.x + label_width, y}, {rect.max.x, y + row}}, session, commands);
    y += row + t.px(6);
    const ScreenRect chips =
        ScreenRect::at(rect.min.x + label_width, y, rect.width() - label_width, t.px(44));
    source_tokens(chips, session);
    y = chips.max.y;

    const float line = t.faces.heading.size * 1.3f;
    draw_text_in(list, t.faces.caption, ScreenRect::at(rect.min.x, y, label_width - t.px(12), line),
                 t.colours.ink_soft, s.text("window.output.label"));
    const std::string& output = session.sentence().output;
    const std::string said = output.empty() ? s.text("window.output.empty") : output;
    const float room = rect.width() - label_width,
                said_width = std::min(text_width(t.faces.heading, said), room);
    const ScreenRect says = ScreenRect::at(rect.min.x + label_width, y, said_width + 1, line);
    draw_label(list, t.faces.heading, says, output.empty() ? t.colours.ink_faint : t.colours.ink, said);
    widgets().record("output", says);
    // What is wrong with the sentence stands beside the answer to it, so that nothing moves when it comes or
    // goes.
    const ScreenRect remark{{says.max.x + t.px(28), y}, {rect.max.x, y + line}};
    if (remark.width() > t.px(320))
        unknown_words(remark, session, commands);
    else
        unknown_words({{rect.min.x + label_width, chips.min.y - row}, {rect.max.x, chips.min.y}}, session,
                      commands);
    return y + line + t.px(10) - rect.min.y;
}

} // namespace headlight
