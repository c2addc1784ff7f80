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
    using Text = std::string_view;
    const auto add = [this](std::string name, std::string arguments, auto run) {
        session_.commands().add(
            {std::move(name), std::move(arguments), [this, run](Text text) -> Result<Done> {
                 if (!session_.has_model()) return Error{"error.no_model", {}};
                 follow_session(); // it may be hidden, and not have seen the model change
                 return run(text);
             }});
    };
    add("fit", "", [this](Text) -> Result<Done> {
        fit();
        return Done{};
    });
    add("zoom", "in|out|FACTOR", [this](Text how) -> Result<Done> {
        double factor = how == "in" ? 1.5 : how == "out" ? 1 / 1.5 : 0;
        if (factor == 0) {
            const Result<double> number = number_of(std::string(how));
            if (!number) return number.error();
            if (*number < 0.001 || *number > 1000)
                return Error{"error.out_of_range", {"zoom", "0.001", "1000"}};
            factor = *number;
        }
        zoom({view_.width / 2, view_.height / 2}, factor);
        return Done{};
    });
    add("pan", "DX DY", [this](Text by) -> Result<Done> {
        const std::vector<std::string> words = words_of(by);
        if (words.size() != 2) return Error{"error.command_usage", {"pan DX DY"}};
        const Result<double> dx = number_of(words[0]), dy = number_of(words[1]);
        if (!dx) return dx.error();
        if (!dy) return dy.error();
        pan(-*dx, -*dy); // what is right of the view comes into it
        return Done{};
    });
    add("frame", "[PATH]", [this](Text path) { return frame_path(path); });
    add("look", "back|forward", [this](Text where) -> Result<Done> {
        if (where != "back" && where != "forward") return Error{"error.command_usage", {"look back|forward"}};
        (void)(where == "back" ? look_back() : look_forward());
        return Done{};
    });
    add("find", "TEXT", [this](Text text) -> Result<Done> {
        const std::vector<const Card*> found = search(text);
        if (found.empty()) return Error{"error.nothing_found", {std::string(text)}};
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
