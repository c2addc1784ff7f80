// Batch norm beside layer norm: along which cells each takes mean and deviation, and what one longer sentence
// in the batch does to the others under each.
#include "app/ui/asking/asked.h"
#include "app/ui/rooms/norms/norms_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/widgets/table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

constexpr const char* model_that_pads = "translate-en-pt";

// Nothing is normed or padded here: what to open instead.
void no_norms(PanelColumn column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    column_paragraph(column, s.text("normed.none", {session.model().name, model_that_pads}));
    if (ControlRow(column).button("norms.open", s.text("normed.open", {model_that_pads}),
                                  {.tooltip = s.text("normed.open.tip")}))
        commands.emit(std::string("model ") + model_that_pads);
}

// Of every other sentence, the largest difference in its own words; a click leads to it.
void table_of_changes(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const NormsPage& page = *session.norms();
    column_text(column, faces().caption, colours().ink_soft, s.text("normed.changes"));
    Table table{.columns = {{.align = Align::left, .face = &faces().caption, .share = 1},
                            {.heading = {"X"}},
                            {.heading = {s.text("normed.layer.short")}},
                            {.heading = {s.text("normed.batch.short")}}},
                .line = std::ceil(faces().caption.size * 1.7f)};
    for (Index n = 0; n < page.computed->samples; ++n) {
        const std::string &text = page.sentences[std::size_t(n)].text, number = std::to_string(n + 1);
        TableRow row{.cells = {{number + "  " + text}},
                     .name = "norms.changed." + number,
                     .tooltip = s.text("normed.changed.tip", {text})};
        for (const char* value : {"input", "layer", "batch"}) {
            const double largest = page.largest_change(value, n).largest;
            row.cells.push_back(
                {format_number(largest, 2), largest > 1e-3 ? colours().alarm : colours().ink});
        }
        table.rows.push_back(std::move(row));
    }
    if (const auto pressed = draw_table(table, column).pressed) {
        if (session.small_pages().norms.shown != NormsShown::change) commands.emit("norms show change");
        commands.emit(
            select_command({"norms.change.batch", page.largest_change("batch", Index(*pressed)).cell}));
    }
    column.skip(px(12));
}

void norms_side(const ScreenRect& rect, Index features, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const NormsPage& page = *session.norms();
    const NormsSetting& setting = session.small_pages().norms;
    ScrolledColumn scrolled("normsside", rect);
    PanelColumn& column = scrolled.column;
    norms_what_choice(column, session, commands);
    const auto words = [&] {
        if (session.view().teaching.on) return;
        column_heading(column, s.text("normed.title"));
        column_paragraph(column, s.text("normed.text"));
    };
    const bool controls_first = theme().presents();
    if (!controls_first) words();
    column_caption(column, s.text("normed.show"));
    const auto chip = [&](NormsShown shown, const char* key, const char* tip) {
        return Chip{s.text(key), s.text(tip), setting.shown == shown};
    };
    const std::array<Chip, 3> shown = {
        chip(NormsShown::without, "normed.show.without", "normed.show.without.tip"),
        chip(NormsShown::with, "normed.show.with", "normed.show.with.tip"),
        chip(NormsShown::change, "normed.show.change", "normed.show.change.tip")};
    if (const auto pressed = column_chips(column, "norms.show", shown))
        commands.emit("norms show " + std::string(norms_shown_names[std::size_t(*pressed)]));
    struct TypedLonger {
        std::string text, was;
    };
    TypedLonger& typed = ui().memory<TypedLonger>();
    const std::string& used = page.sentences.back().text;
    if (typed.was != used) typed = {used, used}; // undone, of a session, or of another model
    column_caption(column, s.text("normed.longer"));
    if (ControlRow(column).field("norms.longer", typed.text,
                                 {.tooltip = s.text("normed.longer.tip"), .hint = s.text("normed.longer")})
            != FieldEvent::none
        && typed.text != typed.was && !trim(typed.text).empty()) {
        typed.was = typed.text;
        commands.emit("drag norms sentence " + typed.text);
    }
    column.skip(px(6));
    table_of_changes(column, session, commands);
    const Index last = page.computed->graph.find("norms.input")->value.columns() - features;
    if (last > 0) {
        float feature = float(std::min(setting.feature, last));
        if (ControlRow(column).slider("norms.feature", s.text("normed.feature"), feature, 0, float(last),
                                      {.tooltip = s.text("normed.feature.tip"), .step = 1}))
            commands.emit("drag norms feature " + std::to_string(std::lround(feature)));
    }
    if (column_chip(column, "norms.reset", {s.text("plain.reset"), s.text("normed.reset.tip")}))
        commands.emit("norms reset");
    if (controls_first) words();
}

} // namespace

void norms_what_choice(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    std::vector<Chip> pages;
    for (std::size_t i = 0; i < std::size(norms_what_names); ++i) {
        const std::string key = "normed.page." + std::string(norms_what_names[i]);
        pages.push_back(
            {s.text(key), s.text(key + ".tip"), session.small_pages().norms.page == NormsWhat(i)});
    }
    if (const auto pressed = column_chips(column, "norms.page", pages))
        commands.emit("norms page " + std::string(norms_what_names[std::size_t(*pressed)]));
}

void norms_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    small_page_asking().begin_frame();
    const PageFrame frame = page_frame(body, session);
    if (session.small_pages().norms.page == NormsWhat::trained)
        return norms_trained_page(frame, session, commands);
    if (!first_padded_norm(session.model().map())) {
        no_norms({frame.main.min.x, frame.main.max.x, frame.main.min.y}, session, commands);
        if (!frame.has_side) return;
        ScrolledColumn scrolled("normsside", frame.side);
        return norms_what_choice(scrolled.column, session, commands);
    }
    if (!session.norms()) return; // until the next command
    const Index features = norms_sheets(frame.main, session, commands);
    if (!page_answer(frame, session, commands) && frame.has_side)
        norms_side(frame.side, features, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
