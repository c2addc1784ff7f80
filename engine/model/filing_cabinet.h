// Attention as a filing cabinet, small enough to be read: one note that says what is looked for, folders with
// a label (key) and what lies in them (value) (Alammar 2019, "The Illustrated GPT-2"). The operations are
// those of the Transformer: every number explains itself, and W_Q learns by the graph's own backward.
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/parameters.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace headlight {

// What is chosen; the rest is computed.
struct CabinetNumbers {
    std::array<double, 2> note = {2, 1};      // the vector of the word that looks for something
    std::array<double, 4> w_q = {1, 0, 0, 1}; // which makes the query of it, row by row
    Index wanted = 0;                         // the folder that training shall find
    bool operator==(const CabinetNumbers&) const = default;
};

// Values: "cabinet.note" [1 × 2], "cabinet.w_q" [2 × 2], "cabinet.query" [1 × 2]; of four folders
// "cabinet.keys" [4 × 2], "cabinet.scores" and "cabinet.weights" [1 × 4], "cabinet.values" [4 × 3],
// "cabinet.output" [1 × 3]; the loss of the wanted folder, "cabinet.goal" and "cabinet.loss" [1 × 1].
struct FilingCabinet {
    std::vector<std::string> folders; // "robot", "a", "it", and "…" for all others
    std::string looking;              // the word whose note it is
    Parameters parameters;
    Graph graph;

    double weight(Index folder) const;
};

constexpr Index wanted_folders = 3; // all but the others
constexpr double share_found = 0.8; // a folder is found that has so much of the attention

// Built and computed.
std::unique_ptr<FilingCabinet> build_filing_cabinet(const CabinetNumbers& numbers = {});

// So many steps of gradient descent of the loss, fewer where the wanted folder is found before: W_Q after
// them.
std::array<double, 4> trained(FilingCabinet& cabinet, Index steps);
bool has_found(const FilingCabinet& cabinet, Index wanted);

} // namespace headlight
