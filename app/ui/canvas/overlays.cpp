#include "app/session/sentence.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"
#include "app/ui/canvas/figure_painter.h"
#include "app/ui/canvas/film_painter.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

namespace {

// The largest face that a strip has room for; null when even the smallest is too large.
const Face* title_face(float strip) {
    const Faces& f = faces();
    for (const Face* face : {&f.title, &f.heading, &f.strong, &f.caption})
        if (face->size * 1.05f <= strip) return face;
    return nullptr;
}

// Shown are the lines of the present step, and those of what is pointed at.
bool is_shown(const CanvasScene& scene, const Connection& line) {
    const auto& cards = scene.canvas.layout().cards;
    const Node *to = cards[line.to].node, *from = cards[line.from].node;
    const auto is = [&](const std::optional<NamedCell>& which) {
        return which && (which->path == to->path || which->path == from->path);
    };
    return (scene.in_focus && scene.session.step().node == to) || is(scene.hovered) || is(scene.asked);
}

} // namespace

void paint_frames(CanvasScene& scene) {
    for (const CanvasGroup& block : scene.canvas.layout().blocks) {
        const ScreenRect r = scene.on_screen(block.rect);
        if (!scene.sees(r)) continue;
        const bool here = holds_step(scene.session, block);
        const float round = std::min(px(8), r.height() * 0.1f);
        scene.list.AddRectFilled(r.min, r.max, mix(group_colour(block), colours().window, 0.55f), round);
        scene.list.AddRect(r.min, r.max, here ? colours().accent : colours().frame, round);
    }
}

void paint_connections(CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    const float thickness = px(2), head = px(7);
    const Colour colour = colours().accent;
    std::vector<ImVec2> points;
    for (const Connection& line : layout.connections) {
        if (!is_shown(scene, line)) continue;
        points.clear();
        for (const PlanePoint& p : line.points) points.push_back(scene.on_screen(p));
        scene.list.AddPolyline(points.data(), int(points.size()), colour, 0, thickness);
        const ImVec2 end = points.back();
        scene.list.AddTriangleFilled(end, {end.x - head, end.y - head * 0.55f},
                                     {end.x - head, end.y + head * 0.55f}, colour);
    }
}

void paint_frame_titles(CanvasScene& scene) {
    if (boxes_have_names(scene)) return; // they are called once
    for (const CanvasGroup& block : scene.canvas.layout().blocks) {
        const ScreenRect strip = scene.on_screen(block.title), whole = scene.on_screen(block.rect);
        const Face* face = title_face(strip.height());
        if (!face || !scene.sees(whole)) continue;
        std::string text = group_title(scene.session, block);
        if (block.layer >= 0)
            text = scene.session.strings().text("story.layer_number", {std::to_string(block.layer + 1)})
                   + "  ·  " + text;
        // While the box is in sight its name is.
        const float pad = std::min(px(12), strip.height() * 0.4f);
        const float left = std::max(strip.min.x, scene.rect.min.x) + pad;
        const float right = std::min(strip.max.x, scene.rect.max.x) - pad;
        // Not half under what floats at the top.
        const float tools = scene.rect.min.y + float(covered(scene.session, scene.rect).top) - px(6);
        const bool is_behind = strip.centre().y - face->size / 2 < tools && strip.max.y > scene.rect.min.y;
        const float top = is_behind ? std::max(strip.min.y, tools) : strip.min.y;
        if (strip.max.y - top < face->size * 0.95f) continue;
        const float width = text_width(*face, text);
        if (right - left <= width || !scene.sees(strip)) continue;
        ScreenRect place{{left, top}, {left + width + 1, strip.max.y}};
        // Not on a picture: beside it, where that leaves room.
        if (const std::optional<ScreenRect> picture = picture_under(scene, place)) {
            const float middle =
                std::clamp(picture->centre().y, whole.min.y + face->size, whole.max.y - face->size);
            place = ScreenRect::at(left, middle - face->size * 0.6f, width + 1, face->size * 1.2f);
            if (place.max.x > picture->min.x - px(4)) continue;
        }
        draw_text_in(scene.list, *face, place,
                     holds_step(scene.session, block) ? colours().accent : colours().ink, text);
        scene.titles.push_back(place);
        widgets().record("title." + std::to_string(block.first), place);
    }
}

namespace {

constexpr Index words_shown = 5;
constexpr double told_apart = 9; // columns so wide are a matrix

using TopWords = std::array<Index, words_shown>;

// The words of a row by their probability, the most probable first: looked for once in every forward pass.
struct WordsState {
    std::string path;
    unsigned long version = 0;
    std::vector<std::optional<TopWords>> rows;
};

TopWords top_words(const Session& session, const Node& node, Index row) {
    WordsState& state = ui().state<WordsState>();
    const unsigned long version = session.version_of(node.path);
    if (state.path != node.path || state.version != version || Index(state.rows.size()) != node.value.rows())
        state = {node.path, version, std::vector<std::optional<TopWords>>(std::size_t(node.value.rows()))};
    std::optional<TopWords>& top = state.rows[std::size_t(row)];
    if (top) return *top;
    const Real* probabilities = node.value.row(0, row);
    std::vector<Index> order(std::size_t(node.value.columns()));
    std::iota(order.begin(), order.end(), Index(0));
    std::partial_sort(order.begin(), order.begin() + words_shown, order.end(),
                      [&](Index a, Index b) { return probabilities[a] > probabilities[b]; });
    top.emplace();
    std::copy_n(order.begin(), words_shown, top->begin());
    return *top;
}

} // namespace

bool is_shown_as_words(const Card& card, const CardLook& look, double zoom) {
    return look.palette == Palette::sequential && card.axes.columns.kind == Axis::Kind::vocabulary
           && card.node->is(ValueKind::probabilities) && card.node->value.columns() > 2 * words_shown
           && card.cell_width * zoom < told_apart;
}

void paint_word_rows(CanvasScene& scene, const Card& card, float dimming) {
    const ScreenRect m = scene.on_screen(card.matrices.front());
    const Face &face = faces().caption, &small = faces().mono_small;
    const float row = float(card.cell_height) * scene.zoom(), width = m.width() / float(words_shown);
    const LoadedModel& model = scene.session.model();
    const Stream* said = model.map().stream_of(model.map().output.tokens);
    const Tokenizer& words = tokenizer_of(model.files, said);
    const float number = text_width(small, "0.00");
    const auto lit = scene.lit.find({card.node, 0});
    for (Index i = 0; i < card.node->value.rows(); ++i) {
        const float y = m.min.y + row * float(i);
        if (y + row < scene.rect.min.y || y > scene.rect.max.y) continue;
        if (scene.session.view().teaching.cover.hides_some_of(card.node->path, i)) continue;
        const TopWords top = top_words(scene.session, *card.node, i);
        for (std::size_t place = 0; place < top.size(); ++place) {
            const float p = float(card.node->value(0, i, top[place]));
            const ScreenRect cell =
                ScreenRect::at(m.min.x + width * float(place) + 1, y + 1, width - 3, row - 2);
            const Colour bar = mix(colours().probability, colours().card, 0.45f + dimming * 0.4f);
            scene.list.AddRectFilled(cell.min, {cell.min.x + cell.width() * p, cell.max.y}, bar, px(2));
            const auto is_here = [&](const std::optional<NamedCell>& which) {
                return which && which->path == card.node->path && which->cell == Cell{0, i, top[place]};
            };
            const bool is_lit =
                lit != scene.lit.end()
                && std::find(lit->second.begin(), lit->second.end(), MatrixCell{int(i), int(top[place])})
                       != lit->second.end();
            if (is_here(scene.asked) || is_here(scene.hovered) || is_here(scene.hinted))
                scene.list.AddRect(cell.min, cell.max, colours().ink, px(2), 0,
                                   px(is_here(scene.hovered) ? 1 : 2));
            else if (is_lit)
                scene.list.AddRect(cell.min, cell.max, colours().accent, px(2), 0, px(1.5f));
            if (row < face.size * 0.8f || top[place] >= words.vocabulary().size()) continue;
            const bool both = width > number + px(60);
            draw_text_in(scene.list, face,
                         {{cell.min.x + px(4), cell.min.y},
                          {cell.max.x - (both ? number + px(8) : px(2)), cell.max.y}},
                         dimming > 0.3f ? colours().ink_faint : colours().ink,
                         token_label(words, TokenId(top[place])));
            if (both)
                draw_text_in(scene.list, small, {cell.min, {cell.max.x - px(4), cell.max.y}},
                             // Upon its bar it needs the stronger ink.
                             double(p) > 0.6 && dimming <= 0.3f ? colours().ink : colours().ink_soft,
                             format_fixed(double(p), 2), Align::right);
        }
    }
}

bool cell_of_word_at(const Session& session, const Card& card, PlanePoint at, Cell& cell) {
    const PlaneRect& m = card.matrices.front();
    if (!m.contains(at)) return false;
    const Index row = std::min(Index((at.y - m.y) / card.cell_height), card.node->value.rows() - 1);
    const auto place =
        std::min(std::size_t((at.x - m.x) / m.width * double(words_shown)), std::size_t(words_shown - 1));
    cell = {0, row, top_words(session, *card.node, row)[place]};
    return true;
}

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
// there, or one has its title there, at the bottom right; not at all where it would cover one. A click goes
// there.
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
    const auto map_at = [&](bool right) {
        return ScreenRect::at(right ? scene.rect.max.x - px(10) - pad - width
                                    : scene.rect.min.x + px(10) + pad,
                              scene.rect.max.y - height - pad * 2 - px(4), width, height);
    };
    const auto covers_title = [&](const ScreenRect& part) {
        return std::any_of(scene.titles.begin(), scene.titles.end(),
                           [&](const ScreenRect& title) { return !title.cut_to(part.inset(-pad)).empty(); });
    };
    const bool at_right = boxes_have_names(scene) || covers_title(map_at(false));
    const ScreenRect map = map_at(at_right), surface = map.inset(-pad);
    if (at_right && (covers_title(map) || (boxes_have_names(scene) && covers_name_of_box(scene, surface))))
        return all;
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
            double(session.view().film.on ? film_caption_height(session, view) + px(16) + 28
                   : alone                ? 0
                                          : dock_height(view.height()) + px(16)),
            double(tools ? control_height() + px(12) : 0)};
}

bool has_tools(const Session& session, const ScreenRect& view) {
    const View& at = session.view();
    return !at.alone && !at.film.on && view.width() >= px(330) && view.height() >= px(400);
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
    if (!scene.film && !needed && !alone && canvas.head_on_stage() < 0)
        out_of_sight(scene, minimap(scene, canvas), commands);
    if (has_tools(scene.session, scene.rect)) camera_buttons(scene, canvas, commands);
    head_tabs(scene, commands);
}

} // namespace headlight
