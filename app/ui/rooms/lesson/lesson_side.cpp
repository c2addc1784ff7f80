#include "app/ui/rooms/lesson/lesson_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/widgets/bar_list.h"
#include "app/ui/widgets/formula.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headlight {

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

} // namespace headlight
