// How a text of the question was cut into tokens, and how far the film of one of its words has come. What is
// to be seen there follows from the tokenizer.
#pragma once

#include "engine/text/cutting.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

class CommandRegistry;
class Session;
struct Stream;
struct View;

// The typed sentence, the target where one is given, the second sentence.
enum class CutSide { source, target, second };
constexpr std::string_view cut_side_names[] = {"source", "target", "second"};

struct CutFilm {
    CutSide side = CutSide::source;
    Index word = 0;   // of the text, counted through all stretches
    Index moment = 0; // of its film: 0 before anything was done
    bool playing = false;
    double clock = 0; // seconds since the last moment
};

struct TextCut {
    CutSide side = CutSide::source;
    std::string typed;
    Tokenizer tokenizer;
    const Stream* stream = nullptr; // that is fed with it; null: the model reads no words
    Cutting cutting;
    std::vector<std::pair<std::size_t, std::size_t>> words; // stretch and place there, in their order

    const CutWord& word(Index i) const {
        const auto& [stretch, place] = words[std::size_t(i)];
        return cutting.stretches[stretch].words[place];
    }
    Index steps(Index word) const { return words.empty() ? 0 : Index(steps_of(this->word(word))); }
    // As the model is fed it: for each token its place among the pieces, or ModelInput::added.
    ModelInput fed() const;
};

// What there is of this side to be cut; nothing where the question has no such text, or the model reads none.
std::optional<std::string> typed_on(const Session& session, CutSide side);
// The side that is looked at, or the sentence where that is not there. The session must have a model.
CutSide present_cut_side(const Session& session);
TextCut present_cut_text(const Session& session);
// Word and moment as they are in this text.
CutFilm present_cut_film(const Session& session, const TextCut& text);

bool advance_cut_film(const Session& session, View& view, double seconds); // true when it moved
// tokens.
void add_cut_commands(CommandRegistry& commands, const Session& session, View& view);
// The commands that lead to where the film is.
std::vector<std::string> commands_of_cut_film(const Session& session);

} // namespace headlight
