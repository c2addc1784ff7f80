// Sizes and choices of a model; defaults are those of Vaswani et al. 2017, §3.
#pragma once

#include "engine/base/index.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

using TokenId = std::int32_t;

enum class Activation { relu, gelu };
enum class NormPosition { post, pre }; // LayerNorm(x + f(x)), or x + f(LayerNorm(x))
enum class Norm { layer, batch };      // Ba, Kiros & Hinton 2016; Ioffe & Szegedy 2015
enum class PositionalEncoding { sinusoidal, learned, none };

// Which of the two stacks there are: an encoder alone reads and judges (Devlin et al. 2018), a decoder alone
// writes on (Radford et al. 2018). Or what there was before Transformers.
enum class Architecture {
    encoder_decoder,
    encoder_only,
    decoder_only,
    rnn,           // recurrent networks that write on, as a decoder alone does: Elman 1990
    lstm,          // Hochreiter & Schmidhuber 1997
    gru,           // Cho et al. 2014
    rnn_fixed,     // two GRUs; the second begins with what the first ended with (Sutskever et al. 2014)
    rnn_attention, // and looks back at all that the first has read (Bahdanau et al. 2014)
};
enum class Head {
    tokens,
    classes
}; // what an encoder alone says: a word for every word, or one class for all

struct ModelConfig {
    Architecture architecture = Architecture::encoder_decoder;
    Head head = Head::tokens;        // of an encoder alone
    std::vector<std::string> labels; // what its classes are called, by number
    Index d_model = 64;
    Index num_heads = 4;
    Index encoder_layers = 2;
    Index decoder_layers = 2;
    Index d_ff = 256;
    Activation activation = Activation::relu;
    NormPosition norm_position = NormPosition::post;
    Norm norm = Norm::layer;      // the paper's; batch norm stands wherever layer norm would
    bool final_norm = false;      // one more norm after the last layer of each stack
    double layer_norm_eps = 1e-5; // ε of either
    PositionalEncoding positional_encoding = PositionalEncoding::sinusoidal;
    bool scale_embeddings = true; // × √d_model, §3.4
    // One matrix is the table of what is read, of what is written, and the weight by which words are said,
    // §3.4 (Press & Wolf 2017): of Transformers that write, with one vocabulary.
    bool tie_embeddings = false;
    double dropout = 0.1;
    Index max_length = 64; // positions of a sequence, </s> included
    // Of what is read and of what is said. A decoder alone says what it reads; of classes there are labels.
    Index source_vocab_size = 0;
    Index target_vocab_size = 0;
    TokenId pad_id = 0, bos_id = 1, eos_id = 2, unk_id = 3;

    bool is_recurrent() const { return architecture >= Architecture::rnn; }
    bool has_encoder() const {
        return architecture == Architecture::encoder_decoder || architecture == Architecture::encoder_only
               || architecture == Architecture::rnn_fixed || architecture == Architecture::rnn_attention;
    }
    bool has_decoder() const { return architecture != Architecture::encoder_only; }
    // The tables that the decoder reads from, and that words are said by, by their parameters' names.
    const char* target_table() const {
        return tie_embeddings && has_encoder() ? "source_embedding.weight" : "target_embedding.weight";
    }
    const char* output_table() const { return tie_embeddings ? target_table() : "generator.weight"; }
    bool sorts() const { return architecture == Architecture::encoder_only && head == Head::classes; }
    Index d_k() const { return d_model / num_heads; } // width of a head, §3.2.2
    bool operator==(const ModelConfig&) const = default;
};

// Sizes of what there is not follow from the architecture: a missing stack has no layers, and where there is
// one vocabulary it serves both sides.
inline ModelConfig settled(ModelConfig config) {
    if (!config.has_encoder()) config.encoder_layers = 0, config.source_vocab_size = config.target_vocab_size;
    if (!config.has_decoder()) config.decoder_layers = 0;
    if (config.sorts()) config.target_vocab_size = config.source_vocab_size;
    if (!config.sorts()) config.labels.clear();
    if (config.architecture != Architecture::encoder_only) config.head = Head::tokens;
    if (config.is_recurrent() || !config.has_decoder()) config.tie_embeddings = false;
    if (config.is_recurrent()) {
        config.num_heads = 1, config.d_ff = config.d_model;
        config.positional_encoding = PositionalEncoding::none; // the order of steps is all it has
        config.scale_embeddings = config.final_norm = false;
        config.activation = Activation::relu, config.norm_position = NormPosition::post;
        config.norm = Norm::layer; // there is none
        if (config.has_encoder()) config.encoder_layers = config.decoder_layers;
    }
    return config;
}

} // namespace headlight
