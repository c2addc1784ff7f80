// What a person can tell the canvas.
#include "app/canvas/canvas.h"
#include "app/session/step_text.h"

#include <algorithm>
#include <cctype>

namespace headlight {

namespace {

// Lower case for the letters of English and Portuguese, two bytes each in UTF-8 where they carry an accent.
std::string lower(std::string_view text) {
    std::string out(text);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto byte = static_cast<unsigned char>(out[i]);
        if (byte < 0x80)
            out[i] = char(std::tolower(byte));
        else if (i > 0 && static_cast<unsigned char>(out[i - 1]) == 0xC3 && byte >= 0x80 && byte < 0x9F)
            out[i] = char(byte + 0x20);
    }
    return out;
}

} // namespace

void Canvas::add_commands() {
    const auto add = [this](const char* name, std::vector<Argument> arguments, auto run) {
        session_.commands().add_with_model(
            name, std::move(arguments), [this, run](const Arguments& in) -> Result<Done> {
                follow_session(); // it may be hidden, and not have seen the model change
                if constexpr (std::is_void_v<decltype(run(in))>)
                    return run(in), Done{};
                else
                    return run(in);
            });
    };
    add("fit", {}, [this](const Arguments&) { fit(); });
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
        const std::vector<const Card*> found = search(in.text("TEXT"));
        if (found.empty()) return Error{"error.nothing_found", {in.text("TEXT")}};
        return frame_path(found.front()->node->path);
    });
}

// A value's card; a block or a layer by the beginning that its paths share; the present step.
Result<Done> Canvas::frame_path(std::string_view path) {
    if (path.empty()) {
        go(camera_for_step(), true);
        follows_ = Follows::step;
        return Done{};
    }
    if (const Node* node = session_.model().graph().find(path)) {
        if (const Card* card = layout_.find(node)) {
            frame(card->rect);
            return Done{};
        }
    }
    PlaneRect part;
    for (const Card& card : layout_.cards)
        if (card.node->path.starts_with(std::string(path) + ".")) part = around(part, card.rect);
    if (part.empty()) return Error{"error.no_such_value", {std::string(path), session_.model().name}};
    frame(part.grown(20));
    return Done{};
}

std::vector<const Card*> Canvas::search(std::string_view text) const {
    struct Found {
        const Card* card;
        std::size_t length; // of what it was found in: the shortest says it best
    };
    std::vector<std::string> wanted;
    for (const std::string& word : words_of(text)) wanted.push_back(lower(word));
    std::vector<Found> found;
    if (wanted.empty()) return {};
    for (const Card& card : layout_.cards) {
        std::string in = lower(card.node->path);
        if (card.step >= 0)
            in += " " + lower(step_title(session_, session_.model().story[std::size_t(card.step)]));
        const auto holds = [&](const std::string& word) { return in.find(word) != in.npos; };
        if (std::all_of(wanted.begin(), wanted.end(), holds))
            found.push_back({&card, card.node->path.size() + (card.kind == CardKind::weight ? 20 : 0)});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.length < b.length; });
    std::vector<const Card*> cards;
    for (const Found& one : found) cards.push_back(one.card);
    return cards;
}

} // namespace headlight
