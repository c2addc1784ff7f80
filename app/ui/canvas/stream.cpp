#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"
#include "app/ui/canvas/figure_painter.h"
#include "app/ui/canvas/film_painter.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Way = std::vector<ImVec2>;

// From the words of each stream up its column, and over the band to the next one.
std::vector<Way> ways_of(const CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    std::vector<Way> ways;
    for (const CanvasGroup& side : layout.sides) {
        const ScreenRect r = scene.on_screen(side.rect);
        const float x = scene.on_screen(side.title).centre().x;
        ways.push_back({{x, r.max.y}, {x, r.min.y}});
        for (const FigureLine& line : layout.lines) {
            if (line.kind != FigureLineKind::memory
                || !side.rect.contains(PlanePoint{line.points[0].x, line.points[0].y + 1}))
                continue;
            ways.back().back() = scene.on_screen(line.points.front());
            for (const PlanePoint& p : line.points) ways.back().push_back(scene.on_screen(p));
            break;
        }
    }
    return ways;
}

float length_of(const Way& way) {
    float length = 0;
    for (std::size_t i = 1; i < way.size(); ++i)
        length += std::hypot(way[i].x - way[i - 1].x, way[i].y - way[i - 1].y);
    return length;
}

ImVec2 point_at(const Way& way, float at) {
    for (std::size_t i = 1; i < way.size(); ++i) {
        const float piece = std::hypot(way[i].x - way[i - 1].x, way[i].y - way[i - 1].y);
        if (at <= piece && piece > 0)
            return {std::lerp(way[i - 1].x, way[i].x, at / piece),
                    std::lerp(way[i - 1].y, way[i].y, at / piece)};
        at -= piece;
    }
    return way.back();
}

} // namespace

void paint_pulse(CanvasScene& scene) {
    const std::optional<double> share = scene.canvas.pulse();
    if (!share || scene.canvas.nearness() > 0.5) return;
    const std::vector<Way> ways = ways_of(scene);
    float all = 0;
    for (const Way& way : ways) all += length_of(way);
    float at = float(*share) * all;
    for (const Way& way : ways) {
        const float length = length_of(way);
        if (at > length) {
            at -= length;
            continue;
        }
        // A light with a tail.
        constexpr int tail = 14;
        for (int i = tail; i >= 0; --i) {
            const float behind = at - float(i) * px(7);
            if (behind < 0) continue;
            const float fade = 1 - float(i) / (tail + 1);
            scene.list.AddCircleFilled(point_at(way, behind), px(3) + px(8) * fade,
                                       with_alpha(colours().accent, 0.1f + 0.5f * fade * fade));
        }
        const ImVec2 head = point_at(way, at);
        for (const CanvasGroup& block : scene.canvas.layout().blocks) {
            const ScreenRect r = scene.on_screen(block.rect);
            if (r.contains(head)) scene.list.AddRect(r.min, r.max, colours().accent, px(5), 0, px(3));
        }
        return;
    }
}

namespace {

// A word, and below it how probable it is, of those that were said.
struct StreamChip {
    std::string word;
    double share = -1; // none
    float width = 0;
    // While words go back one by one: it is there; it was read before, and is read again.
    bool is_there = true, is_read_again = false;
};

std::vector<StreamChip> chips_of(const CanvasScene& scene, const WordsSlot& slot) {
    const Session& session = scene.session;
    const Sentence& s = session.sentence();
    const std::optional<WordsLoop> loop = words_loop(scene);
    const bool is_written = loop && !slot.is_said && is_target(session.model().map(), *slot.tokens);
    const ModelMap& map = session.model().map();
    const std::vector<std::string>& words = slot.is_said ? s.chosen_labels : labels_of(s, map, *slot.tokens);
    const Node* shares = slot.is_said ? map.output.probabilities : nullptr;
    std::vector<StreamChip> chips;
    for (std::size_t i = 0; i < words.size(); ++i) {
        StreamChip chip{words[i]};
        if (shares && i < std::size_t(shares->value.rows()) && i < s.chosen_ids.size()
            && !session.view().teaching.cover.hides_some_of(shares->path, Index(i)))
            chip.share = double(shares->value(0, Index(i), Index(s.chosen_ids[i])));
        chip.width = std::max(text_width(faces().caption, chip.word), text_width(faces().mono_small, "0.00"));
        // What is fed at i + 1 was said at i.
        if (loop && slot.is_said) chip.is_there = i <= loop->word;
        if (is_written) chip.is_there = i <= loop->word;
        if (is_written) chip.is_read_again = i < loop->word;
        chips.push_back(std::move(chip));
    }
    return chips;
}

struct ChipLines {
    std::vector<std::vector<const StreamChip*>> lines{1};
    std::vector<float> widths{0};
    std::size_t shown = 0;
};

// As many as fit, in lines; after those that do not comes "… +3", as wide as `rest`.
ChipLines broken(const std::vector<StreamChip>& chips, float width, std::size_t most_lines, float gap,
                 float rest) {
    ChipLines broken;
    for (const StreamChip& chip : chips) {
        const bool last = broken.lines.size() == most_lines;
        const float room = width - (last && broken.shown + 1 < chips.size() ? rest : 0);
        if (!broken.lines.back().empty() && broken.widths.back() + gap + chip.width > room) {
            if (last) break;
            broken.lines.emplace_back();
            broken.widths.push_back(0);
        }
        broken.widths.back() += (broken.lines.back().empty() ? 0 : gap) + chip.width;
        broken.lines.back().push_back(&chip);
        ++broken.shown;
    }
    return broken;
}

void paint_words_slot(CanvasScene& scene, const WordsSlot& slot) {
    const ScreenRect r = scene.on_screen(slot.rect);
    const Face &face = faces().caption, &small = faces().mono_small;
    if (!scene.sees(r) || r.height() < face.size) return;
    if (!has_come_to(scene, *slot.tokens)) return;
    // What is to be predicted is not to be read here.
    const ModelMap& map = scene.session.model().map();
    const bool is_written = slot.is_said || is_target(map, *slot.tokens);
    if (is_written && scene.session.view().teaching.cover.words) {
        draw_text_in(scene.list, face, r, colours().ink_soft, "? ? ?", Align::centre);
        return;
    }
    const std::vector<StreamChip> chips = chips_of(scene, slot);
    if (chips.empty()) return;
    const bool shares =
        std::any_of(chips.begin(), chips.end(), [](const StreamChip& chip) { return chip.share >= 0; });
    const float gap = px(8), rest = text_width(face, "… +00") + gap;
    // The probabilities as numbers where all words still fit, else as bars.
    float line = face.size * 1.2f + small.size * 1.1f;
    const auto lines_of = [&] { return std::max<std::size_t>(1, std::size_t(r.height() / line)); };
    ChipLines found = broken(chips, r.width(), lines_of(), gap, rest);
    const bool as_numbers = shares && found.shown == chips.size();
    if (!as_numbers) {
        line = face.size * 1.2f + (shares ? px(6) : 0);
        found = broken(chips, r.width(), lines_of(), gap, rest);
    }
    // What is fed stands close below the column, what is said close above it.
    float y = slot.is_said ? r.max.y - line * float(found.lines.size()) : r.min.y;
    for (std::size_t i = 0; i < found.lines.size(); ++i, y += line) {
        const bool cut = i + 1 == found.lines.size() && found.shown < chips.size();
        float x = r.centre().x - (found.widths[i] + (cut ? rest : 0)) / 2;
        for (const StreamChip* chip : found.lines[i]) {
            if (!chip->is_there) {
                x += chip->width + gap;
                continue;
            }
            const float width = text_width(face, chip->word), left = x + (chip->width - width) / 2;
            record_word(scene, slot.is_said ? scene.session.model().map().output.tokens : slot.tokens,
                        Index(chip - chips.data()), ScreenRect::at(left, y, width, face.size * 1.2f));
            draw_text(scene.list, face, {left, y},
                      slot.is_said          ? colours().accent
                      : chip->is_read_again ? colours().ink_faint
                                            : colours().ink,
                      chip->word);
            if (chip->is_read_again)
                scene.list.AddLine({left, y + face.size * 0.6f}, {left + width, y + face.size * 0.6f},
                                   colours().ink_soft, px(1.5f));
            const float under = y + face.size * 1.15f;
            if (chip->share < 0) { // none, or a lesson asks for it
            } else if (as_numbers) {
                const std::string share = format_fixed(chip->share, 2);
                draw_text(scene.list, small, {x + (chip->width - text_width(small, share)) / 2, under},
                          colours().ink_soft, share);
            } else if (shares) {
                const float full = chip->width, height = px(3);
                scene.list.AddRectFilled({x, under}, {x + full, under + height}, colours().line);
                scene.list.AddRectFilled({x, under}, {x + full * float(chip->share), under + height},
                                         colours().probability);
            }
            x += chip->width + gap;
        }
        if (cut)
            draw_text(scene.list, face, {x, y}, colours().ink_soft,
                      "… +" + std::to_string(chips.size() - found.shown));
    }
    widgets().record(slot.is_said ? "canvas.said" : "canvas.fed." + slot.tokens->path, r);
}

} // namespace

void paint_stream_words(CanvasScene& scene) {
    for (const WordsSlot& slot : scene.canvas.layout().words) paint_words_slot(scene, slot);
}

} // namespace headlight
