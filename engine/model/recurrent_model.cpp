#include "engine/model/recurrent_model.h"

#include "engine/base/check.h"
#include "engine/model/recurrent.h"
#include "engine/model/stack.h"
#include "engine/ops/additive_attention.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/recurrent.h"

namespace headlight {

namespace {

RecurrentKind kind_of(Architecture architecture) {
    return architecture == Architecture::rnn    ? RecurrentKind::rnn
           : architecture == Architecture::lstm ? RecurrentKind::lstm
                                                : RecurrentKind::gru;
}

class RecurrentModel {
public:
    RecurrentModel(const ModelConfig& config, Parameters& parameters, const TransformerOptions& options)
        : config_(config),
          options_(options),
          build_{model_->graph, model_->map, parameters, options.gradients} {}
    RecurrentModel(const RecurrentModel&) = delete; // the context refers to its neighbours
    RecurrentModel& operator=(const RecurrentModel&) = delete;

    std::unique_ptr<Model> one_stack() {
        Stream& stream = begin_stream(build_, "rnn", written(0));
        Node* goal = options_.loss ? goal_tokens(build_, "rnn") : nullptr;
        Node* x = nullptr;
        {
            Scope scope(build_.graph, "rnn", stack_box());
            x = stack(embedded(stream, "target_embedding.weight"), stream, "rnn");
        }
        return said(x, stream, goal);
    }

    std::unique_ptr<Model> two_stacks() {
        Stream& source = begin_stream(build_, "encoder",
                                      {.vocabulary_size = config_.source_vocab_size,
                                       .vocabulary = 0,
                                       .max_length = config_.max_length,
                                       .after = {config_.eos_id}});
        {
            Scope scope(build_.graph, "encoder", stack_box());
            stack(embedded(source, "source_embedding.weight"), source, "encoder");
            keep_finals(source);
        }
        Stream& target = begin_stream(build_, "decoder", written(1));
        Node* goal = options_.loss ? goal_tokens(build_, "decoder") : nullptr;
        Node* x = nullptr;
        {
            Scope scope(build_.graph, "decoder", stack_box());
            x = embedded(target, "target_embedding.weight");
            x = config_.architecture == Architecture::rnn_attention ? attend_and_write(x, target, source)
                                                                    : stack(x, target, "decoder");
        }
        return said(x, target, goal);
    }

private:
    Stream written(Index vocabulary) const {
        return {.vocabulary_size = config_.target_vocab_size,
                .vocabulary = vocabulary,
                .max_length = config_.max_length,
                .is_written = true,
                .before = {config_.bos_id},
                .ends = {config_.eos_id}};
    }
    Node* dropped(Node* x, const char* as) {
        return context_.dropout > 0 ? name(as, dropout(x, context_.dropout)) : x;
    }
    Node* embedded(Stream& stream, const std::string& table) {
        Scope scope(build_.graph, "embed");
        Node* x = embed_words(stream, context_, table);
        build_.graph.alias("output", x);
        stream.embedded = x;
        return dropped(x, "dropout");
    }

    RecurrentLayerOptions options_of(Index number, const Stream& stream, const std::string& torch) const {
        return {.kind = kind_of(config_.architecture),
                .torch = torch,
                .number = number,
                .hidden = config_.d_model,
                .tokens = stream.tokens};
    }
    // Layers over one another; they begin with what those of the encoder ended with, when there is one.
    Node* stack(Node* x, Stream& stream, const std::string& torch) {
        for (Index i = 0; i < config_.decoder_layers; ++i)
            x = layer(x, i, stream, build_, [&](Node* in) {
                RecurrentLayerOptions options = options_of(i, stream, torch);
                if (!finals_.empty()) options.initial = finals_[std::size_t(i)];
                return recurrent_layer(i > 0 ? dropped(in, "dropout") : in, build_, options);
            });
        return end(x, stream);
    }
    Node* end(Node* x, Stream& stream) {
        build_.graph.alias("output", x);
        stream.output = x;
        return x;
    }
    // The last layer's is known as "final".
    void keep_finals(const Stream& stream) {
        Scope box(build_.graph, "final_state", unnamed_box());
        const std::vector<RecurrentLayer>& layers = build_.map.recurrent_layers;
        for (const RecurrentLayer& layer : layers) {
            const bool is_last = &layer == &layers.back();
            Node* hidden = build_.graph.find(layer.hidden->path);
            finals_.push_back(build_.value(is_last ? "final" : "final_" + std::to_string(finals_.size()),
                                           last_word(hidden, stream.tokens, config_.pad_id),
                                           {.symbol = {"h_n"}, .is_named = false}, "final"));
        }
    }

    Node* attend_and_write(Node* x, Stream& target, Stream& source) {
        Node* allowed = mask("cross_mask", target, source, false, context_);
        Node* memory = build_.graph.find(source.output->path);
        x = layer(x, 0, target, build_, [&](Node* in) {
            const AdditiveAttention attention =
                begin_additive_attention(memory, allowed, build_, "additive_attn", "attention");
            RecurrentLayerOptions options = options_of(0, target, "decoder");
            options.initial = finals_.back();
            options.read = [&](Node* before) {
                Node* context = attend(attention, before, build_);
                Scope box(build_.graph, "recurrence", unnamed_box()); // the layer's own
                return build_.value("input", side_by_side(in, context),
                                    {.symbol = {"x_t"}, .is_named = false});
            };
            return recurrent_layer(in, build_, options);
        });
        return end(x, target);
    }

    std::unique_ptr<Model> said(Node* x, const Stream& stream, Node* goal) {
        say_words(x, stream, build_, "generator.weight", "generator.bias",
                  {options_.probabilities, goal, config_.pad_id, options_.label_smoothing});
        return std::move(model_);
    }

    const ModelConfig config_;
    const TransformerOptions options_;
    std::unique_ptr<Model> model_ = std::make_unique<Model>();
    Builder build_;
    LayerContext context_{build_, config_, options_.dropout ? config_.dropout : 0};
    std::vector<Node*> finals_; // of the encoder's layers
};

} // namespace

std::unique_ptr<Model> build_recurrent_model(const ModelConfig& config, Parameters& parameters,
                                             const TransformerOptions& options) {
    RecurrentModel model(config, parameters, options);
    return config.has_encoder() ? model.two_stacks() : model.one_stack();
}

Parameters list_recurrent_parameters(const ModelConfig& config) {
    const Index d = config.d_model;
    const bool attends = config.architecture == Architecture::rnn_attention;
    HEADLIGHT_CHECK(d > 0 && config.decoder_layers > 0 && config.target_vocab_size > 0,
                    "sizes of a recurrent network must be positive");
    HEADLIGHT_CHECK(!attends || config.decoder_layers == 1, "attention is of one recurrent layer");
    Parameters parameters;
    if (config.has_encoder())
        parameters.declare_matrix("source_embedding.weight", config.source_vocab_size, d);
    parameters.declare_matrix("target_embedding.weight", config.target_vocab_size, d);
    const auto stack = [&](const std::string& torch, Index read) {
        for (Index i = 0; i < config.decoder_layers; ++i)
            declare_recurrent_layer(parameters, torch, i, kind_of(config.architecture), i == 0 ? read : d, d);
    };
    if (config.has_encoder()) {
        stack("encoder", d);
        stack("decoder", attends ? 2 * d : d);
        if (attends) declare_additive_attention(parameters, "attention", d, d);
    } else {
        stack("rnn", d);
    }
    parameters.declare_matrix("generator.weight", config.target_vocab_size, d);
    parameters.declare_vector("generator.bias", config.target_vocab_size);
    return parameters;
}

} // namespace headlight
