// What a model is trained on: pairs of sentences, drawn at random for training and held out for judging it.
#pragma once

#include "engine/base/result.h"
#include "engine/model/config.h"
#include "engine/tensor/random.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class Tokenizer;

struct SentencePair {
    std::string source, target; // UTF-8

    friend bool operator==(const SentencePair&, const SentencePair&) = default;
};

// How the sentences of a task are meant to be cut. Byte pairs are learnt from the task's own text.
enum class TokenizerKind { characters, words, bpe };
constexpr std::string_view tokenizer_kind_names[] = {"characters", "words", "bpe"};
constexpr std::string_view name_of(TokenizerKind kind) { return tokenizer_kind_names[std::size_t(kind)]; }
std::optional<TokenizerKind> tokenizer_kind_of(std::string_view name);

// What learns a task: which of the model's stacks there are, and what is said in the end.
struct Learner {
    Architecture architecture = Architecture::encoder_decoder;
    Head head = Head::tokens;             // of an encoder alone
    std::vector<std::string> labels = {}; // of Head::classes: what a target may be

    friend bool operator==(const Learner&, const Learner&) = default;
};

// A task never changes once it is made, so any number of threads may draw from one.
class Task {
public:
    virtual ~Task() = default;

    virtual std::string_view name() const = 0;
    virtual TokenizerKind tokenizer_kind() const = 0;
    // Of TokenizerKind::bpe: the one that was learnt; else null.
    virtual const Tokenizer* learnt_tokenizer() const { return nullptr; }
    // What is said, where it is not cut by the same one.
    virtual const Tokenizer* learnt_target_tokenizer() const { return learnt_tokenizer(); }

    // An encoder alone is given the source and says the target: word for word, as many as there are, or one
    // of the labels. A decoder alone is given the source as a beginning, and goes on with the target.
    virtual Learner learner() const { return {}; }
    // Of a decoder alone's: a model that reads and answers can learn it as well, source and target being cut
    // by one vocabulary.
    virtual bool is_for_readers_too() const { return false; }
    // False when nothing can be learnt of what a decoder alone is given as a beginning: it has no part in the
    // loss.
    virtual bool prefix_counts() const { return true; }
    // False when targets break off, as those do that were cut out of a longer text: no </s> follows them.
    virtual bool target_ends() const { return true; }

    // What this source should become, where the task knows it: of the pairs that it has, their target.
    virtual std::optional<std::string> target_of(std::string_view source) const;

    // A pair to train on; never one of the held-out combinations.
    virtual SentencePair sample(Random& random) const = 0;

    // At most held_out_limit pairs, the same on every machine, in an order whose beginning represents the
    // whole.
    virtual const std::vector<SentencePair>& held_out() const = 0;

    // Every training pair of a finite task, for its vocabulary. A task without end (is_finite() false) gives
    // pairs in which each symbol of its alphabet occurs.
    virtual const std::vector<SentencePair>& all_training() const = 0;
    virtual bool is_finite() const { return true; }

    // Of a finite task: the index in all_training() of a pair to train on. sample() draws through it, so that
    // a trainer which keeps the pairs encoded draws them in the same proportions. Pairs are not all as
    // likely.
    virtual std::size_t sample_index(Random& random) const;

    // True when there was too little to hold anything out: held_out() then repeats training pairs, and
    // whoever shows the score has to say so.
    virtual bool held_out_is_training() const { return false; }

    // The characters of a task cut into characters, each as UTF-8, without repetition; empty for words.
    virtual const std::vector<std::string>& alphabet() const = 0;

    // In tokens of tokenizer_kind(), without <s> and </s>.
    virtual std::size_t longest_source() const = 0;
    virtual std::size_t longest_target() const = 0;
};

inline constexpr std::size_t held_out_limit = 500;
inline constexpr Index usual_distance = 10, longest_distance = 2000; // of tasks of memory

// "copy", "reverse", "en-pt", "pt-en", "gloss", "sentiment", "next-word". Those of memory_task_names()
// (engine/task/tasks.h) and of everyday_task_names() (engine/task/everyday_task.h) are others.
const std::vector<std::string>& task_names();

// assets: the folder that has grammars/ and the like in it. `distance`: of a task of memory, the words
// between what is to be kept and the question. `vocabulary`: tokens that an everyday task learns (0: the
// usual number). Errors: an unknown name (task_unknown), or those of the files.
Result<std::unique_ptr<Task>> make_task(const std::string& name, const std::string& assets,
                                        Index distance = usual_distance, Index vocabulary = 0);
// The same task on a person's own file: "sentiment" on labelled lines (text TAB label), "next-word" on any
// text, cut by `unit`, of which byte pairs learn so many tokens (0: the usual number); every other name:
// sentence pairs, cut likewise but into no characters, of a file or a folder of them, `reversed` from the
// second language to the first. Errors: those of the file; the first line that is refused.
Result<std::unique_ptr<Task>> make_own_task(const std::string& name, const std::string& file,
                                            TokenizerKind unit, Index vocabulary = 0, bool reversed = false);

} // namespace headlight
