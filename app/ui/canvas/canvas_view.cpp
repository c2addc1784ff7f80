#include "app/ui/canvas/canvas_view.h"
#include "app/session/step_text.h"
#include "app/session/value_names.h"
#include "app/session/word_life.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"
#include "app/ui/canvas/figure_painter.h"
#include "app/ui/canvas/film_painter.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <imgui.h>
#include <set>

namespace headlight {

namespace {

constexpr std::size_t most_shown = 8;

} // namespace

void CanvasSearch::draw(const ScreenRect& rect, const Session& session, const Canvas& canvas,
                        CommandSink& commands) {
    const Strings& s = session.strings();
    ImGui::SetCursorScreenPos(rect.min);
    const FieldOptions options{.tooltip = s.text("window.canvas.find.tip"),
                               .hint = s.text("window.canvas.find"),
                               .pixels = rect.width(),
                               .focus = focus_};
    const FieldEvent event = text_field("canvas.find", "", text_, options);
    const bool active = active_ = ImGui::IsItemActive();
    if (active) focus_ = false; // it takes a frame to arrive, and until then the field stands there
    if (event == FieldEvent::changed) {
        open_ = !text_.empty();
        chosen_ = 0;
    }
    if (active && key_pressed(Key::escape)) open_ = false;
    list_ = {};
    if (!open_ || text_.empty()) return;
    const std::vector<Found> found = search(session, canvas.layout(), text_);
    const std::size_t count = std::min(found.size(), most_shown);
    if (active && key_pressed(Key::down)) chosen_ = std::min(chosen_ + 1, int(count) - 1);
    if (active && key_pressed(Key::up)) chosen_ = std::max(chosen_ - 1, 0);

    const float line = faces().body.size * 1.7f, width = std::max(rect.width(), px(520));
    list_ = ScreenRect::at(rect.min.x, rect.max.y + px(4), width,
                           line * float(std::max<std::size_t>(count, 1)) + px(8));
    pen().AddRectFilled(list_.min, list_.max, colours().raised, px(6));
    pen().AddRect(list_.min, list_.max, colours().line, px(6));
    if (count == 0) {
        draw_text_in(pen(), faces().body, list_.inset(px(8)), colours().ink_faint,
                     s.text("window.canvas.find.none"));
        return;
    }
    const auto go = [&](const Found& one) {
        const Card& card = *one.card;
        if (card.step >= 0) commands.emit("goto " + card.node->path);
        if (one.head >= 0 && card.step >= 0) commands.emit("head " + std::to_string(one.head));
        if (card.step < 0) commands.emit("frame " + card.node->path);
        open_ = false;
        text_.clear();
    };
    for (std::size_t i = 0; i < count; ++i) {
        const Card& card = *found[i].card;
        const ScreenRect r =
            ScreenRect::at(list_.min.x + px(4), list_.min.y + px(4) + line * float(i), width - px(8), line);
        const Pressable p = pressable(("canvas.find." + std::to_string(i)).c_str(), r);
        if (p.hovered || int(i) == chosen_) pen().AddRectFilled(r.min, r.max, colours().hovered, px(4));
        const StoryStep* step = card.step >= 0 ? &session.model().story[std::size_t(card.step)] : nullptr;
        std::string title =
            step ? step_title(session, *step)
                 : value_name(session, *card.node) + "  ·  " + s.text("window.canvas.find.weight");
        if (found[i].head >= 0)
            title = s.text("story.head_number", {std::to_string(found[i].head + 1)}) + "  ·  " + title;
        const std::string place = step ? step_place(session, *step) : card.node->path;
        const float wide = std::min(text_width(faces().caption, place), width * 0.5f);
        draw_label(pen(), faces().body, {{r.min.x + px(6), r.min.y}, {r.max.x - wide - px(14), r.max.y}},
                   colours().ink, title);
        draw_label(pen(), faces().caption, {{r.max.x - wide - px(6), r.min.y}, {r.max.x - px(4), r.max.y}},
                   colours().ink_soft, place);
        if (p.pressed) {
            go(found[i]);
            return;
        }
    }
    if (event == FieldEvent::entered) go(found[std::size_t(std::clamp(chosen_, 0, int(count) - 1))]);
}

void FirstSteps::did(std::string_view command) {
    stepped_ = stepped_ || command.starts_with("step +");
    moved_ = moved_ || command.starts_with("zoom ");
    asked_ = asked_ || command.starts_with("select ");
}

float FirstSteps::draw(const ScreenRect& rect, const Session& session, float most) const {
    if (done()) return 0;
    const Strings& s = session.strings();
    struct Line {
        bool done;
        std::string text;
    };
    const std::array<Line, 3> lines = {{{stepped_, s.text("window.first.step")},
                                        {moved_, s.text("window.first.zoom")},
                                        {asked_, s.text("window.first.ask")}}};
    const Face& face = faces().caption;
    const float pad = px(10), mark = px(20), inside = rect.width() - 2 * pad;
    float height = 2 * pad + faces().strong.size * line_spacing;
    for (const Line& line : lines) height += wrapped_height(face, line.text, inside - mark) + px(3);
    if (height > rect.height() * most) return 0;
    const ScreenRect box = ScreenRect::at(rect.min.x, rect.min.y, rect.width(), height);
    pen().AddRectFilled(box.min, box.max, colours().raised, px(8));
    widgets().record("first_steps", box);
    float y = box.min.y + pad;
    draw_text(pen(), faces().strong, {box.min.x + pad, y}, colours().ink, s.text("window.first.title"));
    y += faces().strong.size * line_spacing + px(2);
    for (const Line& line : lines) {
        draw_text(pen(), face, {box.min.x + pad, y}, line.done ? colours().accent : colours().ink_faint,
                  line.done ? "✓" : "○");
        y += draw_wrapped(pen(), face, {box.min.x + pad + mark, y}, inside - mark,
                          line.done ? colours().ink_faint : colours().ink_soft, line.text)
             + px(3);
    }
    return height;
}

namespace {

const Card* card_at(const CanvasLayout& layout, PlanePoint at) {
    for (const Card& card : layout.cards)
        if (card.rect.contains(at)) return &card;
    return nullptr;
}

const CanvasGroup* group_at(const CanvasLayout& layout, PlanePoint at) {
    for (const auto* groups : {&layout.blocks, &layout.layers})
        for (const CanvasGroup& group : *groups)
            if (group.rect.contains(at)) return &group;
    return nullptr;
}

// The values that a what-if edits, and all that follows from them.
std::set<const Node*> changed_values(const Graph& graph) {
    std::set<const Node*> changed;
    for (const Edit& edit : graph.edits())
        if (const Node* edited = graph.find(edit.path)) changed.insert(edited);
    const auto follows = [&](const Node* input) { return changed.contains(input); };
    // In a recurrence what comes before a value may follow from it, one step later: until no more are found.
    for (std::size_t found = 0; found != changed.size();) {
        found = changed.size();
        for (const Node& node : graph.nodes())
            if (std::any_of(node.inputs.begin(), node.inputs.end(), follows)) changed.insert(&node);
    }
    return changed;
}

} // namespace

void CanvasView::paint_network(CanvasScene& scene) {
    paint_grounds(scene);
    if (canvas_.nearness() > 0) {
        paint_frames(scene);
        paint_connections(scene);
        for (const Card& card : canvas_.layout().cards) paint_card(scene, card);
        if (!scene.session.view().alone) paint_frame_titles(scene); // there the line above says it
        paint_marks(scene);
    }
    paint_boxes(scene);
    paint_pictures(scene);
    paint_figure_lines(scene);
    paint_stream_words(scene);
    paint_figure_legend(scene);
}

bool CanvasView::draw_picture(const ScreenRect& rect, const Session& session, const Card* card) {
    looks_.begin_frame();
    const Canvas::Apart apart =
        canvas_.look_apart({double(rect.width()), double(rect.height())}, double(faces().caption.size) * 0.94,
                           card ? &card->rect : nullptr, double(px(card ? 10 : 14)));
    const LitCells none;
    const std::optional<NamedCell> nothing;
    CanvasScene scene{.session = session,
                      .canvas = canvas_,
                      .looks = looks_,
                      .rect = rect,
                      .list = pen(),
                      .lit = none,
                      .asked = nothing};
    scene.changed = changed_values(session.model().graph());
    scene.costs = card_costs(session, canvas_.layout());
    if (!card) find_pictures(scene);
    if (card)
        paint_card(scene, *card);
    else
        paint_network(scene);
    canvas_.return_from(apart);
    return !looks_.postponed() && !ui().display().heatmaps().postponed();
}

// A box is seen, and the story stands in it: what is told beside the canvas is about it.
void CanvasView::enter(const CanvasGroup& group, const Session& session, CommandSink& commands) {
    const StoryStep& first = session.model().story[std::size_t(group.first)];
    const bool is_block = group.kind != "layer" && !group.is_side;
    if (!is_block) return canvas_.frame(group.rect, group.scale);
    const Index picture = group.picture ? session.model().step_of(group.picture->path) : -1;
    // In a small view a box that fills it is still one of the figure's: then nearer yet, to its step.
    const PlaneRect seen = to_view(canvas_.camera(), canvas_.view(), group.rect);
    constexpr double fills = 0.6;
    if (holds_step(session, group)
        && (seen.width > fills * canvas_.view().width || seen.height > fills * canvas_.view().height))
        return commands.emit("frame");
    if (!holds_step(session, group))
        commands.emit("goto " + (picture >= 0 ? group.picture->path : first.path()));
    commands.emit("frame " + first.block);
}

void CanvasView::answer_pointer(CanvasScene& scene, CommandSink& commands) {
    const ScreenRect& rect = scene.rect;
    const Session& session = scene.session;
    std::optional<NamedCell>& hovered = scene.hovered;
    ImGui::SetCursorScreenPos(rect.min);
    allow_overlap_before_item();
    ImGui::InvisibleButton("canvas", {rect.width(), rect.height()});
    allow_overlap_after_item();
    const bool over = ImGui::IsItemHovered() && !search_.covers(ImGui::GetIO().MousePos),
               held = ImGui::IsItemActive();
    widgets().record("canvas", rect);
    const ImGuiIO& io = ImGui::GetIO();
    const PlanePoint in_view{double(io.MousePos.x - rect.min.x), double(io.MousePos.y - rect.min.y)};
    const Camera& camera = canvas_.camera();

    if (over && (io.MouseWheel != 0 || io.MouseWheelH != 0)) {
        first_steps_.moved_camera();
        if (io.KeyShift || io.MouseWheelH != 0)
            canvas_.pan(double(io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0)) * 60,
                        io.KeyShift ? 0 : double(io.MouseWheel) * 60);
        else
            canvas_.zoom(in_view, std::pow(1.2, double(io.MouseWheel)));
    }
    if (held && ImGui::IsMouseDragging(0, 4)) dragging_ = true;
    if (held && dragging_ && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
        first_steps_.moved_camera();
        canvas_.pan(double(io.MouseDelta.x), double(io.MouseDelta.y));
    }
    if (dragging_) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);

    const TokenPlace* word = over && !dragging_ ? words_in_sight().at(io.MousePos) : nullptr;
    if (word) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const PlanePoint at = to_plane(camera, canvas_.view(), in_view);
    const bool is_far = canvas_.nearness() < 0.5;
    const Card* card = over && !is_far ? card_at(canvas_.layout(), at) : nullptr;
    if (scene.hidden.contains(card)) card = nullptr;
    const CanvasGroup* group = over && !card ? group_at(canvas_.layout(), at) : nullptr;
    if (card && !dragging_ && !word) {
        Cell cell;
        const bool large_enough =
            std::min(card->cell_width, card->cell_height) * camera.zoom >= double(smallest_asked);
        const bool found = is_shown_as_words(*card, looks_.of(session, *card), camera.zoom)
                               ? cell_of_word_at(session, *card, at, cell)
                               : large_enough && card->cell_at(at, cell);
        if (found) hovered = NamedCell{card->node->path, cell};
    }
    for (const BoxPicture& picture : scene.pictures) // over the cards
        if (const auto cell = over && !dragging_ && !word ? picture.cell_at(io.MousePos) : std::nullopt)
            hovered = cell;
    const bool released = ImGui::IsItemDeactivated();
    const bool clicked = released && over && !dragging_;
    if (ImGui::IsMouseReleased(0)) dragging_ = false;
    if (over && ImGui::IsMouseDoubleClicked(0) && !hovered) {
        if (card)
            canvas_.frame(card->rect, card->scale);
        else if (group)
            canvas_.frame(group->rect, group->scale);
    } else if (clicked) {
        if (word) {
            commands.emit(session.view().word == *word ? "follow off" : follow_command(*word));
            if (session.view().asking.held) commands.emit("unselect");
        } else if (hovered)
            commands.emit(session.view().asking.held == hovered ? "unselect" : select_command(*hovered));
        else if (card && card->step == long(session.view().step))
            commands.emit("frame");
        else if (card && card->step >= 0)
            commands.emit("goto " + card->node->path);
        else if (card)
            commands.emit("frame " + card->node->path);
        else if (group && is_far)
            enter(*group, session, commands);
    }
    // What one would find on coming nearer.
    if (over && !hovered && !dragging_ && !held) {
        if (card) {
            const std::string title =
                card->step >= 0 ? step_title(session, session.model().story[std::size_t(card->step)])
                                : looks_.of(session, *card).name;
            const std::string cost = cost_text(session, *card->node);
            const PlaneRect r = to_view(camera, canvas_.view(), card->rect);
            tooltip_when_resting(
                "canvas.card." + card->node->path,
                ScreenRect::at(rect.min.x + float(r.x), rect.min.y + float(r.y), float(r.width),
                               float(r.height)),
                true, title + "  " + looks_.of(session, *card).shape + (cost.empty() ? "" : "\n" + cost));
        } else if (group && is_far && group->kind != "layer") {
            const bool is_block = group >= canvas_.layout().blocks.data()
                                  && group < canvas_.layout().blocks.data() + canvas_.layout().blocks.size();
            const std::string cost =
                is_block ? box_cost_text(session, canvas_.layout(), *group) : std::string();
            const PlaneRect r = to_view(camera, canvas_.view(), group->rect);
            tooltip_when_resting("canvas.box." + std::to_string(group->first),
                                 ScreenRect::at(rect.min.x + float(r.x), rect.min.y + float(r.y),
                                                float(r.width), float(r.height)),
                                 true, block_tip(session, *group) + (cost.empty() ? "" : "\n" + cost));
        }
    }
}

std::optional<NamedCell> CanvasView::draw(const ScreenRect& rect, const Session& session,
                                          CommandSink& commands, const std::optional<NamedCell>& asked) {
    if (rect.empty()) {
        hide();
        return {};
    }
    looks_.begin_frame();
    const ViewSize view{double(rect.width()), double(rect.height())};
    // In a lecture it is the numbers that shall be seen; at a desk one comes nearer for them.
    const Face* numbers = theme().presents()     ? &faces().mono_cell
                          : session.view().alone ? &faces().mono_small
                                                 : nullptr;
    canvas_.update(view, double(ImGui::GetIO().DeltaTime), double(faces().caption.size) * 0.94,
                   covered(session, rect), numbers ? double(numbers->size) + 1.5 : 0);
    pen().AddRectFilled(rect.min, rect.max, colours().window, px(10));
    pen().PushClipRect(rect.min, rect.max, true);

    const LitCells& lit = cells_of_direction(session, asked);
    CanvasScene scene{.session = session,
                      .canvas = canvas_,
                      .looks = looks_,
                      .rect = rect,
                      .list = pen(),
                      .lit = lit,
                      .asked = asked,
                      .hinted = lesson_cell ? lesson_cell : hinted,
                      .in_focus = canvas_.follows_step() && !session.view().film.on};
    if (canvas_.follows_step()) scene.only_head = canvas_.head_on_stage();
    scene.tabs = place_of_head_tabs(session, canvas_, rect);
    scene.changed = changed_values(session.model().graph());
    scene.costs = card_costs(session, canvas_.layout());
    if (scene.costs) scene.costs->operation = operation;
    scene.on_stage.insert(session.step().node);
    for (const Node* operand : session.step().operands) scene.on_stage.insert(operand);
    if (session.view().film.on && !session.model().film.scenes().empty())
        scene.film = session.model().film.at(session.view().film.seconds);
    if (asked) scene.in_focus = false; // then the cells around the one asked about stand out instead
    find_pictures(scene);
    answer_pointer(scene, commands);

    words_in_sight().spots.clear();
    paint_network(scene);
    mark_word(scene);
    paint_film(scene);
    paint_pulse(scene);
    paint_cost_scale(scene);
    overlays(scene, canvas_, commands);
    if (scene.film && session.view().outside != Outside::all) film_caption(scene, commands);
    if (chord_pressed({.key = Key::f, .ctrl = true})) search_.focus();
    if (has_tools(session, rect) || search_.is_used())
        search_.draw(ScreenRect::at(rect.min.x + px(12), rect.min.y + px(10),
                                    std::min(px(230), rect.width() * 0.3f), control_height()),
                     session, canvas_, commands);
    pen().PopClipRect();
    pen().AddRect(rect.min, rect.max, with_alpha(colours().line, 0.8f), px(10));
    wants_frame_ =
        canvas_.moving() || canvas_.pulse() || looks_.postponed() || ui().display().heatmaps().postponed();
    return scene.hovered;
}

} // namespace headlight
