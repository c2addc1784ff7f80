// Answers that take longer to say than a window waits: they are said on a pass of their own, between frames,
// while the first of their words are shown.
#pragma once

#include "app/session/sentence.h"
#include "engine/decode/writing.h"

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace headlight {

class LongAnswers {
public:
    // One question may be answered thrice.
    enum class Of { shown, second_sentence, unchanged, count };

    // Seconds that are waited for an answer, and words after which it is stopped until somebody wants all of
    // it (0: none). At first who asks waits until all is said.
    void set_patience(double seconds, Index most_words) {
        patience_ = seconds;
        most_words_ = most_words;
    }
    // For the computation of a question.
    Waiting waiting(Of answer) const;
    // Another question is asked, or another model: nothing is known, and nothing goes on.
    void forget();
    // The same, and the next answer is said to its end.
    void forget_and_want_all();

    // Goes on with an answer that was cut, from its first word, so that it has the same words to the last; or
    // not, where it has as many as it may.
    void begin(Of answer, LoadedModel& model, const Sentence& cut);
    // Some more words. True when the answer is complete, and known.
    bool advance(double seconds);
    // No more words: it is known as far as it has come.
    void stop();

    struct Progress {
        Index said = 0, most = 0; // words
        bool is_stopped = false;
    };
    // What is under way, or was stopped; nothing otherwise.
    std::optional<Progress> progress() const;
    double patience() const { return patience_; }
    Index most_words() const { return wants_all_ ? 0 : most_words_; } // of any answer, 0: all
    bool is_under_way() const { return under_way_ != nullptr; }
    bool is_known(Of answer) const { return known_[std::size_t(answer)].has_value(); }

private:
    struct UnderWay {
        UnderWay(Of of, Model& pass, const Sentence& cut)
            : answer(of), writing(pass, cut.source_ids), writer(writing, {}) {}
        Of answer;
        Writing writing;
        AnswerWriter writer;
    };
    void keep(bool is_cut);
    bool is_enough(Index said) const { return most_words() > 0 && said >= most_words(); }

    double patience_ = std::numeric_limits<double>::infinity();
    Index most_words_ = 0;
    bool wants_all_ = false;
    std::array<std::optional<KnownAnswer>, std::size_t(Of::count)> known_;
    std::unique_ptr<UnderWay> under_way_;
    std::optional<Progress> stopped_;
};

} // namespace headlight
