#include "app/ui/widgets/matrix_facts.h"

#include "app/ui/base/ui.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace headlight {

MatrixFacts find_facts(const HeatmapMatrix& matrix) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    MatrixFacts facts;
    float low = infinity, high = -infinity;
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            const float value = *matrix.at(row, column);
            if (std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
                ++facts.finite;
            } else
                ++(value == -infinity ? facts.minus_infinite : facts.broken);
        }
    }
    if (facts.finite == 0) return facts;
    facts.low = low;
    facts.high = high;
    facts.largest_magnitude = std::max(std::abs(low), std::abs(high));
    return facts;
}

const MatrixFacts& facts_of(const HeatmapMatrix& matrix) {
    struct Remembered {
        std::uint64_t version = 0;
        int rows = 0, columns = 0, last_frame = 0;
        MatrixFacts facts;
    };
    struct Memory {
        std::unordered_map<std::uint64_t, Remembered> of;
    };
    auto& memory = ui().memory<Memory>().of;
    constexpr std::size_t many = 4096;
    const int frame = ImGui::GetFrameCount();
    if (memory.size() > many)
        std::erase_if(memory, [&](const auto& entry) { return entry.second.last_frame < frame; });

    const auto [entry, is_new] = memory.try_emplace(matrix.id);
    Remembered& remembered = entry->second;
    remembered.last_frame = frame;
    if (is_new || remembered.version != matrix.version || remembered.rows != matrix.rows
        || remembered.columns != matrix.columns) {
        remembered = {matrix.version, matrix.rows, matrix.columns, frame, find_facts(matrix)};
    }
    return remembered.facts;
}

} // namespace headlight
