// A training so small that a test can afford hundreds of them.
#pragma once

#include "app/live/live_training.h"
#include "app/session/session.h"
#include "app/session/training/training_view.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headlight {

inline const std::filesystem::path shipped_assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";

inline const std::vector<std::string> small_settings = {"heads 2", "d_model 8", "layers 1",
                                                        "d_ff 16", "batch 4",   "seed 7"};

inline std::unique_ptr<Session> a_training_session() {
    Result<Strings> strings = Strings::load(shipped_assets);
    REQUIRE(strings);
    auto session = std::make_unique<Session>(shipped_assets, *std::move(strings));
    REQUIRE(session->execute("train task copy"));
    for (const std::string& setting : small_settings) REQUIRE(session->execute("train set " + setting));
    return session;
}

// The weights that the window's graph computes with.
inline Reals weights_of(const LoadedModel& model) {
    const Parameters& parameters = model.files.parameters;
    return {parameters.data(), parameters.data() + parameters.count()};
}

} // namespace headlight
