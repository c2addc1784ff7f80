// What a person asks about numbers: the cell that is held and the trail that led to it, which way the
// question goes, and the part of a matrix that is looked at as a whole.
#pragma once

#include "engine/graph/graph.h"
#include "engine/inspect/position_codes.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

class CommandRegistry;
class Session;
struct Inquiries;
struct View;

// A cell that someone asked about.
struct Selection {
    std::string path;
    Cell cell;
    bool operator==(const Selection&) const = default;
};

bool exists(const Selection& selection, const Graph& graph);
// "select encoder.0.self_attn.q 1 3 2"
std::string select_command(const Selection& cell);

// Cells row0 … row1 × column0 … column1 of one matrix of a value, ends included.
struct MatrixPart {
    std::string path;
    Index head = 0; // of a per-head value; else 0
    Index row0 = 0, column0 = 0, row1 = 0, column1 = 0;

    Index rows() const { return row1 - row0 + 1; }
    Index columns() const { return column1 - column0 + 1; }
    bool operator==(const MatrixPart&) const = default;
};

bool exists(const MatrixPart& part, const Graph& graph);
MatrixPart whole_matrix(const Node& node, Index head);

enum class AskingDirection { made_from, touches };
// What stands in the place of the canvas: the matrices of the present step, the positional encoding, a row of
// the step worked out, a word followed through attention.
enum class CloseUp { none, step, positions, workings, word };

struct Asking {
    // Cells that were held before the one that is held now, the latest last; and those that `back` left.
    std::vector<Selection> trail, ahead;
    AskingDirection direction = AskingDirection::made_from;
    bool by_contribution = true; // terms of a sum: the largest first, or as they are computed
    bool every_term = false;     // or the first few, and the rest gathered
    std::optional<MatrixPart> part;
    std::string copied; // the last text that was copied
    std::optional<MatrixPart> copied_part;
    bool for_clipboard = false; // `copied` waits for whoever has a clipboard
    CloseUp close_up = CloseUp::none;
    PositionDistance distance = PositionDistance::euclidean;
    std::vector<Index> dimensions = {0, 1, 8, 16, 32}; // whose curves the close-up shows

    // `held` gives way to another cell.
    void visit(const Selection& next, const std::optional<Selection>& held);
    void forget(); // nothing is held any more: the trail ends here
    // What does not stay is forgotten.
    void keep(const std::function<bool(const Selection&)>& stays);
};

// select, unselect, back, forward, direction, terms, region, copy, dimensions, distance, expect.
void add_asking_commands(CommandRegistry& commands, const Session& session, View& view);
void add_expected_gradient(CommandRegistry& commands, Inquiries& inquiries); // expect_gradient

} // namespace headlight
