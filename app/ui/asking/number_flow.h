// Arithmetic as a line of text whose numbers can be followed: each is a link to the cell that it stands in.
#pragma once

#include "app/ui/values/value_view.h"
#include "engine/inspect/explanation_text.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace headlight {

struct NumberFlow {
    std::string_view name; // links are "name.0", "name.1", … for scripts
    const Face* face = nullptr;
    std::string_view text;
    std::span<const NumberLink> links; // of the text
};

struct NumberFlowResult {
    float height = 0;
    std::optional<NamedCell> hinted; // the cell of the link under the pointer
};

float number_flow_height(const NumberFlow& flow, float width);

// Broken at blanks where the width ends. A click on a number asks about its cell.
NumberFlowResult draw_number_flow(const NumberFlow& flow, ImVec2 top_left, float width,
                                  const Session& session, CommandSink& commands);

} // namespace headlight
