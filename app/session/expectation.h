// What a script expects of a number: PATH HEAD ROW COLUMN VALUE TOLERANCE.
#pragma once

#include "engine/base/result.h"
#include "engine/tensor/tensor.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Whether the cell of `numbers` is within the tolerance of the value. `words` are the six; `said` is repeated
// when it is not. Errors: words that are no numbers; no such cell; error.expectation_failed, which tells the
// number that is there.
Result<Done> meets(const Tensor& numbers, const std::vector<std::string>& words, std::string_view said);

} // namespace headlight
