// A table as a value: columns, and rows of cells. It measures itself, lets go of the columns that are needed
// least where there is no room for all, draws, and says what was pressed.
#pragma once

#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/text.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct TableCell {
    std::string text{};
    Colour colour = 0;             // of text or bar; 0: as is usual there
    std::optional<float> bar{};    // from 0, or −1, to 1: how much of the cell it fills
    Colour dot = 0;                // before the text
    const Face* face = nullptr;    // none: the column's
    std::string name{}, tooltip{}; // where scripts find it; of a heading: what is pressed
};

struct TableColumn {
    TableCell heading{};
    Align align = Align::right;
    const Face* face = nullptr; // none: small digits at the right, else running text
    float least = 0;            // width in pixels; without a share as much as its content wants, too
    float share = 0;            // of the width that the others leave
    int spare = 0;              // above 0: let go where there is no room, the highest first
    bool two_sided = false;     // bars begin in the middle
    bool chosen = false;        // its heading stands out
};

struct TableRow {
    std::vector<TableCell> cells{};
    std::string name{}, tooltip{}; // one that has a name can be pressed
    bool chosen = false;
    bool is_total = false; // a line above it
};

struct Table {
    std::string name{};
    std::vector<TableColumn> columns{};
    std::vector<TableRow> rows{};
    float line = 0;         // height of a row; 0: table_line()
    float height = 0;       // of all: rows move together for it; those that have no room even so are left out
    bool has_rules = false; // thin lines between its rows
};

struct TableResult {
    std::optional<std::size_t> pressed{}, hovered{}; // rows
    std::optional<std::size_t> heading{};            // the column whose heading was pressed
};

TableResult draw_table(const Table& table, PanelColumn& column);

float table_line(); // height of a row, and of the headings

} // namespace headlight
