#pragma once

#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "engine/ops/gather.h"
#include "engine/ops/pointwise.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace headlight {

// What modules build with: the graph that is being made, its map, and the weights that it computes with.

struct Builder {
    Graph& graph;
    ModelMap& map;
    Parameters& parameters;
    Real* gradients = nullptr; // where backward writes, laid out like the parameters; null: in the pass

    // The whole parameter, or `count` of its rows (of a vector: columns) from `first` on; `as` is the value's
    // name in the present scope, `axes` what its rows and columns stand for. What was read before is the same
    // value again, under its first name: of tied weights the gradients are then one sum (Press & Wolf 2017).
    Node* weight(std::string_view as, const std::string& parameter_name, Notation notation = {},
                 Axes axes = {}, Index first = 0, Index count = -1);

    // The same, null when there is no such parameter: layers without a bias.
    Node* weight_if_any(std::string_view as, const std::string& parameter_name, Notation notation = {},
                        Axes axes = {}, Index first = 0, Index count = -1);

    // What training keeps and does not learn: a vector that no gradient reaches.
    Node* kept(std::string_view as, const std::string& parameter_name, Notation notation = {});

    // Names a value and says how it is written: scores = value("scores", matmul_nt(q, k), {.symbol = {"S"}}).
    Node* value(std::string_view as, Node* node, Notation notation, std::string_view family = {});

    const std::string& here() const { return graph.box().path; } // path of the present scope's box

    std::map<std::tuple<std::string, Index, Index>, Node*> weights_read = {}; // by name, first and count
};

// Multi-head attention: Vaswani et al. 2017, §3.2.

struct AttentionShape {
    Index heads = 1;
    Index key_heads = 1; // fewer than heads: groups of heads share keys and values (Ainslie et al. 2023)
    Index d_k = 1;       // width of a head
    std::optional<Rotation> rotation = {}; // of queries and keys, before their product (Su et al. 2021)
    std::optional<Constant> divisor = {};  // of the scores; none: √d_k
    bool is_scaled = true;                 // else they are not divided at all
};

// Values of the present scope: w_q [heads·d_k × d_model], w_k and w_v [key_heads·d_k × d_model],
// w_o [d_model × heads·d_k], and their biases, null where there is none.
struct AttentionWeights {
    Node *w_q, *b_q, *w_k, *b_k, *w_v, *b_v, *w_o, *b_o;
};

// As torch.nn.MultiheadAttention keeps them: W_Q, W_K and W_V in one matrix, one under another. `layer` is
// its name, "transformer.encoder.layers.0.self_attn".
AttentionWeights torch_attention_weights(Builder& build, const std::string& layer, Index d_model);

// The same packed matrix under other names: rows of `in`.weight are W_Q, W_K and W_V, and `out` is W_O.
AttentionWeights packed_attention_weights(Builder& build, const std::string& in_weight,
                                          const std::string& in_bias, const std::string& out, Index d_model);

// Each by itself: `q`.weight, and `q`.bias where there is one.
struct AttentionNames {
    std::string q, k, v, o;
};
AttentionWeights attention_weights(Builder& build, const AttentionNames& names);

// MultiHead(Q, K, V) = Concat(head_1, …, head_h) W_O, head_i = softmax(Q W_i^Q (K W_i^K)ᵀ / √d_k) V W_i^V.
// Queries come from one sequence, keys and values from another (the same, in self-attention).
// queries_from [n × T × d_model], keys_from [n × S × d_model], mask [n × T × S] (null: every query looks at
// every key) → [n × T × d_model].
Node* multi_head_attention(Node* queries_from, Node* keys_from, Node* mask, Builder& build,
                           const AttentionShape& shape, const AttentionWeights& weights);

// The position-wise feed-forward network: Vaswani et al. 2017, §3.3.

// FFN(x) = max(0, x W_1 + b_1) W_2 + b_2 (or GELU), each position on its own: [n × T × d_model] → the same.
// `layer` is the PyTorch name that linear1 and linear2 belong to.
Node* feed_forward(Node* x, Builder& build, const std::string& layer, Activation activation);

// The same with any activation f and weights of any names: f(x W_1 + b_1) W_2 + b_2, W_1 being `first`.weight
// and b_1 `first`.bias.
Node* feed_forward(Node* x, Builder& build, const std::string& first, const std::string& second,
                   Activate activate);

// Gated: (f(x W_g) ⊙ x W_u) W_d (Shazeer 2020: with f = SiLU it is SwiGLU); each with a bias, where there is
// one of that name.
struct GatedNames {
    std::string gate, up, down;
};
Node* gated_feed_forward(Node* x, Builder& build, const GatedNames& names, Activate activate);

// The layers of the encoder and the decoder: Vaswani et al. 2017, §3.1, Figure 1.

// What is alike in all layers of a model.
struct LayerContext {
    Builder& build;
    const ModelConfig& config;
    double dropout;                // 0 outside training
    bool has_rms_norms = false;    // else layer norms, or what the config says
    bool batch_statistics = false; // of batch norms, as in training
};

// x → self-attention → add & norm → feed-forward → add & norm. x, result [n × S × d_model].
Node* encoder_layer(Node* x, Node* mask, LayerContext context, const std::string& layer);

// The same with attention to the encoder's output (`memory`) in the middle. x, result [n × T × d_model].
Node* decoder_layer(Node* x, Node* memory, Node* self_mask, Node* cross_mask, LayerContext context,
                    const std::string& layer);

// What surrounds every sublayer, the number-th of its layer: post-norm as in the paper, LayerNorm(x + f(x)),
// or pre-norm, x + f(LayerNorm(x)) (Xiong et al. 2020). The names are the same, only the order changes.
Node* sublayer(Node* x, int number, LayerContext& context, const std::string& layer,
               const std::function<Node*(Node*)>& f);
// The same with a norm whose weights are called `norm_name`.{weight,bias}.
Node* normed_sublayer(Node* x, int number, LayerContext& context, const std::string& norm_name,
                      const std::function<Node*(Node*)>& f);

// Layer norm with the weights `torch_name`.{weight,bias}, or RMS norm with `torch_name`.weight alone; batch
// norm with `torch_name`.{running_mean,running_var} too, unless it norms by its batch. They stand in a scope
// of this name.
Node* norm(Node* x, const std::string& scope, LayerContext& context, const std::string& torch_name);

} // namespace headlight
