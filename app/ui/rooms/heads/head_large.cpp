#include "app/ui/changes/changes.h"
#include "app/ui/rooms/heads/heads_data.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/menu.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

bool is_weighted(const Session& session) {
    const HeadsView& view = session.view().heads;
    return view.weighted && view.map != HeadMap::rollout;
}

// Plain weights, or each times the length of what its key has to tell; the mean and the maximum of either.
std::vector<Real> numbers_of_map(const Session& session, const MeasuredAttention& attention) {
    const HeadsView& view = session.view().heads;
    if (!is_weighted(session)) return map_numbers(attention, view.map, view.head);
    const Tensor& weighted = session.find("measures.values." + attention.path + ".weighted")->value;
    if (view.map == HeadMap::mean) return mean_of_heads(weighted).numbers;
    if (view.map == HeadMap::maximum) return maximum_of_heads(weighted).numbers;
    const Real* first = weighted.matrix(std::min(view.head, weighted.batch() - 1));
    return {first, first + weighted.rows() * weighted.columns()};
}

const std::vector<Real>& shown_numbers(const Session& session, const MeasuredAttention& attention) {
    HeadsState& state = ui().state<HeadsState>();
    const HeadsView& view = session.view().heads;
    const std::string key = attention.path + " " + std::to_string(int(view.map)) + " "
                            + std::to_string(view.head) + " " + std::to_string(view.transposed) + " "
                            + std::to_string(view.weighted) + std::to_string(view.hides_first) + " "
                            + std::to_string(session.version());
    if (state.shown_key == key) return state.shown;
    state.shown_key = key;
    state.shown = numbers_of_map(session, attention);
    if (view.hides_first)
        for (std::size_t r = 0; r < attention.queries.size(); ++r)
            state.shown[r * attention.keys.size()] = -std::numeric_limits<Real>::infinity();
    if (view.transposed) {
        const std::size_t rows = attention.queries.size(), columns = attention.keys.size();
        std::vector<Real> turned(state.shown.size());
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < columns; ++c) turned[c * rows + r] = state.shown[r * columns + c];
        state.shown = std::move(turned);
    }
    return state.shown;
}

// Which map is shown: a head's, or all heads' as one; and back to all.
void map_choice(PanelColumn& column, const Session& session, const MeasuredAttention& attention,
                CommandSink& commands) {
    const HeadsView& view = session.view().heads;
    const Strings& s = session.strings();
    std::vector<Chip> choices = {{"← " + s.text("board.all"), s.text("board.all.tip")}};
    std::vector<std::string> lines = {"heads close"};
    const std::string open = "heads open " + attention.path + " ";
    for (Index h = 0; h < Index(attention.heads.size()); ++h) {
        choices.push_back(
            {std::to_string(h + 1), s.text("board.head.tip"), view.map == HeadMap::one && view.head == h});
        lines.push_back(open + std::to_string(h));
    }
    choices.push_back({s.text("beside.mean"), s.text("heads.mean.text"), view.map == HeadMap::mean});
    lines.push_back(open + "mean");
    choices.push_back({s.text("beside.maximum"), s.text("heads.maximum.text"), view.map == HeadMap::maximum});
    lines.push_back(open + "maximum");
    if (!attention.rollout.empty()) {
        choices.push_back(
            {s.text("heads.rollout"), s.text("heads.rollout.text"), view.map == HeadMap::rollout});
        lines.push_back(open + "rollout");
    }
    std::vector<Chip> switches = {
        {s.text("board.transpose"), s.text("board.transpose.tip"), view.transposed},
        {s.text("board.weighted"), s.text("board.weighted.tip"), view.weighted, view.map != HeadMap::rollout},
        {s.text("board.first"), s.text("board.first.tip"), view.hides_first}};
    std::vector<std::string> switch_lines = {std::string("heads transpose ")
                                                 + (view.transposed ? "off" : "on"),
                                             std::string("heads weighted ") + (view.weighted ? "off" : "on"),
                                             std::string("heads first ") + (view.hides_first ? "on" : "off")};
    if (theme().presents()) { // there both seldom have room
        switches.push_back({s.text("board.lines"), s.text("board.lines.tip"), view.lines});
        switch_lines.push_back(std::string("heads lines ") + (view.lines ? "off" : "on"));
    }
    const float gap = px(8);
    if (chips_width(choices) + gap + chips_width(switches) <= column.width()) {
        choices.insert(choices.end(), switches.begin(), switches.end());
        lines.insert(lines.end(), switch_lines.begin(), switch_lines.end());
        if (const auto pressed = chips("map", choices, column)) commands.emit(lines[std::size_t(*pressed)]);
        return;
    }
    // At a projector all but the heads are a list, so that one line does.
    const std::size_t heads = 1 + attention.heads.size();
    std::vector<std::string> names;
    std::vector<int> on;
    for (const std::vector<Chip>* some : std::initializer_list<const std::vector<Chip>*>{&choices, &switches})
        for (std::size_t i = some == &choices ? heads : 0; i < some->size(); ++i) {
            if ((*some)[i].chosen) on.push_back(int(names.size()));
            names.push_back((*some)[i].label);
        }
    choices.resize(heads);
    const std::string label = s.text("board.show_as");
    const float width = drop_list_width(label),
                lower = (control_height() - faces().caption.size - px(11)) / 2;
    const ImVec2 begin{column.left, column.y};
    column.skip(lower);
    if (const auto pressed = chips("map", choices, column)) commands.emit(lines[std::size_t(*pressed)]);
    const bool has_room = begin.x + chips_width(choices) + gap + width <= column.right;
    const ImVec2 place = has_room ? ImVec2{begin.x + chips_width(choices) + gap, begin.y}
                                  : ImVec2{column.left, column.y + gap};
    const auto pressed =
        drop_list(place, width, {"map.show", label, s.text("board.show_as.tip"), names, -1, on});
    if (pressed) {
        const std::size_t chosen = std::size_t(*pressed), maps = lines.size() - heads;
        commands.emit(chosen < maps ? lines[heads + chosen] : switch_lines[chosen - maps]);
    }
    column.y = place.y + control_height();
}

// At a projector the map comes before the lines: beside them it must have room for hundredths.
bool has_room_for_lines(const HeatmapView& map, const ScreenRect& beside_lines) {
    if (!theme().presents()) return true;
    const HeatmapLayout layout = lay_out_heatmap(map, {beside_lines.width(), beside_lines.height()});
    return layout.numbers && layout.numbers->decimals >= 2;
}

void hold(const Session& session, HeldWord word, CommandSink& commands) {
    if (session.view().heads.word == word)
        commands.emit("heads word off");
    else
        commands.emit(std::string("heads word ") + (word.is_key ? "key " : "query ")
                      + std::to_string(word.place));
}

// A number of one head's map is a number of the model; what is made of several, or weighted, is not.
std::optional<NamedCell> number_of_map(const Session& session, const MeasuredAttention& attention,
                                       const MatrixCell& at) {
    const HeadsView& view = session.view().heads;
    const Attention* own = session.model().map().attention(attention.path);
    if (!own || view.map != HeadMap::one || is_weighted(session)) return {};
    const MatrixCell cell = view.transposed ? MatrixCell{at.column, at.row} : at;
    const NamedCell number{own->weights->path, {view.head, cell.row, cell.column}};
    return session.has(number) ? std::optional(number) : std::nullopt;
}

// The row of a number is held, and the number itself: how it came about stands beside the map.
void hold_number(const Session& session, const MeasuredAttention& attention, const MatrixCell& at,
                 CommandSink& commands) {
    const HeldWord word{false, Index(session.view().heads.transposed ? at.column : at.row)};
    const std::optional<NamedCell> number = number_of_map(session, attention, at);
    if (!number) return hold(session, word, commands);
    const bool is_held = session.view().asking.held == number;
    if (is_held || session.view().heads.word != word) hold(session, word, commands);
    commands.emit(is_held ? "unselect" : select_command(*number));
}

// Where the held number stands in the map.
std::optional<MatrixCell> held_in_map(const Session& session, const MeasuredAttention& attention) {
    const std::optional<NamedCell>& held = session.view().asking.held;
    if (!held) return {};
    const Cell& cell = held->cell;
    const MatrixCell there = session.view().heads.transposed ? MatrixCell{int(cell.column), int(cell.row)}
                                                             : MatrixCell{int(cell.row), int(cell.column)};
    return number_of_map(session, attention, there) == held ? std::optional(there) : std::nullopt;
}

// Which word a row is about to say: not the one that names the row.
std::string next_word(const Session& session, const MeasuredAttention& attention) {
    const Strings& s = session.strings();
    const Sentence& said = session.sentence();
    const std::optional<HeldWord>& held = session.view().heads.word;
    if (!attention.says) return {};
    const std::size_t place = held && !held->is_key ? std::size_t(held->place) : 0;
    if (place >= said.chosen_labels.size() || place >= attention.queries.size()) return {};
    return s.text("board.next_word", {attention.queries[place], said.chosen_labels[place]});
}

} // namespace

std::string title_of_map(const Session& session, const MeasuredAttention& attention) {
    const HeadsView& view = session.view().heads;
    const Strings& s = session.strings();
    const std::string place = place_words(session, attention.path);
    if (view.map == HeadMap::one)
        return place + ", " + s.text("story.head_number", {std::to_string(view.head + 1)});
    constexpr const char* names[] = {"", "heads.mean", "heads.maximum", "heads.rollout"};
    return place + ", " + s.text(names[int(view.map)]);
}

void words_of_map(PanelColumn& column, const Session& session, const MeasuredAttention& attention) {
    const HeadsView& view = session.view().heads;
    const Strings& s = session.strings();
    const bool is_softmax = view.map == HeadMap::one && !is_weighted(session) && !view.hides_first;
    column_text(
        column, faces().caption, colours().ink_faint,
        s.text(view.transposed ? "board.axes.transposed" : "board.axes")
            + (is_softmax ? " " + s.text(view.transposed ? "board.sum.transposed" : "board.sum") : ""));
    if (const std::string next = next_word(session, attention); !next.empty())
        column_text(column, faces().caption, view.word ? colours().ink : colours().ink_faint, next);
}

void head_large(const ScreenRect& rect, const Session& session, const MeasuredAttention& attention,
                bool with_words, CommandSink& commands) {
    const Strings& s = session.strings();
    const HeadsView& view = session.view().heads;
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    map_choice(column, session, attention, commands);
    column.skip(px(8));
    if (with_words) {
        words_of_map(column, session, attention);
        column.skip(px(8));
    }
    if (is_weighted(session) || view.hides_first) {
        std::string told = is_weighted(session) ? s.text("board.weighted.tip") : std::string();
        if (view.hides_first) told += (told.empty() ? "" : ". ") + s.text("board.first.tip");
        column_note(column, told);
    }
    const std::string query = s.text("story.axis.query"), key = s.text("story.axis.key");

    const ScreenRect below{{rect.min.x, column.y}, rect.max};
    const float gap = px(20), half = std::floor((below.width() - gap) * 0.54f);
    const std::vector<Real>& numbers = shown_numbers(session, attention);
    const auto& rows = view.transposed ? attention.keys : attention.queries;
    const auto& columns = view.transposed ? attention.queries : attention.keys;
    const std::string row_axis = (view.transposed ? key : query) + " ↓",
                      column_axis = (view.transposed ? query : key) + " →";
    std::vector<int> lit_rows, lit_columns;
    if (view.word)
        (view.word->is_key == view.transposed ? lit_rows : lit_columns).push_back(int(view.word->place));
    HeatmapView map;
    map.name = "map.cells";
    map.matrix = {numbers.data(),
                  int(rows.size()),
                  int(columns.size()),
                  std::ptrdiff_t(columns.size()),
                  heatmap_id("heads " + attention.path + std::to_string(int(view.map))
                                 + (view.transposed ? "ᵀ" : "") + (is_weighted(session) ? "×" : "")
                                 + (view.hides_first ? "−" : ""),
                             int(view.head)),
                  session.version()};
    map.show_title = false;
    map.row_labels = rows;
    map.column_labels = columns;
    if (const Attention* own = session.model().map().attention(attention.path)) {
        const ValueLabels& labels = value_labels(session, *own->weights);
        map.row_words = view.transposed ? labels.column_words : labels.row_words;
        map.column_words = view.transposed ? labels.row_words : labels.column_words;
    }
    map.row_axis = row_axis;
    map.column_axis = column_axis;
    map.palette = Palette::sequential;
    map.blanks = view.hides_first;
    map.tallest_row = tallest_of_attention;
    map.selected = held_in_map(session, attention);
    if (view.word
        && view.word->place < Index((view.word->is_key ? attention.keys : attention.queries).size())) {
        map.lit_rows = lit_rows;
        map.lit_columns = lit_columns;
    }
    ScreenRect map_place{below.min, {below.min.x + half, below.max.y}},
        lines_place{{map_place.max.x + gap, below.min.y}, below.max};
    if (view.lines && theme().presents()) {
        map_place = {};
        lines_place = below;
    } else if (!has_room_for_lines(map, map_place)) {
        map_place = below;
        lines_place = {};
    }
    if (!map_place.empty()) {
        const HeatmapResult drawn = heatmap(map, map_place);
        if (drawn.clicked) hold_number(session, attention, *drawn.clicked, commands);
    }
    if (lines_place.empty()) return;

    std::vector<Real> weights = map_numbers(attention, view.map, view.head);
    if (view.hides_first)
        for (std::size_t r = 0; r < attention.queries.size(); ++r) weights[r * attention.keys.size()] = 0;
    const LinesView lines{"lines", weights, attention.queries, attention.keys,
                          query,   key,     view.transposed,   view.word};
    if (const auto pressed = lines_view(lines, lines_place)) hold(session, *pressed, commands);
}

} // namespace headlight
