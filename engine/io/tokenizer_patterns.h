// The two regular expressions of our tokenizer files, in the dialect of Oniguruma that the `tokenizers`
// library compiles them with. (Its dot matches no newline, and it does not know (?s).)
#pragma once

namespace headlight {

constexpr const char* word_pattern = R"(\w+(?:['\-]\w+)*|[^\w\s])"; // Splitting::words
constexpr const char* character_pattern = R"([\s\S])";              // Splitting::characters

} // namespace headlight
