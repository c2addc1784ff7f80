#include "app/session/step_text.h"
#include "app/ui/lessons/rich_text.h"
#include "app/ui/step/step.h"
#include "app/ui/values/value_view.h"
#include "app/ui/window/main_view.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace headlight {

namespace {

constexpr float widest_sheet = 1500, highest_sheet = 1100, widest_tile = 760,
                highest_tile = 560; // at scale 1
constexpr float between_tiles = 26;
constexpr float labels_on_paper = 110, row_on_paper = 26; // so high that numbers can stand in it

bool is_words(const Session& session, std::span<const MatrixPart> parts) {
    const Node& node = *session.find(parts.front().path);
    return is_word_list(node) && parts.front() == whole_matrix(node, parts.front().head);
}

// The largest magnitude of all heads: their colours can be compared.
float largest_of(const Node& node) {
    float largest = 0;
    for (Index i = 0; i < node.value.size(); ++i)
        if (const float x = std::abs(float(node.value.data()[i])); std::isfinite(x))
            largest = std::max(largest, x);
    return largest > 0 ? largest : 1;
}

// Views of the parts, with the strings that they point to.
struct SheetViews {
    std::deque<ValueView> values;
    std::deque<std::string> titles;

    SheetViews(const Session& session, std::span<const MatrixPart> parts) {
        for (const MatrixPart& part : parts) add(session, part, parts.size() > 1);
    }

    void add(const Session& session, const MatrixPart& part, bool is_tile) {
        const Node& node = *session.find(part.path);
        ValueView& value = values.emplace_back();
        make_value_view(value, session, node, part.head, "export." + std::to_string(part.head));
        HeatmapView& view = value.view;
        if (is_tile) {
            titles.push_back(head_label(session, node, part.head));
            view.title = titles.back();
            view.units = {};
        }
        view.show_readout = false;
        if (is_probability(node))
            view.range = ValueRange{0, node.axes.per_head ? largest_of(node) : 1};
        else if (node.axes.per_head)
            view.range = ValueRange{-largest_of(node), largest_of(node)};
        if (part == whole_matrix(node, part.head)) return;
        const Cell first = drawn(node, {part.head, part.row0, part.column0});
        view.matrix.values = view.matrix.at(int(first.row), int(first.column));
        const bool transposed = is_drawn_transposed(node);
        view.matrix.rows = int(transposed ? part.columns() : part.rows());
        view.matrix.columns = int(transposed ? part.rows() : part.columns());
        view.matrix.id =
            heatmap_id(part.path + " " + std::to_string(part.row0) + " " + std::to_string(part.column0) + " "
                           + std::to_string(part.row1) + " " + std::to_string(part.column1),
                       int(part.head));
        const auto cut = [](std::span<const std::string>& labels, Index from, Index count) {
            if (!labels.empty()) labels = labels.subspan(std::size_t(from), std::size_t(count));
        };
        cut(view.row_labels, first.row, view.matrix.rows);
        cut(view.column_labels, first.column, view.matrix.columns);
        view.show_column_labels = view.column_labels.size() <= 100;
    }
};

// "Decoder · layer 2 · cross-attention"; by its path, where the story does not tell it.
std::string place_in_model(const Session& session, const Node& node) {
    for (const StoryStep& step : session.model().story)
        if (step.node == &node) return step_place(session, step);
    return node.path;
}

struct SheetGrid {
    std::size_t across = 1, down = 1;
    ImVec2 tile;
    float heading = 0; // where it is in the model, and what the tiles share
};

SheetGrid grid_of(const SheetViews& views, float widest) {
    SheetGrid grid;
    const std::size_t count = views.values.size();
    if (count == 1) {
        grid.heading = faces().caption.size * 1.6f;
        const HeatmapView& view = views.values.front().view;
        const ImVec2 paper{widest, px(labels_on_paper + row_on_paper * float(view.matrix.rows))};
        grid.tile = heatmap_size(view, widest > 0 ? paper : ImVec2{px(widest_sheet), px(highest_sheet)});
    } else {
        grid.heading = faces().title.size * 1.5f + faces().caption.size * 1.6f;
        for (const ValueView& value : views.values) {
            const ImVec2 size = heatmap_size(value.view, {px(widest_tile), px(highest_tile)});
            grid.tile = {std::max(grid.tile.x, size.x), std::max(grid.tile.y, size.y)};
        }
        const float shape = std::sqrt(float(count) * grid.tile.y / grid.tile.x * 1.4f); // wider than high
        grid.across = std::clamp<std::size_t>(std::size_t(std::lround(shape)), 1, count);
        grid.down = (count + grid.across - 1) / grid.across;
    }
    grid.tile = {std::ceil(grid.tile.x) + 1, std::ceil(grid.tile.y) + 1};
    return grid;
}

} // namespace

ImVec2 matrix_sheet_size(const Session& session, std::span<const MatrixPart> parts, float widest) {
    if (is_words(session, parts)) {
        const Node& node = *session.find(parts.front().path);
        return {word_list_width(node) + px(8),
                px(26) * float(node.value.rows()) + faces().strong.size + faces().caption.size + px(24)};
    }
    const SheetGrid grid = grid_of(SheetViews(session, parts), widest);
    const float gap = px(between_tiles);
    return {float(grid.across) * (grid.tile.x + gap) - gap,
            grid.heading + float(grid.down) * (grid.tile.y + gap) - gap};
}

void matrix_sheet(const ScreenRect& rect, const Session& session, std::span<const MatrixPart> parts,
                  float widest) {
    const Node& node = *session.find(parts.front().path);
    if (is_words(session, parts)) {
        (void)word_list(node, rect, session, nullptr);
        return;
    }
    const SheetViews views(session, parts);
    const SheetGrid grid = grid_of(views, widest);
    const float place = faces().caption.size * 1.6f;
    draw_text_in(pen(), faces().caption, ScreenRect::at(rect.min.x, rect.min.y, rect.width(), place),
                 colours().ink_soft, place_in_model(session, node));
    if (parts.size() > 1)
        draw_text_in(pen(), faces().title,
                     ScreenRect::at(rect.min.x, rect.min.y + place, rect.width(), faces().title.size * 1.2f),
                     value_colour(node).value_or(colours().ink), value_name(session, node));
    const float gap = px(between_tiles);
    for (std::size_t i = 0; i < views.values.size(); ++i)
        heatmap(views.values[i].view,
                ScreenRect::at(rect.min.x + float(i % grid.across) * (grid.tile.x + gap),
                               rect.min.y + grid.heading + float(i / grid.across) * (grid.tile.y + gap),
                               grid.tile.x, grid.tile.y));
}

void slide(const ScreenRect& rect, const Session& session) {
    const float margin = px(36), foot = faces().caption.size * 1.6f;
    const ScreenRect inner{{rect.min.x + margin, rect.min.y + margin},
                           {rect.max.x - margin, rect.max.y - margin * 0.6f}};
    const float column = std::round(inner.width() * 0.27f);
    const ScreenRect body{inner.min, {inner.max.x, inner.max.y - foot - px(14)}};
    (void)step_telling({body.min, {body.min.x + column, body.max.y}}, session);
    CommandSink nobody;
    (void)matrices({{body.min.x + column + px(40), body.min.y}, body.max}, session, nobody, {});
    const float y = inner.max.y - foot;
    pen().AddLine({inner.min.x, y - px(8)}, {inner.max.x, y - px(8)}, colours().line, px(1));
    const ScreenRect line{{inner.min.x, y}, {inner.max.x, y + foot}};
    draw_text_in(pen(), faces().caption, line, colours().ink_faint, session.question().source);
    draw_text_in(pen(), faces().caption, line, colours().ink_faint, session.model().name, Align::right);
}

void lesson_slide(const ScreenRect& rect, const Session& session, CanvasView& canvas,
                  const LessonPlayer& lessons, const LessonCard& card) {
    const Lesson& lesson = lessons.lesson();
    const float margin = px(32), foot = faces().caption.size * 1.6f;
    const ScreenRect inner{{rect.min.x + margin, rect.min.y + margin},
                           {rect.max.x - margin, rect.max.y - margin * 0.6f}};
    const float bottom = inner.max.y - foot - px(10), words = std::round(inner.width() * 0.42f);
    CommandSink nobody;
    RichTextEvents nothing;
    PanelColumn column{inner.min.x, inner.min.x + words, inner.min.y};
    column_text(column, faces().heading, colours().ink, card.title);
    column.skip(px(10));
    const auto write = [&](const std::vector<LessonBlock>& blocks) {
        rich_blocks(column, blocks, faces().body, colours().ink, "slide", session, nobody, nothing);
    };
    for (const LessonBlock& block : card.blocks) {
        if (block.kind != LessonBlock::Kind::prediction) {
            write({block});
            continue;
        }
        const LessonPrediction& p = card.predictions[block.prediction];
        column.skip(px(6));
        const float top = column.y;
        column.left += px(14);
        write(p.question);
        for (const LessonChoice& choice : p.choices) {
            LessonText text = choice.text;
            LessonSpan mark;
            mark.text = "○  ";
            text.insert(text.begin(), mark);
            rich_text(column, text, faces().body, colours().ink, "slide", session, nobody, nothing);
            column.skip(px(4));
        }
        column.left -= px(14);
        pen().AddRectFilled({column.left, top}, {column.left + px(3), column.y}, colours().accent);
        column.skip(px(8));
    }
    const ScreenRect beside{{inner.min.x + words + px(28), inner.min.y}, {inner.max.x, bottom}};
    const Room room = session.view().room;
    if (room == Room::explore || room == Room::what_if)
        (void)matrices(beside, session, nobody, {});
    else
        room_view(beside, session, canvas, lessons, nobody);
    pen().AddLine({inner.min.x, bottom + px(4)}, {inner.max.x, bottom + px(4)}, colours().line, px(1));
    const ScreenRect line{{inner.min.x, bottom + px(8)}, {inner.max.x, bottom + px(8) + foot}};
    draw_text_in(pen(), faces().caption, line, colours().ink_faint, lesson.title);
    draw_text_in(pen(), faces().caption, line, colours().ink_faint,
                 std::to_string(&card - lesson.cards.data() + 1) + " / "
                     + std::to_string(lesson.cards.size()),
                 Align::right);
}

} // namespace headlight
