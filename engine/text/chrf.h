// How near a sentence is to another, by the pieces that both are made of.
#pragma once

#include <string_view>

namespace headlight {

// chrF (Popović 2015): the F-score with β = 2 of the sequences of 1 to 6 characters, blanks left out; precision and
// recall are the means over the lengths that either sentence has. From 0 to 1; 0 where one of them is empty.
double chrf(std::string_view said, std::string_view wanted);

// Both without case, punctuation and double blanks, as sentences are compared whose words are what counts.
double chrf_of_words(std::string_view said, std::string_view wanted);

} // namespace headlight
