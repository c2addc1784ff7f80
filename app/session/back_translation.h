// An answer read back by the model of the other direction, for who does not read the language that it is in.
#pragma once

#include "engine/io/model_folder.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace headlight {

class Experiment;

// The folder beside this one whose name has the last two parts the other way round: "translate-pt-en" of
// "translate-en-pt".
std::optional<std::filesystem::path> opposite_model(const std::filesystem::path& model);

class BackTranslation {
public:
    // What is shown follows the answer, once all of it is said. True when it is another than before. `wanted`: else
    // there is none, and nothing is computed.
    bool follow(const Experiment& experiment, bool wanted);
    const std::string& text() const { return text_; } // empty: none
    // Why there is none although it is wanted: the model of the other direction does not open.
    std::optional<Error> take_trouble() { return std::exchange(trouble_, std::nullopt); }

private:
    Result<Done> open(const std::filesystem::path& folder);

    std::filesystem::path folder_; // of the model that reads back, whether it opens or not
    std::unique_ptr<ModelFiles> files_;
    std::unique_ptr<Model> model_;
    std::string answer_, text_;
    std::optional<Error> trouble_;
};

} // namespace headlight
