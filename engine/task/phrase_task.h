// Learning the sentences of a phrase grammar.
#pragma once

#include "engine/task/phrases.h"

namespace headlight {

enum class Periods { both_sides, source, none }; // which sides get one in every second sentence

// Every sentence comes with and without its final period. A block is drawn by its share, in it each phrase as
// often as any other, of a phrase each sentence as often as any other.
std::unique_ptr<Task> make_phrase_task(std::string name, const std::vector<grammar::SpokenBlock>& blocks,
                                       Learner learner = {}, Periods periods = Periods::both_sides);

} // namespace headlight
