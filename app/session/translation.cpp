#include "app/session/translation.h"
#include "app/session/experiment.h"
#include "engine/io/file.h"
#include "engine/io/json_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace headlight {

namespace {

// Length of the longest common subsequence of what begins at each pair of places.
class CommonLengths {
public:
    CommonLengths(std::span<const TokenId> first, std::span<const TokenId> second)
        : columns_(second.size() + 1), lengths_((first.size() + 1) * columns_, 0) {
        for (std::size_t i = first.size(); i-- > 0;)
            for (std::size_t j = second.size(); j-- > 0;)
                lengths_[i * columns_ + j] =
                    first[i] == second[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
    int at(std::size_t i, std::size_t j) const { return lengths_[i * columns_ + j]; }

private:
    std::size_t columns_;
    std::vector<int> lengths_;
};

// The words between two partners: one by one where there are as many, else each alone.
void add_between(std::vector<WordPair>& pairs, Index first, Index first_end, Index second, Index second_end) {
    const bool as_many = first_end - first == second_end - second;
    if (as_many) {
        while (first < first_end) pairs.push_back({first++, second++, false});
        return;
    }
    while (first < first_end) pairs.push_back({first++, -1, false});
    while (second < second_end) pairs.push_back({-1, second++, false});
}

} // namespace

std::vector<WordPair> align(std::span<const TokenId> first, std::span<const TokenId> second) {
    const CommonLengths common(first, second);
    std::vector<WordPair> pairs;
    std::size_t i = 0, j = 0, first_begin = 0, second_begin = 0;
    while (i < first.size() && j < second.size()) {
        if (first[i] == second[j]) {
            add_between(pairs, Index(first_begin), Index(i), Index(second_begin), Index(j));
            pairs.push_back({Index(i++), Index(j++), true});
            first_begin = i;
            second_begin = j;
        } else if (common.at(i + 1, j) >= common.at(i, j + 1)) {
            ++i;
        } else {
            ++j;
        }
    }
    add_between(pairs, Index(first_begin), Index(first.size()), Index(second_begin), Index(second.size()));
    return pairs;
}

std::vector<WordPair> align_words(const std::vector<std::string>& first,
                                  const std::vector<std::string>& second) {
    std::map<std::string, TokenId> known;
    const auto numbered = [&](const std::vector<std::string>& words) {
        std::vector<TokenId> numbers;
        for (const std::string& word : words)
            numbers.push_back(known.emplace(word, TokenId(known.size())).first->second);
        return numbers;
    };
    const std::vector<TokenId> ones = numbered(first), others = numbered(second);
    return align(ones, others);
}

std::vector<WordPair> align_places(std::span<const TokenId> first, std::span<const TokenId> second) {
    if (first.size() != second.size()) return align(first, second);
    std::vector<WordPair> pairs;
    for (std::size_t i = 0; i < first.size(); ++i)
        pairs.push_back({Index(i), Index(i), first[i] == second[i]});
    return pairs;
}

namespace {
constexpr double largest_weight = 1e6;  // none that was learnt is near it; their sum stays a number
constexpr Index longest_file = 1 << 16; // bytes
} // namespace

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
    if (sentence.teacher_forced || sentence.is_cut || sentence.is_prefix || sentence.output.empty()
        || !output.is_next_word() || !output.probabilities)
        return {};
    std::vector<SaidWord> said;
    const Tensor& probabilities = output.probabilities->value;
    for (std::size_t i = sentence.before_own > 0 ? sentence.before_own - 1 : 0;
         i < sentence.chosen_ids.size(); ++i) {
        const TokenId word = sentence.chosen_ids[i];
        if (Index(i) >= probabilities.rows() || word >= probabilities.columns()) break;
        said.push_back({word, std::log(double(probabilities(0, Index(i), word)))});
    }
    if (said.empty()) return {};
    return experiment.model().confidence->probability_right(evidence_of(said));
}

std::optional<std::filesystem::path> opposite_model(const std::filesystem::path& model) {
    const std::string name = model.filename().string();
    const std::size_t last = name.rfind('-');
    if (last == name.npos || last == 0) return {};
    const std::size_t before = name.rfind('-', last - 1);
    if (before == name.npos) return {};
    const std::string there =
        name.substr(0, before + 1) + name.substr(last + 1) + "-" + name.substr(before + 1, last - before - 1);
    const std::filesystem::path folder = model.parent_path() / there;
    std::error_code none;
    if (!std::filesystem::exists(folder / "config.json", none)) return {};
    return folder;
}

Result<Done> BackTranslation::open(const std::filesystem::path& folder) {
    folder_ = folder;
    model_.reset();
    Result<ModelFiles> files = read_model_folder(folder);
    if (!files) return files.error();
    files_ = std::make_unique<ModelFiles>(*std::move(files));
    model_ = files_->build(files_->parameters);
    return Done{};
}

bool BackTranslation::follow(const Experiment& experiment, bool wanted) {
    const auto show = [this](std::string answer, std::string text) {
        answer_ = std::move(answer);
        return std::exchange(text_, std::move(text)) != text_;
    };
    if (!wanted || !experiment.has_model() || experiment.is_writing()) return show({}, {});
    const std::optional<std::filesystem::path> opposite = opposite_model(experiment.model().folder);
    const std::string& answer = experiment.sentence().output;
    if (!opposite || answer.empty()) return show({}, {});
    if (folder_ == *opposite && answer_ == answer) return false;
    if (folder_ != *opposite)
        if (const Result<Done> opened = open(*opposite); !opened) trouble_ = opened.error();
    return show(answer, model_ ? run_sentence(*files_, *model_, answer, {}).output : std::string());
}

} // namespace headlight
