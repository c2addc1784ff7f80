#include "engine/train/recipes.h"
#include "engine/base/lasting.h"
#include "engine/base/stopwatch.h"

#include <algorithm>
#include <numeric>
#include <set>

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

namespace {

// Reads more than any cache holds, with as many threads as there are.
double measured_bandwidth() {
    Workers workers(int(std::max(1u, std::thread::hardware_concurrency())));
    constexpr Index pieces = 64, each = Index(1) << 20; // Reals: 256 MB
    const std::vector<Real> numbers(std::size_t(pieces * each), Real(1));
    std::vector<Real> sums(std::size_t(pieces), 0);
    double best = 0;
    for (int turn = 0; turn < 3; ++turn) {
        const Stopwatch watch;
        workers.run(pieces, [&](Index i) {
            constexpr Index side_by_side = 16;
            Real sum[side_by_side] = {};
            const Real* from = numbers.data() + i * each;
            for (Index at = 0; at < each; at += side_by_side)
                for (Index k = 0; k < side_by_side; ++k) sum[k] += from[at + k];
            sums[std::size_t(i)] = std::accumulate(sum, sum + side_by_side, Real(0));
        });
        best = std::max(best, double(numbers.size() * sizeof(Real)) / watch.seconds());
    }
    return sums.front() > 0 ? best : 0; // the sums are read, so that they are not left out
}

} // namespace

double ScaleModel::seconds(int threads) const {
    std::vector<double> free_at(std::size_t(std::max(threads, 1)), 0);
    for (const double shard : shards) *std::min_element(free_at.begin(), free_at.end()) += shard;
    const double passes = *std::max_element(free_at.begin(), free_at.end());
    const double streamed = bandwidth > 0 ? streamed_bytes / bandwidth : 0;
    return serial + passes + std::max(shared / double(free_at.size()), std::min(streamed, shared));
}

ScaleModel measure_scale(Trainer& trainer, double seconds) {
    trainer.time_operations();
    const Stopwatch watch;
    double steps = 0;
    do {
        trainer.step();
        ++steps;
    } while (watch.seconds() < seconds);
    const double all = watch.seconds();

    const StepTimes& times = trainer.times();
    ScaleModel model;
    model.shared = (times.batches + times.sums + times.updates) / steps;
    double in_shards = 0;
    for (Index i = 0; i < trainer.shards(); ++i) {
        const NodeTimes& of = trainer.operation_times(i);
        const double shard = std::accumulate(of.forward.begin(), of.forward.end(), 0.0)
                             + std::accumulate(of.backward.begin(), of.backward.end(), 0.0);
        in_shards += shard;
        model.shards.push_back(shard);
    }
    // What lies between the operations is of the shards too, each in its proportion.
    for (double& shard : model.shards) shard *= times.passes / in_shards / steps;
    model.serial = std::max(0.0, all / steps - model.shared - times.passes / steps);
    // The sum reads each shard's gradient and writes one; Adam reads that, and reads and writes the weights
    // and two moments.
    const double numbers = double(trainer.parameter_count());
    model.streamed_bytes = numbers * double(sizeof(Real)) * (double(trainer.shards()) + 1 + 1 + 6);
    model.bandwidth = measured_bandwidth();
    return model;
}

TrainingMemory memory_of(const Trainer& trainer) {
    const double vector = double(trainer.parameter_count()) * double(sizeof(Real));
    TrainingMemory memory{vector, 2 * vector, double(trainer.shards()) * vector, 0};
    double numbers = 0;
    for (Index i = 0; i < trainer.shards(); ++i) {
        std::set<const Real*> gradients; // which take turns in the same memory (Graph::spare_memory)
        for (const Node& node : trainer.graph(i).nodes()) {
            if (node.is_view()) continue;
            numbers += double(node.value.size() + node.saved.size());
            if (gradients.insert(node.grad.data()).second) numbers += double(node.grad.size());
        }
    }
    memory.passes = numbers * double(sizeof(Real));
    return memory;
}

} // namespace headlight
