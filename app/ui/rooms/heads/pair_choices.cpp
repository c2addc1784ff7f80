#include "app/ui/changes/change_words.h"
#include "app/ui/rooms/heads/pair_parts.h"
#include "app/ui/widgets/drop_list.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

std::string joined(const ComparedPair& pair) { return pair.first + "  |  " + pair.second; }

void begin_with(const ComparedPair& pair, CommandSink& commands) {
    commands.emit("source " + pair.first);
    commands.emit("second " + pair.second);
}

// Attentions by name, the one that is shown among them.
void attention_choice(PanelColumn& column, const Session& session, const PairedMap& map, float width,
                      CommandSink& commands) {
    std::vector<std::string> paths, names;
    int chosen = -1;
    for (const Attention& attention : session.model().map().attentions) {
        if (attention.path == map.path) chosen = int(paths.size());
        paths.push_back(attention.path);
        names.push_back(place_words(session, attention.path));
    }
    const std::string label = chosen < 0 ? map.path : names[std::size_t(chosen)];
    const Strings& s = session.strings();
    if (const auto picked =
            drop_list({column.left, column.y}, width,
                      {"pair.attention", label, s.text("beside.attention.tip"), names, chosen}))
        commands.emit("heads open " + paths[std::size_t(*picked)] + " " + std::to_string(map.head));
}

} // namespace

void pair_field(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    HeadsMemory& memory = ui().memory<HeadsMemory>();
    if (memory.second_was != session.question().second) { // set or undone elsewhere
        memory.second_was = session.question().second;
        memory.second = memory.second_was.value_or("");
    }
    ScreenRect line = column.take(control_height());
    const std::string& caption = s.text("beside.second");
    const float caption_width = std::ceil(text_width(faces().caption, caption)) + px(12);
    draw_text_in(pen(), faces().caption, {line.min, {line.min.x + caption_width, line.max.y}},
                 colours().ink_soft, caption);
    line.min.x += caption_width;
    std::vector<std::string> pairs;
    for (const ComparedPair& pair : session.model().compared_pairs) pairs.push_back(joined(pair));
    if (!pairs.empty()) {
        const float width = drop_list_width(s.text("beside.pairs"));
        line.max.x -= width;
        if (const auto chosen =
                drop_list({line.max.x, line.min.y}, width,
                          {"pair.list", s.text("beside.pairs"), s.text("beside.pairs.tip"), pairs}))
            begin_with(session.model().compared_pairs[std::size_t(*chosen)], commands);
        line.max.x -= px(6);
    }
    ImGui::SetCursorScreenPos(line.min);
    const FieldOptions options{
        .tooltip = s.text("beside.second.tip"), .hint = s.text("beside.second.hint"), .pixels = line.width()};
    if (text_field("pair.field", "", memory.second, options) == FieldEvent::entered)
        commands.emit(trim(memory.second).empty() ? "second off" : "second " + memory.second);
    column.skip(px(8));
}

void pair_start(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    column.skip(px(14));
    column_text(column, faces().body, colours().ink_soft, s.text("beside.start"));
    const std::vector<ComparedPair>& pairs = session.model().compared_pairs;
    if (pairs.empty()) return;
    column.skip(px(18));
    column_caption(column, s.text("beside.start.pairs"));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const float pad = px(12), line = faces().body.size * line_spacing;
        const float width = std::min(column.width(), px(640)), inner = width - 2 * pad;
        const float first = wrapped_height(faces().body, pairs[i].first, inner),
                    second = wrapped_height(faces().body, pairs[i].second, inner);
        const ScreenRect card =
            ScreenRect::at(column.left, column.y, width, 2 * pad + first + second + line * 0.15f);
        const Pressable p = pressable(("pair.start." + std::to_string(i)).c_str(), card);
        pen().AddRectFilled(card.min, card.max, p.hovered ? colours().hovered : colours().raised, px(8));
        draw_wrapped(pen(), faces().body, {card.min.x + pad, card.min.y + pad}, inner,
                     sentence_colour(theme(), false), pairs[i].first);
        draw_wrapped(pen(), faces().body, {card.min.x + pad, card.min.y + pad + first + line * 0.15f}, inner,
                     sentence_colour(theme(), true), pairs[i].second);
        if (p.pressed) begin_with(pairs[i], commands);
        column.skip(card.height() + px(8));
    }
}

void pair_choices(PanelColumn& column, const Session& session, const PairedMap& map,
                  const PartingHead& parting, CommandSink& commands) {
    const Strings& s = session.strings();
    const HeadsView& view = session.view().heads;
    const float centred = (control_height() - faces().caption.size - px(11)) / 2; // chips beside controls
    const std::array<Chip, 2> views = {
        Chip{s.text("beside.maps"), s.text("beside.maps.tip"), !view.shows_way},
        Chip{s.text("beside.way"), s.text("beside.way.tip"), view.shows_way}};
    PanelColumn left{column.left, column.right, column.y + centred};
    if (const auto pressed = chips("pair.view", views, left))
        commands.emit(*pressed == 0 ? "heads pair maps" : "heads pair way");
    if (view.shows_way) {
        column.skip(control_height() + px(10));
        return;
    }
    const float gap = px(14),
                width = std::min(drop_list_width(place_words(session, map.path)), column.width());
    // In one line where there is room for it.
    PanelColumn place{column.left + chips_width(views) + gap, column.right, column.y};
    if (place.width() < width) place = {column.left, column.right, column.y + control_height() + px(6)};
    attention_choice(place, session, map, width, commands);

    std::vector<std::string> lines;
    std::vector<Chip> choices;
    const std::string open = "heads open " + map.path + " ";
    const auto add = [&](Chip chip, std::string line) {
        choices.push_back(std::move(chip));
        lines.push_back(std::move(line));
    };
    for (Index h = 0; h < session.model().map().max_heads(); ++h)
        add({std::to_string(h + 1), s.text("board.head.tip"), map.map == HeadMap::one && map.head == h},
            open + std::to_string(h));
    add({s.text("beside.mean"), s.text("heads.mean.text"), map.map == HeadMap::mean}, open + "mean");
    add({s.text("beside.maximum"), s.text("heads.maximum.text"), map.map == HeadMap::maximum},
        open + "maximum");
    if (session.model().map().attention(map.path)->is_self())
        add({s.text("heads.rollout"), s.text("heads.rollout.text"), map.map == HeadMap::rollout},
            open + "rollout");
    const std::string tip =
        s.text("beside.parting.tip", {place_words(session, parting.path), std::to_string(parting.head + 1),
                                      percent_text(parting.elsewhere)});
    add({s.text("beside.parting"), tip,
         map.map == HeadMap::one && map.path == parting.path && map.head == parting.head},
        "heads open " + parting.path + " " + std::to_string(parting.head));
    add({s.text("board.transpose"), s.text("board.transpose.tip"), view.transposed},
        std::string("heads transpose ") + (view.transposed ? "off" : "on"));
    PanelColumn beside{place.left + width + gap, column.right, place.y + centred};
    if (beside.width() < chips_width(choices))
        beside = {column.left, column.right, place.y + control_height() + px(6)};
    if (const auto pressed = chips("pair.head", choices, beside)) commands.emit(lines[std::size_t(*pressed)]);
    column.y = std::max(place.y + control_height(), beside.y) + px(10);
}

} // namespace headlight
