#include "app/session/step_text.h"
#include "app/ui/changes/changes.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/table.h"

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
    HeadsState& state = ui().state<HeadsState>();
    if (state.second_was != session.question().second) { // set or undone elsewhere
        state.second_was = session.question().second;
        state.second = state.second_was.value_or("");
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
    if (text_field("pair.field", "", state.second, options) == FieldEvent::entered)
        commands.emit(trim(state.second).empty() ? "second off" : "second " + state.second);
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

namespace {

// Which word it is and what comes of it.
std::string about(const Session& session, const FollowedWords& words) {
    const Strings& s = session.strings();
    const Sentence &first = session.sentence(), &second = *session.what_if().second();
    const std::string word = both_words(session, words);
    const ModelMap& map = session.model().map();
    const Stream& stream = *map.stream(words.stream);
    const std::string side = side_name(session, stream.name);
    if (stream.tokens != map.output.tokens) return s.text("beside.about.read", {word, side});
    const std::string &one = first.chosen_labels[std::size_t(words.first)],
                      &other = second.chosen_labels[std::size_t(words.second)];
    return one == other ? s.text("beside.about.said_same", {word, side, one})
                        : s.text("beside.about.said", {word, side, one, other});
}

} // namespace

std::string stop_name(const Session& session, const StreamStop& stop) {
    constexpr const char* names[] = {"beside.stop.embedding", "beside.stop.positions", "beside.stop.layer",
                                     "beside.stop.norm"};
    return session.strings().text(names[int(stop.kind)], {std::to_string(stop.layer + 1)});
}

namespace {

// How far apart the two are at each stop: a bar for the distance, and the cosine beside it. Returns the stop
// under the pointer.
std::optional<std::size_t> distances(PanelColumn& column, const Session& session, const WordWay& way) {
    const Strings& s = session.strings();
    double farthest = 1e-9;
    for (const WayStop& stop : way.stops)
        if (std::isfinite(stop.distance)) farthest = std::max(farthest, stop.distance);
    Table table{.columns = {{.align = Align::left},
                            {.heading = {s.text("beside.distance")},
                             .align = Align::left,
                             .least = px(40),
                             .share = 1},
                            {},
                            {.heading = {s.text("beside.cosine")}}},
                .line = bar_list_height(1)};
    for (const WayStop& stop : way.stops)
        table.rows.push_back({.cells = {{stop_name(session, stop)},
                                        {.bar = float(stop.distance / farthest)},
                                        {format_fixed(stop.distance, 2)},
                                        {format_fixed(stop.cosine, 2), colours().ink_soft}},
                              .name = "pair.distance." + std::to_string(table.rows.size())});
    const TableResult drawn = draw_table(table, column);
    column.skip(px(12));
    return drawn.hovered;
}

// What is said of the way; returns the stop under the pointer.
std::optional<std::size_t> about_way(PanelColumn& column, const Session& session, const WordWay& way) {
    const Strings& s = session.strings();
    column_text(column, faces().strong, colours().ink, about(session, way.words));
    column.skip(px(12));
    const std::optional<std::size_t> lit = distances(column, session, way);
    const double shown = way.projection.explained[0] + way.projection.explained[1];
    column_text(column, faces().caption, colours().ink_faint,
                s.text("beside.pca", {std::to_string(2 * way.stops.size()),
                                      std::to_string(way.stops.front().first.size()), percent_text(shown)}));
    if (way.projection.left_out > 0)
        column_text(column, faces().caption, colours().warning,
                    s.text("beside.left_out", {std::to_string(way.projection.left_out)}));
    return lit;
}

} // namespace

void pair_way(PanelColumn& column, float height, const Session& session, const WordWay& way) {
    if (column.width() < px(850)) { // too narrow for both beside each other
        const ScreenRect plane = column.take(std::max(height, px(240)));
        column.skip(px(12));
        const std::optional<std::size_t> lit = about_way(column, session, way);
        (void)pair_plane(plane, session, way, lit);
        return;
    }
    const ScreenRect rect = column.take(std::max(height, px(240)));
    const float gap = px(24), side = std::clamp(rect.width() * 0.34f, px(280), px(440));
    std::optional<std::size_t> lit;
    {
        ScrolledColumn scrolled("pair.side", {{rect.max.x - side, rect.min.y}, rect.max});
        lit = about_way(scrolled.column, session, way);
    }
    (void)pair_plane({rect.min, {rect.max.x - side - gap, rect.max.y}}, session, way, lit);
}

namespace {

// One line of words, broken where the column ends.
class Flow {
public:
    Flow(PanelColumn& column, float indent)
        : column_(column), left_(column.left + indent), x_(left_), line_(faces().body.size * 1.55f) {}

    ScreenRect next(float width) {
        if (x_ > left_ && x_ + width > column_.right) {
            x_ = left_;
            column_.skip(line_);
        }
        const ScreenRect rect = ScreenRect::at(x_, column_.y, std::min(width, column_.right - left_), line_);
        x_ += width;
        return rect;
    }
    void end() { column_.skip(line_); }

private:
    PanelColumn& column_;
    float left_, x_, line_;
};

struct Words {
    bool second = false;
    const Stream& stream;
    const std::vector<std::string>& labels;
    std::vector<WordPair> pairs;

    Index place(const WordPair& pair) const { return second ? pair.second : pair.first; }
    Index other_place(const WordPair& pair) const { return second ? pair.first : pair.second; }
};

// The pair that is followed when this word is clicked: with its partner, or else with what the other sentence
// has there already.
std::string follow_line(const Words& words, const WordPair& pair, const FollowedWords* followed) {
    Index other = words.other_place(pair);
    if (other < 0 && followed && followed->stream == words.stream.name)
        other = words.second ? followed->first : followed->second;
    other = std::max<Index>(other, 0);
    const Index here = words.place(pair);
    return follow_command({words.stream.name, words.second ? other : here, words.second ? here : other});
}

void draw_words(Flow& flow, const Words& words, const Session& session, const FollowedWords* followed,
                CommandSink& commands) {
    const bool chosen_here =
        session.view().heads.shows_way && followed && followed->stream == words.stream.name;
    const Index chosen = !chosen_here ? -1 : words.second ? followed->second : followed->first;
    for (const WordPair& pair : words.pairs) {
        const Index place = words.place(pair);
        if (place < 0) continue;
        const std::string& word = words.labels[std::size_t(place)];
        const Face& face = pair.same ? faces().body : faces().strong;
        const ScreenRect rect = flow.next(std::ceil(text_width(face, word)) + px(9));
        const std::string name = std::string(words.second ? "pair.second." : "pair.first.")
                                 + words.stream.name + "." + std::to_string(place);
        const Pressable p = pressable(name.c_str(), rect);
        if (place == chosen || p.hovered)
            pen().AddRectFilled({rect.min.x, rect.min.y + 1}, {rect.max.x, rect.max.y - 1},
                                place == chosen ? colours().accent_soft : colours().hovered, px(4));
        draw_label(pen(), face, rect, pair.same ? colours().ink : sentence_colour(theme(), words.second),
                   word, Align::centre);
        if (p.pressed) commands.emit(follow_line(words, pair, followed));
    }
}

} // namespace

std::string word_of(const Session& session, const FollowedWords& words, bool second) {
    const Sentence& sentence = second ? *session.what_if().second() : session.sentence();
    const ModelMap& map = session.model().map();
    return labels_of(sentence, map,
                     *map.stream(words.stream)->tokens)[std::size_t(second ? words.second : words.first)];
}

std::string both_words(const Session& session, const FollowedWords& words) {
    const std::string first = word_of(session, words, false), second = word_of(session, words, true);
    return first == second ? first : first + " | " + second;
}

void pair_words(PanelColumn& column, const Session& session, const FollowedWords* followed,
                CommandSink& commands) {
    const Sentence &first = session.sentence(), &second = *session.what_if().second();
    const ModelMap& map = session.model().map();
    const std::vector<const Stream*> streams = followed_streams(map);
    const float badge = px(26);
    for (const bool is_second : {false, true}) {
        const Sentence& sentence = is_second ? second : first;
        const float line = faces().body.size * 1.55f, radius = faces().caption.size * 0.72f;
        const ImVec2 middle{column.left + radius, column.y + line / 2};
        const Colour colour = sentence_colour(theme(), is_second);
        pen().AddCircleFilled(middle, radius, colour, 24);
        draw_text_in(pen(), faces().caption, ScreenRect::at(column.left, column.y, 2 * radius, line),
                     theme().ink_on(colour), is_second ? "2" : "1", Align::centre);
        Flow flow(column, badge);
        for (const Stream* stream : streams) {
            if (stream != streams.front())
                draw_text_in(pen(), faces().body, flow.next(px(30)), colours().ink_faint, "→", Align::centre);
            draw_words(flow,
                       {is_second, *stream, labels_of(sentence, map, *stream->tokens),
                        align(first, second, *stream)},
                       session, followed, commands);
        }
        flow.end();
    }
}

void pair_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    ScrolledColumn scrolled("pair", rect);
    PanelColumn& column = scrolled.column;
    if (!session.what_if().second()) {
        pair_field(column, session, commands);
        pair_start(column, session, commands);
        return;
    }
    HeadsState& state = ui().state<HeadsState>();
    const WordWay& way = state.pair.way(session);
    const float top = column.y;
    const auto sentences = [&] {
        pair_field(column, session, commands);
        pair_words(column, session, &way.words, commands);
        if (session.what_if().comparison())
            column_text(column, faces().caption, colours().warning, session.strings().text("beside.changed"));
        column.skip(px(10));
    };
    const bool low = rect.height() < px(400); // no room for both: what is to be seen comes first
    if (!low) sentences();
    const PairedMap* map =
        session.model().map().attentions.empty() ? nullptr : &state.pair.map(session, state.data);
    if (map) pair_choices(column, session, *map, state.pair.parting_head(session, state.data), commands);
    const float left = rect.height() - (column.y - top) - px(12);
    if (!map || session.view().heads.shows_way) {
        pair_way(column, left, session, way);
    } else { // so high that every word can be read, while all is seen at once: then the page scrolls
        const std::size_t rows = (map->transposed ? map->keys : map->queries).size();
        const float wanted = px(190) + float(rows) * px(12), most = std::max(rect.height(), px(330));
        pair_maps(column.take(std::max(left, std::min(wanted, most))), session, *map, way.words,
                  state.pair_cell, commands);
    }
    if (!low) return;
    column.skip(px(16));
    sentences();
}

} // namespace headlight
