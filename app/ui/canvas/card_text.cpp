#include "app/ui/canvas/card_painter.h"

#include "app/ui/base/ui.h"
#include "app/ui/canvas/figure_painter.h"
#include "app/ui/changes/changes.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/text.h"
#include "app/ui/widgets/token_strip.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using namespace card_measures;

// The largest face of a few that fits into a strip.
const Face* face_for(float height) {
    const Faces& f = faces();
    for (const Face* face : {&f.strong, &f.caption})
        if (face->size + 2 <= height) return face;
    return nullptr;
}

} // namespace

const std::vector<std::string>& words_of_card(const Session& session, const Card& card) {
    static const std::vector<std::string> none;
    const Sentence& s = session.sentence();
    const Node& node = *card.node;
    if (node.is(ValueKind::choice)) return s.chosen_labels;
    const bool is_fed = card.axes.rows.tokens && &node == card.axes.rows.tokens;
    return is_fed ? labels_of(s, session.model().map(), node) : none;
}

namespace {

// The widest of the labels from `first` on, none wider than `limit`.
float widest_label(const std::vector<std::string>& labels, Index first, Index end, float limit) {
    float widest = 0;
    for (Index i = first; i < end && widest < limit; ++i)
        widest = std::max(widest, text_width(faces().caption, labels[std::size_t(i)]));
    return std::min(widest, limit);
}

// Labels of rows beside their cells, or of columns above them; at the view's edge, over the first cells in
// sight, while those begin outside of it.
struct LabelStrip {
    bool shown = false, pinned = false, level = true;
    int every = 1;             // so many-th label is written
    Index first = 0, end = 0;  // in sight
    float room = 0, until = 0; // how long a label may be; where the strip ends
    float longest = 0;         // of the columns' labels
};

LabelStrip row_strip(const CanvasScene& scene, const Card& card, std::size_t which,
                     const std::vector<std::string>& labels) {
    LabelStrip strip;
    const Face& face = faces().caption;
    const float zoom = scene.zoom(), gutter = float(row_labels * card.scale) * zoom - px(6);
    const float height = float(card.cell_height) * zoom;
    if (labels.empty() || gutter < px(26)) return strip;
    strip.every = std::max(1, int(std::ceil(face.size * 0.84f / height)));
    if (strip.every > 4 && card.kind != CardKind::weight) return strip;
    const ScreenRect m = scene.on_screen(card.matrices[which]);
    strip.first = std::max<Index>(0, Index((scene.rect.min.y - m.min.y) / height));
    strip.end = std::min<Index>(Index(labels.size()), Index((scene.rect.max.y - m.min.y) / height) + 1);
    strip.room = widest_label(labels, strip.first, strip.end, std::min(gutter, px(110)));
    strip.until = std::clamp(m.min.x - px(5), scene.rect.min.x + strip.room + px(8),
                             std::max(m.max.x, scene.rect.min.x + strip.room + px(8)));
    strip.pinned = strip.until > m.min.x;
    strip.shown = !strip.pinned || strip.until + px(20) <= m.max.x;
    return strip;
}

// Where names are pinned that would be out of sight above, or behind the canvas's tools.
float below_tools(const CanvasScene& scene) {
    return scene.rect.min.y + (has_tools(scene.session, scene.rect) ? control_height() + px(12) : 0);
}

LabelStrip column_strip(const CanvasScene& scene, const Card& card, std::size_t which,
                        const std::vector<std::string>& labels) {
    LabelStrip strip;
    const Face& face = faces().caption;
    const float zoom = scene.zoom(), zone = float(column_labels * card.scale) * zoom,
                width = float(card.cell_width) * zoom;
    if (labels.empty() || zone < face.size + px(4)) return strip;
    const ScreenRect m = scene.on_screen(card.matrices[which]);
    strip.first = std::max<Index>(0, Index((scene.rect.min.x - m.min.x) / width));
    strip.end = std::min<Index>(Index(labels.size()), Index((scene.rect.max.x - m.min.x) / width) + 1);
    const bool has_few = labels.size() < 500; // of a vocabulary only what is in sight is measured
    const Index first = has_few ? 0 : strip.first, end = has_few ? Index(labels.size()) : strip.end;
    strip.longest = widest_label(labels, first, end, std::max(zone, width));
    strip.level = strip.longest + px(6) <= width;
    const float pitch = face.size * 1.25f;
    if (!strip.level && (zone < px(26) || width * 3 < pitch)) return strip;
    strip.every = strip.level ? 1 : std::max(1, int(std::ceil(pitch / width)));
    strip.room = std::max(zone - px(8), px(20)) / 0.75f;
    const float pin = below_tools(scene);
    strip.pinned = m.min.y - face.size - px(6) < pin;
    strip.until =
        strip.pinned ? pin + (strip.level ? face.size + px(8) : std::min(zone, px(60))) : m.min.y - px(4);
    strip.shown = !strip.pinned || strip.until + px(20) <= m.max.y;
    return strip;
}

// How far labels of columns reach up from their cells: less than the room that is kept for the longest.
float column_label_reach(const LabelStrip& strip) {
    const Face& face = faces().caption;
    if (!strip.shown) return 0;
    if (strip.level) return face.size + px(6);
    return std::min(strip.longest, strip.room) * 0.75f + face.size * 0.5f + px(4);
}

// The cell that is asked about, or looked at for another reason, as it lies in this matrix.
std::optional<Cell> asked_in(const CanvasScene& scene, const Card& card, std::size_t which) {
    for (const auto* cell : {&scene.asked, &scene.hovered})
        if (*cell && (*cell)->path == card.node->path
            && (card.matrices.size() == 1 || (*cell)->cell.batch == Index(which)))
            return card.drawn((*cell)->cell);
    return {};
}

// Every so many-th label, and that of the place asked about; its neighbours make room for it.
template <typename Draw>
void each_in_sight(const LabelStrip& strip, Index from, Index asked, Draw draw) {
    const bool is_in_sight = asked >= from && asked < strip.end;
    for (Index i = from / strip.every * strip.every; i < strip.end; i += strip.every)
        if (i >= from && (!is_in_sight || std::abs(i - asked) >= strip.every)) draw(i);
    if (is_in_sight) draw(asked);
}

void paint_row_labels(CanvasScene& scene, const Card& card, std::size_t which,
                      const std::vector<std::string>& labels, const ScreenRect& free, Colour ink) {
    const LabelStrip strip = row_strip(scene, card, which, labels);
    if (!strip.shown) return;
    const Face& face = faces().caption;
    const float height = float(card.cell_height) * scene.zoom();
    const ScreenRect m = scene.on_screen(card.matrices[which]);
    const bool has_numbers = free.min.x > scene.rect.min.x + 1; // of which none lies half under a label
    if (strip.pinned && has_numbers)
        scene.list.AddRectFilled({scene.rect.min.x, std::max(m.min.y, scene.rect.min.y)},
                                 {free.min.x, std::min(m.max.y, scene.rect.max.y)}, colours().card);
    const std::optional<Cell> asked = asked_in(scene, card, which);
    const Index from = std::max(strip.first, Index(std::ceil((free.min.y - m.min.y) / height - 0.01f)));
    each_in_sight(strip, from, asked ? asked->row : -1, [&](Index row) {
        const float y = m.min.y + (float(row) + 0.5f) * height;
        const std::string& label = labels[std::size_t(row)];
        const float right = strip.until, named = std::min(text_width(face, label), strip.room);
        record_word(
            scene, card.axes.rows.tokens, row,
            ScreenRect::at(right - named - px(4), y - face.size * 0.6f, named + px(4), face.size * 1.2f));
        if (strip.pinned) {
            const float wide = std::min(text_width(face, label), strip.room);
            if (!has_numbers)
                scene.list.AddRectFilled({right - wide - px(8), y - face.size * 0.62f},
                                         {right, y + face.size * 0.62f}, with_alpha(colours().card, 0.92f),
                                         3);
            draw_text_in(scene.list, face,
                         ScreenRect::at(right - wide - px(4), y - face.size / 2, wide + 1, face.size), ink,
                         label);
        } else {
            draw_text_in(scene.list, face,
                         ScreenRect::at(right - strip.room, y - face.size / 2, strip.room, face.size), ink,
                         label, Align::right);
        }
    });
}

void paint_column_labels(CanvasScene& scene, const Card& card, std::size_t which,
                         const std::vector<std::string>& labels, const ScreenRect& free, Colour ink) {
    const LabelStrip strip = column_strip(scene, card, which, labels);
    if (!strip.shown) return;
    const Face& face = faces().caption;
    const float width = float(card.cell_width) * scene.zoom(), bottom = strip.until;
    const ScreenRect m = scene.on_screen(card.matrices[which]);
    if (strip.pinned)
        scene.list.AddRectFilled({std::max(m.min.x, scene.rect.min.x), scene.rect.min.y},
                                 {std::min(m.max.x, scene.rect.max.x), std::max(bottom + px(2), free.min.y)},
                                 free.min.y > bottom ? colours().card : with_alpha(colours().card, 0.9f));
    const std::optional<Cell> asked = asked_in(scene, card, which);
    const Index from = std::max(strip.first, Index(std::ceil((free.min.x - m.min.x) / width - 0.01f)));
    each_in_sight(strip, from, asked ? asked->column : -1, [&](Index column) {
        const float left = m.min.x + float(column) * width;
        const std::string& label = labels[std::size_t(column)];
        record_word(scene, card.axes.columns.tokens, column,
                    {{left, bottom - (strip.level ? face.size : std::min(strip.room * 0.7f, px(40)))},
                     {left + width, bottom}});
        if (strip.level)
            draw_text_in(scene.list, face, ScreenRect::at(left, bottom - face.size, width, face.size), ink,
                         label, Align::centre);
        else
            draw_turned(scene.list, face, {left + width / 2, bottom - px(2)}, turned_degrees, ink,
                        ellipsized(face, label, strip.room));
    });
}

// The tokens of a word are joined between the labels and the cells, where these can be told apart.
void paint_words(CanvasScene& scene, const Card& card, std::size_t which, const ValueLabels& labels) {
    const ScreenRect m = scene.on_screen(card.matrices[which]);
    const float height = float(card.cell_height) * scene.zoom(),
                width = float(card.cell_width) * scene.zoom();
    if (card.has_row_labels && height > px(5))
        draw_word_brackets(
            scene.list, labels.row_words, [&](std::size_t i) { return m.min.y + float(i) * height; },
            m.min.x - px(2.5f), true, colours().frame, px(1.5f));
    if (card.has_column_labels && width > px(5))
        draw_word_brackets(
            scene.list, labels.column_words, [&](std::size_t i) { return m.min.x + float(i) * width; },
            m.min.y - px(2.5f), false, colours().frame, px(1.5f));
}

void head_names(CanvasScene& scene, const Card& card, const std::vector<std::string>& columns, Colour ink) {
    if (!card.axes.per_head) return;
    const Face& face = faces().caption;
    const float strip = float(head_title * card.scale) * scene.zoom();
    if (strip < face.size * 0.85f) return;
    const Strings& s = scene.session.strings();
    const Attention* attention = scene.session.model().map().attention_of(*card.node);
    const bool can_be_silent =
        attention && (card.node == attention->weights || card.node == attention->mixed);
    for (std::size_t i = 0; i < card.matrices.size(); ++i) {
        // Close above the labels of the columns, whatever room is kept for those.
        const ScreenRect m = scene.on_screen(card.matrices[i]);
        const float kept =
            card.has_column_labels ? float(card_measures::column_labels * card.scale) * scene.zoom() : 0;
        const float reach =
            card.has_column_labels ? column_label_reach(column_strip(scene, card, i, columns)) : 0;
        const float below = std::min(reach, kept), height = std::min(strip, face.size * 1.4f);
        const ScreenRect place{{m.min.x, m.min.y - below - height}, {m.max.x, m.min.y - below}};
        if (scene.sees(place) && scene.shows(card, i)) {
            const std::string name = s.text("story.head_number", {std::to_string(i + 1)});
            const bool is_silent =
                can_be_silent && is_made(scene.session, silence_change(attention->path, Index(i)));
            draw_text_in(scene.list, face, place, is_silent ? colours().warning : ink,
                         is_silent ? name + " · " + s.text("life.silent") : name);
        }
    }
}

void axis_names(CanvasScene& scene, const Card& card, const ValueLabels& labels) {
    const Face& face = faces().caption;
    if (labels.row_axis.empty() || !card.has_column_labels) return;
    const float zoom = scene.zoom() * float(card.scale);
    if (float(row_labels) * zoom - px(6)
            < std::max(text_width(face, labels.row_axis), text_width(face, labels.column_axis))
        || float(card_measures::column_labels) * zoom < face.size * 2.1f)
        return;
    for (std::size_t i = 0; i < card.matrices.size(); ++i) {
        const ScreenRect m = scene.on_screen(card.matrices[i]);
        if (!scene.sees(m) || !scene.shows(card, i)) continue;
        const float left = m.min.x - float(card_measures::row_labels) * zoom;
        draw_text_in(scene.list, face,
                     ScreenRect::at(left, m.min.y - face.size - px(2), m.min.x - left - px(5), face.size),
                     colours().ink_faint, labels.row_axis, Align::right);
        draw_text_in(
            scene.list, face,
            ScreenRect::at(left, m.min.y - face.size * 2.1f - px(2), m.min.x - left - px(5), face.size),
            colours().ink_faint, labels.column_axis, Align::right);
    }
}

bool has_named_columns(const CanvasScene& scene, const Card& card) {
    return card.has_column_labels
           || (card.axes.columns.kind == Axis::Kind::vocabulary
               && float(card.cell_width) * scene.zoom() > faces().caption.size);
}

// The range that the colours run through, as the data have it.
void paint_legend(CanvasScene& scene, const Card& card, const CardLook& look) {
    const float strip = float(card_measures::legend * card.scale) * scene.zoom();
    const bool is_low = strip < faces().mono_small.size + px(4) && theme().presents();
    const Face& face = is_low ? faces().mono_cell : faces().mono_small;
    const bool has_colours =
        card.kind != CardKind::weight && !is_shown_as_words(card, look, scene.canvas.camera().zoom);
    if (!has_colours || strip < face.size + (is_low ? 2 : px(4))) return;
    const bool is_shared = card.matrices.size() > 1 && scene.session.view().colour_range.shared;
    const auto draw = [&](std::size_t which, const ScreenRect& under) {
        const float middle = under.max.y + strip / 2, bar = std::min(px(110), under.width() * 0.3f);
        // Where all matrices share their colours one legend speaks for all of them, to the palette's ends.
        const ValueRange whole = look.ranges[which];
        const float low = is_shared ? whole.low : look.lows[which],
                    high = is_shared ? whole.high : look.highs[which];
        const auto [from, to] = range_texts(double(low), double(high));
        const float from_width = text_width(face, from), to_width = text_width(face, to);
        if (under.width() < from_width + to_width + bar + px(20) || bar < px(20)) return;
        float x = under.min.x;
        draw_text(scene.list, face, {x, middle - face.size / 2}, colours().ink_soft, from);
        x += from_width + px(6);
        const ValueRange range = look.ranges[which];
        constexpr int steps = 16;
        for (int i = 0; i < steps; ++i) {
            const auto colour = [&](int at) {
                const float number = std::lerp(low, high, float(at) / steps);
                return theme().palette_colour(look.palette, (number - range.low) / (range.high - range.low));
            };
            const Colour a = colour(i), b = colour(i + 1);
            scene.list.AddRectFilledMultiColor({x + bar * float(i) / steps, middle - px(3)},
                                               {x + bar * float(i + 1) / steps, middle + px(3)}, a, b, b, a);
        }
        draw_text(scene.list, face, {x + bar + px(6), middle - face.size / 2}, colours().ink_soft, to);
    };
    for (std::size_t i = 0; i < card.matrices.size(); ++i) {
        const PlaneRect& m = card.matrices[i];
        const bool is_alone = Index(i) == scene.only_head && card.node == scene.session.step().node;
        const bool is_lowest = m.bottom() >= card.matrices.back().bottom() - 1;
        const bool is_first = i == 0 || card.matrices[i - 1].bottom() < m.bottom() - 1; // of its row
        const bool lowest = is_alone || (is_lowest && (is_first || !is_shared));
        const ScreenRect on_screen = scene.on_screen(m);
        if (lowest && scene.shows(card, i)
            && scene.sees({on_screen.min, {on_screen.max.x, on_screen.max.y + strip}}))
            draw(i, on_screen);
    }
}

} // namespace

ScreenRect free_of_labels(const CanvasScene& scene, const Card& card, const CardLook& look,
                          std::size_t which) {
    ScreenRect free = scene.rect;
    const float width = float(card.cell_width) * scene.zoom(),
                height = float(card.cell_height) * scene.zoom();
    if (!number_writing(width, height, look.decimals, look.ranges[which])) return free;
    const ScreenRect m = scene.on_screen(card.matrices[which]);
    const ValueLabels& labels = value_labels(scene.session, *card.node);
    const auto next_edge = [](float from, float cell, float at) {
        return from + std::ceil((at - from) / cell) * cell;
    };
    if (card.has_row_labels)
        if (const LabelStrip rows = row_strip(scene, card, which, labels.rows); rows.shown && rows.pinned)
            free.min.x = next_edge(m.min.x, width, rows.until);
    if (has_named_columns(scene, card))
        if (const LabelStrip columns = column_strip(scene, card, which, labels.columns);
            columns.shown && columns.pinned && columns.until > m.min.y)
            free.min.y = next_edge(m.min.y, height, columns.until);
    return free;
}

void paint_title(CanvasScene& scene, const Card& card, const ScreenRect& r) {
    const float strip = float(card.title.height) * scene.zoom();
    const Face* face = face_for(strip);
    if (!face || r.width() < px(36)) return;
    const CardLook& look = scene.looks.of(scene.session, card);
    const bool dim = scene.in_focus && !scene.on_stage.contains(card.node);
    // While the card is in sight its name is.
    const float top = std::min(std::max(r.min.y, below_tools(scene)), std::max(r.max.y - strip, r.min.y));
    const float shown = std::min(strip, px(44));
    const bool sticky = top > r.min.y + 1;
    const float left = std::max(r.min.x, scene.rect.min.x) + px(8);
    float right = std::min(r.max.x, scene.rect.max.x) - px(6);
    if (top < scene.tabs.max.y && top + strip > scene.tabs.min.y)
        right = std::min(right, scene.tabs.min.x - px(12));
    if (right - left < px(24)) return;
    const float wide = std::min(text_width(*face, look.name), right - left);
    const float middle = sticky ? top + face->size * 0.75f : top + strip - shown / 2;
    if (sticky && (r.height() < px(120) || r.max.y - below_tools(scene) < px(80))) return;
    if (sticky)
        scene.list.AddRectFilled({left - px(5), top}, {left + wide + px(8), top + face->size * 1.5f},
                                 with_alpha(colours().card, 0.94f), 4);
    Colour ink = look.colour.value_or(colours().ink);
    if (dim) ink = mix(ink, colours().card, 0.5f);
    draw_text_in(scene.list, *face, ScreenRect::at(left, middle - face->size / 2, wide + 1, face->size), ink,
                 look.name);
    if (sticky) return;
    float x = left + wide + px(10);
    const Face& caption = faces().caption;
    const float shape = text_width(caption, look.shape);
    if (x + shape <= right) {
        draw_text(scene.list, caption, {x, middle - face->size / 2 + ascent(*face) - ascent(caption)},
                  dim ? colours().ink_faint : colours().ink_soft, look.shape);
        x += shape + px(18);
    }
    if (card.step < 0 || strip < px(26)) return;
    // The formula with this step's own sizes where there is one, else the general one.
    const StoryStep& step = scene.session.model().story[std::size_t(card.step)];
    const Colour soft = dim ? colours().ink_faint : colours().ink_soft;
    for (const std::string* tex : {&step.sized, &step.formula}) {
        if (tex->empty()) continue;
        const std::string formula = formula_in_language(scene.session, *tex);
        const FormulaStyle style{MathSize::small, soft};
        const FormulaExtent extent = measure_formula(formula, style);
        if (x + extent.width > right || extent.height() > strip) continue;
        draw_formula(scene.list, {right - extent.width, middle + (extent.ascent - extent.descent) / 2},
                     formula, style);
        right -= extent.width + px(18);
        break;
    }
    if (!look.sum.empty() && x + text_width(caption, look.sum) <= right)
        draw_text(scene.list, caption, {x, middle - face->size / 2 + ascent(*face) - ascent(caption)}, soft,
                  look.sum);
}

void paint_words(CanvasScene& scene, const Card& card, bool dim) {
    const std::vector<std::string>& words = words_of_card(scene.session, card);
    const ScreenRect m = scene.on_screen(card.matrices.front());
    const float height = float(card.cell_height) * scene.zoom();
    const Face& face = faces().body.size + 2 <= height ? faces().body : faces().caption;
    const auto found = scene.lit.find({card.node, 0});
    const bool can_be_read = height >= faces().caption.size + 1;
    for (Index row = 0; row < card.node->value.rows(); ++row) {
        const ScreenRect line = ScreenRect::at(m.min.x, m.min.y + float(row) * height, m.width(), height);
        if (!scene.sees(line)) continue;
        const std::string word = std::size_t(row) < words.size() ? words[std::size_t(row)] : std::string();
        const MatrixCell cell{int(row), 0};
        const bool lit =
            found != scene.lit.end()
            && std::find(found->second.begin(), found->second.end(), cell) != found->second.end();
        const bool here =
            scene.hovered && scene.hovered->path == card.node->path && scene.hovered->cell.row == row;
        const bool held = scene.asked && scene.asked->path == card.node->path && scene.asked->cell.row == row;
        if (lit || here || held)
            scene.list.AddRectFilled(line.min, line.max, with_alpha(colours().accent, held ? 0.35f : 0.18f),
                                     3);
        const Colour ink = dim ? colours().ink_faint : colours().ink;
        if (!can_be_read) { // a line as long as the word
            const float length =
                std::min(m.width(), float(word.size()) * 12 * float(card.scale) * scene.zoom());
            scene.list.AddRectFilled({m.min.x, line.min.y + height * 0.3f},
                                     {m.min.x + length, line.min.y + height * 0.7f}, with_alpha(ink, 0.5f));
            continue;
        }
        const bool covered = scene.session.view().teaching.cover.hides(card.node->path, {0, row, 0});
        const std::string id = covered ? "?" : std::to_string(long(card.node->value(0, row, 0)));
        const float id_width = text_width(faces().mono_small, id);
        const ScreenRect place{line.min, {line.max.x - id_width - px(8), line.max.y}};
        draw_text_in(scene.list, face, place, ink, word);
        record_word(scene, card.axes.rows.tokens, row,
                    {place.min, {std::min(place.min.x + text_width(face, word), place.max.x), place.max.y}});
        draw_text(scene.list, faces().mono_small,
                  {line.max.x - id_width - px(4), line.centre().y - faces().mono_small.size / 2},
                  colours().ink_faint, id);
    }
    if (scene.zoom() * float(card.cell_height) >= 3)
        widgets().record_cells(card.node->path,
                               {m.min.x, m.min.y, m.width(), height, int(card.node->value.rows()), 1});
}

void paint_labels(CanvasScene& scene, const Card& card, const CardLook& look, float dimming) {
    const float row = float(card.cell_height) * scene.zoom();
    if (row < 3) return;
    const Colour ink = mix(colours().ink_soft, colours().card, dimming * 0.6f);
    const ValueLabels& labels = value_labels(scene.session, *card.node);
    head_names(scene, card, labels.columns, colours().ink_faint);
    paint_legend(scene, card, look);
    axis_names(scene, card, labels);
    for (std::size_t i = 0; i < card.matrices.size(); ++i) {
        if (!scene.shows(card, i)) continue;
        if (!scene.sees(scene.on_screen(card.matrices[i].grown(card_measures::row_labels * card.scale))))
            continue;
        const ScreenRect free = free_of_labels(scene, card, look, i);
        if (card.has_row_labels) paint_row_labels(scene, card, i, labels.rows, free, ink);
        paint_words(scene, card, i, labels);
        if (has_named_columns(scene, card)) paint_column_labels(scene, card, i, labels.columns, free, ink);
    }
}

} // namespace headlight
