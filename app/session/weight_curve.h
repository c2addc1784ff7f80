// C over one weight of the model, everything else being as it is: the bowl of which its gradient is the
// slope. Computed place after place, between frames.
#pragma once

#include "app/session/asking.h"
#include "app/session/loaded_model.h"

#include <vector>

namespace headlight {

struct Question;
struct Sentence;

struct WeightCurve {
    NamedCell cell;
    double weight = 0;          // as it was learned
    std::vector<double> places; // of the weight, from low to high
    std::vector<float> costs;   // at the first of them, as far as they are computed

    bool is_over() const { return costs.size() == places.size(); }
};

// Round the weight as it was learned; nothing is computed yet.
WeightCurve begin_weight_curve(const NamedCell& cell, const LoadedModel& model);
// Goes on for about so many seconds: the sentence as it is fed, with the changes that are on.
void advance_for(WeightCurve& curve, double seconds, LoadedModel& model, const Sentence& sentence);
// The same question but for what this weight was changed to: the curve is the same.
Question but_for(const NamedCell& cell, Question question);
// "cell encoder.0.self_attn.w_q 0 2 3 0.5": the change that gives it this number.
std::string weight_change(const NamedCell& cell, double number);

} // namespace headlight
