// The two ways in which a followed token is shown.
#pragma once

#include "app/session/value_names.h"
#include "app/ui/values/panel.h"

#include <string>
#include <vector>

namespace headlight {

struct WordView {
    const Session& session;
    CommandSink& commands;
    FollowedAttention attention;
    WordStage stage = WordStage::vectors;
    bool has_mask = false;
    Index head = 0, token = 0;
    const std::vector<std::string>&queries, &keys; // the tokens' names

    // Where this head lies in a value.
    Index place_in(const Node& node) const { return place_of_head(session.model().map(), node, head); }
    bool shows(WordStage what) const { return stage >= what; }
};

// A line for every key: what the token's query makes of it, and of its value.
void word_by_word(const ScreenRect& rect, const WordView& view);

// The attention's matrices, the token's row lit.
void word_as_matrices(const ScreenRect& rect, const WordView& view);

} // namespace headlight
