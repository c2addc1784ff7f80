#include "engine/task/pairs.h"
#include "engine/base/giving_up.h"
#include "engine/io/file.h"
#include "engine/task/plain_text.h"
#include "engine/text/cutting.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_set>

namespace headlight {

namespace {

// Of fewer a score on the one or two that are held out tells nothing, and the others miss their words.
constexpr std::size_t fewest_to_split = 20;
constexpr std::size_t most_labels = 100;

bool has_control_character(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char byte) { return (byte >= 0 && byte < ' ' && byte != '\t') || byte == '\x7f'; });
}

// Behind the two sides: in which direction alone the pair is good.
bool is_direction(std::string_view part) { return part == ">" || part == "<"; }

// The key of what is wrong with a line, or nothing.
const char* reason_to_refuse(std::string_view line) {
    if (!is_valid_utf8(line)) return "error.pairs_not_utf8";
    if (has_control_character(line)) return "error.pairs_control_character";
    const auto tabs = std::count(line.begin(), line.end(), '\t');
    if (tabs == 0) return "error.pairs_no_tab";
    std::vector<std::string_view> sides = split_at(line, '\t');
    if (tabs > 2 || (tabs == 2 && !is_direction(trimmed(sides[2])))) return "error.pairs_two_tabs";
    sides.resize(2);
    if (trimmed(sides[0]).empty()) return "error.pairs_empty_source";
    if (trimmed(sides[1]).empty()) return "error.pairs_empty_target";
    for (std::string_view side : sides)
        if (code_points(trimmed(side)).size() > longest_pair_side) return "error.pairs_too_long";
    return nullptr;
}

// Hashes of the sources to hold out: of the different ones, the tenth with the smallest hashes. Exact in
// number, and the same whatever the order of the file.
std::unordered_set<std::uint64_t> sources_to_hold_out(const std::vector<SentencePair>& pairs) {
    if (pairs.size() < fewest_to_split) return {};
    std::unordered_set<std::uint64_t> different;
    for (const SentencePair& pair : pairs) {
        give_up_if_told();
        different.insert(stable_hash(pair.source));
    }
    if (different.size() < 2) return {};
    std::vector<std::uint64_t> ranked(different.begin(), different.end());
    const std::size_t count = std::max<std::size_t>(1, ranked.size() / held_out_one_in);
    std::nth_element(ranked.begin(), ranked.begin() + std::ptrdiff_t(count), ranked.end());
    return {ranked.begin(), ranked.begin() + std::ptrdiff_t(count)};
}

std::vector<SentencePair> evenly(const std::vector<SentencePair>& pairs) {
    const std::size_t count = std::min(pairs.size(), held_out_limit);
    std::vector<SentencePair> chosen;
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(pairs[i * pairs.size() / count]);
    return chosen;
}

class PairsTask : public KeptPairs {
public:
    PairsTask(std::string name, std::vector<SentencePair> pairs, Learner learner)
        : KeptPairs(std::move(name)), learner_(std::move(learner)) {
        for (const SentencePair& pair : pairs) {
            give_up_if_told();
            longest_source_ = std::max(longest_source_, count_words(pair.source));
            longest_target_ = std::max(longest_target_, count_words(pair.target));
        }
        const std::unordered_set<std::uint64_t> sources = sources_to_hold_out(pairs);
        const auto first_held_out =
            std::stable_partition(pairs.begin(), pairs.end(), [&](const SentencePair& pair) {
                give_up_if_told();
                return !sources.contains(stable_hash(pair.source));
            });
        held_out_is_training_ = sources.empty();
        held_out_ = evenly({std::make_move_iterator(first_held_out), std::make_move_iterator(pairs.end())});
        pairs.erase(first_held_out, pairs.end());
        training_ = std::move(pairs);
        if (held_out_is_training_) held_out_ = evenly(training_);
    }

    TokenizerKind tokenizer_kind() const override { return TokenizerKind::words; }
    Learner learner() const override { return learner_; }
    std::size_t longest_source() const override { return longest_source_; }
    std::size_t longest_target() const override { return longest_target_; }

private:
    Learner learner_;

protected:
    std::size_t longest_source_ = 0, longest_target_ = 0;
};

// The same pairs by byte pairs of both sides.
class BytePairsTask final : public PairsTask {
public:
    BytePairsTask(std::string name, std::vector<SentencePair> pairs, Index vocabulary)
        : PairsTask(std::move(name), std::move(pairs), Learner{}) {
        std::vector<std::string> sentences;
        for (const SentencePair& pair : training_) {
            sentences.push_back(pair.source);
            sentences.push_back(pair.target);
        }
        tokenizer_ = train_sentence_bpe(sentences, vocabulary > 0 ? vocabulary : usual_bpe_vocabulary);
        longest_source_ = longest_target_ = 0;
        for (const auto* some : {&training_, &held_out_})
            for (const SentencePair& pair : *some) {
                give_up_if_told();
                longest_source_ = std::max(longest_source_, tokenizer_.encode_ids(pair.source).size());
                longest_target_ = std::max(longest_target_, tokenizer_.encode_ids(pair.target).size());
            }
    }

    TokenizerKind tokenizer_kind() const override { return TokenizerKind::bpe; }
    const Tokenizer* learnt_tokenizer() const override { return &tokenizer_; }

private:
    Tokenizer tokenizer_;
};

} // namespace

PairFile parse_pairs(std::string_view text, bool reversed) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    PairFile file;
    for (std::size_t number = 1; !text.empty(); ++number) {
        give_up_if_told();
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        const bool is_blank = line.find_first_not_of(' ') == std::string_view::npos;
        if (is_blank || line.front() == '#') continue;
        if (const char* reason = reason_to_refuse(line)) {
            file.refused.push_back({number, reason});
            continue;
        }
        const std::vector<std::string_view> parts = split_at(line, '\t');
        if (parts.size() > 2 && trimmed(parts[2]) == (reversed ? ">" : "<")) continue;
        SentencePair pair{std::string(trimmed(parts[0])), std::string(trimmed(parts[1]))};
        if (reversed) std::swap(pair.source, pair.target);
        file.pairs.push_back(std::move(pair));
    }
    return file;
}

Result<PairFile> read_pairs(const std::string& path, bool reversed) {
    constexpr Index most_bytes = Index(1) << 30;
    const Result<std::string> text = read_file(path, most_bytes);
    if (!text) return text.error();
    return parse_pairs(*text, reversed);
}

namespace {

Result<std::vector<std::string>> files_of(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code cause;
    if (!fs::is_directory(path, cause)) return std::vector<std::string>{path};
    std::vector<std::string> files;
    for (fs::directory_iterator entry(path, cause), end; !cause && entry != end; entry.increment(cause))
        if (entry->path().extension() == ".tsv") files.push_back(entry->path().string());
    if (files.empty()) return Error{"error.pairs_no_files", {path}};
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

Result<std::vector<SentencePair>> read_all_pairs(const std::string& path, bool reversed) {
    const Result<std::vector<std::string>> files = files_of(path);
    if (!files) return files.error();
    std::vector<SentencePair> pairs;
    for (const std::string& name : *files) {
        Result<PairFile> file = read_pairs(name, reversed);
        if (!file) return file.error();
        if (!file->refused.empty())
            return Error{file->refused.front().reason, {name, std::to_string(file->refused.front().line)}};
        pairs.insert(pairs.end(), std::make_move_iterator(file->pairs.begin()),
                     std::make_move_iterator(file->pairs.end()));
    }
    return pairs;
}

Result<std::unique_ptr<Task>> make_pairs_task(std::string name, std::vector<SentencePair> pairs,
                                              TokenizerKind unit, Index vocabulary) {
    if (pairs.empty()) return Error{"error.pairs_none", {std::move(name)}};
    if (unit == TokenizerKind::bpe)
        return std::unique_ptr<Task>(
            std::make_unique<BytePairsTask>(std::move(name), std::move(pairs), vocabulary));
    return std::unique_ptr<Task>(std::make_unique<PairsTask>(std::move(name), std::move(pairs), Learner{}));
}

Result<std::unique_ptr<Task>> make_labels_task(std::string name, std::vector<SentencePair> lines) {
    if (lines.empty()) return Error{"error.pairs_none", {std::move(name)}};
    std::set<std::string> labels;
    for (const SentencePair& line : lines) labels.insert(line.target);
    if (labels.size() < 2) return Error{"error.labels_one", {std::move(name), *labels.begin()}};
    if (labels.size() > most_labels)
        return Error{"error.labels_many",
                     {std::move(name), std::to_string(labels.size()), std::to_string(most_labels)}};
    Learner learner{Architecture::encoder_only, Head::classes, {labels.begin(), labels.end()}};
    return std::unique_ptr<Task>(
        std::make_unique<PairsTask>(std::move(name), std::move(lines), std::move(learner)));
}

Result<std::unique_ptr<DrawnPairs>> DrawnPairs::open(const std::string& assets, Direction direction) {
    Result<language::Lexicon> lexicon = language::Lexicon::read(assets + "/lexicon");
    if (!lexicon) return lexicon.error();
    const auto shared = std::make_shared<const language::Lexicon>(std::move(*lexicon));
    Result<language::SentenceGrammar> grammar =
        language::SentenceGrammar::read(assets + "/grammars/everyday.txt", *shared);
    if (!grammar) return grammar.error();
    return std::unique_ptr<DrawnPairs>(
        new DrawnPairs(language::Drawer(shared, std::move(*grammar), direction), direction));
}

SentencePair DrawnPairs::draw(Random& random) const {
    language::DrawnPair pair = drawer_.draw(random);
    if (direction_ == Direction::english_to_portuguese)
        return {std::move(pair.english), std::move(pair.portuguese)};
    return {std::move(pair.portuguese), std::move(pair.english)};
}

} // namespace headlight
