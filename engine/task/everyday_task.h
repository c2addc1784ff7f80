// What the everyday tasks have in common: pairs without end that are cut by one vocabulary of byte pairs.
#pragma once

#include "engine/task/everyday.h"
#include "engine/text/tokenizer.h"

#include <mutex>
#include <optional>

namespace headlight {

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

} // namespace headlight
