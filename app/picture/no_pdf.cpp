#include "app/picture/pdf.h"

namespace headlight {

Result<std::string> pdf_bytes(std::span<const Picture>, const std::string&) {
    return Error{"error.picture_not_made", {"PDF"}};
}

Result<Image> pixels_of(const Picture&, float) { return Error{"error.picture_not_made", {"PNG"}}; }

} // namespace headlight
