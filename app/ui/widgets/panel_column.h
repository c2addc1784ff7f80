// The column of a narrow panel, filled from top to bottom.
#pragma once

#include "app/ui/base/screen_rect.h"

namespace headlight {

struct PanelColumn {
    float left = 0, right = 0, y = 0;

    float width() const { return right - left; }
    void skip(float height) { y += height; }
    ScreenRect take(float height) {
        const ScreenRect rect{{left, y}, {right, y + height}};
        y += height;
        return rect;
    }
};

} // namespace headlight
