// A model that a command reads and asks, of whichever family: text in, what it says out.
#pragma once

#include "engine/io/model_folder.h"

#include <string>
#include <vector>

namespace headlight {

// What a stream is fed of a text: its words, and what stands around them. Of two sentences, where the model's
// tokenizer knows how they are joined, both with their types.
struct FedText {
    std::vector<TokenId> ids;
    std::vector<std::int32_t> types;
};
FedText fed_text(const Tokenizer& tokenizer, const Stream& stream, const std::string& text);
FedText fed_text(const Tokenizer& tokenizer, const Stream& stream, const std::string& first,
                 const std::string& second);

// What the model says of a text: its translation, how it goes on, which class it is of, or the text with its
// masked words filled in. Empty of an empty text. Errors: a text that is too long (`number` says which), and
// a model that says nothing.
Result<std::string> answer(const ModelFiles& files, Model& model, const std::string& text, std::size_t number,
                           Index beam_width);

} // namespace headlight
