#include "app/ui/values/word_lists.h"

#include "app/ui/values/panel.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/bar_list.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {

namespace {

bool is_chosen(const Node& node) { return node.is(ValueKind::choice); }

// One line: what stands at a position. Widths are shares of the column.
void draw_line(const Node& node, Index i, const ScreenRect& row, const Session& session,
               const std::vector<std::string>& reads) {
    const Colours& c = colours();
    const Face& face = row.height() < px(20) ? faces().caption : faces().body;
    const Face& strong = row.height() < px(20) ? faces().caption : faces().strong;
    const auto at = [&](float from, float to) {
        return ScreenRect{{row.min.x + row.width() * from, row.min.y},
                          {row.min.x + row.width() * to - px(6), row.max.y}};
    };
    const Cover& cover = session.view().teaching.cover;
    const std::string id =
        cover.hides(node.path, {0, i, 0}) ? "?" : std::to_string(long(node.value(0, i, 0)));
    const std::string read =
        std::size_t(i) < reads.size() ? reads[std::size_t(i)] : std::string(); // of all words: none
    if (!is_chosen(node)) {
        const std::vector<bool>& all = session.sentence().known;
        const Stream* typed = typed_stream(session.model().map());
        const bool known =
            !typed || &node != typed->tokens || std::size_t(i) >= all.size() || all[std::size_t(i)];
        draw_label(pen(), faces().mono_small, at(0.02f, 0.16f), c.ink_faint, std::to_string(i));
        draw_label(pen(), face, at(0.16f, 0.72f), known ? c.ink : c.warning, read);
        draw_label(pen(), row.height() < px(20) ? faces().mono_small : faces().mono, at(0.72f, 1), c.ink_soft,
                   id, Align::right);
        return;
    }
    if (!read.empty())
        draw_label(pen(), face, at(0.02f, 0.36f), c.ink_soft,
                   session.strings().text("window.reads_says", {read}));
    draw_label(pen(), strong, at(0.36f, 0.62f), c.ink, session.sentence().chosen_labels[std::size_t(i)]);
    const Node& probabilities = node.input(0);
    if (cover.hides_some_of(probabilities.path, i))
        return draw_label(pen(), faces().mono_small, at(0.85f, 1), c.ink_soft, "?", Align::right);
    const float share = float(probabilities.value(0, i, Index(node.value(0, i, 0))));
    const ScreenRect track = at(0.62f, 0.85f);
    const float half = std::min(px(5), row.height() * 0.3f), middle = std::round(row.centre().y);
    pen().AddRectFilled({track.min.x, middle - half}, {track.max.x, middle + half}, c.raised, px(3));
    pen().AddRectFilled({track.min.x, middle - half}, {track.min.x + share * track.width(), middle + half},
                        c.probability, px(3));
    draw_label(pen(), faces().mono_small, at(0.85f, 1), c.ink_soft, format_fixed(share, 3), Align::right);
}

} // namespace

bool is_word_list(const Node& node) { return node.is(ValueKind::tokens) || is_chosen(node); }

float word_list_width(const Node& node) { return px(is_chosen(node) ? 560 : 230); }

std::optional<NamedCell> word_list(const Node& node, const ScreenRect& rect, const Session& session,
                                   const std::vector<MatrixCell>* lit) {
    const Strings& s = session.strings();
    const bool is_goal = &node == session.model().map().output.goal;
    const std::vector<std::string> reads =
        is_goal ? session.sentence().goal_labels : axis_labels(session, node, true);
    draw_label(pen(), faces().strong, {rect.min, {rect.max.x, rect.min.y + faces().strong.size * 1.2f}},
               colours().ink, value_name(session, node));
    const Index count = node.value.rows();
    const float top = rect.min.y + faces().strong.size + px(8), heading = faces().caption.size + px(8);
    const float height = std::max(rect.max.y - top - heading, px(16));
    // Large lines while they fit one column, then smaller ones, then more columns.
    float width = std::min(word_list_width(node), rect.width());
    if (!is_chosen(node) && float(count) * px(22) > height * 3) width = std::min(width, px(160));
    const Index most_columns = std::max<Index>(1, Index((rect.width() + px(24)) / (width + px(24))));
    float line = std::min(px(28), height / float(std::max<Index>(count, 1)));
    if (line < px(22) && most_columns > 1) line = px(22);
    Index a_column = std::max<Index>(1, Index(height / line));
    if (a_column * most_columns < count) { // as small as can be read; what is then left over is said
        line = std::max(px(14), height / float((count + most_columns - 1) / most_columns));
        a_column = std::max<Index>(1, Index(height / line));
    }
    const Index room = a_column * most_columns, shown = count <= room ? count : std::max<Index>(room - 1, 0);
    std::optional<NamedCell> hovered;
    for (Index i = 0; i < std::min(count, room); ++i) {
        const float x = rect.min.x + float(i / a_column) * (width + px(24));
        const ScreenRect row = ScreenRect::at(x, top + heading + float(i % a_column) * line, width, line);
        if (i % a_column == 0) {
            const ScreenRect head = ScreenRect::at(x, top, width, heading - px(4));
            if (is_chosen(node)) {
                draw_label(pen(), faces().caption,
                           {{head.min.x + width * 0.62f, head.min.y}, {head.max.x - px(6), head.max.y}},
                           colours().ink_faint, s.text("story.value.probabilities"), Align::right);
            } else {
                draw_label(pen(), faces().caption, {{head.min.x + width * 0.02f, head.min.y}, head.max},
                           colours().ink_faint, s.text("window.list.position"));
                draw_label(pen(), faces().caption, {head.min, {head.max.x - px(6), head.max.y}},
                           colours().ink_faint, "id", Align::right);
            }
        }
        if (i >= shown) {
            draw_label(pen(), faces().caption, row, colours().ink_faint,
                       s.text("window.list.more", {format_whole(count - shown)}));
            break;
        }
        const bool is_lit = lit && std::find(lit->begin(), lit->end(), MatrixCell{int(i), 0}) != lit->end();
        const bool is_hovered = ImGui::IsWindowHovered() && row.contains(ImGui::GetIO().MousePos);
        if (is_hovered) hovered = NamedCell{node.path, {0, i, 0}};
        if (is_lit || is_hovered) pen().AddRectFilled(row.min, row.max, colours().accent_soft, px(4));
        draw_line(node, i, row, session, reads);
    }
    return hovered;
}

std::string probability_heading(const Session& session, Index row) {
    const Output& output = session.model().map().output;
    const bool is_next = output.is_next_word();
    return session.strings().text(is_next ? "window.probability_row" : "window.probability_of",
                                  {place_label(axis_labels(session, *output.probabilities, true), row)});
}

void probable_words(const ScreenRect& rect, const Session& session, Index row) {
    const Node* node = session.model().map().output.probabilities;
    if (!node || node->value.rows() == 0) return;
    row = std::clamp<Index>(row, 0, node->value.rows() - 1);
    draw_label(pen(), faces().strong, {rect.min, {rect.max.x, rect.min.y + faces().strong.size * 1.2f}},
               colours().ink, probability_heading(session, row));
    const float top = rect.min.y + faces().strong.size + px(12);
    const Cover& cover = session.view().teaching.cover;
    if (cover.words || cover.hides_some_of(node->path, row)) { // their order tells as much as their shares
        draw_wrapped(pen(), faces().body, {rect.min.x, top}, rect.width(), colours().ink_soft,
                     session.strings().text("teach.first"));
        return;
    }
    const Index words = node->value.columns();
    const std::size_t room = std::size_t(
        std::clamp<Index>(Index((rect.max.y - top) / bar_list_height(1)), 1, std::min<Index>(words, 12)));
    std::vector<Index> order(static_cast<std::size_t>(words));
    std::iota(order.begin(), order.end(), Index(0));
    std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(room), order.end(),
                      [&](Index a, Index b) { return node->value(0, row, a) > node->value(0, row, b); });
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < room; ++i)
        bars.push_back({said_label(session.model().files, session.model().map(), order[i]),
                        float(node->value(0, row, order[i])),
                        {}});
    ImGui::SetCursorScreenPos({rect.min.x, top});
    bar_list({.name = "probable", .bars = bars, .chosen = 0, .width = rect.width()});
}

} // namespace headlight
