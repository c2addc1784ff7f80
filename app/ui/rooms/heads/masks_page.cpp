// The masks as matrices that a click changes, each beside the attention that it is added to.
#include "app/session/step_text.h"
#include "app/session/value_names.h"
#include "app/ui/changes/changes.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"
#include "engine/ops/softmax.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

bool is_forbidden(Real mask) { return std::isinf(mask) && mask < 0; }

// The first attention that reads this mask.
const Attention* reader_of(const Session& session, const Node& mask) {
    for (const Attention& attention : session.model().map().attentions)
        if (attention.mask == &mask) return &attention;
    return nullptr;
}

// "Decoder: look-ahead mask"; of one between two streams, who looks at whom.
std::string mask_title(const Session& session, const Node& mask) {
    const Strings& s = session.strings();
    const ModelMap& map = session.model().map();
    const auto side = [&](const Axis& axis) {
        const Stream* stream = map.stream_of(axis.tokens);
        return stream ? side_name(session, stream->name) : std::string();
    };
    const std::string queries = side(mask.axes.rows), keys = side(mask.axes.columns);
    if (queries.empty() || keys.empty()) return value_name(session, mask);
    if (queries != keys) return s.text("board.mask.across", {queries, keys});
    return s.text(map.stream_of(mask.axes.rows.tokens)->is_causal ? "board.mask.ahead" : "board.mask.padding",
                  {queries});
}

// Which rule decides about a cell.
std::string rule(const Session& session, const Node& mask, const MatrixCell& cell) {
    const Strings& s = session.strings();
    const ValueLabels& labels = value_labels(session, mask);
    const auto word = [](const std::vector<std::string>& all, int i) {
        return std::size_t(i) < all.size() ? all[std::size_t(i)] : std::to_string(i + 1);
    };
    const std::vector<std::string> arguments = {word(labels.rows, cell.row),
                                                word(labels.columns, cell.column)};
    const bool now = is_forbidden(mask.value(0, cell.row, cell.column)),
               made = is_forbidden(mask.as_computed()(0, cell.row, cell.column));
    if (now != made) return s.text(now ? "board.rule.forbidden" : "board.rule.allowed", arguments);
    if (!now) return s.text("board.rule.free", arguments);
    const bool ahead = mask_rule(mask, {0, cell.row, cell.column}) == MaskRule::look_ahead;
    return s.text(ahead ? "board.rule.ahead" : "board.rule.padding", arguments);
}

std::vector<MatrixCell> edited_cells(const Node& mask) {
    std::vector<MatrixCell> cells;
    for (Index r = 0; r < mask.shape().rows; ++r)
        for (Index c = 0; c < mask.shape().columns; ++c)
            if (is_forbidden(mask.value(0, r, c)) != is_forbidden(mask.as_computed()(0, r, c)))
                cells.push_back({int(r), int(c)});
    return cells;
}

void mask_and_attention(PanelColumn& column, const Session& session, const Node& mask,
                        CommandSink& commands) {
    const Strings& s = session.strings();
    const float gap = px(20), width = std::floor((column.width() - gap) / 2),
                height = std::min(px(330), width * 0.9f);
    const float right = column.left + width + gap;
    const Attention* reader = reader_of(session, mask);
    const Node* weights = reader ? reader->weights : nullptr;
    const Index head = weights ? std::min(session.view().heads.head, weights->shape().batch - 1) : 0;
    const auto title = [&](float x, const std::string& words) {
        return draw_wrapped(pen(), faces().strong, {x, column.y}, width, colours().ink, words);
    };
    float titles = title(column.left, mask_title(session, mask));
    if (weights)
        titles =
            std::max(titles, title(right, place_words(session, reader->path) + ", "
                                              + s.text("story.head_number", {std::to_string(head + 1)})));
    const float top = column.y + titles + px(4);

    ValueView value;
    make_value_view(value, session, mask, 0, "mask." + mask.path);
    const std::vector<MatrixCell> edited = edited_cells(mask);
    value.view.edited = edited;
    value.view.show_title = false;
    value.view.show_legend = false;
    const HeatmapResult drawn = heatmap(value.view, ScreenRect::at(column.left, top, width, height));
    std::string words = s.text("board.mask.hint");
    if (drawn.hovered) words = rule(session, mask, *drawn.hovered);
    if (drawn.clicked) {
        const bool now = is_forbidden(mask.value(0, drawn.clicked->row, drawn.clicked->column));
        commands.emit("change mask " + mask.path + " " + std::to_string(drawn.clicked->row) + " "
                      + std::to_string(drawn.clicked->column) + (now ? " allow" : " forbid"));
    }
    float bottom = drawn.rect.max.y;
    if (weights) {
        ValueView attention;
        make_value_view(attention, session, *weights, head, "mask.weights." + mask.path);
        if (drawn.hovered) attention.view.selected = drawn.hovered;
        attention.view.show_title = false;
        const float legend = faces().caption.size + px(8); // below, so that rows stand beside rows
        const HeatmapResult beside =
            heatmap(attention.view, ScreenRect::at(right, top, width, height + legend));
        bottom = std::max(bottom, beside.rect.max.y);
    }
    column.y = bottom + px(6);
    column_text(column, faces().body, colours().ink_soft, words);
    column.skip(px(20));
}

} // namespace

void masks_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    ScrolledColumn scrolled("masks", rect);
    PanelColumn& column = scrolled.column;
    column_paragraph(column, session.strings().text("board.masks.text"));
    for (const Node& node : session.model().graph().nodes())
        if (node.is(ValueKind::mask)) mask_and_attention(column, session, node, commands);
}

} // namespace headlight
