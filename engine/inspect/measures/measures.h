#pragma once

#include "engine/graph/graph.h"
#include "engine/inspect/heads.h"
#include "engine/inspect/sweep.h"
#include "engine/model/transformer.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// What operations that measure a model share: they read its values, and nothing learns through them.

struct MeasureOp : Op {
    void backward(Node&) const override {}
};

// A node of the model as an input: it is only read.
inline Node* read_only(const Node& node) { return const_cast<Node*>(&node); }

template <class Measure>
Node* measured(Graph& graph, Measure measure, std::vector<Node*> inputs) {
    return graph.add(std::make_unique<Measure>(std::move(measure)), std::move(inputs));
}

// "The same operation on another input": a part of a model once more, from a value that stands in for one of
// its own.

// Into `graph`, which stands on the model's: every node of the model from behind `original` up to `last` that
// depends on it, computed from `substitute` in its place, in boxes and under names like theirs within the
// present scope. The model's edits of these nodes hold for their twins. Returns each one's twin.
std::map<const Node*, Node*> build_as_in(const Graph& model, Graph& graph, const Node& original,
                                         const Node& substitute, const Node& last);

// What a model would say if one of its stacks stopped after an earlier layer: of what is written the logit
// lens (nostalgebraist 2020), of what is read DecoderLens (Langedijk et al. 2023).

// How many places there are to stop: after the embedding and after each layer. 0 when what is said does not
// depend on the stream.
Index lens_stops(const Model& model, const Stream& stream);

// "measures.lens.STREAM.STOP.…": everything behind the stream's last layer once more, up to what is said,
// from what passes at this stop, as "….output.probabilities" and under the names that the values have in the
// model; "….said" is what is said in the end. At the last stop it is what the model says.
void build_lens(Graph& graph, const Model& model, const Stream& stream, Index stop);

// What is said in the end: probabilities, or numbers where there are none. Null of a model that says nothing.
const Node* said_by(const ModelMap& map);

// What heads look at, measured: many heads in one map, scores of simple patterns, attention rollout, and
// attention weighted by what it carries.

// Of [heads × T × S] weights, [1 × T × S].
Node* heads_mean(Graph& graph, const Node& weights);
Node* heads_maximum(Graph& graph, const Node& weights);

// Σ A⊙P over the queries that have keys in the pattern P: over their number ("mean"), or over the attention
// of all queries ("share": Σ A⊙P / Σ A, TransformerLens's "mul"). Queries that may look at nothing are none.
// [heads × 1 × 1]; 0 when no query has such keys. Words are compared where both sides are one sentence.
enum class PatternScore { mean, share };
Node* pattern_score(Graph& graph, const Attention& attention, HeadMeasure measure, PatternScore score);
// Whether it says anything of this attention: "self" not between two sentences, words compared only within
// one.
bool is_defined(HeadMeasure measure, const Attention& attention);
// Queries of the sentence at hand that have keys in the pattern.
Index queries_with_keys(HeadMeasure measure, const Attention& attention);

// ½ A + ½ I of one matrix A [1 × T × T], rows made to sum to 1: attention, and the residual stream past it
// (Abnar & Zuidema 2020, §3).
Node* with_residual(Graph& graph, Node* attention);

// f^h(x_s) = (x_s W_V^h + b_V^h) W_O^h of every key [heads × S × d_model]; ‖f^h(x_s)‖ [heads × S × 1];
// A^h[t,s] · ‖f^h(x_s)‖ [heads × T × S] (Kobayashi et al. 2020, eq. 4).
Node* carried_values(Graph& graph, const Attention& attention);
Node* row_norms(Graph& graph, Node* rows);
Node* weighted_by_columns(Graph& graph, const Node& weights, Node* norms);

// "measures.heads.ATTENTION.…": "mean", "maximum", "previous", "previous_share", …
void build_head_scores(Graph& graph, const Attention& attention);
// "measures.values.ATTENTION.…": "carried", "norms", "weighted".
void build_value_weighted(Graph& graph, const Attention& attention);
// "measures.rollout.STREAM.LAYER.…" of its self-attentions, from 0: "mean", "with_residual", "rollout".
void build_rollout(Graph& graph, const ModelMap& map, const Stream& stream);

// Direct logit attribution: how much of one logit, or of the difference of two, each part of the residual
// stream brings by itself (Elhage et al. 2021; Wang et al. 2022).
//
// With the statistics of every norm on the way held as they are, the way from the stream to a logit is
// linear, so a direction that the logit reads at the end, W_U[w] − W_U[w'], can be carried back through it:
// through a norm, g = (u ⊙ γ − mean(u ⊙ γ)) / σ (without a centre u ⊙ γ / σ), through W_O of an attention to
// the vectors of its heads. Then a part c brings c · g. Carried back through the norms of a post-norm model
// it passes each of them: the sum is exact there too, but a part then means "with all later norms as they
// are".

struct AttributedPart {
    enum class Kind {
        embedding,      // of the words
        positions,      // their codes
        heads,          // of an attention; a share for each of them
        attention_bias, // b_O
        feed_forward,   // all that such a network adds
        shift,          // β of a norm
        bias,           // of the logits
        change,         // what a what-if adds to a value by hand
        other,
    };
    Kind kind = Kind::other;
    const Node* value = nullptr; // of the model: what brings the share
    const Node* share = nullptr; // of the measure: [1 × 1 × 1], of heads [heads × 1 × 1]
};

struct Attribution {
    std::vector<AttributedPart> parts; // in order of computation
    const Node* sum = nullptr;         // of all shares
    const Node* logit = nullptr;       // as the model computed it: the same but for rounding
};

// Whether the way from the residual stream to what is said is linear, norms held; else there is an activation
// on it, as in BERT's heads.
bool has_linear_way(const ModelMap& map);

// Of the logit of target's word in its row, or of the difference to another word's.
// "measures.attribution.…": "VALUE.share", "ATTENTION.heads", "ATTENTION.by_key" [heads × 1 × keys] (through
// which key a head brings it), "sum", "logit". There is a linear way.
Attribution build_attribution(Graph& graph, const Model& model, const SweepTarget& target);

// Measures of a model by their paths: each is a small graph that stands on the model's, so every number of it
// answers with its arithmetic, and its terms lead on into the model.
//
//   measures.heads.ATTENTION.…            mean, maximum, and the scores of patterns
//   measures.values.ATTENTION.…           attention weighted by what it carries
//   measures.rollout.STREAM.LAYER.…       attention rollout
//   measures.lens.STREAM.STOP.…           what is said after an earlier layer
//   measures.attribution.…                direct logit attribution

constexpr std::string_view measures_prefix = "measures.";
constexpr const char* attribution_name = "measures.attribution";
inline bool is_measure(std::string_view path) { return path.starts_with(measures_prefix); }

struct MeasureGraph {
    Graph graph;
    Attribution attribution; // of "measures.attribution"
};

// All that this model has, one name for each graph: "measures.lens.decoder.2". A value's path begins with the
// name of the graph that computes it.
std::vector<std::string> measure_graphs(const Model& model);

// Which of them computes a value of this path, or would; empty when none does.
std::string measure_graph_of(std::string_view path, const Model& model);

// Built on the model as it is computed now, and computed itself; it is out of date when the model computes
// again, which it must not outlive. `target`: of an attribution.
std::unique_ptr<MeasureGraph> compute_measure(const std::string& graph, const Model& model,
                                              const SweepTarget& target);

} // namespace headlight
