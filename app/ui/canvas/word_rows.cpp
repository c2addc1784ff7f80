#include "app/ui/canvas/word_rows.h"

#include "app/session/sentence.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

namespace {

constexpr Index words_shown = 5;
constexpr double told_apart = 9; // columns so wide are a matrix

using TopWords = std::array<Index, words_shown>;

// The words of a row by their probability, the most probable first: looked for once in every forward pass.
struct WordsMemory {
    std::string path;
    unsigned long version = 0;
    std::vector<std::optional<TopWords>> rows;
};

TopWords top_words(const Session& session, const Node& node, Index row) {
    WordsMemory& memory = ui().memory<WordsMemory>();
    const unsigned long version = session.version_of(node.path);
    if (memory.path != node.path || memory.version != version
        || Index(memory.rows.size()) != node.value.rows())
        memory = {node.path, version, std::vector<std::optional<TopWords>>(std::size_t(node.value.rows()))};
    std::optional<TopWords>& top = memory.rows[std::size_t(row)];
    if (top) return *top;
    const Real* probabilities = node.value.row(0, row);
    std::vector<Index> order(std::size_t(node.value.columns()));
    std::iota(order.begin(), order.end(), Index(0));
    std::partial_sort(order.begin(), order.begin() + words_shown, order.end(),
                      [&](Index a, Index b) { return probabilities[a] > probabilities[b]; });
    top.emplace();
    std::copy_n(order.begin(), words_shown, top->begin());
    return *top;
}

} // namespace

bool is_shown_as_words(const Card& card, const CardLook& look, double zoom) {
    return look.palette == Palette::sequential && card.axes.columns.kind == Axis::Kind::vocabulary
           && card.node->is(ValueKind::probabilities) && card.node->value.columns() > 2 * words_shown
           && card.cell_width * zoom < told_apart;
}

void paint_word_rows(CanvasScene& scene, const Card& card, float dimming) {
    const ScreenRect m = scene.on_screen(card.matrices.front());
    const Face &face = faces().caption, &small = faces().mono_small;
    const float row = float(card.cell_height) * scene.zoom(), width = m.width() / float(words_shown);
    const LoadedModel& model = scene.session.model();
    const Stream* said = model.map().stream_of(model.map().output.tokens);
    const Tokenizer& words = tokenizer_of(model.files, said);
    const float number = text_width(small, "0.00");
    const auto lit = scene.lit.find({card.node, 0});
    for (Index i = 0; i < card.node->value.rows(); ++i) {
        const float y = m.min.y + row * float(i);
        if (y + row < scene.rect.min.y || y > scene.rect.max.y) continue;
        if (scene.session.view().teaching.cover.hides_some_of(card.node->path, i)) continue;
        const TopWords top = top_words(scene.session, *card.node, i);
        for (std::size_t place = 0; place < top.size(); ++place) {
            const float p = float(card.node->value(0, i, top[place]));
            const ScreenRect cell =
                ScreenRect::at(m.min.x + width * float(place) + 1, y + 1, width - 3, row - 2);
            const Colour bar = mix(colours().probability, colours().card, 0.45f + dimming * 0.4f);
            scene.list.AddRectFilled(cell.min, {cell.min.x + cell.width() * p, cell.max.y}, bar, px(2));
            const auto is_here = [&](const std::optional<NamedCell>& which) {
                return which && which->path == card.node->path && which->cell == Cell{0, i, top[place]};
            };
            const bool is_lit =
                lit != scene.lit.end()
                && std::find(lit->second.begin(), lit->second.end(), MatrixCell{int(i), int(top[place])})
                       != lit->second.end();
            if (is_here(scene.asked) || is_here(scene.hovered) || is_here(scene.hinted))
                scene.list.AddRect(cell.min, cell.max, colours().ink, px(2), 0,
                                   px(is_here(scene.hovered) ? 1 : 2));
            else if (is_lit)
                scene.list.AddRect(cell.min, cell.max, colours().accent, px(2), 0, px(1.5f));
            if (row < face.size * 0.8f || top[place] >= words.vocabulary().size()) continue;
            const bool both = width > number + px(60);
            draw_text_in(scene.list, face,
                         {{cell.min.x + px(4), cell.min.y},
                          {cell.max.x - (both ? number + px(8) : px(2)), cell.max.y}},
                         dimming > 0.3f ? colours().ink_faint : colours().ink,
                         token_label(words, TokenId(top[place])));
            if (both)
                draw_text_in(scene.list, small, {cell.min, {cell.max.x - px(4), cell.max.y}},
                             // Upon its bar it needs the stronger ink.
                             double(p) > 0.6 && dimming <= 0.3f ? colours().ink : colours().ink_soft,
                             format_fixed(double(p), 2), Align::right);
        }
    }
}

bool cell_of_word_at(const Session& session, const Card& card, PlanePoint at, Cell& cell) {
    const PlaneRect& m = card.matrices.front();
    if (!m.contains(at)) return false;
    const Index row = std::min(Index((at.y - m.y) / card.cell_height), card.node->value.rows() - 1);
    const auto place =
        std::min(std::size_t((at.x - m.x) / m.width * double(words_shown)), std::size_t(words_shown - 1));
    cell = {0, row, top_words(session, *card.node, row)[place]};
    return true;
}

} // namespace headlight
