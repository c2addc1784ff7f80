// A sweep over the sentence at hand: how probable a word of the output stays, or becomes, when each head is
// silenced in turn, or each word of the sentence, or each position is taken from the second sentence's run,
// or what each head tells one other head alone.
#pragma once

#include "app/session/asking.h"
#include "app/session/what_if.h"
#include "engine/inspect/path_patching.h"
#include "engine/inspect/sweep.h"

#include <optional>
#include <string>

namespace headlight {

class Experiment;
class Arguments;
class CommandRegistry;
struct Inquiries;
struct View;

enum class SweepKind { heads, patch, words, paths };
constexpr std::string_view name_of(SweepKind kind) {
    constexpr std::string_view names[] = {"heads", "patch", "words", "paths"};
    return names[std::size_t(kind)];
}

struct SessionSweep {
    SweepKind kind;
    Sweep sweep;
    std::string word;                          // or class, whose probability is watched
    std::optional<PathReceiver> receiver = {}; // of paths: the head that hears
    bool chooses_word = false; // nobody asked for one: it will be the one that depends most on a single head

    bool is_over() const { return sweep.done() == sweep.total(); }
};

// Over all heads, of the word that `held` is, else of the one that depends most on a single head. Nothing is
// measured yet: that is for the frames that follow.
void begin_sweep_of_heads(Experiment& experiment, const std::optional<NamedCell>& held);
// Goes on for about so many seconds.
void advance_for(SessionSweep& sweep, double seconds, const LoadedModel& model);

// What silences a word of the typed sentence, counted from 0: stands behind "change". Nothing where the model
// has no token for a word that is not there, or reads none.
std::optional<std::string> silenced_word_change(const LoadedModel& model, Index word);
// Words of the typed sentence that are fed.
Index words_to_silence(const LoadedModel& model, const Sentence& sentence);

// The command that begins a sweep of this kind over this word; and the like of one that was done.
std::string sweep_command(SweepKind kind, const SweepTarget& target, const LoadedModel& model,
                          const std::optional<PathReceiver>& receiver = {});
std::string sweep_command(const SessionSweep& done, const SweepTarget& target, const LoadedModel& model);
std::string receiver_words(const PathReceiver& receiver); // of a command: "decoder.1.cross_attn 2 q"

// The scale that a person chose, or else the one that tells most.
SweepMeasure measure_of(const SessionSweep& sweep, const std::optional<SweepMeasure>& chosen);

// The word whose probability is most worth watching: the cell that is held, when it is one of the output;
// else the first word in which the second sentence's output is another (for a patch sweep that other word);
// else the last word said, until a sweep of heads that is done knows better.
SweepTarget default_target(SweepKind kind, const Sentence& sentence, const Sentence* second,
                           const std::optional<NamedCell>& held, const Output& output);

// A word that the model says, or the number of a word, a class or a column.
Result<TokenId> word_of(const std::string& text, const LoadedModel& model);
// ROW WORD [AGAINST]; whether there is such a row is another question.
Result<SweepTarget> target_of(const Arguments& in, const LoadedModel& model);

// sweep …
void add_sweep_commands(CommandRegistry& commands, Inquiries& inquiries, View& view);

} // namespace headlight
