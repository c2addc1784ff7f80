// What the room Say it is made of.
#pragma once

#include "app/ui/values/value_view.h"

#include <algorithm>

namespace headlight {

struct SayContext {
    const Session& session;
    CommandSink& commands;
    const Generation& generation;

    const GenerationSettings& settings() const { return session.question().generation; }
    const SaidAnswer& answer() const { return generation.followed(settings()); }
    const std::string& text(std::string_view key) const { return session.strings().text(key); }
    std::string text(std::string_view key, const std::vector<std::string>& values) const {
        return session.strings().text(std::string(key), values);
    }
    // The pass that is shown, as far as there is one; 0: all words at once.
    Index pass() const { return std::min(settings().pass, Index(answer().places.size())); }
    std::string label(TokenId word) const;             // as the vocabulary has it
    TokenId fed_after(TokenId said) const;             // that word, or what begins another text behind an end
    std::string share(double p) const;                 // "0.901", "<0.001", "0"
    bool is_low() const { return theme().presents(); } // large type: what explains makes way for what is seen
};

// How words are chosen: greedy, drawn, by beams, and what each can be told; then the branches.
void ways(SayContext& say, PanelColumn& column);
// Which pass is shown, in words; a row for each, and below the present one what else might have been said.
void pass_told(SayContext& say, PanelColumn& column);
void passes(SayContext& say, PanelColumn& column);
void chances(SayContext& say, PanelColumn& column, Index place);

// Each in the canvas's place, and what stands beside it.
void beams_tree(SayContext& say, const ScreenRect& rect);
void beams_side(SayContext& say, PanelColumn& column);
std::string fate_of(const SayContext& say,
                    const BeamTree::Branch& branch); // why it goes on, ended or was pruned
void lanes_view(SayContext& say, const ScreenRect& rect);
void lanes_side(SayContext& say, PanelColumn& column);
void cost_view(SayContext& say, const ScreenRect& rect);
void cost_side(SayContext& say, PanelColumn& column);

} // namespace headlight
