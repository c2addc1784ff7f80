#pragma once

#include "app/canvas/canvas.h"
#include "app/canvas/card.h"
#include "app/session/session.h"
#include "app/ui/asking/asked.h"
#include "app/ui/base/theme.h"
#include "app/ui/base/widget_registry.h"
#include "app/ui/widgets/heatmap.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight {

// How the numbers of a card become colours: palette and range, found once for each version of the numbers.

struct CardLook {
    unsigned long version = 0;
    Palette palette = Palette::diverging;
    std::vector<ValueRange> ranges; // where the palette ends, one a matrix of the card
    std::vector<float> lows, highs; // of the finite numbers of each matrix
    float largest = 0;              // magnitude among all
    int decimals = 2;
    std::vector<std::uint64_t> ids; // of the matrices' textures
    std::vector<Real> difference;   // of two moments, or to the baseline, while that is looked at
    std::string name, shape;        // "scores", "[4 × 12 × 12]"
    std::string sum;                // of shares: "each row: sum = 1", where it is so
    std::optional<Colour> colour;   // of the name: query's, key's, value's
};

class CardLooks {
public:
    const CardLook& of(const Session& session, const Card& card);
    // False while a large card has to wait for a later frame: looking through millions of weights takes time.
    bool has_time_for(const Session& session, const Card& card);
    void begin_frame() {
        searched_ = 0;
        postponed_ = false;
    }
    bool postponed() const { return postponed_; }
    HeatmapMatrix matrix(const Session& session, const Card& card, std::size_t which);

private:
    std::unordered_map<const Node*, CardLook> looks_;
    unsigned long model_version_ = 0;
    long searched_ = 0; // cells, in this frame
    bool postponed_ = false;
    std::string
        key_; // what is shown of the values, language, theme, colour range: what names and colours depend on
};

// Where words stand on the canvas, as of the last frame that was drawn: what is clicked there is held.
struct WordsInSight {
    struct Spot {
        ScreenRect place;
        TokenPlace word;
    };
    std::vector<Spot> spots = {};

    const TokenPlace* at(ImVec2 point) const;
};
WordsInSight& words_in_sight();

// The picture of a box on its way from the strip beside the box's name to where its matrix stands among the
// others: it never becomes smaller on it.
struct BoxPicture {
    const Card* card = nullptr;
    double settled = 0;                    // 0: the strip; 1: the card has it
    std::vector<ScreenRect> matrices = {}; // where they are now

    // The cell at a point, as it is drawn, or none.
    std::optional<NamedCell> cell_at(ImVec2 point) const;
};

// What every painter of the canvas needs to know in one frame.

// How long cards and boxes took, in one frame.
struct CardCosts {
    const Profile* profile = nullptr;
    ProfilePart part = ProfilePart::both;
    double longest = 0;             // seconds of the dearest card
    std::vector<double> boxes = {}; // seconds of each of the layout's blocks
    double longest_box = 0;
    std::string_view operation = {}; // of the table's row under the pointer; empty: none
};

struct CanvasScene {
    const Session& session;
    const Canvas& canvas;
    CardLooks& looks;
    ScreenRect rect; // of the view, on the screen
    ImDrawList& list;
    const LitCells& lit;                   // the numbers behind the one that is asked about
    const std::optional<NamedCell>& asked; // held, or under the pointer in the frame before
    std::optional<NamedCell> hovered = {}; // under the pointer now
    std::optional<NamedCell> hinted = {};  // that a panel speaks of
    ScreenRect tabs = {};                  // where a head is chosen; titles keep clear of it
    Index only_head = -1;                  // of the present step: the others have no room
    bool in_focus = false;                 // the present step takes the stage: the rest is dimmed
    std::optional<FilmMoment> film = {};   // while one is on
    std::set<const Node*> changed = {};    // by a what-if: the values that it edits and all that follows
    std::set<const Node*> on_stage = {};   // the step's value and what it is made from

    std::optional<CardCosts> costs = {};   // while times are looked at
    std::vector<BoxPicture> pictures = {}; // that are on their way
    std::vector<ScreenRect> titles = {};   // of boxes near by: no tool lies on one
    std::set<const Card*> hidden = {};     // whose place a picture has, or which a picture lies over

    bool shows(const Card& card, std::size_t matrix) const {
        return only_head < 0 || card.node != session.step().node || matrix == std::size_t(only_head);
    }
    float zoom() const { return float(canvas.camera().zoom); }
    ScreenRect on_screen(const PlaneRect& r) const {
        const PlaneRect v = to_view(canvas.camera(), canvas.view(), r);
        return ScreenRect::at(rect.min.x + float(v.x), rect.min.y + float(v.y), float(v.width),
                              float(v.height));
    }
    ImVec2 on_screen(PlanePoint p) const {
        const PlanePoint v = to_view(canvas.camera(), canvas.view(), p);
        return {rect.min.x + float(v.x), rect.min.y + float(v.y)};
    }
    bool sees(const ScreenRect& r) const {
        return r.min.x < rect.max.x && rect.min.x < r.max.x && r.min.y < rect.max.y && rect.min.y < r.max.y;
    }
};

} // namespace headlight
