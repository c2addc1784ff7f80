#include "app/ui/canvas/card_look.h"

#include "app/ui/panels/value_view.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

constexpr long large = 1 << 15, cells_a_frame = 3 << 18; // see in_time

unsigned long version_of(const Session& session, const Card& card) {
    const bool as_loaded = card.kind == CardKind::weight && card.node->computed.size() == 0;
    return as_loaded ? session.weights_version() : session.version(); // a changed weight is computed anew
}

struct Extremes {
    float low = INFINITY, high = -INFINITY;
};

// Compared without branches: millions of weights are looked through.
Extremes extremes_of(const float* values, Index count) {
    constexpr float largest = std::numeric_limits<float>::max();
    Extremes e;
    for (Index i = 0; i < count; ++i) {
        const float x = values[i];
        const bool finite = std::abs(x) <= largest;
        e.low = finite && x < e.low ? x : e.low;
        e.high = finite && x > e.high ? x : e.high;
    }
    return e;
}

void find_ranges(CardLook& look, const Card& card, bool shared) {
    const Tensor& value = card.node->value;
    look.lows.clear();
    look.highs.clear();
    look.largest = 0;
    for (std::size_t i = 0; i < card.matrices.size(); ++i) {
        const Extremes e = extremes_of(value.matrix(Index(i)), value.rows() * value.columns());
        const bool none = e.low > e.high;
        look.lows.push_back(none ? 0 : e.low);
        look.highs.push_back(none ? 0 : e.high);
        look.largest = std::max({look.largest, std::abs(look.lows.back()), std::abs(look.highs.back())});
    }
    look.ranges.clear();
    for (std::size_t i = 0; i < card.matrices.size(); ++i) {
        float reach = std::max(std::abs(look.lows[i]), std::abs(look.highs[i]));
        if (shared) reach = look.largest;
        if (reach <= 0) reach = 1;
        look.ranges.push_back(look.palette == Palette::sequential ? ValueRange{0, reach}
                                                                  : ValueRange{-reach, reach});
    }
    look.decimals = sensible_decimals(look.largest);
}

} // namespace

const CardLook& CardLooks::of(const Session& session, const Card& card) {
    const ColourRange& range = session.state().colour_range;
    const std::string key =
        session.strings().language() + (theme().options.dark ? "d" : "l") + (range.shared ? "s" : "e");
    if (model_version_ != session.model_version() || key_ != key) {
        looks_.clear();
        model_version_ = session.model_version();
        key_ = key;
    }
    const unsigned long version = version_of(session, card);
    CardLook& look = looks_[card.node];
    if (look.version == version) return look;
    const bool fresh = look.version == 0;
    look.version = version;
    if (fresh) {
        look.palette = is_probability(*card.node) ? Palette::sequential : Palette::diverging;
        look.name = value_name(session, *card.node);
        look.colour = value_colour(*card.node);
        for (std::size_t i = 0; i < card.matrices.size(); ++i)
            look.ids.push_back(heatmap_id(card.node->path, int(i)));
    }
    look.shape = to_string(card.node->shape());
    if (fresh || !range.locked || look.ranges.size() != card.matrices.size()) {
        searched_ += long(card.node->value.size());
        find_ranges(look, card, range.shared);
    }
    return look;
}

bool CardLooks::in_time(const Session& session, const Card& card) {
    const auto known = looks_.find(card.node);
    if (known != looks_.end() && known->second.version == version_of(session, card)) return true;
    const long cells = long(card.node->value.size());
    if (cells < large || searched_ + cells <= cells_a_frame || searched_ == 0) return true;
    postponed_ = true;
    return false;
}

HeatmapMatrix CardLooks::matrix(const Session& session, const Card& card, std::size_t which) {
    const Tensor& value = card.node->value;
    return {value.matrix(Index(which)),   int(value.rows()),        int(value.columns()), value.columns(),
            of(session, card).ids[which], version_of(session, card)};
}

} // namespace headlight
