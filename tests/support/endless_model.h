// A model that says one word after another until it has no room for more.
#pragma once

#include "engine/io/model_folder.h"

#include <doctest/doctest.h>

#include <filesystem>

namespace headlight::test {

// The shipped translation model with so much room, which never says </s>.
inline ModelFiles endless_model(Index max_length) {
    Result<ModelFiles> files =
        read_model_folder(std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets/models/translate-en-pt");
    REQUIRE(files);
    files->config.max_length = max_length;
    const Parameter* bias = files->parameters.find("generator.bias");
    REQUIRE(bias);
    files->parameters.tensor(*bias).data()[files->config.eos_id] = Real(-1e9);
    return *std::move(files);
}

} // namespace headlight::test
