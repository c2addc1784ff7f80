// Where the time of a pass goes: how long each value of what is computed took on this machine, beside the
// work that it cannot do without and the products of matrices alone. Measured while it is looked at, on the
// sentence at hand.
#pragma once

#include "app/session/page_views.h"
#include "engine/inspect/cost.h"
#include "engine/inspect/formulas.h"

#include <memory>
#include <string_view>
#include <vector>

namespace headlight {

// Of one part of a cost, or of both added up.
PassWork work_of(const OperationCost& cost, ProfilePart part);

class Profile {
public:
    // Of the values at hand, which stay as they are. `loss`: what is differentiated too, as [1 × 1]; null:
    // there is nothing, or it would take too much memory. Both outlive this.
    Profile(Graph& graph, Node* loss);

    // Computes the pass anew, once or more often for about so many seconds. True when something is new.
    // Leaves the gradients of the loss behind.
    bool advance(double seconds);
    // A few passes, of a large model one alone.
    bool is_over() const;

    int passes() const { return passes_; }
    bool has_backward() const { return loss_ != nullptr; }
    // Of a part that was not measured: forward.
    ProfilePart measured(ProfilePart wanted) const;

    // --- medians of the passes so far; zero before the first
    // By kind of operation, the dearest of the part first.
    std::vector<OperationCost> operations(ProfilePart part) const;
    OperationCost total() const; // of all of them
    double seconds_of(const Node& node, ProfilePart part) const;
    double longest(ProfilePart part) const; // seconds of the dearest value
    // The dearest value that an operation of this name computes; null when none does.
    const Node* dearest(std::string_view operation, ProfilePart part) const;
    // Seconds of the products of matrices of the same shapes, forward and back, and nothing else, on one
    // thread; 0 where they are not measured.
    double products_alone() const { return products_alone_; }

private:
    void run_once();
    void summarise();

    Graph& graph_;
    Node* loss_;
    std::unique_ptr<BareProducts> bare_;
    int passes_ = 0;
    double spent_ = 0;                                      // seconds of all passes
    std::vector<std::vector<double>> forwards_, backwards_; // of each pass, by node
    std::vector<double> bare_seconds_;
    NodeTimes times_; // the medians
    double products_alone_ = 0;
    OperationCosts costs_;
};

} // namespace headlight
