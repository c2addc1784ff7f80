// What becomes of one word on its way through the model: where it enters, what each head takes for it from
// which word, how far every sublayer moves it, what it is likest to on the way, and what comes of it. Read
// from the values of the pass, by the model's map.
#pragma once

#include "app/session/asking.h"
#include "engine/inspect/sweep.h"
#include "engine/model/model_map.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

class CommandRegistry;
class Session;
struct LensTable;
struct View;

enum class LifeKind {
    enters,    // its vector of the table, with its place
    looks,     // an attention: which words each head takes most of for it
    attention, // what that adds
    ffn,       // what the feed-forward network adds
    recurrent, // how its layer's state moves
    likest,    // what would be said of it if the model stopped here (lens)
    is_read,   // who looks at it from another stream
    says,      // the word that is said in its place
};
constexpr std::string_view life_names[] = {"enters",    "looks",  "attention", "ffn",
                                           "recurrent", "likest", "is_read",   "says"};
constexpr std::string_view name_of(LifeKind kind) { return life_names[std::size_t(kind)]; }

// The two words of which a head takes most; of `is_read` the word that takes most.
struct HeadLook {
    Index head = 0;
    Index first = 0, second = -1; // −1: there is one alone
    double share = 0, second_share = 0;
};

struct LifeStop {
    LifeKind kind = LifeKind::enters;
    const Node* node = nullptr; // its value: the weights, what is added, the vector
    const Attention* attention = nullptr;
    Index layer = -1;             // of the stream's, from 0; −1: before or behind them
    double length = 0, moved = 0; // of its vector before, and of what is added
    TokenId word = -1;            // of likest, says
    double probability = 0;
    std::vector<HeadLook> heads = {};
};

// From the entrance on. `lens`: of this stream, as far as it is known; null: none.
std::vector<LifeStop> life_of(const ModelMap& map, const TokenPlace& place, const LensTable* lens);

// The row of what is said that depends on the word: its own, or that of the word which looks at it most. None
// where nothing said is a word.
std::optional<SweepTarget> what_depends_on(const ModelMap& map, const TokenPlace& place);

bool is_word(const Session& session, const TokenPlace& place); // of the sentence at hand
// The word that is held; none that is not there any more.
std::optional<TokenPlace> held_word(const Session& session);
// Its life stands beside the network.
bool tells_life(const Session& session);

// follow STREAM ROW|off; expect follow STREAM ROW.
void add_word_life_commands(CommandRegistry& commands, const Session& session, View& view);
// Of a stream that is written, with what is said behind it: "rua → porque"; else the word.
std::string word_and_said(const Session& session, const Node* tokens, Index row);
std::string follow_command(const TokenPlace& place);

} // namespace headlight
