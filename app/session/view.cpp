#include "app/session/view.h"

#include "app/session/loaded_model.h"
#include "app/session/session.h"

#include <algorithm>
#include <cmath>

namespace headlight {

void View::move_to(const LoadedModel& model, std::string_view path) {
    step = std::max<Index>(0, model.step_of(path));
    if (head >= model.map().max_heads()) head = -1;
    asking.forget();
    playing = false;
    film = {};
    headlight::keep_what_exists(heads, model.map());
}

void View::keep_what_exists(const Session& session) {
    const auto stays = [&](const NamedCell& cell) {
        const std::optional<Room> page = small_page_of(cell.path);
        return (!page || page == room) && session.has(cell);
    };
    asking.keep(stays);
    if (descent.of_model && session.has_model() && !session.has(*descent.of_model)) descent.of_model.reset();
}

View View::begun_anew() const {
    View fresh;
    static_cast<WindowState&>(fresh) = *this;
    fresh.memory.plan = memory.plan; // of the next race, as the settings of the next run are kept
    fresh.memory.plan.task = fresh.memory.asked.task;
    return fresh;
}

std::optional<Room> small_page_of(std::string_view path) {
    if (path.starts_with("plain.")) return Room::ground_up;
    if (path.starts_with("cabinet.")) return Room::cabinet;
    if (path.starts_with("descent.")) return Room::descent;
    if (path.starts_with("places.")) return Room::fixed_weights;
    if (path.starts_with("costs.")) return Room::costs;
    if (path.starts_with("norms.")) return Room::norms;
    return {};
}

bool View::play(const LoadedModel& model, double seconds) {
    const bool stepped = follow_step(*this, model.film);
    if (!playing) return stepped;
    film.seconds += seconds * steps_per_second / film_pace;
    step = model.film.at(film.seconds).step;
    if (film.seconds >= model.film.seconds()) { // all is computed, and all is shown
        playing = false;
        film = {};
        step = model.film.last_step();
    }
    return true;
}

} // namespace headlight
