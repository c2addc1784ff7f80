#include "app/ui/asking/asked.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/rooms/ground_up/ground_up_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace headlight {

namespace {

constexpr double reach = 1.25; // of the plane, from its middle to its edge

ImVec2 place_of(const PlaneView& plane, const Tensor& rows, Index row) {
    return plane.at(double(rows(0, row, 0)), double(rows(0, row, 1)));
}

void squared_paper(ImDrawList& list, const PlaneView& plane, const ScreenRect& square) {
    const Face& face = faces().caption;
    for (const double line : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        const Colour colour = with_alpha(colours().line, line == 0 ? 1.f : 0.45f);
        list.AddLine(plane.at(line, -reach), plane.at(line, reach), colour);
        list.AddLine(plane.at(-reach, line), plane.at(reach, line), colour);
        // Numbers along the edges, where no word lies over them.
        const std::string number = format_number(line, 1);
        const float width = text_width(face, number);
        draw_text(list, face, {plane.at(line, 0).x - width / 2, square.max.y - face.size - px(3)},
                  colours().ink_faint, number);
        draw_text(list, face, {square.min.x + px(4), plane.at(0, line).y - face.size - px(1)},
                  colours().ink_faint, number);
    }
}

void arrow(ImDrawList& list, ImVec2 from, ImVec2 to, Colour colour, float thickness) {
    list.AddLine(from, to, colour, thickness);
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    const float size = px(7);
    if (length < size) return;
    const float ux = dx / length, uy = dy / length;
    list.AddTriangleFilled(to, {to.x - ux * size - uy * size / 2, to.y - uy * size + ux * size / 2},
                           {to.x - ux * size + uy * size / 2, to.y - uy * size - ux * size / 2}, colour);
}

// With projections: the chosen word's query, and every word's key.
void projections(ImDrawList& list, const PlaneView& plane, const SmallPages& lesson) {
    const Graph& graph = lesson.attention->graph;
    const Tensor &keys = graph.find("k")->value, &queries = graph.find("q")->value;
    for (Index i = 0; i < keys.rows(); ++i)
        list.AddCircle(place_of(plane, keys, i), px(8), colours().key, 16, px(1.5f));
    arrow(list, plane.origin, place_of(plane, queries, lesson.word), colours().query, px(2));
}

} // namespace

void lesson_plane(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const SmallPages& lesson = session.small_pages();
    const Graph& graph = lesson.attention->graph;
    const Tensor &x = graph.find("x")->value, &y = graph.find("y")->value, &w = graph.find("weights")->value;
    const float side = std::min(rect.width(), rect.height());
    const ScreenRect square = ScreenRect::at(rect.min.x, rect.min.y, side, side);
    const PlaneView plane{square.centre(), side / 2 / float(reach)};
    pen().AddRectFilled(square.min, square.max, colours().window, px(8));
    pen().PushClipRect(square.min, square.max, true);
    squared_paper(pen(), plane, square);
    widgets().record("lesson.plane", square);

    const Index words = Index(lesson.vectors.words.size());
    const Cover& cover = session.view().teaching.cover;
    const auto lands_unseen = [&](Index word) { return cover.hides_some_of("plain.output", word); };
    // What no name may cover: dots and rings, and then the names before it.
    std::vector<ScreenRect> taken;
    const float dot = px(lesson.options.projections ? 8 : 5);
    for (Index i = 0; i < words; ++i) {
        const ImVec2 at = place_of(plane, x, i);
        taken.push_back(ScreenRect::at(at.x - dot, at.y - dot, 2 * dot, 2 * dot));
        const ImVec2 moved = place_of(plane, y, i);
        taken.push_back(ScreenRect::at(moved.x - px(4), moved.y - px(4), px(8), px(8)));
    }
    for (Index i = 0; i < words; ++i) {
        const bool chosen = i == lesson.word;
        const ImVec2 at = place_of(plane, x, i), moved = place_of(plane, y, i);
        // Of the chosen word's attention; all alike while a lesson asks for one of them.
        const float share = cover.hides_some_of("plain.weights", lesson.word) ? 1 / float(words)
                                                                              : float(w(0, lesson.word, i));
        const Colour colour = chosen ? colours().accent : colours().ink_soft;
        if (chosen) arrow(pen(), plane.origin, at, with_alpha(colours().accent, 0.8f), px(2));
        if (!lands_unseen(i)) {
            pen().AddLine(at, moved, with_alpha(colour, chosen ? 0.9f : 0.3f), px(1));
            pen().AddCircle(moved, px(4), with_alpha(colours().value, chosen ? 1.f : 0.6f), 16, px(1.5f));
        }
        // As large as it is attended to: the mean of all words is an ordinary dot.
        const float radius = px(5) * std::sqrt(std::max(share * float(words), 0.15f));
        pen().AddCircleFilled(at, radius, colour, 24);

        const std::string name = "lesson.word." + std::to_string(i);
        const float grip = px(13);
        const Pressable p = pressable(
            name.c_str(), ScreenRect::at(at.x - grip, at.y - grip, 2 * grip, 2 * grip).cut_to(square));
        if (p.hovered || p.held) pen().AddCircle(at, grip, with_alpha(colours().accent, 0.6f), 24, px(1.5f));
        if (p.held && !chosen) commands.emit("drag lesson word " + std::to_string(i));
        const ImVec2 mouse = ImGui::GetIO().MousePos, delta = ImGui::GetIO().MouseDelta;
        if (p.held && ImGui::IsMouseDragging(0, px(2)) && (delta.x != 0 || delta.y != 0)) {
            const auto limited = [](float value) { // to hundredths, and inside the plane
                return std::clamp(std::round(double(value) * 100) / 100, -1.2, 1.2);
            };
            commands.emit("drag lesson vector " + std::to_string(i) + " "
                          + std::to_string(limited((mouse.x - plane.origin.x) / plane.unit)) + " "
                          + std::to_string(limited((plane.origin.y - mouse.y) / plane.unit)));
        }
        const std::string& word = lesson.vectors.words[std::size_t(i)];
        const Face& face = theme().presents() ? faces().caption : chosen ? faces().strong : faces().body;
        const ScreenRect label =
            free_place(taken, at, {text_width(face, word), face.size}, square, dot + px(3));
        if (const auto line = leader(label, at, dot + px(3)))
            pen().AddLine((*line)[0], (*line)[1], with_alpha(colours().ink_faint, 0.8f), px(1));
        draw_text(pen(), face, label.min, chosen ? colours().accent : colours().ink, word);
        taken.push_back(label.inset(px(2))); // a line of text has air around it
    }
    if (lesson.options.projections) projections(pen(), plane, lesson);
    pen().PopClipRect();
}

namespace {

void show_formula(PanelColumn& column, const SmallPages& lesson) {
    const std::string tex = lesson_formula(lesson);
    const FormulaExtent extent = measure_formula(tex);
    draw_formula(pen(), {column.left, column.y + extent.ascent}, tex);
    column.skip(extent.height() + px(12));
}

void switches(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const SmallPages& lesson = session.small_pages();
    bool projections = lesson.options.projections, scaled = lesson.options.scaled;
    if (ControlRow(column).toggle("lesson.projections", s.text("plain.projections"), projections,
                                  s.text("plain.projections.tip")))
        commands.emit(std::string("lesson projections ") + (projections ? "on" : "off"));
    if (ControlRow(column).toggle("lesson.scaled", s.text("plain.scaled"), scaled,
                                  s.text("plain.scaled.tip")))
        commands.emit(std::string("lesson scaled ") + (scaled ? "on" : "off"));
}

// Three sliders that turn the plane, and the matrix that each makes.
void turns(PanelColumn& column, const Session& session, CommandSink& commands) {
    const SmallPages& lesson = session.small_pages();
    if (!lesson.options.projections) return;
    constexpr const char* letters[] = {"q", "k", "v"};
    constexpr const char* labels[] = {"W_Q", "W_K", "W_V"};
    constexpr const char* nodes[] = {"w_q", "w_k", "w_v"};
    const Colour of_matrix[] = {colours().query, colours().key, colours().value};
    for (std::size_t i = 0; i < 3; ++i) {
        float degrees = float(lesson.degrees[i]);
        const float matrix_width = px(112);
        const SliderOptions options{.tooltip = session.strings().text("plain.turn.tip"),
                                    .pixels = column.width() - matrix_width,
                                    .step = 1};
        const float top = column.y;
        ImGui::SetCursorScreenPos({column.left, top});
        const std::string label = std::string(labels[i]) + "  °";
        if (slider(std::string("lesson.turn.") + letters[i], label, degrees, -180, 180, options))
            commands.emit(std::string("drag lesson turn ") + letters[i] + " " + std::to_string(degrees));
        const Tensor& w = lesson.attention->graph.find(nodes[i])->value;
        const float line = faces().mono_small.size * 1.3f;
        for (Index r = 0; r < 2; ++r)
            draw_text_in(
                pen(), faces().mono_small,
                ScreenRect::at(column.right - matrix_width, top + float(r) * line, matrix_width, line),
                of_matrix[i], format_fixed(double(w(0, r, 0)), 2) + " " + format_fixed(double(w(0, r, 1)), 2),
                Align::right);
        column.skip(std::max(2 * line, faces().caption.size + px(24)) + px(8));
    }
    column.skip(px(6));
}

void number_line(PanelColumn& column, const std::string& label, double number) {
    const std::string text = format_number(number, 3);
    const float width = text_width(faces().mono, text) + px(8);
    const float words = wrapped_height(faces().body, label, column.width() - width);
    draw_wrapped(pen(), faces().body, {column.left, column.y}, column.width() - width, colours().ink_soft,
                 label);
    draw_text_in(pen(), faces().mono,
                 ScreenRect::at(column.left, column.y, column.width(), faces().body.size * line_spacing),
                 colours().ink, text, Align::right);
    column.skip(words + px(3));
}

// How often each size of a dot product occurs: as they are, and the narrower ones ÷√d_k before them. Each as
// high as the room, since one is much narrower than the other.
void histogram(PanelColumn& column, const Session& session) {
    const Strings& s = session.strings();
    const DotProducts& measured = session.small_pages().measured;
    column_text(column, faces().caption, colours().ink_faint, s.text("plain.histogram"));
    column.skip(px(4));
    const ScreenRect room = column.take(px(72));
    const float bin = room.width() / float(DotProducts::bins);
    const auto bars = [&](const std::array<int, DotProducts::bins>& parts, Colour colour, float inset) {
        const float most = float(std::max(*std::max_element(parts.begin(), parts.end()), 1));
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const float x = room.min.x + bin * float(i), height = room.height() * float(parts[i]) / most;
            if (parts[i] > 0)
                pen().AddRectFilled({x + inset, room.max.y - std::max(height, 1.f)},
                                    {x + bin - inset, room.max.y}, colour);
        }
    };
    bars(measured.unscaled, with_alpha(colours().series[0], 0.45f), px(0.5f));
    bars(measured.scaled, colours().series[1], bin * 0.25f);
    pen().AddLine({room.min.x, room.max.y}, room.max, colours().frame);
    widgets().record("lesson.histogram", room);
    const ScreenRect ends = column.take(faces().caption.size * 1.4f);
    const std::string end = format_fixed(measured.end, 0);
    draw_text_in(pen(), faces().caption, ends, colours().ink_faint, "−" + end);
    draw_text_in(pen(), faces().caption, ends, colours().ink_faint, "0", Align::centre);
    draw_text_in(pen(), faces().caption, ends, colours().ink_faint, end, Align::right);
    const ScreenRect legend = column.take(faces().caption.size * 1.6f);
    float x = legend.min.x;
    for (const auto& [key, colour] : {std::pair{"plain.without", with_alpha(colours().series[0], 0.45f)},
                                      std::pair{"plain.with", colours().series[1]}}) {
        pen().AddRectFilled({x, legend.centre().y - px(4)}, {x + px(12), legend.centre().y + px(4)}, colour);
        x += px(17);
        draw_text_in(pen(), faces().caption, {{x, legend.min.y}, legend.max}, colours().ink_soft,
                     s.text(key));
        x += text_width(faces().caption, s.text(key)) + px(16);
    }
    column.skip(px(6));
}

// Why ÷√d_k: measured on random vectors of the chosen width.
void widths(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const SmallPages& lesson = session.small_pages();
    column_heading(column, s.text("plain.width.title"));
    column_paragraph(column, s.text("plain.width.text"));
    float d_k = float(lesson.d_k);
    const SliderOptions options{.tooltip = s.text("plain.width.tip"), .step = 1, .logarithmic = true};
    if (ControlRow(column).slider("lesson.width", "d_k", d_k, 1, 512, options))
        commands.emit("drag lesson width " + std::to_string(long(std::lround(d_k))));
    number_line(column, s.text("plain.variance"), lesson.measured.variance);
    column.skip(px(6));
    histogram(column, session);
    const std::array<Bar, 2> largest = {Bar{s.text("plain.without"), float(lesson.measured.largest_unscaled)},
                                        Bar{s.text("plain.with"), float(lesson.measured.largest_scaled)}};
    column_text(column, faces().caption, colours().ink_faint, s.text("plain.largest"));
    (void)column_bars(column, {.name = "lesson.largest", .bars = largest});
    const std::array<Bar, 2> slope = {Bar{s.text("plain.without"), float(lesson.measured.slope_unscaled)},
                                      Bar{s.text("plain.with"), float(lesson.measured.slope_scaled)}};
    column_text(column, faces().caption, colours().ink_faint, s.text("plain.slope"));
    (void)column_bars(column, {.name = "lesson.slope", .bars = slope, .full = 0.016f, .decimals = 4});
}

} // namespace

std::string lesson_formula(const SmallPages& lesson) {
    const std::string scores = lesson.options.projections ? "\\color{query}{Q}\\,\\color{key}{K}^T" : "X X^T";
    const std::string inner = lesson.options.scaled ? "\\frac{" + scores + "}{\\sqrt{2}}" : scores;
    return "Y = \\mathrm{softmax}\\left(" + inner + "\\right)"
           + (lesson.options.projections ? "\\color{value}{V}" : "X");
}

void lesson_side(const ScreenRect& rect, std::string_view legend, const Session& session,
                 CommandSink& commands) {
    const Strings& s = session.strings();
    const SmallPages& lesson = session.small_pages();
    ScrolledColumn scrolled("lessonside", rect);
    PanelColumn& column = scrolled.column;
    const bool projected = lesson.options.projections;
    const bool is_told = session.view().teaching.on; // a lesson beside it says it in its own words
    if (!is_told) column_heading(column, s.text(projected ? "plain.title.projected" : "plain.title"));
    const auto words = [&] {
        if (!is_told)
            column_text(column, faces().body, colours().ink_soft,
                        s.text(projected ? "plain.text.projected" : "plain.text"));
        if (!legend.empty()) {
            column.skip(px(8));
            column_text(column, faces().caption, colours().ink_soft, legend);
        }
        column.skip(px(12));
    };
    const bool controls_first = theme().presents(); // there what is said would push them out of sight
    if (!controls_first) words();
    show_formula(column, lesson);
    switches(column, session, commands);
    turns(column, session, commands);
    if (column_chip(column, "lesson.reset", {s.text("plain.reset"), s.text("plain.reset.tip")}))
        commands.emit("lesson reset");
    if (controls_first) {
        column.skip(px(10));
        words();
    }
    column_line(column);
    widths(column, session, commands);
}

namespace {

struct RoomPlaces {
    ScreenRect plane, legend, matrices, side;
    bool has_side = true;
};

// The plane, the matrices beside it, and what is said at their right.
RoomPlaces in_a_row(const ScreenRect& body, const Session& session) {
    const bool alone = session.view().alone, presents = theme().presents();
    const float narrowest = session.view().teaching.on ? 210 : presents ? 235 : 280;
    const float gap = px(12), width = alone ? -gap : std::clamp(body.width() * 0.26f, px(narrowest), px(400));
    const ScreenRect main{body.min, {body.max.x - width - gap, body.max.y}};
    const ScreenRect inner = main.inset(px(presents ? 8 : 14));
    // What the matrices can do without is the plane's.
    const float share = presents ? 0.29f : 0.38f;
    const float square = std::min(inner.height(), std::max(inner.width() * share, inner.width() - px(800)));
    RoomPlaces places;
    places.has_side = !alone;
    places.side = {{main.max.x + gap, body.min.y}, body.max};
    places.plane = ScreenRect::at(inner.min.x, inner.min.y, square, square);
    places.legend = {{inner.min.x, places.plane.max.y + px(8)}, {places.plane.max.x, inner.max.y}};
    places.matrices = {{places.plane.max.x + px(presents ? 8 : 18), inner.min.y}, inner.max};
    pen().AddRectFilled(main.min, main.max, colours().card, px(10));
    if (places.has_side) pen().AddRectFilled(places.side.min, places.side.max, colours().card, px(10));
    return places;
}

// In large type a lesson leaves little width: the plane and what is said stand above, the matrices below.
RoomPlaces above_each_other(const ScreenRect& body, const Session& session) {
    pen().AddRectFilled(body.min, body.max, colours().card, px(10));
    const ScreenRect inner = body.inset(px(8));
    const float square = std::min(inner.height() * 0.46f, inner.width() * 0.5f);
    RoomPlaces places;
    places.has_side = !session.view().alone;
    places.plane = ScreenRect::at(inner.min.x, inner.min.y, square, square);
    const ScreenRect right{{places.plane.max.x + px(8), inner.min.y}, {inner.max.x, places.plane.max.y}};
    (places.has_side ? places.side : places.legend) = right;
    places.matrices = {{inner.min.x, places.plane.max.y + px(8)}, inner.max};
    return places;
}

} // namespace

void ground_up_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    small_page_asking().begin_frame();
    const RoomPlaces places = theme().presents() && session.view().teaching.on
                                  ? above_each_other(body, session)
                                  : in_a_row(body, session);
    const std::string& legend = session.strings().text(
        session.small_pages().options.projections ? "plain.legend.projected" : "plain.legend");
    lesson_plane(places.plane, session, commands);
    // The legend stands by the plane where there is room for it.
    const bool is_near =
        !places.legend.empty()
        && wrapped_height(faces().caption, legend, places.legend.width()) <= places.legend.height();
    if (is_near)
        draw_wrapped(pen(), faces().caption, places.legend.min, places.legend.width(), colours().ink_soft,
                     legend);
    lesson_matrices(places.matrices, session, commands);
    // A number that is held is answered in the place of the words.
    small_page_asking().hinted.reset();
    const ScreenRect& side = places.side;
    if (places.has_side && held_on_small_page(session))
        small_page_asking().hinted = asking_panel(side.inset(px(4)), session, commands, {});
    else if (places.has_side)
        lesson_side({{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}},
                    is_near ? std::string_view() : legend, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
