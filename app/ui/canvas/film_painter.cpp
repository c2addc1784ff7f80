#include "app/ui/canvas/film_painter.h"
#include "app/session/step_text.h"
#include "app/session/view.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace headlight {

namespace {

constexpr double first_row_takes = 0.5; // of a step that is told in full
constexpr double flies = 0.75;          // of a row's time; then it has landed
constexpr Index longest_explained = 4096;

float eased(double t) {
    const double s = std::clamp(t, 0.0, 1.0);
    return float(s * s * (3 - 2 * s));
}

// --- which row asks

// In the first attention of these words, the row that looks hardest at another one: in "… because it was too
// tired" the pronoun. Found once a version.
struct AskingRow {
    unsigned long version = 0;
    std::map<const Node*, Index> rows = {};
};

Index hardest_looking(const Attention& attention) {
    const Tensor& weights = attention.weights->value;
    Index best = weights.rows() / 2;
    double most = 0;
    for (Index head = 0; head < weights.batch(); ++head)
        for (Index row = 1; row + 1 < weights.rows(); ++row)
            for (Index column = 1; column + 1 < weights.columns(); ++column) {
                const double share = double(weights(head, row, column));
                if (std::abs(column - row) < 2 || share <= most || share > 1) continue;
                most = share;
                best = row;
            }
    return best;
}

Index asking_row(const Session& session, const Card& card) {
    const Node* tokens = card.axes.rows.tokens;
    const Index rows = card.rows();
    if (!tokens) return 0;
    AskingRow& known = ui().state<AskingRow>();
    if (known.version != session.version()) known = {session.version()};
    const auto [found, is_new] = known.rows.try_emplace(tokens, 0);
    if (is_new)
        for (const Attention& attention : session.model().map().attentions)
            if (attention.query_tokens() == tokens && attention.is_self()) {
                found->second = hardest_looking(attention);
                break;
            }
    return std::clamp<Index>(found->second, 0, rows - 1);
}

// Place in time of a row, and back: the asking one, then the others from the top.
Index place_of(Index row, Index asking) { return row == asking ? 0 : row < asking ? row + 1 : row; }
Index row_at(Index place, Index asking) { return place == 0 ? asking : place <= asking ? place - 1 : place; }

// How many rows are whole, the last in part.
double rows_done(const CardFilm& film, Index rows) {
    if (!film.in_full || rows < 2) return film.share * double(rows);
    if (film.share < first_row_takes) return film.share / first_row_takes;
    return 1 + (film.share - first_row_takes) / (1 - first_row_takes) * double(rows - 1);
}

// --- what is on its way

struct RowPiece { // a row of a matrix, or a part of one
    const Card* card = nullptr;
    std::size_t matrix = 0;
    Index row = 0, first = 0, end = 0; // columns, as it is drawn
};

ScreenRect place_of(const CanvasScene& scene, const RowPiece& piece) {
    const ScreenRect m = scene.on_screen(piece.card->matrices[piece.matrix]);
    const float w = float(piece.card->cell_width) * scene.zoom(),
                h = float(piece.card->cell_height) * scene.zoom();
    return {{m.min.x + w * float(piece.first), m.min.y + h * float(piece.row)},
            {m.min.x + w * float(piece.end), m.min.y + h * float(piece.row + 1)}};
}

// The piece's own cells, with its own colours and numbers, somewhere else.
void paint_piece(CanvasScene& scene, const RowPiece& piece, const ScreenRect& at) {
    if (!scene.sees(at) || piece.card->kind == CardKind::words) return;
    if (!scene.looks.has_time_for(scene.session, *piece.card)) return;
    const CardLook& look = scene.looks.of(scene.session, *piece.card);
    const HeatmapMatrix numbers = scene.looks.matrix(scene.session, *piece.card, piece.matrix);
    const float w = at.width() / float(piece.end - piece.first), h = at.height();
    const HeatmapGeometry geometry{at.min.x - w * float(piece.first),
                                   at.min.y - h * float(piece.row),
                                   w,
                                   h,
                                   numbers.rows,
                                   numbers.columns};
    const CellRange part{int(piece.row), int(piece.row) + 1, int(piece.first), int(piece.end)};
    const ValueRange& range = look.ranges[piece.matrix];
    scene.list.AddRectFilled(at.min, at.max, colours().card);
    ui().display().heatmaps().add(scene.list, numbers, geometry,
                                  {int(look.palette), range.low, range.high, 0}, &part);
    paint_numbers(scene.list, at.cut_to(scene.rect), numbers, geometry,
                  {.palette = look.palette, .range = range, .decimals = look.decimals});
    scene.list.AddRect({at.min.x - 1, at.min.y - 1}, {at.max.x + 1, at.max.y + 1}, colours().accent, 0, 0,
                       px(1.5f));
}

ScreenRect between(const ScreenRect& from, const ScreenRect& to, float share) {
    const auto mix = [&](float a, float b) { return std::lerp(a, b, share); };
    return {{mix(from.min.x, to.min.x), mix(from.min.y, to.min.y)},
            {mix(from.max.x, to.max.x), mix(from.max.y, to.max.y)}};
}

// How the row of an operand comes into that of the result.
enum class Passage {
    slides, // cell to cell: the row itself
    joins,  // heads side by side, or taken apart
    taken,  // one row of a table
    read,   // sums over it: it stays where it is
};

struct Operand {
    const Card* card = nullptr;
    Passage passage = Passage::read;
    Index row = 0; // that slides
};

Operand operand_of(const Card& result, const Card& card, Index row) {
    const bool same_rows = card.rows() == result.rows(), same_columns = card.columns() == result.columns();
    const Index heads = Index(card.matrices.size()), into = Index(result.matrices.size());
    if (card.kind == CardKind::words) return {&card, Passage::read, row};
    if (same_rows && same_columns && (heads == into || heads == 1)) return {&card, Passage::slides, row};
    if (same_rows && card.columns() * heads == result.columns() * into) return {&card, Passage::joins, row};
    if (card.rows() == 1 && same_columns) return {&card, Passage::slides, 0};
    if (same_columns && into == 1) { // a table gives the row of an id
        const Cell cell = result.drawn({0, row, 0});
        for (const ExplanationStep& step : result.node->graph->explain(*result.node, cell).steps)
            if (step.expression.kind == Expr::Kind::cell && step.expression.cell.node == card.node)
                return {&card, Passage::taken, card.drawn(step.expression.cell.cell).row};
    }
    return {&card, Passage::read, row};
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
        const float reach = (b.x - a.x) * 0.5f, come = eased(share / flies);
        const float thick = px(1) + px(14) * part;
        ImVec2 end{std::lerp(a.x, b.x, come), std::lerp(a.y, b.y, come)};
        scene.list.AddBezierCubic(a, {a.x + reach * come, a.y}, {end.x - reach * come, end.y}, end,
                                  with_alpha(colours().probability, 0.35f + 0.5f * part), thick);
        scene.list.AddRect({from.min.x - 1, from.min.y - 1}, {from.max.x + 1, from.max.y + 1},
                           with_alpha(colours().probability, 0.3f + 0.7f * part), 0, 0, px(1.5f));
    }
}

// Whose row it is, left of it; and of shares that have landed, which word has the most, above its cell.
void paint_chip(CanvasScene& scene, ImVec2 right_middle, Colour ground, Colour ink, const std::string& text) {
    const Face& face = faces().caption;
    const float width = text_width(face, text) + px(10), height = face.size * 1.35f;
    const ScreenRect chip =
        ScreenRect::at(right_middle.x - width, right_middle.y - height / 2, width, height);
    scene.list.AddRectFilled(chip.min, chip.max, ground, px(4));
    draw_text_in(scene.list, face, chip, ink, text, Align::centre);
}

void paint_names(CanvasScene& scene, const Card& card, std::size_t matrix, const FilmRow& now) {
    const ValueLabels& labels = value_labels(scene.session, *card.node);
    const std::vector<std::string>& rows = card.transposed ? labels.columns : labels.rows;
    const std::vector<std::string>& columns = card.transposed ? labels.rows : labels.columns;
    const ScreenRect at = place_of(scene, {&card, matrix, now.row, 0, card.columns()});
    if (std::size_t(now.row) < rows.size() && !rows[std::size_t(now.row)].empty())
        paint_chip(scene, {at.min.x - px(3), at.centre().y}, colours().accent, colours().on_accent,
                   rows[std::size_t(now.row)]);
    if (!is_probability(*card.node) || now.share < flies || columns.size() != std::size_t(card.columns()))
        return;
    Index best = 0;
    const auto number = [&](Index column) {
        const Cell cell = card.drawn({Index(matrix), now.row, column});
        return double(card.node->value(cell.batch, cell.row, cell.column));
    };
    for (Index column = 1; column < card.columns(); ++column)
        if (number(column) > number(best)) best = column;
    const std::string text = columns[std::size_t(best)] + " " + format_fixed(number(best), 2);
    const ScreenRect cell = place_of(scene, {&card, matrix, now.row, best, best + 1});
    const float half = (text_width(faces().caption, text) + px(10)) / 2;
    paint_chip(scene, {cell.centre().x + half, cell.min.y - faces().caption.size}, colours().probability,
               theme().ink_on(colours().probability), text);
}

// Beside a row of shares that has landed: that they sum to 1.
void paint_sum(CanvasScene& scene, const Card& card, std::size_t matrix, Index row) {
    const ScreenRect at = place_of(scene, {&card, matrix, row, 0, card.columns()});
    const Face& face = faces().mono_small;
    if (at.height() < face.size * 0.7f) return;
    double sum = 0;
    for (Index column = 0; column < card.columns(); ++column) {
        const Cell cell = card.drawn({Index(matrix), row, column});
        sum += double(card.node->value(cell.batch, cell.row, cell.column));
    }
    const std::string text = "Σ " + format_fixed(sum, 2);
    const ScreenRect place = ScreenRect::at(at.max.x + px(4), at.centre().y - face.size * 0.65f,
                                            text_width(face, text) + px(8), face.size * 1.3f);
    scene.list.AddRectFilled(place.min, place.max, colours().raised, px(3));
    draw_text_in(scene.list, face, place, colours().ink, text, Align::centre);
}

void paint_row(CanvasScene& scene, const Card& result, std::size_t matrix, const FilmRow& row) {
    const RowPiece whole{&result, matrix, row.row, 0, result.columns()};
    const ScreenRect there = place_of(scene, whole);
    if (!scene.sees(there)) return;
    const std::size_t heads = result.matrices.size();
    std::vector<Operand> coming;
    for (const Node* input : result.node->inputs)
        if (const Card* card = scene.canvas.layout().find(input))
            coming.push_back(operand_of(result, *card, row.row));
    const auto moves = [](const Operand& o) { return o.passage != Passage::read; };
    const auto count = std::count_if(coming.begin(), coming.end(), moves);
    std::ptrdiff_t turn = 0;
    for (const Operand& o : coming) {
        if (!moves(o)) continue;
        // One after another: the second is added to what the first has brought.
        const double begin = count > 1 ? 0.5 * double(turn) / double(count - 1) : 0;
        const float share = eased((row.share - begin * flies) / (flies * (count > 1 ? 0.5 : 1)));
        ++turn;
        if (share <= 0 || row.share >= 1) continue;
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
            }
            continue;
        }
        const RowPiece piece{o.card, o.card->matrices.size() == heads ? matrix : 0, o.row, 0,
                             o.card->columns()};
        paint_piece(scene, piece, between(place_of(scene, piece), there, share));
    }
    const std::size_t told = std::size_t(std::max<Index>(0, scene.session.view().head)); // of many heads, one
    if (count == 0 && !result.node->inputs.empty() && (heads == 1 || matrix == std::min(told, heads - 1))) {
        const Index column = std::min(Index(row.share * double(result.columns())), result.columns() - 1);
        paint_reading(scene, result, matrix, row.row, column,
                      place_of(scene, {&result, matrix, row.row, column, column + 1}));
    }
    paint_flow(scene, result, matrix, row.row, row.share);
    scene.list.AddRect({there.min.x - 1, there.min.y - 1}, {there.max.x + 1, there.max.y + 1},
                       with_alpha(colours().accent, 0.8f), 0, 0, px(1.5f));
    if (place_of(row.row, asking_row(scene.session, result)) == 0 || heads == 1)
        paint_names(scene, result, matrix, row);
    if (is_probability(*result.node) && row.share > flies && result.columns() > 1)
        paint_sum(scene, result, matrix, row.row);
}

// What is chosen goes back to the entrance of those words, each into the place behind its own.
void paint_way_back(CanvasScene& scene, double share) {
    const ModelMap& map = scene.session.model().map();
    const Stream* target = map.target();
    if (!target || !map.output.is_next_word()) return;
    const WordsSlot *said = nullptr, *fed = nullptr;
    for (const WordsSlot& slot : scene.canvas.layout().words) {
        if (slot.is_said) said = &slot;
        if (!slot.is_said && slot.tokens == target->tokens) fed = &slot;
    }
    const std::vector<std::string>& words = scene.session.sentence().chosen_labels;
    if (!said || !fed || words.empty() || scene.session.view().teaching.cover.words) return;
    const double at = share * double(words.size());
    const std::size_t which = std::min(std::size_t(at), words.size() - 1);
    const float come = eased((at - double(which)) * 1.15);
    const ScreenRect from = scene.on_screen(said->rect), to = scene.on_screen(fed->rect);
    const bool ends = which + 1 == words.size(); // the end is not fed any more
    const ImVec2 a = from.centre(), b = ends ? a : ImVec2{to.centre().x, to.min.y + px(10)};
    const float side = std::max(from.max.x, to.max.x) + px(30); // around the column
    const ImVec2 place{
        std::lerp(std::lerp(a.x, side, std::min(come * 2, 1.f)), b.x, std::max(come * 2 - 1, 0.f)),
        std::lerp(a.y, b.y, come)};
    const Face& face = faces().strong;
    const float width = text_width(face, words[which]) + px(16);
    const ScreenRect chip = ScreenRect::at(std::min(place.x - width / 2, scene.rect.max.x - width - px(4)),
                                           place.y - face.size, width, face.size * 1.6f);
    scene.list.AddRectFilled(chip.min, chip.max, colours().accent, px(5));
    draw_text_in(scene.list, face, chip, colours().on_accent, words[which], Align::centre);
}

} // namespace

CardFilm film_of(const CanvasScene& scene, const Card& card) {
    if (!scene.film || card.step < 0) return {};
    const Index step = Index(card.step), now = scene.film->step;
    if (step < now) return {};
    if (step > now) return {CardFilm::Computed::nothing, 0, false};
    const bool in_full = scene.session.model().film.shot(step).in_full();
    return {scene.film->share >= 1 ? CardFilm::Computed::all : CardFilm::Computed::part, scene.film->share,
            in_full};
}

bool has_come_to(const CanvasScene& scene, const Node& value) {
    if (!scene.film) return true;
    const Card* card = scene.canvas.layout().find(&value);
    return !card || film_of(scene, *card).computed != CardFilm::Computed::nothing;
}

std::optional<FilmRow> row_on_its_way(const CanvasScene& scene, const Card& card) {
    const CardFilm film = film_of(scene, card);
    if (film.computed != CardFilm::Computed::part) return {};
    const double done = rows_done(film, card.rows());
    const Index place = std::min(Index(done), card.rows() - 1);
    return FilmRow{row_at(place, asking_row(scene.session, card)), done - double(place)};
}

bool is_row_computed(const CanvasScene& scene, const Card& card, Index row) {
    const CardFilm film = film_of(scene, card);
    if (film.computed == CardFilm::Computed::all) return true;
    if (film.computed == CardFilm::Computed::nothing) return false;
    return double(place_of(row, asking_row(scene.session, card))) + 1 <= rows_done(film, card.rows());
}

void cover_uncomputed(CanvasScene& scene, const Card& card) {
    const CardFilm film = film_of(scene, card);
    if (film.computed == CardFilm::Computed::all) return;
    const std::optional<FilmRow> now = row_on_its_way(scene, card);
    for (std::size_t i = 0; i < card.matrices.size(); ++i) {
        const ScreenRect m = scene.on_screen(card.matrices[i]);
        if (!scene.sees(m)) continue;
        if (!now) {
            scene.list.AddRectFilled({m.min.x - 1, m.min.y - 1}, {m.max.x + 1, m.max.y + 1}, colours().card);
            continue;
        }
        for (Index row = 0; row < card.rows(); ++row) {
            if (is_row_computed(scene, card, row)) continue;
            // Of the row on its way what has been summed stands; what slides covers it until it lands.
            const bool is_now = now->row == row;
            const Index first = is_now ? Index(now->share * double(card.columns())) : 0;
            const ScreenRect rest = place_of(scene, {&card, i, row, first, card.columns()});
            scene.list.AddRectFilled({rest.min.x, rest.min.y}, {rest.max.x + 1, rest.max.y}, colours().card);
        }
    }
}

void paint_film(CanvasScene& scene) {
    if (!scene.film) return;
    const Card* card = scene.canvas.layout().find(scene.session.step().node);
    if (card && film_of(scene, *card).in_full && card->kind != CardKind::words)
        if (const std::optional<FilmRow> row = row_on_its_way(scene, *card))
            for (std::size_t i = 0; i < card->matrices.size(); ++i)
                if (scene.shows(*card, i)) paint_row(scene, *card, i, *row);
    const Output& output = scene.session.model().map().output;
    constexpr double chosen = 0.4; // of the last scene: then the words go
    if (scene.session.step().node == output.chosen && scene.film->share > chosen)
        paint_way_back(scene, (scene.film->share - chosen) / (1 - chosen));
}

float film_caption_height(const ScreenRect& view) {
    const float lines = view.width() < px(560) ? 3 : 2;
    return faces().strong.size * 1.5f + faces().body.size * line_spacing * lines + px(22);
}

void film_caption(const CanvasScene& scene, CommandSink& commands) {
    const Session& session = scene.session;
    const Strings& s = session.strings();
    const Film& film = session.model().film;
    const FilmScene& now = film.scenes()[scene.film->scene];
    const float height = film_caption_height(scene.rect);
    const ScreenRect place{{scene.rect.min.x + px(10), scene.rect.max.y - height - px(8)},
                           {scene.rect.max.x - px(10), scene.rect.max.y - px(8)}};
    scene.list.AddRectFilled(place.min, place.max, with_alpha(colours().card, 0.96f), px(8));
    scene.list.AddRect(place.min, place.max, colours().line, px(8));
    widgets().record("caption", place);
    const ScreenRect inner = place.inset(px(10));
    const float button_size = control_height();
    ImGui::SetCursorScreenPos({inner.max.x - button_size + px(4), inner.min.y - px(5)});
    if (button("caption.off", "×",
               {.tooltip = s.text("film.off.tip"), .kind = ButtonKind::quiet, .pixels = button_size}))
        commands.emit("film off");
    const std::string name = "film." + std::string(name_of(now.kind));
    const std::string number =
        std::to_string(scene.film->scene + 1) + " / " + std::to_string(film.scenes().size());
    draw_text(scene.list, faces().caption, {inner.min.x, inner.min.y + px(2)}, colours().ink_faint, number);
    const float left = inner.min.x + text_width(faces().caption, "00 / 00") + px(10);
    draw_text_in(
        scene.list, faces().strong,
        {{left, inner.min.y - px(2)}, {inner.max.x - button_size, inner.min.y + faces().strong.size * 1.3f}},
        colours().ink, s.text(name + ".title"));
    // The formula of what is computed now, at the right, where the words leave room.
    const StoryStep& step = session.step();
    const StoryStep& told =
        film.shot(session.view().step).in_full() ? step : session.model().story[std::size_t(now.told)];
    const std::string& tex = told.sized.empty() ? told.formula : told.sized;
    const FormulaExtent extent = measure_formula(tex, {.size = MathSize::small});
    const float top = inner.min.y + faces().strong.size * 1.5f;
    float right = inner.max.x;
    if (extent.width > 0 && extent.width < inner.width() * 0.45f) {
        const float middle = (inner.min.y + button_size + inner.max.y) / 2;
        draw_formula(scene.list, {inner.max.x - extent.width, middle + (extent.ascent - extent.descent) / 2},
                     tex, {.size = MathSize::small});
        right -= extent.width + px(20);
    }
    const View& view = session.view();
    const bool asks =
        !view.playing && view.film.seconds <= now.begin + 0.02; // a presenter waits for an answer
    const std::string text = s.text(name + (asks ? ".ask" : ".text"), sizes_in_texts(session, *told.node));
    const Face& face = wrapped_height(faces().body, text, right - inner.min.x) <= inner.max.y - top + px(2)
                           ? faces().body
                           : faces().caption;
    draw_wrapped(scene.list, face, {inner.min.x, top}, right - inner.min.x,
                 asks ? colours().accent : colours().ink_soft, text);
}

} // namespace headlight
