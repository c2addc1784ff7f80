// The program's typefaces, found among the system's fonts: Inter for text, JetBrains Mono for numbers, DejaVu
// Serif for mathematics, and DejaVu Sans behind them all for the signs that they lack (ᵀ √ ∑ ₖ ▶ …).
#pragma once

#include "app/ui/base/theme.h"
#include "engine/base/result.h"

#include <optional>
#include <string>

namespace headlight {

// Where a font file of that name is: in $HEADLIGHT_FONTS, beside the program (share/headlight/fonts), among
// the person's own fonts, among the system's.
std::optional<std::string> find_font_file(const std::string& file_name);

// Fills the current interface's font atlas, anew, for the theme's scale, and the theme's faces from it. A
// family that is missing is replaced by the next best one; without any for plain text it fails with
// error.font_missing {the file looked for}. Between frames only.
Result<Done> load_fonts(Theme& theme);

} // namespace headlight
