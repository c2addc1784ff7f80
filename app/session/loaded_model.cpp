#include "app/session/loaded_model.h"

#include "app/session/argument.h"
#include "app/session/translation.h"
#include "engine/base/check.h"
#include "engine/io/file.h"
#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"
#include "engine/ops/softmax.h"
#include "engine/text/words.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

namespace headlight {

namespace {

// A pass of a smaller model is done before another thread has woken.
constexpr Index parameters_worth_threads = 20'000'000;

void feed_like(const Node* from, Node* to) {
    if (!from || !to) return;
    std::vector<TokenId> ids;
    for (Index i = 0; i < from->value.size(); ++i) ids.push_back(TokenId(from->value.data()[i]));
    feed(to, ids, 1, Index(ids.size()));
}

} // namespace

Index LoadedModel::step_of(std::string_view path) const {
    const Node* node = graph().find(path);
    if (!node) return -1;
    for (std::size_t i = 0; i < story.size(); ++i)
        if (story[i].node == node) return Index(i);
    return -1;
}

const std::vector<std::string>& LoadedModel::labels_of(const Tokenizer& tokenizer) const {
    std::vector<std::string>& labels = token_labels_[&tokenizer];
    const Index size = tokenizer.vocabulary().size();
    for (Index id = Index(labels.size()); id < size; ++id)
        labels.push_back(token_label(tokenizer, TokenId(id)));
    return labels;
}

Model& LoadedModel::pass(Pass which) {
    std::unique_ptr<Model>& made = passes_[std::size_t(which)];
    if (!made) made = another_pass();
    return *made;
}

std::unique_ptr<Model> LoadedModel::another_pass() {
    std::unique_ptr<Model> pass = build(files.parameters);
    pass->graph.workers = workers.get();
    return pass;
}

void LoadedModel::weights_changed() {
    main_pass->graph.changed_from(0);
    for (const std::unique_ptr<Model>& pass : passes_)
        if (pass) pass->graph.changed_from(0);
}

void LoadedModel::smooth_labels(double smoothing) {
    Node* loss = map().output.loss;
    if (!loss || std::exchange(smoothing_, smoothing) == smoothing) return;
    set_label_smoothing(loss, smoothing);
    for (StoryStep& step : story)
        if (step.node == loss) write_formula(step, map());
    backward_story = tell_backward(*main_pass);
}

void LoadedModel::edit(std::vector<Edit> edits) {
    if (edits == graph().edits()) return;
    std::set<const Node*> changed;
    for (const std::vector<Edit>* some : {&graph().edits(), &std::as_const(edits)})
        for (const Edit& edit : *some) changed.insert(graph().find(edit.path));
    graph().set_edits(std::move(edits));
    for (StoryStep& step : story)
        if (changed.contains(step.node)) write_formula(step, map());
}

std::unique_ptr<LoadedModel> assemble_model(ModelFiles files,
                                            std::function<std::unique_ptr<Model>(Parameters&)> build) {
    auto model = std::make_unique<LoadedModel>();
    model->files = std::move(files);
    model->build =
        build ? std::move(build)
              : [config = model->files.config, family = model->files.family](Parameters& parameters) {
                    return build_model(config, family.get(), parameters, {.loss = true});
                };
    if (model->files.parameters.count() >= parameters_worth_threads)
        model->workers =
            std::make_unique<Workers>(std::clamp(int(std::thread::hardware_concurrency()), 1, 16));
    model->main_pass = model->another_pass();
    model->story = tell(*model->main_pass);
    model->blocks = blocks_of(*model->main_pass, model->story);
    model->film = Film(model->map(), model->story, model->blocks);
    if (model->map().output.loss) model->backward_story = tell_backward(*model->main_pass);
    return model;
}

std::shared_ptr<LoadedModel> model_of_descent(const DescentTask& task, std::span<const double> weights) {
    ModelFiles files;
    files.parameters = descent_parameters(task, weights);
    const std::array<std::string, 1> no_words = {""};
    files.source = files.target = Tokenizer::words(no_words);
    std::shared_ptr<LoadedModel> model = assemble_model(
        std::move(files), [task](Parameters& parameters) { return build_descent_model(parameters, task); });
    constexpr const char* names[] = {"f(x) = w·x", "f(x) = w·x + b", "σ(Wx + b)", "σ(W₂ σ(W₁x + b₁) + b₂)"};
    model->name = names[std::size_t(task.kind)];
    model->net_of = task;
    return model;
}

Result<std::unique_ptr<LoadedModel>> load_model(const std::filesystem::path& folder) {
    Result<ModelFiles> files = read_model_folder(folder);
    if (!files) return files.error();
    std::unique_ptr<LoadedModel> model = assemble_model(*std::move(files));
    model->folder = folder;
    const std::filesystem::path plain = folder.has_filename() ? folder : folder.parent_path();
    model->name = plain.filename().string();
    model->confidence = read_confidence(folder);
    model->examples = read_examples(folder);
    model->compared_pairs = read_compared_pairs(folder);
    return model;
}

std::unique_ptr<LoadedModel> another_of(const LoadedModel& model) {
    return assemble_model(model.files, model.build);
}

void put_weights(LoadedModel& model, std::span<const Real> weights) {
    Parameters& parameters = model.files.parameters;
    HEADLIGHT_CHECK(Index(weights.size()) == parameters.count(),
                    std::to_string(weights.size()) + " weights for " + std::to_string(parameters.count()));
    std::copy(weights.begin(), weights.end(), parameters.data());
    model.weights_changed();
}

void compute_like(const LoadedModel& from, LoadedModel& to) {
    for (std::size_t i = 0; i < from.map().streams.size(); ++i)
        feed_like(from.map().streams[i].tokens, to.map().streams[i].tokens);
    feed_like(from.map().output.goal, to.map().output.goal);
    to.graph().forward();
}

std::vector<std::filesystem::path> model_folders(const std::filesystem::path& parent) {
    std::vector<std::filesystem::path> folders;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(parent, ignored))
        if (std::filesystem::exists(entry.path() / "config.json", ignored)) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

namespace {

// Of a file beside the model, if there is one worth reading: no folder, no device, and not endless.
std::istringstream lines_beside(const std::filesystem::path& model_folder, const char* name) {
    constexpr Index longest = 1'000'000; // bytes
    Result<std::string> text = read_file(model_folder / name, longest);
    return std::istringstream(text ? *std::move(text) : std::string());
}

} // namespace

std::vector<std::string> read_examples(const std::filesystem::path& model_folder) {
    std::vector<std::string> lines;
    std::istringstream file = lines_beside(model_folder, "examples.txt");
    for (std::string line; std::getline(file, line);)
        if (const std::string_view text = trim(line); !text.empty()) lines.emplace_back(text);
    return lines;
}

std::vector<ComparedPair> read_compared_pairs(const std::filesystem::path& model_folder) {
    std::vector<ComparedPair> pairs;
    std::istringstream file = lines_beside(model_folder, "pairs.txt");
    for (std::string line; std::getline(file, line);) {
        const std::size_t tab = line.find('\t');
        if (tab == line.npos) continue;
        const std::string_view text(line), first = trim(text.substr(0, tab)),
                                           second = trim(text.substr(tab + 1));
        if (!first.empty() && !second.empty()) pairs.push_back({std::string(first), std::string(second)});
    }
    return pairs;
}

std::string source_for(const LoadedModel& model, const std::string& source) {
    constexpr Index few = 6;
    const Stream* typed = typed_stream(model.map());
    const Tokenizer& tokenizer = tokenizer_of(model.files, typed);
    const auto is_known = [&](const std::string& text) {
        const std::vector<Piece> pieces = tokenizer.encode(text);
        return !pieces.empty()
               && std::all_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.known; });
    };
    if (is_known(source)) return source;
    if (!model.examples.empty()) return model.examples.front();
    const Vocabulary& vocabulary = tokenizer.vocabulary();
    std::string words;
    for (TokenId id = 0, found = 0; id < TokenId(vocabulary.size()) && found < few; ++id) {
        const std::string& word = vocabulary.token(id);
        if (word.front() == '<' || !is_known(word)) continue;
        words += (words.empty() ? "" : " ") + word;
        ++found;
    }
    return words.empty() ? source : words;
}

} // namespace headlight
