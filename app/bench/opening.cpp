#include "app/bench/opening.h"

#include "app/platform/offscreen.h"
#include "app/ui/window/host.h"
#include "engine/base/stopwatch.h"

#include <array>

namespace headlight {

Result<OpeningTimes> measure_opening(const std::filesystem::path& assets, const Strings& strings,
                                     const std::string& model, int times) {
    std::array<std::vector<double>, 5> phases;
    for (int i = 0; i < times; ++i) {
        const Stopwatch watch;
        double before = 0;
        const auto ends = [&](std::size_t phase) {
            phases[phase].push_back(watch.seconds() - before);
            before = watch.seconds();
        };
        Session session(assets, strings);
        if (const Result<Done> opened = session.execute("model " + model); !opened) return opened.error();
        ends(0);
        auto display = Offscreen::open({.width = 1280, .height = 800, .draws = true});
        if (!display) return display.error();
        ends(1);
        auto ui = Ui::create(**display, {.dark = true});
        if (!ui) return ui.error();
        ends(2);
        Host host(**display, **ui, session);
        host.frame();
        (void)(*display)->capture(); // waits until everything is drawn
        ends(3);
        phases[4].push_back(before);
    }
    return OpeningTimes{percentiles_of(phases[0]), percentiles_of(phases[1]), percentiles_of(phases[2]),
                        percentiles_of(phases[3]), percentiles_of(phases[4])};
}

} // namespace headlight
