// Pictures as pages of a PDF, text as text with its fonts inside; and as pixels, at any scale.
#pragma once

#include "app/picture/picture.h"
#include "engine/base/result.h"

#include <span>
#include <string>

namespace headlight {

// One page a picture. The bytes of the file. Fails with error.picture_not_made {reason}.
Result<std::string> pdf_bytes(std::span<const Picture> pages, const std::string& title);

// `scale` pixels for a unit.
Result<Image> pixels_of(const Picture& picture, float scale);

} // namespace headlight
