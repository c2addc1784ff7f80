// BERT: Devlin et al. 2018. An encoder alone, post-norm; it fills in masked words, sorts sentences, or only
// reads.
#pragma once

#include "engine/model/family.h"
#include "engine/ops/activations.h"

namespace headlight {

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

} // namespace headlight
