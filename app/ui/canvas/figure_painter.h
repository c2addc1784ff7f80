#pragma once

#include "app/canvas/layout.h"
#include "app/session/session.h"
#include "app/ui/base/theme.h"
#include "app/ui/canvas/canvas_scene.h"
#include "app/ui/values/value_view.h"

#include <imgui.h>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// What the figure's painters share: its colours, its lines, what its boxes are called.

Colour group_colour(const CanvasGroup& group); // of a block
Colour changed_colour(Colour of_box);          // of a box in which a what-if changed something
std::string group_title(const Session& session, const CanvasGroup& group);
std::string short_title(const Session& session, const CanvasGroup& group); // for a small box
std::string block_tip(const Session& session,
                      const CanvasGroup& block); // where it stands, and how many steps it has
bool holds_step(const Session& session, const CanvasGroup& group); // the present one

// Of the face that boxes so high are labelled in; null where none fits.
const Face* box_face(float height);

Colour line_colour(FigureLineKind kind);
float line_thickness(FigureLineKind kind);
void draw_figure_line(ImDrawList& list, FigureLineKind kind, std::span<const ImVec2> points); // and its arrow

// The figure in little, without pictures: where the present step is; a click on a box goes there.

void figure_map(const ScreenRect& rect, const Session& session, const CanvasLayout& layout,
                CommandSink& commands);

// The network from afar, as Figure 1 of Vaswani et al. 2017: named boxes, each with one picture of its real
// numbers, the lines between them, the words that go in and those that come out.

void paint_grounds(CanvasScene& scene); // behind everything: sides and layers
void paint_figure_lines(CanvasScene& scene);
// From so far that boxes are called by their names; and whether something would cover one of those.
bool boxes_have_names(const CanvasScene& scene);
bool covers_name_of_box(const CanvasScene& scene, const ScreenRect& part);
// Over the cards, as far as one is away from them.
void paint_boxes(CanvasScene& scene);

// A box's name and beside it its picture, the strip. Names are of one size, the largest that suits the
// flattest box.
struct BoxNames {
    const Face* face = nullptr;
    float width = 0;
};
BoxNames names_of_boxes(const CanvasScene& scene, float zoom);
float name_width_in(const CanvasScene& scene, const ScreenRect& box, const CanvasGroup& block, float width);
ScreenRect name_of_box(const ScreenRect& box, float name_width);
// The card whose matrix stands for the box; null where there is none, or a film has not come to it.
const Card* picture_card(const CanvasScene& scene, const CanvasGroup& block);
// Its matrices side by side; none where there is no room.
std::vector<ScreenRect> strip_of_box(const ScreenRect& box, const Card& card, float name_width);
// On coming nearer each strip goes to where its matrix is, and grows on the way; what it lies over is hidden.
void find_pictures(CanvasScene& scene);
void paint_pictures(CanvasScene& scene);
// The picture on its way that a part of the screen lies on; none.
std::optional<ScreenRect> picture_under(const CanvasScene& scene, const ScreenRect& part);
void paint_stream_words(CanvasScene& scene);
// A light that runs the way that the words take, while canvas.pulse() says so.
void paint_pulse(CanvasScene& scene);
// What lines and colours mean, in the corner that the shorter column leaves free.
void paint_figure_legend(CanvasScene& scene);

// Near by: the frames of the boxes with their names, and the lines between cards of what is pointed at.

void paint_frames(CanvasScene& scene);      // behind the cards
void paint_connections(CanvasScene& scene); // behind the cards
void paint_frame_titles(CanvasScene& scene);

// What floats over the canvas: its controls and search, the map of where one is, what is out of sight.

// What they cover at the top and the bottom of the view.
ViewInsets covered(const Session& session, const ScreenRect& view);

// A smaller view, and one that fills the window, leave their controls and their search to keys and commands.
bool has_tools(const Session& session, const ScreenRect& view);

// Where the heads are chosen while one of them is by itself; empty while there is nothing to choose. Where no
// tools are it is beside the card's title: the numbers need the height.
ScreenRect place_of_head_tabs(const Session& session, const Canvas& canvas, const ScreenRect& view);

void overlays(CanvasScene& scene, Canvas& canvas, CommandSink& commands);

// Probabilities over a vocabulary, from where its columns cannot be told apart: at every position the most
// probable words, with bars. The matrix itself comes with coming nearer.

// Not while gradients or differences are shown in the place of values.
bool is_shown_as_words(const Card& card, const CardLook& look, double zoom);
void paint_word_rows(CanvasScene& scene, const Card& card, float dimming);
// The cell whose word lies there; false where none does.
bool cell_of_word_at(const Session& session, const Card& card, PlanePoint at, Cell& cell);

} // namespace headlight
