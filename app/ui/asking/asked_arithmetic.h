// The arithmetic of the asked cell as the panel shows it: lines of terms that add up as they are printed.
#pragma once

#include "app/session/session.h"
#include "engine/inspect/explanation_text.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

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

} // namespace headlight
