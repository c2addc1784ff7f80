// A model opened in the window: its files, its graph, and the story that the graph tells.
#pragma once

#include "engine/base/result.h"
#include "engine/inspect/story.h"
#include "engine/io/model_folder.h"
#include "engine/model/transformer.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headlight {

struct LoadedModel {
    std::filesystem::path folder;
    std::string name; // the folder's own name
    ModelFiles files;
    std::unique_ptr<Transformer> transformer;
    std::vector<StoryStep> story;
    std::vector<StoryBlock> blocks;

    const ModelConfig& config() const { return files.config; }
    Graph& graph() { return transformer->graph; }
    const Graph& graph() const { return transformer->graph; }
    Index step_of(std::string_view path) const; // place in the story; −1 when the path is no step of it
};

// The graph of a model and the story that it tells; without folder and name.
std::unique_ptr<LoadedModel> assemble_model(ModelFiles files);
Result<std::unique_ptr<LoadedModel>> load_model(const std::filesystem::path& folder);

// The model folders in a folder, in order of name.
std::vector<std::filesystem::path> model_folders(const std::filesystem::path& parent);
// Sentences that a model knows well: its examples.txt, one a line.
std::vector<std::string> read_examples(const std::filesystem::path& model_folder);

} // namespace headlight
