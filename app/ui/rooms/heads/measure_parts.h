// What the pages of measures share: the number that is asked about at their side, the word whose logit is
// taken apart, and parts of it by name.
#pragma once

#include "app/ui/values/panel.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

// A page, and at its side where numbers are asked about; empty where there is no room for it.
struct MeasurePage {
    ScreenRect page, side;
};
MeasurePage with_asking_side(const ScreenRect& rect);

// How the word is called that may be said: "?" while a lesson asks for it.
std::string word_said(const Session& session, TokenId word);
// "mouse", or "mouse − rat" against another.
std::string target_words(const Session& session, const SweepTarget& target);

// Where, which word, against which other: chips; the best few words at that place to choose from.
void choose_target(PanelColumn& column, const Session& session, CommandSink& commands);

// A share of an attribution that a bar or a point stands for.
struct ShownShare {
    NamedCell cell;
    std::string name; // "Decoder · layer 2 · Cross-attention, head 3"
    double value = 0;
    const Attention* attention = nullptr; // of a head
    Index head = -1;
};
std::vector<ShownShare> shown_shares(const Session& session);

// One number at every kept moment of the run that is shown: what over_time asked for.
void over_time_plot(const ScreenRect& rect, const Session& session, CommandSink& commands);

// The question about numbers, in what is left of the side from `top` on.
void ask_at_side(const ScreenRect& side, float top, const Session& session, CommandSink& commands,
                 const std::optional<NamedCell>& pointed);

} // namespace headlight
