// What the filing cabinet is put together from.
#pragma once

#include "app/ui/values/panel.h"

#include <optional>
#include <string>

namespace headlight {

// The note, the folders as drawers, what is taken of each, and the blend.
void cabinet_picture(const ScreenRect& rect, const Session& session, CommandSink& commands);
// Labels and query as points of the plane; the query is dragged.
void cabinet_plane(const ScreenRect& rect, const Session& session, CommandSink& commands);
// What is told, and what can be turned; with the training, where it has found no other place.
void cabinet_side(const ScreenRect& rect, bool trains, const Session& session, CommandSink& commands);
// Which folder is wanted, the loss, and W_Q on its way there.
void cabinet_training(PanelColumn& column, const Session& session, CommandSink& commands);
// For draw_formula.
std::string cabinet_formula();

// --- numbers as cells -------------------------------------------------------------------------------------

// One number of a value, to be pointed at and held; "cabinet.weights.0.2" for scripts.
struct CabinetCell {
    const Node* node = nullptr;
    Index row = 0, column = 0;
    ScreenRect rect;
    const Face* face = nullptr;
    std::optional<Colour> surface = {}; // none: what stands there already
};
void cabinet_cell(const CabinetCell& cell, const Session& session, CommandSink& commands);
// A value's numbers, row under row, each in a cell of that size.
void cabinet_cells(const Node& node, ImVec2 at, ImVec2 size, const Face& face, const Session& session,
                   CommandSink& commands);
// A lesson asks for it first.
bool is_covered(const Session& session, const Node& node, Index row, Index column);
const Node& cabinet_node(const Session& session, const char* name);

} // namespace headlight
