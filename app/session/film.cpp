#include "app/session/film.h"
#include "app/session/command.h"
#include "app/session/session.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace headlight {

namespace {

constexpr double least_seconds = 12, most_seconds = 44; // of all of it but the prelude
constexpr double prelude_seconds = 3;                   // the whole network
constexpr double in_full = 1.2, known_again = 0.45; // seconds of a step that is new; of one in a new block
constexpr double all_again = 2.4,
                 longest_again = 0.3;  // of all that comes again in one stack; of one such step
constexpr double shortest_scene = 0.7; // a shorter one belongs to the one before
constexpr double readable_scene = 2.4; // as long as its sentence takes to be read

bool is_any(const Node* node, std::initializer_list<const Node*> of) {
    return node && std::find(of.begin(), of.end(), node) != of.end();
}

// How much is new in a step.
enum class Told { first, beside, again };

class Teller {
public:
    Teller(const ModelMap& map, const std::vector<StoryStep>& story, const std::vector<StoryBlock>& blocks)
        : map_(map), story_(story), memory_(memory_of(map)) {
        for (const StoryBlock& block : blocks)
            for (Index i = 0; i < block.count; ++i) block_of_.push_back(&block);
    }

    SceneKind kind(Index i) const {
        const Node* node = story_[std::size_t(i)].node;
        const StoryBlock& block = *block_of_[std::size_t(i)];
        const Output& output = map_.output;
        if (is_any(node, {output.chosen, output.goal, output.loss})) return SceneKind::said;
        if (is_any(node, {output.values, output.probabilities})) return SceneKind::answer;
        if (node == memory_) return SceneKind::memory;
        if (block.layer > 0 && told(i) == Told::again) return SceneKind::layers;
        if (node->is(ValueKind::mask) && i > 0 && block.layer < 0) return kind(i - 1);
        const Stream* stream = map_.stream(block.side);
        const bool is_second = stream && stream != &map_.streams.front();
        if (const Attention* attention = map_.attention(block.id)) return kind_of(*attention, i, is_second);
        if (is_second) return block.layer >= 0 ? SceneKind::layers : SceneKind::written;
        for (const Stream& one : map_.streams)
            if (is_any(node, {one.tokens, one.types}))
                return &one == &map_.streams.front() ? SceneKind::words : SceneKind::written;
        if (stream && block.layer < 0) {
            if (stream->output && (node == stream->output || !comes_before(i, stream->output)))
                return SceneKind::layers;
            return stream->embeddings && comes_before(i, stream->embeddings) ? SceneKind::embedding
                                                                             : SceneKind::positions;
        }
        for (const FeedForward& ffn : map_.feed_forwards)
            if (is_any(node, {ffn.hidden, ffn.activated, ffn.output, ffn.up, ffn.product}))
                return SceneKind::ffn;
        if (map_.recurrent_layer_of(*node)) return SceneKind::recurrent;
        if (block.layer < 0) return SceneKind::answer;
        if (told(i) == Told::first && is_norm(node)) return SceneKind::normed;
        // Any other norm before a sublayer belongs to it.
        const Index next = block.first + block.count;
        return sums_in(block) || next >= Index(story_.size()) ? SceneKind::residual : kind(next);
    }

    // Of the time of a step that is new: what attention is about takes longer, what is alike or only turned
    // about is seen at once.
    double weight(Index i) const {
        const Node* node = story_[std::size_t(i)].node;
        const Output& output = map_.output;
        if (node == output.chosen) return 4.5;
        if (node == memory_) return 2.2;
        if (only_stands(i) || node->is(ValueKind::mask)) return 0.02;
        if (node->op->is_view()) return 0.3;
        for (const Stream& stream : map_.streams) {
            if (is_any(node, {stream.tokens, stream.embeddings})) return 1.8;
            if (kind(i) == SceneKind::positions && node != stream.embedded) return 0.6;
        }
        if (const Attention* a = map_.attention(block_of_[std::size_t(i)]->id)) {
            if (node == a->scores) return 3.2;
            if (node == a->weights || node == a->mixed) return 2.2;
            if (is_any(node, {a->v, a->mask})) return 0.4;
            return kind(i) == SceneKind::vectors ? 0.8 : 1;
        }
        for (const ResidualSum& sum : map_.sums)
            if (node == sum.sum) return 4;
        return node == output.probabilities ? 3 : is_norm(node) ? 2 : 1;
    }

    // Masks, what is only compared, and scores of which a mask hides nothing are not looked for.
    bool only_stands(Index i) const {
        const Node* node = story_[std::size_t(i)].node;
        const Attention* a = map_.attention(block_of_[std::size_t(i)]->id);
        const Stream* asks = a ? map_.stream_of(a->query_tokens()) : nullptr;
        if (a && node == a->masked && !(a->is_self() && asks && asks->is_causal)) return true;
        return is_any(node, {map_.output.goal, map_.output.loss})
               || (node->is(ValueKind::mask) && block_of_[std::size_t(i)]->layer < 0);
    }

    Told told(Index i) const { return told_[std::size_t(i)]; }

    void find_new() {
        std::set<std::string> families, met;
        std::map<std::string, std::string> first_of_kind; // block kinds, and the block that showed it
        for (std::size_t i = 0; i < story_.size(); ++i) {
            const StoryBlock& block = *block_of_[i];
            const std::string& family = story_[i].family;
            const bool is_new = families.insert(block.attends ? "attention " + family : family).second
                                || is_new_to_attention(*story_[i].node, block, met);
            const std::string kind = block.side + " " + block.kind;
            const bool is_first = first_of_kind.try_emplace(kind, block.id).first->second == block.id;
            told_.push_back(is_new ? Told::first : is_first ? Told::beside : Told::again);
        }
    }

private:
    bool is_norm(const Node* node) const {
        return std::find(map_.norms.begin(), map_.norms.end(), node) != map_.norms.end();
    }

    // Of what is otherwise known: the memory; a mask that hides what comes later, and looking at another
    // stream, each where it is met first.
    bool is_new_to_attention(const Node& node, const StoryBlock& block, std::set<std::string>& met) const {
        if (&node == memory_) return true;
        const Attention* a = map_.attention(block.id);
        if (!a) return false;
        const Stream* stream = map_.stream_of(a->query_tokens());
        const bool hides = a->is_self() && a->masked && stream && stream->is_causal, crosses = !a->is_self();
        return (hides && (&node == a->masked || &node == a->weights)
                && met.insert("masked " + std::string(&node == a->masked ? "scores" : "weights")).second)
               || (crosses && (&node == a->weights || &node == a->mixed)
                   && met.insert("crossed " + std::string(&node == a->mixed ? "values" : "weights")).second);
    }

    // By its place in the order of computation: what comes before the scores makes vectors, and so on.
    SceneKind kind_of(const Attention& a, Index i, bool is_second) const {
        if (!a.is_self()) return SceneKind::crossed;
        if (is_second) return SceneKind::masked;
        const Node* node = story_[std::size_t(i)].node;
        const Stream* stream = map_.stream_of(a.query_tokens());
        if (stream && stream->is_causal && is_any(node, {a.mask, a.masked})) return SceneKind::masked;
        if (node == a.mask) return SceneKind::shares;
        if (comes_before(i, a.scored_k()) && comes_before(i, a.scored_q())) return SceneKind::vectors;
        if (a.scores && comes_before(i, a.scaled ? a.scaled : a.scores)) return SceneKind::scores;
        if (comes_before(i, a.weights)) return SceneKind::shares;
        return a.mixed && comes_before(i, a.mixed) ? SceneKind::mixed : SceneKind::joined;
    }

    bool sums_in(const StoryBlock& block) const {
        return std::any_of(map_.sums.begin(), map_.sums.end(), [&](const ResidualSum& sum) {
            for (Index i = block.first; i < block.first + block.count; ++i)
                if (story_[std::size_t(i)].node == sum.sum) return true;
            return false;
        });
    }

    bool comes_before(Index i, const Node* last) const {
        for (std::size_t j = 0; j < story_.size(); ++j)
            if (story_[j].node == last) return std::size_t(i) <= j;
        return true;
    }

    const ModelMap& map_;
    const std::vector<StoryStep>& story_;
    const Node* memory_;
    std::vector<const StoryBlock*> block_of_;
    std::vector<Told> told_;
};

} // namespace

const Node* memory_of(const ModelMap& map) {
    for (const Attention& attention : map.attentions)
        if (const Stream* read = map.stream_of(attention.key_tokens()); read && !attention.is_self())
            return read->output;
    return nullptr;
}

AskingWord asking_word(const ModelMap& map, const Node* tokens) {
    AskingWord best{tokens ? tokens->value.rows() / 2 : 0};
    const auto attention =
        std::find_if(map.attentions.begin(), map.attentions.end(),
                     [&](const Attention& one) { return one.query_tokens() == tokens && one.is_self(); });
    if (attention == map.attentions.end()) return best;
    const Tensor& weights = attention->weights->value;
    double most = 0;
    for (Index head = 0; head < std::min(weights.batch(), attention->heads); ++head)
        for (Index row = 1; row + 1 < weights.rows(); ++row)
            for (Index column = 1; column + 1 < weights.columns(); ++column) {
                const double share = double(weights(head, row, column));
                const double apart = std::abs(double(column - row)), far = share * std::sqrt(apart);
                if (apart < 2 || far <= most || share > 1) continue;
                most = far;
                best = {row, head};
            }
    return best;
}

Film::Film(const ModelMap& map, const std::vector<StoryStep>& story, const std::vector<StoryBlock>& blocks) {
    if (story.empty()) return;
    Teller teller(map, story, blocks);
    teller.find_new();
    const Index count = Index(story.size());
    std::map<std::string, Index> again; // steps of a stack that come again
    for (const StoryBlock& block : blocks)
        for (Index i = block.first; i < block.first + block.count; ++i)
            if (teller.told(i) == Told::again) ++again[block.side];
    shots_.resize(std::size_t(count));
    for (const StoryBlock& block : blocks)
        for (Index i = block.first; i < block.first + block.count; ++i) {
            FilmShot& shot = shots_[std::size_t(i)];
            const Told told = teller.told(i);
            shot.size = teller.only_stands(i)  ? ShotSize::same
                        : told == Told::first  ? ShotSize::step
                        : told == Told::beside ? ShotSize::block
                                               : ShotSize::layer;
            shot.seconds = told == Told::first ? in_full * teller.weight(i)
                           : told == Told::beside
                               ? known_again
                               : std::min(longest_again, all_again / double(again[block.side]));
        }
    double all = 0;
    for (const FilmShot& shot : shots_) all += shot.seconds;
    const double pace = std::clamp(all, least_seconds, most_seconds) / all;
    double now = 0;
    for (Index i = 0; i < count; ++i) {
        FilmShot& shot = shots_[std::size_t(i)];
        shot.seconds *= pace;
        shot.begin = now;
        now += shot.seconds;
        const SceneKind kind = teller.kind(i);
        if (scenes_.empty() || scenes_.back().kind != kind) scenes_.push_back({kind, i, i, shot.begin, 0, i});
        FilmScene& scene = scenes_.back();
        scene.end = i + 1;
        scene.seconds += shot.seconds;
        if (shot.seconds > shots_[std::size_t(scene.told)].seconds) scene.told = i;
    }
    // What is over before it can be read belongs to what was before it.
    std::vector<FilmScene> joined;
    for (const FilmScene& scene : scenes_) {
        const bool is_last = scene.end == count;
        if (joined.empty() || is_last || scene.seconds >= shortest_scene) {
            joined.push_back(scene);
            continue;
        }
        joined.back().end = scene.end;
        joined.back().seconds += scene.seconds;
    }
    scenes_.clear();
    for (const FilmScene& scene : joined) { // what was torn apart by it is one again
        if (scenes_.empty() || scenes_.back().kind != scene.kind) {
            scenes_.push_back(scene);
            continue;
        }
        scenes_.back().end = scene.end;
        scenes_.back().seconds += scene.seconds;
    }
    // Before all of it the network; and no scene shorter than its sentence.
    now = prelude_seconds;
    for (FilmScene& scene : scenes_) {
        const double longer = std::max(1.0, readable_scene / scene.seconds);
        scene.begin = now;
        for (Index i = scene.first; i < scene.end; ++i) {
            FilmShot& shot = shots_[std::size_t(i)];
            shot.seconds *= longer;
            shot.begin = now;
            now += shot.seconds;
        }
        scene.seconds = now - scene.begin;
    }
    scenes_.insert(scenes_.begin(), {SceneKind::network, 0, 0, 0, prelude_seconds, 0});
    seconds_ = now;
    last_step_ = count - 1;
    for (Index i = 0; i < count; ++i)
        if (story[std::size_t(i)].node == map.output.chosen) last_step_ = i;
}

FilmMoment Film::at(double seconds) const {
    FilmMoment moment;
    if (shots_.empty()) return moment;
    const auto after = std::upper_bound(shots_.begin(), shots_.end(), seconds,
                                        [](double at, const FilmShot& shot) { return at < shot.begin; });
    moment.step = std::max<Index>(0, Index(after - shots_.begin()) - 1);
    const FilmShot& shot = shots_[std::size_t(moment.step)];
    moment.share = std::clamp((seconds - shot.begin) / shot.seconds, 0.0, 1.0);
    moment.scene = seconds < prelude() ? 0 : scene_of(moment.step);
    return moment;
}

std::size_t Film::scene_of(Index step) const {
    std::size_t i = 0;
    while (i + 1 < scenes_.size() && scenes_[i].end <= step) ++i;
    return i;
}

void play_film(View& view, const Film& film) {
    follow_step(view, film);
    if (!view.film.on && view.step > 0 && view.step < film.last_step())
        view.film.seconds = film.shot(view.step).begin;
    else if (!view.film.on)
        view.film.seconds = 0; // from the beginning; and so where it was over
    if (view.film.seconds >= film.seconds() - 1e-9) view.film.seconds = 0; // again from the beginning
    view.film.on = view.playing = true;
    view.step = film.at(view.film.seconds).step;
}

bool follow_step(View& view, const Film& film) {
    if (!view.film.on || film.at(view.film.seconds).step == view.step) return false;
    const FilmShot& shot = film.shot(view.step);
    view.film.seconds = std::nextafter(shot.begin + shot.seconds, 0.0); // its own last moment
    if (view.step + 1 == Index(film.scenes().back().end)) view.film.seconds = film.seconds();
    return true;
}

void add_film_commands(CommandRegistry& commands, const Session& session, View& view) {
    using namespace argument;
    const auto film = [&]() -> const Film& { return session.model().film; };
    const auto go = [&view, film](double seconds) {
        view.film = {true, std::clamp(seconds, 0.0, film().seconds())};
        view.step = film().at(view.film.seconds).step;
    };
    commands.add_with_model("film", {"play|pause|off"}, [&view, film](const Arguments& in) {
        if (in.said("play")) return play_film(view, film());
        view.playing = false;
        if (in.said("off")) view.film = {};
    });
    commands
        .add_with_model("film scene", {whole("N")},
                        [go, film](const Arguments& in) -> Result<Done> {
                            const Index last = Index(film().scenes().size()), n = in.whole("N");
                            if (n < 1 || n > last)
                                return Error{"error.out_of_range", {"scene", "1", std::to_string(last)}};
                            go(film().scenes()[std::size_t(n - 1)].begin);
                            return Done{};
                        })
        .replayable = true;
    commands.add_with_model("film scene", {"next|previous"}, [&view, go, film](const Arguments& in) {
        const std::vector<FilmScene>& scenes = film().scenes();
        const std::size_t now =
            view.film.on ? film().at(view.film.seconds).scene : film().scene_of(view.step);
        const bool is_begun = view.film.on && view.film.seconds > scenes[now].begin + 0.5;
        if (in.said("next"))
            go(now + 1 < scenes.size() ? scenes[now + 1].begin : film().seconds());
        else
            go(scenes[now > 0 && !is_begun ? now - 1 : now].begin);
    });
    commands.add_with_model(
        "expect film", {one_of(scene_names)}, [&view, film](const Arguments& in) -> Result<Done> {
            const SceneKind kind = film().scenes()[film().at(view.film.seconds).scene].kind;
            if (view.film.on && kind == SceneKind(in.place())) return Done{};
            return Error{"error.expectation_failed",
                         {in.line(), view.film.on ? std::string(name_of(kind)) : "off"}};
        });
    commands
        .add_with_model("film time", {number("SECONDS", 0, 3600)},
                        [go](const Arguments& in) { go(in.number("SECONDS")); })
        .replayable = true;
}

} // namespace headlight
