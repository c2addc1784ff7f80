#include "app/ui/changes/changes.h"
#include "app/ui/rooms/heads/heads_data.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// The attentions of the same stream to itself up to this one, first layer first.
std::vector<Tensor> stack_until(const ModelMap& map, const Attention& last, const Graph& graph) {
    std::vector<Tensor> weights;
    if (!last.is_self()) return weights;
    for (const Attention& attention : map.attentions) {
        if (!attention.is_self() || attention.query_tokens() != last.query_tokens()) continue;
        weights.push_back(graph.find(attention.weights->path)->value);
        if (&attention == &last) break;
    }
    return weights;
}

} // namespace

std::vector<MeasuredAttention> measure_attention(const ModelMap& map, const Graph& graph,
                                                 const Sentence& sentence) {
    std::vector<MeasuredAttention> all;
    for (const Attention& of_map : map.attentions) {
        const Attention attention = in_graph(of_map, graph);
        MeasuredAttention measured{attention.path, attention.weights};
        measured.of = map.stream_of(of_map.query_tokens());
        measured.to = map.stream_of(of_map.key_tokens());
        measured.says = of_map.query_tokens() == map.output.tokens;
        measured.queries = labels_of(sentence, map, *of_map.query_tokens());
        measured.keys = labels_of(sentence, map, *of_map.key_tokens());
        measured.heads = measure_heads(attention, measured.queries, measured.keys);
        measured.mean = mean_of_heads(attention.weights->value);
        measured.maximum = maximum_of_heads(attention.weights->value);
        if (const std::vector<Tensor> stack = stack_until(map, of_map, graph); !stack.empty())
            measured.rollout = attention_rollout(stack);
        all.push_back(std::move(measured));
    }
    return all;
}

const std::vector<MeasuredAttention>& HeadsData::of(const Session& session) {
    if (version_ == session.version()) return all_;
    version_ = session.version();
    all_ = measure_attention(session.model().map(), session.model().graph(), session.sentence());
    return all_;
}

const MeasuredAttention* HeadsData::find(const Session& session, const std::string& path) {
    for (const MeasuredAttention& attention : of(session))
        if (attention.path == path) return &attention;
    return nullptr;
}

std::vector<Real> map_numbers(const MeasuredAttention& attention, HeadMap map, Index head) {
    const Tensor& weights = attention.weights->value;
    switch (map) {
    case HeadMap::mean:
        return attention.mean.numbers;
    case HeadMap::maximum:
        return attention.maximum.numbers;
    case HeadMap::rollout:
        if (!attention.rollout.empty()) return attention.rollout.numbers;
        return attention.mean.numbers;
    case HeadMap::one:
        break;
    }
    const Real* first = weights.matrix(std::min(head, weights.batch() - 1));
    return {first, first + weights.rows() * weights.columns()};
}

const std::vector<std::string>& measure_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = {"entropy"};
        for (std::size_t i = 0; i < head_measures; ++i) all.push_back(name_of(HeadMeasure(i)));
        return all;
    }();
    return names;
}

std::optional<double> measure_of(const MeasuredHead& head, const std::string& name) {
    if (name == "entropy") return head.entropy;
    for (std::size_t i = 0; i < head_measures; ++i)
        if (name_of(HeadMeasure(i)) == name) { // of one word alone it is no score
            const bool is_of_one = is_of_repeated_words(HeadMeasure(i)) && head.queries[i] < fewest_queries;
            return is_of_one ? std::nullopt : head.value[i];
        }
    return std::nullopt;
}

namespace {

constexpr float largest_aspect = 1.35f; // of a cell: nearly square

float title_height() { return faces().strong.size * 1.35f; }

float height_of(const HeadWords& words, float width) {
    const Face& face = faces().caption;
    return title_height() + wrapped_height(face, words.does, width)
           + (words.more.empty() ? 0 : wrapped_height(face, words.more, width));
}

// Of the words in as many lines as they have.
float widest(std::span<const HeadTile> tiles, const Session& session) {
    float width = 0;
    for (const HeadTile& tile : tiles) {
        const HeadWords words = head_words(session, tile);
        width = std::max(
            {width, text_width(faces().strong, words.title), text_width(faces().caption, words.does)});
        for (const std::string_view line : wrapped(faces().caption, words.more, px(400)))
            width = std::max(width, text_width(faces().caption, line));
    }
    return std::ceil(width) + 1;
}

// The map alone, in the middle of its place.
void draw_map(const HeadTile& tile, const ScreenRect& rect, unsigned long version) {
    const Tensor& w = tile.attention->weights->value;
    const float wide = rect.width() / float(w.columns()), tall = rect.height() / float(w.rows());
    const float cell_width = std::min(wide, tall * largest_aspect),
                cell_height = std::min(tall, wide * largest_aspect);
    const float width = cell_width * float(w.columns()), height = cell_height * float(w.rows());
    const HeatmapGeometry geometry{std::round(rect.centre().x - width / 2),
                                   std::round(rect.centre().y - height / 2),
                                   cell_width,
                                   cell_height,
                                   int(w.rows()),
                                   int(w.columns())};
    const bool is_mean = tile.head == mean_of_all;
    const HeatmapMatrix matrix{
        is_mean ? tile.attention->mean.numbers.data() : w.matrix(tile.head),
        int(w.rows()),
        int(w.columns()),
        w.columns(),
        heatmap_id(tile.attention->weights->path + (is_mean ? " mean" : ""), is_mean ? 0 : int(tile.head)),
        version};
    ui().display().heatmaps().add(pen(), matrix, geometry, {int(Palette::sequential), 0, 1});
}

} // namespace

HeadWords head_words(const Session& session, const HeadTile& tile) {
    const Strings& s = session.strings();
    if (tile.head == mean_of_all) return {s.text("beside.mean"), s.text("heads.mean.text"), {}, false};
    const MeasuredHead& head = tile.attention->heads[std::size_t(tile.head)];
    HeadWords words{s.text("story.head_number", {std::to_string(tile.head + 1)}), {}, {}};
    const std::string& order = session.view().heads.order;
    if (!order.empty()) {
        const std::optional<double> value = measure_of(head, order);
        words.does = s.text("heads." + order) + " " + (value ? format_number(*value, 2) : "–");
        words.more = place_words(session, tile.attention->path);
        constexpr std::string_view between = "  ·  ";
        if (const std::size_t last = words.more.rfind(between); last != std::string::npos)
            words.more.replace(last, between.size(), "\n");
        words.stands_out = true;
        return words;
    }
    const auto value = [&](HeadMeasure measure) {
        return format_number(*head.value[std::size_t(measure)], 2);
    };
    const auto strongest = head.strongest(), nearest = head.strongest(0);
    words.stands_out = strongest || head.is_spread();
    if (strongest || (nearest && !head.is_spread())) {
        words.does = s.text("heads." + name_of(*nearest));
        words.more = strongest ? value(*nearest) : s.text("heads.mixed.value", {value(*nearest)});
    } else {
        words.does = s.text(head.label());
        words.more = s.text("heads.bits", {format_number(head.entropy, 2)});
    }
    return words;
}

TileShape shape_of(std::span<const HeadTile> tiles, const Session& session, float width, float height) {
    const float pad = px(6), gap = px(10), inner = width - 2 * pad, least_map = px(48);
    const auto highest = [&](float words_width) {
        float most = 0;
        for (const HeadTile& tile : tiles)
            most = std::max(most, height_of(head_words(session, tile), words_width));
        return std::ceil(most);
    };
    // Beside the map where that leaves it larger, else above it.
    const float beside = std::min(widest(tiles, session), inner * 0.6f);
    const float words_beside = highest(beside), words_above = highest(inner);
    const float map_beside = std::min(inner - beside - gap, std::max(height - 2 * pad, words_beside)),
                map_above = std::min(inner, height - 2 * pad - words_above - gap / 2);
    TileShape shape{width, height, {}, {}};
    if (map_beside >= std::max(map_above, least_map)) {
        shape.height = std::max(height, words_beside + 2 * pad);
        const float map = std::min(inner - beside - gap, (shape.height - 2 * pad) * largest_aspect);
        shape.map = ScreenRect::at(pad, pad, map, shape.height - 2 * pad);
        shape.words = {{pad + map + gap, pad}, {width - pad, shape.height - pad}};
    } else {
        shape.height = std::max(height, words_above + gap / 2 + std::max(least_map, inner * 0.75f) + 2 * pad);
        shape.words = ScreenRect::at(pad, pad, inner, words_above);
        shape.map = {{pad, pad + words_above + gap / 2}, {width - pad, shape.height - pad}};
    }
    return shape;
}

TileShape map_alone(float width, float height) {
    const float pad = px(2);
    return {width, height, {{pad, pad}, {width - pad, height - pad}}, {}};
}

bool draw_tile(const HeadTile& tile, const TileShape& shape, ImVec2 corner, const Session& session,
               bool& pressed) {
    const ScreenRect rect = ScreenRect::at(corner.x, corner.y, shape.width, shape.height);
    const auto moved = [&](const ScreenRect& part) {
        return ScreenRect{{corner.x + part.min.x, corner.y + part.min.y},
                          {corner.x + part.max.x, corner.y + part.max.y}};
    };
    const std::string name = "grid." + tile.attention->path + "."
                             + (tile.head == mean_of_all ? "mean" : std::to_string(tile.head));
    const Pressable p = pressable(name.c_str(), rect);
    pressed = p.pressed;
    pen().AddRectFilled(rect.min, rect.max, p.hovered ? colours().hovered : colours().raised, px(7));
    draw_map(tile, moved(shape.map), session.version());
    const HeadWords words = head_words(session, tile);
    if (shape.words.empty()) {
        tooltip_when_resting(name, rect, p.hovered,
                             place_words(session, tile.attention->path) + "  ·  " + words.title + "\n"
                                 + words.does + (words.more.empty() ? "" : " " + words.more));
        return p.hovered;
    }
    const ScreenRect place = moved(shape.words);
    draw_label(pen(), faces().strong, ScreenRect::at(place.min.x, place.min.y, place.width(), title_height()),
               colours().ink, words.title);
    const float y = place.min.y + title_height();
    const float does =
        draw_wrapped(pen(), faces().caption, {place.min.x, y}, place.width(), colours().ink_soft, words.does);
    draw_wrapped(pen(), faces().caption, {place.min.x, y + does}, place.width(), colours().ink_soft,
                 words.more);
    return p.hovered;
}

} // namespace headlight
