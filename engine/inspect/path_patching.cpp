#include "engine/inspect/path_patching.h"

#include "engine/base/check.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

const Node& input_of(const Attention& attention, PathInput input) {
    return input == PathInput::q ? *attention.q : input == PathInput::k ? *attention.k : *attention.v;
}

// One matrix of a value, to be put in its place.
Edit kept_matrix(const Node& node, Index batch, const Tensor& from) {
    Edit edit{node.path, {batch, -1, -1}};
    edit.values = KeptTensor({1, from.rows(), from.columns()});
    std::copy_n(from.matrix(batch), from.rows() * from.columns(), edit.values.numbers.data());
    return edit;
}

void compute(Model& pass, std::vector<Edit> edits, const std::vector<Edit>& more) {
    edits.insert(edits.end(), more.begin(), more.end());
    pass.graph.set_edits(std::move(edits));
    pass.graph.forward();
}

} // namespace

std::optional<double> PathEffect::relative() const {
    constexpr double nearly = 1e-6;
    if (std::abs(original) < nearly) return std::nullopt;
    return change() / original;
}

namespace {

// The second pass: `pass` has been computed as it is.
std::vector<Edit> heard(Model& pass, const std::vector<Edit>& edits, const Graph& other,
                        const PathSender& sender, const std::vector<PathReceiver>& receivers) {
    std::vector<Edit> frozen;
    for (const Attention& attention : pass.map.attentions)
        for (Index head = 0; head < attention.heads; ++head) {
            const bool sends = attention.path == sender.attention && head == sender.head;
            const Tensor& from = sends ? other.find(attention.mixed->path)->value : attention.mixed->value;
            HEADLIGHT_CHECK(from.shape() == attention.mixed->shape(), "two sentences of other lengths");
            frozen.push_back(kept_matrix(*attention.mixed, head, from));
        }
    compute(pass, edits, frozen);
    std::vector<Edit> inputs;
    for (const PathReceiver& receiver : receivers) {
        const Attention* attention = pass.map.attention(receiver.attention);
        HEADLIGHT_CHECK(attention, "no attention " + receiver.attention);
        const Node& input = input_of(*attention, receiver.input);
        const Index shared = attention->heads / input.value.batch();
        inputs.push_back(kept_matrix(input, receiver.head / shared, input.value));
    }
    return inputs;
}

} // namespace

std::vector<Edit> heard_through_path(Model& pass, const std::vector<Edit>& edits, const Graph& other,
                                     const PathSender& sender, const std::vector<PathReceiver>& receivers) {
    compute(pass, edits, {});
    return heard(pass, edits, other, sender, receivers);
}

PathEffect patch_path(Model& pass, const std::vector<Edit>& edits, const Graph& other,
                      const PathSender& sender, const std::vector<PathReceiver>& receivers,
                      const SweepTarget& target) {
    PathEffect effect;
    compute(pass, edits, {});
    effect.original = watched(pass, target, SweepMeasure::logit);
    compute(pass, edits, heard(pass, edits, other, sender, receivers));
    effect.patched = watched(pass, target, SweepMeasure::logit);
    pass.graph.set_edits(edits);
    return effect;
}

SweepPlan plan_patched_paths(const ModelMap& map, const Graph& other, const PathReceiver& receiver) {
    const Attention* hears = map.attention(receiver.attention);
    HEADLIGHT_CHECK(hears, "no attention " + receiver.attention);
    SweepPlan plan;
    for (const Attention& sends : map.attentions) {
        if (sends.mixed->index >= input_of(*hears, receiver.input).index) continue;
        const Index row = Index(plan.rows.size());
        plan.rows.push_back(sends.path);
        plan.columns = std::max(plan.columns, sends.heads);
        for (Index head = 0; head < sends.heads; ++head) {
            const PathSender sender{sends.path, head};
            plan.trials.push_back(
                {row, head, {}, [&other, receiver, sender](Model& pass, const std::vector<Edit>& edits) {
                     return heard_through_path(pass, edits, other, sender, {receiver});
                 }});
        }
    }
    return plan;
}

bool same_lengths(const ModelMap& map, const Graph& other) {
    return std::all_of(map.attentions.begin(), map.attentions.end(), [&](const Attention& attention) {
        const Node* same = other.find(attention.mixed->path);
        return same && same->shape() == attention.mixed->shape();
    });
}

} // namespace headlight
