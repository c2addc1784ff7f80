// Bytes as text (RFC 4648, the usual alphabet).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

std::string to_base64(std::string_view bytes);
std::optional<std::string> from_base64(std::string_view text); // nothing: it is none; padding may be missing

} // namespace headlight
