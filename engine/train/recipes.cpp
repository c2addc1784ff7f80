#include "engine/train/recipes.h"

#include "engine/base/lasting.h"

namespace headlight {

namespace {

struct Row {
    std::string_view task;
    Index d_model, heads, layers, d_ff;
    NormPosition norm;
    double dropout;
    Index batch;
    double peak;
    Index warmup;
    double label_smoothing;
    Index steps;
};

constexpr NormPosition post = NormPosition::post, pre = NormPosition::pre;

// Copying is what one watches first. Norm before each sublayer (Xiong et al. 2020) and smoothed labels each
// halve the steps that it takes. Everyday models have norms before their sublayers and behind their stacks,
// one matrix for all of their words, and a rate that ends at nothing. The last row is that of own sentence
// pairs.
constexpr Row recipes[] = {
    // task    d_model heads layers d_ff norm dropout batch   peak warmup smoothing steps
    {"copy", /*   */ 64, 4, 1, 256, pre, /* */ 0.0, 64, 4e-3, 50, /*    */ 0.1, 1500},
    {"reverse", /**/ 64, 4, 1, 256, post, /**/ 0.0, 64, 3e-3, 100, /*   */ 0.0, 4000},
    {"en-pt", /*  */ 64, 4, 2, 256, post, /**/ 0.0, 64, 3e-3, 200, /*   */ 0.1, 2000},
    {"pt-en", /*  */ 64, 4, 2, 256, post, /**/ 0.0, 64, 3e-3, 200, /*   */ 0.1, 2000},
    {"gloss", /*  */ 64, 4, 2, 256, post, /**/ 0.1, 64, 2e-3, 200, /*   */ 0.1, 1500},
    {"sentiment", /**/ 32, 4, 2, 64, post, /**/ 0.1, 64, 2e-3, 200, /*  */ 0.1, 1000},
    {"next-word", /**/ 64, 4, 2, 256, post, /**/ 0.1, 64, 2e-3, 200, /* */ 0.0, 3000},
    {"everyday-en-pt", 192, 6, 3, 768, pre, /**/ 0.1, 128, 1.5e-3, 1000, /**/ 0.1, 30000},
    {"everyday-pt-en", 192, 6, 3, 768, pre, /**/ 0.1, 128, 1.5e-3, 1000, /**/ 0.1, 30000},
    {"everyday-gloss", 128, 4, 3, 512, pre, /**/ 0.1, 64, 2e-3, 500, /**/ 0.1, 12000},
    {"everyday-sentiment", 128, 4, 2, 256, pre, 0.3, 64, 1e-3, 200, /*   */ 0.1, 3000},
    {"everyday-next-word", 192, 6, 4, 768, pre, 0.2, 16, 1e-3, 500, /*   */ 0.0, 8000},
    {"recall", /* */ 64, 4, 2, 256, post, /**/ 0.0, 64, 2e-3, 100, /*   */ 0.0, 2000},
    {"recall-pt", /**/ 64, 4, 2, 256, post, /**/ 0.0, 64, 2e-3, 100, /* */ 0.0, 2000},
    {"recall-pairs", /**/ 64, 4, 2, 256, post, /**/ 0.0, 64, 2e-3, 100, /**/ 0.0, 4000},
    {"recall-list", /**/ 64, 4, 2, 256, post, /**/ 0.0, 64, 2e-3, 100, /**/ 0.0, 4000},
    {"pairs", /*  */ 64, 4, 2, 256, post, /**/ 0.1, 64, 2e-3, 200, /*   */ 0.0, 3000},
};

const Row& row_of(std::string_view task) {
    for (const Row& row : recipes)
        if (row.task == task) return row;
    return std::end(recipes)[-1];
}

Preset preset(Index d_model, Index heads, Index layers, Index d_ff, Index vocabulary, Index batch,
              Index length) {
    Preset preset;
    preset.sizes.d_model = d_model;
    preset.sizes.num_heads = heads;
    preset.sizes.encoder_layers = preset.sizes.decoder_layers = layers;
    preset.sizes.d_ff = d_ff;
    preset.sizes.final_norm = true; // as torch.nn.Transformer has it
    preset.sizes.dropout = 0;
    preset.sizes.source_vocab_size = preset.sizes.target_vocab_size = vocabulary;
    preset.batch_size = batch;
    preset.length = length;
    return preset;
}

} // namespace

Recipe recipe_for(std::string_view task) {
    const Row& row = row_of(task);
    Recipe recipe;
    recipe.sizes.d_model = row.d_model;
    recipe.sizes.num_heads = row.heads;
    recipe.sizes.encoder_layers = recipe.sizes.decoder_layers = row.layers;
    recipe.sizes.d_ff = row.d_ff;
    recipe.sizes.norm_position = row.norm;
    recipe.sizes.dropout = row.dropout;
    recipe.training.batch_size = row.batch;
    recipe.training.schedule = {.peak = row.peak, .warmup = row.warmup};
    recipe.training.label_smoothing = row.label_smoothing;
    recipe.steps = row.steps;
    if (row.task.starts_with("everyday-"))
        recipe.sizes.final_norm = recipe.sizes.tie_embeddings = recipe.to_zero = true;
    return recipe;
}

const std::vector<std::string>& preset_names() {
    static const std::vector<std::string>& names =
        lasting(std::vector<std::string>{"tiny", "small", "paper", "gru"});
    return names;
}

std::optional<Preset> find_preset(std::string_view name) {
    if (name == "tiny") return preset(64, 4, 2, 256, 32, 64, 10);
    if (name == "small") return preset(128, 8, 2, 512, 64, 64, 16);
    if (name == "paper") return preset(512, 8, 6, 2048, 1000, 16, 32);
    if (name == "gru") { // sources and targets of 16: sequences of 32
        Preset gru = preset(128, 1, 1, 128, 64, 64, 16);
        gru.sizes.architecture = Architecture::gru;
        gru.sizes = settled(gru.sizes);
        return gru;
    }
    return std::nullopt;
}

} // namespace headlight
