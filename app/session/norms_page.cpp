#include "app/session/norms_page.h"

#include "app/session/norms_race.h"
#include "app/session/padded_batch.h"
#include "app/session/sentence.h"
#include "app/session/setting.h"
#include "app/session/version.h"
#include "engine/train/trainer.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double most_shown_features = 100'000; // more than any model has
constexpr double most_norms_steps = 20'000;

Index words_in(const LoadedModel& model, const std::string& text) {
    return Index(model.files.source.encode(text).size());
}

std::vector<std::string> examples_by_length(const LoadedModel& model) {
    std::vector<std::string> examples = model.examples;
    std::stable_sort(examples.begin(), examples.end(), [&](const std::string& a, const std::string& b) {
        return words_in(model, a) < words_in(model, b);
    });
    return examples;
}

// By enough that it is seen, and no more: its rows have to be read. Else the longest of them twice.
std::string one_that_is_longer(const LoadedModel& model, const std::vector<std::string>& sentences) {
    const std::string& longest = *std::max_element(
        sentences.begin(), sentences.end(),
        [&](const std::string& a, const std::string& b) { return words_in(model, a) < words_in(model, b); });
    for (const std::string& example : examples_by_length(model))
        if (words_in(model, example) > words_in(model, longest) + 1) return example;
    return longest + " " + longest;
}

// What the norm reads, of all of these sentences in one batch.
PaddedVectors vectors_of(LoadedModel& model, const std::string& before, std::span<const EncodedPair> pairs) {
    Model& pass = model.pass(LoadedModel::Pass::padded);
    std::vector<const EncodedPair*> all;
    for (const EncodedPair& pair : pairs) all.push_back(&pair);
    Batch fed;
    fed.fill(all, model.config());
    feed(pass, fed);
    const Node& node = *pass.graph.find(before);
    pass.graph.forward(0, node.index + 1);
    const Tensor& x = node.value;
    return {x.batch(), x.rows(), x.columns(), {x.data(), x.data() + x.size()}};
}

} // namespace

const Node* first_padded_norm(const ModelMap& map) {
    if (!pads(map)) return nullptr;
    for (const Node* norm : map.norms) {
        const Axes& axes = norm->input(0).axes;
        const bool is_norm = norm->op->normalisation() || norm->op->name() == "batch_norm";
        if (is_norm && axes.rows == axis::positions(*map.streams.front().tokens) && !axes.per_head)
            return norm;
    }
    return nullptr;
}

std::vector<std::string> short_sentences_beside(const LoadedModel& model,
                                                std::vector<std::string> sentences) {
    constexpr std::size_t enough = 3; // that their rows have room for numbers
    std::vector<Index> lengths;
    for (const std::string& text : sentences) lengths.push_back(words_in(model, text));
    for (const std::string& example : examples_by_length(model)) {
        if (sentences.size() >= enough) break;
        const Index length = words_in(model, example);
        if (std::find(lengths.begin(), lengths.end(), length) != lengths.end()) continue;
        lengths.push_back(length);
        sentences.push_back(example);
    }
    return sentences;
}

std::unique_ptr<NormsPage> compute_norms(LoadedModel& model, const std::vector<std::string>& sentences,
                                         const std::string& longer) {
    const Node& norm = *first_padded_norm(model.map());
    auto page = std::make_unique<NormsPage>();
    page->norm = norm.path, page->before = norm.input(0).path;
    const auto normalisation = norm.op->normalisation();
    page->epsilon = normalisation ? normalisation->epsilon : model.config().layer_norm_eps;
    page->padding = model.files.source.vocabulary().token(model.config().pad_id);
    std::vector<std::string> texts = sentences;
    texts.push_back(longer.empty() ? one_that_is_longer(model, sentences) : longer);
    std::vector<EncodedPair> pairs;
    for (const std::string& text : texts) {
        Sentence read = read_sentence(model.files, model.map(), text);
        page->sentences.push_back({text, std::move(read.source_labels)});
        // Nothing behind the norm is computed: what it should say may be anything.
        pairs.push_back({std::move(read.source_ids), {model.config().pad_id}});
    }
    const std::span all(pairs);
    const PaddedVectors without = vectors_of(model, page->before, all.first(all.size() - 1)),
                        with = vectors_of(model, page->before, all);
    page->computed = build_two_norms(without, with, page->epsilon);
    page->version = next_version();
    return page;
}

NormsChange NormsPage::largest_change(const std::string& value, Index sentence) const {
    const Tensor& change = computed->graph.find("norms.change." + value)->value;
    const Index first = sentence * computed->length;
    NormsChange result{0, {0, first, 0}};
    for (Index r = first; r < first + sentences[std::size_t(sentence)].length(); ++r)
        for (Index c = 0; c < change.columns(); ++c)
            if (const double here = std::abs(double(change(0, r, c))); here > result.largest)
                result = {here, {0, r, c}};
    return result;
}

std::vector<std::string> NormsPage::words_along(const Axis& axis) const {
    if (axis.kind != Axis::Kind::positions) return {};
    const bool is_longer = axis.tokens == computed->longer_tokens;
    const Index samples = is_longer ? computed->longer_samples : computed->samples,
                length = is_longer ? computed->longer : computed->length;
    std::vector<std::string> words;
    for (Index n = 0; n < samples; ++n) {
        const std::vector<std::string>& own = sentences[std::size_t(n)].labels;
        words.insert(words.end(), own.begin(), own.end());
        words.resize(std::size_t((n + 1) * length), padding);
    }
    return words;
}

void add_norms_commands(CommandRegistry& commands, Inquiries& inquiries, NormsRace& race) {
    using namespace argument;
    SettingsOf norms(commands, of_page(inquiries, &SmallPagesSetting::norms));
    norms.add("norms show", &NormsSetting::shown, one_of(norms_shown_names));
    norms.add("norms sentence", &NormsSetting::longer, text());
    norms.add("norms feature", &NormsSetting::feature, whole("N", 0, most_shown_features));
    norms.add("norms page", &NormsSetting::page, one_of(norms_what_names));
    norms.add("norms task", &NormsSetting::task, one_of(norms_task_names));
    norms.add("norms steps", &NormsSetting::steps, whole("N", 20, most_norms_steps));
    norms.add("norms held-out", &NormsSetting::held_out,
              "next|previous" | whole("N", 0, double(held_out_limit) - 1));
    // What is trained stays as it is.
    norms.change("norms reset", {}, [](NormsSetting& all, const Arguments&) {
        const NormsWhat page = all.page;
        all = {};
        all.page = page;
    });
    commands.add("norms train", {"start|stop"}, [&inquiries, &race](const Arguments& in) -> Result<Done> {
        if (in.said("start")) return race.start(inquiries.experiment().question().small_pages.norms);
        race.stop();
        return Done{};
    });
    commands.add_of_person("norms train forget", {}, [&race](const Arguments&) { race.forget(); });
    commands.add_of_person("norms train wait", {number("SECONDS", 0, 86'400)},
                           [&race](const Arguments& in) -> Result<Done> {
                               if (race.wait(in.number("SECONDS"))) return Done{};
                               return Error{"error.training_not_over", {exactly(in.number("SECONDS"))}};
                           });
}

} // namespace headlight
