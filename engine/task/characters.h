// Copying and reversing strings of characters: the smallest tasks that need attention to learn. Copying wants
// the diagonal, reversing the other one.
#pragma once

#include "engine/task/task.h"

namespace headlight {

inline constexpr std::size_t longest_character_string = 24;

// English and Portuguese letters, digits, space, and - ' . , ! ?
const std::vector<std::string>& character_alphabet();

std::unique_ptr<Task> make_copy_task();
std::unique_ptr<Task> make_reverse_task();

} // namespace headlight
