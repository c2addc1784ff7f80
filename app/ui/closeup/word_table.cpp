#include "app/ui/asking/asked.h"
#include "app/ui/closeup/closeup_parts.h"
#include "app/ui/closeup/frame.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace headlight {

namespace {

// A column of the table: a number or a vector for each key.
struct Column {
    WordStage appears;
    std::string name, formula;
    const Node* node = nullptr; // none: weighted values, which no value of the graph holds
    bool is_vector = false, of_query_row = false;
    Palette palette = Palette::diverging;
    ValueRange range;
    float x = 0, width = 0;
};

struct WordTable {
    const WordView& view;
    std::vector<Column> columns;
    std::vector<float> weighted; // keys × d_k
    float labels = 0, row = 0, vector_cell = 0;
    float growth = 1;        // of cells, on a large screen
    int keys = 0, width = 0; // d_k
};

// What the pointer was on in the frame before; else what matters most.
struct PointedToken {
    int key = 0, column = 0;
};

double divisor(const WordView& view) {
    const Explanation e =
        view.session.model().graph().explain(*view.attention.scaled, {view.head, view.token, 0});
    const Expr& last = e.steps.back().expression;
    const bool quotient = last.kind == Expr::Kind::quotient && last.operands[1].kind == Expr::Kind::number;
    return quotient ? last.operands[1].number : std::sqrt(double(view.attention.q->value.columns()));
}

std::span<const float> row_of(const Node& node, const WordView& view) {
    return {node.value.row(view.place_in(node), view.token), std::size_t(node.value.columns())};
}

std::span<const float> head_of(const Node& node, const WordView& view) {
    return {node.value.matrix(view.place_in(node)), std::size_t(node.value.rows() * node.value.columns())};
}

WordTable make_table(const WordView& view) {
    const FollowedAttention& a = view.attention;
    WordTable table{view, {}, {}};
    table.keys = int(a.k->value.rows());
    table.width = int(a.v->value.columns());
    for (int key = 0; key < table.keys; ++key)
        for (int c = 0; c < table.width; ++c)
            table.weighted.push_back(a.weights->value(view.head, view.token, key)
                                     * a.v->value(view.place_in(*a.v), key, c));
    const auto vectors = [&](WordStage appears, const char* name, const char* formula, const Node* node,
                             ValueRange range) {
        table.columns.push_back({appears, name, formula, node, true, false, Palette::diverging, range});
    };
    const auto numbers = [&](WordStage appears, const char* name, std::string formula, const Node* node) {
        const Palette palette = is_probability(*node) ? Palette::sequential : Palette::diverging;
        table.columns.push_back({appears, name, std::move(formula), node, false, true, palette,
                                 strip_range(row_of(*node, view), palette)});
    };
    // Queries, keys and values in the same colours: one legend speaks for all of them.
    float reach = 0;
    for (const ValueRange& range : {strip_range(row_of(*a.q, view), Palette::diverging),
                                    strip_range(head_of(*a.k, view), Palette::diverging),
                                    strip_range(head_of(*a.v, view), Palette::diverging)})
        reach = std::max(reach, range.high);
    const ValueRange of_vectors{-reach, reach}, of_values = of_vectors;
    vectors(WordStage::vectors, "k", "\\color{key}{k_j}", a.k, of_vectors);
    numbers(WordStage::scores, "scores", "\\color{query}{q} \\cdot \\color{key}{k_j}", a.scores);
    numbers(WordStage::scaled, "scaled", "÷ " + short_number(divisor(view)), a.scaled);
    if (view.has_mask) numbers(WordStage::masked, "masked", "+ m_j", a.masked);
    numbers(WordStage::weights, "weights", "a_j", a.weights);
    vectors(WordStage::vectors, "v", "\\color{value}{v_j}", a.v, of_values);
    vectors(WordStage::weighted, "weighted", "a_j\\,\\color{value}{v_j}", nullptr, of_values);
    return table;
}

// Numbers as wide as they need; vectors share what is left.
void place_columns(WordTable& table, const ScreenRect& rect) {
    const float gap = px(12);
    for (const std::string& key : table.view.keys)
        table.labels = std::max(table.labels, text_width(faces().caption, key));
    for (const std::string& query : table.view.queries)
        table.labels = std::max(table.labels, text_width(faces().caption, query));
    table.labels = std::ceil(std::min(table.labels + px(10), rect.width() * 0.2f));
    float left = rect.width() - table.labels - ImGui::GetStyle().ScrollbarSize;
    int vectors = 0;
    for (Column& column : table.columns) {
        left -= gap;
        if (column.is_vector) {
            ++vectors;
            continue;
        }
        const float title = measure_formula(column.formula, {MathSize::small}).width;
        column.width = std::ceil(std::max(numbered_cell_width(2) * table.growth, title));
        left -= column.width;
    }
    table.vector_cell = std::max(1.f, left / float(vectors * table.width));
    if (table.vector_cell > px(4)) table.vector_cell = std::floor(table.vector_cell);
    table.vector_cell = std::min(table.vector_cell, numbered_cell_width(2) * 1.1f * table.growth);
    float x = rect.min.x + table.labels + gap;
    for (Column& column : table.columns) {
        if (column.is_vector) column.width = std::ceil(table.vector_cell * float(table.width));
        column.x = x;
        x += column.width + gap;
    }
}

const Column& column_named(const WordTable& table, std::string_view name) {
    return *std::find_if(table.columns.begin(), table.columns.end(),
                         [&](const Column& column) { return column.name == name; });
}

void draw_titles(const WordTable& table, float top, float height) {
    for (const Column& column : table.columns) {
        if (!table.view.shows(column.appears)) continue;
        const FormulaStyle style{MathSize::small, colours().ink};
        const FormulaExtent extent = measure_formula(column.formula, style);
        const float x = column.x + (column.width - extent.width) / 2;
        draw_formula(pen(), {x, top + (height - extent.height()) / 2 + extent.ascent}, column.formula, style);
    }
}

HeatmapMatrix matrix_of(const WordTable& table, const Column& column) {
    const WordView& view = table.view;
    const unsigned long version = view.session.version();
    if (!column.node)
        return {table.weighted.data(),
                table.keys,
                table.width,
                table.width,
                heatmap_id(view.attention.path + ".weighted." + std::to_string(view.token), int(view.head)),
                version};
    const Tensor& value = column.node->value;
    const Index head = view.place_in(*column.node);
    if (column.of_query_row)
        return {value.row(head, view.token),
                table.keys,
                1,
                1,
                heatmap_id(column.node->path + ".row." + std::to_string(view.token), int(head)),
                version};
    return {value.matrix(head),
            table.keys,
            table.width,
            table.width,
            heatmap_id(column.node->path, int(head)),
            version};
}

void draw_column(const WordTable& table, const Column& column, float top, int lit,
                 std::optional<PointedToken>& hovered) {
    const WordView& view = table.view;
    StripView strip;
    strip.name = "word." + column.name;
    strip.matrix = matrix_of(table, column);
    strip.palette = column.palette;
    strip.range = column.range;
    strip.cell_width = column.is_vector ? table.vector_cell : column.width;
    strip.cell_height = table.row;
    strip.lit_row = lit;
    const auto cell_at = [&](const MatrixCell& at) {
        const Index head = view.place_in(*column.node);
        return column.of_query_row ? Cell{head, view.token, at.row} : Cell{head, at.row, at.column};
    };
    if (const auto& held = view.session.view().asking.held;
        held && column.node && held->path == column.node->path)
        for (int key = 0; key < table.keys; ++key)
            for (int c = 0; c < strip.matrix.columns; ++c)
                if (cell_at({key, c}) == held->cell) strip.selected = MatrixCell{key, c};
    // A weighted value is told by its weight.
    const Node& said = column.node ? *column.node : *view.attention.weights;
    const Cover& cover = view.session.view().teaching.cover;
    for (int key = 0; key < table.keys && cover.hides_some_of(said.path); ++key)
        for (int c = 0; c < strip.matrix.columns; ++c)
            if (cover.hides(said.path, column.node ? cell_at({key, c}) : Cell{view.head, view.token, key}))
                strip.covered.push_back({key, c});
    const StripResult result = draw_strip(strip, {column.x, top});
    if (result.hovered)
        hovered = PointedToken{result.hovered->row, column.is_vector ? result.hovered->column : -1};
    if (result.clicked && column.node)
        view.commands.emit(select_command({column.node->path, cell_at(*result.clicked)}));
}

// A single vector above or below its column: the query, the sum.
void draw_vector(const WordTable& table, const Node& node, const char* name, ImVec2 top_left,
                 ValueRange range) {
    const WordView& view = table.view;
    StripView strip;
    strip.name = name;
    strip.matrix = {node.value.row(view.head, view.token),
                    1,
                    table.width,
                    table.width,
                    heatmap_id(node.path + ".row." + std::to_string(view.token), int(view.head)),
                    view.session.version()};
    strip.range = range;
    strip.cell_width = table.vector_cell;
    strip.cell_height = std::floor(std::min(std::max(table.row, px(18)), px(24) * table.growth));
    if (const auto& held = view.session.view().asking.held;
        held && held->path == node.path && held->cell.batch == view.head && held->cell.row == view.token)
        strip.selected = MatrixCell{0, int(held->cell.column)};
    for (int c = 0; c < table.width; ++c)
        if (view.session.view().teaching.cover.hides(node.path, {view.head, view.token, c}))
            strip.covered.push_back({0, c});
    const StripResult result = draw_strip(strip, top_left);
    if (result.clicked)
        view.commands.emit(select_command({node.path, {view.head, view.token, result.clicked->column}}));
}

// Where the colours of queries, keys and values end: at the right.
void draw_legend(ValueRange range, const ScreenRect& rect) {
    const Face& face = faces().mono_small;
    const std::string vectors = "\\color{query}{q},\\; \\color{key}{k_j},\\; \\color{value}{v_j}";
    const FormulaStyle style{MathSize::small, colours().ink};
    const FormulaExtent extent = measure_formula(vectors, style);
    const auto [low, high] = range_texts(double(range.low), double(range.high));
    const float bar = px(64), between = px(6), middle = rect.centre().y;
    float x = rect.max.x - ImGui::GetStyle().ScrollbarSize - text_width(face, high);
    const float left = x - 3 * between - bar - text_width(face, low) - extent.width;
    if (left < rect.min.x) return;
    draw_text(pen(), face, {x, middle - face.size / 2}, colours().ink_soft, high);
    x -= between + bar;
    constexpr int steps = 24;
    for (int i = 0; i < steps; ++i)
        pen().AddRectFilled({x + bar * float(i) / steps, middle - px(4)},
                            {x + bar * float(i + 1) / steps, middle + px(4)},
                            theme().palette_colour(Palette::diverging, (float(i) + 0.5f) / steps));
    x -= between + text_width(face, low);
    draw_text(pen(), face, {x, middle - face.size / 2}, colours().ink_soft, low);
    draw_formula(pen(), {left, middle - extent.height() / 2 + extent.ascent}, vectors, style);
    widgets().record("word.legend", {{left, rect.min.y}, rect.max});
}

// The lines of all keys; they scroll where they are many. Returns what the pointer is on.
std::optional<PointedToken> draw_keys(const WordTable& table, const ScreenRect& rect, int lit) {
    std::optional<PointedToken> hovered;
    const float height = table.row * float(table.keys);
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::BeginChild("word.keys", {rect.width(), rect.height()}, false,
                      ImGuiWindowFlags_NoBackground
                          | (height <= rect.height() ? ImGuiWindowFlags_NoScrollWithMouse : 0));
    const float top = std::round(ImGui::GetCursorScreenPos().y);
    const bool same_words = table.view.attention.is_self;
    for (int key = 0; key < table.keys; ++key) {
        const ScreenRect label{{rect.min.x, top + table.row * float(key)},
                               {rect.min.x + table.labels, top + table.row * float(key + 1)}};
        if (label.max.y < rect.min.y || label.min.y > rect.max.y) continue;
        const bool own = same_words && key == int(table.view.token);
        draw_label(pen(), faces().caption, label,
                   own          ? colours().accent
                   : key == lit ? colours().ink
                                : colours().ink_soft,
                   table.view.keys[std::size_t(key)], Align::right);
    }
    for (const Column& column : table.columns)
        if (table.view.shows(column.appears)) draw_column(table, column, top, lit, hovered);
    ImGui::SetCursorScreenPos({rect.min.x, top});
    ImGui::Dummy({1, height - 1});
    ImGui::EndChild();
    return hovered;
}

int most(std::span<const float> numbers) {
    int largest = 0;
    for (int i = 0; i < int(numbers.size()); ++i)
        if (std::abs(numbers[std::size_t(i)]) > std::abs(numbers[std::size_t(largest)])) largest = i;
    return largest;
}

// The newest number of the line at hand, with its arithmetic.
ExplanationText arithmetic_of(const WordTable& table, const PointedToken& at, int terms) {
    const WordView& view = table.view;
    const FollowedAttention& a = view.attention;
    const Graph& graph = view.session.model().graph();
    const ExplanationTextOptions options{.max_terms = terms};
    const Cell score{view.head, view.token, at.key};
    switch (view.stage) {
    case WordStage::vectors:
        break;
    case WordStage::scores:
        return explanation_text(graph, *a.scores, score, options);
    case WordStage::scaled:
        return explanation_text(graph, *a.scaled, score, options);
    case WordStage::masked:
        return explanation_text(graph, *a.masked, score, options);
    case WordStage::weights:
        return explanation_text(graph, *a.weights, score, options);
    case WordStage::weighted: {
        const Cell value{view.place_in(*a.v), at.key, at.column};
        const Explanation product{"", {{"y", Expr::of(*a.weights, score) * Expr::of(*a.v, value)}}};
        return explanation_text(product, product.evaluate(), options);
    }
    case WordStage::sum:
        return explanation_text(graph, *a.heads, {view.head, view.token, at.column}, options);
    }
    return {};
}

bool is_at_hand_kept_back(const WordView& view, const PointedToken& at) {
    const FollowedAttention& a = view.attention;
    const Cell score{view.head, view.token, at.key};
    const auto kept_back = [&](const Node& node, Cell cell) {
        return is_kept_back(view.session, {node.path, cell});
    };
    switch (view.stage) {
    case WordStage::vectors:
        return false;
    case WordStage::scores:
        return kept_back(*a.scores, score);
    case WordStage::scaled:
        return kept_back(*a.scaled, score);
    case WordStage::masked:
        return kept_back(*a.masked, score);
    case WordStage::weights:
        return kept_back(*a.weights, score);
    case WordStage::weighted:
        return view.session.view().teaching.cover.hides(a.weights->path, score);
    case WordStage::sum:
        return kept_back(*a.heads, {view.head, view.token, at.column});
    }
    return false;
}

// "“it” → “animal”: 0.42·1.10 + … = 1.27"
void draw_arithmetic(const WordTable& table, const ScreenRect& rect, const PointedToken& at) {
    const WordView& view = table.view;
    const Strings& s = view.session.strings();
    const float line = faces().caption.size * 1.35f;
    const std::string& query = view.queries[std::size_t(view.token)];
    const std::string& key = view.keys[std::size_t(at.key)];
    std::string heading;
    if (view.stage == WordStage::vectors)
        heading = s.text("closeups.word.hint");
    else if (view.stage == WordStage::weighted)
        heading = s.text("closeups.word.at.weighted", {query, key, std::to_string(at.column)});
    else if (view.stage == WordStage::sum)
        heading = s.text("closeups.word.at.sum", {query, std::to_string(at.column)});
    else
        heading = s.text("closeups.word.at.key", {query, key});
    if (view.stage == WordStage::vectors)
        draw_wrapped(pen(), faces().caption, rect.min, rect.width(), colours().ink_faint, heading);
    else
        draw_label(pen(), faces().caption, {rect.min, {rect.max.x, rect.min.y + line}}, colours().ink_faint,
                   heading);
    if (is_at_hand_kept_back(view, at))
        draw_label(pen(), faces().caption, {{rect.min.x, rect.min.y + line}, rect.max}, colours().ink_soft,
                   s.text("teach.first"));
    else if (view.stage != WordStage::vectors)
        arithmetic_line({rect.min.x, rect.min.y + line}, rect.width(), "word.arithmetic", view.session,
                        arithmetic_of(table, at, rect.width() > px(700) ? 5 : 3), view.commands);
}

} // namespace

void word_by_word(const ScreenRect& rect, const WordView& view) {
    WordTable table = make_table(view);
    table.growth = growth_in(rect.height());
    place_columns(table, rect);
    const FollowedAttention& a = view.attention;
    const float title =
        measure_formula("\\color{query}{q} \\cdot \\color{key}{k_j}", {MathSize::small}).height() + px(8);
    const bool cramped = rect.height() < px(230); // numbers alone
    const float vector = std::floor(px(cramped ? 18 : 24) * table.growth), lines = cramped ? 0
                                                                                   : rect.width() > px(700)
                                                                                       ? 1
                                                                                       : 2;
    const float foot = cramped ? 0 : faces().caption.size * 1.35f + faces().mono_small.size * 1.4f * lines;
    const ScreenRect keys{{rect.min.x, rect.min.y + title + vector + px(8)},
                          {rect.max.x, rect.max.y - foot - vector - px(cramped ? 10 : 18)}};
    if (keys.height() < faces().caption.size) return;
    table.row = std::floor(
        std::clamp(keys.height() / float(table.keys), faces().caption.size * 1.25f, px(44) * table.growth));
    const float shown = std::min(keys.height(), table.row * float(table.keys));

    // The query above the keys that it meets, and above what those are called.
    const Column& k = column_named(table, "k");
    const std::string& word = view.queries[std::size_t(view.token)];
    draw_text_in(pen(), faces().caption, {rect.min, {rect.min.x + table.labels, rect.min.y + vector}},
                 colours().accent, ellipsized(faces().caption, word, table.labels), Align::right);
    draw_vector(table, *a.q, "word.q", {k.x, rect.min.y}, k.range);
    const FormulaStyle style{MathSize::small, colours().ink};
    const FormulaExtent q = measure_formula("\\color{query}{q}", style);
    draw_formula(pen(), {k.x + k.width + px(6), rect.min.y + (vector - q.height()) / 2 + q.ascent},
                 "\\color{query}{q}", style);
    draw_legend(k.range, {{k.x + k.width + px(40), rect.min.y}, {rect.max.x, rect.min.y + vector}});
    draw_titles(table, rect.min.y + vector + px(4), title);

    int& pointed_key = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("word.pointed.key"), -1);
    int& pointed_column = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("word.pointed.column"), -1);
    // The word that gets most, unless a lesson asks for it.
    const bool asks = view.session.view().teaching.cover.hides_some_of(a.weights->path, view.token);
    PointedToken at{asks ? 0 : most(row_of(*a.weights, view)), 0};
    if (pointed_key >= 0 && pointed_key < table.keys) at.key = pointed_key;
    at.column = view.stage == WordStage::sum
                    ? most(row_of(*a.heads, view))
                    : most({a.v->value.row(view.place_in(*a.v), at.key), std::size_t(table.width)});
    if (pointed_column >= 0 && pointed_column < table.width) at.column = pointed_column;
    const std::optional<PointedToken> hovered = draw_keys(table, keys, at.key);
    const PointedToken now = hovered.value_or(PointedToken{-1, -1});
    if (now.key != pointed_key || now.column != pointed_column) ui().display().request_frames(2);
    pointed_key = now.key;
    pointed_column = now.column;

    // The sum below the values that it adds up.
    const float below = keys.min.y + shown + px(8);
    if (view.shows(WordStage::sum)) {
        const Column& v = column_named(table, "v");
        const Column& weighted = column_named(table, "weighted");
        pen().AddLine({weighted.x, below - px(4)}, {weighted.x + weighted.width, below - px(4)},
                      colours().ink_soft, px(1.5f));
        draw_vector(table, *a.heads, "word.sum", {weighted.x, below}, weighted.range);
        const std::string sum = "\\sum_j a_j\\,\\color{value}{v_j} =";
        const FormulaExtent extent = measure_formula(sum, style);
        draw_formula(pen(),
                     {std::max(v.x + v.width - extent.width, rect.min.x),
                      below + (vector - extent.height()) / 2 + extent.ascent},
                     sum, style);
    }
    if (!cramped) draw_arithmetic(table, {{rect.min.x, rect.max.y - foot}, rect.max}, at);
}

} // namespace headlight
