// The matrices of the lesson in the order of its formula, line by line; all rows are words, so all cells are
// of one size, and a line names its rows once.
#include "app/ui/asking/asked.h"
#include "app/ui/rooms/ground_up/ground_up_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"

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
    bool dressed = true; // with what is asked and compared, and where its colours end
};

const Node& node_of(const SmallPages& lesson, const Shown& shown) {
    return *lesson.attention->graph.find(shown.node);
}

bool is_of_word_pairs(const SmallPages& lesson, const Shown& shown) {
    return node_of(lesson, shown).value.columns() == Index(lesson.vectors.words.size());
}

float gap() { return px(theme().presents() ? 8 : 14); }
float title_height() { return faces().strong.size + px(6); }
float legend_height() { return px(14) + faces().mono_small.size; }

HeatmapView view_of(const Session& session, const Shown& shown, const Cells& cells, bool named_rows) {
    const SmallPages& lesson = session.small_pages();
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
    if (cells.dressed && is_of_word_pairs(lesson, shown)) {
        const ValueLabels& labels = value_labels(session, node);
        // Both above the columns: rows are named at the beginning of a line, and need no room for it here.
        struct BothAxes {
            std::string both;
        };
        std::string& both = ui().state<BothAxes>().both; // as long as the view that shows it
        if (std::string now = labels.row_axis + "   " + labels.column_axis; now != both)
            both = std::move(now);
        view.column_axis = both;
    }
    view.palette = is_probability(node) ? Palette::sequential : Palette::diverging;
    if (is_probability(node)) view.range = ValueRange{0, 1}; // the same colours on every page
    view.show_title = view.show_legend = view.show_shape = false;
    view.largest_cell = cells.height / theme().scale;
    view.cell_aspect = cells.width / cells.height;
    return view;
}

constexpr float far = 4000; // more room than any of them takes

// How much more than its cells the matrix takes for the names of its rows and columns.
ImVec2 names_of(const Session& session, const Shown& shown, const Cells& cells, bool named_rows) {
    const HeatmapView view = view_of(session, shown, cells, named_rows);
    const ImVec2 size = heatmap_size(view, {far, far});
    return {size.x - float(view.matrix.columns) * cells.width,
            size.y - float(view.matrix.rows) * cells.height};
}

// The same before its cells alone: what leans out behind them lies over the gap.
float before_cells(const Session& session, const Shown& shown, Cells cells, bool named_rows) {
    cells.named_columns = false;
    return names_of(session, shown, cells, named_rows).x;
}

// The largest cells with which these lines fit; of no size where they do not.
Cells fitting(const Session& session, const std::vector<Line>& lines, ImVec2 room, Cells cells) {
    const SmallPages& lesson = session.small_pages();
    const float rows = float(lesson.vectors.words.size());
    // Names take the same of all sizes like it.
    const Cells usual{px(24), px(20), cells.named_columns, cells.dressed};
    cells.width = std::floor(px(64) * growth_in(room.y));
    float above = gap() * float(lines.size() - 1);
    for (const Line& line : lines) {
        float columns = 0, beside = gap() * float(line.size() - 1), names = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            columns += float(node_of(lesson, line[i]).value.columns());
            const ImVec2 around = names_of(session, line[i], usual, i == 0);
            beside += i + 1 == line.size() ? around.x : before_cells(session, line[i], usual, i == 0);
            names = std::max(names, around.y);
        }
        cells.width = std::min(cells.width, std::floor((room.x - beside) / columns));
        above += title_height() + names + (cells.dressed ? legend_height() : 0);
    }
    cells.height = std::floor((room.y - above) / (rows * float(lines.size())));
    cells.height =
        std::max(std::min({cells.height, cells.width, std::floor(px(34) * growth_in(room.y))}), 0.f);
    return cells;
}

// Numbers that can be read count most, then the names of the columns, axes and legends, then size.
float worth(const Cells& cells) {
    const bool in_full = cells.height > faces().mono_small.size + px(1)
                         && cells.width >= text_width(faces().mono_small, "−0.00") + px(6);
    float numbers = in_full ? 200.f : 0.f;
    if (const auto small = number_writing(cells.width, cells.height, 2, {-1, 1});
        theme().presents() && !in_full && small)
        numbers = 30.f * float(3 + small->decimals); // figures
    const bool names = cells.named_columns && cells.height >= faces().caption.size * 0.92f;
    return cells.height + numbers + (names ? 100.f : 0) + (cells.dressed ? 50.f : 0);
}

// As exact as it is: words stand on hundredths, what is made of them does not.
std::string number(Real value) {
    const double x = double(value);
    const bool is_short = std::abs(x * 100 - std::round(x * 100)) < 1e-4;
    return std::string(trim(is_short ? format_fixed(x, 2) : format_number(x, 3)));
}

// How the cell came about: "rato → rei = 0.50 × 0.80 + 0.30 × 0.50 = 0.55".
std::string arithmetic(const SmallPages& lesson, const Shown& shown, MatrixCell cell) {
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

// Where the colours of a matrix end: of shares 0 and 1, of other numbers their own.
struct ColourEnds {
    float low = 0, high = 1, reach = 1;
    bool shares = true;
    std::string from = "0", to = "1";
};

ColourEnds colour_ends(const HeatmapView& view) {
    const MatrixFacts& facts = facts_of(view.matrix);
    ColourEnds ends{.reach = std::max(facts.largest_magnitude, 1e-6f), .shares = view.range.has_value()};
    if (ends.shares) return ends;
    ends.low = facts.low;
    ends.high = facts.high;
    if (view.hides_ends) return ends.from = ends.to = "?", ends;
    ends.from = trim(format_fixed(double(ends.low), 2));
    ends.to = trim(format_fixed(double(ends.high), 2));
    return ends;
}

void colour_bar(const HeatmapView& view, const ColourEnds& ends, const ScreenRect& bar) {
    constexpr int steps = 28;
    for (int i = 0; i < steps; ++i) {
        const float number = std::lerp(ends.low, ends.high, (float(i) + 0.5f) / steps);
        const float place = ends.shares ? number : (number + ends.reach) / (2 * ends.reach);
        pen().AddRectFilled({bar.min.x + bar.width() * float(i) / steps, bar.min.y},
                            {bar.min.x + bar.width() * float(i + 1) / steps, bar.max.y},
                            theme().palette_colour(view.palette, place));
    }
    pen().AddRect(bar.min, bar.max, with_alpha(colours().ink, 0.16f));
}

// Under the matrix.
void legend(const HeatmapView& view, const HeatmapGeometry& g) {
    const ColourEnds ends = colour_ends(view);
    const Face& face = faces().mono_small;
    const float left = g.column_edge(0), width = std::min(g.column_edge(g.columns) - left, px(140));
    const float top = g.row_edge(g.rows) + px(6), below = top + px(7), behind = text_width(face, ends.to);
    if (text_width(face, ends.from) + px(6) + behind > width) return; // half of it would say nothing
    colour_bar(view, ends, {{left, top}, {left + width, top + px(5)}});
    draw_text(pen(), face, {left, below}, colours().ink_soft, ends.from);
    draw_text(pen(), face, {left + width - behind, below}, colours().ink_soft, ends.to);
}

// Behind the title, where there is no room below it: what is asked and compared, and where the colours end.
// Returns where it ends.
float axes_and_legend(const HeatmapView& view, const std::string& axes, ImVec2 at, float right) {
    const Face &caption = faces().caption, &face = faces().mono_small;
    const float lift = ascent(faces().strong) - ascent(caption);
    if (at.x + text_width(caption, axes) > right) return at.x;
    draw_text(pen(), caption, {at.x, at.y + lift}, colours().ink_faint, axes);
    at.x += text_width(caption, axes) + px(14);
    const ColourEnds ends = colour_ends(view);
    const float from = text_width(face, ends.from), to = text_width(face, ends.to), bar = px(40),
                between = px(5);
    if (at.x + from + bar + to + 2 * between > right) return at.x;
    const float number = at.y + ascent(faces().strong) - ascent(face);
    draw_text(pen(), face, {at.x, number}, colours().ink_soft, ends.from);
    at.x += from + between;
    const float middle = at.y + faces().strong.size / 2;
    colour_bar(view, ends, {{at.x, middle - px(3)}, {at.x + bar, middle + px(3)}});
    at.x += bar + between;
    draw_text(pen(), face, {at.x, number}, colours().ink_soft, ends.to);
    return at.x + to + px(8);
}

HeatmapGeometry draw(HeatmapView& view, const Shown& shown, ImVec2 at, const Session& session,
                     CommandSink& commands) {
    const SmallPages& lesson = session.small_pages();
    const Node& node = node_of(lesson, shown);
    SmallPageAsking& asking = small_page_asking();
    const std::optional<NamedCell> asked = asking.asked(session);
    const auto place_of = [&](const std::optional<NamedCell>& cell) -> std::optional<MatrixCell> {
        if (!cell || cell->path != node.path) return {};
        return MatrixCell{int(cell->cell.row), int(cell->cell.column)};
    };
    const NamedCell* held = held_on_small_page(session);
    const std::vector<MatrixCell> lit = lit_in(cells_of_direction(session, asked), node);
    view.lit_cells = lit;
    const std::vector<MatrixCell> covered = covered_cells(session, node.path, 0);
    view.covered = covered;
    if (held) view.selected = place_of(*held);
    const HeatmapResult drawn = heatmap(view, {at, {at.x + far, at.y + far}});
    const HeatmapGeometry& g = drawn.geometry;
    const auto rect_of = [&](MatrixCell cell) {
        return ScreenRect{{g.column_edge(cell.column), g.row_edge(cell.row)},
                          {g.column_edge(cell.column + 1), g.row_edge(cell.row + 1)}};
    };
    if (drawn.hovered) {
        asking.point({node.path, {0, drawn.hovered->row, drawn.hovered->column}});
        if (!is_kept_back(session, {node.path, {0, drawn.hovered->row, drawn.hovered->column}}))
            show_tooltip(arithmetic(lesson, shown, *drawn.hovered), rect_of(*drawn.hovered));
    }
    if (drawn.clicked) {
        const NamedCell there{node.path, {0, drawn.clicked->row, drawn.clicked->column}};
        if (drawn.clicked->row != lesson.word)
            commands.emit("lesson word " + std::to_string(drawn.clicked->row));
        commands.emit(held && *held == there ? "unselect" : select_command(there));
    }
    // The row of the chosen word.
    const int row = int(lesson.word);
    pen().AddRect({g.column_edge(0) - 1, g.row_edge(row) - 1},
                  {g.column_edge(g.columns) + 1, g.row_edge(row + 1) + 1}, colours().accent, 0, 0, px(1.5f));
    if (view.selected) { // above the row's frame
        const ScreenRect there = rect_of(*view.selected);
        pen().AddRect(there.min, there.max, colours().ink, 0, 0, px(2));
    }
    if (const std::optional<MatrixCell> hinted = place_of(asking.hinted)) {
        const ScreenRect there = rect_of(*hinted);
        pen().AddRect(there.min, there.max, colours().warning, 0, 0, px(2));
    }
    return g;
}

// One line from `at` on; returns where it ends.
float draw_line(const Line& line, const Cells& cells, ImVec2 at, const Session& session,
                CommandSink& commands) {
    const SmallPages& lesson = session.small_pages();
    float names = 0, end = at.y;
    for (std::size_t i = 0; i < line.size(); ++i)
        names = std::max(names, names_of(session, line[i], cells, i == 0).y);
    for (std::size_t i = 0; i < line.size(); ++i) {
        const Shown& shown = line[i];
        HeatmapView view = view_of(session, shown, cells, i == 0);
        view.hides_ends = session.view().teaching.cover.hides_some_of(node_of(lesson, shown).path);
        const std::string name = std::string("lesson.") + shown.node;
        view.name = name;
        const float own = names_of(session, shown, cells, i == 0).y;
        const HeatmapGeometry g =
            draw(view, shown, {at.x, at.y + title_height() + names - own}, session, commands);
        const float left = g.column_edge(0), right = g.column_edge(g.columns);
        draw_text(pen(), faces().strong, {left, at.y}, shown.colour.value_or(colours().ink), shown.title);
        const std::string shape = to_string(node_of(lesson, shown).shape());
        float behind = left + text_width(faces().strong, shown.title) + px(10);
        if (!cells.dressed && is_of_word_pairs(lesson, shown)) {
            const ValueLabels& labels = value_labels(session, node_of(lesson, shown));
            behind =
                axes_and_legend(view, labels.row_axis + "  " + labels.column_axis, {behind, at.y}, right);
        }
        if (behind + text_width(faces().caption, shape) <= right + gap() * 0.7f)
            draw_text(pen(), faces().caption,
                      {behind, at.y + ascent(faces().strong) - ascent(faces().caption)}, colours().ink_faint,
                      shape);
        if (cells.dressed) legend(view, g);
        at.x = right + gap();
        end = std::max(end, g.row_edge(g.rows) + (cells.dressed ? legend_height() : 0));
    }
    return end;
}

} // namespace

void lesson_matrices(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const SmallPages& lesson = session.small_pages();
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
        for (const bool named_columns : {true, false})
            for (const bool dressed : {true, false}) {
                const Cells these =
                    fitting(session, way, {rect.width(), rect.height()}, {0, 0, named_columns, dressed});
                if (cells.height > 0 && worth(these) <= worth(cells)) continue;
                cells = these;
                best = &way;
            }
    if (cells.height < 1) return; // no room
    float top = rect.min.y;
    for (const Line& line : *best) top = draw_line(line, cells, {rect.min.x, top}, session, commands) + gap();
}

} // namespace headlight
