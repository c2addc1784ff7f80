// Where words live: the vectors of one word over many sentences, and of the words around it, at every stop of
// their way through the model. It goes on by itself, a few sentences at a time.
#pragma once

#include "app/session/stream_stops.h"
#include "engine/task/task.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace headlight {

struct LoadedModel;

struct VocabularyRequest {
    std::string word;
    std::vector<std::string> own; // sentences of the person's
    bool operator==(const VocabularyRequest&) const = default;
};

// A word of a sentence: all of its tokens; where it stands among those that were fed is the place of the
// last.
struct ReadWord {
    std::string text;
    std::vector<TokenId> ids;
    Index row = 0;
    std::string said{}; // of a model that gives a word for every word: the one in its place
};

struct ReadSentence {
    enum class From { person, examples, task } from = From::person;
    std::string text;
    bool is_read = false;
    std::string answer{}; // the model's own; "" of what only goes on with what it is given
    std::vector<ReadWord> words{};
    std::vector<std::vector<Real>> vectors{}; // by stop: [words × d_model]
};

// One word in one sentence.
struct WordPlace {
    std::size_t sentence = 0, word = 0;
    bool operator==(const WordPlace&) const = default;
};

// A word, where it is nearest to another.
struct NearWord {
    WordPlace place;
    double cosine = 0;
};

// The unchanged model, whatever what-ifs are made.
class WordPlaces {
public:
    // Sentences of the task that the model was trained on, if it says which that was.
    WordPlaces(LoadedModel& model, const std::filesystem::path& assets);

    void ask(const VocabularyRequest& request); // sentences that were read already are not read again
    const VocabularyRequest& request() const { return request_; }
    bool advance(double seconds); // for about so many; true when it moved
    bool is_over() const;

    const std::vector<StreamStop>& stops() const { return stops_; }
    // Those with the word, the person's first; then those that are most like them without it.
    const std::vector<ReadSentence>& sentences() const { return sentences_; }
    std::size_t read() const; // of them
    const ReadWord& word(const WordPlace& place) const;
    const std::vector<WordPlace>& places() const { return places_; } // of the word, in what is read
    const std::vector<WordPlace>& others() const { return others_; } // of other words
    std::span<const Real> vector(std::size_t stop, const WordPlace& place) const;
    // The words nearest to it in full space, each where it is nearest, the nearest first.
    std::vector<NearWord> nearest(std::size_t stop, const WordPlace& place, std::size_t most) const;

    // How the model itself tells meanings apart: by words of its answer that are hardly ever right where the
    // word is not (found among the task's right answers); by the word that it gives for this one; or by the
    // class of the whole sentence.
    enum class Telling { nothing, answers, word_for_word, classes };
    Telling telling() const { return telling_; }
    // What it may say; fewer than two: nothing is told.
    const std::vector<std::string>& senses() const { return senses_; }
    // What it says there; nothing: none of them, or more than one.
    std::optional<std::size_t> sense_of(const WordPlace& place) const;
    // Another whenever something is other.
    unsigned long version() const { return version_; }

private:
    void draw(double seconds);
    void choose();
    void choose_of_task();
    void read(ReadSentence& sentence);
    std::vector<ReadWord> words_in(const std::string& text) const;
    bool is_asked(const ReadWord& word) const { return !asked_.empty() && word.ids == asked_; }
    void find_senses(const std::vector<std::size_t>& with_word);
    void list_places();
    void list_senses();

    LoadedModel& model_;
    const Stream* stream_ = nullptr;
    Telling telling_ = Telling::nothing;
    std::vector<StreamStop> stops_;
    std::unique_ptr<Task> task_;
    Random random_{1};
    std::size_t draws_ = 0;
    struct Drawn {
        SentencePair pair;
        std::vector<std::size_t> words; // a number for each, the same for the same
    };
    std::string told_by_task(const Drawn& drawn) const;
    std::vector<Drawn> drawn_;
    std::set<std::string> drawn_texts_;

    VocabularyRequest request_;
    std::vector<TokenId> asked_; // the word's
    bool is_chosen_ = false;
    std::optional<std::string> chosen_for_; // the word that the task's sentences are chosen for
    std::vector<std::string> of_task_;
    std::vector<ReadSentence> sentences_;
    std::map<std::string, ReadSentence> kept_; // of earlier wishes, by text
    std::vector<WordPlace> places_, others_;
    std::vector<std::string> senses_, of_answers_; // the latter: of the task's, for the word
    unsigned long version_ = 0;
};

// The words of a text as a model's tokenizer cuts them.
std::vector<std::string> words_read(const LoadedModel& model, const std::string& text);

} // namespace headlight
