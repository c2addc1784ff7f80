#include "app/ui/asking/number_flow.h"

#include "app/ui/asking/asked.h"
#include "app/ui/values/value_view.h"

#include <algorithm>
#include <string>
#include <vector>

namespace headlight {

namespace {

// What is never broken: a number, or signs between two numbers with the blank that ends them.
struct Atom {
    std::string_view text;
    const NumberLink* link = nullptr;
    ImVec2 place; // from the top left corner
    float width = 0;
};

float line_height(const Face& face) { return face.size * 1.4f; }

// A number leads to its own explanation where the window shows its like: the value, or the gradient.
bool can_follow(const Session& session, const NumberLink& link) {
    return link.cell.gradient == session.shows_gradient(*link.cell.node);
}

std::vector<Atom> laid_out(const NumberFlow& flow, float width) {
    std::vector<Atom> atoms;
    const auto add = [&](std::size_t begin, std::size_t end, const NumberLink* link) {
        if (end > begin) atoms.push_back({flow.text.substr(begin, end - begin), link, {}, 0});
    };
    const auto add_plain = [&](std::size_t begin, std::size_t end) {
        while (begin < end) {
            const std::size_t blank = std::min(flow.text.find(' ', begin), end - 1);
            add(begin, blank + 1, nullptr);
            begin = blank + 1;
        }
    };
    std::size_t at = 0;
    for (const NumberLink& link : flow.links) {
        if (link.begin < at) continue;
        add_plain(at, link.begin);
        add(link.begin, link.end, &link);
        at = link.end;
    }
    add_plain(at, flow.text.size());

    ImVec2 pen{0, 0};
    for (Atom& atom : atoms) {
        atom.width = text_width(*flow.face, atom.text);
        std::string_view ink = atom.text;
        if (ink.ends_with(' ')) ink.remove_suffix(1); // a blank at the end of a line takes no room
        if (pen.x > 0 && pen.x + text_width(*flow.face, ink) > width) {
            pen.x = 0;
            pen.y += line_height(*flow.face);
        }
        atom.place = pen;
        pen.x += atom.width;
    }
    return atoms;
}

float height_of(const NumberFlow& flow, const std::vector<Atom>& atoms) {
    return (atoms.empty() ? 0 : atoms.back().place.y) + line_height(*flow.face);
}

} // namespace

float number_flow_height(const NumberFlow& flow, float width) {
    return height_of(flow, laid_out(flow, width));
}

NumberFlowResult draw_number_flow(const NumberFlow& flow, ImVec2 top_left, float width,
                                  const Session& session, CommandSink& commands) {
    const std::vector<Atom> atoms = laid_out(flow, width);
    NumberFlowResult result{height_of(flow, atoms), {}};
    int count = 0;
    for (const Atom& atom : atoms) {
        const ScreenRect rect = ScreenRect::at(top_left.x + atom.place.x, top_left.y + atom.place.y,
                                               atom.width, line_height(*flow.face));
        Colour ink = colours().ink_soft;
        if (atom.link && atom.link->cell.node) {
            const Node& node = *atom.link->cell.node;
            const NamedCell there{node.path, atom.link->cell.cell};
            const std::string name = std::string(flow.name) + "." + std::to_string(count++);
            const Pressable p = pressable(name.c_str(), rect);
            const bool leads_on = can_follow(session, *atom.link);
            ink = value_colour(node).value_or(colours().ink);
            if (p.hovered) {
                result.hinted = there;
                pen().AddRectFilled({rect.min.x - px(2), rect.min.y}, {rect.max.x + px(2), rect.max.y},
                                    colours().accent_soft, px(4));
                if (leads_on)
                    pen().AddLine({rect.min.x, rect.max.y - px(2)}, {rect.max.x, rect.max.y - px(2)},
                                  colours().accent, px(1));
                tooltip_when_resting(name, rect, true,
                                     value_title(session, node, there.cell.batch, atom.link->cell.gradient)
                                         + "  ·  " + cell_place(session, node, there.cell));
            }
            if (p.pressed && leads_on) commands.emit(select_command(there));
        }
        draw_text_in(pen(), *flow.face, {rect.min, {rect.max.x + 1, rect.max.y}}, ink, atom.text);
    }
    return result;
}

} // namespace headlight
