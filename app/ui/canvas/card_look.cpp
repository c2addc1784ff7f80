#include "app/ui/canvas/canvas_scene.h"

#include "app/session/training/training_view.h"
#include "app/ui/base/ui.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/text.h"
#include "engine/inspect/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headlight {

namespace {

constexpr long large = 1 << 15, cells_a_frame = 3 << 18; // whose ranges are looked for; see has_time_for

// The same value of the model as it is, while differences to it are looked at; else null.
const Node* baseline_of(const Session& session, const Card& card) {
    const Comparison* comparison = session.what_if().comparison();
    if (!session.view().against_baseline || !comparison || card.kind == CardKind::words) return nullptr;
    const Node* before = comparison->baseline->find(card.node->path);
    return before && before->shape() == card.node->shape() ? before : nullptr;
}

// What the canvas shows of every value: the value, its gradient, what changed between two moments of a
// training, or what the changes of a what-if make of it.
enum class Shown { value, gradient, difference, baseline };

Shown shown_of(const Session& session) {
    if (session.view().backward.on) return Shown::gradient;
    if (session.training().difference) return Shown::difference;
    return session.view().against_baseline && session.what_if().comparison() ? Shown::baseline : Shown::value;
}

Shown shown_of(const Session& session, const Card& card) {
    const Shown shown = shown_of(session);
    if (shown == Shown::gradient && !session.shows_gradient(*card.node)) return Shown::value;
    if (shown == Shown::baseline && !baseline_of(session, card)) return Shown::value;
    return shown;
}

unsigned long version_of(const Session& session, const Card& card) {
    const bool as_loaded =
        card.kind == CardKind::weight && card.node->computed.size() == 0 && shown_of(session) == Shown::value;
    return as_loaded ? session.experiment().weights_version()
                     : session.version(); // a changed weight is computed anew
}

// Of one matrix of the card, row by row.
const Real* numbers_of(const Session& session, const Card& card, const CardLook& look, Index matrix) {
    const Node& node = *card.node;
    if (!look.difference.empty())
        return look.difference.data() + matrix * node.value.rows() * node.value.columns();
    return shown_of(session, card) == Shown::gradient ? node.grad.matrix(matrix) : node.value.matrix(matrix);
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

// As softmax leaves them; what was edited may not.
bool rows_sum_to_one(const Tensor& value) {
    for (Index b = 0; b < value.batch(); ++b)
        for (Index r = 0; r < value.rows(); ++r) {
            const Real* row = value.row(b, r);
            const double sum = std::accumulate(row, row + value.columns(), 0.0);
            if (!(std::abs(sum - 1) < 1e-3)) return false;
        }
    return value.columns() > 1;
}

void find_ranges(const Session& session, CardLook& look, const Card& card, bool shared) {
    const Tensor& value = card.node->value;
    look.lows.clear();
    look.highs.clear();
    look.largest = 0;
    for (std::size_t i = 0; i < card.matrices.size(); ++i) {
        const Extremes e =
            extremes_of(numbers_of(session, card, look, Index(i)), value.rows() * value.columns());
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
    const ColourRange& range = session.view().colour_range;
    const std::string key = session.strings().language() + (theme().options.dark ? "d" : "l")
                            + (range.shared ? "s" : "e") + std::to_string(int(shown_of(session)));
    if (model_version_ != session.experiment().model_version() || key_ != key) {
        looks_.clear();
        model_version_ = session.experiment().model_version();
        key_ = key;
    }
    const unsigned long version = version_of(session, card);
    CardLook& look = looks_[card.node];
    if (look.version == version) return look;
    const bool fresh = look.version == 0;
    const Shown shown = shown_of(session, card);
    look.version = version;
    if (fresh) {
        const std::string name = value_name(session, *card.node);
        look.palette = shown == Shown::gradient                              ? Palette::gradient
                       : is_probability(*card.node) && shown == Shown::value ? Palette::sequential
                                                                             : Palette::diverging;
        look.name = shown == Shown::gradient     ? "∂" + letter_of_loss(*card.node->graph) + "/∂ " + name
                    : shown == Shown::difference ? "Δ " + name
                    : shown == Shown::baseline   ? session.strings().text("whatif.minus_baseline", {name})
                                                 : name;
        look.colour = value_colour(*card.node);
        // A texture of its own for each thing that is shown.
        const std::string of =
            card.node->path + (shown == Shown::value ? "" : " " + std::to_string(int(shown)));
        for (std::size_t i = 0; i < card.matrices.size(); ++i) look.ids.push_back(heatmap_id(of, int(i)));
    }
    look.difference.clear();
    if (shown == Shown::difference) look.difference = session.experiment().difference_of(card.node->path);
    if (shown == Shown::baseline)
        look.difference = difference(card.node->value, baseline_of(session, card)->value);
    look.shape = to_string(Shape{card.node->value.batch(), card.rows(), card.columns()});
    look.sum = is_probability(*card.node) && shown == Shown::value && rows_sum_to_one(card.node->value)
                   ? session.strings().text(card.transposed ? "figure.sum.columns" : "figure.sum.rows")
                   : "";
    if (fresh || !range.locked || look.ranges.size() != card.matrices.size()) {
        searched_ += long(card.node->value.size());
        find_ranges(session, look, card, range.shared);
    }
    return look;
}

bool CardLooks::has_time_for(const Session& session, const Card& card) {
    const auto known = looks_.find(card.node);
    if (known != looks_.end() && known->second.version == version_of(session, card)) return true;
    const long cells = long(card.node->value.size());
    if (cells < large || searched_ + cells <= cells_a_frame || searched_ == 0) return true;
    postponed_ = true;
    return false;
}

HeatmapMatrix CardLooks::matrix(const Session& session, const Card& card, std::size_t which) {
    const Tensor& value = card.node->value;
    const CardLook& look = of(session, card);
    return {numbers_of(session, card, look, Index(which)), int(card.rows()), int(card.columns()),
            card.transposed ? 1 : value.columns(),         look.ids[which],  version_of(session, card),
            card.transposed ? value.columns() : 1};
}

} // namespace headlight
