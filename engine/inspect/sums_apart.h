// An explanation to be read as lists: every long sum or maximum stands in a step of its own, so that its
// terms can be shown under one another and the arithmetic around it in one short line after them.
#pragma once

#include "engine/graph/explanation.h"

namespace headlight {

// "mean = (a + b + c) / 3" becomes "sum = a + b + c" and "mean = sum / 3": the same arithmetic, the same last
// value. The new steps are called "sum" and "largest"; a line that is nothing but its list keeps its name.
Explanation with_sums_apart(const Explanation& explanation);

} // namespace headlight
