// What stands in the table of a worked-out row: a line for each strip of numbers that has appeared.
#pragma once

#include "app/session/session.h"
#include "app/look/colour.h"
#include "app/ui/base/theme.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct WorkingLine {
    std::string name;               // of the widget
    std::string label, place;       // "K", "cat"
    std::optional<Colour> colour{}; // query's, key's, value's
    std::vector<float> numbers;
    std::vector<CellRef> cells; // of the graph, one for each number, or none
    std::size_t known = 0;      // the first so many are known
    bool shared = false;        // not a number for each column
    std::string symbol;         // of a step or a constant
    bool is_result = false;
    Palette palette = Palette::diverging;
};

struct WorkingTable {
    std::vector<WorkingLine> lines;  // those to come have nothing known
    std::optional<Cell> arithmetic;  // the cell whose arithmetic is written out
    std::optional<int> focus;        // of the numbers side by side: the one to read first
    std::vector<std::string> places; // what these numbers stand for: "cat", "dog"; none: their numbers
    Index first_place = 0;
    std::string saying;        // key of the sentence about this moment
    std::string lit_part;      // of the formula: what has just been worked out
    std::vector<Index> edited; // columns whose numbers between are not shown
};

WorkingTable working_table(const Session& session, const RowWorking& working, const Workings& at);

} // namespace headlight
