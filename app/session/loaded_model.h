// A model opened in the window: its files, its graph, and the story that the graph tells.
#pragma once

#include "app/session/film.h"
#include "engine/base/result.h"
#include "engine/decode/confidence.h"
#include "engine/inspect/story.h"
#include "engine/io/model_folder.h"
#include "engine/model/descent.h"
#include "engine/model/transformer.h"

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// Two sentences that are worth seeing beside each other.
struct ComparedPair {
    std::string first, second;
    bool operator==(const ComparedPair&) const = default;
};

struct LoadedModel {
    std::filesystem::path folder;
    std::string name; // the folder's own name
    ModelFiles files;
    std::function<std::unique_ptr<Model>(Parameters&)> build; // another pass of the same weights
    std::unique_ptr<Workers> workers;                         // of a large model: threads for its products
    std::unique_ptr<Model> main_pass;                         // the one that is shown
    std::vector<StoryStep> story;
    std::vector<StoryBlock> blocks;
    Film film;
    std::vector<BackwardStep> backward_story;
    std::vector<std::string> examples;        // sentences that it knows well
    std::vector<ComparedPair> compared_pairs; // its pairs.txt, if it has one
    std::optional<Confidence> confidence;     // how far its answers can be trusted, where that is known

    std::optional<DescentTask> net_of; // it is the net of a way down, with the points of this task

    const ModelConfig& config() const { return files.config; }
    Graph& graph() { return main_pass->graph; }
    const Graph& graph() const { return main_pass->graph; }
    const ModelMap& map() const { return main_pass->map; }
    Index step_of(std::string_view path) const; // place in the story; −1 when the path is no step of it

    // Further passes of the same weights beside the one that is shown, each made when it is first asked for.
    enum class Pass {
        unchanged,       // without the changes
        judged,          // with the changes, fed what the unchanged model says
        second_sentence, // to compare with
        swept,           // changed again and again
        said,            // with the changes, writing word by word
        written,         // an answer that takes long, between frames
        moved_weight,    // with the changes, and one weight moved along
        tried,           // without them, on one sentence after another
        padded,          // fed several sentences, with the padding masks
        padded_unmasked, // the same without them
        count
    };
    Model& pass(Pass which);

    // How every token of one of its tokenizers is called (token_label): made when it is first asked for.
    const std::vector<std::string>& labels_of(const Tokenizer& tokenizer) const;

    // The label smoothing of the loss, from the next computation on; the stories tell it.
    void smooth_labels(double smoothing);
    // Every pass computes all of it when it is asked again.
    void weights_changed();
    // What-ifs, from the next computation on; the story's formulas follow.
    void edit(std::vector<Edit> edits);

private:
    friend std::unique_ptr<LoadedModel>
    assemble_model(ModelFiles files, std::function<std::unique_ptr<Model>(Parameters&)> build);
    std::unique_ptr<Model> another_pass();

    double smoothing_ = -1; // as it was built
    std::array<std::unique_ptr<Model>, std::size_t(Pass::count)> passes_;
    mutable std::map<const Tokenizer*, std::vector<std::string>> token_labels_;
};

// The graph of a model and the story that it tells; without folder and name. `build`: how it is made, if not
// as the files say.
std::unique_ptr<LoadedModel> assemble_model(ModelFiles files,
                                            std::function<std::unique_ptr<Model>(Parameters&)> build = {});
Result<std::unique_ptr<LoadedModel>> load_model(const std::filesystem::path& folder);
// The net of a way down, as it is after these steps, as a model like any other.
std::shared_ptr<LoadedModel> model_of_descent(const DescentTask& task, std::span<const double> weights);
// Another with the same choices, sizes and words; its weights are yet to be put in.
std::unique_ptr<LoadedModel> another_of(const LoadedModel& model);
// Copies the weights; the graph stays as it is.
void put_weights(LoadedModel& model, std::span<const Real> weights);
// Feeds `to` with what `from` was fed, token by token, and computes it.
void compute_like(const LoadedModel& from, LoadedModel& to);

// The model folders in a folder, in order of name.
std::vector<std::filesystem::path> model_folders(const std::filesystem::path& parent);
// The sentence as it was, when the model knows its words; else the first of those that it knows well, or,
// where nobody has said which, a few words that it knows.
std::string source_for(const LoadedModel& model, const std::string& source);
// Sentences that a model knows well: its examples.txt, one a line.
std::vector<std::string> read_examples(const std::filesystem::path& model_folder);
// Its pairs.txt, one pair a line, the two sentences apart by a tab; none when it has no such file.
std::vector<ComparedPair> read_compared_pairs(const std::filesystem::path& model_folder);

} // namespace headlight
