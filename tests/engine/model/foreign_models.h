// Architectures that nobody ships, put together from the modules: what holds for these without a line written
// for one of them holds for the next family.
#pragma once

#include "engine/model/parameters.h"
#include "engine/model/transformer.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headlight::test {

struct ForeignModel {
    std::string name; // "decoder only"
    std::function<void(Parameters&)> declare;
    std::function<std::unique_ptr<Model>(Parameters&)> build;
};

// Encoder only, which sorts every word into a class; decoder only; two sources read by one writer; a decoder
// whose heads share keys and values, without a mask for padding; words without attention; ours of one stack
// alone; recurrent networks; one linear neuron.
const std::vector<ForeignModel>& foreign_models();

// One with random weights, fed with random tokens and computed, its loss, if it has one, differentiated.
struct ComputedForeignModel {
    explicit ComputedForeignModel(const ForeignModel& foreign);

    std::unique_ptr<Model> another_pass(); // of the same weights, fed the same, computed

    const ForeignModel& foreign;
    Parameters parameters;
    std::unique_ptr<Model> model;
};

} // namespace headlight::test
