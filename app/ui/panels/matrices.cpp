#include "app/ui/panels/matrices.h"

#include "app/ui/panels/value_view.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace headlight {

namespace {

// Where one matrix of one value is drawn.
struct Place {
    const Node* node = nullptr;
    Index head = 0;
    ScreenRect rect;
    bool is_result = false;
};

// Cells that light up, by value and head.
using Lit = std::map<std::pair<const Node*, Index>, std::vector<MatrixCell>>;

void collect(const Expr& e, Lit& lit) {
    if (e.kind == Expr::Kind::cell)
        lit[{e.cell.node, e.cell.cell.batch}].push_back({int(e.cell.cell.row), int(e.cell.cell.column)});
    for (const Expr& operand : e.operands) collect(operand, lit);
}

Lit cells_behind(const Session& session, const std::optional<Selection>& asked) {
    Lit lit;
    if (!asked) return lit;
    const Node* node = session.model().graph().find(asked->path);
    if (!node) return lit;
    const Explanation explanation = session.model().graph().explain(*node, asked->cell);
    for (const ExplanationStep& step : explanation.steps) collect(step.expression, lit);
    for (auto& [value, cells] : lit) { // an explanation may name a cell several times
        const auto before = [](const MatrixCell& a, const MatrixCell& b) {
            return a.row != b.row ? a.row < b.row : a.column < b.column;
        };
        std::sort(cells.begin(), cells.end(), before);
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    }
    return lit;
}

bool is_list(const Node& node) { return node.op->name() == "tokens" || node.op->name() == "argmax"; }

Index present_head(const Session& session, const Node& node) {
    return is_per_head(node) ? std::max<Index>(0, session.state().head) : 0;
}

// A slim matrix (a bias, γ, β) needs little height.
bool is_slim(const Node& node) { return node.value.rows() == 1; }

// All heads side by side, or one of them large.
void head_chooser(ImVec2 place, const Session& session, CommandSink& commands) {
    const Index heads = session.step().node->value.batch();
    std::vector<std::string> labels{session.strings().text("window.heads.all")};
    for (Index h = 0; h < heads; ++h) labels.push_back(std::to_string(h + 1));
    int chosen = int(session.state().head) + 1;
    ImGui::SetCursorScreenPos(place);
    if (segmented("heads", labels, chosen, session.strings().text("window.heads.tip")))
        commands.emit(chosen == 0 ? "head all" : "head " + std::to_string(chosen - 1));
}

// Operands one under another, biases low.
void place_operands(const StoryStep& step, const Session& session, const ScreenRect& rect,
                    std::vector<Place>& places) {
    std::vector<const Node*> shown;
    for (const Node* operand : step.operands)
        if (std::find(shown.begin(), shown.end(), operand) == shown.end()) shown.push_back(operand);
    const Theme& t = theme();
    const float gap = t.px(14), slim = t.px(66);
    float fixed = 0;
    Index tall = 0;
    for (const Node* node : shown) is_slim(*node) ? fixed += slim : float(++tall);
    const float rest = rect.height() - fixed - gap * float(std::max<std::size_t>(shown.size(), 1) - 1);
    float y = rect.min.y;
    for (const Node* node : shown) {
        const float height = is_slim(*node) ? slim : rest / float(std::max<Index>(tall, 1));
        places.push_back(
            {node, present_head(session, *node), ScreenRect::at(rect.min.x, y, rect.width(), height), false});
        y += height + gap;
    }
}

// One head large, or all in a grid of as many columns as gives the largest tiles.
void place_result(const StoryStep& step, const Session& session, const ScreenRect& rect,
                  std::vector<Place>& places) {
    const Node& node = *step.node;
    if (!is_per_head(node) || session.state().head >= 0) {
        places.push_back({&node, present_head(session, node), rect, true});
        return;
    }
    const Index heads = node.value.batch();
    const float gap = theme().px(16);
    // The tile's shape decides: a grid in which tiles are about as wide as high.
    Index best_columns = 1;
    float best = 0;
    for (Index columns = 1; columns <= heads; ++columns) {
        const Index rows = (heads + columns - 1) / columns;
        const float width = (rect.width() - gap * float(columns - 1)) / float(columns);
        const float height = (rect.height() - gap * float(rows - 1)) / float(rows);
        if (const float side = std::min(width, height * 1.25f); side > best)
            best = side, best_columns = columns;
    }
    const Index rows = (heads + best_columns - 1) / best_columns;
    const float width = (rect.width() - gap * float(best_columns - 1)) / float(best_columns);
    const float height = (rect.height() - gap * float(rows - 1)) / float(rows);
    for (Index h = 0; h < heads; ++h)
        places.push_back(
            {&node, h,
             ScreenRect::at(rect.min.x + float(h % best_columns) * (width + gap),
                            rect.min.y + float(h / best_columns) * (height + gap), width, height),
             true});
}

// Token ids and chosen words are read as a list, not as colours.
std::optional<Selection> draw_list(const Place& place, const Session& session,
                                   const std::vector<MatrixCell>* lit) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Node& node = *place.node;
    const Strings& s = session.strings();
    const bool chosen = node.op->name() == "argmax";
    const std::vector<std::string> reads = axis_labels(session, node, true);
    draw_text(list, t.faces.strong, place.rect.min, t.colours.ink, value_name(session, node));
    const Index count = node.value.rows();
    const float top = place.rect.min.y + t.faces.strong.size + t.px(12);
    const float row_height = std::min(t.px(26), (place.rect.max.y - top) / float(std::max<Index>(count, 1)));
    const Face& face = row_height < t.px(20) ? t.faces.caption : t.faces.body;
    const Index shown = row_height < t.px(13) ? Index((place.rect.max.y - top) / t.px(13)) : count;
    const float step = std::max(row_height, t.px(13)),
                column = std::min(t.px(150), place.rect.width() * 0.38f);
    std::optional<Selection> hovered;
    for (Index i = 0; i < std::min(shown, count); ++i) {
        const ScreenRect row = ScreenRect::at(place.rect.min.x, top + float(i) * step,
                                              std::min(place.rect.width(), t.px(420)), step);
        const bool is_lit = lit && std::find(lit->begin(), lit->end(), MatrixCell{int(i), 0}) != lit->end();
        const bool is_hovered = ImGui::IsWindowHovered() && row.contains(ImGui::GetIO().MousePos);
        if (is_hovered) hovered = Selection{node.path, {0, i, 0}};
        if (is_lit || is_hovered) list.AddRectFilled(row.min, row.max, t.colours.accent_soft, t.px(4));
        const auto at = [&](float x, float width) {
            return ScreenRect{{row.min.x + x, row.min.y}, {row.min.x + x + width, row.max.y}};
        };
        const std::string id = std::to_string(long(node.value(0, i, 0)));
        if (chosen) {
            draw_label(list, face, at(t.px(6), column), t.colours.ink_soft,
                       s.text("window.reads_says", {reads[std::size_t(i)]}));
            draw_label(list, t.faces.strong, at(column + t.px(16), column), t.colours.ink,
                       session.sentence().chosen_labels[std::size_t(i)]);
            draw_label(list, t.faces.mono_small, at(2 * column + t.px(20), t.px(70)), t.colours.ink_faint,
                       id);
        } else {
            draw_label(list, face, at(t.px(6), column), t.colours.ink, reads[std::size_t(i)]);
            draw_label(list, t.faces.mono, at(column + t.px(16), t.px(80)), t.colours.ink_soft, id);
        }
    }
    widgets().record(place.is_result ? "step.result" : "step.operand", place.rect);
    return hovered;
}

// The range of all heads together, so that their colours can be compared.
ValueRange range_of_all(const Node& node) {
    ValueRange range{0, 0};
    for (Index i = 0; i < node.value.size(); ++i) {
        const float x = float(node.value.data()[i]);
        if (!std::isfinite(x)) continue;
        range.low = std::min(range.low, x);
        range.high = std::max(range.high, x);
    }
    return range;
}

} // namespace

std::optional<Selection> matrices(const ScreenRect& rect, const Session& session, CommandSink& commands,
                                  const std::optional<Selection>& asked) {
    const StoryStep& step = session.step();
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    std::vector<Place> places;
    // All heads side by side need the width for themselves on a small window; one head shows what it is made
    // from.
    const bool all_heads = is_per_head(*step.node) && session.state().head < 0;
    const bool crowded = all_heads && rect.width() * 0.66f / float(step.node->value.batch()) < t.px(200);
    const bool has_operands = !step.operands.empty() && !crowded;
    const float gap = t.px(40), caption = control_height() + t.px(8);
    const bool narrow_result = step.node->value.columns() == 1;
    const float left = has_operands ? (rect.width() - gap)
                                          * (narrow_result ? 0.5f
                                             : all_heads   ? 0.32f
                                                           : 0.4f)
                                    : 0;
    const ScreenRect operands{{rect.min.x, rect.min.y + caption}, {rect.min.x + left, rect.max.y}};
    const ScreenRect result{{rect.min.x + (has_operands ? left + gap : 0), rect.min.y + caption}, rect.max};
    if (has_operands) {
        place_operands(step, session, operands, places);
        draw_text(list, t.faces.caption, {rect.min.x, rect.min.y + (caption - t.faces.caption.size) / 2},
                  t.colours.ink_faint, session.strings().text("window.made_from"));
        const ImVec2 middle{operands.max.x + gap / 2,
                            result.min.y + std::min(result.height() * 0.3f, t.px(140))};
        list.AddLine({middle.x - t.px(9), middle.y}, {middle.x + t.px(7), middle.y}, t.colours.ink_faint,
                     t.px(1.5f));
        list.AddTriangleFilled({middle.x + t.px(10), middle.y}, {middle.x + t.px(4), middle.y - t.px(4)},
                               {middle.x + t.px(4), middle.y + t.px(4)}, t.colours.ink_faint);
    }
    const std::string result_label = session.strings().text("window.result");
    draw_text(list, t.faces.caption, {result.min.x, rect.min.y + (caption - t.faces.caption.size) / 2},
              t.colours.ink_faint, result_label);
    if (is_per_head(*step.node))
        head_chooser({result.min.x + text_width(t.faces.caption, result_label) + t.px(16),
                      rect.min.y + (caption - control_height()) / 2},
                     session, commands);
    place_result(step, session, result, places);

    const Lit lit = cells_behind(session, asked);
    std::optional<Selection> hovered;
    const ValueRange shared = is_per_head(*step.node) ? range_of_all(*step.node) : ValueRange{};
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place& place = places[i];
        const auto found = lit.find({place.node, place.head});
        const std::vector<MatrixCell>* cells = found == lit.end() ? nullptr : &found->second;
        if (is_list(*place.node)) {
            if (const auto here = draw_list(place, session, cells)) hovered = here;
            continue;
        }
        const bool is_tile = place.is_result && is_per_head(*place.node) && session.state().head < 0;
        ValueView value;
        const std::string name = place.is_result ? "step.result" : "step.operand." + std::to_string(i);
        make_value_view(value, session, *place.node, place.head,
                        is_tile ? name + "." + std::to_string(place.head) : name);
        HeatmapView& view = value.view;
        std::string tile_title;
        if (is_tile) { // a head among heads: what they share is said once
            tile_title = session.strings().text("story.head_number", {std::to_string(place.head + 1)});
            view.title = tile_title;
            view.units = {};
            view.show_shape = false;
        }
        if (place.is_result && is_per_head(*place.node) && !is_probability(*place.node)) view.range = shared;
        if (is_probability(*place.node)) view.range = ValueRange{0, 1};
        if (cells) view.lit_cells = *cells;
        if (asked && asked->path == place.node->path && asked->cell.batch == place.head)
            view.selected = MatrixCell{int(asked->cell.row), int(asked->cell.column)};
        const HeatmapResult drawn = heatmap(view, place.rect);
        if (drawn.hovered)
            hovered = Selection{place.node->path, {place.head, drawn.hovered->row, drawn.hovered->column}};
        if (drawn.clicked)
            commands.emit("select " + place.node->path + " " + std::to_string(place.head) + " "
                          + std::to_string(drawn.clicked->row) + " " + std::to_string(drawn.clicked->column));
    }
    return hovered;
}

} // namespace headlight
