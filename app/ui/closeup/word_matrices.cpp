#include "app/ui/asking/asked_arithmetic.h"
#include "app/ui/closeup/word_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/heatmap.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace headlight {

namespace {

struct ShownMatrix {
    const Node* node = nullptr;
    const char* formula = "";
    bool of_queries = true; // its rows are the queries
};

// Where there is no room for names, formulas are the titles.
float draw_short_title(const ScreenRect& rect, const ShownMatrix& shown) {
    const FormulaStyle style{MathSize::small, colours().ink};
    const FormulaExtent extent = measure_formula(shown.formula, style);
    draw_formula(pen(), {rect.min.x, rect.min.y + extent.ascent}, shown.formula, style);
    return faces().caption.size * 1.4f;
}

void draw(ScreenRect rect, const WordView& view, const ShownMatrix& shown, bool cramped, bool legend) {
    const Node& node = *shown.node;
    const std::string title = value_name(view.session, node); // the head is said once
    const bool short_title = cramped || text_width(faces().strong, title) > rect.width();
    if (short_title) rect.min.y += draw_short_title(rect, shown);
    ValueView value;
    const Index head = view.place_in(node);
    make_value_view(value, view.session, node, head, "word.matrix." + node.name);
    value.view.title = title;
    value.view.show_legend = legend;
    value.view.show_title = !short_title;
    const std::array<int, 1> lit{int(view.token)};
    if (shown.of_queries) value.view.lit_rows = lit;
    const std::optional<NamedCell>& held = view.session.view().asking.held;
    if (held && held->path == node.path && held->cell.batch == head)
        value.view.selected = MatrixCell{int(held->cell.row), int(held->cell.column)};
    const HeatmapResult result = heatmap(value.view, rect);
    if (result.clicked)
        view.commands.emit(select_command({node.path, {head, result.clicked->row, result.clicked->column}}));
}

// Side by side; in equal parts, or what has a column a word in wider ones.
void draw_row(const ScreenRect& rect, const WordView& view, const std::vector<ShownMatrix>& matrices,
              bool cramped, bool legend = false) {
    const float gap = px(22);
    const auto share_of = [&](const ShownMatrix& shown) {
        return legend && shown.node && shown.node->axes.columns.kind == Axis::Kind::positions ? 2.f : 1.f;
    };
    float shares = 0;
    for (const ShownMatrix& shown : matrices) shares += share_of(shown);
    const float part = (rect.width() - gap * float(matrices.size() - 1)) / shares;
    float x = rect.min.x;
    for (const ShownMatrix& shown : matrices) {
        const float width = part * share_of(shown);
        if (shown.node) draw({{x, rect.min.y}, {x + width, rect.max.y}}, view, shown, cramped, legend);
        x += width + gap;
    }
}

// What this step is made of, and what it makes: large enough for words and axes where all are not.
void matrices_of_stage(const ScreenRect& rect, const WordView& view) {
    const FollowedAttention& a = view.attention;
    const ShownMatrix q{a.q, "\\color{query}{Q}"}, k{a.k, "\\color{key}{K}", false},
        v{a.v, "\\color{value}{V}", false}, scores{a.scores, "\\color{query}{Q}\\,\\color{key}{K}^T"},
        scaled{a.scaled, "÷ \\sqrt{d_k}"}, masked{a.masked, "+ M"}, weights{a.weights, "A"},
        sum{a.heads, "A\\,\\color{value}{V}"};
    const auto shown = [&]() -> std::vector<ShownMatrix> {
        switch (view.stage) {
        case WordStage::vectors:
            return {q, k, v};
        case WordStage::scores:
            return {q, k, scores};
        case WordStage::scaled:
            return {scores, scaled};
        case WordStage::masked:
            return {scaled, masked};
        case WordStage::weights:
            return {view.has_mask ? masked : scaled, weights};
        case WordStage::weighted:
            return {weights, v};
        case WordStage::sum:
            return {weights, v, sum};
        }
        return {};
    };
    draw_row(rect, view, shown(), true, true);
}

} // namespace

void word_as_matrices(const ScreenRect& rect, const WordView& view) {
    const FollowedAttention& a = view.attention;
    if (theme().presents() && (rect.height() < px(360) || rect.width() < px(620)))
        return matrices_of_stage(rect, view);
    const float gap = px(14), half = std::floor((rect.height() - gap) / 2);
    const bool cramped = rect.height() < px(230);
    const ShownMatrix vectors[] = {
        {a.q, "\\color{query}{Q}"}, {a.k, "\\color{key}{K}", false}, {a.v, "\\color{value}{V}", false}};
    draw_row({rect.min, {rect.max.x, rect.min.y + half}}, view, {std::begin(vectors), std::end(vectors)},
             cramped);
    // What comes later keeps its place.
    const auto once = [&](WordStage stage, const Node* node, const char* formula) {
        return ShownMatrix{view.shows(stage) ? node : nullptr, formula};
    };
    std::vector<ShownMatrix> rest{once(WordStage::scores, a.scores, "\\color{query}{Q}\\,\\color{key}{K}^T"),
                                  once(WordStage::scaled, a.scaled, "÷ \\sqrt{d_k}")};
    if (view.has_mask) rest.push_back(once(WordStage::masked, a.masked, "+ M"));
    rest.push_back(once(WordStage::weights, a.weights, "A"));
    rest.push_back(once(WordStage::sum, a.heads, "A\\,\\color{value}{V}"));
    draw_row({{rect.min.x, rect.max.y - half}, rect.max}, view, rest, cramped);
}

} // namespace headlight
