// The chain rule of a net of gradient descent, link by link (Bishop & Bishop 2023, ch. 8).
#pragma once

#include "engine/model/descent_net.h"

#include <string>
#include <vector>

namespace headlight {

// One link of the chain rule: a derivative of one number with respect to the one before it.
struct DescentLink {
    std::string written; // for a formula: "\\frac{\\partial f}{\\partial z}"
    double number = 0;
};
// From the cost back to one weight, as far as one point has a share in it: the product of the links. Over all
// points these shares add up to ∂C/∂w. The net is differentiated.
std::vector<DescentLink> links_to(std::size_t weight, Index point, const DescentNet& net,
                                  const DescentTask& task);

} // namespace headlight
