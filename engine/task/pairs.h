// Own sentence pairs as training data: a file with a pair a line, source TAB target.
#pragma once

#include "engine/task/task.h"

namespace headlight {

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

} // namespace headlight
