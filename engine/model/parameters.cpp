#include "engine/model/parameters.h"
#include "engine/base/check.h"
#include "engine/model/transformer.h"
#include "engine/tensor/random.h"

#include <cmath>
#include <string_view>

namespace headlight {

const Parameter& Parameters::declare(Parameter parameter) {
    HEADLIGHT_CHECK(values_.empty(), "parameter " + parameter.name + " declared after allocate()");
    HEADLIGHT_CHECK(find(parameter.name) == nullptr, "parameter " + parameter.name + " declared twice");
    parameter.offset = count_;
    count_ += parameter.size();
    if (parameter.is_learned) learned_ += parameter.size();
    list_.push_back(std::move(parameter));
    return list_.back();
}

const Parameter& Parameters::declare_matrix(std::string name, Index rows, Index columns) {
    return declare({std::move(name), rows, columns, false, 0});
}

const Parameter& Parameters::declare_vector(std::string name, Index columns) {
    return declare({std::move(name), 1, columns, true, 0});
}

const Parameter& Parameters::declare_buffer(std::string name, Index columns) {
    return declare({std::move(name), 1, columns, true, 0, false});
}

void Parameters::allocate(const std::map<std::string, PackedReals::Format>& packed) {
    Index end = 0;
    for (const bool learned : {true, false})
        for (Parameter& p : list_) {
            if (p.is_learned != learned) continue;
            if (const auto format = packed.find(p.name); format != packed.end()) {
                packed_[p.name] = std::make_shared<PackedReals>(format->second, p.size());
                p.offset = -1;
            } else {
                p.offset = end;
                end += p.size();
            }
        }
    values_.assign(std::size_t(end), Real(0));
}

Tensor Parameters::tensor(const Parameter& p) {
    const Shape shape{1, p.rows, p.columns};
    if (const PackedReals* bits = packed(p)) return {shape, *bits, 0};
    return {shape, values_.data() + p.offset};
}

PackedReals* Parameters::packed(const Parameter& p) {
    const auto found = packed_.find(p.name);
    return found == packed_.end() ? nullptr : found->second.get();
}

bool Parameters::forget_unpacked(Index above) const {
    Index held = 0;
    for (const auto& [name, packed] : packed_) held += packed->unpacked();
    if (held <= above) return false;
    for (const auto& [name, packed] : packed_) packed->forget();
    return true;
}

const Parameter* Parameters::find(std::string_view name) const {
    const Index index = index_of(name);
    return index < 0 ? nullptr : &list_[std::size_t(index)];
}

Index Parameters::index_of(std::string_view name) const {
    for (std::size_t i = 0; i < list_.size(); ++i)
        if (list_[i].name == name) return Index(i);
    return -1;
}

namespace {

void fill_uniform(Real* values, Index count, double bound, Random& random) {
    for (Index i = 0; i < count; ++i) values[i] = Real(random.uniform(-bound, bound));
}

void fill_normal(Real* values, Index count, double deviation, Random& random) {
    for (Index i = 0; i < count; ++i) values[i] = Real(deviation * random.normal());
}

// Of torch.nn.RNN, LSTM and GRU: "rnn.weight_hh_l0".
bool is_recurrent_weight(std::string_view name) {
    for (const char* part : {".weight_ih_l", ".weight_hh_l", ".bias_ih_l", ".bias_hh_l"})
        if (name.find(part) != name.npos) return true;
    return false;
}

} // namespace

void initialise(Parameters& parameters, const ModelConfig& config, std::uint64_t seed) {
    std::uint64_t number = 0;
    for (const Parameter& p : parameters.list()) {
        if (!p.is_learned) { // takes no stream, so that what is learned begins alike without it
            const bool is_variance = p.name.ends_with(running_variance);
            std::fill_n(parameters.data() + p.offset, p.size(), is_variance ? Real(1) : Real(0));
            continue;
        }
        Random random({seed, number++}); // one stream each: a size changed here changes nothing there
        Real* values = parameters.data() + p.offset;
        const std::string_view name = p.name;
        if (name.ends_with("_embedding.weight")) {
            fill_normal(values, p.size(), config.is_recurrent() ? 1 : 1 / std::sqrt(double(config.d_model)),
                        random);
        } else if (is_recurrent_weight(name)) {
            fill_uniform(values, p.size(), 1 / std::sqrt(double(config.d_model)), random);
            const bool is_lstm = config.architecture == Architecture::lstm;
            if (is_lstm && name.find(".bias_ih_") != name.npos) // at first nothing is forgotten
                std::fill_n(values + config.d_model, config.d_model, Real(1));
        } else if (name.ends_with("_positions.weight")) {
            fill_normal(values, p.size(), 0.02, random);
        } else if (p.is_vector) {
            const bool is_gamma = name.find(".norm") != name.npos && name.ends_with(".weight");
            std::fill_n(values, p.size(), is_gamma ? Real(1) : Real(0));
        } else {
            const Index fan_out = name.ends_with(".in_proj_weight") ? p.rows / 3 : p.rows;
            fill_uniform(values, p.size(), std::sqrt(6.0 / double(fan_out + p.columns)), random);
        }
    }
}

} // namespace headlight
