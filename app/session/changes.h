// What-ifs as a person writes them: each change is a line of text, and becomes edits of the model's graph.
#pragma once

#include "app/session/loaded_model.h"
#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct Change {
    std::string text; // what stands after the command "change": "head encoder.0.self_attn 1 silence"
    bool on = true;

    bool operator==(const Change&) const = default;
};

// One way to write a change.
struct ChangeForm {
    std::string_view name;      // "head"
    std::string_view arguments; // "ATTENTION HEAD|all silence|scale X|…"
};
const std::vector<ChangeForm>& change_forms(); // in the order that help lists them

// The edits that a change stands for. `second` is the graph of the second sentence, computed; null when there
// is none. Errors: a text that is no change, names that the model does not have, numbers that cannot be.
Result<std::vector<Edit>> edits_of(std::string_view change, const LoadedModel& model, const Graph* second);

// When the values of this pass have none of the cells that the edits change (a longer sentence had them): the
// Error that says so.
Result<Done> check_reach(const std::vector<Edit>& edits, const Graph& graph);

// What a change sets: a later one of the same place takes the place of the earlier. Another number in the
// same cell, another use of the same head.
std::string place_of(std::string_view change);

} // namespace headlight
