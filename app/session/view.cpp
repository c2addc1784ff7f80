#include "app/session/view.h"

#include "app/session/loaded_model.h"

#include <algorithm>

namespace headlight {

void View::move_to(const LoadedModel& model, std::string_view path) {
    step = std::max<Index>(0, model.step_of(path));
    if (head >= model.map().max_heads()) head = -1;
    selection.reset();
    asking.forget();
    playing = false;
    headlight::keep_what_exists(heads, model.map());
}

void View::keep_what_exists(const Graph& graph) {
    if (selection && !exists(*selection, graph)) selection.reset();
    asking.keep_what_exists(graph);
}

bool View::play(const LoadedModel& model, double seconds) {
    if (!playing) return false;
    play_clock += seconds;
    if (play_clock < 1 / steps_per_second) return false;
    play_clock = 0;
    const Index last = Index(model.story.size()) - 1;
    step = std::min(step + 1, last);
    playing = step < last;
    return true;
}

} // namespace headlight
