// What stands around the layers of a stack: the embedding before them, the norm behind, and what is said.
#pragma once

#include "engine/model/layers.h"

namespace headlight {

// Token ids as they are fed: "tokens", the beginning of a stream. Called in the scope of its stack.
Stream& begin_stream(Builder& build, Stream stream);
// The same in the scope of a stack.
Stream& begin_stream(Builder& build, const std::string& stack, Stream stream);
// What should have been said, "decoder.goal": in the scope of a stack, for a loss.
Node* goal_tokens(Builder& build, const std::string& stack);

// §3.4 and §3.5: rows of the embedding table `table`, × √d_model, plus the positional encoding (learned:
// rows of `position_table`): "embed.…" → [n × T × d_model].
Node* embed(Stream& stream, LayerContext& context, const std::string& table,
            const std::string& position_table);

// Its parts, for those that embed otherwise; in the scope "embed".
// Rows of the embedding table, × √d_model when the config says so: "tokens", "scaled".
Node* embed_words(Stream& stream, LayerContext& context, const std::string& table);
// x plus a code for each position, "positions", as the value `as`; `codes` are not named yet.
Node* add_positions(Node* x, Node* codes, Stream& stream, Builder& build, const std::string& as = "output");
// Rows of a table of learned positions, one for each token.
Node* learned_positions(Stream& stream, Builder& build, const std::string& table);

// Who may look at whom: [n × queries × keys], "mask" or by another name. Of a stream to itself the mask
// becomes the stream's own.
Node* mask(const std::string& as, Stream& queries, Stream& keys, bool causal, LayerContext& context);
// The same where another id is padding; of one that no token has, nothing is hidden for that.
Node* mask(const std::string& as, Stream& queries, Stream& keys, bool causal, TokenId padding,
           Builder& build);

// The number-th layer of a stack: `make` builds it, in a scope of its own.
Node* layer(Node* x, Index number, const Stream& stream, Builder& build,
            const std::function<Node*(Node*)>& make);

// The last layer's output is the stack's; with final_norm there is one more layer norm, `torch_name`.
Node* end_stream(Node* x, Stream& stream, LayerContext& context, const std::string& torch_name);

// All of that: a stack of encoder layers over one stream, in a scope of the stream's name. With `causal` no
// position sees a later one: what a decoder is that has nothing to read (Radford et al. 2018).
struct StackNames {
    std::string side;  // "source": of its embedding table and its learned positions
    std::string torch; // "transformer.encoder": what its layers and its norm belong to
};
Node* self_attending_stack(Stream& stream, bool causal, Index layers, LayerContext& context,
                           const StackNames& names);

// Words after words: logits = x Wᵀ + b over the stream's vocabulary, in the scope "output"; without a bias
// where none is called so.
struct WordsOptions {
    bool probabilities = true;
    Node* goal = nullptr; // with a loss
    std::int32_t pad_id = 0;
    double label_smoothing = 0;
};
void say_words(Node* x, const Stream& stream, Builder& build, const std::string& weight,
               const std::string& bias, const WordsOptions& options);

// For every word that was read one of other words, whose vocabulary no stream has; else the same.
void say_a_word_each(Node* x, Builder& build, const std::string& weight, const std::string& bias,
                     const WordsOptions& options);

// Logits over classes of a row for each sequence, and all that follows from them; in the scope of the output.
void say_classes(Node* x, Builder& build, const std::string& weight, const std::string& bias,
                 WordsOptions options);

// One class for the whole sequence: logits = x̄ Wᵀ + b of the mean x̄ over its tokens, padding not counted.
// "output.pooled" [n × 1 × d_model], "output.logits" [n × 1 × classes]; a goal is the number of a class.
void say_class(Node* x, const Stream& stream, Builder& build, const std::string& weight,
               const std::string& bias, const WordsOptions& options);

} // namespace headlight
