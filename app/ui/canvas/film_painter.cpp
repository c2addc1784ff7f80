#include "app/ui/canvas/film_painter.h"
#include "app/ui/base/ui.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headlight {

namespace {

// Words drop one after another, several at a time.
constexpr double words_in_the_air = 3;

// The words are in their order; of all else the row that asks comes first.
Index asking_row(const CanvasScene& scene, const Card& card) {
    if (card.kind == CardKind::words) return 0;
    const Node* tokens = card.axes.rows.tokens;
    return tokens ? std::clamp<Index>(scene.canvas.asks(tokens).row, 0, card.rows() - 1) : 0;
}

// Place in time of a row, and back: the asking one, then the others from the top.
Index place_of(Index row, Index asking) { return row == asking ? 0 : row < asking ? row + 1 : row; }
Index row_at(Index place, Index asking) { return place == 0 ? asking : place <= asking ? place - 1 : place; }

// How many rows are whole, the last in part.
double rows_done(const CardFilm& film, Index rows) {
    if (!film.in_full || rows < 2) return film.share * double(rows);
    if (film.share < asking_takes) return film.share / asking_takes;
    return 1 + (film.share - asking_takes) / (1 - asking_takes) * double(rows - 1);
}

} // namespace

float eased(double t) {
    const double s = std::clamp(t, 0.0, 1.0);
    return float(s * s * (3 - 2 * s));
}

ScreenRect place_of(const CanvasScene& scene, const RowPiece& piece) {
    const ScreenRect m = scene.on_screen(piece.card->matrices[piece.matrix]);
    const float w = float(piece.card->cell_width) * scene.zoom(),
                h = float(piece.card->cell_height) * scene.zoom();
    return {{m.min.x + w * float(piece.first), m.min.y + h * float(piece.row)},
            {m.min.x + w * float(piece.end), m.min.y + h * float(piece.row + 1)}};
}

namespace {

// Where the walk back from the loss comes to each value; none where no gradient does.
struct WalkBack {
    unsigned long version = 0;
    std::map<const Node*, Index> steps = {};
};

CardFilm walk_of(const CanvasScene& scene, const Card& card) {
    WalkBack& walk = ui().state<WalkBack>();
    const unsigned long version = scene.session.experiment().model_version();
    const std::vector<BackwardStep>& story = scene.session.model().backward_story;
    if (walk.version != version || walk.steps.size() != story.size()) {
        walk = {version};
        for (std::size_t i = 0; i < story.size(); ++i) walk.steps.try_emplace(story[i].node, Index(i));
    }
    const Backward& at = scene.session.view().backward;
    const auto found = walk.steps.find(card.node);
    if (found == walk.steps.end() || found->second < at.step) return {};
    if (found->second > at.step) return {CardFilm::Computed::nothing, 0, false};
    return {CardFilm::Computed::part, at.share, false};
}

} // namespace

CardFilm film_of(const CanvasScene& scene, const Card& card) {
    if (scene.session.view().backward.playing && scene.session.view().backward.on)
        return walk_of(scene, card);
    if (!scene.film || card.step < 0) return {};
    const Index step = Index(card.step), now = scene.film->step;
    if (step < now) return {};
    if (step > now) return {CardFilm::Computed::nothing, 0, false};
    const bool in_full = scene.session.model().film.shot(step).in_full();
    return {scene.film->share >= 1 ? CardFilm::Computed::all : CardFilm::Computed::part, scene.film->share,
            in_full};
}

bool has_come_to(const CanvasScene& scene, const Node& value) {
    if (!scene.film && !scene.session.view().backward.playing) return true;
    const Card* card = scene.canvas.layout().find(&value);
    return !card || film_of(scene, *card).computed != CardFilm::Computed::nothing;
}

std::optional<FilmRow> row_on_its_way(const CanvasScene& scene, const Card& card) {
    const CardFilm film = film_of(scene, card);
    if (film.computed != CardFilm::Computed::part) return {};
    const double done = rows_done(film, card.rows());
    const Index place = std::min(Index(done), card.rows() - 1);
    return FilmRow{row_at(place, asking_row(scene, card)), done - double(place)};
}

bool asks_first(const CanvasScene& scene, const Card& card, Index row) {
    return row == asking_row(scene, card);
}

double word_come(const CardFilm& film, Index word, Index words) {
    const double all = double(words) - 1 + words_in_the_air;
    return std::clamp((film.share * all - double(word)) / words_in_the_air, 0.0, 1.0);
}

bool is_row_computed(const CanvasScene& scene, const Card& card, Index row) {
    const CardFilm film = film_of(scene, card);
    if (film.computed == CardFilm::Computed::all) return true;
    if (film.computed == CardFilm::Computed::nothing) return false;
    if (card.kind == CardKind::words) return word_come(film, row, card.rows()) >= 1;
    return double(place_of(row, asking_row(scene, card))) + 1 <= rows_done(film, card.rows());
}

void cover_uncomputed(CanvasScene& scene, const Card& card) {
    const CardFilm film = film_of(scene, card);
    if (film.computed == CardFilm::Computed::all) return;
    const std::optional<FilmRow> now = row_on_its_way(scene, card);
    for (std::size_t i = 0; i < card.matrices.size(); ++i) {
        const ScreenRect m = scene.on_screen(card.matrices[i]);
        if (!scene.sees(m)) continue;
        if (!now) {
            scene.list.AddRectFilled({m.min.x - 1, m.min.y - 1}, {m.max.x + 1, m.max.y + 1}, colours().card);
            continue;
        }
        for (Index row = 0; row < card.rows(); ++row) {
            if (is_row_computed(scene, card, row)) continue;
            // Of the row on its way what has been summed stands; what slides covers it until it lands.
            const bool is_now = now->row == row && card.kind != CardKind::words;
            const bool is_brought = is_now && scene.film && comes_to_row(scene, card, row);
            const Index first = !is_now      ? 0
                                : is_brought ? now->share >= has_landed ? card.columns() : 0
                                             : Index(now->share * double(card.columns()));
            const ScreenRect rest = place_of(scene, {&card, i, row, first, card.columns()});
            scene.list.AddRectFilled({rest.min.x, rest.min.y}, {rest.max.x + 1, rest.max.y}, colours().card);
        }
    }
}

std::optional<WordsLoop> words_loop(const CanvasScene& scene) {
    constexpr double chosen = 0.4; // of the last scene: then the words go
    const ModelMap& map = scene.session.model().map();
    const Sentence& sentence = scene.session.sentence();
    if (!scene.film || scene.session.step().node != map.output.chosen || !map.output.is_next_word())
        return {};
    if (sentence.teacher_forced || sentence.before_own < 1) return {}; // what is said does not go back
    const std::size_t first = sentence.before_own - 1, end = sentence.chosen_labels.size();
    if (first >= end) return {};
    const double at = std::max(0.0, (scene.film->share - chosen) / (1 - chosen)) * double(end - first);
    const std::size_t word = std::min(std::size_t(at), end - first - 1);
    return WordsLoop{first, first + word, std::min(1.0, at - double(word))};
}

double memory_filled(const CanvasScene& scene) {
    const Node* memory = scene.film ? memory_of(scene.session.model().map()) : nullptr;
    const Card* card = memory ? scene.canvas.layout().find(memory) : nullptr;
    if (!card || card->step < 0) return 1;
    constexpr double whole_in_sight = 0.55; // of the step's time, by the film's camera
    const CardFilm film = film_of(scene, *card);
    if (film.computed != CardFilm::Computed::part) return film.computed == CardFilm::Computed::all ? 1 : 0;
    return std::clamp((film.share - whole_in_sight) / (0.95 - whole_in_sight), 0.0, 1.0);
}

} // namespace headlight
