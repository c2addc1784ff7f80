#include "app/ui/canvas/overlays.h"

#include "app/ui/canvas/card_painter.h"
#include "app/ui/canvas/figure_painter.h"
#include "app/ui/canvas/figure_parts.h"
#include "app/ui/widgets/drop_list.h"
#include "app/ui/widgets/menu.h"

#include <algorithm>
#include <span>

namespace headlight {

namespace {

// Of the strip at the bottom: the small map, and what is out of sight.
float dock_height(float view_height) { return std::clamp(view_height * 0.17f, px(56), px(104)); }

bool is_all_in_sight(const Canvas& canvas) {
    const PlaneRect in_sight = seen(canvas.camera(), canvas.view()), &all = canvas.layout().bounds;
    return in_sight.width >= all.width * 0.95 && in_sight.height >= all.height * 0.95;
}

// How the matrices look: where their colours end, and where the time goes.
void look_menu(const CanvasScene& scene, float right, float y, CommandSink& commands) {
    const Session& session = scene.session;
    const Strings& s = session.strings();
    const std::string& label = s.text("window.look.button");
    const float width = drop_list_width(label);
    if (right - width < scene.rect.min.x + px(270)) return;
    ImGui::SetCursorScreenPos({right - width, y});
    if (button("canvas.look", label + "  ▾", {.tooltip = s.text("window.look.tip"), .pixels = width}))
        ImGui::OpenPopup("canvas.look.menu");
    if (!ImGui::IsPopupOpen("canvas.look.menu")) return;
    const ColourRange& range = session.view().colour_range;
    MenuLine lines[] = {{"look.shared", s.text("window.range.shared")},
                        {"look.each", s.text("window.range.each")},
                        {"look.locked", s.text("window.range.locked")},
                        {"look.times", s.text("timing.button")}};
    lines[0].begins_group = true;
    lines[0].caption = s.text("window.look.colours");
    lines[0].on = !range.locked && range.shared;
    lines[1].on = !range.locked && !range.shared;
    lines[2].on = range.locked;
    lines[2].tooltip = s.text("window.range.tip");
    lines[3].begins_group = true;
    lines[3].tooltip = s.text("timing.button.tip");
    lines[3].on = is_profiled(session.view());
    const std::span<const MenuLine> offered(lines, session.view().room == Room::explore ? 4 : 3);
    const auto pressed =
        menu("canvas.look.menu", ScreenRect::at(right - width, y, width, control_height()), offered);
    if (!pressed) return;
    if (*pressed == 3) return commands.emit("profile toggle");
    commands.emit(*pressed == 2 ? "range lock" : "range follow");
    if (*pressed < 2) commands.emit(*pressed == 0 ? "range shared" : "range each");
}

// Nearer; farther and everything, back and forward, where there is somewhere to go: at the top right.
void camera_buttons(const CanvasScene& scene, const Canvas& canvas, CommandSink& commands) {
    const Strings& s = scene.session.strings();
    const float size = control_height(), gap = px(4);
    const std::string fit = s.text("window.canvas.fit");
    const float fit_width = text_width(faces().body, fit) + px(22);
    const bool has_been = canvas.can_look_back() || canvas.can_look_forward();
    const bool is_near = !is_all_in_sight(canvas);
    const float left = scene.rect.max.x - px(12) - size - (has_been ? 2 * (size + gap) : 0)
                       - (is_near ? size + fit_width + 2 * gap : 0);
    float x = left;
    const float y = scene.rect.min.y + px(10);
    scene.list.AddRectFilled({x - px(5), y - px(5)}, {scene.rect.max.x - px(7), y + size + px(5)},
                             with_alpha(colours().card, 0.93f), px(8));
    const auto next = [&](const char* name, const std::string& label, const char* tip, const char* command,
                          float width, bool enabled = true) {
        ImGui::SetCursorScreenPos({x, y});
        const ButtonOptions options{
            .tooltip = s.text(tip), .kind = ButtonKind::quiet, .enabled = enabled, .pixels = width};
        if (button(name, label, options)) commands.emit(command);
        x += width + gap;
    };
    if (has_been) {
        next("canvas.back", "←", "window.canvas.back.tip", "look back", size, canvas.can_look_back());
        next("canvas.forward", "→", "window.canvas.forward.tip", "look forward", size,
             canvas.can_look_forward());
    }
    if (is_near) {
        next("canvas.fit", fit, "window.canvas.fit.tip", "fit", fit_width);
        next("canvas.out", "−", "window.canvas.out.tip", "zoom out", size);
    }
    next("canvas.in", "+", "window.canvas.in.tip", "zoom in", size);
    look_menu(scene, left - px(14), y, commands);
}

// What is left of the strip at the bottom beside the small map.
struct BesideMap {
    float left = 0, right = 0;
};

// The whole network, and what of it is in sight: at the bottom left, and where the boxes have their names
// there at the bottom right; not at all where it would cover one. A click goes there.
BesideMap minimap(CanvasScene& scene, Canvas& canvas) {
    const BesideMap all{scene.rect.min.x, scene.rect.max.x - px(8)};
    const CanvasLayout& layout = canvas.layout();
    if (is_all_in_sight(canvas)) return all;
    const PlaneRect in_sight = seen(canvas.camera(), canvas.view());
    const float most_wide = scene.rect.width() * 0.24f;
    const float most_high = dock_height(scene.rect.height()) - px(12);
    const double scale =
        std::min(double(most_wide) / layout.bounds.width, double(most_high) / layout.bounds.height);
    const float width = float(layout.bounds.width * scale), height = float(layout.bounds.height * scale);
    const float pad = px(6);
    const bool at_right = boxes_have_names(scene);
    const ScreenRect map =
        ScreenRect::at(at_right ? scene.rect.max.x - px(10) - pad - width : scene.rect.min.x + px(10) + pad,
                       scene.rect.max.y - height - pad * 2 - px(4), width, height);
    const ScreenRect surface = map.inset(-pad);
    if (at_right && covers_name_of_box(scene, surface)) return all;
    const Pressable p = pressable("canvas.map", surface);
    scene.list.AddRectFilled(surface.min, surface.max, with_alpha(colours().card, 0.94f), px(6));
    scene.list.AddRect(surface.min, surface.max, colours().line, px(6));
    const auto place = [&](const PlaneRect& r) {
        return ScreenRect::at(map.min.x + float((r.x - layout.bounds.x) * scale),
                              map.min.y + float((r.y - layout.bounds.y) * scale), float(r.width * scale),
                              float(r.height * scale));
    };
    const long step = long(scene.session.view().step);
    for (const CanvasGroup& block : layout.blocks) {
        const ScreenRect r = place(block.rect);
        const bool here = step >= block.first && step < block.end;
        scene.list.AddRectFilled(r.min, {std::max(r.max.x, r.min.x + 1), std::max(r.max.y, r.min.y + 1)},
                                 here ? colours().accent : mix(group_colour(block), colours().ink, 0.22f));
    }
    ScreenRect r = place(in_sight).cut_to(map);
    const float least = px(5); // a place that is too small to be seen is still found
    if (r.width() < least) r.max.x = r.min.x + least;
    if (r.height() < least) r.max.y = r.min.y + least;
    scene.list.AddRect(r.min, r.max, colours().ink, 2, 0, px(1.5f));
    if (p.held) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const PlanePoint to{layout.bounds.x + double(mouse.x - map.min.x) / scale,
                            layout.bounds.y + double(mouse.y - map.min.y) / scale};
        const Camera& c = canvas.camera();
        canvas.pan((c.centre.x - to.x) * c.zoom, (c.centre.y - to.y) * c.zoom);
    }
    return at_right ? BesideMap{all.left, surface.min.x - px(8)} : BesideMap{surface.max.x, all.right};
}

// Operands of the present step that are out of sight, as thumbnails beside the map: a click goes there.
void out_of_sight(CanvasScene& scene, const BesideMap& room, CommandSink& commands) {
    if (!scene.canvas.follows_step() || scene.canvas.moving()) return;
    const float height = dock_height(scene.rect.height()), gap = px(8);
    float x = room.left + px(10);
    std::set<const Node*> shown;
    for (const Node* operand : scene.session.step().operands) {
        const Card* card = scene.canvas.layout().find(operand);
        if (!card || card->kind == CardKind::words || !shown.insert(operand).second) continue;
        const ScreenRect there = scene.on_screen(card->rect), visible = there.cut_to(scene.rect);
        const bool in_sight =
            !visible.empty() && visible.width() * visible.height() > 0.4f * there.width() * there.height();
        if (in_sight) continue;
        const CardLook& look = scene.looks.of(scene.session, *card);
        const Face& strong = faces().strong;
        const float width = std::max(px(170), text_width(strong, look.name) + px(46));
        if (x + width > room.right) break;
        const ScreenRect r = ScreenRect::at(x, scene.rect.max.y - height - px(6), width, height);
        const Pressable p = pressable(("canvas.operand." + operand->path).c_str(), r);
        scene.list.AddRectFilled(r.min, r.max,
                                 with_alpha(p.hovered ? colours().hovered : colours().card, 0.96f), px(6));
        scene.list.AddRect(r.min, r.max, with_alpha(colours().accent, 0.6f), px(6));
        const ScreenRect inner = r.inset(px(8));
        const ImVec2 from = r.centre(), to = there.centre();
        const bool sideways = std::abs(to.x - from.x) > std::abs(to.y - from.y);
        const char* arrow = sideways ? (to.x < from.x ? "←" : "→") : to.y < from.y ? "↑" : "↓";
        const ScreenRect line = ScreenRect::at(inner.min.x, inner.min.y - px(2), inner.width(), strong.size);
        draw_text_in(scene.list, strong, line, look.colour.value_or(colours().ink), look.name);
        draw_text_in(scene.list, strong, line, colours().accent, arrow, Align::right);
        paint_thumbnail(scene, *card, {{inner.min.x, line.max.y + px(5)}, inner.max});
        tooltip_when_resting("canvas.operand." + operand->path, r, p.hovered, operand->path);
        if (p.pressed) commands.emit("frame " + operand->path);
        x += width + gap;
    }
}

// Which head is in sight, where one is by itself: the others are a click away.
std::vector<std::string> names_of_tabs(const Session& session) {
    std::vector<std::string> names;
    if (session.view().head >= 0) // it was chosen, and is not alone for want of room
        names.push_back(session.strings().text("window.heads.all"));
    for (Index i = 0; i < session.step().node->value.batch(); ++i) names.push_back(std::to_string(i + 1));
    return names;
}

void head_tabs(const CanvasScene& scene, CommandSink& commands) {
    const ScreenRect& place = scene.tabs;
    if (place.empty()) return; // the keys choose
    const float pad = px(4);
    scene.list.AddRectFilled({place.min.x - pad, place.min.y - pad}, {place.max.x + pad, place.max.y + pad},
                             with_alpha(colours().card, 0.93f), px(8));
    ImGui::SetCursorScreenPos(place.min);
    const int first = scene.session.view().head >= 0 ? 1 : 0;
    int chosen = int(scene.canvas.head_on_stage()) + first;
    if (segmented("canvas.heads", names_of_tabs(scene.session), chosen,
                  scene.session.strings().text("window.heads.tip")))
        commands.emit(chosen < first ? std::string("head all") : "head " + std::to_string(chosen - first));
}

} // namespace

ViewInsets covered(const Session& session, const ScreenRect& view) {
    const bool tools = has_tools(session, view), alone = session.view().alone;
    return {double(tools ? control_height() + px(18) : px(8)),
            double(alone ? 0 : dock_height(view.height()) + px(16)),
            double(tools ? control_height() + px(12) : 0)};
}

bool has_tools(const Session& session, const ScreenRect& view) {
    return !session.view().alone && view.width() >= px(330) && view.height() >= px(400);
}

ScreenRect place_of_head_tabs(const Session& session, const Canvas& canvas, const ScreenRect& view) {
    if (!canvas.follows_step() || canvas.head_on_stage() < 0) return {};
    const float width = segmented_width(names_of_tabs(session));
    const float left = view.max.x - width - px(12);
    const float top = has_tools(session, view) ? view.max.y - control_height() - px(6) : view.min.y + px(8);
    if (left < view.min.x) return {};
    return ScreenRect::at(left, top, width, control_height());
}

void overlays(CanvasScene& scene, Canvas& canvas, CommandSink& commands) {
    // A card that needs the whole height keeps it.
    const Card* step = scene.canvas.layout().find(scene.session.step().node);
    const float dock_top = scene.rect.max.y - dock_height(scene.rect.height()) - px(8);
    const bool needed =
        scene.canvas.follows_step() && step && scene.on_screen(step->rect).max.y > dock_top + px(6);
    const bool alone = scene.session.view().alone;
    if (!needed && !alone && canvas.head_on_stage() < 0)
        out_of_sight(scene, minimap(scene, canvas), commands);
    if (has_tools(scene.session, scene.rect)) camera_buttons(scene, canvas, commands);
    head_tabs(scene, commands);
}

} // namespace headlight
