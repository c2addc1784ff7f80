#pragma once

#include "engine/language/drawing.h"
#include "engine/task/task.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// Own sentence pairs as training data: a file with a pair a line, source TAB target.

// A side longer than this is refused: attention costs the square of it.
inline constexpr std::size_t longest_pair_side = 1000; // characters

// A line that is not a pair, by number (from 1), and the key of the sentence that says why, whose arguments
// are the file and this number: error.pairs_no_tab, error.pairs_two_tabs, error.pairs_empty_source,
// error.pairs_empty_target, error.pairs_too_long, error.pairs_not_utf8, error.pairs_control_character.
struct RefusedLine {
    std::size_t line;
    std::string reason;

    friend bool operator==(const RefusedLine&, const RefusedLine&) = default;
};

struct PairFile {
    std::vector<SentencePair> pairs;
    std::vector<RefusedLine> refused; // in order
};

// UTF-8, with or without byte order mark, LF or CRLF. Blank lines and lines that begin with # are skipped,
// blanks around a side are dropped, and a line that is not wholly a pair is refused. Behind a second tab may
// stand “>”: the pair is good from the first language to the second only, or “<”: the other way only.
// `reversed`: from the second language to the first, whose pairs then have the second as their source.
PairFile parse_pairs(std::string_view text, bool reversed = false);

// Errors: those of a file that cannot be read, or has more than a gigabyte.
Result<PairFile> read_pairs(const std::string& path, bool reversed = false);

// Of a file, or of every .tsv of a folder in the order of their names. Errors: those of the files; the first
// line that is refused; pairs_no_files, where the folder has none.
Result<std::vector<SentencePair>> read_all_pairs(const std::string& path, bool reversed = false);

// One in ten of the different sources is held out with all of its targets, and at least one of them when
// there are twenty pairs or more. With fewer pairs, or a single source, the training pairs stand in for them
// (held_out_is_training()). By TokenizerKind::bpe one vocabulary of so many tokens (0: usual_bpe_vocabulary)
// is learnt from both sides of the pairs that are trained on. Errors: pairs_none.
Result<std::unique_ptr<Task>> make_pairs_task(std::string name, std::vector<SentencePair> pairs,
                                              TokenizerKind unit = TokenizerKind::words,
                                              Index vocabulary = 0);

// Labelled lines, text TAB label, held out likewise: an encoder alone learns which label a text has. Errors:
// pairs_none; labels_one, where every line has the same; labels_many.
Result<std::unique_ptr<Task>> make_labels_task(std::string name, std::vector<SentencePair> lines);

// Everyday sentence pairs without end: drawn from assets/lexicon and assets/grammars/everyday.txt.

// Never changes once it is made: any number of threads may draw from one.
class DrawnPairs {
public:
    using Direction = language::Direction;

    // assets: the folder that has lexicon/ and grammars/ in it. Errors: those of the lexicon (lexicon_*) and
    // of the sentence grammar (sentences_*), with file and line.
    static Result<std::unique_ptr<DrawnPairs>> open(const std::string& assets, Direction direction);

    SentencePair draw(Random& random) const;
    const language::Drawer& drawer() const { return drawer_; }

private:
    DrawnPairs(language::Drawer drawer, Direction direction)
        : drawer_(std::move(drawer)), direction_(direction) {}

    language::Drawer drawer_;
    Direction direction_;
};

// A task that keeps its pairs and draws each with the same probability.

class KeptPairs : public Task {
public:
    std::string_view name() const override { return name_; }
    SentencePair sample(Random& random) const override { return training_[sample_index(random)]; }
    std::size_t sample_index(Random& random) const override {
        return std::size_t(random.below(Index(training_.size())));
    }
    const std::vector<SentencePair>& held_out() const override { return held_out_; }
    bool held_out_is_training() const override { return held_out_is_training_; }
    const std::vector<SentencePair>& all_training() const override { return training_; }
    const std::vector<std::string>& alphabet() const override { return alphabet_; }

protected:
    explicit KeptPairs(std::string name) : name_(std::move(name)) {}
    // Where nothing is held out, the first of those that are trained on stand in for it.
    KeptPairs(std::string name, std::vector<SentencePair> training, std::vector<SentencePair> held_out,
              std::vector<std::string> alphabet = {})
        : name_(std::move(name)),
          training_(std::move(training)),
          held_out_(std::move(held_out)),
          held_out_is_training_(held_out_.empty()),
          alphabet_(std::move(alphabet)) {
        if (held_out_is_training_)
            held_out_.assign(training_.begin(),
                             training_.begin() + std::ptrdiff_t(std::min(training_.size(), held_out_limit)));
    }

    std::string name_;
    std::vector<SentencePair> training_, held_out_;
    bool held_out_is_training_ = false;
    std::vector<std::string> alphabet_; // of a task cut into characters
};

} // namespace headlight
