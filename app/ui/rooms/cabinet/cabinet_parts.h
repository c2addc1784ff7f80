// What the filing cabinet is put together from.
#pragma once

#include "app/ui/rooms/page_frame.h"

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

const Node& cabinet_node(const Session& session, const char* name);

} // namespace headlight
