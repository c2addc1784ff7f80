// The pages from the ground: attention without parameters, then with them, on a few vectors in the plane;
// attention as a filing cabinet; gradient descent; fixed weights beside attention; batch norm beside layer
// norm; and what layers cost on paper.
#pragma once

#include "app/session/page_views.h"
#include "engine/graph/axes.h"
#include "engine/inspect/cost.h"
#include "engine/inspect/formulas.h"
#include "engine/model/descent.h"
#include "engine/model/small_nets.h"
#include "engine/train/fixed_weights.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace headlight {

class CommandRegistry;
class Session;
struct Inquiries;
struct View;

// What a person sets, of attention on a few vectors.
struct PlainSetting {
    PlainVectors vectors = rat_of_rome();
    PlainAttentionOptions options;
    std::array<double, 3> degrees = {0, 0, 0}; // by which W_Q, W_K, W_V turn the plane
    Index word = 1;                            // whose attention is followed
    Index d_k = 16;                            // of the random vectors that are measured
    bool operator==(const PlainSetting&) const = default;
};

// And of all pages.
struct SmallPagesSetting : PlainSetting {
    CabinetNumbers cabinet;
    DescentSetting descent;
    FixedWeightsSetting fixed_weights;
    LayerSize layer_size; // whose cost is counted and measured
    NormsSetting norms;
    bool operator==(const SmallPagesSetting&) const = default;
};

// And what is computed from it.
struct SmallPages : SmallPagesSetting {
    std::shared_ptr<PlainAttention> attention;
    std::shared_ptr<FilingCabinet> filing_cabinet;
    std::shared_ptr<Descent> descended;
    std::shared_ptr<FixedWeights> fixed_weights_learned; // null until somebody looks: they are trained first
    std::shared_ptr<LayerCounts> layer_counts;
    DotProducts measured;
    unsigned long version = 0; // another with every computation
};

// From now on it is set so: what depends on a setting that is another is computed anew, the rest stays.
void compute_small_pages(SmallPages& pages, const SmallPagesSetting& setting);
// Both networks of the page about fixed weights, where they are not as they are set.
void compute_fixed_weights(SmallPages& lesson);

// places …
void add_places_commands(CommandRegistry& commands, Inquiries& inquiries, View& view);
// lesson …
void add_lesson_commands(CommandRegistry& commands, Inquiries& inquiries);
// cabinet …
void add_cabinet_commands(CommandRegistry& commands, Inquiries& inquiries, View& view);
// descent …
void add_descent_commands(CommandRegistry& commands, const Session& session, Inquiries& inquiries,
                          View& view);

// By how many degrees W_Q turns, as nearly as a turn comes to it.
double degrees_of(const CabinetNumbers& numbers);
// The words, or the folders, that an axis of theirs stands for; none for features.
std::vector<std::string> words_along(const SmallPages& lesson, const Axis& axis);

} // namespace headlight
