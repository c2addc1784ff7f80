#include "app/ui/canvas/film_marks.h"
#include "app/session/word_life.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"
#include "app/ui/widgets/text.h"
#include "engine/inspect/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace headlight {

// The piece's own cells, with its own colours and numbers, somewhere else.
void paint_piece(CanvasScene& scene, const RowPiece& piece, const ScreenRect& at, bool framed) {
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
    if (framed)
        scene.list.AddRect({at.min.x - 1, at.min.y - 1}, {at.max.x + 1, at.max.y + 1}, colours().accent, 0, 0,
                           px(1.5f));
}
ScreenRect between(const ScreenRect& from, const ScreenRect& to, float share) {
    const auto mix = [&](float a, float b) { return std::lerp(a, b, share); };
    return {{mix(from.min.x, to.min.x), mix(from.min.y, to.min.y)},
            {mix(from.max.x, to.max.x), mix(from.max.y, to.max.y)}};
}
namespace {

// Whose row it is, left of it; and of shares that have landed, which word has the most, above its cell.
void paint_chip(CanvasScene& scene, ImVec2 right_middle, Colour ground, Colour ink, const std::string& text) {
    const Face& face = faces().caption;
    const float width = text_width(face, text) + px(10), height = face.size * 1.35f;
    const ScreenRect chip = ScreenRect::at(std::max(right_middle.x - width, scene.rect.min.x + px(2)),
                                           right_middle.y - height / 2, width, height);
    scene.list.AddRectFilled(chip.min, chip.max, ground, px(4));
    draw_text_in(scene.list, face, chip, ink, text, Align::centre);
}

} // namespace

// One query and the keys, brought beside the row that is being made of them: the keys run past it, and what
// stands under it is what it is multiplied with now.
void paint_scoring(CanvasScene& scene, const Card& result, std::size_t matrix, const FilmRow& now) {
    const Attention* attention = scene.session.model().map().attention_of(*result.node);
    if (!attention || result.node != attention->scores || result.transposed) return;
    const Card *queries = scene.canvas.layout().find(attention->scored_q()),
               *keys = scene.canvas.layout().find(attention->scored_k());
    if (!queries || !keys || matrix >= queries->matrices.size() || keys->transposed || queries->transposed)
        return;
    const std::size_t of_keys = matrix * keys->matrices.size() / result.matrices.size();
    const ScreenRect row = place_of(scene, {&result, matrix, now.row, 0, result.columns()});
    const float height = std::max(row.height(), px(13)), gap = height * 0.35f, rows = 3;
    const float needed = height * (rows + 1) + 3 * gap;
    const ScreenRect m = scene.on_screen(result.matrices[matrix]);
    const bool has_room_below = row.max.y + needed <= std::max(m.max.y, m.min.y + needed);
    const float top = has_room_below ? row.max.y + gap : row.min.y - needed;
    const RowPiece query{queries, matrix, now.row, 0, queries->columns()};
    const ScreenRect at = ScreenRect::at(row.min.x, top, row.width(), height);
    constexpr double brought = 0.15; // of the row's time
    const float come = eased(now.share / brought);
    if (come < 1) return paint_piece(scene, query, between(place_of(scene, query), at, come));
    const ScreenRect strip{{at.min.x, at.max.y + gap}, {at.max.x, at.max.y + gap + rows * height}};
    scene.list.AddRectFilled({at.min.x - px(4), at.min.y - px(3)}, {at.max.x + px(4), strip.max.y + px(3)},
                             colours().raised, px(4));
    paint_piece(scene, query, at);
    const double place = std::max(0.0, now.share * double(result.columns()) - 0.5);
    const ValueLabels& labels = value_labels(scene.session, *result.node);
    scene.list.PushClipRect({strip.min.x - px(120), strip.min.y}, strip.max, true);
    for (Index key = std::max<Index>(0, Index(place) - 2);
         key <= Index(place) + 2 && key < std::min(result.columns(), keys->rows()); ++key) {
        const float y = strip.centre().y + float(double(key) - place) * height;
        const bool is_now = key == Index(now.share * double(result.columns()));
        const ScreenRect there = ScreenRect::at(strip.min.x, y - height / 2, strip.width(), height * 0.92f);
        paint_piece(scene, {keys, of_keys, key, 0, keys->columns()}, there, is_now);
        if (!is_now) scene.list.AddRectFilled(there.min, there.max, with_alpha(colours().raised, 0.55f));
        if (std::size_t(key) < labels.columns.size() && !labels.columns[std::size_t(key)].empty())
            paint_chip(scene, {strip.min.x - px(3), there.centre().y},
                       is_now ? colours().key : colours().raised,
                       is_now ? theme().ink_on(colours().key) : colours().ink_faint,
                       labels.columns[std::size_t(key)]);
    }
    scene.list.PopClipRect();
}

// A place that is written looks for what comes next: "lost → the".
std::string name_of_row(const CanvasScene& scene, const Card& card, Index row, const std::string& label) {
    const ModelMap& map = scene.session.model().map();
    const Attention* attention = map.attention_of(*card.node);
    const bool looks_elsewhere = attention && !attention->is_self();
    const Node* tokens = card.transposed ? card.axes.columns.tokens : card.axes.rows.tokens;
    if (!tokens || (!looks_elsewhere && card.node != map.output.probabilities)) return label;
    return word_and_said(scene.session, tokens, row);
}

void paint_names(CanvasScene& scene, const Card& card, std::size_t matrix, const FilmRow& now) {
    const ValueLabels& labels = value_labels(scene.session, *card.node);
    const std::vector<std::string>& rows = card.transposed ? labels.columns : labels.rows;
    const std::vector<std::string>& columns = card.transposed ? labels.rows : labels.columns;
    const ScreenRect at = place_of(scene, {&card, matrix, now.row, 0, card.columns()});
    if (std::size_t(now.row) < rows.size() && !rows[std::size_t(now.row)].empty())
        paint_chip(scene, {at.min.x - px(3), at.centre().y}, colours().accent, colours().on_accent,
                   name_of_row(scene, card, now.row, rows[std::size_t(now.row)]));
    if (!is_probability(*card.node) || now.share < has_landed
        || card.node == scene.session.model().map().output.probabilities
        || columns.size() != std::size_t(card.columns()))
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
    const Face& face = faces().caption;
    if (at.height() < face.size * 0.6f) return;
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

void paint_addend(CanvasScene& scene, const ScreenRect& row, bool went_past) {
    const Strings& s = scene.session.strings();
    paint_chip(scene, {row.min.x - px(3), row.centre().y}, went_past ? colours().value : colours().raised,
               went_past ? theme().ink_on(colours().value) : colours().ink,
               s.text(went_past ? "film.addend.before" : "film.addend.found"));
}

// ⊕ where what went past lands.
void paint_plus(CanvasScene& scene, const ScreenRect& row, float share) {
    const ImVec2 at{row.max.x + px(20), row.centre().y};
    const float radius = px(7) + px(6) * share, arm = radius * 0.6f;
    scene.list.AddCircleFilled(at, radius, colours().card);
    scene.list.AddCircle(at, radius, colours().value, 0, px(2.5f));
    scene.list.AddLine({at.x - arm, at.y}, {at.x + arm, at.y}, colours().value, px(2.5f));
    scene.list.AddLine({at.x, at.y - arm}, {at.x, at.y + arm}, colours().value, px(2.5f));
}

// Beside a row that is normed: what its numbers were like, and when it has landed, what they are.
void paint_statistics(CanvasScene& scene, const Card& result, const FilmRow& row, const ScreenRect& there) {
    const bool is_there = row.share > has_landed;
    const Node& node = is_there || result.node->inputs.empty() ? *result.node : *result.node->inputs[0];
    if (node.value.rows() <= row.row) return;
    const Statistics of = statistics(node.value, {0, row.row, -1});
    const Face& face = faces().caption;
    const std::string text = "μ " + format_fixed(of.mean, 2) + "  σ " + format_fixed(of.deviation, 2);
    const float width = text_width(face, text) + px(14), height = face.size * 1.5f;
    const float left = std::min(there.max.x + px(8), scene.rect.max.x - width - px(8));
    const ScreenRect place = ScreenRect::at(left, there.centre().y - height / 2, width, height);
    scene.list.AddRectFilled(place.min, place.max, is_there ? colours().accent : colours().raised, px(4));
    scene.list.AddRect(place.min, place.max, colours().line, px(4));
    draw_text_in(scene.list, face, place, is_there ? colours().on_accent : colours().ink, text,
                 Align::centre);
}

// The most probable words of a row, each as high as it is probable.
void paint_distribution(CanvasScene& scene, const Card& result, const FilmRow& now) {
    const Node& node = *result.node;
    if (&node != scene.session.model().map().output.probabilities || result.transposed
        || scene.session.view().teaching.cover.words)
        return;
    constexpr Index most = 5;
    std::vector<Index> order(std::size_t(node.value.columns()));
    std::iota(order.begin(), order.end(), Index(0));
    const Real* shares = node.value.row(0, now.row);
    const auto count = std::min<std::ptrdiff_t>(most, std::ptrdiff_t(order.size()));
    std::partial_sort(order.begin(), order.begin() + count, order.end(),
                      [&](Index a, Index b) { return shares[a] > shares[b]; });
    const Face& face = faces().body;
    const float line = face.size * 1.5f, wide = px(330), high = line * float(count) + px(20);
    const ScreenRect row = place_of(scene, {&result, 0, now.row, 0, result.columns()});
    const bool is_below =
        row.max.y + high + px(10) < scene.rect.max.y - film_caption_height(scene.session, scene.rect) - px(12);
    const float left =
        std::clamp(row.centre().x - wide / 2, scene.rect.min.x + px(8), scene.rect.max.x - wide - px(8));
    const ScreenRect box = ScreenRect::at(
        left, is_below ? row.max.y + px(8) : std::max(scene.rect.min.y + px(4), row.min.y - high - px(8)),
        wide, high);
    scene.list.AddRectFilled(box.min, box.max, with_alpha(colours().raised, 0.97f), px(6));
    scene.list.AddRect(box.min, box.max, colours().line, px(6));
    const float rises = eased(now.share / has_landed), words = wide * 0.42f, full = wide - words - px(66);
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const Index word = order[std::size_t(i)];
        const float y = box.min.y + px(10) + line * float(i);
        draw_text_in(
            scene.list, face, {{box.min.x + px(10), y}, {box.min.x + words, y + line}}, colours().ink,
            said_label(scene.session.model().files, scene.session.model().map(), word), Align::right);
        const float length = full * float(shares[word]) * rises;
        scene.list.AddRectFilled({box.min.x + words + px(8), y + line * 0.25f},
                                 {box.min.x + words + px(8) + std::max(length, px(1)), y + line * 0.75f},
                                 colours().probability, px(2));
        draw_text_in(scene.list, faces().mono_small,
                     {{box.max.x - px(56), y}, {box.max.x - px(10), y + line}}, colours().ink_soft,
                     format_fixed(double(shares[word]), 2), Align::right);
    }
}

// Pairs of numbers that are turned by their place, each a hand on a dial: from where it was to where it is.
// Which two make a pair is said by the arithmetic of a cell.
void paint_turning(CanvasScene& scene, const Card& result, std::size_t matrix, const FilmRow& row) {
    const Attention* attention = scene.session.model().map().attention_of(*result.node);
    if (!attention || result.node->inputs.empty()
        || (result.node != attention->q_rotated && result.node != attention->k_rotated))
        return;
    const Tensor &before = result.node->inputs[0]->value, &after = result.node->value;
    constexpr Index most = 6;
    std::vector<std::pair<Index, Index>> pairs;
    for (Index column = 0; column < after.columns() && Index(pairs.size()) < most; ++column) {
        const Cell cell{Index(matrix), row.row, column};
        Index other = -1;
        for (const auto& [value, cells] : cells_made_from({result.node, cell}))
            for (const MatrixCell& one : cells)
                if (value.first == result.node->inputs[0] && one.column != column) other = one.column;
        if (other > column) pairs.emplace_back(column, other);
    }
    if (pairs.empty()) return;
    const float radius = px(15), wide = radius * 2 + px(8);
    const ScreenRect m = scene.on_screen(result.matrices[matrix]);
    const float left = std::clamp(m.centre().x - wide * float(pairs.size()) / 2, scene.rect.min.x,
                                  scene.rect.max.x - wide * float(pairs.size()));
    const ScreenRect box = ScreenRect::at(left, std::max(m.min.y - wide - px(6), scene.rect.min.y + px(4)),
                                          wide * float(pairs.size()), wide);
    scene.list.AddRectFilled(box.min, box.max, with_alpha(colours().raised, 0.96f), px(6));
    const float share = eased(row.share / has_landed);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Index x = pairs[i].first, y = pairs[i].second;
        const auto angle = [&](const Tensor& of) {
            return std::atan2(of(Index(matrix), row.row, y), of(Index(matrix), row.row, x));
        };
        const float from = float(angle(before)), to = float(angle(after)), pi = std::numbers::pi_v<float>;
        const float turned = std::remainder(to - from, 2 * pi);
        const float now = from + turned * share;
        const ImVec2 centre{box.min.x + wide * (float(i) + 0.5f), box.centre().y};
        const auto tip = [&](float a) {
            return ImVec2{centre.x + radius * std::cos(a), centre.y - radius * std::sin(a)};
        };
        scene.list.AddCircle(centre, radius, colours().line, 0, px(1));
        scene.list.AddLine(centre, tip(from), colours().ink_faint, px(1));
        scene.list.PathArcTo(centre, radius * 0.6f, -from, -now);
        scene.list.PathStroke(colours().accent, 0, px(2));
        scene.list.AddLine(centre, tip(now), colours().accent, px(2.5f));
        scene.list.AddCircleFilled(tip(now), px(2.5f), colours().accent);
    }
}

// A word drops from above into its place in the list, and its number rolls in beside it.
void paint_words_falling(CanvasScene& scene, const Card& card, const CardFilm& film) {
    const std::vector<std::string>& words = words_of_card(scene.session, card);
    const Face &face = faces().strong, &digits = faces().mono_small;
    for (Index row = 0; row < card.rows() && std::size_t(row) < words.size(); ++row) {
        const double come = word_come(film, row, card.rows());
        if (come <= 0 || come >= 1) continue;
        const ScreenRect place = place_of(scene, {&card, 0, row, 0, 1});
        constexpr double dropped = 0.7; // of its time; then the number
        const float fall = float(std::min(1.0, come / dropped));
        const float y = std::lerp(scene.rect.min.y, place.centre().y, fall * fall);
        const float width = text_width(face, words[std::size_t(row)]) + px(14);
        const ScreenRect chip = ScreenRect::at(place.min.x, y - face.size * 0.8f, width, face.size * 1.6f);
        scene.list.AddRectFilled(chip.min, chip.max, colours().accent, px(5));
        draw_text_in(scene.list, face, chip, colours().on_accent, words[std::size_t(row)], Align::centre);
        if (come < dropped || scene.session.view().teaching.cover.hides(card.node->path, {0, row, 0}))
            continue;
        const std::string id = std::to_string(long(card.node->value(0, row, 0)));
        const float rolled = float((come - dropped) / (1 - dropped));
        scene.list.PushClipRect(place.min, place.max, true);
        draw_text(scene.list, digits,
                  {place.max.x - text_width(digits, id) - px(4),
                   std::lerp(place.max.y, place.centre().y - digits.size / 2, rolled)},
                  colours().accent, id);
        scene.list.PopClipRect();
    }
}

// What is chosen goes back to the entrance of those words, each into the place behind its own.
void paint_way_back(CanvasScene& scene) {
    const std::optional<WordsLoop> loop = words_loop(scene);
    const Stream* target = scene.session.model().map().target();
    if (!loop || !target || scene.session.view().teaching.cover.words) return;
    const WordsSlot *said = nullptr, *fed = nullptr;
    for (const WordsSlot& slot : scene.canvas.layout().words) {
        if (slot.is_said) said = &slot;
        if (!slot.is_said && slot.tokens == target->tokens) fed = &slot;
    }
    const std::vector<std::string>& words = scene.session.sentence().chosen_labels;
    if (!said || !fed) return;
    const std::string& word = words[loop->word];
    const float come = eased(loop->share * 1.15);
    const ScreenRect from = scene.on_screen(said->rect), to = scene.on_screen(fed->rect);
    const bool ends = loop->word + 1 == words.size(); // the end is not fed any more
    const ImVec2 a = from.centre(), b = ends ? a : ImVec2{to.centre().x, to.min.y + px(10)};
    const float side = std::max(from.max.x, to.max.x) + px(30); // around the column
    const ImVec2 place{
        std::lerp(std::lerp(a.x, side, std::min(come * 2, 1.f)), b.x, std::max(come * 2 - 1, 0.f)),
        std::lerp(a.y, b.y, come)};
    const Face& face = faces().strong;
    const float width = text_width(face, word) + px(16);
    const ScreenRect chip = ScreenRect::at(std::min(place.x - width / 2, scene.rect.max.x - width - px(4)),
                                           place.y - face.size, width, face.size * 1.6f);
    scene.list.AddRectFilled(chip.min, chip.max, colours().accent, px(5));
    draw_text_in(scene.list, face, chip, colours().on_accent, word, Align::centre);
}

void paint_gradients(CanvasScene& scene) {
    const Backward& walk = scene.session.view().backward;
    const BackwardStep& step = scene.session.backward_step();
    const Card* to = scene.canvas.layout().find(step.node);
    if (!walk.on || !to) return;
    const ScreenRect there = scene.on_screen(to->rect);
    const float come = eased(walk.share);
    for (const Node* source : step.gradients_from) {
        const Card* from = scene.canvas.layout().find(source);
        if (!from || from == to) continue;
        const ScreenRect here = scene.on_screen(from->rect);
        const bool is_right = here.centre().x >= there.centre().x;
        const ImVec2 a{is_right ? here.min.x : here.max.x, here.centre().y},
            b{is_right ? there.max.x : there.min.x, there.centre().y};
        const float reach = (b.x - a.x) * 0.5f;
        const ImVec2 end{std::lerp(a.x, b.x, come), std::lerp(a.y, b.y, come)};
        scene.list.AddBezierCubic(a, {a.x + reach * come, a.y}, {end.x - reach * come, end.y}, end,
                                  with_alpha(colours().accent, 0.6f), px(4));
        scene.list.AddCircleFilled(end, px(6), colours().accent);
    }
    scene.list.AddRect({there.min.x - px(2), there.min.y - px(2)}, {there.max.x + px(2), there.max.y + px(2)},
                       colours().accent, px(6), 0, px(2));
}

} // namespace headlight
