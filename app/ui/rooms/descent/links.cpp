// The chain rule, link by link: one point goes forward through the net, its gradients come back, and what
// reaches one weight is the product of the links on the way.
#include "app/ui/rooms/descent/descent_parts.h"
#include "app/ui/widgets/formula.h"
#include "engine/model/descent_net.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// A value as it stands in the chain: of what belongs to points, the numbers of one point, one under another.
struct Stage {
    const char* node;
    const char* letter;
    bool is_weight = false;
    const char* sign = nullptr; // that stands before it: how it came of what is to its left
};

std::vector<Stage> stages_of(DescentKind kind) {
    // What is wanted stands behind the cost, which it is compared in.
    if (kind == DescentKind::layers)
        return {{"x", "x"},
                {"w_1", "W_1", true, "·"},
                {"b_1", "b_1", true, "+"},
                {"z_1", "z_1", false, "="},
                {"hidden", "h", false, "σ"},
                {"w_2", "W_2", true, "·"},
                {"b_2", "b_2", true, "+"},
                {"z_2", "z_2", false, "="},
                {"prediction", "f", false, "σ"},
                {"loss", "C", false, "→"},
                {"goal", "y", false, "←"}};
    return {{"x", "x"},
            {"w", "w", true, "·"},
            {"b", "b", true, "+"},
            {"z", "z", false, "="},
            {"prediction", "f", false, "σ"},
            {"loss", "C", false, "→"},
            {"goal", "y", false, "←"}};
}

struct StageCells {
    Stage stage;
    const Node* node = nullptr;
    std::vector<std::vector<Cell>> rows; // as they are drawn
};

StageCells cells_of(const Stage& stage, const Session& session, Index point) {
    StageCells cells{stage, &descent_node(session, stage.node), {}};
    const Tensor& value = cells.node->value;
    const bool is_matrix = stage.is_weight && value.rows() > 1;
    const Index row = stage.is_weight || value.rows() == 1 ? 0 : point;
    if (is_matrix) {
        for (Index r = 0; r < value.rows(); ++r) {
            cells.rows.emplace_back();
            for (Index c = 0; c < value.columns(); ++c) cells.rows.back().push_back({0, r, c});
        }
        return cells;
    }
    for (Index c = 0; c < value.columns(); ++c) cells.rows.push_back({{0, row, c}});
    return cells;
}

float columns_of(const std::vector<StageCells>& stages) {
    float columns = 0;
    for (const StageCells& stage : stages) columns += float(stage.rows.front().size());
    return columns;
}

// One band: values from left to right, or their gradients from right to left.
struct Band {
    float top, cell_width, cell_height, gap, height;
    bool gradient;
};

void band(const Band& look, const std::vector<StageCells>& stages, float left, const Session& session,
          CommandSink& commands) {
    const Face& face = theme().presents() ? faces().mono_cell : faces().mono_small;
    float x = left;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const StageCells& stage = stages[i];
        const float width = look.cell_width * float(stage.rows.front().size());
        const float high = look.cell_height * float(stage.rows.size());
        const bool has = !look.gradient || stage.node->graph->has_gradient(*stage.node);
        float y = look.top + (look.height - high) / 2;
        for (const std::vector<Cell>& row : stage.rows) {
            float at = x;
            for (const Cell& cell : row) {
                const ScreenRect rect =
                    ScreenRect::at(at + 1, y + 1, look.cell_width - 2, look.cell_height - 2);
                if (has)
                    page_cell({stage.node, cell.row, cell.column, rect, &face, colours().window,
                               look.gradient, true},
                              session, commands);
                at += look.cell_width;
            }
            y += look.cell_height;
        }
        const float middle = look.top + look.height / 2;
        const bool leads_on = i + 1 < stages.size();
        if (!look.gradient && leads_on) {
            const Face& sign = faces().strong;
            const char* written = stages[i + 1].stage.sign;
            draw_text(pen(), sign,
                      {x + width + (look.gap - text_width(sign, written)) / 2, middle - sign.size / 2},
                      colours().ink_soft, written);
        } else if (leads_on && has && !stage.stage.is_weight && !stages[i + 1].stage.is_weight
                   && stages[i + 1].node->graph->has_gradient(*stages[i + 1].node)) {
            arrow_to({x + width + look.gap - px(2), middle}, {x + width + px(2), middle}, colours().warning,
                     px(1.5f));
        }
        x += width + look.gap;
    }
}

} // namespace

// ∂C/∂f · ∂f/∂z · … = share, each link a formula over its number.
void descent_chain(const ScreenRect& rect, const Session& session) {
    const DescentTask& task = descent_of(session).task;
    const Descent& descent = *session.small_pages().descended;
    const Index point = std::clamp<Index>(session.view().descent.point, 0, Index(task.points.size()) - 1);
    const std::size_t weight = followed_weight(session);
    const std::vector<DescentLink> links = links_to(weight, point, descent.net(), task);
    double share = 1;
    for (const DescentLink& link : links) share *= link.number;
    const FormulaStyle small{MathSize::normal, colours().ink};
    float x = rect.min.x, middle = rect.min.y + px(30), below = middle + px(26);
    const Face& face = faces().mono;
    const auto piece = [&](const std::string& tex, const std::string& number) {
        const FormulaExtent extent = measure_formula(tex, small);
        const float width = std::max(extent.width, text_width(face, number));
        if (x + width > rect.max.x && x > rect.min.x) { // goes on below
            x = rect.min.x;
            middle += px(76), below += px(76);
        }
        draw_formula(pen(), {x + (width - extent.width) / 2, middle}, tex, small);
        draw_text(pen(), face, {x + (width - text_width(face, number)) / 2, below}, colours().ink, number);
        x += width + px(8);
    };
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (i > 0) piece("\\cdot", "·");
        piece(links[i].written, figures(links[i].number));
    }
    piece("=", "=");
    piece("\\frac{\\partial C_{" + std::to_string(point + 1) + "}}{\\partial " + weight_letter(task, weight)
              + "}",
          format_number(share, 3));
    const std::string& rest = session.strings().text("ground.chain.rest");
    if (x + px(120) < rect.max.x)
        draw_wrapped(pen(), faces().caption, {x + px(6), middle - px(22)}, rect.max.x - x - px(6),
                     colours().ink_soft, rest);
    else
        draw_wrapped(pen(), faces().caption, {rect.min.x, below + face.size + px(6)}, rect.width(),
                     colours().ink_soft, rest);
}

void descent_links(const ScreenRect& rect, const Session& session, CommandSink& commands, bool has_chain) {
    const Strings& s = session.strings();
    const DescentTask& task = descent_of(session).task;
    const Index point = std::clamp<Index>(session.view().descent.point, 0, Index(task.points.size()) - 1);
    std::vector<StageCells> stages;
    std::size_t most_rows = 1;
    for (const Stage& stage : stages_of(task.kind)) {
        stages.push_back(cells_of(stage, session, point));
        most_rows = std::max(most_rows, stages.back().rows.size());
    }
    const float for_chain = has_chain ? px(80) : 0, title = px(26), word = faces().caption.size * 1.5f;
    const float room = rect.height() - for_chain - title - 2 * word;
    const float gap = std::clamp(rect.width() * 0.02f, px(12), px(24));
    const float cell_height =
        std::clamp(room / 2 / float(most_rows), faces().mono_small.size + px(4), px(30));
    const float cell_width =
        std::min(px(64), (rect.width() - gap * float(stages.size() - 1)) / columns_of(stages));
    const float height = cell_height * float(most_rows);
    float x = rect.min.x, y = rect.min.y;
    for (const StageCells& stage : stages) {
        const float width = cell_width * float(stage.rows.front().size());
        const FormulaExtent extent = measure_formula(stage.stage.letter);
        draw_formula(pen(), {x + (width - extent.width) / 2, y + px(18)}, stage.stage.letter);
        x += width + gap;
    }
    y += title;
    draw_text(pen(), faces().caption, {rect.min.x, y}, colours().ink_faint,
              s.text("ground.forward", {std::to_string(point + 1)}));
    y += word;
    band({y, cell_width, cell_height, gap, height, false}, stages, rect.min.x, session, commands);
    y += height;
    draw_text(pen(), faces().caption, {rect.min.x, y + px(2)}, colours().warning, s.text("ground.backward"));
    y += word;
    band({y, cell_width, cell_height, gap, height, true}, stages, rect.min.x, session, commands);
    y += height + px(4);
    widgets().record("descent.links", {rect.min, {rect.max.x, y}});
    if (has_chain && y + for_chain * 0.8f <= rect.max.y) descent_chain({{rect.min.x, y}, rect.max}, session);
}

} // namespace headlight
