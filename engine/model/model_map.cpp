#include "engine/model/model_map.h"

#include "engine/base/lasting.h"

#include <algorithm>

namespace headlight {

namespace {

template <class List, class Is>
auto find_in(const List& list, Is is) -> const typename List::value_type* {
    const auto found = std::find_if(list.begin(), list.end(), is);
    return found == list.end() ? nullptr : &*found;
}

} // namespace

std::vector<TokenId> Stream::around(std::vector<TokenId> words) const {
    words.insert(words.begin(), before.begin(), before.end());
    words.insert(words.end(), after.begin(), after.end());
    return words;
}

Attention in_graph(const Attention& attention, const Graph& graph) {
    Attention there = attention;
    for (const Node** node :
         {&there.q, &there.k, &there.v, &there.q_rotated, &there.k_rotated, &there.scores, &there.scaled,
          &there.mask, &there.masked, &there.weights, &there.mixed, &there.concat, &there.output})
        if (*node) *node = graph.find((*node)->path);
    return there;
}

const Stream* ModelMap::stream(std::string_view name) const {
    return find_in(streams, [&](const Stream& s) { return s.name == name; });
}

const Stream* ModelMap::stream_of(const Node* tokens) const {
    return find_in(streams, [&](const Stream& s) { return s.tokens == tokens; });
}

const Stream* ModelMap::source() const {
    return find_in(streams, [](const Stream& s) { return !s.is_written; });
}

const Stream* ModelMap::target() const {
    return find_in(streams, [](const Stream& s) { return s.is_written; });
}

const Attention* ModelMap::attention(std::string_view path) const {
    return find_in(attentions, [&](const Attention& a) { return a.path == path; });
}

const Attention* ModelMap::attention_of(const Node& value) const {
    return find_in(attentions, [&](const Attention& a) { return a.path == value.box->path; });
}

const Attention* ModelMap::most_telling() const {
    const Attention* last = attentions.empty() ? nullptr : &attentions.back();
    for (const Attention& attention : attentions)
        if (!attention.is_self() && attention.query_tokens() == output.tokens) last = &attention;
    return last;
}

const Layer* ModelMap::layer(std::string_view path) const {
    return find_in(layers, [&](const Layer& l) { return l.path == path; });
}

const Layer* ModelMap::layer_of(const Node& value) const {
    const GraphBox* box = value.box->enclosing(BoxLevel::layer);
    return box ? layer(box->path) : nullptr;
}

const RecurrentLayer* ModelMap::recurrent_layer_of(const Node& value) const {
    const GraphBox* box = value.box->enclosing(BoxLevel::layer);
    return box ? find_in(recurrent_layers, [&](const RecurrentLayer& l) { return l.path == box->path; })
               : nullptr;
}

std::vector<const Layer*> ModelMap::layers_beside(const Node& value) const {
    const GraphBox* stack = value.box->enclosing(BoxLevel::stack);
    std::vector<const Layer*> beside;
    for (const Layer& layer : layers)
        if (stack && lies_in(layer.path, stack->path)) beside.push_back(&layer);
    if (!beside.empty()) return beside;
    for (const Layer& layer : layers)
        if (layer.tokens == layers.front().tokens) beside.push_back(&layer);
    return beside;
}

std::vector<const Node*> ModelMap::passages(const Stream& stream) const {
    std::vector<const Node*> all;
    if (stream.embedded) all.push_back(stream.embedded);
    for (const Layer& layer : layers)
        if (layer.tokens == stream.tokens) all.push_back(layer.output);
    return all;
}

Index ModelMap::max_heads() const {
    Index most = 0;
    for (const Attention& attention : attentions) most = std::max(most, attention.heads);
    return most;
}

Index ModelMap::words_of(const Node& ids) const {
    const Node* own = ids.is(ValueKind::choice) ? ids.input(0).axes.columns.tokens : &ids;
    if (const Stream* stream = stream_of(own)) return stream->vocabulary_size;
    if (const Stream* said = stream_of(output.tokens)) return said->vocabulary_size; // a goal
    return output.values->value.columns();
}

const Notation& ModelMap::notation(const Node& value) const {
    static const Notation& none = lasting(Notation());
    const auto found = notations.find(&value);
    return found == notations.end() ? none : found->second;
}

Symbol ModelMap::symbol(const Node& value) const {
    return value.symbol.letter.empty() ? Symbol{"\\mathrm{" + value.name + "}"} : value.symbol;
}

bool lies_in(std::string_view path, std::string_view place) {
    return path.starts_with(place) && (path.size() == place.size() || path[place.size()] == '.');
}

} // namespace headlight
