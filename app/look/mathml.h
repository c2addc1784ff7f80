// The notation of formulas (app/ui/widgets/formula.h) as MathML Core, for whoever sets and reads formulas by
// itself: a browser, a screen reader.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

// "<math>…</math>"; what is not known stands as it was written. `displayed`: in a line of its own.
std::string mathml(std::string_view tex, bool displayed = false);

} // namespace headlight
