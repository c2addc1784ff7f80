// Where a film looks: from its time alone, so that it can be moved through.
#include "app/canvas/canvas.h"

#include <algorithm>
#include <utility>

namespace headlight {

// The camera of a film depends on its time alone, so that it can be moved through; only where it begins, or
// goes on after somebody had moved the camera, there is a way to it. True while it is looked through it.
bool Canvas::follow_film(double seconds) {
    const View& view = session_.view();
    constexpr double soon = 0.4; // seconds of that way
    if (!view.film.on) {
        if (std::exchange(film_time_, -1.0) >= 0 && follows_ == Follows::film) {
            follows_ = Follows::everything;
            go(of_everything(), false);
        }
        return false;
    }
    const bool moved = std::exchange(film_time_, view.film.seconds) != view.film.seconds;
    if (moved && follows_ != Follows::film) {
        follows_ = Follows::film;
        before_film_ = camera_;
        film_takes_over_ = view.animations && !film_jumps_ ? 0 : 1;
    }
    if (follows_ != Follows::film) return false;
    way_.reset();
    const Film& film = session_.model().film;
    const FilmMoment now = film.at(view.film.seconds);
    const FilmShot& shot = film.shot(now.step);
    pulse_.reset();
    if (view.film.seconds < film.prelude()) pulse_ = view.film.seconds / film.prelude(); // the way it will go
    Camera there = film_camera(now.step, now.share);
    const double way = std::min(0.5, shot.in_full() ? shot.seconds * 0.4 : shot.seconds);
    const double share = now.share * shot.seconds / way;
    const bool waits = !view.playing && view.film.seconds <= film.scenes()[now.scene].begin + film_waits;
    if (std::exchange(film_waited_, waits) && !waits) { // from where it has waited into its own way
        before_film_ = camera_;
        film_takes_over_ = view.animations && !film_jumps_ ? 0 : 1;
    }
    if (share < 1 && view.animations && !waits) {
        const Camera from = now.step > 0 ? film_camera(now.step - 1, 1) : of_everything();
        there = between(from, there, view_, share * share * (3 - 2 * share));
    }
    // At last the word that was chosen is seen on its way back to the entrance; what was read, on its way
    // across.
    const Node* node = session_.step().node;
    const double farther = view.film.seconds < film.prelude()             ? 1
                           : node == session_.model().map().output.chosen ? (now.share - 0.3) / 0.15
                           : node == memory_of(session_.model().map())    ? (now.share - 0.4) / 0.2
                                                                          : 0;
    if (farther > 0) there = between(there, of_everything(), view_, std::min(1.0, farther));
    film_takes_over_ = std::min(1.0, film_takes_over_ + seconds / soon);
    camera_ = film_takes_over_ < 1 ? between(before_film_, there, view_, film_takes_over_) : there;
    return view.playing || film_takes_over_ < 1;
}

// A step that is told in full with what it is made from, as far as its rows can be told apart: of many heads
// one, until its word has asked, then all. One that comes again with its box, or with all boxes of the layer.
Camera Canvas::film_camera(Index step, double share) const {
    const StoryStep& told = session_.model().story[std::size_t(step)];
    const Card* card = layout_.find(told.node);
    if (!card) return of_everything();
    const ShotSize size = session_.model().film.shot(step).size;
    if (size == ShotSize::same && step > 0) return film_camera(step - 1, 1);
    if (size == ShotSize::layer) {
        for (const CanvasGroup& group : layout_.layers)
            if (step >= group.first && step < group.end) return on_stage(group.rect, 1);
        return on_stage(card->rect, card->scale);
    }
    const auto rows_of = [&](double share_of_readable) {
        return readable_row_ * share_of_readable / card_measures::row / card->scale;
    };
    const Camera all = on_stage(film_frame(told, -1, rows_of(0.4)), card->scale);
    if (card->matrices.size() < 2 || size == ShotSize::block) return all;
    constexpr double pull_back = 0.12;
    const double back = std::clamp((share - asking_takes) / pull_back, 0.0, 1.0);
    if (back >= 1) return all;
    const Index head = asks(card->axes.rows.tokens).head;
    Camera one = on_stage(film_frame(told, head, rows_of(0.9)), card->scale);
    // What values bring comes from far: from where they stand, and then near.
    const Attention* attention = session_.model().map().attention_of(*told.node);
    constexpr double seen_leaving = 0.1, follow = 0.15;
    if (attention && told.node == attention->mixed && share < seen_leaving + follow) {
        const double come = std::clamp((share - seen_leaving) / follow, 0.0, 1.0);
        one = between(on_stage(film_frame(told, head, 0), card->scale), one, view_, come);
    }
    return back > 0 ? between(one, all, view_, back * back * (3 - 2 * back)) : one;
}

// The step's card, or one head of it, with its operands as far as no row becomes smaller than that zoom makes
// it.
PlaneRect Canvas::film_frame(const StoryStep& told, Index head, double least) const {
    const Card& card = *layout_.find(told.node);
    const auto part = [&](const Card& of) {
        const std::size_t heads = of.matrices.size();
        if (head < 0 || heads < 2) return of.rect;
        return head_rect(of, head * Index(heads) / Index(card.matrices.size())); // keys are shared by groups
    };
    PlaneRect frame = part(card);
    if (told.node == session_.model().map().output.chosen) return frame; // the rest has been told
    for (const Node* operand : told.operands) {
        const Card* other = layout_.find(operand);
        if (!other) continue;
        constexpr double most_smaller = 0.5; // for what stands far away
        const PlaneRect both = around(frame, part(*other));
        const double zoom = on_stage(both, card.scale).zoom;
        if (zoom >= least && (least == 0 || zoom >= on_stage(frame, card.scale).zoom * most_smaller))
            frame = both;
    }
    return frame;
}

const AskingWord& Canvas::asks(const Node* tokens) const {
    if (std::exchange(asks_version_, session_.version()) != session_.version()) asks_.clear();
    const auto [found, is_new] = asks_.try_emplace(tokens);
    if (is_new && tokens) found->second = asking_word(session_.model().map(), tokens);
    return found->second;
}

} // namespace headlight
