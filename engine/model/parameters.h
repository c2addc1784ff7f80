#pragma once

#include "engine/model/config.h"
#include "engine/tensor/tensor.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// All weights of a model in one stretch of memory, by the names and layouts of
// torch.nn.Transformer.state_dict(): linear weights are [out, in]. One stretch, because the optimizer,
// a kept moment of training and the sum of gradients over shards are then each one loop.

struct Parameter {
    std::string name;       // "transformer.encoder.layers.0.self_attn.in_proj_weight"
    Index rows, columns;    // a vector is one row of `columns`
    bool is_vector;         // one-dimensional in the file
    Index offset;           // of its first number in the stretch; of a packed one −1
    bool is_learned = true; // else a running statistic, which training keeps and no gradient reaches

    Index size() const { return rows * columns; }
};

class Parameters {
public:
    // Declare every parameter, then allocate() once; pointers stay valid from then on.
    const Parameter& declare_matrix(std::string name, Index rows, Index columns);
    const Parameter& declare_vector(std::string name, Index columns);
    // A vector that is kept and not learned, as torch.nn.Module.register_buffer. In the stretch all such lie
    // behind what is learned, so that the optimizer's part of it has no holes.
    const Parameter& declare_buffer(std::string name, Index columns);
    // Zeros. Those called in `packed` lie apart, in 16 bits each: of models that are looked at and not
    // trained.
    void allocate(const std::map<std::string, PackedReals::Format>& packed = {});

    const std::vector<Parameter>& list() const { return list_; }
    const Parameter* find(std::string_view name) const; // nullptr when there is none
    Index index_of(std::string_view name) const;        // −1 when there is none
    Index count() const { return count_; }              // numbers in all
    Index learned() const { return learned_; }          // of them those that are learned: the first

    Tensor tensor(const Parameter& p);
    PackedReals* packed(const Parameter& p); // null when it is not
    // What of the packed ones was unpacked to be looked at is given back once it is more than that many
    // numbers; whoever has pointers to them has them no longer. Whether it was.
    bool forget_unpacked(Index above) const;

    // Of one that is not packed; and the stretch of all such.
    const Real* values(const Parameter& p) const { return values_.data() + p.offset; }
    Real* data() { return values_.data(); }
    const Real* data() const { return values_.data(); }

private:
    const Parameter& declare(Parameter parameter);
    std::vector<Parameter> list_;
    AlignedReals values_;
    std::map<std::string, std::shared_ptr<PackedReals>> packed_; // by name; copies share them
    Index count_ = 0, learned_ = 0;
};

// Weights before training.

// Xavier uniform (Glorot & Bengio 2010) for every linear weight, W_Q, W_K and W_V each on its own; embeddings
// normal with deviation 1/√d_model, so that × √d_model gives 1; biases and β 0, γ 1; running means 0, running
// variances 1. Batch norm beside layer norm thus begins with the same weights. Of recurrent networks as
// PyTorch does: weights and biases uniform within 1/√H, embeddings of deviation 1; but the LSTM's forget
// gates begin open, with a bias of 1 (Gers et al. 2000; Józefowicz et al. 2015), without which its race
// against others would be unfair. The same seed gives the same weights everywhere.
void initialise(Parameters& parameters, const ModelConfig& config, std::uint64_t seed);

} // namespace headlight
