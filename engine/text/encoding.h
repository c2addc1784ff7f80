// From a typed text to its tokens: added tokens are cut out, the rest is normalised, cut into words, and each
// word taken apart by the model.
#pragma once

#include "engine/text/cutting.h"

namespace headlight {

// `film`, when given, receives the stretches and words; its pieces and input are left alone.
EncodedText encoded(const TokenizerParts& parts, const AddedTokens& added, std::string_view text,
                    Cutting* film = nullptr);

} // namespace headlight
