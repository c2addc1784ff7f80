#pragma once

#include "engine/model/family.h"
#include "engine/model/layers.h"
#include "engine/model/stack.h"
#include "engine/ops/gather.h"
#include "engine/ops/pointwise.h"

namespace headlight {

// What the families have in common beside the modules of our own models.

constexpr TokenId no_padding = -1; // no token has this id: nothing is hidden

// --- weights -----------------------------------------------------------------------------------------------
void declare_linear_layer(Parameters& parameters, const std::string& name, Index out, Index in,
                          bool has_bias = true);
void declare_layer_norm(Parameters& parameters, const std::string& name, Index d_model);

// --- building ----------------------------------------------------------------------------------------------
struct Construction {
    std::unique_ptr<Model> model = std::make_unique<Model>();
    ModelConfig config;
    Builder build;
    LayerContext context{build, config, 0};

    Construction(const Family& family, Parameters& parameters, const TransformerOptions& options)
        : config(family.shared_config()), build{model->graph, model->map, parameters, options.gradients} {}
    Construction(const Construction&) = delete; // the context refers to its neighbours
    Construction& operator=(const Construction&) = delete;

    // A layer of a stack whose output is known as "decoder.0.output" too.
    Node* add_layer(Node* x, Index number, const Stream& stream, const std::function<Node*(Node*)>& make);
    Node* attend(Node* x, Node* keys_from, Node* mask, const std::string& scope, const AttentionShape& shape,
                 const std::function<AttentionWeights()>& weights);
};

// A decoder that reads nothing but its own words: GPT-2, Llama. Weights by name.
struct DecoderAlone {
    Stream stream;
    std::string table, positions, norm, output; // no positions: ""
};
// x, its number in the stack, and the mask of what lies ahead → what it makes of x.
using MakeLayer = std::function<Node*(Node*, Index, Node*)>;
std::unique_ptr<Model> decoder_alone(Construction& made, const DecoderAlone& parts,
                                     const TransformerOptions& options, const MakeLayer& make);

// GPT-2: Radford et al. 2019, “Language Models are Unsupervised Multitask Learners”. A decoder alone,
// pre-norm, with learned positions; its output matrix is its embedding.

// Defaults are those of the smallest published model.
struct Gpt2Config {
    Index layers = 12, heads = 12, d_model = 768, d_ff = 0; // d_ff 0: 4 · d_model
    Index positions = 1024, vocabulary = 50257;
    Activate activation = gelu_tanh;
    double layer_norm_eps = 1e-5;
    bool scales_scores = true;        // by 1/√d_k
    bool scales_by_layer = false;     // and by 1/(layer + 1), layers counted from 0
    bool tied = true;                 // the output matrix is the embedding
    std::vector<TokenId> before = {}; // fed in front of a text
    Index words_said = 20;            // at most, unless more are asked for
    std::vector<TokenId> ends = {50256};

    Index width_of_feed_forward() const { return d_ff > 0 ? d_ff : 4 * d_model; }
};

// One stream, "decoder", which is written: "output.logits" [n × T × vocabulary] are of the next word.
std::shared_ptr<const Family> gpt2(const Gpt2Config& config);

// Llama: Touvron et al. 2023, and what is built like it (Qwen2, SmolLM2, TinyLlama). A decoder alone,
// pre-norm with RMS norms, rotary positions, grouped keys and values, and a gated feed-forward network.

struct LlamaConfig {
    Index layers = 32, heads = 32, key_heads = 32, d_model = 4096, d_ff = 11008;
    Index d_k = 128; // need not be d_model / heads
    Index positions = 2048, vocabulary = 32000;
    Activate activation = silu;
    double rms_norm_eps = 1e-6;
    Rotation rotation = {};
    bool biased_qkv = false, biased_o = false, biased_mlp = false;
    bool tied = false;
    std::vector<TokenId> before = {}; // fed in front of a text: {<s>} where the tokenizer says so
    Index words_said = 20;            // at most, unless more are asked for
    std::vector<TokenId> ends = {2};
};

// One stream, "decoder", which is written: "output.logits" [n × T × vocabulary] are of the next word.
std::shared_ptr<const Family> llama(const LlamaConfig& config);

// Marian: Junczys-Dowmunt et al. 2018, as the opus-mt models of Tiedemann & Thottingal 2020 are. The
// encoder-decoder of Vaswani et al. 2017, post-norm, whose matrices of words are one.

struct MarianConfig {
    static constexpr const char* prefix = "model."; // in files
    Index encoder_layers = 12, decoder_layers = 12, encoder_heads = 16, decoder_heads = 16;
    Index d_model = 1024, encoder_d_ff = 4096, decoder_d_ff = 4096;
    Index positions = 1024, source_vocabulary = 58101, target_vocabulary = 58101;
    Index most_fed = 0; // positions of the decoder that are used when it writes; 0: all
    Activate activation;
    bool scales_embeddings = false; // × √d_model
    bool shares_embeddings = true;  // of source and target
    bool tied = true;               // the output matrix is the target's embedding
    bool stored_source_positions = false, stored_target_positions = false; // else they are computed
    TokenId pad = 58100, end = 0, start = 58100; // start: what the decoder begins with
    std::vector<TokenId> never = {58100};        // ids that are not said

    MarianConfig();
};

// Two streams, "encoder" and "decoder": "output.logits" [n × T × target vocabulary].
std::shared_ptr<const Family> marian(const MarianConfig& config);

// BERT: Devlin et al. 2018. An encoder alone, post-norm; it fills in masked words, sorts sentences, or only
// reads.

// What its weights are called; without the ".weight" and ".bias" that follow.
struct BertNames {
    std::string prefix;                                                 // in files, "bert."
    std::string layers;                                                 // "encoder.layer", then the number
    std::string q, k, v, o, attention_norm, first, second, output_norm; // behind the layer's name
    std::string pooler, classifier;                                     // of classes
    std::string transform, transform_norm, bias, decoder;               // of words; bias: the whole name
};
const BertNames& bert_names();

// Defaults are those of BERT-base.
struct BertConfig {
    enum class Says { nothing, classes, words };
    BertNames names = bert_names();
    Says says = Says::nothing;
    Index layers = 12, heads = 12, d_model = 768, d_ff = 3072;
    Index positions = 512, vocabulary = 30522;
    Index types = 2; // of tokens: which sentence; 0: it has no such table
    Activate activation;
    Activate pooler_activation;
    double layer_norm_eps = 1e-12;
    TokenId pad = 0;
    bool tied = true;                             // words: the output matrix is the embedding
    std::vector<std::string> labels;              // of classes, by number
    std::vector<TokenId> before = {}, after = {}; // {[CLS]}, {[SEP]}

    BertConfig();
};

// One stream, "encoder", which is only read. Of words "output.logits" [n × T × vocabulary] say what stands at
// each position; of classes they are [n × 1 × labels]; else the output is what the last layer gives.
std::shared_ptr<const Family> bert(const BertConfig& config);

// DistilBERT: Sanh et al. 2019. BERT with half of the layers, without token types and without its pooler.

// BERT's config with DistilBERT's defaults and names; the rest is as BERT's.
BertConfig distilbert_config();

} // namespace headlight
