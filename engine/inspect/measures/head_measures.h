// What heads look at, measured: many heads in one map, scores of simple patterns, attention rollout, and
// attention weighted by what it carries.
#pragma once

#include "engine/inspect/patterns.h"
#include "engine/model/model.h"

#include <memory>

namespace headlight {

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

} // namespace headlight
