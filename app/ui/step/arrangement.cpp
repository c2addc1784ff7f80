#include "app/ui/step/arrangement.h"

#include "app/ui/base/ui.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double nothing = -1e3; // a matrix without room

// A matrix and the slim ones that stand under it.
struct Block {
    std::size_t first = 0, count = 0;
};

struct Division {
    double score = nothing * 100;
    std::vector<ScreenRect> rects; // of the blocks
};

class Arranger {
public:
    Arranger(std::span<const MatrixExtent> matrices, float gap, const CellMeasures& measures)
        : matrices_(matrices), gap_(gap), measures_(measures) {
        for (std::size_t i = 0; i < matrices.size(); ++i)
            if (blocks_.empty() || !matrices[i].is_slim || matrices[blocks_.back().first].is_list)
                blocks_.push_back({i, 1});
            else
                ++blocks_.back().count;
    }

    std::vector<ScreenRect> rects(const ScreenRect& rect) const {
        std::vector<ScreenRect> all;
        const Division best = divide(0, blocks_.size(), rect);
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            const Block& block = blocks_[b];
            ScreenRect rest = best.rects[b];
            const float slim = slim_height(block);
            all.push_back({rest.min, {rest.max.x, rest.max.y - slim}});
            float y = rest.max.y - slim;
            for (std::size_t i = block.first + 1; i < block.first + block.count; ++i) {
                y += gap_ / 2;
                all.push_back({{rest.min.x, y}, {rest.max.x, y + matrices_[i].slim_height}});
                y += matrices_[i].slim_height;
            }
        }
        return all;
    }

private:
    float slim_height(const Block& block) const {
        float height = 0;
        for (std::size_t i = block.first + 1; i < block.first + block.count; ++i)
            height += matrices_[i].slim_height + gap_ / 2;
        return height;
    }

    Division divide(std::size_t first, std::size_t end, const ScreenRect& rect) const {
        if (end - first == 1) {
            const Block& block = blocks_[first];
            const MatrixExtent& matrix = matrices_[block.first];
            return {matrix.importance
                        * legibility(matrix, rect.width(), rect.height() - slim_height(block), measures_),
                    {rect}};
        }
        // Coarser cuts where there are many matrices: the number of divisions grows quickly.
        const int parts = end - first <= 3 ? 12 : 5;
        Division best;
        for (std::size_t cut = first + 1; cut < end; ++cut)
            for (int part = 1; part < parts; ++part)
                for (const bool beside : {true, false}) {
                    const float share = float(part) / float(parts);
                    ScreenRect before = rect, after = rect;
                    if (beside) {
                        before.max.x = rect.min.x + std::round((rect.width() - gap_) * share);
                        after.min.x = before.max.x + gap_;
                    } else {
                        before.max.y = rect.min.y + std::round((rect.height() - gap_ / 2) * share);
                        after.min.y = before.max.y + gap_ / 2;
                    }
                    const Division left = divide(first, cut, before), right = divide(cut, end, after);
                    // From left to right reads better than downwards, when it costs little.
                    const double score = left.score + right.score + (beside ? 0.25 : 0);
                    if (score <= best.score) continue;
                    best.score = score;
                    best.rects = left.rects;
                    best.rects.insert(best.rects.end(), right.rects.begin(), right.rects.end());
                }
        return best;
    }

    std::span<const MatrixExtent> matrices_;
    float gap_;
    CellMeasures measures_;
    std::vector<Block> blocks_;
};

} // namespace

double legibility(const MatrixExtent& matrix, float width, float height, const CellMeasures& measures) {
    const float growth = measures.roomy > 0 ? std::clamp(height / measures.roomy, 1.f, greatest_growth) : 1.f;
    const float largest = std::floor(measures.largest * growth);
    width -= matrix.labels;
    height -= matrix.above + matrix.below;
    if (matrix.is_list) { // lines of text: enough is enough
        const float line = height / float(std::max(matrix.rows, 1L));
        if (width < 0 || line <= 1) return nothing;
        return 6 * std::log(std::min(line / measures.line, 1.2f)) + 4;
    }
    if (width < 2 || height < 2) return nothing;
    const float aspect = 1.9f; // as the heatmap has it
    float cell_width = std::min(width / float(std::max(matrix.columns, 1L)), largest * aspect);
    float cell_height = std::min(height / float(std::max(matrix.rows, 1L)), largest);
    cell_width = std::min(cell_width, cell_height * aspect);
    const float label = matrix.labels > 0 ? std::min(measures.line * 1.5f, cell_width * matrix.tallest) : 0;
    cell_height = std::min(cell_height, std::max(cell_width, label));
    double score = std::log(double(cell_width)) + std::log(double(cell_height));
    if (matrix.labels > 0 && cell_height < measures.line * 0.9f) score -= 1; // labels are left out
    if (cell_width >= measures.number && cell_height >= measures.number_height) score += 1;
    return score;
}

std::vector<ScreenRect> arrange(std::span<const MatrixExtent> matrices, const ScreenRect& rect, float gap,
                                const CellMeasures& measures) {
    if (matrices.empty()) return {};
    return Arranger(matrices, gap, measures).rects(rect);
}

int best_columns(const MatrixExtent& tile, int count, const ScreenRect& rect, float gap,
                 const CellMeasures& measures) {
    int best = 1;
    double best_score = nothing * 100;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const float width = (rect.width() - gap * float(columns - 1)) / float(columns);
        const float height = (rect.height() - gap * float(rows - 1)) / float(rows);
        // Among equals those that fill the width.
        if (const double score = legibility(tile, width, height, measures); score >= best_score)
            best_score = score, best = columns;
    }
    return best;
}

} // namespace headlight
