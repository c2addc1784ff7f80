// Values by what is written on the screen, in the session's language: "encoder layer 1 head 2 attention",
// "scaled scores", "atenção cruzada"; accents and capitals do not matter, and words may be begun. Or by path.
#pragma once

#include "app/canvas/layout.h"
#include "app/session/session.h"

#include <string_view>
#include <vector>

namespace headlight {

struct Found {
    const Card* card = nullptr;
    Index head = -1; // that was asked for; −1: none in particular
};

// Best first; layers and heads are counted from 1.
std::vector<Found> search(const Session& session, const CanvasLayout& layout, std::string_view text);

} // namespace headlight
