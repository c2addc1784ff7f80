#pragma once

#include "app/session/session.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"
#include "engine/inspect/explanation_text.h"
#include "engine/inspect/region_cells.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

// The numbers around one number: the cells that it was made from, as its explanation says, and the cells
// that read it.

// By value and head, in order of rows.
using LitCells = std::map<std::pair<const Node*, Index>, std::vector<MatrixCell>>;

// As the explanation of a number says, whoever asks.
LitCells cells_made_from(const CellRef& number);

// The cell that is asked about in a room that shows the model: the held one, else the one under the pointer;
// none that is not there any more.
std::optional<NamedCell> asked_cell(const Session& session, const std::optional<NamedCell>& pointed);

// Each is kept until another cell is asked about or the numbers change: an explanation of a long sum takes
// time.
const LitCells& cells_behind(const Session& session, const std::optional<NamedCell>& asked);
const LitCells& cells_touched(const Session& session, const std::optional<NamedCell>& asked);
// The one or the other, as the session's direction says.
const LitCells& cells_of_direction(const Session& session, const std::optional<NamedCell>& asked);

// What reads the cell, value by value, in order of computation.
const std::vector<TouchedCells>& touched_by(const Session& session, const std::optional<NamedCell>& asked);

// On a small page, which draws its own numbers: the cell under the pointer as of the last frame, and the one
// that the asking panel speaks of. The same as pointed and hinted of a CanvasView.
struct SmallPageAsking {
    std::optional<NamedCell> pointed, hinted;

    void begin_frame(); // what is pointed at is said anew in every frame: point()
    void point(NamedCell cell) { now_ = std::move(cell); }
    // The held one of this page, else the pointed one; nothing that is not there any more.
    std::optional<NamedCell> asked(const Session& session) const;

private:
    std::optional<NamedCell> now_;
};
SmallPageAsking& small_page_asking();
// The page's room is the room: a cell of its own is held.
const NamedCell* held_on_small_page(const Session& session);

// Of one value, those of the cells above that are its own.
std::vector<MatrixCell> lit_in(const LitCells& lit, const Node& node);

// The arithmetic of the asked cell as the panel shows it: lines of terms that add up as they are printed.

// One term of a list: "animal   0.42·1.10   0.462".
struct TermRow {
    std::size_t term = 0;   // of the line
    std::string label;      // what it stands for: "animal" (the token summed over), "3" (the column), or
                            // the value's name where it is like no other
    std::string arithmetic; // empty where every term of the line is one number
    std::vector<NumberLink> links; // of the arithmetic, or of the number where there is none
    std::string number;            // what it contributes, with its sign
    double contribution = 0;
    bool is_rest = false; // what is not listed
    std::size_t gathered = 1;
};

struct AskedLine {
    ExplanationLine line;
    std::vector<TermRow> rows; // when the line is a list: more than one term
};

// Listed of a sum at first; fewer where the sum is one step of several.
constexpr int few_terms = 8, few_terms_of_a_step = 4;

struct AskedArithmetic {
    std::string formula;          // symbolic, in the formula language
    std::string note;             // key of a remark, or empty
    std::vector<AskedLine> lines; // long sums stand in lines of their own; the last is the cell
    int few = few_terms;          // listed of a sum until every term is asked for

    const std::string& value() const { return lines.back().line.result; }
};

// Ordered and shortened as the session says.
AskedArithmetic asked_arithmetic(const Session& session, const NamedCell& asked);

// The same, kept while nothing that it depends on changes.
const AskedArithmetic& known_arithmetic(const Session& session, const NamedCell& asked);

// "mean μ": what a line's symbol is called; a letter stays what it is.
std::string symbol_name(const Session& session, const std::string& symbol);

// "attention weights · head 2", "∂L/∂ attention weights · head 2"; "it → animal", "it · column 3".
std::string value_title(const Session& session, const Node& node, Index head, bool gradient = false);
std::string cell_place(const Session& session, const Node& node, const Cell& cell);

// What the asking panel is put together from, one under another.

struct AskingContext {
    const Session& session;
    CommandSink& commands;
    PanelColumn column;
    std::optional<NamedCell> hinted{}; // the cell that the pointer is on, wherever in the panel
    bool is_low = false;               // large type in little height: the terms come before all choices
};

// The cell's name, place and value; with the way to let go of it while it is held.
void asked_heading(AskingContext& context, const NamedCell& asked);
// The cells that were held before, as links; nothing without a trail.
void trail_view(AskingContext& context);
// How the cell was made: formula, terms, sum, remark.
void arithmetic_view(AskingContext& context, const NamedCell& asked);
// What reads the cell: values and their cells.
void touched_view(AskingContext& context, const NamedCell& asked);
// Statistics of a part of a matrix, and its copying.
void part_view(AskingContext& context, const std::optional<NamedCell>& pointed);

// --- what they share ----------------------------------------------------------------------------------

// A caption that names what follows.
void section_caption(AskingContext& context, std::string_view text);

} // namespace headlight
