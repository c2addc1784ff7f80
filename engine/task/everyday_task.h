#pragma once

#include "engine/task/task.h"
#include "engine/text/tokenizer.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Names and numbers are copied, whoever is meant: both sides of a pair with other ones.

class FirstNames {
public:
    // assets/lexicon/names.txt: names of women stand under "femalename", those of men under "malename".
    // Errors: those of a file that cannot be read; names_none, where one of the two has no name.
    static Result<FirstNames> read(const std::string& file);

    // Each name that stands as often on either side becomes another of the same gender, on both; now and then
    // one that nobody has. Of a pair that says no name nothing changes.
    SentencePair renamed(SentencePair pair, Random& random) const;

private:
    std::string other(bool is_feminine, Random& random) const;
    std::vector<std::string> feminine_, masculine_;
    std::map<std::string, bool, std::less<>> is_feminine_;
};

// Each number in digits that stands as often on either side becomes another of its kind, on both: a day of
// the month remains one, a year a year. What is one remains so, its noun being in the singular, as do "2nd"
// and "3rd".
SentencePair renumbered(SentencePair pair, Random& random);

// Small letters and digits, contractions opened, marks left out: what two ways of writing a sentence share.
std::string essence_of(const std::string& sentence);
// One in `parts`, by a hash of the essence.
bool is_to_hold_out(const std::string& sentence, std::uint64_t parts);
// At most held_out_limit, in the order of a hash: whatever its beginning, it represents the whole.
void put_in_order(std::vector<SentencePair>& held_out);

Result<std::unique_ptr<Task>> make_everyday_translation(const std::string& name, const std::string& assets,
                                                        Index vocabulary);
Result<std::unique_ptr<Task>> make_everyday_gloss(const std::string& name, const std::string& assets,
                                                  Index vocabulary);
Result<std::unique_ptr<Task>> make_everyday_sentiment(const std::string& name, const std::string& assets,
                                                      Index vocabulary);
Result<std::unique_ptr<Task>> make_everyday_next_word(const std::string& name, const std::string& assets,
                                                      Index vocabulary);

// What people say every day, in byte pairs: translations, opinions and stories that were written for this
// program (assets/phrasebook, opinions, stories), and sentences drawn from the lexicon. What is read is
// changed anew each time: other names, other numbers, typed as people type.

// "everyday-en-pt", "everyday-pt-en": translations. "everyday-gloss": under each English word what it
// becomes. "everyday-sentiment": whether an opinion is praise, in either language. "everyday-next-word":
// going on with an English story.
const std::vector<std::string>& everyday_task_names();

constexpr Index usual_everyday_vocabulary = 5000; // tokens

// `vocabulary`: tokens to learn (0: the usual number). What is held out, a hash of the sentence decides, so
// that lines that are added move no others; lines that differ in a contraction or a capital letter are held
// out together, as are opinions that stand side by side in nearly the same words. Errors: those of the files.
Result<std::unique_ptr<Task>> make_everyday_task(const std::string& name, const std::string& assets,
                                                 Index vocabulary = 0);

// What the everyday tasks have in common: pairs without end that are cut by one vocabulary of byte pairs.

// A sentence has at least one byte for each token, so that none is longer than the model reads.
constexpr std::size_t longest_everyday_bytes = 200;

class EverydayTask : public Task {
public:
    std::string_view name() const override { return name_; }
    TokenizerKind tokenizer_kind() const override { return TokenizerKind::bpe; }
    // Learnt when it is first asked for: who opens a model that was trained has another.
    const Tokenizer* learnt_tokenizer() const override;
    bool is_finite() const override { return false; }
    const std::vector<SentencePair>& held_out() const override { return held_out_; }
    // As they were written.
    const std::vector<SentencePair>& all_training() const override { return training_; }
    const std::vector<std::string>& alphabet() const override { return alphabet_; }
    std::size_t longest_source() const override { return longest_everyday_bytes; }
    std::size_t longest_target() const override { return longest_everyday_bytes; }

protected:
    Index vocabulary() const { return vocabulary_ > 0 ? vocabulary_ : usual_everyday_vocabulary; } // tokens
    EverydayTask(std::string name, Index vocabulary) : name_(std::move(name)), vocabulary_(vocabulary) {}
    // Of which byte pairs are learnt.
    virtual std::vector<std::string> sentences() const;
    virtual Tokenizer learn(const std::vector<std::string>& sentences, Index vocabulary) const;

    std::string name_;
    std::vector<SentencePair> training_, held_out_;

private:
    Index vocabulary_;
    std::vector<std::string> alphabet_; // none: byte pairs know every letter
    mutable std::once_flag learns_;
    mutable std::optional<Tokenizer> tokenizer_;
};

} // namespace headlight
