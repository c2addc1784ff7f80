// The canvas of a session: its layout, and a camera that follows the steps, goes where it is told, remembers
// where it was, and takes short ways between. No Dear ImGui: a view hands in its size and the time, and asks
// what is where.
#pragma once

#include "app/canvas/camera.h"
#include "app/canvas/layout.h"
#include "app/canvas/search.h"
#include "app/session/session.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct ViewInsets {
    double top = 0, bottom = 0;
    double tabs = 0; // at the bottom where one head is shown, and nothing else floats there
    bool operator==(const ViewInsets&) const = default;
};

class Canvas {
public:
    // Adds its commands to the session's: fit, zoom, pan, frame, look, find.
    explicit Canvas(Session& session);
    Canvas(const Canvas&) = delete; // the commands point to it
    Canvas& operator=(const Canvas&) = delete;

    // Brings layout and camera up to date. `row`: how high a row must be on the screen for its label to be
    // read, in the interface's units. True while the camera is on its way: another frame is wanted.
    // `free`: what the present step leaves free at the view's edges for what floats there. `numbers`: how
    // high a row must be for the numbers in it to be read, where who looks at whom is to be read in numbers.
    bool update(const ViewSize& view, double seconds, double row, const ViewInsets& free = {},
                double numbers = 0);

    const CanvasLayout& layout() const { return layout_; }
    const CanvasLayout& present_layout(); // also while the canvas is not drawn
    // 0: the figure as a whole, a picture a box; 1: the cards in its boxes; between: one fades into the
    // other.
    double nearness() const;
    double figure_zoom() const; // up to which it is the figure as a whole
    // From which on cards are cards, because a step was shown so near; until the figure is seen as a whole.
    double cards_from() const { return cards_from_; }
    const Camera& camera() const { return camera_; }
    const ViewSize& view() const { return view_; }
    bool moving() const { return way_.has_value(); }
    // The camera shows the present step because it was stepped to; not when it was moved by hand.
    bool follows_step() const { return follows_ == Follows::step; }
    bool follows_film() const { return follows_ == Follows::film; }

    // For pictures of a film: no way to where its camera is.
    void jump_to_film(bool jumps) { film_jumps_ = jumps; }

    // The word of these tokens that asks first in a film, and its head: found once for each sentence.
    const AskingWord& asks(const Node* tokens) const;

    bool moved_by_hand() const { return follows_ == Follows::hand; }

    // By hand: at once, without a way.
    void pan(double dx, double dy); // in the view's units
    void zoom(PlanePoint in_view, double factor);

    void fit(); // everything
    // One part, no nearer than suits cards of this scale.
    void frame(const PlaneRect& on_plane, double scale = 1);
    bool look_back(); // where one was before the last jump; false when there is none
    bool look_forward();
    bool can_look_back() const { return !past_.empty(); }
    bool can_look_forward() const { return !future_.empty(); }

    // What a step's view shows: its card, with those it is made from where they are near enough to be read.
    PlaneRect stage_of(const StoryStep& step) const;

    // The one look at the whole that shows which way it runs: from the words that are read, over what is
    // remembered of them, to the word that is said. Where it has come, 0 … 1; none while there is none.
    void start_pulse() { pulse_ = 0; }
    std::optional<double> pulse() const { return pulse_; }

    // For a picture: one part of the plane, or all of it, in a view of another size, until it returns.
    struct Apart {
        Camera camera;
        ViewSize view;
        ViewInsets free;
        double readable_row;
    };
    Apart look_apart(const ViewSize& view, double row, const PlaneRect* part, double space);
    void return_from(const Apart& apart);

    void show(const Found& found);
    // The one head of the present step that the view shows, because all of them have no room or because one
    // was chosen; −1: all.
    Index head_on_stage() const;

private:
    enum class Follows { everything, step, film, hand };
    struct Way {
        Camera from, to;
        double done = 0, seconds = 0.35;
    };

    void add_commands();
    void follow_session(); // the layout is that of the session's present values
    void lay_out_again();
    bool follow_film(double seconds);
    void follow_backward();
    Camera film_camera(Index step, double share) const;
    PlaneRect film_frame(const StoryStep& told, Index head, double least) const;
    void look_at_held(); // a number that was followed to a card out of sight
    void go(const Camera& there, bool remember, bool at_once = false);
    Camera camera_for_step() const;
    Camera below_tools(const PlaneRect& rect, double space, double most) const;
    Camera of_everything() const;
    Camera on_stage(const PlaneRect& rect, double scale) const; // framed in what is not covered
    Camera large_on_stage(const PlaneRect& rect, double below, double scale) const;
    double readable_zoom(const Card& card) const;
    PlaneRect head_rect(const Card& card, Index head) const; // with its labels
    double farthest() const;                                 // least zoom
    Result<Done> frame_path(std::string_view path);

    Session& session_;
    // Cards point to nodes of this model's graph, which lives as long as they do: the session may have opened
    // another one since the layout was made.
    std::shared_ptr<const LoadedModel> laid_out_;
    CanvasLayout layout_;
    Camera camera_;
    ViewSize view_{1280, 800}; // until the first update
    std::optional<Way> way_;
    std::vector<Camera> past_, future_;
    Follows follows_ = Follows::everything;
    double readable_row_ = 12, number_row_ = 0;
    ViewInsets free_;
    unsigned long version_ = 0;
    std::vector<Index> lengths_; // of the sequences that the layout was made for
    std::optional<double> pulse_;
    bool jumps_ = false; // the next frame shows another plane: there is no way to be watched
    Index step_ = -1, head_ = -1;
    double film_time_ = -1;      // of the frame before; none while no film is on
    double film_takes_over_ = 1; // how far the way from where one looked to the film's own camera has come
    Index backward_step_ = -1;   // while the walk back plays
    bool film_jumps_ = false, film_waited_ = false;
    double cards_from_ = 1e300;
    Camera before_film_;
    mutable std::map<const Node*, AskingWord> asks_;
    mutable unsigned long asks_version_ = 0;
    std::string step_path_;         // of the step
    std::optional<NamedCell> held_; // in the frame before
};

} // namespace headlight
