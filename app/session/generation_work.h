// What there is to see of saying an answer (Saying), computed a word at a time: of a large model it takes
// long, and who waits for it sees how far it is and may stop it.
#pragma once

#include "app/session/generation.h"
#include "engine/base/stopwatch.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

struct LoadedModel;
struct Question;
struct Sentence;

class GenerationWork {
public:
    // On a pass of its own, with the changes that are made; nothing else uses that pass until it is over.
    // `measures`: the passes computed anew, too, however long they take. Answers have at most so many words,
    // 0: as many as are usual for the model.
    GenerationWork(LoadedModel& model, const Sentence& sentence, const Question& question, bool measures,
                   Index most_words = 0);

    bool advance(double seconds); // a word at least; true when it is over
    bool measures() const { return measures_; }
    bool is_over() const { return stage_ == Stage::over; }
    Index words() const { return words_; } // looked at so far
    // What it has found so far of what is shown, where that is more.
    void show_in(Generation& shown) const;
    // Nothing more is said: it is over, with an answer's first word at least.
    void stop();
    Generation take() { return std::move(generation_); } // once it is over

private:
    enum class Stage { begin, branch, search, answer, measure, rest, over };
    struct Searched { // the words of the beams
        Searched(Model& model, const std::vector<TokenId>& given, const Beam& beam)
            : writing(model, given, beam.begun), search(writing, beam) {}
        Writing writing;
        BeamSearch search;
    };
    struct Written { // the most probable words, or what is drawn
        Written(Model& model, const std::vector<TokenId>& given, const std::vector<TokenId>& begun,
                const AnswerSettings& settings, Caching caching = Caching::as_possible)
            : writing(model, given, begun, caching), writer(writing, settings) {}
        Writing writing;
        AnswerWriter writer;
    };
    void compute_portion();
    void begin();
    void begin_branch();
    void search();
    void say_next();
    SaidPlace place_of(const SaidWord& said, std::span<const Real> logits) const;
    void take_best_of_search();
    void end_branch();
    bool wants_measuring() const;
    void measure();
    void compute_rest();
    bool searches() const;

    LoadedModel& loaded_;
    Model& model_;
    const GenerationSettings settings_;
    const std::vector<TokenId> given_;
    const std::optional<std::string> target_;
    const bool measures_;
    const Index most_words_;
    AnswerSettings answering_;
    Stage stage_ = Stage::begin;
    std::size_t branch_ = 0; // which answer is said
    std::unique_ptr<Searched> searched_;
    std::unique_ptr<Written> written_;
    SaidAnswer answer_;          // as far as it is said
    std::size_t measurings_ = 0; // that are done
    bool is_stopped_ = false;
    Index words_ = 0;
    Generation generation_;
};

} // namespace headlight
