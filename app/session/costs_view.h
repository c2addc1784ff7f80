// How one looks at what layers cost.
#pragma once

#include "app/live/cost_measuring.h"
#include "engine/inspect/counted.h"

#include <array>
#include <string>
#include <vector>

namespace headlight {

class CommandRegistry;
struct Inquiries;
struct LayerSize;
struct View;

// Measured on this machine; or counted for the sizes of models that people know.
enum class CostsPage { measured, paper };
constexpr std::string_view costs_page_names[] = {"measured", "paper"};

// Of one sequence through one layer: seconds of a forward pass, of forward and backward, bytes of the values
// of a forward pass, multiplications of it.
enum class CostQuantity { forward, training, bytes, multiplications };
constexpr std::string_view cost_quantity_names[] = {"forward", "training", "bytes", "multiplications"};

constexpr CostPart all_cost_parts[] = {CostPart::attention, CostPart::feed_forward, CostPart::rnn,
                                       CostPart::lstm, CostPart::gru};

struct CostsView {
    CostsPage page = CostsPage::measured;
    CostQuantity quantity = CostQuantity::forward;
    bool over_width = false; // at one length; else over length, at one width
    std::array<bool, std::size(all_cost_parts)> parts = {true, true, true, false, false}; // that are shown
    bool has_lines = true; // those that grow as N and N² do
    Index context = 1024;  // tokens, on paper
    std::size_t model = 0; // of counted_models()

    bool shows(CostPart part) const { return parts[std::size_t(part)]; }
    bool operator==(const CostsView&) const = default;
};

constexpr Index shortest_context = 8, longest_context = 131'072;

// Where a curve has its points: lengths 8 … 2,048 at the width of `size`, or widths 16 … 512 at its length.
std::vector<CostOrder> cost_places(CostPart part, const LayerSize& size, bool over_width);
double quantity_of(const CostPoint& point, CostQuantity quantity);

// costs …
void add_costs_commands(CommandRegistry& commands, Inquiries& inquiries, View& view,
                        CostMeasuring& measuring);

} // namespace headlight
