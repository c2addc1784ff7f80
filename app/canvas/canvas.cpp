#include "app/canvas/canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

namespace {

constexpr double closest = 4000;        // zoom at which the smallest cell fills a view
constexpr double margin = 28;           // between what is framed and the view's edges
constexpr double most_of_a_frame = 2.2; // zoom: nothing is framed larger than that
constexpr double pulse_seconds = 2;
constexpr double boxes_apart = 38;        // a box so many readable rows wide is one of the figure's
constexpr double number_shape = 1.8;      // of the shortest number: how wide for its height
constexpr double long_number_shape = 2.4; // of one with a sign and a decimal
constexpr double most_beyond = 1.6;       // so many views wide a matrix may be for the sake of its numbers
constexpr std::size_t places_kept = 100;  // that one can go back to

std::vector<Index> lengths_of(const LoadedModel& model) {
    std::vector<Index> lengths;
    for (const StoryStep& step : model.story)
        if (step.operands.empty()) lengths.push_back(step.node->value.rows());
    return lengths;
}

} // namespace

Canvas::Canvas(Session& session) : session_(session) { add_commands(); }

bool Canvas::update(const ViewSize& view, double seconds, double row, const ViewInsets& free,
                    double numbers) {
    if (view.width < 1 || view.height < 1) return false; // nothing can be seen: all stays as it was
    const bool resized = view != view_ || free != free_ || numbers != number_row_;
    number_row_ = numbers;
    free_ = free;
    view_ = view;
    readable_row_ = row;
    if (!session_.has_model()) return false;
    follow_session();
    const bool jumped = std::exchange(jumps_, false) || resized;
    const bool films = follow_film(seconds);
    const Index head = head_on_stage();
    const bool other_head = std::exchange(head_, head) != head;
    if (step_ != session_.view().step || (other_head && follows_ == Follows::step)) {
        const bool first = step_ < 0;
        step_ = session_.view().step;
        step_path_ = session_.step().path();
        const bool is_led_there = !first || step_ > 0; // a link says where
        if (is_led_there && !session_.view().film.on) {
            follows_ = Follows::step;
            go(camera_for_step(), false);
        }
    }
    if (held_ != session_.view().asking.held) {
        held_ = session_.view().asking.held;
        look_at_held();
    }
    if (session_.view().backward.playing)
        follow_backward();
    else
        backward_step_ = -1;
    if (jumped) { // nothing to watch: the same things stay in sight
        if (follows_ == Follows::everything) go(of_everything(), false, true);
        if (follows_ == Follows::step) go(camera_for_step(), false, true);
    }
    if (nearness() == 0 && !way_) cards_from_ = 1e300;
    if (follows_ == Follows::step) cards_from_ = std::min(cards_from_, way_ ? way_->to.zoom : camera_.zoom);
    if (films) return true;
    if (pulse_ && (*pulse_ += seconds / pulse_seconds) >= 1) pulse_.reset();
    if (!way_) return pulse_.has_value();
    way_->done += seconds / way_->seconds;
    const double t = std::min(way_->done, 1.0);
    camera_ = between(way_->from, way_->to, view_, t * t * (3 - 2 * t)); // slow at both ends
    if (t >= 1) way_.reset();
    return way_ || pulse_;
}

// A gradient with those that it is made from.
void Canvas::follow_backward() {
    if (std::exchange(backward_step_, session_.view().backward.step) == session_.view().backward.step) return;
    const BackwardStep& step = session_.backward_step();
    const Card* card = layout_.find(step.node);
    if (!card) return;
    PlaneRect frame = card->rect;
    const double least = readable_row_ * 0.35 / card_measures::row / card->scale;
    for (const Node* from : step.gradients_from)
        if (const Card* other = layout_.find(from))
            if (const PlaneRect both = around(frame, other->rect); on_stage(both, card->scale).zoom >= least)
                frame = both;
    follows_ = Follows::hand;
    go(on_stage(frame, card->scale), false);
    if (way_) way_->seconds = 0.18; // it is there before the next
}

void Canvas::follow_session() {
    if (version_ == session_.version()) return;
    version_ = session_.version();
    const bool other_model = laid_out_ != session_.shared_model();
    std::vector<Index> lengths = lengths_of(session_.model());
    if (!other_model && lengths == lengths_) return;
    lengths_ = std::move(lengths);
    lay_out_again();
    jumps_ = true;
    if (!other_model) return;
    past_.clear();
    future_.clear();
    // Where nobody stepped one looks at what one looked at, as far as it is there.
    const std::string& path = session_.step().path();
    const bool is_gone = session_.view().step == 0 && session_.model().step_of(step_path_) < 0;
    if (step_ < 0 || (path != step_path_ && !is_gone)) return;
    step_ = session_.view().step;
    step_path_ = path;
    if (is_gone && follows_ == Follows::step) follows_ = Follows::everything;
}

// What stood in the middle stays there, as far as it is still there.
void Canvas::lay_out_again() {
    const Card* nearest = nullptr;
    double least = 1e300;
    for (const Card& card : layout_.cards) {
        const PlanePoint c = card.rect.centre();
        const double distance = std::hypot(c.x - camera_.centre.x, c.y - camera_.centre.y);
        if (distance < least) {
            least = distance;
            nearest = &card;
        }
    }
    const std::string path = nearest ? nearest->node->path : std::string();
    const PlaneRect before = nearest ? nearest->rect : PlaneRect{};
    const LoadedModel& model = session_.model();
    layout_ = lay_out(model.map(), model.story, model.blocks);
    laid_out_ = session_.shared_model();
    const Node* node = path.empty() ? nullptr : model.graph().find(path);
    const Card* now = node ? layout_.find(node) : nullptr;
    if (follows_ != Follows::hand) return;
    way_.reset();
    if (!now) {
        follows_ = Follows::everything;
        return;
    }
    const double across = (camera_.centre.x - before.x) / before.width;
    const double down = (camera_.centre.y - before.y) / before.height;
    camera_.centre = {now->rect.x + across * now->rect.width, now->rect.y + down * now->rect.height};
}

double Canvas::farthest() const { return of_everything().zoom * 0.5; }

Canvas::Apart Canvas::look_apart(const ViewSize& view, double row, const PlaneRect* part, double space) {
    const Apart before{camera_, view_, free_, readable_row_};
    view_ = view;
    free_ = {};
    readable_row_ = row;
    camera_ = part ? framing(*part, view, space, closest) : framing(layout_.bounds, view, space, 1);
    return before;
}

void Canvas::return_from(const Apart& apart) {
    camera_ = apart.camera;
    view_ = apart.view;
    free_ = apart.free;
    readable_row_ = apart.readable_row;
}

void Canvas::pan(double dx, double dy) {
    way_.reset();
    follows_ = Follows::hand;
    camera_.centre = {camera_.centre.x - dx / camera_.zoom, camera_.centre.y - dy / camera_.zoom};
    // The network cannot be lost: the middle of the view stays on it.
    const PlaneRect& b = layout_.bounds;
    camera_.centre.x = std::clamp(camera_.centre.x, b.x, b.right());
    camera_.centre.y = std::clamp(camera_.centre.y, b.y, b.bottom());
}

void Canvas::zoom(PlanePoint in_view, double factor) {
    const Camera from = way_ ? way_->to : camera_;
    way_.reset();
    follows_ = Follows::hand;
    camera_ = zoomed(from, view_, in_view, factor, farthest(), closest);
}

void Canvas::go(const Camera& there, bool remember, bool at_once) {
    if (remember) {
        past_.push_back(camera_);
        if (past_.size() > places_kept) past_.erase(past_.begin());
        future_.clear();
    }
    way_.reset();
    if (at_once || !session_.view().animations)
        camera_ = there;
    else
        way_ = Way{camera_, there};
}

void Canvas::fit() {
    const Camera there = of_everything();
    if (there == camera_) return;
    go(there, true);
    follows_ = Follows::everything;
}

void Canvas::frame(const PlaneRect& on_plane, double scale) {
    go(below_tools(on_plane, margin, most_of_a_frame / scale), true);
    follows_ = Follows::hand;
}

bool Canvas::look_back() {
    if (past_.empty()) return false;
    future_.push_back(camera_);
    const Camera there = past_.back();
    past_.pop_back();
    go(there, false);
    follows_ = Follows::hand;
    return true;
}

bool Canvas::look_forward() {
    if (future_.empty()) return false;
    past_.push_back(camera_);
    const Camera there = future_.back();
    future_.pop_back();
    go(there, false);
    follows_ = Follows::hand;
    return true;
}

// Framed below what floats at the top of the view.
Camera Canvas::below_tools(const PlaneRect& rect, double space, double most) const {
    const ViewSize uncovered{view_.width, std::max(view_.height - free_.top, 1.0)};
    Camera camera = framing(rect, uncovered, space, most);
    camera.centre.y -= free_.top / 2 / camera.zoom;
    return camera;
}

Camera Canvas::of_everything() const {
    return session_.has_model() && session_.view().film.on ? on_stage(layout_.bounds, most_of_a_frame)
                                                           : below_tools(layout_.bounds, margin / 2, 1);
}

Camera Canvas::on_stage(const PlaneRect& rect, double scale) const {
    const ViewSize uncovered{view_.width, std::max(view_.height - free_.top - free_.bottom + margin, 1.0)};
    Camera camera = framing(rect, uncovered, margin / 2, most_of_a_frame / scale);
    camera.centre.y += (free_.bottom - free_.top) / 2 / camera.zoom;
    return camera;
}

// Only what floats at the top and `below` is left free.
Camera Canvas::large_on_stage(const PlaneRect& rect, double below, double scale) const {
    const ViewSize uncovered{view_.width, std::max(view_.height - free_.top - below, 1.0)};
    const double space = number_row_ > 0 ? margin / 7 : margin / 3;
    Camera near = framing(rect, uncovered, space, most_of_a_frame / scale);
    near.centre.y += (below - free_.top) / 2 / near.zoom;
    return near;
}

PlaneRect Canvas::head_rect(const Card& card, Index head) const {
    const PlaneRect& m = card.matrices[std::min(std::size_t(head), card.matrices.size() - 1)];
    const double left = card.has_row_labels ? card_measures::row_labels : 0;
    const bool is_first_row = m.y == card.matrices.front().y; // then the card's name is above it
    const double above = (card.has_column_labels ? card_measures::column_labels : 0)
                         + card_measures::head_title + (is_first_row ? card_measures::title : 0);
    return {m.x - left * card.scale, m.y - above * card.scale, m.width + left * card.scale,
            m.height + (above + card_measures::legend) * card.scale};
}

Index Canvas::head_on_stage() const {
    if (!session_.has_model()) return -1;
    const Card* card = layout_.find(session_.step().node);
    if (!card || card->matrices.size() < 2) return -1;
    const Index head = session_.view().head;
    if (head >= 0 && head < Index(card->matrices.size())) return head;
    if (on_stage(card->rect, card->scale).zoom >= readable_zoom(*card)) return -1;
    const std::optional<NamedCell>& held = session_.view().asking.held;
    return held && held->path == card->node->path ? held->cell.batch : 0;
}

void Canvas::look_at_held() {
    if (!held_) return;
    const Node* node = session_.model().graph().find(held_->path);
    const Card* card = node ? layout_.find(node) : nullptr;
    if (!card || card->matrices.empty()) return;
    const std::size_t which = std::min(std::size_t(held_->cell.batch), card->matrices.size() - 1);
    const PlaneRect cell = card->cell(Index(which), held_->cell.row, held_->cell.column);
    const PlaneRect in_sight = seen(camera_, view_);
    const bool is_there =
        in_sight.contains(cell) && camera_.zoom * std::min(card->cell_width, card->cell_height) >= 3;
    if (is_there) return;
    go(on_stage(card->matrices.size() > 1 ? head_rect(*card, Index(which)) : card->rect, card->scale), true);
    follows_ = Follows::hand;
}

double Canvas::readable_zoom(const Card& card) const {
    const bool of_word_pairs = card.has_row_labels && card.has_column_labels;
    return std::max(readable_row_, of_word_pairs ? number_row_ : 0) / (card_measures::row * card.scale);
}

double Canvas::figure_zoom() const {
    if (layout_.blocks.empty()) return 0;
    const double width = layout_.blocks.front().rect.width;
    return std::max(readable_row_ * boxes_apart / width, of_everything().zoom * 1.1);
}

double Canvas::nearness() const {
    if (layout_.blocks.empty()) return 1;
    return std::clamp((camera_.zoom / figure_zoom() - 1) / 0.3, 0.0, 1.0);
}

const CanvasLayout& Canvas::present_layout() {
    if (session_.has_model()) follow_session();
    return layout_;
}

PlaneRect Canvas::stage_of(const StoryStep& step) const {
    const Card* card = layout_.find(step.node);
    if (!card) return layout_.bounds;
    const double readable = readable_zoom(*card);
    const auto can_be_read = [&](const PlaneRect& rect) {
        return on_stage(rect, card->scale).zoom >= readable;
    };
    // Weights first, then the values, the nearest first: as many as still can be read.
    PlaneRect stage = card->rect;
    if (session_.view().alone) return stage;
    std::vector<const Card*> others;
    for (const Node* operand : step.operands)
        if (const Card* other = layout_.find(operand)) others.push_back(other);
    const auto distance = [&](const Card* other) {
        const PlanePoint a = other->rect.centre(), b = card->rect.centre();
        return std::hypot(a.x - b.x, a.y - b.y);
    };
    std::stable_sort(others.begin(), others.end(),
                     [&](const Card* a, const Card* b) { return distance(a) < distance(b); });
    for (const Card* other : others)
        if (const PlaneRect both = around(stage, other->rect); can_be_read(both)) stage = both;
    return stage;
}

Camera Canvas::camera_for_step() const {
    const Card* card = layout_.find(session_.step().node);
    if (!card) return framing(layout_.bounds, view_, margin / 2, 1);
    if (const Index head = head_on_stage(); head >= 0)
        return large_on_stage(head_rect(*card, head), free_.tabs, card->scale);
    Camera there = on_stage(stage_of(session_.step()), card->scale);
    double readable = readable_zoom(*card);
    const auto in_numbers = [&](double shape) { return number_row_ * shape / card->cell_width; };
    if (card->rect.width * in_numbers(long_number_shape) <= view_.width)
        readable = std::max(readable, in_numbers(long_number_shape));
    else if (card->rect.width * in_numbers(number_shape) <= view_.width * most_beyond)
        readable = std::max(readable, in_numbers(number_shape));
    if (there.zoom >= readable) return there;
    // In word pairs it is the pattern that counts: all of it, as large as it goes.
    if (card->has_row_labels && card->has_column_labels && number_row_ > 0) {
        const Camera whole = large_on_stage(card->rect, 0, card->scale);
        if (whole.zoom * card->scale * card_measures::row >= readable_row_) return whole;
    }
    // A card too large to be read as a whole is looked at from its beginning.
    const double space = margin / 2 / readable, top = free_.top / readable, bottom = free_.bottom / readable;
    const double width = view_.width / readable, height = view_.height / readable;
    const PlaneRect& r = card->rect;
    there.zoom = readable;
    there.centre = {r.centre().x, r.centre().y + (bottom - top) / 2};
    if (r.width + 2 * space > width) there.centre.x = r.x - space + width / 2;
    if (r.height + top + bottom > height) there.centre.y = r.y - top + height / 2;
    return there;
}

} // namespace headlight
