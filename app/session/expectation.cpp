#include "app/session/expectation.h"

#include "app/session/command.h"
#include "engine/graph/edits.h"

#include <array>
#include <cmath>

namespace headlight {

Result<Done> meets(const Tensor& numbers, const std::vector<std::string>& words, std::string_view said) {
    std::array<double, 5> expected;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Result<double> number = number_of(words[i + 1]);
        if (!number) return number.error();
        expected[i] = *number;
    }
    const auto [head, row, column, value, tolerance] = expected;
    const Region cell{Index(head), Index(row), Index(column)};
    if (cell.batch < 0 || cell.row < 0 || cell.column < 0 || !cell.fits(numbers.shape()))
        return Error{"error.no_such_cell", {words[0], to_string(numbers.shape())}};
    const double present = double(numbers(cell.batch, cell.row, cell.column));
    if (std::abs(present - value) <= tolerance) return Done{};
    return Error{"error.expectation_failed", {std::string(said), std::to_string(present)}};
}

} // namespace headlight
