// What a model is, told by the builder that made its graph: which sequences it reads, who attends to whom,
// where its layers begin and end, what its output means, and how its values are written in formulas. Whoever
// shows, changes or measures a model asks this map or the operations, never the spelling of a path.
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/config.h"

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight {

// A sequence of tokens on its way through the model: the source, the target, or the only one.
struct Stream {
    std::string name = {};  // of the stack that it passes: "encoder"
    Node* tokens = nullptr; // ids as fed [sequences × length × 1]
    Index vocabulary_size = 0;
    Index vocabulary = 0;    // which one: streams with the same number share theirs
    Index max_length = 0;    // tokens as fed, those around its words included
    bool is_written = false; // word after word, each from those before it; else it is only read
    std::vector<TokenId> before = {}, after = {}; // around its words as it is fed: {<s>}, {</s>}
    std::vector<TokenId> ends = {};  // what is written ends with any of these; the first is the usual
    std::vector<TokenId> never = {}; // is not said, whatever its logit: Marian's <pad>

    Index usual_words = 0; // said at most, unless more are asked for; 0: as many as have room

    // The words as they are fed, with what stands around them.
    std::vector<TokenId> around(std::vector<TokenId> words) const;
    bool is_end(TokenId id) const { return std::find(ends.begin(), ends.end(), id) != ends.end(); }
    // How many words have room.
    Index max_words() const { return max_length - Index(before.size() + after.size()); }

    Node* types = nullptr;            // which sentence each token is of (gather.h); null: nobody asks
    bool is_causal = false;           // no position sees a later one
    const Node* mask = nullptr;       // of its attention to itself; null when it has none
    const Node* embeddings = nullptr; // rows of the table, as they are
    const Node* positions = nullptr;  // codes that are added; null when there are none
    const Node* embedded = nullptr;   // what the first layer reads [n × T × d_model]
    const Node* output = nullptr;     // behind the last layer [n × T × d_model]
};

// Queries of one stream look at the keys of another, or of the same. Nodes that an attention does not have
// are null.
struct Attention {
    std::string path;               // "decoder.1.cross_attn": of its box
    Index heads = 1, key_heads = 1; // groups of heads / key_heads heads share keys and values
    const Node *q = nullptr, *k = nullptr, *v = nullptr;   // [heads, T, d_k], [key_heads, S, d_k]
    const Node *q_rotated = nullptr, *k_rotated = nullptr; // by their positions, where they are
    const Node *scores = nullptr, *scaled = nullptr, *mask = nullptr, *masked = nullptr;
    const Node* weights = nullptr; // [heads, T, S]
    const Node* mixed = nullptr;   // weights · V: [heads, T, d_k]
    const Node *concat = nullptr, *output = nullptr;

    // The tokens whose words are the queries and the keys.
    const Node* query_tokens() const { return weights->axes.rows.tokens; }
    const Node* key_tokens() const { return weights->axes.columns.tokens; }
    bool is_self() const { return query_tokens() == key_tokens(); }
    // What the scores are products of: rotated, where that is done.
    const Node* scored_q() const { return q_rotated ? q_rotated : q; }
    const Node* scored_k() const { return k_rotated ? k_rotated : k; }
    const Node& before_softmax() const { return weights->input(0); }
    // What may be made equal so that a mask still holds: the last scores before it.
    const Node& unmasked() const { return masked ? masked->input(0) : before_softmax(); }
};

// The same attention in another pass of the model.
Attention in_graph(const Attention& attention, const Graph& graph);

struct Layer {
    std::string path;             // "encoder.0"
    const Node* tokens = nullptr; // of the stream that passes
    const Node *input = nullptr, *output = nullptr;
};

// x + f(x): where the residual stream takes up what a sublayer says.
struct ResidualSum {
    const Node* sum = nullptr;
    const Node& past() const { return sum->input(0); }
    const Node& sublayer() const { return sum->input(1); }
};

struct FeedForward {
    const Node *hidden = nullptr, *activated = nullptr, *output = nullptr;
    const Node *up = nullptr, *product = nullptr; // of a gated one: output = (activated ⊙ up) W
};

// A layer that goes from step to step in time. Nodes that its kind does not have are null.
struct RecurrentLayer {
    std::string path;                                        // "rnn.0"
    const Node* tokens = nullptr;                            // whose positions are its steps
    const Node *from_input = nullptr, *from_state = nullptr; // x W_ih + b_ih, h' W_hh + b_hh, of all gates
    const Node *before = nullptr, *cell_before = nullptr;    // h' and c', of the step before
    std::vector<const Node*> gates = {};           // in PyTorch's order; of each its name is what it is
    const Node *cell = nullptr, *hidden = nullptr; // c (LSTM) and h [n × T × H]
};

// A batch norm that norms by its batch; what it keeps belongs to these weights.
struct BatchNormed {
    const Node* norm = nullptr;
    std::string weights; // "transformer.encoder.layers.0.norm1"
};

// What the model says in the end.
struct Output {
    enum class Meaning {
        words,   // logits over a vocabulary at every position
        classes, // logits over classes
        number,  // any numbers
    };
    Meaning meaning = Meaning::number;
    const Node* tokens = nullptr; // of words: the stream whose next word is said; null: other words
    // Null where there are none. `values` are the numbers that it says: logits, or of Meaning::number those.
    Node *values = nullptr, *probabilities = nullptr, *chosen = nullptr, *goal = nullptr, *loss = nullptr;
    std::vector<std::string> labels = {}; // of classes, by number

    bool is_next_word() const { return meaning == Meaning::words && tokens != nullptr; }
};

// How a value is written in the formulas of a model.
struct Notation {
    Symbol symbol = {};       // given to the value itself
    bool is_named = true;     // its own formula begins with the symbol: "S = …"
    bool spelled_out = false; // formulas of its readers have its formula in place of its symbol
    bool per_head = false;    // its own formula is that of one head, with its index
    bool by_cells = false;    // … or that of one cell
    // What its own formula calls its inputs, where that is not their symbols: {"X"}; "" for their own.
    std::vector<std::string> inputs = {};
};

struct ModelMap {
    std::deque<Stream> streams;        // a deque: modules hold on to theirs
    std::vector<Attention> attentions; // in order of computation, as all below
    std::vector<Layer> layers;
    std::vector<ResidualSum> sums;
    std::vector<FeedForward> feed_forwards;
    std::vector<RecurrentLayer> recurrent_layers;
    std::vector<const Node*> norms;
    std::vector<BatchNormed> batch_norms; // of a pass in training; none of one that takes what was kept
    Output output;
    std::unordered_map<const Node*, Notation> notations; // a value without one is known by its name

    // --- looking; nullptr when there is none ------------------------------------------------------------
    const Stream* stream(std::string_view name) const;
    const Stream* stream_of(const Node* tokens) const;
    // The first sequence that is only read; that which is written.
    const Stream* source() const;
    const Stream* target() const;
    const Attention* attention(std::string_view path) const;
    const Attention* attention_of(const Node& value) const; // in whose box it stands
    // Which words of the source each word said looks at, last: else the last attention of all.
    const Attention* most_telling() const;
    const Layer* layer(std::string_view path) const;
    const RecurrentLayer* recurrent_layer_of(const Node& value) const;
    const Layer* layer_of(const Node& value) const;
    // The layers of the stack that a value stands in; of one outside of those with layers, the first stack's.
    std::vector<const Layer*> layers_beside(const Node& value) const;
    // Where the vectors of a stream pass by: after its embedding and after each of its layers. Of the rows of
    // these values each is one token on its way.
    std::vector<const Node*> passages(const Stream& stream) const;
    Index max_heads() const; // of any attention
    // How many words or classes the ids of a value (tokens, a choice) are of.
    Index words_of(const Node& ids) const;

    const Notation& notation(const Node& value) const;
    Symbol symbol(const Node& value) const;
};

// Whether a path is this place or lies in it: "encoder.0.add1" lies in "encoder.0", not in "encoder.01".
bool lies_in(std::string_view path, std::string_view place);

} // namespace headlight
