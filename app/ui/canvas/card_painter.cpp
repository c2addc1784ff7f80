#include "app/ui/canvas/card_painter.h"
#include "app/session/training/training_view.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/canvas_scene.h"
#include "app/ui/canvas/figure_painter.h"
#include "app/ui/canvas/film_painter.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/text.h"
#include "engine/inspect/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headlight {

namespace {

constexpr long large = 1 << 15, cells_a_frame = 3 << 18; // whose ranges are looked for; see has_time_for

// The same value of the model as it is, while differences to it are looked at; else null.
const Node* baseline_of(const Session& session, const Card& card) {
    const Comparison* comparison = session.what_if().comparison();
    if (!session.view().against_baseline || !comparison || card.kind == CardKind::words) return nullptr;
    const Node* before = comparison->baseline->find(card.node->path);
    return before && before->shape() == card.node->shape() ? before : nullptr;
}

// What the canvas shows of every value: the value, its gradient, what changed between two moments of a
// training, or what the changes of a what-if make of it.
enum class Shown { value, gradient, difference, baseline };

Shown shown_of(const Session& session) {
    if (session.view().backward.on) return Shown::gradient;
    if (session.training().difference) return Shown::difference;
    return session.view().against_baseline && session.what_if().comparison() ? Shown::baseline : Shown::value;
}

Shown shown_of(const Session& session, const Card& card) {
    const Shown shown = shown_of(session);
    if (shown == Shown::gradient && !session.shows_gradient(*card.node)) return Shown::value;
    if (shown == Shown::baseline && !baseline_of(session, card)) return Shown::value;
    return shown;
}

unsigned long version_of(const Session& session, const Card& card) {
    const bool as_loaded =
        card.kind == CardKind::weight && card.node->computed.size() == 0 && shown_of(session) == Shown::value;
    return as_loaded ? session.experiment().weights_version()
                     : session.version(); // a changed weight is computed anew
}

// Of one matrix of the card, row by row.
const Real* numbers_of(const Session& session, const Card& card, const CardLook& look, Index matrix) {
    const Node& node = *card.node;
    if (!look.difference.empty())
        return look.difference.data() + matrix * node.value.rows() * node.value.columns();
    return shown_of(session, card) == Shown::gradient ? node.grad.matrix(matrix) : node.value.matrix(matrix);
}

// As softmax leaves them; what was edited may not.
bool rows_sum_to_one(const Tensor& value) {
    for (Index b = 0; b < value.batch(); ++b)
        for (Index r = 0; r < value.rows(); ++r) {
            const Real* row = value.row(b, r);
            const double sum = std::accumulate(row, row + value.columns(), 0.0);
            if (!(std::abs(sum - 1) < 1e-3)) return false;
        }
    return value.columns() > 1;
}

void find_ranges(const Session& session, CardLook& look, const Card& card, bool shared) {
    const Tensor& value = card.node->value;
    look.lows.clear();
    look.highs.clear();
    look.largest = 0;
    for (std::size_t i = 0; i < card.matrices.size(); ++i) {
        const FiniteRange e =
            finite_range(numbers_of(session, card, look, Index(i)), value.rows() * value.columns());
        const bool none = e.low > e.high;
        look.lows.push_back(none ? 0 : e.low);
        look.highs.push_back(none ? 0 : e.high);
        look.largest = std::max({look.largest, std::abs(look.lows.back()), std::abs(look.highs.back())});
    }
    look.ranges.clear();
    for (std::size_t i = 0; i < card.matrices.size(); ++i) {
        float reach = std::max(std::abs(look.lows[i]), std::abs(look.highs[i]));
        if (shared) reach = look.largest;
        if (reach <= 0) reach = 1;
        look.ranges.push_back(look.palette == Palette::sequential ? ValueRange{0, reach}
                                                                  : ValueRange{-reach, reach});
    }
    look.decimals = sensible_decimals(look.largest);
}

} // namespace

const CardLook& CardLooks::of(const Session& session, const Card& card) {
    const ColourRange& range = session.view().colour_range;
    const std::string key = session.strings().language() + (theme().options.dark ? "d" : "l")
                            + (range.shared ? "s" : "e") + std::to_string(int(shown_of(session)));
    if (model_version_ != session.experiment().model_version() || key_ != key) {
        looks_.clear();
        model_version_ = session.experiment().model_version();
        key_ = key;
    }
    const unsigned long version = version_of(session, card);
    CardLook& look = looks_[card.node];
    if (look.version == version) return look;
    const bool fresh = look.version == 0;
    const Shown shown = shown_of(session, card);
    look.version = version;
    if (fresh) {
        const std::string name = value_name(session, *card.node);
        look.palette = shown == Shown::gradient                              ? Palette::gradient
                       : is_probability(*card.node) && shown == Shown::value ? Palette::sequential
                                                                             : Palette::diverging;
        look.name = shown == Shown::gradient     ? "∂" + letter_of_loss(*card.node->graph) + "/∂ " + name
                    : shown == Shown::difference ? "Δ " + name
                    : shown == Shown::baseline   ? session.strings().text("whatif.minus_baseline", {name})
                                                 : name;
        look.colour = value_colour(*card.node);
        // A texture of its own for each thing that is shown.
        const std::string of =
            card.node->path + (shown == Shown::value ? "" : " " + std::to_string(int(shown)));
        for (std::size_t i = 0; i < card.matrices.size(); ++i) look.ids.push_back(heatmap_id(of, int(i)));
    }
    look.difference.clear();
    if (shown == Shown::difference) look.difference = session.experiment().difference_of(card.node->path);
    if (shown == Shown::baseline)
        look.difference = difference(card.node->value, baseline_of(session, card)->value);
    look.shape = to_string(Shape{card.node->value.batch(), card.rows(), card.columns()});
    look.sum = is_probability(*card.node) && shown == Shown::value && rows_sum_to_one(card.node->value)
                   ? session.strings().text(card.transposed ? "figure.sum.columns" : "figure.sum.rows")
                   : "";
    if (fresh || !range.locked || look.ranges.size() != card.matrices.size()) {
        searched_ += long(card.node->value.size());
        find_ranges(session, look, card, range.shared);
    }
    return look;
}

bool CardLooks::has_time_for(const Session& session, const Card& card) {
    const auto known = looks_.find(card.node);
    if (known != looks_.end() && known->second.version == version_of(session, card)) return true;
    const long cells = long(card.node->value.size());
    if (cells < large || searched_ + cells <= cells_a_frame || searched_ == 0) return true;
    postponed_ = true;
    return false;
}

HeatmapMatrix CardLooks::matrix(const Session& session, const Card& card, std::size_t which) {
    const Tensor& value = card.node->value;
    const CardLook& look = of(session, card);
    return {numbers_of(session, card, look, Index(which)), int(card.rows()), int(card.columns()),
            card.transposed ? 1 : value.columns(),         look.ids[which],  version_of(session, card),
            card.transposed ? value.columns() : 1};
}

namespace {

// How much of the colour is taken away.
constexpr float unstaged = 0.6f, unstaged_labels = 0.72f; // of cards that take no part in the present step
constexpr float beside_lit = 0.35f, not_lit = 0.5f;       // of other cards; of other cells of the same matrix

struct Matrix {
    std::size_t which;
    HeatmapMatrix numbers;
    HeatmapGeometry geometry;
    ValueRange range;
    const std::vector<MatrixCell>* lit = nullptr;
};

ScreenRect cell_rect(const HeatmapGeometry& g, int row, int column) {
    return {{g.column_edge(column), g.row_edge(row)}, {g.column_edge(column + 1), g.row_edge(row + 1)}};
}

void paint_cells(CanvasScene& scene, const Matrix& m, Palette palette, float dimming) {
    HeatmapRenderer& renderer = ui().display().heatmaps();
    HeatmapColouring colouring{int(palette), m.range.low, m.range.high, dimming};
    if (m.lit) colouring.dimming = not_lit;
    renderer.add(scene.list, m.numbers, m.geometry, colouring);
    if (!m.lit) return;
    colouring.dimming = 0;
    for (CellRange part : ranges_of(*m.lit)) {
        part.end_row = std::min(part.end_row, m.geometry.rows);
        part.end_column = std::min(part.end_column, m.geometry.columns);
        renderer.add(scene.list, m.numbers, m.geometry, colouring, &part);
    }
}

// So that lit cells are found even where a cell is hardly a pixel.
void outline_lit(CanvasScene& scene, const Matrix& m) {
    if (!m.lit) return;
    const std::vector<CellRange> ranges = ranges_of(*m.lit);
    if (ranges.size() > 200) return;
    for (const CellRange& part : ranges) {
        const ScreenRect r{{m.geometry.column_edge(part.first_column), m.geometry.row_edge(part.first_row)},
                           {m.geometry.column_edge(part.end_column), m.geometry.row_edge(part.end_row)}};
        if (scene.sees(r))
            scene.list.AddRect({r.min.x - 1, r.min.y - 1}, {r.max.x + 1, r.max.y + 1}, colours().accent, 0, 0,
                               px(1.5f));
    }
}

void outline_asked(CanvasScene& scene, const Card& card, const Matrix& m) {
    const auto outline = [&](const std::optional<NamedCell>& which, float thickness) {
        if (!which || which->path != card.node->path || which->cell.batch != Index(m.which)) return;
        const Cell there = card.drawn(which->cell);
        const ScreenRect r = cell_rect(m.geometry, int(there.row), int(there.column));
        const float half = thickness / 2;
        scene.list.AddRect({r.min.x - half - 1, r.min.y - half - 1}, {r.max.x + half + 1, r.max.y + half + 1},
                           colours().card, 0, 0, thickness + 2);
        scene.list.AddRect({r.min.x - half, r.min.y - half}, {r.max.x + half, r.max.y + half}, colours().ink,
                           0, 0, thickness);
    };
    outline(scene.asked, px(2));
    if (scene.hovered != scene.asked) outline(scene.hovered, 1);
    if (scene.hinted != scene.asked) outline(scene.hinted, px(2));
}

HeatmapGeometry geometry_of(const CanvasScene& scene, const Card& card, std::size_t which) {
    const ScreenRect r = scene.on_screen(card.matrices[which]);
    return {std::round(r.min.x),
            std::round(r.min.y),
            float(card.cell_width * scene.canvas.camera().zoom),
            float(card.cell_height * scene.canvas.camera().zoom),
            int(card.rows()),
            int(card.columns())};
}

// What a lesson asks for of one matrix lies under question marks. As words, by their shares, a row is ranked.
void paint_covers(CanvasScene& scene, const Card& card, std::size_t which, const HeatmapGeometry& g,
                  bool as_words) {
    for (const NamedCell& covered : scene.session.view().teaching.cover.cells) {
        if (covered.path != card.node->path || covered.cell.batch != Index(which)) continue;
        Cell there = card.drawn(covered.cell);
        if (as_words) there.column = -1;
        if (there.row >= g.rows || there.column >= g.columns) continue;
        const int row = int(std::max<Index>(there.row, 0)), column = int(std::max<Index>(there.column, 0));
        paint_cover(scene.list, {{g.column_edge(column), g.row_edge(row)},
                                 {g.column_edge(there.column < 0 ? g.columns : column + 1),
                                  g.row_edge(there.row < 0 ? g.rows : row + 1)}});
    }
}

void paint_covers(CanvasScene& scene, const Card& card, bool as_words) {
    const ModelMap& map = scene.session.model().map();
    const bool is_written =
        card.kind == CardKind::words
        && (is_target(map, *card.node) || card.node == map.output.chosen || card.node == map.output.goal);
    if (((as_words || is_written) && scene.session.view().teaching.cover.words)
        || tells_words(scene.session, *card.node))
        paint_cover(scene.list, scene.on_screen(card.matrices.front()));
    if (card.kind == CardKind::words && !card.node->is(ValueKind::choice)) return; // their ids alone
    for (std::size_t which = 0; which < card.matrices.size(); ++which)
        if (scene.shows(card, which))
            paint_covers(scene, card, which, geometry_of(scene, card, which), as_words);
}

void paint_surface(CanvasScene& scene, const Card& card, const ScreenRect& r) {
    const bool is_step = scene.session.step().node == card.node;
    const float rounding = std::min(px(6), r.height() * 0.06f);
    if (r.height() < 8) return;
    // Heads lie behind one another like sheets of paper.
    const float behind = std::clamp(r.height() * 0.02f, 1.5f, px(3));
    for (std::size_t sheet = std::min<std::size_t>(card.matrices.size(), 4); sheet-- > 1;) {
        const float d = behind * float(sheet);
        const ImVec2 from{r.min.x + d, r.min.y - d}, to{r.max.x + d, r.max.y - d};
        scene.list.AddRectFilled(from, to, colours().card, rounding);
        scene.list.AddRect(from, to, with_alpha(colours().frame, 0.7f), rounding);
    }
    scene.list.AddRectFilled(r.min, r.max, colours().card, rounding);
    if (is_step)
        scene.list.AddRect({r.min.x - 1, r.min.y - 1}, {r.max.x + 1, r.max.y + 1}, colours().accent, rounding,
                           0, px(2));
    else if (scene.in_focus && scene.on_stage.contains(card.node))
        scene.list.AddRect(r.min, r.max, with_alpha(colours().accent, 0.55f), rounding, 0, px(1));
    else if (r.height() > 24)
        scene.list.AddRect(r.min, r.max, colours().frame, rounding);
}

} // namespace

std::vector<CellRange> ranges_of(const std::vector<MatrixCell>& cells) {
    std::vector<CellRange> ranges;
    for (std::size_t i = 0; i < cells.size();) {
        const int row = cells[i].row;
        std::size_t end = i + 1;
        while (end < cells.size() && cells[end].row == row && cells[end].column == cells[end - 1].column + 1)
            ++end;
        ranges.push_back({row, row + 1, cells[i].column, cells[end - 1].column + 1});
        i = end;
    }
    // The same run in the next row makes a range higher.
    std::vector<CellRange> joined;
    for (const CellRange& range : ranges) {
        const auto above = std::find_if(joined.rbegin(), joined.rend(), [&](const CellRange& other) {
            return other.end_row == range.first_row && other.first_column == range.first_column
                   && other.end_column == range.end_column;
        });
        if (above != joined.rend())
            above->end_row = range.end_row;
        else
            joined.push_back(range);
    }
    return joined;
}

void paint_card(CanvasScene& scene, const Card& card) {
    const ScreenRect r = scene.on_screen(card.rect);
    if (!scene.sees(r) || r.height() < 1.5f || r.width() < 1.5f || scene.hidden.contains(&card)) return;
    paint_surface(scene, card, r);
    if (film_of(scene, card).computed == CardFilm::Computed::nothing) return paint_title(scene, card, r);
    paint_cost_frame(scene, card, r);
    const bool dim = scene.in_focus && !scene.on_stage.contains(card.node);
    bool as_words = false;
    if (card.kind == CardKind::words) {
        paint_words(scene, card, dim);
    } else {
        if (!scene.looks.has_time_for(scene.session, card)) return;
        const CardLook& look = scene.looks.of(scene.session, card);
        const float dimming = dim ? unstaged : scene.asked && !scene.lit.empty() ? beside_lit : 0.f;
        as_words = is_shown_as_words(card, look, scene.canvas.camera().zoom);
        if (as_words) paint_word_rows(scene, card, dimming);
        for (std::size_t i = 0; i < card.matrices.size() && !as_words; ++i) {
            const ScreenRect on_screen = scene.on_screen(card.matrices[i]);
            if (!scene.sees(on_screen) || !scene.shows(card, i)) continue;
            Matrix m{i, scene.looks.matrix(scene.session, card, i), geometry_of(scene, card, i),
                     look.ranges[i]};
            std::vector<MatrixCell> lit; // as they are drawn
            if (const auto found = scene.lit.find({card.node, Index(i)}); found != scene.lit.end()) {
                lit = drawn_cells(*card.node, found->second);
                m.lit = &lit;
            }
            paint_cells(scene, m, look.palette, dimming);
            const float fade = m.lit ? not_lit : dimming;
            ScreenRect free = free_of_labels(scene, card, look, i);
            if (free.min.x > scene.rect.min.x) free.min.x += 2; // what ends there lies under a label
            if (free.min.y > scene.rect.min.y) free.min.y += 2;
            const std::vector<MatrixCell> covered =
                drawn_cells(*card.node, covered_cells(scene.session, card.node->path, Index(i)));
            paint_numbers(scene.list, free, m.numbers, m.geometry,
                          {.palette = look.palette,
                           .range = m.range,
                           .decimals = look.decimals,
                           .fade = fade,
                           .lit = m.lit,
                           .covered = covered});
            outline_lit(scene, m);
            outline_asked(scene, card, m);
            if (scene.canvas.layout().blocks[card.block].picture == card.node)
                widgets().record("picture." + card.node->path + "." + std::to_string(i), on_screen);
            if (scene.canvas.camera().zoom * card.cell_height >= smallest_asked)
                widgets().record_cells(card.matrices.size() == 1 ? card.node->path
                                                                 : card.node->path + "." + std::to_string(i),
                                       m.geometry);
        }
        cover_uncomputed(scene, card);
        paint_labels(scene, card, look, dim ? unstaged_labels : 0);
    }
    if (card.kind == CardKind::words) cover_uncomputed(scene, card);
    paint_covers(scene, card, as_words);
    mark_edits(scene, card);
    mark_kept_rows(scene, card);
    paint_title(scene, card, r);
    paint_cost_tag(scene, card, r);
    if (r.height() > 20) widgets().record("card." + card.node->path, r);
}

void paint_matrices(CanvasScene& scene, const Card& card, const std::vector<ScreenRect>& places) {
    const CardLook& look = scene.looks.of(scene.session, card);
    for (std::size_t i = 0; i < places.size(); ++i) {
        Matrix m{i, scene.looks.matrix(scene.session, card, i), {}, look.ranges[i]};
        m.geometry = {std::round(places[i].min.x),
                      std::round(places[i].min.y),
                      places[i].width() / float(m.numbers.columns),
                      places[i].height() / float(m.numbers.rows),
                      m.numbers.rows,
                      m.numbers.columns};
        std::vector<MatrixCell> lit;
        if (const auto found = scene.lit.find({card.node, Index(i)}); found != scene.lit.end()) {
            lit = drawn_cells(*card.node, found->second);
            m.lit = &lit;
        }
        paint_cells(scene, m, look.palette, 0);
        paint_covers(scene, card, i, m.geometry, false);
        outline_lit(scene, m);
        outline_asked(scene, card, m);
        mark_word_in(scene, card, places[i]);
        widgets().record("picture." + card.node->path + "." + std::to_string(i), places[i]);
    }
}

void paint_thumbnail(CanvasScene& scene, const Card& card, const ScreenRect& rect) {
    const std::size_t count = card.matrices.size();
    const float gap = 3, width = (rect.width() - gap * float(count - 1)) / float(count);
    std::vector<ScreenRect> places;
    for (std::size_t i = 0; i < count; ++i)
        places.push_back(
            ScreenRect::at(rect.min.x + float(i) * (width + gap), rect.min.y, width, rect.height()));
    paint_matrices(scene, card, places);
}

} // namespace headlight
