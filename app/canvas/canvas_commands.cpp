// What a person can tell the canvas.
#include "app/canvas/canvas.h"

namespace headlight {

void Canvas::add_commands() {
    const auto add = [this](const char* name, std::vector<Argument> arguments, auto run) {
        session_.commands().add_with_model(
            name, std::move(arguments), [this, run](const Arguments& in) -> Result<Done> {
                follow_session(); // it may be hidden, and not have seen the model change
                return done_by(run, in);
            });
    };
    add("fit", {}, [this](const Arguments&) { fit(); });
    add("pulse", {}, [this](const Arguments&) {
        if (session_.view().animations) start_pulse();
    });
    add("zoom", {"in|out" | argument::number("FACTOR", 0.001, 1000)}, [this](const Arguments& in) {
        const double factor = in.said("in") ? 1.5 : in.said("out") ? 1 / 1.5 : in.number("FACTOR");
        zoom({view_.width / 2, view_.height / 2}, factor);
    });
    add("pan", {argument::number("DX"), argument::number("DY")}, [this](const Arguments& in) {
        pan(-in.number("DX"), -in.number("DY")); // what is right of the view comes into it
    });
    add("frame", {argument::optional(argument::word("PATH"))},
        [this](const Arguments& in) { return frame_path(in.text("PATH")); });
    add("look", {"back|forward"},
        [this](const Arguments& in) { in.said("back") ? look_back() : look_forward(); });
    add("find", {argument::text()}, [this](const Arguments& in) -> Result<Done> {
        const std::vector<Found> found = search(session_, layout_, in.text("TEXT"));
        if (found.empty()) return Error{"error.nothing_found", {in.text("TEXT")}};
        show(found.front());
        return Done{};
    });
}

void Canvas::show(const Found& found) {
    const Card& card = *found.card;
    if (found.head < 0) return frame(card.rect, card.scale);
    frame(head_rect(card, found.head), card.scale);
}

// A value's card; a block or a layer by the beginning that its paths share; the present step.
Result<Done> Canvas::frame_path(std::string_view path) {
    if (path.empty()) {
        go(camera_for_step(), true);
        follows_ = Follows::step;
        return Done{};
    }
    if (const Node* node = session_.model().graph().find(path)) {
        step_ = session_.view().step;
        if (const Card* card = layout_.find(node)) {
            frame(card->rect, card->scale);
            return Done{};
        }
    }
    step_ = session_.view().step; // whoever went to a step and then says what to look at looks at that
    PlaneRect part;
    for (const Card& card : layout_.cards)
        if (lies_in(card.node->path, path)) part = around(part, layout_.blocks[card.block].rect);
    if (part.empty()) return no_such_value(path, session_.at_hand());
    frame(part.grown(20));
    return Done{};
}

} // namespace headlight
