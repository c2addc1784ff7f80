#pragma once

#include "engine/model/config.h"
#include "engine/model/model_map.h"
#include "engine/model/parameters.h"

#include <memory>

namespace headlight {

// A model: a graph, and the map of what it is. Any builder returns one.

struct Model {
    Graph graph;
    ModelMap map;

    // Where a pass ends that only asks for the output: before the loss.
    Index end_of_output() const {
        return map.output.loss ? map.output.loss->index : Index(graph.nodes().size());
    }
};

// Which weights a Transformer has: names, shapes and order of a PyTorch module with `source_embedding`,
// `target_embedding`, `transformer = torch.nn.Transformer(…)` and `generator`. Of one stack alone: with
// `encoder` or `decoder = torch.nn.TransformerEncoder(…)` instead, one embedding, and `classifier` for
// classes. With batch norm `norm1` and the others are torch.nn.BatchNorm1d(d_model) instead of LayerNorm:
// they have running_mean and running_var too. Tied embeddings are there once, under the name that comes
// first: neither generator.weight nor, beside source_embedding.weight, target_embedding.weight.

// Every parameter of the model, declared and not yet allocated: names and shapes cost nothing. The sizes of
// the config must be positive and d_model a multiple of num_heads; check_config (engine/io/model_folder.h)
// says so of a config that comes from outside.
Parameters list_parameters(const ModelConfig& config);
// The same, allocated: all zeros.
Parameters declare_parameters(const ModelConfig& config);

struct TransformerOptions {
    bool dropout = false; // for training only
    // Batch norm by mean and variance of the batch at hand, as in training; else by those that training kept.
    bool batch_statistics = false;
    bool probabilities = true;  // softmax of the logits; the loss does not need it
    bool loss = false;          // with goal tokens and cross-entropy
    double label_smoothing = 0; // of the loss
    Real* gradients = nullptr;  // where backward writes the weights' gradients; null: in the pass
};

// The encoder of the Transformer alone, which reads and judges: Devlin et al. 2018, with the layers of
// Vaswani et al. 2017, §3.1.

// One stream, "encoder", read as `tokens </s>`. With Head::tokens a word of the second vocabulary is said for
// each of them, "output.logits" [n × T × target vocabulary]; with Head::classes one class for all of them,
// "output.logits" [n × 1 × labels], of their mean "output.pooled". With a loss the goal is "output.goal".
std::unique_ptr<Model> build_encoder_only(const ModelConfig& config, Parameters& parameters,
                                          const TransformerOptions& options);

// The decoder of the Transformer alone, which has nothing to read but what it wrote: Radford et al. 2018,
// with the layers of Vaswani et al. 2017, §3.1. Without an encoder the middle sublayer falls away, so that a
// layer is one of the encoder under the mask that hides what is yet to come.

// One stream, "decoder", fed `<s> tokens`; its next words are said, "output.logits" [n × T × target
// vocabulary]. With a loss the goal is "decoder.goal".
std::unique_ptr<Model> build_decoder_only(const ModelConfig& config, Parameters& parameters,
                                          const TransformerOptions& options);

// The Transformer of Vaswani et al. 2017, Figure 1, as a graph: both of its stacks, or one of them alone.

// Of both stacks: two streams, "encoder" and "decoder", and words said, "output.logits" [n × T × target
// vocabulary]. With a loss the goal is "decoder.goal" and the loss "output.loss" [1 × 1]. The parameters must
// live as long as the graph; their values may change between passes. Recurrent: recurrent.h.
std::unique_ptr<Model> build_transformer(const ModelConfig& config, Parameters& parameters,
                                         const TransformerOptions& options = {});

// What batch norm keeps for the time after training (Ioffe & Szegedy 2015, §3.1): of each column a mean and a
// variance, by which it norms whatever else is in the batch.

// Behind the norm's name, as torch.nn.BatchNorm1d calls them.
inline constexpr const char *running_mean = ".running_mean", *running_variance = ".running_var";

// Takes the statistics of the last forward pass into the parameters' running ones, with PyTorch's momentum of
// 0.1. The pass was built with TransformerOptions::batch_statistics; of layer norm nothing happens.
void keep_running_statistics(const Model& pass, Parameters& parameters);

} // namespace headlight
