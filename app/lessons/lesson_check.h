// Whether a lesson can be taken: every setup runs, every link leads somewhere, every prediction has one right
// answer that does not depend on chance, nothing is done before anything was done, and its sister in the
// other language says the same commands.
#pragma once

#include "app/lessons/lesson.h"
#include "app/session/strings.h"

#include <vector>

namespace headlight {

// All faults, in the order of their lines. Runs the setups in a session of its own, and of the links what a
// setup may hold, too: nothing is written, nothing is waited for. A line whose command or model was meant to
// be another is told, and gone on with as it was meant; what a setup lacks hides nothing that stands below
// it.
std::vector<LessonFault> check_lesson(const Lesson& lesson, const std::filesystem::path& assets,
                                      const Strings& strings);

// "FILE:LINE: what is wrong"
std::string fault_text(const Lesson& lesson, const LessonFault& fault, const Strings& strings);

} // namespace headlight
