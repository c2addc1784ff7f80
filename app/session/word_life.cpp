#include "app/session/word_life.h"
#include "app/session/session.h"
#include "app/session/setting.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

double length_of(const Tensor& value, Index row) {
    double squares = 0;
    for (Index i = 0; i < value.columns(); ++i)
        squares += double(value(0, row, i)) * double(value(0, row, i));
    return std::sqrt(squares);
}

double distance(const Tensor& a, const Tensor& b, Index row) {
    double squares = 0;
    for (Index i = 0; i < a.columns(); ++i) {
        const double d = double(a(0, row, i)) - double(b(0, row, i));
        squares += d * d;
    }
    return std::sqrt(squares);
}

// Of one head's row, the two largest shares.
HeadLook look_of(const Tensor& weights, Index head, Index row) {
    HeadLook look{head};
    const auto share = [&](Index key) { return double(weights(head, row, key)); };
    for (Index key = 1; key < weights.columns(); ++key)
        if (share(key) > share(look.first)) look.first = key;
    for (Index key = 0; key < weights.columns(); ++key)
        if (key != look.first && (look.second < 0 || share(key) > share(look.second))) look.second = key;
    look.share = share(look.first);
    if (look.second >= 0) look.second_share = share(look.second);
    return look;
}

// Who takes most of this key, head by head.
HeadLook reader_of(const Tensor& weights, Index head, Index key) {
    HeadLook look{head};
    for (Index row = 1; row < weights.rows(); ++row)
        if (weights(head, row, key) > weights(head, look.first, key)) look.first = row;
    look.share = double(weights(head, look.first, key));
    return look;
}

// Values of one sequence alone: the first of a batch.
Index heads_of(const Attention& attention) {
    return std::min(attention.heads, attention.weights->value.batch());
}

// What a sublayer says, before norms that stand at its own end.
const Node& before_norms(const ModelMap& map, const Node& sublayer) {
    const Node* node = &sublayer;
    while (std::find(map.norms.begin(), map.norms.end(), node) != map.norms.end()) node = &node->input(0);
    return *node;
}

bool is_feed_forward(const ModelMap& map, const Node& node) {
    return std::any_of(map.feed_forwards.begin(), map.feed_forwards.end(),
                       [&](const FeedForward& one) { return one.output == &node; });
}

const Attention* attention_behind(const ModelMap& map, const Node& sublayer) {
    const Attention* own = map.attention_of(sublayer);
    return own && own->output == &sublayer ? own : nullptr;
}

} // namespace

std::vector<LifeStop> life_of(const ModelMap& map, const TokenPlace& place, const LensTable* lens) {
    std::vector<LifeStop> life;
    const Stream* stream = map.stream(place.stream);
    const Index row = place.row;
    if (!stream || row < 0 || row >= stream->tokens->value.rows()) return life;
    const auto has_row = [&](const Node* node) { return node && node->value.rows() > row; };
    const auto add_likest = [&](Index stop, Index layer) {
        if (!lens || lens->stream != stream->name || stop >= lens->stops || row >= lens->rows
            || Index(lens->cells.size()) <= stop * lens->rows + row)
            return;
        const LensCell& cell = lens->at(stop, row);
        life.push_back(
            {.kind = LifeKind::likest, .layer = layer, .word = cell.word, .probability = cell.probability});
    };
    if (has_row(stream->embedded))
        life.push_back({.kind = LifeKind::enters,
                        .node = stream->embedded,
                        .length = length_of(stream->embedded->value, row)});
    Index number = -1;
    for (const Layer& layer : map.layers) {
        if (layer.tokens != stream->tokens) continue;
        ++number;
        for (const Attention& attention : map.attentions) {
            if (attention.query_tokens() != stream->tokens || !lies_in(attention.path, layer.path)) continue;
            LifeStop looks{
                .kind = LifeKind::looks, .node = attention.weights, .attention = &attention, .layer = number};
            if (has_row(attention.weights))
                for (Index head = 0; head < heads_of(attention); ++head)
                    looks.heads.push_back(look_of(attention.weights->value, head, row));
            life.push_back(std::move(looks));
        }
        for (const ResidualSum& sum : map.sums) {
            if (!lies_in(sum.sum->path, layer.path) || !has_row(&sum.past()) || !has_row(&sum.sublayer()))
                continue;
            const Node& said = before_norms(map, sum.sublayer());
            const Attention* of = attention_behind(map, said);
            if (!of && !is_feed_forward(map, said)) continue; // nobody knows what it is
            const LifeStop stop{.kind = of ? LifeKind::attention : LifeKind::ffn,
                                .node = sum.sum,
                                .attention = of,
                                .layer = number,
                                .length = length_of(sum.past().value, row),
                                .moved = length_of(sum.sublayer().value, row)};
            // Beside the looks that it follows from.
            const auto after = std::find_if(life.begin(), life.end(), [&](const LifeStop& one) {
                return of && one.kind == LifeKind::looks && one.attention == of;
            });
            life.insert(after == life.end() ? life.end() : after + 1, stop);
        }
        for (const RecurrentLayer& recurrent : map.recurrent_layers)
            if (recurrent.tokens == stream->tokens && lies_in(recurrent.path, layer.path)
                && has_row(recurrent.hidden) && has_row(recurrent.before))
                life.push_back({.kind = LifeKind::recurrent,
                                .node = recurrent.hidden,
                                .layer = number,
                                .length = length_of(recurrent.before->value, row),
                                .moved = distance(recurrent.hidden->value, recurrent.before->value, row)});
        add_likest(number + 1, number);
    }
    for (const Attention& attention : map.attentions) {
        if (attention.is_self() || attention.key_tokens() != stream->tokens
            || attention.weights->value.columns() <= row)
            continue;
        LifeStop read{.kind = LifeKind::is_read, .node = attention.weights, .attention = &attention};
        for (Index head = 0; head < heads_of(attention); ++head)
            read.heads.push_back(reader_of(attention.weights->value, head, row));
        life.push_back(std::move(read));
    }
    const Output& output = map.output;
    if (output.tokens == stream->tokens && has_row(output.probabilities) && has_row(output.chosen)) {
        const TokenId said = TokenId(output.chosen->value(0, row, 0));
        life.push_back({.kind = LifeKind::says,
                        .node = output.probabilities,
                        .word = said,
                        .probability = double(output.probabilities->value(0, row, said))});
    }
    return life;
}

std::optional<SweepTarget> what_depends_on(const ModelMap& map, const TokenPlace& place) {
    const Output& output = map.output;
    const Stream* stream = map.stream(place.stream);
    if (!stream || !output.chosen || !output.probabilities || output.meaning == Output::Meaning::number)
        return {};
    Index row = place.row;
    if (output.tokens != stream->tokens) {
        row = 0;
        double most = 0;
        for (const Attention& attention : map.attentions) {
            if (attention.is_self() || attention.key_tokens() != stream->tokens) continue;
            const Tensor& weights = attention.weights->value;
            if (weights.columns() <= place.row) continue;
            for (Index head = 0; head < heads_of(attention); ++head)
                for (Index query = 0; query < weights.rows(); ++query)
                    if (const double share = double(weights(head, query, place.row)); share > most) {
                        most = share;
                        row = query;
                    }
        }
    }
    if (row >= output.chosen->value.rows()) return {};
    return SweepTarget{row, TokenId(output.chosen->value(0, row, 0))};
}

bool is_word(const Session& session, const TokenPlace& place) {
    const Stream* stream = session.has_model() ? session.model().map().stream(place.stream) : nullptr;
    return stream && place.row < stream->tokens->value.rows();
}

std::optional<TokenPlace> held_word(const Session& session) {
    const std::optional<TokenPlace>& place = session.view().word;
    return place && is_word(session, *place) ? place : std::nullopt;
}

std::string word_and_said(const Session& session, const Node* tokens, Index row) {
    const ModelMap& map = session.model().map();
    const std::vector<std::string>& read = labels_of(session.sentence(), map, *tokens);
    const std::vector<std::string>& said = session.sentence().chosen_labels;
    if (row < 0 || std::size_t(row) >= read.size()) return {};
    const bool says = map.output.tokens == tokens && map.output.is_next_word()
                      && std::size_t(row) < said.size() && !session.view().teaching.cover.words;
    return read[std::size_t(row)] + (says ? " → " + said[std::size_t(row)] : std::string());
}

bool tells_life(const Session& session) {
    const View& view = session.view();
    return held_word(session) && view.room == Room::explore && !view.film.on && !view.asking.held
           && !view.alone && !view.teaching.on && view.close_ups.open == CloseUp::none;
}

std::string follow_command(const TokenPlace& place) {
    return "follow " + place.stream + " " + std::to_string(place.row);
}

void add_word_life_commands(CommandRegistry& commands, const Session& session, View& view) {
    using namespace argument;
    const double any = double(std::numeric_limits<int>::max());
    SettingsOf held(commands, with_model(of_view(view, itself)));
    held.change("follow off", {}, [](View& all, const Arguments&) { all.word.reset(); });
    held.add_written(
        "follow", {stream(), whole("ROW", 0, any)},
        [&](View& all, const Arguments& in) -> Result<Done> {
            const std::string name = in.text("STREAM");
            const Index last = session.model().map().stream(name)->tokens->value.rows() - 1;
            if (in.whole("ROW") > last)
                return Error{"error.out_of_range", {"follow " + name, "0", std::to_string(last)}};
            all.word = TokenPlace{name, in.whole("ROW")};
            return Done{};
        },
        [&](const View& all) {
            const bool is_there = all.word && is_word(session, *all.word);
            return is_there ? all.word->stream + " " + std::to_string(all.word->row) : std::string();
        });
    commands.add_with_model(
        "expect follow", {stream(), whole("ROW", 0, any)}, [&session](const Arguments& in) -> Result<Done> {
            const std::optional<TokenPlace> now = held_word(session);
            if (now == TokenPlace{in.text("STREAM"), in.whole("ROW")}) return Done{};
            return Error{"error.expectation_failed", {in.line(), now ? follow_command(*now) : "off"}};
        });
}

} // namespace headlight
