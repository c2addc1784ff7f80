// What the room Say it is made of.
#pragma once

#include "app/ui/values/panel.h"

namespace headlight {

struct SayContext {
    const Session& session;
    CommandSink& commands;
    const Saying& saying;

    const SayingSettings& settings() const { return session.question().saying; }
    const SaidAnswer& answer() const { return saying.followed(settings()); }
    const std::string& text(std::string_view key) const { return session.strings().text(key); }
    std::string text(std::string_view key, const std::vector<std::string>& values) const {
        return session.strings().text(std::string(key), values);
    }
    std::string label(TokenId word) const; // as the vocabulary has it
    // The place of the answer that is looked at, from 0: of the pass that is shown, else the first.
    Index place() const;
};

// How words are chosen: greedy, drawn, by beams, and what each can be told; then the branches.
void ways(SayContext& say, PanelColumn& column);
// The loop walked: buttons, and a row for each pass.
void loop_controls(SayContext& say, PanelColumn& column);
void passes(SayContext& say, PanelColumn& column);
// What else might have been said at the place that is looked at.
void chances(SayContext& say, PanelColumn& column);

// Each in the canvas's place, and what stands beside it.
void beams_tree(SayContext& say, const ScreenRect& rect);
void beams_side(SayContext& say, PanelColumn& column);
void lanes_view(SayContext& say, const ScreenRect& rect);
void lanes_side(SayContext& say, PanelColumn& column);
void cost_view(SayContext& say, const ScreenRect& rect);
void cost_side(SayContext& say, PanelColumn& column);

std::string whole_text(double number); // "2,080"

} // namespace headlight
