#pragma once

#include "engine/model/layers.h"
#include "engine/model/transformer.h"

#include <functional>
#include <string>

namespace headlight {

// Recurrent layers, with the equations and the weights of torch.nn.RNN, LSTM and GRU.

enum class RecurrentKind {
    rnn,  // h = tanh(x W_ih + b_ih + h' W_hh + b_hh): Elman 1990
    lstm, // Hochreiter & Schmidhuber 1997, with the forget gate of Gers et al. 2000
    gru,  // Cho et al. 2014, with r inside: n = tanh(x W_in + b_in + r ⊙ (h' W_hn + b_hn))
};

// Blocks of H rows in its weights, in PyTorch's order: h; i, f, g, o; r, z, n.
Index gates_of(RecurrentKind kind);

// torch.nn's: `torch`.weight_ih_l{number} [gates·H × in], .weight_hh_l{number} [gates·H × H],
// .bias_ih_l{number} and .bias_hh_l{number}.
void declare_recurrent_layer(Parameters& parameters, const std::string& torch, Index number,
                             RecurrentKind kind, Index in, Index hidden);

struct RecurrentLayerOptions {
    RecurrentKind kind = RecurrentKind::gru;
    std::string torch = "rnn";    // the module that it belongs to
    Index number = 0;             // in this module
    Index hidden = 1;             // H
    const Node* tokens = nullptr; // whose positions are the steps
    Node* initial = nullptr;      // h before the first step [n × 1 × H]; null: zeros
    // What each step reads, made of the state before it, [n × T × in], where that depends on it (attention);
    // null: x as it is. Computed step by step too.
    std::function<Node*(Node* before)> read = {};
};

// One layer, in the present scope: "from_input", "before", "from_state", its gates by name ("input_gate",
// "forget_gate", "cell_candidate", "output_gate"; "reset_gate", "update_gate", "new"), "cell" and "hidden".
// x [n × T × in] → h [n × T × H].
Node* recurrent_layer(Node* x, Builder& build, const RecurrentLayerOptions& options);

// Additive attention: Bahdanau et al. 2014, §3.1: e_ij = vᵀ tanh(W_a s_{i−1} + U_a h_j), α = softmax(e),
// c_i = Σ_j α_ij h_j. Weights: `torch`.query.weight W_a, .key.weight U_a, both [A × H], .energy.weight vᵀ
// [1 × A], without biases as in the paper. Keys are made once, in the present scope, the rest step by step.
void declare_additive_attention(Parameters& parameters, const std::string& torch, Index width, Index hidden);
struct AdditiveAttention {
    std::string scope; // "additive_attn"
    Node *w_query = nullptr, *v = nullptr, *keys = nullptr, *memory = nullptr, *mask = nullptr;
};
AdditiveAttention begin_additive_attention(Node* memory, Node* mask, Builder& build, const std::string& scope,
                                           const std::string& torch);
// The queries' states [n × T × H] → the contexts [n × T × H]: "query", "scores", "masked", "weights",
// "context".
Node* attend(const AdditiveAttention& attention, Node* states, Builder& build);

// Models of recurrent networks: what there was before Transformers, for the race against them.

// Architecture::rnn, lstm and gru: one stream, "rnn", fed `<s> tokens`; its next words are said from the last
// layer's h, "output.logits" [n × T × target vocabulary]. Weights: target_embedding.weight, those of a module
// `rnn` = torch.nn.RNN, LSTM or GRU, generator.
// rnn_fixed and rnn_attention: "encoder" reads `tokens </s>`, and the state that it ends with,
// "encoder.final" [n × 1 × d_model] (however much padding follows), is where "decoder" begins. With attention
// the decoder's steps read [word; context], the context by additive attention to all that was read,
// "decoder.0.additive_attn" (of one layer). Weights: source_embedding, target_embedding, `encoder` and
// `decoder` = torch.nn.GRU, `attention`, generator. H = d_model, the width of embeddings.
std::unique_ptr<Model> build_recurrent_model(const ModelConfig& config, Parameters& parameters,
                                             const TransformerOptions& options);

// Declared and not yet allocated.
Parameters list_recurrent_parameters(const ModelConfig& config);

} // namespace headlight
