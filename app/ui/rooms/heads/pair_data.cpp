#include "app/ui/rooms/heads/pair_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

constexpr Real no_partner = -std::numeric_limits<Real>::infinity();

const std::vector<TokenId>& ids_of(const Sentence& sentence, const Stream& stream) {
    return stream.is_written ? sentence.target_ids : sentence.source_ids;
}

std::vector<std::string> pair_labels(const std::vector<WordPair>& pairs,
                                     const std::vector<std::string>& first,
                                     const std::vector<std::string>& second) {
    std::vector<std::string> both;
    for (const WordPair& pair : pairs) {
        std::string label = pair.first >= 0 ? first[std::size_t(pair.first)] : std::string();
        if (pair.second >= 0 && !pair.same)
            label += (label.empty() ? "" : "|") + second[std::size_t(pair.second)];
        both.push_back(std::move(label));
    }
    return both;
}

std::vector<Real> differences(const PairedMap& map) {
    std::vector<Real> numbers;
    const auto at = [](const WordMap& words, Index query, Index key) {
        return words.numbers[std::size_t(query) * words.keys.size() + std::size_t(key)];
    };
    for (const WordPair& query : map.queries)
        for (const WordPair& key : map.keys)
            numbers.push_back(query.both() && key.both() ? at(map.second, query.second, key.second)
                                                               - at(map.first, query.first, key.first)
                                                         : no_partner);
    return numbers;
}

void transpose(WordMap& map) {
    const std::size_t rows = map.queries.size(), columns = map.keys.size();
    std::vector<Real> turned(map.numbers.size());
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) turned[c * rows + r] = map.numbers[r * columns + c];
    map.numbers = std::move(turned);
}

// What has no partner in the other sentence is elsewhere as a whole.
double elsewhere(const PairedMap& map, Index first, Index second) {
    const auto weight = [](const WordMap& words, Index query, Index key) {
        return key < 0 ? 0 : double(words.numbers[std::size_t(query) * words.keys.size() + std::size_t(key)]);
    };
    double sum = 0;
    for (const WordPair& key : map.keys)
        sum += std::abs(weight(map.second, second, key.second) - weight(map.first, first, key.first));
    return sum / 2;
}

PairedMap pair_maps(const Session& session, const MeasuredAttention& first, const MeasuredAttention& second,
                    HeadMap which, Index head, const FollowedWords& words) {
    const Sentence &one = session.sentence(), &other = *session.what_if().second();
    PairedMap map{first.path, which, head};
    map.stream = first.of->name;
    map.queries = align(one, other, *first.of);
    map.keys = align(one, other, *first.to);
    map.first = {first.queries, first.keys, map_numbers(first, which, head)};
    map.second = {second.queries, second.keys, map_numbers(second, which, head)};
    map.difference = {pair_labels(map.queries, first.queries, second.queries),
                      pair_labels(map.keys, first.keys, second.keys), differences(map)};
    for (const WordMap* both : {&map.first, &map.second})
        for (const Real x : both->numbers)
            if (std::isfinite(x)) map.largest = std::max(map.largest, x);
    if ((which == HeadMap::one || which == HeadMap::mean) && words.stream == map.stream)
        map.elsewhere = elsewhere(map, words.first, words.second);
    return map;
}

// --- the way ---------------------------------------------------------------------------------------------

std::span<const Real> row_of(const Graph& graph, const std::string& path, Index row) {
    const Tensor& value = graph.find(path)->value;
    return {value.row(0, row), std::size_t(value.columns())};
}

double distance(std::span<const Real> a, std::span<const Real> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(double(a[i]) - double(b[i]), 2);
    return std::sqrt(sum);
}

bool is_special(TokenId id, const ModelConfig& config) {
    return id == config.pad_id || id == config.bos_id || id == config.eos_id;
}

struct Parting {
    FollowedWords words;
    double cosine = 2; // above 1: there is no shared word
};

Parting most_parted(const Session& session, const Stream& stream) {
    const Sentence &one = session.sentence(), &other = *session.what_if().second();
    const std::string path = stops_of(session.model().map(), stream).back().path;
    Parting best;
    best.words.stream = stream.name;
    for (const WordPair& pair : align(one, other, stream)) {
        const TokenId id =
            pair.same ? ids_of(one, stream)[std::size_t(pair.first)] : session.model().config().pad_id;
        if (is_special(id, session.model().config())) continue;
        const double now = cosine(row_of(session.model().graph(), path, pair.first),
                                  row_of(*session.what_if().second_graph(), path, pair.second));
        if (now < best.cosine) best = {{stream.name, pair.first, pair.second}, now};
    }
    return best;
}

bool exist(const FollowedWords& words, const Session& session) {
    const Stream* stream = session.model().map().stream(words.stream);
    return stream && words.first < Index(ids_of(session.sentence(), *stream).size())
           && words.second < Index(ids_of(*session.what_if().second(), *stream).size());
}

} // namespace

std::vector<const Stream*> followed_streams(const ModelMap& map) {
    std::vector<const Stream*> all;
    for (const Stream* stream : {map.source(), map.target()})
        if (stream && stream->embedded) all.push_back(stream);
    return all;
}

std::vector<WordPair> align(const Sentence& first, const Sentence& second, const Stream& stream) {
    return align_places(ids_of(first, stream), ids_of(second, stream));
}

FollowedWords parting_words(const Session& session) {
    constexpr double turned_away = 0.9;
    Parting best;
    for (const Stream* stream : followed_streams(session.model().map())) {
        const Parting now = most_parted(session, *stream);
        if (best.words.stream.empty() || now.cosine < best.cosine) best = now;
        if (best.cosine < turned_away) break;
    }
    return best.words;
}

WordWay follow(const Session& session, const FollowedWords& words) {
    const ModelMap& map = session.model().map();
    WordWay way{words, {}, {}};
    for (StreamStop& stop : stops_of(map, *map.stream(words.stream))) way.stops.push_back({std::move(stop)});
    std::vector<std::span<const Real>> vectors;
    for (WayStop& stop : way.stops) {
        stop.first = row_of(session.model().graph(), stop.path, words.first);
        stop.second = row_of(*session.what_if().second_graph(), stop.path, words.second);
        stop.distance = distance(stop.first, stop.second);
        stop.cosine = cosine(stop.first, stop.second);
        vectors.push_back(stop.first);
    }
    for (const WayStop& stop : way.stops) vectors.push_back(stop.second);
    way.projection = principal_components(vectors);
    return way;
}

void PairData::refresh(const Session& session) {
    if (version_ == session.version()) return;
    *this = {};
    version_ = session.version();
    second_ = measure_attention(session.model().map(), *session.what_if().second_graph(),
                                *session.what_if().second());
}

const WordWay& PairData::way(const Session& session) {
    refresh(session);
    const std::optional<FollowedWords>& chosen = session.view().heads.followed;
    if (!parting_words_) parting_words_ = parting_words(session);
    const bool valid = chosen && exist(*chosen, session);
    const FollowedWords& words = valid ? *chosen : *parting_words_;
    if (way_ && way_->words == words) return *way_;
    parting_head_.reset();
    map_.reset();
    way_ = follow(session, words);
    return *way_;
}

const PartingHead& PairData::parting_head(const Session& session, HeadsData& first) {
    const FollowedWords& words = way(session).words;
    if (parting_head_) return *parting_head_;
    PartingHead& best = parting_head_.emplace();
    const std::vector<MeasuredAttention>& all = first.of(session);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (Index head = 0; head < Index(all[i].heads.size()); ++head) {
            const auto now = pair_maps(session, all[i], second_[i], HeadMap::one, head, words).elsewhere;
            if (now && (best.path.empty() || *now > best.elsewhere)) best = {all[i].path, head, *now};
        }
    // None of them looks from the words that are followed: any will do.
    if (best.path.empty() && !all.empty()) best = {all.front().path, 0, 0};
    return best;
}

const PairedMap& PairData::map(const Session& session, HeadsData& first) {
    const HeadsView& view = session.view().heads;
    const PartingHead& parting = parting_head(session, first);
    const bool chosen = first.find(session, view.attention) != nullptr;
    const std::string& path = chosen ? view.attention : parting.path;
    const HeadMap which = chosen ? view.map : HeadMap::one;
    const Index head = chosen ? view.head : parting.head;
    if (map_ && map_->path == path && map_->map == which && map_->head == head
        && map_->transposed == view.transposed)
        return *map_;
    const auto other = std::find_if(second_.begin(), second_.end(),
                                    [&](const MeasuredAttention& a) { return a.path == path; });
    map_ = pair_maps(session, *first.find(session, path), *other, which, head, way(session).words);
    map_->transposed = view.transposed;
    if (view.transposed)
        for (WordMap* words : {&map_->first, &map_->second, &map_->difference}) transpose(*words);
    return *map_;
}

} // namespace headlight
