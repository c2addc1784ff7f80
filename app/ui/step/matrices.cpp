#include "app/ui/step/step.h"

#include "app/ui/asking/asked.h"
#include "app/ui/step/step.h"
#include "app/ui/values/value_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

namespace {

// One value of the step: a matrix, a tile for each of its heads, or a list of words.
struct Part {
    const Node* node = nullptr;
    bool is_result = false;
    bool all_heads = false; // a tile a head
    Index head = 0;         // else the head that is shown
    ScreenRect rect;
};

struct Drawn {
    std::optional<NamedCell> hovered;
    HeatmapGeometry cells; // of what was drawn last
    ScreenRect rect;
};

CellMeasures cell_measures() {
    const Face& number = faces().mono_small;
    return {faces().caption.size + 1, px(40), text_width(number, "−0.00") + px(4), number.size + px(1),
            roomy_height()};
}

bool is_lookup(const Node& node) { return node.is(ValueKind::lookup) && node.inputs.size() == 2; }

// Positions: each row's number stands beside its label.
bool is_numbered(const Node& node) { return node.is(ValueKind::positions); }

// Q, K, V dealt out to the heads or put together again: all heads take part.
bool joins_heads(const StoryStep& step) {
    return !step.node->axes.per_head && step.operands.front()->axes.per_head;
}

bool is_masked(const Session& session, const Node& node) {
    const Attention* attention = session.model().map().attention_of(node);
    return attention && attention->masked == &node;
}

bool all_heads_shown(const Node& node, Index head) { return node.axes.per_head && head < 0; }

float widest(const std::vector<std::string>& labels) {
    float width = 0;
    for (const std::string& label : labels) width = std::max(width, text_width(faces().caption, label));
    return width;
}

bool is_vector(const Part& part) {
    return part.node->is(ValueKind::parameter) && part.node->value.rows() == 1;
}

// What the heatmap will need around its cells.
MatrixExtent extent_of(const Session& session, const Part& part) {
    const Node& node = *part.node;
    MatrixExtent extent;
    extent.rows = node.value.rows();
    extent.columns = node.value.columns();
    if (is_drawn_transposed(node)) std::swap(extent.rows, extent.columns);
    extent.importance = part.is_result ? 1.6f : node.is(ValueKind::parameter) ? 0.7f : 1;
    if (is_word_list(node)) {
        extent.is_list = true;
        extent.labels = word_list_width(node);
        extent.above = faces().strong.size + faces().caption.size + px(16);
        return extent;
    }
    const ValueLabels& labels = value_labels(session, node);
    const float caption = faces().caption.size;
    if (!labels.rows.empty()) extent.labels = std::min(widest(labels.rows), px(110)) + px(7);
    if (!labels.row_axis.empty())
        extent.labels = std::max(extent.labels, text_width(faces().caption, labels.row_axis) + px(10));
    extent.above = faces().strong.size + px(8);
    if (!labels.column_axis.empty()) extent.above += caption + px(4);
    if (!labels.columns.empty() && labels_columns(labels))
        extent.above += std::min(widest(labels.columns), px(84)) * 0.75f + caption * 0.6f;
    if (labels.row_axis == session.strings().text("story.axis.query") + " ↓")
        extent.tallest = tallest_of_attention;
    extent.below = caption + px(8);
    extent.is_slim = is_vector(part);
    extent.slim_height = extent.above + extent.below + px(14);
    return extent;
}

MatrixExtent beside_each_other(MatrixExtent tile, Index count, float gap) {
    tile.labels = tile.labels * float(count) + gap * float(count - 1);
    tile.columns *= count;
    return tile;
}

// The step's values in order: what it is made from, then the result. Where all heads are shown, operands that
// differ from head to head would need as much room again: one head large shows them.
std::vector<Part> parts_of(const Session& session, Index chosen) {
    const StoryStep& step = session.step();
    const auto head = [&](const Node& node) { return place_of_head(session.model().map(), node, chosen); };
    const bool tiles = all_heads_shown(*step.node, chosen);
    std::vector<Part> parts;
    for (const Node* operand : step.operands) {
        const bool shown =
            std::any_of(parts.begin(), parts.end(), [&](const Part& part) { return part.node == operand; });
        if (shown || (tiles && operand->axes.per_head)) continue;
        if (is_lookup(*step.node) && is_word_list(*operand)) continue; // the ids stand beside the rows
        if (is_numbered(*step.node)) continue;                         // positions depend on no token
        if (is_word_list(*step.node)) continue;                        // the probabilities stand in the list
        parts.push_back(
            {operand, false, operand->axes.per_head && (tiles || joins_heads(step)), head(*operand), {}});
    }
    if (tiles && step.operands.size() > parts.size() && parts.size() == 1 && is_masked(session, *step.node))
        parts.clear(); // the mask alone would say little
    parts.push_back({step.node, true, tiles, head(*step.node), {}});
    return parts;
}

// A lookup is seen best with the table at the left and room for lines between.
void place_lookup(std::vector<Part>& parts, const ScreenRect& rect) {
    const float table = std::clamp(rect.width() * 0.25f, px(120), px(330));
    parts[0].rect = {rect.min, {rect.min.x + table, rect.max.y}};
    parts[1].rect = {{rect.min.x + table + px(64), rect.min.y}, rect.max};
}

void place(std::vector<Part>& parts, const Session& session, const ScreenRect& rect, float gap) {
    if (parts.size() == 2 && is_lookup(*parts[1].node)) {
        place_lookup(parts, rect);
        return;
    }
    std::vector<MatrixExtent> extents;
    for (const Part& part : parts) {
        const MatrixExtent extent = extent_of(session, part);
        extents.push_back(part.all_heads ? beside_each_other(extent, part.node->value.batch(), gap) : extent);
    }
    const std::vector<ScreenRect> rects = arrange(extents, rect, gap, cell_measures());
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].rect = rects[i];
}

// In so much room its numbers can be read.
bool has_room_for_numbers(const MatrixExtent& extent, const ScreenRect& rect) {
    const float width = rect.width() - extent.labels, height = rect.height() - extent.above - extent.below;
    return !extent.is_list && width >= float(extent.columns) * (text_width(faces().mono_cell, "−0.0") + px(1))
           && height >= float(extent.rows) * (faces().mono_cell.size + px(1));
}

// At a projector the result is by itself where only so its numbers can be read.
void leave_result_alone(std::vector<Part>& parts, const Session& session, const ScreenRect& rect) {
    if (!theme().presents() || parts.size() < 2 || is_lookup(*parts.back().node)) return;
    const MatrixExtent extent = extent_of(session, parts.back());
    if (parts.back().all_heads || has_room_for_numbers(extent, parts.back().rect)
        || !has_room_for_numbers(extent, rect))
        return;
    parts.erase(parts.begin(), parts.end() - 1);
    parts.front().rect = rect;
}

// The range of all heads together, so that their colours can be compared.
ValueRange range_of_all(const Node& node) {
    float largest = 0;
    for (Index i = 0; i < node.value.size(); ++i)
        if (const float x = std::abs(float(node.value.data()[i])); std::isfinite(x))
            largest = std::max(largest, x);
    return largest > 0 ? ValueRange{-largest, largest} : ValueRange{-1, 1};
}

struct Look {
    const Session& session;
    CommandSink& commands;
    const std::optional<NamedCell>& asked;
    const LitCells& lit;
};

Drawn draw_matrix(const Look& look, const Part& part, Index head, const ScreenRect& rect,
                  const std::string& name) {
    const Node& node = *part.node;
    const StoryStep& step = look.session.step();
    ValueView value;
    make_value_view(value, look.session, node, head, name);
    HeatmapView& view = value.view;
    std::string title;
    std::vector<std::string> numbered;
    std::vector<int> gathered;
    if (part.all_heads) { // a head among heads: what they share is said once
        title = head_label(look.session, node, head);
        view.title = title;
        view.units = {};
        const std::string shape =
            "[" + std::to_string(node.value.rows()) + " × " + std::to_string(node.value.columns()) + "]";
        const float both = text_width(faces().strong, title) + text_width(faces().caption, shape);
        view.show_shape = head == 0 && both + px(12) <= rect.width();
    } else if (text_width(faces().strong, value.title) > rect.width()) {
        title = value_name(look.session, node); // the head is chosen above
        view.title = title;
    }
    if (is_probability(node)) // shares of attention get small in long sentences: colours end at the largest
        view.range = ValueRange{0, node.axes.per_head ? range_of_all(node).high : 1};
    else if (node.axes.per_head)
        view.range = range_of_all(node);
    if (is_numbered(*step.node) && part.is_result) {
        for (std::size_t i = 0; i < value.row_labels.size(); ++i)
            numbered.push_back(value.row_labels[i] + "  " + std::to_string(i));
        view.row_labels = numbered;
    }
    if (is_lookup(*step.node)
        && !look.session.view().teaching.cover.hides_some_of(step.node->input(1).path)) {
        const Node& ids = step.node->input(1);
        if (part.is_result) {
            for (std::size_t i = 0; i < value.row_labels.size(); ++i)
                numbered.push_back(value.row_labels[i] + "  "
                                   + std::to_string(long(ids.value(0, Index(i), 0))));
            view.row_labels = numbered;
        } else if (!look.asked) {
            for (Index i = 0; i < ids.value.rows(); ++i) gathered.push_back(int(ids.value(0, i, 0)));
            view.lit_rows = gathered;
        }
    }
    std::vector<MatrixCell> lit;
    if (const auto found = look.lit.find({&node, head}); found != look.lit.end()) {
        lit = drawn_cells(node, found->second);
        view.lit_cells = lit;
    }
    if (look.asked && look.asked->path == node.path && look.asked->cell.batch == head) {
        const Cell there = drawn(node, look.asked->cell);
        view.selected = MatrixCell{int(there.row), int(there.column)};
    }
    const HeatmapResult result = heatmap(view, rect);
    if (result.clicked)
        look.commands.emit(
            select_command({node.path, drawn(node, {head, result.clicked->row, result.clicked->column})}));
    Drawn done{{}, result.geometry, result.rect};
    if (result.hovered)
        done.hovered = NamedCell{node.path, drawn(node, {head, result.hovered->row, result.hovered->column})};
    return done;
}

Drawn draw_tiles(const Look& look, const Part& part, const std::string& name, float gap) {
    const int heads = int(part.node->value.batch());
    gap = std::min(gap, px(22));
    const int columns = best_columns(extent_of(look.session, part), heads, part.rect, gap, cell_measures());
    const int rows = (heads + columns - 1) / columns;
    const float width = (part.rect.width() - gap * float(columns - 1)) / float(columns);
    const float height = (part.rect.height() - gap / 2 * float(rows - 1)) / float(rows);
    Drawn all{{}, {}, {part.rect.min, part.rect.min}};
    for (int head = 0; head < heads; ++head) {
        const ScreenRect tile =
            ScreenRect::at(part.rect.min.x + float(head % columns) * (width + gap),
                           part.rect.min.y + float(head / columns) * (height + gap / 2), width, height);
        const Drawn one = draw_matrix(look, part, head, tile, name + "." + std::to_string(head));
        if (one.hovered) all.hovered = one.hovered;
        if (head == 0) all.cells = one.cells;
        all.rect.max = {std::max(all.rect.max.x, one.rect.max.x), std::max(all.rect.max.y, one.rect.max.y)};
    }
    return all;
}

Drawn draw_part(const Look& look, const Part& part, std::size_t index, float gap) {
    const ScreenRect& rect = part.rect;
    if (rect.width() < px(40) || rect.height() < px(12)) // a window too small for it
        return {{}, {}, {rect.min, rect.min}};
    const std::string name = part.is_result ? "step.result" : "step.operand." + std::to_string(index);
    if (is_word_list(*part.node)) {
        const auto found = look.lit.find({part.node, 0});
        widgets().record(name, part.rect);
        return {word_list(*part.node, part.rect, look.session,
                          found == look.lit.end() ? nullptr : &found->second),
                {},
                part.rect};
    }
    if (part.all_heads) return draw_tiles(look, part, name, gap);
    return draw_matrix(look, part, part.head, part.rect, name);
}

// From what is given to what it makes, in the space between.
void draw_arrow(ImVec2 from, ImVec2 to) {
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    if (length < px(6)) return;
    const ImVec2 along{(to.x - from.x) / length, (to.y - from.y) / length};
    const float head = px(6);
    const ImVec2 base{to.x - along.x * head, to.y - along.y * head};
    pen().AddLine(from, base, colours().ink_faint, px(1.5f));
    pen().AddTriangleFilled(to, {base.x - along.y * head * 0.6f, base.y + along.x * head * 0.6f},
                            {base.x + along.y * head * 0.6f, base.y - along.x * head * 0.6f},
                            colours().ink_faint);
}

void draw_arrow_to_result(const std::vector<Part>& parts, const Drawn& result) {
    if (parts.size() < 2) return;
    const ScreenRect& there = parts.back().rect;
    float right = 0, bottom = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        right = std::max(right, parts[i].rect.max.x);
        bottom = std::max(bottom, parts[i].rect.max.y);
    }
    const float length = px(18);
    if (right <= there.min.x) {
        const float y = result.cells.rows > 0
                            ? std::clamp(result.cells.y + result.cells.height() / 2, there.min.y, there.max.y)
                            : there.min.y + std::min(there.height() / 2, px(120));
        const float x = (right + there.min.x) / 2;
        draw_arrow({x - length / 2, y}, {x + length / 2, y});
    } else if (bottom <= there.min.y) {
        const float x = there.min.x + px(6) + length * 8, y = (bottom + there.min.y) / 2;
        draw_arrow({x, y - length / 2}, {x, y + length / 2});
    }
}

// Each token's line from its row of the table to its row of the result.
void draw_lookup(const Session& session, const Drawn& table, const Drawn& result,
                 const std::optional<NamedCell>& asked) {
    const Node& ids = session.step().node->input(1);
    const Index asked_row = asked && asked->path == session.step().path() ? asked->cell.row : -1;
    for (Index i = 0; i < ids.value.rows(); ++i) {
        const int row = int(ids.value(0, i, 0));
        const ImVec2 from{table.cells.x + table.cells.width() + 2,
                          (table.cells.row_edge(row) + table.cells.row_edge(row + 1)) / 2};
        const ImVec2 to{result.rect.min.x - px(5),
                        (result.cells.row_edge(int(i)) + result.cells.row_edge(int(i) + 1)) / 2};
        const float bend = (to.x - from.x) * 0.45f;
        const bool lit = i == asked_row;
        const Colour colour =
            lit ? colours().accent : with_alpha(colours().ink_faint, asked_row < 0 ? 0.8f : 0.3f);
        pen().AddBezierCubic(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to, colour,
                             px(lit ? 2 : 1.25f));
    }
}

// Beside the output, the words that it is about.
bool shows_words(const Session& session, const StoryStep& step) {
    const Output& output = session.model().map().output;
    return step.node == output.probabilities || step.node == output.chosen;
}

} // namespace

bool shows_all_heads(const ScreenRect& rect, const Session& session) {
    if (!theme().presents()) return true;
    Part result{session.step().node, true, true, 0, rect};
    const MatrixExtent extent = extent_of(session, result);
    const float gap = px(22);
    const int heads = int(result.node->value.batch());
    const int columns = best_columns(extent, heads, rect, gap, cell_measures()),
              rows = (heads + columns - 1) / columns;
    const float width = (rect.width() - gap * float(columns - 1)) / float(columns) - extent.labels,
                height =
                    (rect.height() - gap / 2 * float(rows - 1)) / float(rows) - extent.above - extent.below;
    const float cell = std::min(height / float(extent.rows), width / float(extent.columns) * extent.tallest);
    return cell >= faces().caption.size * 0.9f && width / float(extent.columns) >= px(6);
}

Index head_shown(const ScreenRect& rect, const Session& session) {
    const Index head = session.view().head;
    const bool has_heads = session.step().node->axes.per_head && session.step().node->value.batch() > 1;
    return head < 0 && has_heads && !shows_all_heads(rect, session) ? 0 : head;
}

std::optional<NamedCell> matrices(const ScreenRect& rect, const Session& session, CommandSink& commands,
                                  const std::optional<NamedCell>& asked) {
    const StoryStep& step = session.step();
    const float gap = px(34);
    ScreenRect body = rect;
    if (shows_words(session, step)) {
        const float width = std::clamp(rect.width() * 0.28f, px(150), px(360));
        body.max.x -= width + gap;
        const Node* of = asked ? session.model().graph().find(asked->path) : nullptr;
        const bool of_output = of && of->index >= session.model().map().output.values->index;
        probable_words({{rect.max.x - width, rect.min.y}, rect.max}, session,
                       of_output ? asked->cell.row : step.node->value.rows() - 1);
    }
    std::vector<Part> parts = parts_of(session, head_shown(rect, session));
    const bool left_out = parts.size() == 1 && parts[0].all_heads && !step.operands.empty();
    if (left_out) body.max.y -= faces().caption.size + px(8);
    place(parts, session, body, gap);
    leave_result_alone(parts, session, body);

    const Look look{session, commands, asked, cells_of_direction(session, asked)};
    std::optional<NamedCell> hovered;
    std::vector<Drawn> drawn;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0 && is_vector(parts[i]) && parts[i].rect.min.x == parts[i - 1].rect.min.x) {
            // Close under what it belongs to.
            const float up = parts[i].rect.min.y - (drawn.back().rect.max.y + gap / 2);
            parts[i].rect.min.y -= std::max(up, 0.f);
            parts[i].rect.max.y -= std::max(up, 0.f);
        }
        drawn.push_back(draw_part(look, parts[i], i, gap));
        if (drawn.back().hovered) hovered = drawn.back().hovered;
    }
    if (is_lookup(*step.node) && parts.size() == 2)
        draw_lookup(session, drawn[0], drawn[1], asked);
    else
        draw_arrow_to_result(parts, drawn.back());
    if (left_out)
        draw_text_in(pen(), faces().caption,
                     {{body.min.x, drawn.back().rect.max.y + px(6)},
                      {body.max.x, drawn.back().rect.max.y + px(8) + faces().caption.size}},
                     colours().ink_faint, session.strings().text("window.heads.hint"));
    return hovered;
}

} // namespace headlight
