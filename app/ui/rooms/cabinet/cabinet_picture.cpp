#include "app/ui/rooms/cabinet/cabinet_parts.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

constexpr double cabinet_reach = 3; // of the plane, from its middle to its edge

// The note of which W_Q makes this query; none where W_Q cannot be turned back.
std::optional<std::array<double, 2>> note_for(const std::array<double, 4>& w, double qx, double qy) {
    const double det = w[0] * w[3] - w[1] * w[2];
    if (std::abs(det) < 0.02) return {};
    return std::array<double, 2>{(qx * w[3] - qy * w[2]) / det, (qy * w[0] - qx * w[1]) / det};
}

} // namespace

void cabinet_plane(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const FilingCabinet& cabinet = *session.small_pages().filing_cabinet;
    const Tensor &keys = cabinet_node(session, "keys").value, &q = cabinet_node(session, "query").value;
    const PlaneView plane{rect.centre(), std::min(rect.width(), rect.height()) / 2 / float(cabinet_reach)};
    pen().AddRectFilled(rect.min, rect.max, colours().window, px(8));
    widgets().record("cabinet.plane", rect);
    pen().PushClipRect(rect.min, rect.max, true);
    for (const double line : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
        const Colour colour = with_alpha(colours().line, line == 0 ? 1.f : 0.45f);
        pen().AddLine({plane.at(line, 0).x, rect.min.y}, {plane.at(line, 0).x, rect.max.y}, colour);
        pen().AddLine({rect.min.x, plane.at(0, line).y}, {rect.max.x, plane.at(0, line).y}, colour);
    }
    // Longer than the plane, the query is cut at its edge.
    const double x = double(q(0, 0, 0)), y = double(q(0, 0, 1));
    const double within = std::min(1.0, (cabinet_reach - 0.2) / std::max({std::abs(x), std::abs(y), 1e-9}));
    const ImVec2 tip = plane.at(x * within, y * within);
    pen().AddLine(plane.origin, tip, colours().query, px(2.5f));
    const float grip = px(12);
    const Pressable p =
        pressable("cabinet.grip", ScreenRect::at(tip.x - grip, tip.y - grip, 2 * grip, 2 * grip));
    pen().AddCircleFilled(tip, px(6), colours().query, 20);
    if (p.hovered || p.held) pen().AddCircle(tip, grip, with_alpha(colours().query, 0.7f), 24, px(1.5f));
    std::vector<ScreenRect> taken = {ScreenRect::at(tip.x - grip, tip.y - grip, 2 * grip, 2 * grip)};
    const auto place = [&](Index folder) {
        return plane.at(double(keys(0, folder, 0)), double(keys(0, folder, 1)));
    };
    const auto radius = [&](Index folder) {
        return px(9) * std::sqrt(std::max(float(cabinet.weight(folder)), 0.08f));
    };
    for (Index folder = 0; folder < 4; ++folder) {
        const float r = radius(folder) + px(2);
        taken.push_back(ScreenRect::at(place(folder).x - r, place(folder).y - r, 2 * r, 2 * r));
    }
    for (Index folder = 0; folder < 4; ++folder) {
        pen().AddCircleFilled(place(folder), radius(folder), colours().key, 20);
        const std::string& name = cabinet.folders[std::size_t(folder)];
        const ImVec2 size{text_width(faces().caption, name), faces().caption.size};
        const ScreenRect label = free_place(taken, place(folder), size, rect, radius(folder) + px(3));
        if (const auto line = leader(label, place(folder), radius(folder) + px(3)))
            pen().AddLine((*line)[0], (*line)[1], with_alpha(colours().key, 0.6f), px(1));
        draw_text(pen(), faces().caption, label.min, colours().key, name);
        taken.push_back(label.inset(px(2)));
    }
    pen().PopClipRect();
    const ImVec2 mouse = ImGui::GetIO().MousePos, delta = ImGui::GetIO().MouseDelta;
    if (!p.held || !ImGui::IsMouseDragging(0, px(2)) || (delta.x == 0 && delta.y == 0)) return;
    const auto limited = [](double number, double most) {
        return std::clamp(std::round(number * 100) / 100, -most, most);
    };
    const double there_x = limited((mouse.x - plane.origin.x) / plane.unit, cabinet_reach - 0.1),
                 there_y = limited((plane.origin.y - mouse.y) / plane.unit, cabinet_reach - 0.1);
    if (const auto note = note_for(session.small_pages().cabinet.w_q, there_x, there_y))
        commands.emit("drag cabinet note " + std::to_string(limited((*note)[0], 10)) + " "
                      + std::to_string(limited((*note)[1], 10)));
}

// From left to right as attention goes: the note and its query; drawers with a label, a score, a share and
// their contents; and what is taken of each, as wide as its share, until it is one.

const Node& cabinet_node(const Session& session, const char* name) {
    return *session.small_pages().filing_cabinet->graph.find(std::string("cabinet.") + name);
}

namespace {

// Where everything stands; all numbers are of one size. Where a line is too short for them a drawer has two:
// label and score, share and contents.
struct CabinetLayout {
    const Face* face = nullptr;
    ImVec2 cell;
    bool stacked = false;
    float gap = 0, label = 0, header = 0, row = 0;
    float note = 0, start = 0, keys = 0, scores = 0, weights = 0, weights_width = 0, values = 0, end = 0;
    float blend = 0;
    ScreenRect rect;

    float top(Index folder) const { return rect.min.y + header + row * float(folder); }
    float middle(Index folder) const { return top(folder) + row / 2; }
    float centre() const { return rect.min.y + header + row * 2; }
    float line(Index folder, int which) const { // where its cells begin
        const float apart = caption() + cell.y;
        return stacked ? middle(folder) + caption() / 2 - cell.y / 2 + (float(which) - 0.5f) * apart
                       : middle(folder) - cell.y / 2;
    }
    float caption() const { return std::ceil(faces().caption.size * 1.35f); }
};

float cell_width(const Face& face) { return std::ceil(text_width(face, "−0.00") + px(8)); }

CabinetLayout layout_of(const ScreenRect& rect, const FilingCabinet& cabinet) {
    CabinetLayout l;
    l.rect = rect;
    l.gap = px(theme().presents() || rect.width() < px(600) ? 8 : 14);
    for (const std::string& folder : cabinet.folders)
        l.label = std::max(l.label, text_width(faces().strong, folder) + px(10));
    // On a large screen all of it is larger.
    const float growth =
        std::clamp(std::min(growth_in(rect.height()), rect.width() / px(1060)), 1.f, greatest_growth);
    // Ten cells in a line, seven gaps; bars, bands and what leads to the drawers are as wide as there is
    // room.
    const auto rest = [&](const Face& face) {
        return rect.width() - 10 * cell_width(face) * growth - l.label - 7 * l.gap;
    };
    l.face = rest(faces().mono) > px(200) ? &faces().mono : &faces().mono_small;
    const auto height = [&] { return std::ceil((l.face->size + px(theme().presents() ? 5 : 9)) * growth); };
    const float two_lines = 2 * (l.caption() + height()) + px(12);
    l.stacked = rest(*l.face) < px(60) && rect.height() >= 4 * two_lines;
    if (!l.stacked && rest(*l.face) < px(40)) l.face = &faces().mono_cell;
    l.cell = {std::ceil(cell_width(*l.face) * growth), height()};
    l.header = l.stacked ? 0 : l.caption();
    l.row = std::clamp((rect.height() - l.header) / 4, l.cell.y + px(6), px(96) * growth);
    if (l.stacked) l.row = std::min(l.row, two_lines + px(10));
    l.note = rect.min.x;
    if (l.stacked) {
        const float spare =
            std::max(rect.width() - 6 * l.cell.x - l.label - 5 * l.gap, px(20)); // for ways and bands
        l.start = l.note + 2 * l.cell.x + l.gap + spare * 0.35f;
        l.keys = l.start + l.gap + l.label;
        l.scores = l.keys + 2 * l.cell.x + l.gap;
        l.values = l.scores - 2 * l.cell.x;
        l.weights = l.start + l.gap;
        l.weights_width = l.values - l.gap - l.weights;
        l.end = l.scores + l.cell.x + l.gap;
        l.blend = rect.max.x - l.cell.x - px(3);
        return l;
    }
    const float spare = std::max(rest(*l.face), px(20));
    const float bands = std::min(spare * 0.5f, px(190) * growth),
                bars = std::min(spare * 0.25f, px(110) * growth),
                before = std::min(spare - bands - bars, px(110) * growth);
    l.start = l.note + 2 * l.cell.x + l.gap + before;
    l.keys = l.start + l.gap + l.label;
    l.scores = l.keys + 2 * l.cell.x + l.gap;
    l.weights = l.scores + l.cell.x + l.gap;
    l.weights_width = l.cell.x + bars;
    l.values = l.weights + l.weights_width + l.gap;
    l.end = l.values + 3 * l.cell.x + l.gap;
    l.blend = l.end + bands;
    return l;
}

void picture_caption(float x, float y, float width, Colour colour, const std::string& text,
                     Align align = Align::left) {
    draw_label(pen(), faces().caption, ScreenRect::at(x, y, width, faces().caption.size * 1.35f), colour,
               text, align);
}

// x, W_Q and q = x W_Q, one under another beside the middle of the drawers.
float note_part(const CabinetLayout& l, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const FilingCabinet& cabinet = *session.small_pages().filing_cabinet;
    const float line = faces().caption.size * 1.4f, between = px(theme().presents() ? 3 : 8);
    const float height = 3 * line + 4 * l.cell.y + 2 * between;
    const float width = 2 * l.cell.x;
    float y = std::max(l.rect.min.y, l.centre() - height + l.cell.y / 2); // the query in the middle
    const auto value = [&](const char* node, Colour colour, const std::string& text) {
        const Node& shown = cabinet_node(session, node);
        picture_caption(l.note, y, l.start - l.note - px(4), colour, text);
        y += line;
        page_cells(shown, {l.note, y}, l.cell, *l.face, session, commands);
        y += float(shown.value.rows()) * l.cell.y + between;
    };
    value("note", colours().ink_soft,
          s.text(theme().presents() ? "filing.note.short" : "filing.note", {cabinet.query_word}));
    value("w_q", colours().query, "W_Q");
    value("query", colours().query, s.text("filing.query"));
    widgets().record("cabinet.note", {{l.note, y - height}, {l.note + width, y}});
    return y - between - l.cell.y / 2; // where the query looks from
}

void look_from(const CabinetLayout& l, float y, const Session& session) {
    const FilingCabinet& cabinet = *session.small_pages().filing_cabinet;
    for (Index folder = 0; folder < 4; ++folder) {
        const bool covered = is_covered(session, cabinet_node(session, "weights"), 0, folder);
        const float share = covered ? 0.25f : float(cabinet.weight(folder));
        const ImVec2 from{l.note + 2 * l.cell.x + px(3), y}, to{l.start - px(3), l.middle(folder)};
        const float bend = (to.x - from.x) * 0.5f;
        pen().AddBezierCubic(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to,
                             with_alpha(colours().query, 0.25f + 0.7f * share), px(1.f + 2 * share));
    }
}

void drawer(const CabinetLayout& l, Index folder, const Session& session, CommandSink& commands) {
    const FilingCabinet& cabinet = *session.small_pages().filing_cabinet;
    const float inset = px(3), share = float(cabinet.weight(folder));
    const bool wanted = folder == session.small_pages().cabinet.wanted;
    const ScreenRect front{{l.start, l.top(folder) + inset}, {l.end - px(2), l.top(folder) + l.row - inset}};
    pen().AddRectFilled(front.min, front.max, colours().raised, px(6));
    pen().AddRect(front.min, front.max, wanted ? colours().accent : colours().line, px(6), 0,
                  wanted ? px(2) : 1);
    if (!l.stacked && l.row > l.cell.y + px(30)) // a handle
        pen().AddRectFilled({front.centre().x - px(22), front.max.y - px(9)},
                            {front.centre().x + px(22), front.max.y - px(6)}, colours().frame, px(2));
    draw_text_in(pen(), faces().strong, ScreenRect::at(l.start + px(8), l.line(folder, 0), l.label, l.cell.y),
                 colours().key, cabinet.folders[std::size_t(folder)]);
    const auto cells = [&](const char* name, float x, int line, Index row, Index first, Index count) {
        for (Index c = 0; c < count; ++c)
            page_cell({&cabinet_node(session, name), row, first + c,
                       ScreenRect::at(x + float(c) * l.cell.x + 1, l.line(folder, line) + 1, l.cell.x - 2,
                                      l.cell.y - 2),
                       l.face, colours().window},
                      session, commands);
    };
    cells("keys", l.keys, 0, folder, 0, 2);
    cells("scores", l.scores, 0, 0, folder, 1);
    cells("values", l.values, 1, folder, 0, 3);
    // The share as a bar, its number on it.
    const ScreenRect bar = ScreenRect::at(l.weights, l.line(folder, 1) + 1, l.weights_width, l.cell.y - 2);
    pen().AddRectFilled(bar.min, bar.max, colours().window, px(4));
    if (!is_covered(session, cabinet_node(session, "weights"), 0, folder))
        pen().AddRectFilled(bar.min, {bar.min.x + bar.width() * share, bar.max.y},
                            with_alpha(colours().probability, 0.45f), px(4));
    page_cell({&cabinet_node(session, "weights"), 0, folder, bar, l.face}, session, commands);
}

// Above the first drawer's numbers, which are those of all.
void captions(const CabinetLayout& l, const Session& session) {
    const Strings& s = session.strings();
    const auto above = [&](int line) { return l.stacked ? l.line(0, line) - l.caption() : l.rect.min.y; };
    const char* form = theme().presents() ? ".short" : "";
    picture_caption(l.keys, above(0), l.scores - l.keys - px(4), colours().key,
                    s.text(std::string("filing.key") + form));
    picture_caption(l.scores, above(0), l.cell.x + l.gap - px(2), colours().ink_soft, "q·k");
    picture_caption(l.weights, above(1), l.weights_width, colours().probability, s.text("filing.share"));
    picture_caption(l.values, above(1), l.end - l.values, colours().value,
                    s.text(std::string("filing.value") + form));
}

// What is taken of each drawer: as high as its share, from the drawer to its part of the blend.
void bands(const CabinetLayout& l, const Session& session) {
    const FilingCabinet& cabinet = *session.small_pages().filing_cabinet;
    const float whole = std::min(l.row * 0.9f, 3 * l.cell.y);
    float end = l.centre() - whole / 2;
    for (Index folder = 0; folder < 4; ++folder) {
        if (is_covered(session, cabinet_node(session, "weights"), 0, folder)) continue; // it would tell
        const float height = whole * float(cabinet.weight(folder));
        const float start = l.middle(folder) - height / 2, from = l.end, to = l.blend - px(4);
        constexpr int parts = 32;
        const auto at = [&](int i) {
            const float t = float(i) / parts, ease = t * t * (3 - 2 * t);
            return ImVec2{std::lerp(from, to, t), std::lerp(start, end, ease)};
        };
        const ImDrawListFlags smooth = pen().Flags; // seams of its parts would show
        pen().Flags &= ~ImDrawListFlags_AntiAliasedFill;
        for (int i = 0; i < parts; ++i) {
            const ImVec2 a = at(i), b = at(i + 1);
            pen().AddQuadFilled(a, b, {b.x, b.y + std::max(height, 1.f)}, {a.x, a.y + std::max(height, 1.f)},
                                with_alpha(colours().value, 0.28f + 0.12f * float(folder % 2)));
        }
        pen().Flags = smooth;
        end += height;
    }
}

void blend_part(const CabinetLayout& l, const Session& session, CommandSink& commands) {
    const Node& output = cabinet_node(session, "output");
    const float top = l.centre() - 1.5f * l.cell.y;
    picture_caption(l.end + px(6), top - l.caption() - px(2), l.blend + l.cell.x - l.end - px(6),
                    colours().value, session.strings().text("filing.blend"), Align::right);
    for (Index c = 0; c < 3; ++c)
        page_cell({&output, 0, c,
                   ScreenRect::at(l.blend + 1, top + float(c) * l.cell.y + 1, l.cell.x - 2, l.cell.y - 2),
                   l.face, colours().window},
                  session, commands);
    pen().AddRect({l.blend - px(2), top - px(2)}, {l.blend + l.cell.x + px(2), top + 3 * l.cell.y + px(2)},
                  colours().value, px(5), 0, px(1.5f));
    widgets().record("cabinet.blend", ScreenRect::at(l.blend, top, l.cell.x, 3 * l.cell.y));
}

} // namespace

void cabinet_picture(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const CabinetLayout l = layout_of(rect, *session.small_pages().filing_cabinet);
    bands(l, session);
    for (Index folder = 0; folder < 4; ++folder) drawer(l, folder, session, commands);
    captions(l, session);
    look_from(l, note_part(l, session, commands), session);
    blend_part(l, session, commands);
    widgets().record("cabinet.drawers", {{l.start, l.top(0)}, {l.end, l.top(4)}});
}

std::string cabinet_formula() {
    return "y = \\mathrm{softmax}\\left(\\color{query}{x W^Q}\\,\\color{key}{K}^T\\right)\\color{value}{V}";
}

} // namespace headlight
