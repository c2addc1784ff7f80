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

// What a model is given of a text (as_given); nothing of an empty one. Errors: a text that is too long
// (`number` says which), and a model that says nothing.
Result<std::vector<TokenId>> given_ids(const ModelFiles& files, const ModelMap& map, const std::string& text,
                                       std::size_t number);

// What a model that writes nothing says of what it is given: which class it is of, or the text with its
// masked words filled in.
std::string answer_of_reader(const ModelFiles& files, Model& model, const std::vector<TokenId>& given);

} // namespace headlight
