#include "app/canvas/layout.h"

#include "app/canvas/block_layout.h"
#include "app/canvas/connections.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double block_gap = 70, line_gap = 90, layer_gap = 150, layer_padding = 46, side_gap = 360;

// Blocks that are read one after another: they share a layer, or stand outside of all.
struct Paragraph {
    long layer = -1;
    std::vector<std::size_t> blocks;
};

struct Side {
    std::string name;
    std::vector<Paragraph> paragraphs;
};

// A side for each stack that tokens pass; what belongs to none (the output) stands on the side before it.
std::vector<Side> sides_of(std::span<const StoryBlock> blocks) {
    std::vector<Side> sides;
    std::size_t present = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const StoryBlock& block = blocks[i];
        if (sides.empty() || block.in_stream) {
            const auto known = std::find_if(sides.begin(), sides.end(),
                                            [&](const Side& side) { return side.name == block.side; });
            present = std::size_t(known - sides.begin());
            if (known == sides.end()) sides.push_back({block.side, {}});
        }
        std::vector<Paragraph>& paragraphs = sides[present].paragraphs;
        const bool goes_on = !paragraphs.empty() && paragraphs.back().layer == block.layer
                             && blocks[paragraphs.back().blocks.back()].side == block.side;
        if (!goes_on) paragraphs.push_back({block.layer, {}});
        paragraphs.back().blocks.push_back(i);
    }
    return sides;
}

using Line = std::vector<std::size_t>;

std::vector<Line> lines_of(const Paragraph& paragraph, const std::vector<BlockLayout>& blocks, double width) {
    std::vector<Line> lines;
    double used = 0;
    for (const std::size_t block : paragraph.blocks) {
        const double wanted = blocks[block].width;
        if (lines.empty() || used + block_gap + wanted > width) {
            lines.emplace_back();
            used = -block_gap;
        }
        used += block_gap + wanted;
        lines.back().push_back(block);
    }
    return lines;
}

class Composer {
public:
    Composer(std::span<const StoryStep> steps, std::span<const StoryBlock> blocks, std::span<const Axes> axes,
             HeadRows rows)
        : steps_(steps), story_blocks_(blocks), sides_(sides_of(blocks)) {
        for (const StoryBlock& block : blocks) blocks_.push_back(lay_out_block(steps, block, axes, rows));
    }

    double widest_block() const {
        double width = 0;
        for (const BlockLayout& block : blocks_) width = std::max(width, block.width);
        return width;
    }
    double widest_paragraph() const {
        double widest = 0;
        for (const Side& side : sides_)
            for (const Paragraph& paragraph : side.paragraphs) {
                double width = 0;
                for (const std::size_t block : paragraph.blocks) width += blocks_[block].width + block_gap;
                widest = std::max(widest, width);
            }
        return widest;
    }

    // With lines at most so wide.
    CanvasLayout compose(double line_width) const;
    // Only its size.
    PlaneRect extent(double line_width) const;

private:
    void compose_side(CanvasLayout& layout, const Side& side, double left, double line_width,
                      std::vector<PlaneRect>& lines, std::vector<std::size_t>& line_of) const;

    std::span<const StoryStep> steps_;
    std::span<const StoryBlock> story_blocks_;
    std::vector<Side> sides_;
    std::vector<BlockLayout> blocks_;
};

void Composer::compose_side(CanvasLayout& layout, const Side& side, double left, double line_width,
                            std::vector<PlaneRect>& all_lines, std::vector<std::size_t>& line_of) const {
    CanvasGroup whole{side.name, side.name, -1, false, true, -1, -1, {}, {}};
    double bottom = 0; // everything stands on one ground; what comes later stands higher
    for (const Paragraph& paragraph : side.paragraphs) {
        const bool is_layer = paragraph.layer >= 0;
        if (is_layer) bottom -= layer_padding;
        PlaneRect covered;
        for (const Line& line : lines_of(paragraph, blocks_, line_width)) {
            double height = 0, x = left + layer_padding;
            for (const std::size_t block : line) height = std::max(height, blocks_[block].height);
            PlaneRect line_rect;
            for (const std::size_t index : line) {
                const BlockLayout& block = blocks_[index];
                CanvasGroup& group = layout.blocks[index];
                group.rect = {x, bottom - block.height, block.width, block.height};
                group.title = {x, group.rect.y, block.width, block.title};
                for (Card card : block.cards) {
                    card.move(x, group.rect.y);
                    card.block = index;
                    layout.cards.push_back(std::move(card));
                }
                line_rect = around(line_rect, group.rect);
                line_of[index] = all_lines.size();
                x += block.width + block_gap;
            }
            all_lines.push_back(line_rect);
            covered = around(covered, line_rect);
            bottom -= height + line_gap;
        }
        bottom += line_gap;
        const StoryBlock& first = story_blocks_[paragraph.blocks.front()];
        const StoryBlock& last = story_blocks_[paragraph.blocks.back()];
        if (is_layer) {
            const double title = std::clamp(covered.height * 0.08, 160.0, 220.0);
            CanvasGroup layer{"layer", side.name,   paragraph.layer,         false,
                              false,   first.first, last.first + last.count, {},
                              {}};
            layer.rect = {covered.x - layer_padding, covered.y - title, covered.width + 2 * layer_padding,
                          covered.height + title + layer_padding};
            layer.title = {layer.rect.x, layer.rect.y, layer.rect.width, title};
            covered = layer.rect;
            bottom = layer.rect.y;
            layout.layers.push_back(std::move(layer));
        }
        if (whole.first < 0) whole.first = first.first;
        whole.end = last.first + last.count;
        whole.rect = around(whole.rect, covered);
        bottom -= layer_gap;
    }
    constexpr double title = 300;
    whole.rect = whole.rect.grown(layer_padding);
    whole.rect.y -= title;
    whole.rect.height += title;
    whole.title = {whole.rect.x, whole.rect.y, whole.rect.width, title};
    layout.sides.push_back(std::move(whole));
}

CanvasLayout Composer::compose(double line_width) const {
    CanvasLayout layout;
    for (const StoryBlock& block : story_blocks_)
        layout.blocks.push_back({block.kind,
                                 block.side,
                                 block.layer,
                                 block.attends,
                                 false,
                                 block.first,
                                 block.first + block.count,
                                 {},
                                 {}});
    std::vector<PlaneRect> lines;
    std::vector<std::size_t> line_of(story_blocks_.size(), 0);
    double left = 0;
    for (const Side& side : sides_) {
        compose_side(layout, side, left, line_width, lines, line_of);
        left = layout.sides.back().rect.right() + side_gap;
    }
    for (const CanvasGroup& side : layout.sides) layout.bounds = around(layout.bounds, side.rect);
    for (std::size_t i = 0; i < layout.cards.size(); ++i) layout.card_of[layout.cards[i].node] = i;
    layout.connections = connect(layout, steps_, lines, line_of);
    return layout;
}

PlaneRect Composer::extent(double line_width) const {
    double width = 0, height = 0;
    for (const Side& side : sides_) {
        double side_width = 0, side_height = 0;
        for (const Paragraph& paragraph : side.paragraphs) {
            for (const Line& line : lines_of(paragraph, blocks_, line_width)) {
                double x = 0, tall = 0;
                for (const std::size_t block : line) {
                    x += blocks_[block].width + block_gap;
                    tall = std::max(tall, blocks_[block].height);
                }
                side_width = std::max(side_width, x);
                side_height += tall + line_gap;
            }
            side_height += layer_gap;
        }
        width += side_width + side_gap;
        height = std::max(height, side_height);
    }
    return {0, 0, width, height};
}

} // namespace

const Card* CanvasLayout::find(const Node* node) const {
    const auto found = card_of.find(node);
    return found == card_of.end() ? nullptr : &cards[found->second];
}

long CanvasLayout::cells() const {
    long count = 0;
    for (const Card& card : cards) count += long(card.node->value.size());
    return count;
}

CanvasLayout lay_out(std::span<const StoryStep> steps, std::span<const StoryBlock> blocks, double aspect) {
    if (steps.empty()) return {};
    // The arrangement that suits the view best: heads in one row or in a grid, lines of several widths.
    const std::vector<Axes> axes = axes_of_all(*steps.front().node->graph);
    const Composer one_row(steps, blocks, axes, HeadRows::one), grid(steps, blocks, axes, HeadRows::grid);
    const Composer* best = &grid;
    double best_width = grid.widest_block(), least = 1e300;
    for (const Composer* composer : {&one_row, &grid})
        for (int parts = 1; parts <= 8; ++parts) {
            const double width = std::max(composer->widest_block(), composer->widest_paragraph() / parts);
            const PlaneRect extent = composer->extent(width);
            const double distance = std::abs(std::log(extent.width / extent.height / aspect));
            if (distance >= least) continue;
            least = distance;
            best = composer;
            best_width = width;
        }
    return best->compose(best_width);
}

} // namespace headlight
