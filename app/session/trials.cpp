#include "app/session/trials.h"

#include "app/session/generation.h"
#include "app/session/loaded_model.h"
#include "engine/base/stopwatch.h"
#include "engine/decode/writing.h"
#include "engine/task/task.h"
#include "engine/train/training_state.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr Index widths[] = {1, 2, 4, 8, widest_beam};

void try_widths(Trials& trials, Model& model, const ModelFiles& files, const std::vector<TokenId>& given,
                const std::pair<std::string, std::string>& sentence) {
    const std::vector<TokenId> right = files.target.encode_ids(sentence.second);
    Index narrow = 0; // the first width that was right
    bool is_told = false;
    for (const Index width : widths) {
        const std::vector<TokenId> said = beam_search(
            model, given,
            {.width = width, .length_penalty = trials.length_penalty, .is_hasty = trials.is_hasty});
        const bool is_right = said == right;
        if (width == widths[0]) trials.right_narrow += is_right;
        if (width == widest_beam) trials.right_wide += is_right;
        if (is_right && narrow == 0) narrow = width;
        if (is_right || narrow == 0 || is_told) continue;
        trials.found.push_back({sentence.first, sentence.second, files.target.decode(said), narrow, width});
        is_told = true;
    }
}

} // namespace

Result<std::vector<std::pair<std::string, std::string>>>
held_out_sentences(const LoadedModel& model, const std::filesystem::path& assets) {
    const Error unknown{"error.no_known_answers", {model.name}};
    if (model.folder.empty()) return unknown;
    const Result<std::optional<TrainingState>> state = read_training_state(model.folder);
    if (!state || !*state) return unknown;
    const Result<std::unique_ptr<Task>> task = make_task_of(**state, assets.string());
    if (!task) return task.error();
    std::vector<std::pair<std::string, std::string>> sentences;
    for (const SentencePair& pair : (*task)->held_out()) sentences.emplace_back(pair.source, pair.target);
    return sentences;
}

void advance_for(Trials& trials, double seconds, LoadedModel& model) {
    const Stopwatch watch;
    Model& pass = model.pass(LoadedModel::Pass::tried);
    const ModelMap& map = pass.map;
    while (!trials.is_over() && watch.seconds() < seconds) {
        const auto& sentence = trials.sentences[trials.done++];
        const std::vector<TokenId> given = as_given(map, model.files.source.encode_ids(sentence.first));
        const Stream& read = map.source() ? *map.source() : *map.target();
        if (given.empty() || Index(given.size()) > read.max_length) continue;
        if (trials.kind == TrialKind::wider_is_worse)
            try_widths(trials, pass, model.files, given, sentence);
        else if (const std::vector<TokenId> right = model.files.target.encode_ids(sentence.second);
                 Index(right.size()) <= map.target()->max_words())
            trials.spread.add(pass, given, right);
    }
}

} // namespace headlight
