// An operation knows three things: how to compute, how to differentiate, and how to explain one cell of
// either. It also says what its value is and how it is written, so that nobody has to ask for its name.
#pragma once

#include "engine/graph/axes.h"
#include "engine/graph/edits.h"
#include "engine/graph/explanation.h"
#include "engine/graph/notation.h"
#include "engine/tensor/tensor.h"

#include <optional>
#include <string_view>
#include <vector>

namespace headlight {

// What a value is to those who show, change and explain it.
enum class ValueKind {
    numbers,       // computed; nothing in particular
    tokens,        // ids as they were fed
    parameter,     // learned
    lookup,        // rows of a table, chosen by ids
    positions,     // a code for every position, the same for all sentences
    mask,          // 0 where attention is allowed, −∞ where it is not
    probabilities, // shares: each row sums to 1
    choice,        // ids chosen from the numbers that it reads
    loss,
};

// x ↦ (x − mean) / √(variance + ε) · γ + β of each row; without a centre x / √(mean of squares + ε) · γ.
struct Normalisation {
    bool centres = true; // β is the third input then, γ always the second
    double epsilon = 0;
};

// `count` products of matrices alike, [rows × inner] by [inner × columns].
struct MatrixProduct {
    Index count = 0, rows = 0, inner = 0, columns = 0;
    Index multiplications() const { return count * rows * inner * columns; }
};

class Op {
public:
    virtual ~Op() = default;

    virtual std::string_view name() const = 0; // "matmul_nt": for display and debugging

    // --- what its value is ----------------------------------------------------------------------------
    virtual ValueKind kind() const { return ValueKind::numbers; }
    // What rows and columns stand for, given the axes of the inputs; as a rule as in the first.
    virtual Axes axes(const Node& node) const;
    // It reads an input by columns: what is stored [out × in] it multiplies as the papers' [in × out].
    virtual bool reads_transposed(std::size_t /*input*/) const { return false; }
    // −∞ in the value is as it should be.
    virtual bool may_forbid() const { return false; }
    // What it does to its inputs, for those who take a sum apart: its value is their sum; its rows are
    // brought to one length; it is the mean of the rows of its first input that it reads.
    virtual bool is_sum() const { return false; }
    virtual std::optional<Normalisation> normalisation() const { return {}; }
    virtual bool is_mean_of_rows() const { return false; }
    // A row of its value needs more of that input than the same row: attention, which sums over all keys.
    virtual bool mixes_rows(std::size_t /*input*/) const { return false; }
    // The products of matrices that forward computes of its first two inputs; backward computes twice as
    // many, one for the gradient of either.
    virtual MatrixProduct product(const Node&) const { return {}; }
    // How many numbers forward multiplies in its products; what is done cell by cell is not counted.
    virtual Index multiplications(const Node& node) const { return product(node).multiplications(); }
    // Of ValueKind::positions: the codes of the first `count` positions, row after row, or of as many as
    // there are. Not only those of the sentence at hand.
    virtual std::vector<Real> position_codes(const Node&, Index /*count*/) const { return {}; }

    // --- computing, differentiating, explaining -------------------------------------------------------
    // Shape of the value, from the shapes of the inputs' values. Sizes flow: the same graph computes
    // sentences of any length.
    virtual Shape shape(const Node& node) const = 0;
    // Shape of what forward keeps for backward in node.saved; nothing for most.
    virtual Shape saved_shape(const Node&) const { return {}; }
    // A view's value is memory that exists already (a parameter): it is found, not computed.
    virtual bool is_view() const { return false; }
    virtual Tensor view(const Node&) const { return {}; }
    // Memory of the gradient, when it exists already (a parameter's lives outside the pass).
    virtual Tensor gradient_view(const Node&) const { return {}; }
    // For Graph::leave_heads_in_place: into how many matrices it cuts one of its input's; how many it joins;
    // whether it finds each matrix of inputs and value wherever they stand (Tensor::down).
    virtual Index cuts() const { return 1; }
    virtual Index joins() const { return 1; }
    virtual bool finds_matrices() const { return false; }

    virtual void forward(Node& node) const = 0;  // inputs' values → node.value
    virtual void backward(Node& node) const = 0; // node.grad → adds to the inputs' grads
    virtual Explanation explain(const Node& node, Cell cell) const = 0; // of node.value(cell)

    // What backward adds to the gradient of one cell of an input, as arithmetic over node's own gradient and
    // values. No steps: nothing, because the cell was not read (another row of a table), or because there is
    // nothing to differentiate (a choice, a mask).
    virtual Explanation explain_backward(const Node&, std::size_t /*input*/, Cell) const { return {}; }

    // --- row after row --------------------------------------------------------------------------------
    // In a recurrence (Graph::begin_recurrence) an operation computes one row of all sequences at a time, and
    // differentiates the last row first. What is the same for each row, the gradient of weights, is left to
    // the end. Only operations that can do that may stand in one.
    virtual bool runs_by_rows() const { return false; }
    virtual void forward_row(Node&, Index /*row*/) const {}
    virtual void backward_row(Node&, Index /*row*/) const {} // of inputs whose rows belong to its own rows
    virtual void backward_rest(Node&) const {}               // of all others, once no row is left
    // Row t of the value is made of row t − 1 of this input, which may be computed after it.
    virtual bool reads_row_before(std::size_t /*input*/) const { return false; }

    // The cells of the value that read one cell of an input, in the arithmetic or (of token ids) as what
    // chooses. None: whoever asks has to look at the explanations.
    using Regions = std::vector<Region>;
    virtual std::optional<Regions> readers(const Node&, std::size_t /*input*/, Cell) const { return {}; }

    // --- how it is written ----------------------------------------------------------------------------
    // The right-hand side, also as part of the formula of a reader.
    virtual Formula formula(const Node& node, const Letters& letters) const;
    // The whole of it where it stands by itself: "S = Q\\,K^T". Without a letter of the result to the left,
    // where the value is known by what it is.
    virtual std::string equation(const Node& node, const Letters& letters) const;
    // The same with the sizes of this model; nothing for most.
    virtual std::string sized_equation(const Node&, const Letters&) const { return {}; }
    // What is done to the first input, in little, for a line that leads from it to the result:
    // "\\times\\,K^T". Nothing where there is nothing to say.
    virtual std::string sign(const Node&, const Letters&) const { return {}; }
    // What `explain` calls the cells of an input in its formula ("w_{jc}") and the number that one of its
    // steps gives ("mean" is "\\mu_i"); nothing where the formula does not have them.
    virtual std::string cell_letter(std::size_t /*input*/) const { return {}; }
    virtual std::string step_letter(std::string_view /*step*/) const { return {}; }
    // How it differentiates: what it hands back to one of its inputs. As a rule, the gradient as it comes.
    virtual GradientTerm gradient_term(const Node&, std::size_t /*input*/,
                                       const GradientLetters& letters) const {
        return {letters.slope()};
    }
};

} // namespace headlight
