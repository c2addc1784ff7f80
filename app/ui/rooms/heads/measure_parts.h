#pragma once

#include "app/session/session_sweep.h"
#include "app/ui/values/value_view.h"

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// What the pages of measures share: the number that is asked about at their side, the word whose logit is
// taken apart, and parts of it by name.

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

// On which scale a sweep is told, and what its numbers then say.

std::string scale_key(SweepMeasure measure); // "board.sweep.logit"
// What a number of the table is: "logit (nats)", or "share of m" where logits are told as shares.
std::string scale_name(const Session& session, const SessionSweep& done, SweepMeasure measure);

// Nearly 1 it is told by what it lacks: "1 − 1.1·10⁻⁷", which no line break parts.
std::string probability_words(double probability, double log_odds);

// What the word is compared with, or that this scale compares it with nothing; empty where nobody asked.
std::string foil_words(const Session& session, const SessionSweep& done, SweepMeasure measure);

// On the scale of logits what a patch restores, and what a path does, is told as a share where that says
// something.
KeptTensor shown_changes(const Session& session, const SessionSweep& done, SweepMeasure measure);

// What a number of the table says, and where the scale ends.
void scale_words(PanelColumn& column, const Session& session, const SessionSweep& done, SweepMeasure measure);

// The plane of two principal components, to one scale: lines, numbers and names of its axes.

struct PaperPoint {
    float x = 0, y = 0;
    bool exists() const { return std::isfinite(x) && std::isfinite(y); }
};

// The same scale on both axes: a length on the screen is a length.
struct PlanePaper {
    ScreenRect rect;
    PaperPoint middle;
    float unit = 1; // pixels

    ImVec2 at(PaperPoint p) const {
        return {rect.centre().x + (p.x - middle.x) * unit, rect.centre().y - (p.y - middle.y) * unit};
    }
};

// What is left for the plane itself beside numbers and names.
ScreenRect paper_within(const ScreenRect& rect);
// Such that all points are in sight, with room for their names.
PlanePaper fit_plane(std::span<const PaperPoint> points, const ScreenRect& rect);
// `explained`: the share of the variance that each axis shows. `frame`: with numbers and names.
void draw_paper(const Session& session, const PlanePaper& plane, std::span<const double, 2> explained,
                const ScreenRect& frame);

} // namespace headlight
