// All attention of the sentence at hand, measured: kept until the numbers change.
#pragma once

#include "app/session/session.h"
#include "engine/inspect/heads.h"

#include <string>
#include <vector>

namespace headlight {

struct MeasuredAttention {
    std::string path; // "decoder.1.cross_attn"
    const Node* weights = nullptr;
    const Stream *of = nullptr, *to = nullptr;  // the streams of its queries and keys
    bool says = false;                          // a query is about to say the next word
    std::vector<std::string> queries{}, keys{}; // the words at its rows and columns
    std::vector<MeasuredHead> heads{};
    KeptTensor mean{}, maximum{};
    KeptTensor rollout{}; // of this layer and those before; empty between two sentences
};

// Every attention of a sentence that was computed by `graph`, of the model itself or of another pass of it.
// It points into the graph.
std::vector<MeasuredAttention> measure_attention(const ModelMap& map, const Graph& graph,
                                                 const Sentence& sentence);

class HeadsData {
public:
    const std::vector<MeasuredAttention>& of(const Session& session);
    const MeasuredAttention* find(const Session& session, const std::string& path);

private:
    std::vector<MeasuredAttention> all_;
    unsigned long version_ = 0;
};

// The numbers of one map, [queries × keys]: of a head, or of all heads as one.
std::vector<Real> map_numbers(const MeasuredAttention& attention, HeadMap map, Index head);

// "heads.entropy", … as a number; none where the measure does not apply.
std::optional<double> measure_of(const MeasuredHead& head, const std::string& name);
const std::vector<std::string>& measure_names(); // "entropy", "self", …

} // namespace headlight
