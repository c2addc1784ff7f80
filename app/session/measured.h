// The measures of what is computed at present: each a small graph that stands on the model's, made when it is
// first asked for and kept while the model computes nothing else. And what would be said at every stop of a
// lens, told in a table that keeps the best word alone.
#pragma once

#include "app/session/loaded_model.h"
#include "engine/inspect/measures/measures.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// What is said at one place, if the stream stopped at one of its passages.
struct LensCell {
    TokenId word = 0; // or class
    double probability = 0;
};

struct LensTable {
    std::string stream;
    Index stops = 0, rows = 0;   // places where it may stop; places where something is said
    std::vector<LensCell> cells; // of the stops that are done, stop after stop

    Index done() const { return rows == 0 ? stops : Index(cells.size()) / rows; }
    bool is_complete() const { return done() == stops; }
    const LensCell& at(Index stop, Index row) const { return cells[std::size_t(stop * rows + row)]; }
};

class Measured {
public:
    // What the model computes next is other: nothing of before holds.
    void forget();

    // The graph that computes a value of this path; null when there is none such.
    const MeasureGraph* graph_of(std::string_view path, const LoadedModel& model, const SweepTarget& target);
    // Another whenever that value may be another; 0 of no measure.
    unsigned long version_of(std::string_view path, const LoadedModel& model, const SweepTarget& target);

    const LensTable* lens() const { return lens_.stream.empty() ? nullptr : &lens_; }
    // Works on the table of this stream for about so many seconds; true when something is new.
    bool advance_lens(const std::string& stream, const LoadedModel& model, double seconds);

    // While nobody holds a number of theirs: those that were not asked for the longest are given away, until
    // what is left has room in `budget` bytes. They are computed again when somebody asks.
    void trim();
    static constexpr std::size_t budget = std::size_t(256) << 20;

private:
    struct Kept {
        std::unique_ptr<MeasureGraph> made;
        SweepTarget target;
        unsigned long version = 0, asked = 0;
    };
    Kept* find(std::string_view path, const LoadedModel& model, const SweepTarget& target);

    std::map<std::string, Kept, std::less<>> kept_; // by the graph's name
    unsigned long clock_ = 0;
    LensTable lens_;
};

// Where a lens may be looked through: streams that what is said depends on, that which is written first.
std::vector<const Stream*> lens_streams(const Model& model);

} // namespace headlight
