#include "app/session/navigation.h"

#include <algorithm>
#include <iterator>

namespace headlight {

namespace {

template <HeadsPage... pages>
bool shows(const View& view) {
    return ((view.heads.page == pages) || ...);
}

bool shows_beams(const View& view) { return view.generation.page == GenerationPage::beams; }
bool shows_no_beams(const View& view) { return !shows_beams(view); }

using enum Place;
constexpr NavigationPage all_pages[] = {
    {watch, "page.network", "room explore", {}, {}, nullptr, Room::explore},
    {watch, "page.heads", "room heads", "heads grid", {}, shows<HeadsPage::grid>, Room::heads},
    {watch, "page.lens", "room heads", "heads lens", {}, shows<HeadsPage::lens>, Room::heads},
    {watch, "page.words", "room say", "say words", {}, shows_no_beams, Room::say},
    {experiment, "page.whatif", "room whatif", {}, {}, nullptr, Room::what_if},
    {experiment, "page.pair", "room heads", "heads pair", {}, shows<HeadsPage::pair>, Room::heads},
    {experiment, "page.senses", "room heads", "heads words", {}, shows<HeadsPage::words>, Room::heads},
    {experiment, "page.masks", "room heads", "heads masks", {}, shows<HeadsPage::masks>, Room::heads},
    {experiment, "page.batch", "room heads", "heads batch", {}, shows<HeadsPage::batch>, Room::heads},
    {experiment,
     "page.mattered",
     "room heads",
     "heads sweep",
     {},
     shows<HeadsPage::sweep, HeadsPage::attribution, HeadsPage::claimed>,
     Room::heads},
    {experiment, "page.beams", "room say", "say beams", "say beam", shows_beams, Room::say},
    {train, "page.train", "room train", {}, {}, nullptr, Room::train},
    {learn, "page.library", "room library", {}, {}, nullptr, Room::library},
    {learn, "window.room.lesson", "room lesson", {}, {}, nullptr, Room::ground_up},
    {learn, "window.room.cabinet", "room cabinet", {}, {}, nullptr, Room::cabinet},
    {learn, "window.room.places", "room places", {}, {}, nullptr, Room::fixed_weights},
    {learn, "window.room.descent", "room descent", {}, {}, nullptr, Room::descent},
    {learn, "window.room.norms", "room norms", {}, {}, nullptr, Room::norms},
    {learn, "window.room.memory", "room memory", {}, {}, nullptr, Room::memory},
    {learn, "window.room.costs", "room costs", {}, {}, nullptr, Room::costs},
};

} // namespace

std::span<const NavigationPage> navigation() { return all_pages; }

const NavigationPage& present_page(const View& view) {
    return *std::find_if(std::begin(all_pages), std::end(all_pages),
                         [&](const NavigationPage& page) { return page.is_at(view); });
}

} // namespace headlight
