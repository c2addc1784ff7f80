#include "app/session/answer_trust.h"

#include "app/session/experiment.h"
#include "engine/io/atomic_file.h"
#include "engine/io/file.h"
#include "engine/io/json_text.h"
#include "engine/io/json_tree.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {
constexpr double largest_weight = 1e6; // none that was learnt is near it; their sum stays a number
constexpr Index longest_file = 1 << 16; // bytes
}

std::optional<Confidence> read_confidence(const std::filesystem::path& model) {
    const std::filesystem::path file = model / confidence_name;
    const Result<std::string> text = read_file(file, longest_file);
    if (!text) return {};
    const Result<nlohmann::json> json = parse_json(*text, file.string());
    if (!json || !json->is_object()) return {};
    Confidence confidence;
    for (const auto& [key, number] : {std::pair{"bias", &confidence.bias},
                                      {"of_mean", &confidence.of_mean},
                                      {"of_least", &confidence.of_least}}) {
        const auto found = json->find(key);
        if (found == json->end() || !found->is_number()) return {};
        *number = found->get<double>();
        if (!(std::abs(*number) <= largest_weight)) return {};
    }
    return confidence;
}

Result<Done> write_confidence(const std::filesystem::path& model, const Confidence& confidence,
                              std::span<const ReliabilityBin> reliability) {
    std::vector<JsonTree> bins;
    for (const ReliabilityBin& bin : reliability)
        bins.push_back({{"predicted", bin.predicted}, {"right", bin.right}, {"answers", bin.answers}});
    const JsonTree json = {{"right", "chrF >= " + std::to_string(right_from).substr(0, 4)},
                           {"bias", confidence.bias},
                           {"of_mean", confidence.of_mean},
                           {"of_least", confidence.of_least},
                           {"reliability", JsonTree::list(std::move(bins))}};
    return write_file_atomically(model / confidence_name, json.text(2) + "\n");
}

std::optional<double> answer_trust(const Experiment& experiment) {
    if (!experiment.has_model() || !experiment.model().confidence) return {};
    const Sentence& sentence = experiment.sentence();
    const Output& output = experiment.model().map().output;
    if (sentence.teacher_forced || sentence.is_cut || sentence.is_a_beginning || sentence.output.empty()
        || !output.is_next_word() || !output.probabilities)
        return {};
    std::vector<SaidWord> said;
    const Tensor& probabilities = output.probabilities->value;
    for (std::size_t i = sentence.before_own > 0 ? sentence.before_own - 1 : 0; i < sentence.chosen_ids.size(); ++i) {
        const TokenId word = sentence.chosen_ids[i];
        if (Index(i) >= probabilities.rows() || word >= probabilities.columns()) break;
        said.push_back({word, std::log(double(probabilities(0, Index(i), word)))});
    }
    if (said.empty()) return {};
    return experiment.model().confidence->probability_right(evidence_of(said));
}

} // namespace headlight
