#include "app/ui/panels/asked_arithmetic.h"
#include "app/ui/panels/closeup/word_parts.h"
#include "app/ui/panels/value_view.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/heatmap.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace headlight {

namespace {

struct Shown {
    const Node* node = nullptr;
    bool of_queries = true; // its rows are the queries
};

void draw(const ScreenRect& rect, const WordView& view, const Shown& shown) {
    const Node& node = *shown.node;
    ValueView value;
    make_value_view(value, view.session, node, view.head,
                    "word.matrix." + node.path.substr(node.path.rfind('.') + 1));
    value.title = value_name(view.session, node); // the head is said once
    value.view.title = value.title;
    value.view.show_legend = false;
    const std::array<int, 1> lit{int(view.token)};
    if (shown.of_queries) value.view.lit_rows = lit;
    const std::optional<Selection>& held = view.session.state().selection;
    if (held && held->path == node.path && held->cell.batch == view.head)
        value.view.selected = MatrixCell{int(held->cell.row), int(held->cell.column)};
    const HeatmapResult result = heatmap(value.view, rect);
    if (result.clicked)
        view.commands.emit(
            select_line({node.path, {view.head, result.clicked->row, result.clicked->column}}));
}

// Side by side, in equal parts.
void draw_row(const ScreenRect& rect, const WordView& view, const std::vector<Shown>& matrices) {
    const float gap = theme().px(22);
    const float count = float(matrices.size());
    const float width = (rect.width() - gap * (count - 1)) / count;
    float x = rect.min.x;
    for (const Shown& shown : matrices) {
        if (shown.node) draw({{x, rect.min.y}, {x + width, rect.max.y}}, view, shown);
        x += width + gap;
    }
}

} // namespace

void word_as_matrices(const ScreenRect& rect, const WordView& view) {
    const FollowedAttention& a = view.attention;
    const float gap = theme().px(14), half = std::floor((rect.height() - gap) / 2);
    draw_row({rect.min, {rect.max.x, rect.min.y + half}}, view, {{a.q}, {a.k, false}, {a.v, false}});
    // What comes later keeps its place.
    const auto once = [&](WordStage stage, const Node* node) {
        return Shown{view.shows(stage) ? node : nullptr};
    };
    std::vector<Shown> rest{once(WordStage::scores, a.scores), once(WordStage::scaled, a.scaled)};
    if (view.has_mask) rest.push_back(once(WordStage::masked, a.masked));
    rest.push_back(once(WordStage::weights, a.weights));
    rest.push_back(once(WordStage::sum, a.heads));
    draw_row({{rect.min.x, rect.max.y - half}, rect.max}, view, rest);
}

} // namespace headlight
