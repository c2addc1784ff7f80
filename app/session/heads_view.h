// What is looked at in the room of heads.
#pragma once

#include "app/session/page_views.h"
#include "engine/inspect/sweep.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class CommandRegistry;
class Strings;
struct Inquiries;
struct View;

// Which map of an attention: one head's, or one number a pair of words made of all heads.
enum class HeadMap { one, mean, maximum, rollout };

// What stands in the room: all heads, two sentences, one word over many sentences, the masks, a padded batch,
// a sweep, what would be said after earlier layers, what brings a word its logit, and that beside what
// silencing does.
enum class HeadsPage { grid, pair, words, masks, batch, sweep, lens, attribution, claimed, count };
constexpr std::string_view heads_page_names[] = {"grid",  "pair", "words",       "masks",  "batch",
                                                 "sweep", "lens", "attribution", "claimed"};
inline std::string name_of(HeadsPage page) {
    return std::string(heads_page_names[std::size_t(page)]);
} // "board.page.grid"

// A word of the large map that is held: a query (row) or a key (column).
struct HeldWord {
    bool is_key = false;
    Index place = 0;
    bool operator==(const HeldWord&) const = default;
};

// Heads of which a measure is less than that are left out of the grid.
struct HeadsFilter {
    std::string measure; // empty: none is left out
    double least = 0;
    bool operator==(const HeadsFilter&) const = default;
};

// A word of each of two sentences whose way through the layers is followed.
struct FollowedWords {
    std::string stream; // that they are words of: "encoder"
    Index first = 0, second = 0;
    bool operator==(const FollowedWords&) const = default;
};

// Whose places are looked at, over many sentences, and where on their way.
struct WordsView {
    std::string word;             // empty: the last of the sentence
    Index stop = 0;               // of its way through the model
    std::vector<std::string> own; // sentences of the person's, beside those at hand
    bool operator==(const WordsView&) const = default;
};

std::string follow_command(const FollowedWords& words);
std::string attribute_command(const SweepTarget& target);
// Their arguments alone.
std::string written(const FollowedWords& words);
std::string written(const SweepTarget& target);

struct HeadsView {
    HeadsPage page = HeadsPage::grid;
    std::string attention; // "decoder.1.cross_attn" of the map that is shown large; empty: the grid
    HeadMap map = HeadMap::one;
    Index head = 0;    // when the map is that of one head
    std::string order; // the measure by which the grid is sorted; empty: by layer
    HeadsFilter filter;
    bool transposed = false;  // keys as rows, queries as columns
    bool lines = false;       // lines between words in the place of the large map
    bool weighted = false;    // the large map: weights times the length of what the key has to tell
    bool hides_first = false; // the large map: without the first key, which draws what is to spare
    std::string lens;         // the stream that is looked at through a lens; empty: the first
    std::optional<SweepTarget> attributed; // the number that is taken apart; none: of the last word said
    bool by_size = true;                   // its parts: the largest first, or as they are computed
    std::optional<HeldWord> word;
    // Of two sentences: a word's way through the layers, else their maps. No followed words: those that part
    // most.
    bool shows_way = false;
    std::optional<FollowedWords> followed;
    std::optional<SweepMeasure> measure; // on which scale a sweep is shown; none: on the one that tells most
    BatchView batch;
    WordsView words;
    bool operator==(const HeadsView&) const = default;
};

// What a model does not have, or has fewer of, is not looked at.
void keep_what_exists(HeadsView& view, const ModelMap& map);

// heads …
void add_heads_commands(CommandRegistry& commands, View& view, Inquiries& inquiries, const Strings& strings);

} // namespace headlight
