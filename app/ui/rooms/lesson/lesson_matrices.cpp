// The matrices of the lesson in the order of its formula, line by line; all rows are words, so all cells are
// of one size, and a line names its rows once.
#include "app/ui/rooms/lesson/lesson_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/number_painter.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace headlight {

namespace {

struct Shown {
    const char* node;
    const char* title; // as in the formula: a name, not a sentence
    std::optional<Colour> colour = {};
};
using Line = std::vector<Shown>;

struct Cells {
    float width = 0, height = 0;
    bool named_columns = true;
};

const Node& node_of(const LessonView& lesson, const Shown& shown) {
    return *lesson.attention->graph.find(shown.node);
}

bool is_of_word_pairs(const LessonView& lesson, const Shown& shown) {
    return node_of(lesson, shown).value.columns() == Index(lesson.vectors.words.size());
}

float gap() { return px(theme().presents() ? 8 : 14); }
float title_height() { return faces().strong.size + px(6); }

HeatmapView view_of(const LessonView& lesson, const Shown& shown, const Cells& cells, bool named_rows) {
    const Node& node = node_of(lesson, shown);
    const Tensor& value = node.value;
    HeatmapView view;
    view.matrix = {value.matrix(0),
                   int(value.rows()),
                   int(value.columns()),
                   value.columns(),
                   heatmap_id("lesson " + std::string(shown.node)),
                   lesson.version};
    if (named_rows) view.row_labels = lesson.vectors.words;
    if (cells.named_columns && is_of_word_pairs(lesson, shown)) view.column_labels = lesson.vectors.words;
    view.palette = is_probability(node) ? Palette::sequential : Palette::diverging;
    if (is_probability(node)) view.range = ValueRange{0, 1}; // the same colours on every page
    view.show_title = view.show_legend = view.show_shape = false;
    view.largest_cell = cells.height / theme().scale;
    view.cell_aspect = cells.width / cells.height;
    return view;
}

constexpr float far = 4000; // more room than any of them takes

// How much more than its cells the matrix takes for the names of its rows and columns.
ImVec2 names_of(const LessonView& lesson, const Shown& shown, const Cells& cells, bool named_rows) {
    const HeatmapView view = view_of(lesson, shown, cells, named_rows);
    const ImVec2 size = heatmap_size(view, {far, far});
    return {size.x - float(view.matrix.columns) * cells.width,
            size.y - float(view.matrix.rows) * cells.height};
}

// The largest cells with which these lines fit; of no size where they do not.
Cells fitting(const LessonView& lesson, const std::vector<Line>& lines, ImVec2 room, bool named_columns) {
    const float rows = float(lesson.vectors.words.size());
    const Cells usual{px(24), px(20), named_columns}; // names take the same of all sizes like it
    Cells cells{px(64), 0, named_columns};
    float above = gap() * float(lines.size() - 1);
    for (const Line& line : lines) {
        float columns = 0, beside = gap() * float(line.size() - 1), names = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            columns += float(node_of(lesson, line[i]).value.columns());
            const ImVec2 around = names_of(lesson, line[i], usual, i == 0);
            if (i == 0 || i + 1 == line.size()) beside += around.x;
            names = std::max(names, around.y);
        }
        cells.width = std::min(cells.width, std::floor((room.x - beside) / columns));
        above += title_height() + names;
    }
    cells.height = std::floor((room.y - above) / (rows * float(lines.size())));
    cells.height = std::max(std::min({cells.height, cells.width, px(34)}), 0.f);
    return cells;
}

// Numbers that can be read count most, then the names of the columns, then size.
float worth(const Cells& cells) {
    const bool in_full = cells.height > faces().mono_small.size + px(1)
                         && cells.width >= text_width(faces().mono_small, "−0.00") + px(6);
    float numbers = in_full ? 200.f : 0.f;
    if (const auto small = number_writing(cells.width, cells.height, 2, {-1, 1});
        theme().presents() && !in_full && small)
        numbers = 30.f * float(std::min(small->room, 5)); // figures
    const bool names = cells.named_columns && cells.height >= faces().caption.size * 0.92f;
    return cells.height + numbers + (names ? 100.f : 0);
}

// As exact as it is: words stand on hundredths, what is made of them does not.
std::string number(Real value) {
    const double x = double(value);
    const bool is_short = std::abs(x * 100 - std::round(x * 100)) < 1e-4;
    return std::string(trim(is_short ? format_fixed(x, 2) : format_number(x, 3)));
}

// How the cell came about: "rato → rei = 0.50 × 0.80 + 0.30 × 0.50 = 0.55".
std::string arithmetic(const LessonView& lesson, const Shown& shown, MatrixCell cell) {
    const Graph& graph = lesson.attention->graph;
    const auto& words = lesson.vectors.words;
    const Real value = node_of(lesson, shown).value(0, cell.row, cell.column);
    const std::string row = words[std::size_t(cell.row)];
    if (!is_of_word_pairs(lesson, shown))
        return row + ", " + std::to_string(cell.column + 1) + " = " + number(value);
    const std::string pair = row + " → " + words[std::size_t(cell.column)] + " = ";
    if (is_probability(node_of(lesson, shown))) return pair + number(value);
    const bool projected = lesson.options.projections;
    const Tensor &queries = graph.find(projected ? "q" : "x")->value,
                 &keys = graph.find(projected ? "k" : "x")->value;
    std::string sum;
    for (Index i = 0; i < queries.columns(); ++i)
        sum +=
            (i > 0 ? " + " : "") + number(queries(0, cell.row, i)) + " × " + number(keys(0, cell.column, i));
    return pair + (lesson.options.scaled ? "(" + sum + ") ÷ √2" : sum) + " = " + number(value);
}

HeatmapGeometry draw(const HeatmapView& view, const Shown& shown, ImVec2 at, const Session& session,
                     CommandSink& commands) {
    const LessonView& lesson = session.lesson();
    const HeatmapResult drawn = heatmap(view, {at, {at.x + far, at.y + far}});
    if (drawn.clicked) commands.emit("lesson word " + std::to_string(drawn.clicked->row));
    const HeatmapGeometry& g = drawn.geometry;
    if (drawn.hovered)
        show_tooltip(arithmetic(lesson, shown, *drawn.hovered),
                     {{g.column_edge(drawn.hovered->column), g.row_edge(drawn.hovered->row)},
                      {g.column_edge(drawn.hovered->column + 1), g.row_edge(drawn.hovered->row + 1)}});
    // The row of the chosen word.
    const int row = int(lesson.word);
    pen().AddRect({g.column_edge(0) - 1, g.row_edge(row) - 1},
                  {g.column_edge(g.columns) + 1, g.row_edge(row + 1) + 1}, colours().accent, 0, 0, px(1.5f));
    return g;
}

// One line from `at` on; returns where it ends.
float draw_line(const Line& line, const Cells& cells, ImVec2 at, const Session& session,
                CommandSink& commands) {
    const LessonView& lesson = session.lesson();
    float names = 0, end = at.y;
    for (std::size_t i = 0; i < line.size(); ++i)
        names = std::max(names, names_of(lesson, line[i], cells, i == 0).y);
    for (std::size_t i = 0; i < line.size(); ++i) {
        const Shown& shown = line[i];
        HeatmapView view = view_of(lesson, shown, cells, i == 0);
        const std::string name = std::string("lesson.") + shown.node;
        view.name = name;
        const float own = names_of(lesson, shown, cells, i == 0).y;
        const HeatmapGeometry g =
            draw(view, shown, {at.x, at.y + title_height() + names - own}, session, commands);
        draw_text(pen(), faces().strong, {g.column_edge(0), at.y}, shown.colour.value_or(colours().ink),
                  shown.title);
        at.x = g.column_edge(g.columns) + gap();
        end = std::max(end, g.row_edge(g.rows));
    }
    return end;
}

} // namespace

void lesson_matrices(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const LessonView& lesson = session.lesson();
    const bool projected = lesson.options.projections, scaled = lesson.options.scaled;
    const std::string scaled_title = std::string(projected ? "Q Kᵀ" : "X Xᵀ") + " ÷ √2";
    const Shown x{"x", "X"}, weights{"weights", "softmax"}, y{"y", "Y", colours().value};
    const Shown q{"q", "Q", colours().query}, k{"k", "K", colours().key}, v{"v", "V", colours().value};
    const Shown scores =
        scaled ? Shown{"scaled", scaled_title.c_str()} : Shown{"scores", projected ? "Q Kᵀ" : "X Xᵀ"};
    std::vector<std::vector<Line>> ways =
        projected ? std::vector<std::vector<Line>>{{{x, q, k, v}, {scores, weights, y}},
                                                   {{x, q, k, v}, {scores}, {weights, y}}}
                  : std::vector<std::vector<Line>>{{{x, scores}, {weights, y}}, {{x, scores, weights, y}}};
    // Narrower, as the formula is read: Q with K makes the scores, the weights with V make Y. X is the
    // plane's.
    if (projected && theme().presents()) ways.push_back({{q, k, scores}, {weights, v, y}});
    const std::vector<Line>* best = &ways.front();
    Cells cells;
    for (const std::vector<Line>& way : ways)
        for (const bool named_columns : {true, false}) {
            const Cells these = fitting(lesson, way, {rect.width(), rect.height()}, named_columns);
            if (cells.height > 0 && worth(these) <= worth(cells)) continue;
            cells = these;
            best = &way;
        }
    if (cells.height < 1) return; // no room
    float top = rect.min.y;
    for (const Line& line : *best) top = draw_line(line, cells, {rect.min.x, top}, session, commands) + gap();
}

} // namespace headlight
