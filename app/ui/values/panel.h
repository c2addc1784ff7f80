// What a panel is: a function of a rectangle and a session that it only reads. What a person wants is emitted
// as command lines, which are executed when the frame is laid out. With this comes all that panels are
// written with: the theme and the pen, text, and what a person presses.
#pragma once

#include "app/session/session.h"
#include "app/session/step_text.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/chips.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/pressable.h"
#include "app/ui/widgets/scrolled_column.h"
#include "app/ui/widgets/text.h"

#include <string>
#include <utility>
#include <vector>

namespace headlight {

class CommandSink {
public:
    void emit(std::string line) { lines_.push_back(std::move(line)); }
    std::vector<std::string> take() { return std::exchange(lines_, {}); }

private:
    std::vector<std::string> lines_;
};

} // namespace headlight
