// What a person asks about numbers: the cell that is held and the trail that led to it, which way the
// question goes, and the part of a matrix that is looked at as a whole.
#pragma once

#include "engine/graph/graph.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

class CommandRegistry;
class Session;
struct Inquiries;
struct View;

// A cell by the path of its value: it outlives the graph that it is looked up in.
struct NamedCell {
    std::string path;
    Cell cell;
    bool operator==(const NamedCell&) const = default;
};

// A place in a sequence of tokens: that of the stream of this name, counted from 0 as it is fed.
struct TokenPlace {
    std::string stream;
    Index row = 0;
    bool operator==(const TokenPlace&) const = default;
};

bool exists(const NamedCell& cell, const Graph& graph);
// A lesson asks for it first, or for a number that its arithmetic is written with.
bool is_kept_back(const Session& session, const NamedCell& cell);
// "select encoder.0.self_attn.q 1 3 2"
std::string select_command(const NamedCell& cell);

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

struct Asking {
    std::optional<NamedCell> held; // the cell whose arithmetic stays
    // Cells that were held before the one that is held now, the latest last; and those that `back` left.
    std::vector<NamedCell> trail, ahead;
    AskingDirection direction = AskingDirection::made_from;
    bool by_contribution = true; // terms of a sum: the largest first, or as they are computed
    bool every_term = false;     // or the first few, and the rest gathered
    std::optional<MatrixPart> part;
    std::string copied;         // the last text that was copied
    bool for_clipboard = false; // `copied` waits for whoever has a clipboard

    void hold(const NamedCell& next); // the one before is the last of the trail
    void forget();                    // nothing is held any more: the trail ends here
    // What does not stay is forgotten.
    void keep(const std::function<bool(const NamedCell&)>& stays);
};

// select, unselect, back, forward, direction, terms, region, copy, dimensions, distance, expect.
void add_asking_commands(CommandRegistry& commands, const Session& session, View& view);
void add_expected_gradient(CommandRegistry& commands, Inquiries& inquiries); // expect_gradient

} // namespace headlight
