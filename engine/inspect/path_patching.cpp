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

} // namespace

std::optional<double> PathEffect::relative() const {
    constexpr double nearly = 1e-6;
    if (std::abs(original) < nearly) return std::nullopt;
    return change() / original;
}

PathEffect patch_path(Model& pass, const std::vector<Edit>& edits, const Graph& other,
                      const PathSender& sender, const std::vector<PathReceiver>& receivers,
                      const SweepTarget& target) {
    const auto compute = [&](const std::vector<Edit>& more) {
        std::vector<Edit> all = edits;
        all.insert(all.end(), more.begin(), more.end());
        pass.graph.set_edits(std::move(all));
        pass.graph.forward();
        return watched(pass, target, SweepMeasure::logit);
    };
    PathEffect effect;
    effect.original = compute({});
    std::vector<Edit> frozen;
    for (const Attention& attention : pass.map.attentions)
        for (Index head = 0; head < attention.heads; ++head) {
            const bool sends = attention.path == sender.attention && head == sender.head;
            const Tensor& from = sends ? other.find(attention.mixed->path)->value : attention.mixed->value;
            HEADLIGHT_CHECK(from.shape() == attention.mixed->shape(), "two sentences of other lengths");
            frozen.push_back(kept_matrix(*attention.mixed, head, from));
        }
    compute(frozen);
    std::vector<Edit> heard;
    for (const PathReceiver& receiver : receivers) {
        const Attention* attention = pass.map.attention(receiver.attention);
        HEADLIGHT_CHECK(attention, "no attention " + receiver.attention);
        const Node& input = input_of(*attention, receiver.input);
        const Index shared = attention->heads / input.value.batch();
        heard.push_back(kept_matrix(input, receiver.head / shared, input.value));
    }
    effect.patched = compute(heard);
    pass.graph.set_edits(edits);
    return effect;
}

} // namespace headlight
