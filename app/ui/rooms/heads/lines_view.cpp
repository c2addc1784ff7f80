#include "app/ui/rooms/heads/heads_data.h"

#include "app/ui/widgets/heatmap.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr Real too_thin = Real(0.015); // to be seen

struct Columns {
    const Face& face;
    float line, top;             // height of a word; top of the first
    float left_end, right_begin; // between them the lines
    ScreenRect rect;

    ScreenRect word(bool at_left, Index place) const {
        const float y = top + float(place) * line;
        return at_left ? ScreenRect{{rect.min.x, y}, {left_end, y + line}}
                       : ScreenRect{{right_begin, y}, {rect.max.x, y + line}};
    }
};

Real weight_of(const LinesView& view, Index query, Index key) {
    return view.weights[std::size_t(query) * view.keys.size() + std::size_t(key)];
}

void draw_lines(const LinesView& view, const Columns& columns, const std::optional<HeldWord>& only) {
    for (Index q = 0; q < Index(view.queries.size()); ++q)
        for (Index k = 0; k < Index(view.keys.size()); ++k) {
            if (only && (only->is_key ? k : q) != only->place) continue;
            const Real weight = weight_of(view, q, k);
            if (!(weight > too_thin)) continue;
            const Index left = view.transposed ? k : q, right = view.transposed ? q : k;
            const float share = std::min(float(weight), 1.f);
            pen().AddLine(
                {columns.left_end + px(4), columns.word(true, left).centre().y},
                {columns.right_begin - px(4), columns.word(false, right).centre().y},
                with_alpha(colours().probability, only ? 0.35f + 0.65f * share : 0.12f + 0.7f * share),
                std::max(1.f, share * px(7)));
        }
}

void draw_words(const LinesView& view, const Columns& columns, const std::optional<HeldWord>& only) {
    for (const bool is_key : {false, true}) {
        const auto& words = is_key ? view.keys : view.queries;
        const bool at_left = is_key == view.transposed;
        for (Index i = 0; i < Index(words.size()); ++i) {
            const ScreenRect r = columns.word(at_left, i);
            const bool chosen = only && *only == HeldWord{is_key, i};
            if (only && only->is_key != is_key) { // tinted by the chosen word's attention
                const Real weight =
                    is_key ? weight_of(view, only->place, i) : weight_of(view, i, only->place);
                if (weight > 0)
                    pen().AddRectFilled(
                        r.min, r.max, with_alpha(colours().probability, 0.75f * std::min(float(weight), 1.f)),
                        px(4));
            }
            if (chosen) pen().AddRectFilled(r.min, r.max, colours().accent_soft, px(4));
            const ScreenRect inner{{r.min.x + px(6), r.min.y}, {r.max.x - px(6), r.max.y}};
            draw_label(pen(), chosen && &columns.face == &faces().body ? faces().strong : columns.face, inner,
                       chosen ? colours().accent : colours().ink, words[std::size_t(i)],
                       at_left ? Align::right : Align::left);
        }
    }
}

} // namespace

std::optional<HeldWord> lines_view(const LinesView& view, const ScreenRect& rect) {
    const float title = faces().caption.size * 1.6f, usual = faces().body.size * 1.45f;
    // On a large screen as far apart as the rows of the map beside them.
    const float roomy =
        growth_in(rect.height()) > 1 ? std::max(usual, largest_cell_in(rect.height())) : usual;
    const float count = float(std::max(view.queries.size(), view.keys.size()));
    // Nearer to one another, and smaller, before they have to be scrolled to.
    const float line =
        std::clamp(std::floor((rect.height() - title) / count), faces().caption.size * 1.2f, roomy);
    const Face& face = line < faces().body.size * 1.25f ? faces().caption : faces().body;
    float widest = px(60);
    for (const auto& words : {view.queries, view.keys})
        for (const std::string& word : words) widest = std::max(widest, text_width(faces().strong, word));
    widest = std::min(widest + px(14), rect.width() * 0.36f);

    const std::string &left_title = view.transposed ? view.key_title : view.query_title,
                      &right_title = view.transposed ? view.query_title : view.key_title;
    const ScreenRect titles{rect.min, {rect.max.x - ImGui::GetStyle().ScrollbarSize, rect.min.y + title}};
    draw_label(pen(), faces().caption, {titles.min, {titles.centre().x, titles.max.y}}, colours().ink_faint,
               left_title);
    draw_label(pen(), faces().caption, {{titles.centre().x, titles.min.y}, titles.max}, colours().ink_faint,
               right_title, Align::right);

    const ScreenRect body{{rect.min.x, rect.min.y + title}, rect.max};
    ImGui::SetCursorScreenPos(body.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild(view.name, {body.width(), body.height()}, false, ImGuiWindowFlags_NoBackground);
    const float right = body.max.x - ImGui::GetStyle().ScrollbarSize;
    // Whatever word is held is in sight at first.
    if (view.held && ImGui::IsWindowAppearing())
        ImGui::SetScrollY((float(view.held->place) + 0.5f) * line - body.height() / 2);
    const Columns columns{face,
                          line,
                          body.min.y - ImGui::GetScrollY(),
                          body.min.x + widest,
                          right - widest,
                          {body.min, {right, body.max.y}}};
    std::optional<HeldWord> pressed, hovered;
    for (const bool is_key : {false, true}) {
        const Index number = Index((is_key ? view.keys : view.queries).size());
        for (Index i = 0; i < number; ++i) {
            const std::string name =
                std::string(view.name) + (is_key ? ".key." : ".query.") + std::to_string(i);
            const Pressable p = pressable(name.c_str(), columns.word(is_key == view.transposed, i));
            if (p.hovered) hovered = HeldWord{is_key, i};
            if (p.pressed) pressed = HeldWord{is_key, i};
        }
    }
    std::optional<HeldWord> only = hovered ? hovered : view.held;
    if (only && only->place >= Index((only->is_key ? view.keys : view.queries).size())) only.reset();
    draw_lines(view, columns, only);
    draw_words(view, columns, only);
    ImGui::SetCursorScreenPos({body.min.x, columns.top + line * count});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
    ImGui::PopStyleVar();
    widgets().record(view.name, rect);
    return pressed;
}

} // namespace headlight
