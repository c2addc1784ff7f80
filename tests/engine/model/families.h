// The small folders of tests/data/families, computed: random models of the families that others made, each
// with what PyTorch says that it computes (tests/scripts/make_family_fixtures.py).
#pragma once

#include "engine/io/model_folder.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headlight::test {

std::vector<std::string> all_families();    // names of the folders, in alphabetical order
std::vector<std::string> one_of_a_family(); // the same, one for each kind of forward pass

std::filesystem::path family_folder(const std::string& name);

// Fed with the ids of its expected.safetensors, and with a goal where it has a loss; computed and, with a
// loss, differentiated.
struct ComputedFamily {
    explicit ComputedFamily(const std::string& name, bool loss = false);

    std::unique_ptr<Model> another_pass(); // of the same weights, fed the same, computed

    std::string name;
    ModelFiles files;
    std::unique_ptr<Model> model;
};

} // namespace headlight::test
