#pragma once

#include "engine/graph/growing_pass.h"
#include "engine/model/transformer.h"
#include "engine/tensor/real.h"
#include "engine/text/vocabulary.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

// How the next word is chosen from what the model finds probable: the most probable one, or a draw.

// What a draw is made from: softmax(z / temperature), of which the top_k most probable words are left, and of
// these the fewest whose probabilities sum to top_p or more (Holtzman et al. 2020, §3.1); what is left is
// scaled to a sum of 1. In the limit of temperature 0 all is on the most probable word; the most probable
// word is never cut off.
struct Sampling {
    double temperature = 1;
    Index top_k = 0; // 0: all
    double top_p = 1;

    bool changes_nothing() const { return temperature == 1 && top_k == 0 && top_p == 1; }
    bool operator==(const Sampling&) const = default;
};

// softmax(logits), words that are `never` said left out (0).
std::vector<double> probabilities_of(std::span<const Real> logits, std::span<const TokenId> never = {});
// What is drawn from, one number a word: exactly 0 where it was cut off.
std::vector<double> drawn_from(std::span<const Real> logits, const Sampling& sampling,
                               std::span<const TokenId> never = {});

// A number in [0, 1) for each place of an answer, the same for the same seed: another choice before it draws
// no other number after it.
double chance(std::uint64_t seed, Index place);
// The word at which the probabilities, summed in order of the vocabulary, exceed u.
TokenId draw(std::span<const double> probabilities, double u);

// log Σ exp(logits); the logarithm of softmax(logits) at a word.
double log_sum_exp(std::span<const Real> logits);
double log_probability_of(std::span<const Real> logits, TokenId word);

// Of equals the first. At least one word may be said.
TokenId most_probable(std::span<const Real> logits, std::span<const TokenId> never = {});

// The model while it writes: beginnings of an answer side by side, and for each of them the logits of its
// next word.

// What one pass of the decoder cost.
struct PassCost {
    Index rows = 0;            // computed: of each projection to keys and values, too
    Index scores = 0;          // of one head, where the mask allows them
    Index multiplications = 0; // in products of matrices, of all that was computed
    double seconds = 0;
};

// Which pass of the loop computes what.
enum class Caching {
    as_possible, // what was computed for earlier words is read again, unless that cannot be (GrowingPass)
    none,        // every pass computes all of its rows, the encoder's too
};

struct Continuation {
    Index prefix = 0; // which goes on
    TokenId word = 0;
};

class Writing {
public:
    // `source`: as greedy_decode takes it; `begun`: words that the answer begins with, of
    // which as many are taken as leave room for one more to be fed. Computes the first
    // pass. There is a stream that is written.
    Writing(Model& model, std::span<const TokenId> source, std::span<const TokenId> begun = {},
            Caching caching = Caching::as_possible);
    ~Writing();

    Index prefixes() const { return Index(fed_.size()); }
    const std::vector<TokenId>& fed(Index prefix) const { return fed_[std::size_t(prefix)]; }
    // The words of a beginning that were said, `begun` among them.
    std::vector<TokenId> words(Index prefix) const;
    std::span<const Real> logits(Index prefix) const; // of its next word
    // After the first pass: of the word that is `back` before the next of the only beginning.
    std::span<const Real> logits_before(Index back) const;
    const Stream& target() const { return *model_.map.target(); }

    // How many words an answer has at most, `begun` among them; `asked`: no more than so many, 0: what is
    // usual for the model. The last of them need not have room to be fed.
    Index most_words(Index asked = 0) const;

    // Beginning i goes on from what nexts[i].beginning was, with one more word.
    void go_on(std::span<const Continuation> nexts);

    bool is_cached() const { return growing_ != nullptr; }
    const PassCost& cost() const { return cost_; } // of the last pass

    // The graph holds the values of one whole pass, in which it was fed these words of an answer, as far as
    // they have room; its goal is to say them, and then the end.
    void leave(std::span<const TokenId> words);

private:
    void feed_source(Index prefixes);
    void feed_with_goal(const std::vector<TokenId>& fed);
    void compute();
    void compute_each();

    Model& model_;
    std::vector<TokenId> source_;
    std::size_t before_ = 0; // tokens fed before the words of the answer
    std::vector<std::vector<TokenId>> fed_;
    std::unique_ptr<GrowingPass> growing_; // null: whole passes
    bool computes_all_ = false;
    Index passes_ = 0;
    std::vector<Real> logits_; // of each beginning, where they are computed one after another
    PassCost cost_;
};

// What is fed of a stream that is written before anything is said: what stands around its words and, where
// nothing is only read, the words that are continued. Never empty where there is a word to begin with.
std::vector<TokenId> prefix(const ModelMap& map, std::span<const TokenId> source);

// One answer, word by word: each the most probable one, or drawn.

struct AnswerSettings {
    std::optional<Sampling> sampling = {}; // none: greedy
    std::uint64_t seed = 0;
    Index most_words = 0;                    // 0: what is usual for the model
    Index most_multiplications = 0;          // after the first pass; then as if stopped. 0: all it takes
    const std::atomic<bool>* stop = nullptr; // once it is true, the answer is what has been said until then
    // An end is followed by another beginning, as in what it was trained on: text after text, as long as
    // there is room.
    bool goes_on = false;
};

struct SaidWord {
    TokenId word = 0;           // the last may be an end
    double log_probability = 0; // by the model, whatever it was drawn from; natural
};

struct Answer {
    std::vector<SaidWord> said;  // </s> included where it was said
    bool has_ended = false;      // by </s>, and did not go on; else it was full, or stopped
    bool is_cut = false;         // stopped
    std::vector<PassCost> costs; // of each pass

    std::vector<TokenId> words() const; // without the end
    double log_probability() const;     // of all that was said
};

// An answer in portions: a word at a time, for who has something else to do meanwhile.
class AnswerWriter {
public:
    // Goes on from what `writing`, just made, has computed; the words that it began with are the first that
    // were said. It stays where it is as long as this one lives.
    AnswerWriter(Writing& writing, const AnswerSettings& settings);

    bool is_over() const { return is_over_; }
    void say_next(); // and computes what the word after it needs
    const Answer& answer() const { return answer_; }
    Index most_words() const { return most_; } // that it may have

private:
    Writing& writing_;
    AnswerSettings settings_;
    Index most_;
    Answer answer_;
    bool is_over_ = false;
};

// What is fed of these words of an answer that goes on: where a text ended, the mark with which the next one
// begins, where there is one.
std::vector<TokenId> fed_of_texts(std::span<const TokenId> words, const Stream& target);

// Goes on from what `writing`, just made, has computed; the words that it began with are the first that were
// said.
Answer write_answer(Writing& writing, const AnswerSettings& settings);

// Inference: the decoder's own words are fed back to it, one after another, until it says </s>.

// Words of a sentence as a model is given them: those of a stream that is read with what stands around them,
// or the words alone, as a beginning that is written on from.
std::vector<TokenId> as_given(const ModelMap& map, std::vector<TokenId> words);

// At each step the most probable word (of equals, the first) that may be said. `source` is fed as it is, </s>
// included, to every stream that is read. The encoder runs once; each further word computes its own row of
// the decoder alone (GrowingPass). Ends at </s> or when the target is full. Returns the words without <s> and
// </s>. Afterwards the graph holds the values of a whole pass, in which the decoder was fed `<s> words`: all
// that was said, and why. A model with a loss has been asked to say `words </s>`, and its loss is computed:
// how surprising its own words are to it.
//
// Where nothing is only read, `source` are the words that are continued, and what is returned follows them;
// the last word said need not have room to be fed. At most `most_words` are said then, or as many as are
// usual for the model. A model that writes nothing is computed once, and says nothing.
std::vector<TokenId> greedy_decode(Model& model, std::span<const TokenId> source, Index most_words = 0);

// What a model answers, whether it writes or not: greedy_decode, or what is most probable at once: for each
// word that was read the word that is said, that of the last, </s>, left out; or the one class of all.
std::vector<TokenId> most_probable_answer(Model& model, std::span<const TokenId> source);

// Teacher forcing: the decoder is fed given words, whatever it would have said, and judged at each place.

struct ForcedWord {
    TokenId wanted = 0;
    double log_probability = 0; // ln p of the word that was wanted
    TokenId said = 0;           // what the model finds most probable there
    double said_log_probability = 0;
};

// In one pass, fed `fed` (words of an answer, without an end), what it finds of `wanted`, which has one word
// more: wanted[t] is judged after fed[0 … t − 1].
std::vector<ForcedWord> judge_words(Model& model, std::span<const TokenId> source,
                                    std::span<const TokenId> fed, std::span<const TokenId> wanted);
// The words themselves fed, and then the end wanted.
std::vector<ForcedWord> judge_words(Model& model, std::span<const TokenId> source,
                                    std::span<const TokenId> words);

// What wrong words do to those after them (exposure: Ranzato et al. 2016). The right answers of many
// sentences are fed with none to three words, from the second on, in whose place stands what the model finds
// most probable of all wrong words.
class SpreadOfErrors {
public:
    static constexpr Index most_wrong = 3, most_after = 6;

    // `right`: the words of its answer, without an end. A sentence too short for three wrong words and one
    // after them is left out.
    void add(Model& model, std::span<const TokenId> source, std::span<const TokenId> right);

    Index sentences() const { return sentences_; }
    // The mean probability of the right word `after` places behind the last wrong one (from 1 on); with no
    // wrong one, behind the first word. None where no sentence was long enough.
    std::optional<double> probability(Index wrong, Index after) const;

private:
    struct Mean {
        double sum = 0;
        Index count = 0;
    };
    std::array<std::array<Mean, most_after>, most_wrong + 1> means_{};
    Index sentences_ = 0;
};

} // namespace headlight
