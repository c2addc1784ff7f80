// What would be said if a stream stopped after an earlier layer: for every layer and place the best word, as
// dark as it is probable. The last layer stands on top, as in the figure of the paper.
#include "app/session/value_names.h"
#include "app/ui/changes/changes.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/measure_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

std::string said_path(const std::string& stream, Index stop) {
    return "measures.lens." + stream + "." + std::to_string(stop) + ".said";
}

// Where the held number was said, if it is one of this lens.
struct HeldPlace {
    Index stop = -1, row = -1;
};

HeldPlace held_place(const Session& session, const LensTable& table) {
    const std::optional<NamedCell>& held = session.view().asking.held;
    for (Index stop = 0; held && stop < table.stops; ++stop)
        if (lies_in(held->path, "measures.lens." + table.stream + "." + std::to_string(stop)))
            return {stop, std::min(held->cell.row, table.rows - 1)};
    return {};
}

void stream_choice(PanelColumn& column, const Session& session, const Stream& shown, CommandSink& commands) {
    const std::vector<const Stream*> streams = lens_streams(*session.model().main_pass);
    if (streams.size() > 1) {
        std::vector<Chip> choices;
        for (const Stream* stream : streams)
            choices.push_back({side_name(session, stream->name), {}, stream == &shown});
        if (const auto pressed = column_chips(column, "lens.stream", choices))
            commands.emit("heads lens " + streams[std::size_t(*pressed)]->name);
    }
}

void words_of_lens(PanelColumn& column, const Session& session, const Stream& shown) {
    const bool is_read = shown.tokens != session.model().map().output.tokens
                         && lens_streams(*session.model().main_pass).size() > 1;
    column_paragraph(column,
                     session.strings().text(is_read ? "measures.lens.text.read" : "measures.lens.text"));
}

std::optional<NamedCell> draw_cell(const ScreenRect& square, const Session& session, const LensTable& table,
                                   Index stop, Index row, const HeldPlace& held, CommandSink& commands) {
    const LensCell& cell = table.at(stop, row);
    const Colour colour =
        theme().palette_colour(Palette::sequential, std::clamp(float(cell.probability), 0.f, 1.f));
    pen().AddRectFilled(square.min, square.max, colour, px(3));
    const std::string word = word_said(session, cell.word), number = format_number(cell.probability, 2);
    const std::string name = "lens." + std::to_string(stop) + "." + std::to_string(row);
    const Pressable p = pressable(name.c_str(), square);
    const bool with_number = square.height() > faces().body.size + faces().mono_small.size + px(6)
                             && text_width(faces().mono_small, number) < square.width() - px(6);
    ScreenRect place = square.inset(px(3));
    if (with_number) {
        place.max.y -= faces().mono_small.size * 1.15f;
        draw_text_in(pen(), faces().mono_small, {{place.min.x, place.max.y}, square.inset(px(3)).max},
                     theme().ink_on(colour), number, Align::centre);
    }
    draw_text_in(pen(), faces().body, place, theme().ink_on(colour),
                 ellipsized(faces().body, word, place.width()), Align::centre);
    const bool is_held = held.stop == stop && held.row == row;
    if (is_held || p.hovered)
        pen().AddRect(square.min, square.max, is_held ? colours().accent : colours().ink, px(3), 0,
                      px(is_held ? 3 : 1));
    tooltip_when_resting(name, square, p.hovered,
                         session.strings().text("measures.lens.cell", {stop_name(session, stop), word,
                                                                       format_number(cell.probability, 3)}));
    const NamedCell number_there{said_path(table.stream, stop), {0, row, cell.word}};
    if (p.pressed) commands.emit(select_command(number_there));
    return p.hovered ? std::optional(number_there) : std::nullopt;
}

std::optional<NamedCell> draw_table(const ScreenRect& rect, const Session& session, const LensTable& table,
                                    CommandSink& commands) {
    const std::vector<std::string> places = axis_labels(session, *said_by(session.model().map()), true);
    float left = 0;
    for (Index stop = 0; stop < table.stops; ++stop)
        left = std::max(left, std::ceil(text_width(faces().body, stop_name(session, stop))));
    left = std::min(left + px(12), rect.width() * 0.35f);
    const float bar = ImGui::GetStyle().ScrollbarSize, heading = faces().body.size * 1.5f;
    const float width = std::clamp((rect.width() - left - bar) / float(table.rows), px(74),
                                   px(150) * growth_in(rect.height()));
    const float least = faces().body.size + px(8);
    const float height =
        std::clamp((rect.height() - heading - bar - px(8)) / float(table.stops), least,
                   (least + faces().mono_small.size * 1.3f + px(6)) * growth_in(rect.height()));
    const HeldPlace held = held_place(session, table);
    std::optional<NamedCell> hovered;
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("lens.table", {rect.width(), rect.height()}, false,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_HorizontalScrollbar);
    const float x0 = rect.min.x - ImGui::GetScrollX() + left, y0 = rect.min.y - ImGui::GetScrollY();
    if (!places.empty())
        draw_label(pen(), faces().caption, ScreenRect::at(x0 - left, y0, left - px(10), heading),
                   colours().ink_faint, session.strings().text("measures.lens.read") + " →", Align::right);
    for (Index row = 0; row < table.rows && !places.empty(); ++row)
        draw_label(pen(), faces().body, ScreenRect::at(x0 + float(row) * width, y0, width - px(3), heading),
                   colours().ink_soft, place_label(places, row), Align::centre);
    for (Index i = 0; i < table.stops; ++i) {
        const Index stop = table.stops - 1 - i;
        const float y = y0 + heading + float(i) * height;
        draw_label(pen(), faces().body, ScreenRect::at(x0 - left, y, left - px(10), height - px(3)),
                   colours().ink, stop_name(session, stop), Align::right);
        if (stop >= table.done()) continue; // not yet
        for (Index row = 0; row < table.rows; ++row)
            if (auto there =
                    draw_cell(ScreenRect::at(x0 + float(row) * width, y, width - px(3), height - px(3)),
                              session, table, stop, row, held, commands))
                hovered = std::move(there);
    }
    ImGui::SetCursorScreenPos({x0 + float(table.rows) * width, y0 + heading + float(table.stops) * height});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
    ImGui::PopStyleVar();
    return hovered;
}

// Of the held place: what the model itself would go on with.
float stop_here(const ScreenRect& side, const Session& session, const LensTable& table,
                CommandSink& commands) {
    const Strings& s = session.strings();
    PanelColumn column{side.min.x, side.max.x, side.min.y};
    const HeldPlace held = held_place(session, table);
    if (held.stop < 0 || held.stop + 1 == table.stops) return column.y;
    const std::string change = "stop " + table.stream + " " + std::to_string(held.stop);
    if (column_chip(
            column, "lens.stop",
            {s.text("measures.lens.stop"), s.text("measures.lens.stop.tip"), is_made(session, change)}))
        commands.emit(switch_command(session, change));
    return column.y;
}

} // namespace

void lens_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Stream& stream = *session.lens_stream();
    const auto [page, side] = with_asking_side(rect);
    PanelColumn column{page.min.x, page.max.x, page.min.y};
    stream_choice(column, session, stream, commands);
    // Where there is little height, beside the table as long as nothing is asked there.
    const bool is_roomy = page.height() > px(400) || side.empty();
    PanelColumn at_side{side.min.x, side.max.x, side.min.y};
    if (is_roomy)
        words_of_lens(column, session, stream);
    else if (!session.view().asking.held)
        words_of_lens(at_side, session, stream);
    const LensTable* table = session.experiment().measured().lens();
    if (!table || table->stream != stream.name || table->rows == 0) return; // in the next frame
    const auto hovered = draw_table({{page.min.x, column.y}, page.max}, session, *table, commands);
    if (side.empty()) return;
    const float top = std::max(at_side.y, stop_here(side, session, *table, commands));
    ask_at_side(side, top, session, commands, hovered);
}

} // namespace headlight
