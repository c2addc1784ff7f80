// What values, their rows and their columns are called, in the language of the session.
#pragma once

#include "app/session/session.h"

#include <string>
#include <vector>

namespace headlight {

// "scores", "W_Q", "residual sum".
std::string value_name(const Session& session, const Node& node);

// Where a stream stops under a lens: "after the embedding", "after layer 3".
std::string stop_name(const Session& session, Index stop);

// Labels of the tokens that an axis stands for; none for features.
std::vector<std::string> axis_labels(const Session& session, const Node& node, bool rows);

// For each of these tokens the word of the typed sentence that it is a part of, counted from 0; −1: of none.
// Empty where every word is one token, as where the axis stands for anything else.
std::vector<int> axis_words(const Session& session, const Node& node, bool rows);

// Where the numbers of one head of its attention lie in a value: heads that share keys have one place there.
// 0 for a value that has no heads, and for no head (−1).
Index place_of_head(const ModelMap& map, const Node& node, Index head);
Index heads_of(const ModelMap& map, const Node& node); // of its attention; else as many as it has itself

// "head 2", or "heads 3–4" where these lie in the same place.
std::string head_label(const Session& session, const Node& node, Index place);

// Of row or column i: its token, or its number.
std::string place_label(const std::vector<std::string>& labels, Index i);

// A weight is stored [out × in], as PyTorch keeps it, and drawn as the papers write it, X W: its rows stand
// for what goes in, its columns for what comes out. Commands, paths and files name cells as they are stored.
bool is_drawn_transposed(const Node& node);
// Where a cell of the value is drawn; of one that is drawn, where it is stored.
Cell drawn(const Node& node, Cell cell);

} // namespace headlight
