// A stage for pictures of widgets: an offscreen display with the theme, a function that draws a page on it,
// and the comparison with the golden picture of that page.
#pragma once

#include "app/platform/offscreen.h"
#include "app/ui/base/ui.h"

#include <functional>
#include <memory>
#include <string>

namespace headlight::gallery {

class Stage {
public:
    Stage(const ThemeOptions& theme, int width = 1280, int height = 800);

    // Draws the page a few frames long, so that hover and layout come to rest.
    void show(const std::function<void()>& page, int frames = 3);
    Image picture() { return display_->capture(); }
    Offscreen& display() { return *display_; }

private:
    std::unique_ptr<Offscreen> display_;
    std::unique_ptr<Ui> ui_;
};

// Draws the page in both themes and compares with tests/data/golden/NAME-light.png and -dark.png, to within 3
// of 255. What it drew is left in the build folder under gallery/. With HEADLIGHT_UPDATE_GOLDEN=1 in the
// environment the golden pictures are replaced: look at them before they are committed.
void check_page(const std::string& name, const std::function<void(Stage&)>& page);

} // namespace headlight::gallery
