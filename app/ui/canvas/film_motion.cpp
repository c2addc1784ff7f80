#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"
#include "app/ui/canvas/film_marks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <tuple>

namespace headlight {

namespace {

constexpr Index longest_explained = 4096;

struct FilmPieces {
    std::vector<FilmPiece> moved = {};
};

// How the row of an operand comes into that of the result.
enum class Passage {
    slides, // cell to cell: a row of it, as it is
    joins,  // heads side by side, or taken apart
    read,   // sums over it: it stays where it is
};

struct Operand {
    const Card* card = nullptr;
    Passage passage = Passage::read;
    Index row = 0; // that slides
};

// Which row of the card a cell of the result names in its own column: its own row, where that is one, else
// the only one. −1: none, or several.
Index row_named(const Card& result, const Card& card, Cell drawn) {
    Index only = -1, found = 0;
    for (const auto& [value, cells] : cells_made_from({result.node, result.drawn(drawn)})) {
        if (value.first != card.node) continue;
        for (const MatrixCell& one : drawn_cells(*card.node, cells)) {
            if (one.column != drawn.column) continue;
            if (one.row == drawn.row) return drawn.row;
            only = one.row;
            ++found;
        }
    }
    return found == 1 ? only : -1;
}

Operand found_operand(const Card& result, const Card& card, Index row) {
    const Index heads = Index(card.matrices.size()), into = Index(result.matrices.size());
    if (card.kind == CardKind::words || result.columns() > longest_explained) return {&card};
    if (card.columns() == result.columns() && (heads == into || heads == 1)) {
        const Index named = row_named(result, card, {0, row, 0});
        if (named >= 0 && named == row_named(result, card, {0, row, result.columns() - 1}))
            return {&card, Passage::slides, named};
    } else if (card.rows() == result.rows() && card.columns() * heads == result.columns() * into) {
        return {&card, Passage::joins, row};
    }
    return {&card};
}

// An explanation takes time: each is asked for once.
struct KnownOperands {
    unsigned long version = 0;
    std::map<std::tuple<const Node*, const Node*, Index>, Operand> found = {};
};

Operand operand_of(const CanvasScene& scene, const Card& result, const Card& card, Index row) {
    KnownOperands& known = ui().state<KnownOperands>();
    if (known.version != scene.session.version()) known = {scene.session.version()};
    const auto [at, is_new] = known.found.try_emplace({result.node, card.node, row});
    if (is_new) at->second = found_operand(result, card, row);
    Operand operand = at->second;
    operand.card = &card; // as it is laid out now
    return operand;
}

// Which cells of an operand it sums over for one number, lit; and what it is thick with.
void paint_reading(CanvasScene& scene, const Card& result, std::size_t matrix, Index row, Index column,
                   const ScreenRect& at) {
    if (result.node->inputs.empty()) return;
    const Cell cell = result.drawn({Index(matrix), row, column});
    Index longest = 0;
    for (const Node* input : result.node->inputs) longest = std::max(longest, input->value.columns());
    if (longest > longest_explained) return;
    for (const auto& [value, cells] : cells_made_from({result.node, cell})) {
        const Card* card = scene.canvas.layout().find(value.first);
        if (!card || card->kind == CardKind::words || std::size_t(value.second) >= card->matrices.size())
            continue;
        for (const CellRange& range : ranges_of(drawn_cells(*card->node, cells))) {
            const ScreenRect from = place_of(scene, {card, std::size_t(value.second), range.first_row,
                                                     range.first_column, range.end_column});
            const ScreenRect lit{
                from.min, {from.max.x, from.min.y + from.height() * float(range.end_row - range.first_row)}};
            if (!scene.sees(lit)) continue;
            scene.list.AddRect({lit.min.x - 1, lit.min.y - 1}, {lit.max.x + 1, lit.max.y + 1},
                               colours().accent, 0, 0, px(2));
            const bool is_left = lit.centre().x < at.centre().x;
            scene.list.AddLine({is_left ? lit.max.x : lit.min.x, lit.centre().y}, at.centre(),
                               with_alpha(colours().accent, 0.55f), px(1.5f));
        }
    }
}

// Values flow into a row by their shares: lines as thick as those.
void paint_flow(CanvasScene& scene, const Card& result, std::size_t matrix, Index row, double share) {
    const Attention* attention = scene.session.model().map().attention_of(*result.node);
    if (!attention || result.node != attention->mixed || !attention->v) return;
    const Card* values = scene.canvas.layout().find(attention->v);
    const Tensor& weights = attention->weights->value;
    if (!values || Index(matrix) >= weights.batch()) return;
    const std::size_t of_values = matrix * values->matrices.size() / result.matrices.size();
    const ScreenRect to = place_of(scene, {&result, matrix, row, 0, result.columns()});
    for (Index j = 0; j < values->rows() && j < weights.columns(); ++j) {
        const float part = float(weights(Index(matrix), row, j));
        if (!(part > 0.02f)) continue;
        const ScreenRect from = place_of(scene, {values, of_values, j, 0, values->columns()});
        const ImVec2 a{from.max.x, from.centre().y}, b{to.min.x, to.centre().y};
        const float reach = (b.x - a.x) * 0.5f, come = eased(share / has_landed);
        const float thick = px(1) + px(9) * part;
        ImVec2 end{std::lerp(a.x, b.x, come), std::lerp(a.y, b.y, come)};
        scene.list.AddBezierCubic(a, {a.x + reach * come, a.y}, {end.x - reach * come, end.y}, end,
                                  with_alpha(colours().probability, 0.25f + 0.35f * part), thick);
        scene.list.AddRect({from.min.x - 1, from.min.y - 1}, {from.max.x + 1, from.max.y + 1},
                           with_alpha(colours().probability, 0.3f + 0.7f * part), 0, 0, px(1.5f));
    }
}

void paint_row(CanvasScene& scene, const Card& result, std::size_t matrix, const FilmRow& row) {
    const RowPiece whole{&result, matrix, row.row, 0, result.columns()};
    const ScreenRect there = place_of(scene, whole);
    if (!scene.sees(there)) return;
    const std::size_t heads = result.matrices.size();
    std::vector<Operand> coming;
    for (const Node* input : result.node->inputs)
        if (const Card* card = scene.canvas.layout().find(input))
            coming.push_back(operand_of(scene, result, *card, row.row));
    const ModelMap& map = scene.session.model().map();
    const auto sum = std::find_if(map.sums.begin(), map.sums.end(),
                                  [&](const ResidualSum& one) { return one.sum == result.node; });
    const bool is_residual = sum != map.sums.end();
    if (is_residual && asks_first(scene, result, row.row)) return; // paint_addends
    if (is_residual) std::reverse(coming.begin(), coming.end());   // last what went past
    const auto moves = [](const Operand& o) { return o.passage != Passage::read; };
    const auto count = std::count_if(coming.begin(), coming.end(), moves);
    std::ptrdiff_t turn = 0;
    for (const Operand& o : coming) {
        if (!moves(o)) continue;
        // One after another: the second is added to what the first has brought.
        const double begin = count > 1 ? 0.5 * double(turn) / double(count - 1) : 0;
        const float share = eased((row.share - begin * has_landed) / (has_landed * (count > 1 ? 0.5 : 1)));
        ++turn;
        const bool goes_past = is_residual && o.card->node == &sum->past();
        if (goes_past && share > 0) paint_plus(scene, there, float(share));
        if (share <= 0 || row.share >= has_landed) continue;
        if (o.passage == Passage::joins) {
            const std::size_t parts = o.card->matrices.size(), each = std::max<std::size_t>(1, parts / heads);
            for (std::size_t k = 0; k < each; ++k) {
                const std::size_t head = parts >= heads ? matrix * each + k : 0;
                const Index wide = parts >= heads ? o.card->columns() : result.columns();
                const Index from = parts >= heads ? 0 : Index(matrix) * wide,
                            to = parts >= heads ? Index(k) * wide : 0;
                const RowPiece piece{o.card, head, o.row, from, from + wide};
                const RowPiece into{&result, matrix, row.row, to, to + wide};
                paint_piece(scene, piece, between(place_of(scene, piece), place_of(scene, into), share));
                ui().state<FilmPieces>().moved.push_back({piece, into});
            }
            continue;
        }
        const RowPiece piece{o.card, o.card->matrices.size() == heads ? matrix : 0, o.row, 0,
                             o.card->columns()};
        ScreenRect at = between(place_of(scene, piece), there, share);
        if (goes_past) {
            const float round = std::sin(share * std::numbers::pi_v<float>) * px(46);
            at = {{at.min.x, at.min.y - round}, {at.max.x, at.max.y - round}};
        }
        paint_piece(scene, piece, at);
        ui().state<FilmPieces>().moved.push_back({piece, whole});
    }
    const std::size_t told = std::size_t(scene.canvas.asks(result.axes.rows.tokens).head); // of many heads
    if (count == 0 && !result.node->inputs.empty() && (heads == 1 || matrix == std::min(told, heads - 1))) {
        const Index column = std::min(Index(row.share * double(result.columns())), result.columns() - 1);
        paint_reading(scene, result, matrix, row.row, column,
                      place_of(scene, {&result, matrix, row.row, column, column + 1}));
    }
    paint_flow(scene, result, matrix, row.row, row.share);
    scene.list.AddRect({there.min.x - 1, there.min.y - 1}, {there.max.x + 1, there.max.y + 1},
                       with_alpha(colours().accent, 0.8f), 0, 0, px(1.5f));
    const bool is_first = asks_first(scene, result, row.row),
               is_output = result.node == map.output.probabilities;
    if (is_output && !is_first) paint_distribution(scene, result, row);
    if (is_first || heads == 1) paint_names(scene, result, matrix, row);
    if (is_first && matrix == std::min(told, heads - 1)) {
        paint_scoring(scene, result, matrix, row);
        paint_distribution(scene, result, row);
        paint_turning(scene, result, matrix, row);
    }
    if (std::find(map.norms.begin(), map.norms.end(), result.node) != map.norms.end())
        paint_statistics(scene, result, row, there);
    if (is_probability(*result.node) && row.share > has_landed && result.columns() > 1
        && result.node != map.output.probabilities)
        paint_sum(scene, result, matrix, row.row);
}

// Of a residual, where it is told: the two rows that are added stand below the sum, what was found and what
// went past it, until the step is over.
void paint_addends(CanvasScene& scene, const Card& result, double share) {
    const ModelMap& map = scene.session.model().map();
    const auto sum = std::find_if(map.sums.begin(), map.sums.end(),
                                  [&](const ResidualSum& one) { return one.sum == result.node; });
    const Node* tokens = result.axes.rows.tokens;
    if (sum == map.sums.end() || !tokens || result.transposed) return;
    const Index row = std::min(scene.canvas.asks(tokens).row, result.rows() - 1);
    const ScreenRect m = scene.on_screen(result.matrices.front());
    const RowPiece whole{&result, 0, row, 0, result.columns()};
    const ScreenRect there = place_of(scene, whole);
    const double first = std::min(1.0, share / asking_takes); // of the row's time
    const float height = std::max(there.height(), px(13));
    int line = 0;
    for (const Node* addend : {&sum->sublayer(), &sum->past()}) {
        const bool went_past = line > 0;
        const Card* card = scene.canvas.layout().find(addend);
        const float come = eased((first - (went_past ? 0.35 : 0.0)) / 0.35);
        const ScreenRect slot =
            ScreenRect::at(m.min.x, m.max.y + height * (0.5f + 1.25f * float(line)), m.width(), height);
        ++line;
        if (!card || come <= 0 || card->columns() != result.columns() || card->rows() <= row) continue;
        const RowPiece piece{card, 0, row, 0, card->columns()};
        ScreenRect at = between(place_of(scene, piece), slot, come);
        const float round = went_past ? std::sin(come * std::numbers::pi_v<float>) * px(46) : 0;
        at = {{at.min.x, at.min.y - round}, {at.max.x, at.max.y - round}};
        paint_piece(scene, piece, at);
        paint_addend(scene, at, went_past);
        ui().state<FilmPieces>().moved.push_back({piece, whole});
    }
    scene.list.AddRect({there.min.x - 1, there.min.y - 1}, {there.max.x + 1, there.max.y + 1},
                       colours().accent, 0, 0, px(2));
    paint_names(scene, result, 0, {row, first});
    if (first > 0.35) paint_plus(scene, there, eased((first - 0.35) / 0.35));
}

} // namespace

bool comes_to_row(const CanvasScene& scene, const Card& result, Index row) {
    return std::any_of(result.node->inputs.begin(), result.node->inputs.end(), [&](const Node* input) {
        const Card* card = scene.canvas.layout().find(input);
        return card && operand_of(scene, result, *card, row).passage != Passage::read;
    });
}

const std::vector<FilmPiece>& film_pieces() { return ui().state<FilmPieces>().moved; }

void paint_film(CanvasScene& scene) {
    ui().state<FilmPieces>().moved.clear();
    if (scene.session.view().backward.playing) paint_gradients(scene);
    if (!scene.film) return;
    const Card* card = scene.canvas.layout().find(scene.session.step().node);
    if (card && film_of(scene, *card).in_full) {
        if (card->kind == CardKind::words)
            paint_words_falling(scene, *card, film_of(scene, *card));
        else if (const std::optional<FilmRow> row = row_on_its_way(scene, *card)) {
            for (std::size_t i = 0; i < card->matrices.size(); ++i)
                if (scene.shows(*card, i)) paint_row(scene, *card, i, *row);
            paint_addends(scene, *card, film_of(scene, *card).share);
        }
    }
    paint_way_back(scene);
}

} // namespace headlight
