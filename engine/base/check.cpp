#include "engine/base/check.h"

#include <stdexcept>

namespace headlight {

void broken_promise(const char* file, int line, std::string_view promise, const std::string& detail) {
    throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + detail + " (expected "
                           + std::string(promise) + ")");
}

} // namespace headlight
