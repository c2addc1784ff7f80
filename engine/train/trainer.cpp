#include "engine/train/trainer.h"
#include "engine/base/stopwatch.h"
#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"
#include "engine/ops/softmax.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace headlight {

namespace {

// Shards depend on the batch and the model, never on the threads. Sixteen sequences make products of so many
// rows that fetching the weights is soon paid for; a small batch is cut in two all the same, for two threads.
// A large model takes few shards, because each has a gradient of its own to be summed.
Index shard_count(Index batch_size, Index parameter_count, bool is_recurrent) {
    const Index most = parameter_count > 8'000'000 ? 2 : parameter_count > 1'000'000 || is_recurrent ? 4 : 8;
    const Index halves = is_recurrent ? 1 : std::min<Index>(batch_size / 8, 2);
    return std::clamp<Index>(std::max(batch_size / 16, halves), 1, most);
}

// A shard's pieces: sequences of like length with little padding between them, where its batch is large. One,
// of batch norm, whose statistics are a shard's.
Index piece_count(Index batch_size, Index shards, const ModelConfig& config) {
    constexpr Index most = 16;
    if (config.is_recurrent() || config.norm == Norm::batch) return 1;
    return std::max<Index>(1, std::min(batch_size / 16, most) / shards);
}

constexpr Index stretch = 1 << 14; // weights summed and updated in one piece of work

} // namespace

struct Trainer::Shard {
    std::vector<Batch> pieces; // one after another
    double loss = 0;           // of all of them
    AlignedReals gradients;    // laid out like Parameters::data()
    std::unique_ptr<Model> model;
    std::optional<NodeTimes> times; // when it is asked for
};

Trainer::Trainer(const ModelConfig& config, Parameters& parameters, const PairSource& source,
                 TrainingOptions options)
    : config_(config),
      parameters_(parameters),
      source_(source),
      options_(options),
      adam_(parameters.count(), options.adam),
      workers_(options.threads),
      pairs_(std::size_t(options.batch_size)),
      by_length_(pairs_.size()),
      partial_norms_(std::size_t((parameters.learned() + stretch - 1) / stretch)) {
    const Index shards = shard_count(options.batch_size, parameters.learned(), config.is_recurrent());
    for (Index i = 0; i < shards; ++i) {
        auto shard = std::make_unique<Shard>();
        shard->pieces.resize(std::size_t(piece_count(options.batch_size, shards, config)));
        shard->gradients.resize(std::size_t(parameters.count()));
        shard->model = build_transformer(config_, parameters_,
                                         {.dropout = true,
                                          .batch_statistics = true,
                                          .probabilities = false,
                                          .loss = true,
                                          .label_smoothing = options.label_smoothing,
                                          .gradients = shard->gradients.data()});
        shard->model->graph.spare_memory();
        shards_.push_back(std::move(shard));
    }
}

Trainer::~Trainer() = default;

const Graph& Trainer::graph(Index shard) const { return shards_[std::size_t(shard)]->model->graph; }

void Trainer::time_operations() {
    times_ = {};
    for (const auto& shard : shards_) {
        Graph& graph = shard->model->graph;
        graph.times = &shard->times.emplace(graph.nodes().size());
    }
}

const NodeTimes& Trainer::operation_times(Index shard) const { return *shards_[std::size_t(shard)]->times; }

void Trainer::sample_batch(std::uint64_t step) {
    workers_.run(Index(pairs_.size()), [&](Index i) {
        Random random({options_.seed, step, std::uint64_t(i)});
        source_.sample(random, pairs_[std::size_t(i)]);
    });
    // Sequences of like length share a shard: little padding. The longest shard is begun first.
    for (std::size_t i = 0; i < pairs_.size(); ++i) by_length_[i] = &pairs_[i];
    std::sort(by_length_.begin(), by_length_.end(), [](const EncodedPair* a, const EncodedPair* b) {
        const std::size_t length_a = a->source.size() + a->target.size();
        const std::size_t length_b = b->source.size() + b->target.size();
        return length_a != length_b ? length_a > length_b : a < b;
    });
}

// Samples the batch and deals it out.
void Trainer::begin_step() {
    sample_batch(std::uint64_t(adam_.step() + 1));
    const Index shards = Index(shards_.size()), sequences = Index(pairs_.size());
    const Index pieces = shards * Index(shards_[0]->pieces.size());
    goal_tokens_ = tokens_ = 0;
    for (Index i = 0; i < pieces; ++i) {
        const Index first = i * sequences / pieces, end = (i + 1) * sequences / pieces;
        // Dealt out to and fro, so that every shard has as much to do: 0 1 2 3 3 2 1 0 …
        const Index round = i / shards, place = round % 2 == 0 ? i % shards : shards - 1 - i % shards;
        Batch& batch = shards_[std::size_t(place)]->pieces[std::size_t(round)];
        batch.fill(std::span(by_length_).subspan(std::size_t(first), std::size_t(end - first)), config_);
        goal_tokens_ += batch.goal_tokens;
    }
    for (const EncodedPair& pair : pairs_) tokens_ += Index(pair.source.size() + pair.target.size());
}

// Forward and backward.
void Trainer::pass(Index i) {
    Shard& shard = *shards_[std::size_t(i)];
    Graph& graph = shard.model->graph;
    const std::uint64_t step = std::uint64_t(adam_.step() + 1);
    Node* loss = shard.model->map.output.loss;
    set_token_count(loss, goal_tokens_);
    shard.loss = 0;
    for (std::size_t piece = 0; piece < shard.pieces.size(); ++piece) {
        const std::uint64_t number = std::uint64_t(i) + piece * shards_.size();
        graph.random_seed = Random({options_.seed, step, number, 0xd409}).next();
        graph.adds_gradients = piece > 0;
        feed(*shard.model, shard.pieces[piece]);
        graph.forward();
        graph.backward(loss);
        shard.loss += double(loss->value(0, 0, 0));
    }
}

StepResult Trainer::finish_step() {
    Stopwatch watch;
    const auto lap = [&](double& seconds) {
        seconds += watch.seconds();
        watch = Stopwatch();
    };
    StepResult result;
    result.step = adam_.step() + 1;
    result.tokens = tokens_;
    result.learning_rate = options_.schedule.rate(result.step);
    for (const auto& shard : shards_) result.loss += shard->loss;
    result.gradient_norm = gradient_norm();
    lap(times_.sums);
    if (!std::isfinite(result.loss) || !std::isfinite(result.gradient_norm)) return result;

    const bool clip = options_.clip_norm > 0 && result.gradient_norm > options_.clip_norm;
    const double scale = clip ? options_.clip_norm / result.gradient_norm : 1;
    // Batch norm is of each shard by itself: a ghost batch, as Hoffer et al. 2017 call it, whose statistics
    // are kept one after another (their algorithm 1). So they are the same on any number of threads.
    for (const auto& shard : shards_) keep_running_statistics(*shard->model, parameters_);
    adam_.begin_step();
    workers_.run(Index(partial_norms_.size()), [&](Index i) {
        const Index first = i * stretch, count = std::min(stretch, parameters_.learned() - first);
        adam_.update(first, count, parameters_.data(), shards_[0]->gradients.data(), result.learning_rate,
                     scale);
    });
    lap(times_.updates);
    return result;
}

StepResult Trainer::step() {
    const Stopwatch watch;
    begin_step();
    const double dealt = watch.seconds();
    workers_.run(shards(), [&](Index i) { pass(i); });
    times_.batches += dealt;
    times_.passes += watch.seconds() - dealt;
    portions_ = 0;
    return finish_step();
}

std::optional<StepResult> Trainer::step_portion() {
    if (portions_ == 0)
        begin_step();
    else
        pass(portions_ - 1);
    if (++portions_ <= shards()) return std::nullopt;
    portions_ = 0;
    return finish_step();
}

// Sums the shards' gradients into the first one's, in order, and returns the norm of the sum.
double Trainer::gradient_norm() {
    using Numbers = Eigen::Map<Eigen::Array<Real, Eigen::Dynamic, 1>>;
    workers_.run(Index(partial_norms_.size()), [&](Index i) {
        const Index first = i * stretch, count = std::min(stretch, parameters_.learned() - first);
        constexpr Index piece = 2048; // stays in the first-level cache while the shards are added
        double squares = 0;
        for (Index at = first; at < first + count; at += piece) {
            const Index n = std::min(piece, first + count - at);
            Numbers sum(shards_[0]->gradients.data() + at, n);
            for (std::size_t s = 1; s < shards_.size(); ++s)
                sum += Numbers(shards_[s]->gradients.data() + at, n);
            squares += double(sum.square().sum());
        }
        partial_norms_[std::size_t(i)] = squares;
    });
    double squares = 0;
    for (double part : partial_norms_) squares += part;
    return std::sqrt(squares);
}

namespace {

std::optional<Cell> find_in(const Tensor& tensor, bool may_be_masked) {
    const Real masked = -std::numeric_limits<Real>::infinity();
    const Real* end = tensor.data() + tensor.size();
    const Real* found = std::find_if(
        tensor.data(), end, [&](Real x) { return !std::isfinite(x) && !(may_be_masked && x == masked); });
    if (found == end) return std::nullopt;
    const Index place = found - tensor.data(), columns = tensor.columns(), rows = tensor.rows();
    return Cell{place / columns / rows, place / columns % rows, place % columns};
}

} // namespace

std::optional<NotFinite> first_not_finite(const Graph& graph) {
    for (const Node& node : graph.nodes()) {
        if (const auto cell = find_in(node.value, node.op->may_forbid()))
            return NotFinite{&node, *cell, false};
    }
    for (auto node = graph.nodes().rbegin(); node != graph.nodes().rend(); ++node)
        if (const auto cell = find_in(node->grad, false)) return NotFinite{&*node, *cell, true};
    return std::nullopt;
}

std::string to_string(const NotFinite& found) { return (found.gradient ? "∂loss/∂" : "") + found.node->path; }

} // namespace headlight
