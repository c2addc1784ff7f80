// The computation of a sentence as a film: every step of the story has its time, and scenes gather them. What
// is met for the first time is told in full, what comes again as quickly as it can be followed, so that a
// model of two layers and one of forty take as long. Derived from the model's map; no operation, stack or
// family is named here.
#pragma once

#include "engine/inspect/story.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class CommandRegistry;
class Session;
struct View;

// What a scene is about; strings "film.<name>.title", ".text" and ".ask".
enum class SceneKind {
    network,   // all of it, before anything is computed
    words,     // what is typed becomes numbers of a list
    embedding, // each number fetches its row of the table
    positions, // where it stands is added
    normed,    // each row brought to one scale
    vectors,   // queries, keys and values
    scores,    // each query beside each key, made small
    shares,    // the mask, the softmax
    mixed,     // values, taken by their shares
    joined,    // heads side by side, and out of the attention
    residual,  // what went past is added, and normed
    ffn,       // each row by itself
    recurrent, // from step to step in time
    layers,    // the layers above, of the same kind
    memory,    // what has been read, as another stream will look it up
    written,   // a stream that is written, on its way
    masked,    // its attention to itself, which sees no later word
    crossed,   // its attention to the other stream
    answer,    // how probable every word is
    said,      // the word that is chosen, and goes back to the entrance
    count
};
constexpr std::string_view scene_names[] = {"network",  "words",  "embedding", "positions", "normed",
                                            "vectors",  "scores", "shares",    "mixed",     "joined",
                                            "residual", "ffn",    "recurrent", "layers",    "memory",
                                            "written",  "masked", "crossed",   "answer",    "said"};
static_assert(std::size(scene_names) == std::size_t(SceneKind::count));
constexpr std::string_view name_of(SceneKind kind) { return scene_names[std::size_t(kind)]; }

struct FilmScene {
    SceneKind kind = SceneKind::words;
    Index first = 0, end = 0;      // steps of the story; none of the network
    double begin = 0, seconds = 0; // of the film
    Index told = 0;                // the step that it is about, whose formula stands under it
};

// How near a step is seen: by itself and row by row, what is new; passing by, where its block is new; else
// with all of its layer. What only stands there is not looked for.
enum class ShotSize { step, block, layer, same };

struct FilmShot { // of a step
    double begin = 0, seconds = 0;
    ShotSize size = ShotSize::layer;
    bool in_full() const { return size == ShotSize::step; }
};

struct FilmMoment {
    std::size_t scene = 0;
    Index step = 0;
    double share = 1; // of the step's time, 0 … 1
};

class Film {
public:
    Film() = default;
    Film(const ModelMap& map, const std::vector<StoryStep>& story, const std::vector<StoryBlock>& blocks);

    const std::vector<FilmScene>& scenes() const { return scenes_; } // none of a model without steps
    const FilmShot& shot(Index step) const { return shots_[std::size_t(step)]; }
    double seconds() const { return seconds_; }
    FilmMoment at(double seconds) const; // before its beginning and behind its end: the first, the last
    std::size_t scene_of(Index step) const;
    Index last_step() const { return last_step_; } // where it leaves off: what is chosen, else the last
    double prelude() const { return scenes_.empty() ? 0 : scenes_.front().seconds; }

private:
    std::vector<FilmScene> scenes_;
    std::vector<FilmShot> shots_; // a step each
    double seconds_ = 0;
    Index last_step_ = 0;
};

// What is read at the end by another stream's attention; null in a model of one stream.
const Node* memory_of(const ModelMap& map);

// The word that asks first, and the head that is followed while it does: in the first attention of these
// tokens where one looks hardest at another that is not beside it. In "… because it was tired" the pronoun.
struct AskingWord {
    Index row = 0, head = 0;
};
AskingWord asking_word(const ModelMap& map, const Node* tokens);
// Of the time of a step told in full, how much that word has; the others follow.
constexpr double asking_takes = 0.55;

// Seconds from its beginning in which a scene that is not played waits: it asks, and shows where it will be.
constexpr double film_waits = 0.02;

// Where it has come. While it is on, what is not computed yet is not shown.
struct FilmPlace {
    bool on = false;
    double seconds = 0;
};

// film play|pause|off|scene N|time SECONDS.
void add_film_commands(CommandRegistry& commands, const Session& session, View& view);
// From the beginning where it is over, else from the step that is looked at.
void play_film(View& view, const Film& film);
// A person went to another step: the film is at its end there. True where it was not there already.
bool follow_step(View& view, const Film& film);

} // namespace headlight
