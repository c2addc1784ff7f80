#include "app/ui/values/value_view.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/columns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace headlight {

namespace {

bool of_attention(const Axes& axes) {
    return axes.rows.kind == Axis::Kind::positions && axes.columns.kind == Axis::Kind::positions;
}

std::string unit(const Session& session, const Axis& axis, const Node& node, bool rows) {
    const Strings& s = session.strings();
    if (axis.kind == Axis::Kind::positions) return s.text("story.axis.positions");
    if (axis.kind == Axis::Kind::vocabulary) return s.text("story.axis.vocabulary");
    if (!session.is_of_model(node)) return {};
    const Index size = rows ? node.value.rows() : node.value.columns();
    const ModelConfig& c = session.model().config();
    if (node.value.batch() > 1 && size == c.d_k()) return "d_k";
    if (size == c.d_model) return "d_model";
    if (size == c.d_ff) return "d_ff";
    return {};
}

} // namespace

std::optional<Colour> value_colour(const Node& node) {
    const std::string& colour = node.symbol.colour;
    if (colour == "query") return colours().query;
    if (colour == "key") return colours().key;
    if (colour == "value") return colours().value;
    return {};
}

bool is_probability(const Node& node) { return node.is(ValueKind::probabilities); }

namespace {

ValueLabels labels_of(const Session& session, const Node& node) {
    const Strings& s = session.strings();
    const Axes& axes = node.axes;
    const bool transposed = is_drawn_transposed(node);
    ValueLabels labels{axis_labels(session, node, !transposed),
                       axis_labels(session, node, transposed),
                       axis_words(session, node, !transposed),
                       axis_words(session, node, transposed),
                       {},
                       {}};
    if (of_attention(axes)) {
        labels.row_axis = s.text("story.axis.query") + " ↓";
        labels.column_axis = s.text("story.axis.key") + " →";
    } else if (axes.columns.kind == Axis::Kind::vocabulary && axes.rows.kind == Axis::Kind::positions) {
        labels.row_axis = s.text("window.reads") + " ↓"; // a row is what was read, a column what may be said
        labels.column_axis = s.text("window.says") + " →";
    }
    return labels;
}

} // namespace

std::vector<MatrixCell> drawn_cells(const Node& node, std::vector<MatrixCell> cells) {
    if (!is_drawn_transposed(node)) return cells;
    for (MatrixCell& cell : cells) std::swap(cell.row, cell.column);
    std::sort(cells.begin(), cells.end(), [](const MatrixCell& a, const MatrixCell& b) {
        return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    return cells;
}

bool tells_words(const Session& session, const Node& node) {
    if (!session.view().teaching.cover.words || !session.is_of_model(node)) return false;
    const Output& output = session.model().map().output;
    return &node == output.probabilities || &node == output.values;
}

std::vector<MatrixCell> covered_cells(const Session& session, std::string_view path, Index head) {
    std::vector<MatrixCell> covered;
    if (const Node* node = session.find(path); node && tells_words(session, *node)) return {{-1, -1}};
    for (const NamedCell& part : session.view().teaching.cover.cells)
        if (part.path == path && part.cell.batch == head)
            covered.push_back({int(part.cell.row), int(part.cell.column)});
    return covered;
}

bool labels_columns(const ValueLabels& labels) { return labels.columns.size() <= 100; }

const ValueLabels& value_labels(const Session& session, const Node& node) {
    struct Known {
        std::map<std::string, ValueLabels> labels;
        unsigned long version = 0, of_lesson = 0;
        std::string language;
        bool covered = false;
    };
    auto& [known, version, of_lesson, language, covered] = ui().state<Known>();
    const bool covers = session.view().teaching.cover.words;
    if (version != session.version() || of_lesson != session.small_pages().version
        || language != session.strings().language() || covered != covers) {
        covered = covers;
        known.clear();
        version = session.version();
        of_lesson = session.small_pages().version;
        language = session.strings().language();
    }
    const auto found = known.find(node.path);
    return found != known.end() ? found->second
                                : known.emplace(node.path, labels_of(session, node)).first->second;
}

void make_value_view(ValueView& out, const Session& session, const Node& node, Index head, std::string name) {
    const Strings& s = session.strings();
    const Axes& axes = node.axes;
    const ValueLabels& labels = value_labels(session, node);
    out.name = std::move(name);
    out.title = value_name(session, node);
    if (axes.per_head) out.title += "  ·  " + head_label(session, node, head);
    const std::string rows =
        of_attention(axes) ? s.text("story.axis.queries") : unit(session, axes.rows, node, true);
    const std::string columns =
        of_attention(axes) ? s.text("story.axis.keys") : unit(session, axes.columns, node, false);
    const bool transposed = is_drawn_transposed(node);
    const std::string &down = transposed ? columns : rows, &across = transposed ? rows : columns;
    out.units = down.empty() || across.empty() ? down + across : down + " × " + across;
    out.row_labels = labels.rows;

    HeatmapView& view = out.view;
    view.name = out.name;
    view.title = out.title;
    view.title_colour = value_colour(node);
    view.units = out.units;
    view.row_labels = labels.rows;
    view.column_labels = labels.columns;
    view.row_words = labels.row_words;
    view.column_words = labels.column_words;
    view.show_column_labels = labels_columns(labels);
    if (of_attention(axes)) view.tallest_row = tallest_of_attention;
    view.row_axis = labels.row_axis;
    view.column_axis = labels.column_axis;
    view.palette = is_probability(node) ? Palette::sequential : Palette::diverging;
    out.covered = drawn_cells(node, covered_cells(session, node.path, head));
    view.covered = out.covered;
    view.hides_ends = session.view().teaching.cover.hides_some_of(node.path);
    const Tensor& value = node.value;
    view.matrix = {value.matrix(head),
                   int(transposed ? value.columns() : value.rows()),
                   int(transposed ? value.rows() : value.columns()),
                   transposed ? 1 : value.columns(),
                   heatmap_id(node.path, int(head)),
                   session.version_of(node.path),
                   transposed ? value.columns() : 1};
}

std::string formula_in_language(const Session& session, std::string formula) {
    for (const char* word : {"if", "or", "Sublayer"}) {
        const std::string there = std::string("\\mathrm{") + word + "}";
        const std::string& here = session.strings().text(std::string("formula.") + word);
        if (const std::size_t at = formula.find(there); at != formula.npos)
            formula.replace(at, there.size(), "\\mathrm{" + here + "}");
    }
    return formula;
}

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
