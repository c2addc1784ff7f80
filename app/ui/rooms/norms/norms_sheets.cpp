// Three matrices beside one another, of a few features: rows are words, sentence under sentence, <pad> too.
#include "app/ui/asking/asked.h"
#include "app/ui/rooms/norms/norms_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/widgets/formula.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

constexpr Index most_features = 12;

struct NormsColumn {
    const Node* node;
    std::string title, formula, text;
    float range = 1; // where its colours end
};

struct NormsLayout {
    Index samples = 0, length = 0, first = 0, features = 0;
    float labels = 0, gap = 0, cell = 0, row = 0, between = 0;
    const Face* digits = nullptr; // none: there is no room for them
    bool has_words = false;

    float column(const ScreenRect& rect, std::size_t i) const {
        return rect.min.x + labels + (float(features) * cell + gap) * float(i);
    }
};

float largest_in(const Node& node) {
    float largest = 0;
    for (Index i = 0; i < node.value.size(); ++i)
        largest = std::max(largest, std::abs(float(node.value.data()[i])));
    return largest;
}

std::array<NormsColumn, 3> columns_of(const Session& session) {
    const Strings& s = session.strings();
    const NormsShown shown = session.small_pages().norms.shown;
    const std::string at = shown == NormsShown::without ? "norms."
                           : shown == NormsShown::with  ? "norms.longer."
                                                        : "norms.change.";
    const bool is_change = shown == NormsShown::change;
    const auto column = [&](const char* value, const char* formula, const char* changed) {
        NormsColumn result;
        result.node = session.find(at + value);
        result.title = s.text(std::string("normed.") + value);
        result.formula = is_change ? changed : formula;
        result.text = s.text(std::string("normed.") + value + (is_change ? ".change" : ".text"));
        result.range = largest_in(*result.node);
        return result;
    };
    std::array<NormsColumn, 3> all = {
        column("input", "X", "\\Delta X"),
        column("layer", "\\frac{x_{ij} - \\mu_i}{\\sqrt{\\sigma_i^2 + \\epsilon}}", "\\Delta L"),
        column("batch", "\\frac{x_{ij} - \\mu_j}{\\sqrt{\\sigma_j^2 + \\epsilon}}", "\\Delta B")};
    // What is compared has one measure.
    float shared = std::max(all[1].range, all[2].range);
    if (is_change) shared = all[0].range = std::max(shared, all[0].range);
    all[1].range = all[2].range = shared;
    for (NormsColumn& one : all) one.range = std::max(one.range, 1e-30f);
    return all;
}

// How wide everything is: numbers where there is room for them.
void fit_across(NormsLayout& l, const ScreenRect& rect, Index width) {
    l.gap = px(14);
    l.labels = std::floor(std::min(rect.width() * 0.16f, px(130)));
    const float column = (rect.width() - l.labels - 2 * l.gap - px(14)) / 3; // beside a scroll bar
    const Face& face = faces().mono_small;
    const float number = text_width(face, "−0.00") + px(6);
    l.features = std::clamp<Index>(Index(column / number), 1, std::min(width, most_features));
    l.cell = std::floor(std::min(column / float(l.features), px(76)));
}

void fit_down(NormsLayout& l, float height) {
    l.between = px(8);
    const float rows = float(l.samples * l.length);
    l.row = std::clamp((height - l.between * float(l.samples)) / rows, px(6), px(30));
    l.row = std::floor(l.row * 4) / 4;
    for (const Face* face : {&faces().mono_small, &faces().mono_cell})
        if (!l.digits && l.row >= face->size * 1.1f + px(1) && l.cell >= text_width(*face, "−0.00") + px(4))
            l.digits = face;
    l.has_words = l.row >= faces().caption.size * 1.1f;
}

// At a projector the numbers come before what is said of them.
bool is_crowded(const ScreenRect& rect) { return theme().presents() && rect.height() < px(560); }

float column_headings(const ScreenRect& rect, float top, const NormsLayout& l,
                      const std::array<NormsColumn, 3>& columns) {
    const FormulaStyle style{MathSize::small, colours().ink_soft};
    const float width = float(l.features) * l.cell, title = faces().strong.size * 1.4f;
    float tallest = 0, text = 0;
    const bool has_formulas = !is_crowded(rect);
    for (const NormsColumn& one : columns) {
        if (has_formulas) tallest = std::max(tallest, measure_formula(one.formula, style).height());
        text = std::max(text, wrapped_height(faces().caption, one.text, width));
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const float x = l.column(rect, i);
        draw_label(pen(), faces().strong, ScreenRect::at(x, top, width, title), colours().ink,
                   columns[i].title);
        const FormulaExtent extent = measure_formula(columns[i].formula, style);
        const float middle = top + title + px(2) + tallest / 2;
        if (has_formulas)
            draw_formula(pen(), {x, middle - extent.height() / 2 + extent.ascent}, columns[i].formula, style);
        draw_wrapped(pen(), faces().caption, {x, top + title + tallest + px(has_formulas ? 8 : 2)}, width,
                     colours().ink_soft, columns[i].text);
    }
    return title + tallest + text + px(has_formulas ? 14 : 6);
}

// j above each column, and where the colours end.
float feature_names(const ScreenRect& rect, const NormsLayout& l, const std::array<NormsColumn, 3>& columns,
                    float y) {
    const Face& face = faces().mono_small;
    const float line = face.size * 1.4f;
    draw_label(pen(), faces().caption, ScreenRect::at(rect.min.x, y, l.labels - px(6), line),
               colours().ink_faint, "j", Align::right);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const float x = l.column(rect, i);
        for (Index f = 0; f < l.features; ++f)
            draw_text_in(pen(), face, ScreenRect::at(x + float(f) * l.cell, y, l.cell, line),
                         colours().ink_faint, std::to_string(l.first + f), Align::centre);
    }
    return line + px(2);
}

void sentence_rows(const NormsLayout& l, const ScreenRect& rect, Index sample, float y,
                   const std::array<NormsColumn, 3>& columns, const Session& session, CommandSink& commands) {
    const NormsPage& page = *session.norms();
    const NormedSentence& sentence = page.sentences[std::size_t(sample)];
    const bool is_new = sample == page.computed->samples;
    const float height = l.row * float(l.length);
    const ScreenRect names = ScreenRect::at(rect.min.x, y, l.labels - px(8), height);
    const Colour mark = is_new ? colours().warning : colours().frame;
    const float words_end = y + l.row * float(std::min(sentence.length(), l.length));
    pen().AddRectFilled({names.max.x + px(3), y}, {names.max.x + px(5), words_end}, mark, px(1));
    const std::string number = std::to_string(sample + 1);
    if (!l.has_words) { // the sentence as a whole, as much of it as has room
        const Face& face = faces().caption;
        const std::string text = number + "  " + sentence.text;
        if (wrapped_height(face, text, names.width()) <= height)
            draw_wrapped(pen(), face, names.min, names.width(), is_new ? colours().warning : colours().ink,
                         text);
        else if (height >= face.size * 1.2f)
            draw_label(pen(), face, ScreenRect::at(names.min.x, y, names.width(), face.size * 1.35f),
                       is_new ? colours().warning : colours().ink, text);
    }
    for (Index position = 0; position < l.length; ++position) {
        const float top = y + l.row * float(position);
        const bool is_padding = position >= sentence.length();
        if (is_padding) // told where there is no room for its name, too
            pen().AddRectFilled({names.max.x - px(1), top + l.row / 2 - px(0.5f)},
                                {names.max.x + px(5), top + l.row / 2 + px(1)}, colours().ink_faint);
        if (l.has_words) {
            const ScreenRect place = ScreenRect::at(names.min.x, top, names.width(), l.row);
            if (position == 0)
                draw_text_in(pen(), faces().strong, place, is_new ? colours().warning : colours().ink,
                             number);
            const ScreenRect word{{place.min.x + (position == 0 ? px(14) : 0), top}, place.max};
            draw_label(pen(), faces().caption, word,
                       is_padding ? colours().ink_faint
                       : is_new   ? colours().warning
                                  : colours().ink,
                       is_padding ? page.padding : sentence.labels[std::size_t(position)], Align::right);
        }
        const Index row = sample * l.length + position;
        for (std::size_t i = 0; i < columns.size(); ++i)
            for (Index f = 0; f < l.features; ++f) {
                const Index column = l.first + f;
                const float share =
                    float(columns[i].node->value(0, row, column)) / columns[i].range * 0.5f + 0.5f;
                const float air = l.row > px(10) ? 1.f : 0.5f;
                const ScreenRect place = ScreenRect::at(l.column(rect, i) + float(f) * l.cell + 1, top + air,
                                                        l.cell - 2, l.row - 2 * air);
                page_cell({.node = columns[i].node,
                           .row = row,
                           .column = column,
                           .rect = place,
                           .face = l.digits,
                           .surface = theme().palette_colour(Palette::diverging, std::clamp(share, 0.f, 1.f)),
                           .of = sentence.text,
                           .coloured = true},
                          session, commands);
            }
    }
}

} // namespace

Index norms_sheets(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const NormsPage& page = *session.norms();
    const NormsSetting& setting = session.small_pages().norms;
    const bool is_with = setting.shown == NormsShown::with;
    const Index width = page.computed->graph.find("norms.input")->value.columns();
    NormsLayout l;
    l.samples = is_with ? page.computed->longer_samples : page.computed->samples;
    l.length = is_with ? page.computed->longer : page.computed->length;
    fit_across(l, rect, width);
    l.first = std::min(setting.feature, width - l.features);
    // What is held is in sight.
    if (const NamedCell* held = held_on_small_page(session))
        if (held->cell.column < l.first || held->cell.column >= l.first + l.features)
            l.first = std::clamp<Index>(held->cell.column - l.features / 2, 0, width - l.features);
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    const auto number = [](Index n) { return std::to_string(n); };
    if (!is_crowded(rect)) {
        column_paragraph(column,
                         s.text("normed.of", {page.norm, number(l.samples), number(l.length), number(l.first),
                                              number(l.first + l.features - 1), number(width)}));
    }
    const std::array<NormsColumn, 3> columns = columns_of(session);
    column.y += column_headings(rect, column.y, l, columns);
    column.y += feature_names(rect, l, columns, column.y);
    const ScreenRect below{{rect.min.x, column.y}, rect.max};
    fit_down(l, below.height() - px(14));
    ScrolledColumn scrolled("normssheets", below);
    float y = scrolled.column.y;
    for (Index sample = 0; sample < l.samples; ++sample) {
        sentence_rows(l, rect, sample, y, columns, session, commands);
        y += l.row * float(l.length) + l.between;
    }
    scrolled.column.y = y;
    widgets().record("norms.sheets", below);
    return l.features;
}

} // namespace headlight
