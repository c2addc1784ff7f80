#include "app/ui/base/ui.h"

#include "app/ui/base/theme.h"
#include "engine/base/check.h"

#include <imgui.h>

#include <utility>
#include <vector>

namespace headlight {
namespace {

Ui* existing = nullptr;

} // namespace

Ui& ui() {
    HEADLIGHT_CHECK(existing, "a widget was called without a Ui");
    return *existing;
}

Result<std::unique_ptr<Ui>> Ui::create(Display& display, const ThemeOptions& options) {
    HEADLIGHT_CHECK(!existing, "there can be only one Ui at a time");
    std::unique_ptr<Ui> created(new Ui(display));
    existing = created.get();
    created->wanted_ = options;
    if (const auto taken = created->take_theme(); !taken) return taken.error();
    return created;
}

Ui::~Ui() { existing = nullptr; }

Result<Done> Ui::take_theme() {
    const float scale = display_.scale();
    const Faces old_faces = theme_.faces;
    const float old_scale = theme_.scale;
    const bool first = taken_scale_ == 0;
    theme_ = make_theme(wanted_, scale);
    if (first || theme_.scale != old_scale) {
        if (const auto loaded = load_fonts(theme_); !loaded) return loaded.error();
        if (!first) upload_font_atlas(); // the first time the back end does so by itself
    } else {
        theme_.faces = old_faces;
    }
    taken_scale_ = scale;
    apply_style(theme_);

    const Colours& c = theme_.colours;
    std::vector<Colour> colours;
    for (const auto& palette : theme_.palettes) colours.insert(colours.end(), palette.begin(), palette.end());
    const Colour masked = mix(c.card, c.ink_faint, 0.42f);
    display_.heatmaps().set_palettes(colours, {c.card, masked, with_alpha(c.ink, 0.07f), c.alarm});
    const auto part = [&c](int shift) { return float(c.window >> shift & 255) / 255; };
    display_.set_background(part(0), part(8), part(16));
    return Done{};
}

void Ui::follow_wanted_theme() {
    if (wanted_ == theme_.options && display_.scale() == taken_scale_) return;
    // The fonts were found before; what could fail now is a machine that lost them under our feet.
    const auto taken = take_theme();
    HEADLIGHT_CHECK(taken, "the fonts have vanished");
}

void Ui::begin_frame_apart(int width, int height, const ThemeOptions& look) {
    if (!apart_) apart_ = Apart{wanted_, widgets_};
    wanted_ = look;
    follow_wanted_theme();
    widgets_.begin_frame();
    display_.begin_frame_apart(width, height);
}

void Ui::go_on_after_frames_apart() {
    if (!apart_) return;
    wanted_ = apart_->wanted;
    widgets_ = std::move(apart_->widgets);
    apart_.reset();
    display_.go_on_after_frames_apart();
}

Result<Done> Ui::restore_graphics() {
    const Result<Done> restored = display_.restore_graphics();
    return restored ? take_theme() : restored;
}

bool Ui::begin_frame() {
    follow_wanted_theme();
    widgets_.begin_frame();
    return display_.begin_frame();
}

void Ui::end_frame() { display_.end_frame(); }

} // namespace headlight
