#include "engine/base/giving_up.h"
#include "engine/io/file.h"
#include "engine/task/everyday_task.h"
#include "engine/task/pairs.h"
#include "engine/task/plain_text.h"
#include "engine/task/story_grammar.h"
#include "engine/text/cutting.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <filesystem>

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t one_story_of = 20; // is held out
// Of what is trained on. Openings are short and stay on their subject: what a small model is to learn from
// them is to take up what was said. A line of the phrasebook stands alone: lines that follow each other there
// speak of different things, and a model that reads them so drifts.
constexpr double openings_share = 0.7, phrasebook_share = 0.1, recombined_share = 0.04; // stories: the rest
constexpr std::size_t longest_story_bytes = 1000;

// Of one story.
using Sentences = std::vector<std::string>;

// At a mark and the quotes behind it, before a blank.
void add_sentences(std::string_view paragraph, Sentences& sentences) {
    for (std::size_t i = 0; i < paragraph.size(); ++i) {
        const bool ends = i + 1 == paragraph.size() || paragraph[i + 1] == ' ';
        std::size_t mark = i;
        while (mark > 0 && paragraph[mark] == '"') --mark;
        if (!ends || std::string_view(".!?").find(paragraph[mark]) == std::string_view::npos) continue;
        sentences.emplace_back(trimmed(paragraph.substr(0, i + 1)));
        paragraph.remove_prefix(i + 1);
        i = std::size_t(-1);
    }
    if (!trimmed(paragraph).empty()) sentences.emplace_back(trimmed(paragraph));
}

// A line a text.
void add_openings(const std::string& text, std::vector<std::string>& openings) {
    for (const std::string_view line : split_at(text, '\n'))
        if (!trimmed(line).empty() && !line.starts_with("#")) openings.emplace_back(trimmed(line));
}

// Stories begin with a title line, "# …", and their paragraphs are lines.
std::vector<Sentences> stories_in(const std::string& text) {
    std::vector<Sentences> stories;
    for (const std::string_view line : split_at(text, '\n')) {
        if (line.starts_with("#"))
            stories.emplace_back();
        else if (!trimmed(line).empty() && !stories.empty())
            add_sentences(trimmed(line), stories.back());
    }
    std::erase_if(stories, [](const Sentences& story) { return story.size() < 2; });
    return stories;
}

// From the first-th on, as many as there is room for.
std::string joined(const Sentences& sentences, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t i = first; i < last && text.size() + sentences[i].size() < longest_story_bytes; ++i)
        text += (text.empty() ? "" : " ") + sentences[i];
    return text;
}

// The last word is what should be said.
SentencePair all_but_last_word(const std::string& text) {
    const std::size_t blank = text.rfind(' ');
    return blank == text.npos ? SentencePair{"", text}
                              : SentencePair{text.substr(0, blank), text.substr(blank)};
}

class EverydayNextWord final : public EverydayTask {
public:
    EverydayNextWord(std::string name, Index vocabulary, std::vector<Sentences> stories,
                     const std::vector<std::string>& openings, std::vector<std::string> phrasebook,
                     StoryGrammar recombined, FirstNames names)
        : EverydayTask(std::move(name), vocabulary),
          phrasebook_(std::move(phrasebook)),
          recombined_(std::move(recombined)),
          names_(std::move(names)) {
        for (Sentences& story : stories) {
            const SentencePair whole = all_but_last_word(joined(story, 0, story.size()));
            if (is_to_hold_out(story.front(), one_story_of)) {
                held_out_.push_back(whole);
            } else {
                training_.push_back(whole);
                stories_.push_back(std::move(story));
            }
        }
        for (const std::string& opening : openings)
            if (is_to_hold_out(opening, one_story_of))
                held_out_.push_back(all_but_last_word(opening));
            else
                openings_.push_back(opening);
        put_in_order(held_out_);
        for (std::size_t i = 0; i < stories_.size(); ++i)
            for (std::size_t s = 0; s + 1 < stories_[i].size(); ++s) prefixes_.push_back({i, s});
    }

    Learner learner() const override { return {Architecture::decoder_only, Head::tokens, {}}; }
    std::size_t longest_source() const override { return longest_story_bytes; }
    std::size_t longest_target() const override { return longest_story_bytes / 10; }

    SentencePair sample(Random& random) const override {
        constexpr int tries = 10;
        for (int i = 0; i < tries; ++i) {
            const std::string text = told(random);
            const std::string other = names_.renamed({text, text}, random).source;
            const SentencePair pair = all_but_last_word(other);
            if (pair.source.size() < longest_source() && pair.target.size() < longest_target()) return pair;
        }
        return training_[std::size_t(random.below(Index(training_.size())))];
    }

private:
    // Any sentence may be the first, of a story that is then told to its end.
    std::string told(Random& random) const {
        double kind = random.uniform();
        for (const auto& [texts, share] :
             {std::pair{&openings_, openings_share}, std::pair{&phrasebook_, phrasebook_share}}) {
            if (kind >= 0 && kind < share && !texts->empty())
                return (*texts)[std::size_t(random.below(Index(texts->size())))];
            kind -= share;
        }
        if (kind >= 0 && kind < recombined_share) {
            Sentences story;
            for (const std::string& paragraph : recombined_.draw(random)) add_sentences(paragraph, story);
            if (story.size() > 1)
                return joined(story, std::size_t(random.below(Index(story.size()) - 1)), story.size());
        }
        const auto [story, first] = prefixes_[std::size_t(random.below(Index(prefixes_.size())))];
        return joined(stories_[story], first, stories_[story].size());
    }

    std::vector<std::string> sentences() const override {
        std::vector<std::string> all;
        for (const Sentences& story : stories_) all.insert(all.end(), story.begin(), story.end());
        for (const auto* texts : {&openings_, &phrasebook_})
            all.insert(all.end(), texts->begin(), texts->end());
        constexpr std::uint64_t recombined = 200;
        for (std::uint64_t i = 0; i < recombined; ++i) {
            Random random({0x57041e5, i});
            for (const std::string& paragraph : recombined_.draw(random)) all.push_back(paragraph);
        }
        return all;
    }

    // A text, whose spaces are kept: it is gone on with.
    Tokenizer learn(const std::vector<std::string>& sentences, Index vocabulary) const override {
        std::string text;
        for (const std::string& sentence : sentences) text += sentence + " " + sentence + "\n";
        return train_byte_level_bpe(text, vocabulary);
    }

    struct Prefix {
        std::size_t story, sentence;
    };
    std::vector<Sentences> stories_;
    std::vector<std::string> openings_, phrasebook_;
    std::vector<Prefix> prefixes_;
    StoryGrammar recombined_;
    FirstNames names_;
};

// The files of a folder whose names begin and end so, in order.
std::vector<std::string> files_in(const std::string& folder, std::string_view begin, std::string_view end) {
    std::vector<std::string> files;
    std::error_code cause;
    for (fs::directory_iterator entry(folder, cause), none; !cause && entry != none; entry.increment(cause)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with(begin) && name.ends_with(end)) files.push_back(entry->path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

// English alone: a model of a few million numbers learns one language from so few stories, not two.
Result<std::unique_ptr<Task>> make_everyday_next_word(const std::string& name, const std::string& assets,
                                                      Index vocabulary) {
    constexpr Index most_bytes = 16 << 20;
    std::vector<Sentences> stories;
    std::vector<std::string> openings, phrasebook;
    for (const std::string begin : {"english", "openings"})
        for (const std::string& file : files_in(assets + "/stories", begin, ".txt")) {
            give_up_if_told();
            const Result<std::string> text = read_file(file, most_bytes);
            if (!text) return text.error();
            if (!is_valid_utf8(*text)) return Error{"error.text_not_utf8", {file}};
            if (begin == "openings")
                add_openings(*text, openings);
            else
                for (Sentences& story : stories_in(*text)) stories.push_back(std::move(story));
        }
    for (const std::string& file : files_in(assets + "/phrasebook", "", ".tsv")) {
        const Result<std::vector<SentencePair>> pairs = read_all_pairs(file);
        if (!pairs) return pairs.error();
        for (const SentencePair& pair : *pairs) phrasebook.push_back(pair.source);
    }
    Result<FirstNames> names = FirstNames::read(assets + "/lexicon/names.txt");
    if (!names) return names.error();
    Result<StoryGrammar> recombined = StoryGrammar::read(assets + "/stories/recombined.txt");
    if (!recombined) return recombined.error();
    auto task =
        std::make_unique<EverydayNextWord>(name, vocabulary, std::move(stories), openings,
                                           std::move(phrasebook), *std::move(recombined), *std::move(names));
    if (task->all_training().empty()) return Error{"error.pairs_none", {assets + "/stories"}};
    return std::unique_ptr<Task>(std::move(task));
}

} // namespace headlight
