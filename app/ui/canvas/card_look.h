// How the numbers of a card become colours: palette and range, found once for each version of the numbers.
#pragma once

#include "app/canvas/card.h"
#include "app/session/session.h"
#include "app/ui/base/theme.h"
#include "app/ui/widgets/heatmap.h"

#include <string>
#include <unordered_map>

namespace headlight {

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

} // namespace headlight
