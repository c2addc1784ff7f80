// The program and this machine, told line by line: what help's last page and `headlight --check` say.
#pragma once

#include "app/platform/display.h"
#include "app/session/reference_check.h"
#include "app/session/strings.h"

#include <string>
#include <vector>

namespace headlight {

struct AboutLine {
    std::string label, text;
    bool is_alarm = false;
};

using Compared = Result<std::vector<ComparedModel>>;

// Vendor, renderer, version: the arguments of about_page.drawn_by.
std::vector<std::string> words_of(const Graphics& graphics);

// Version, libraries, machine, what products are computed with, who draws (a line for each of `graphics`),
// what was compared with PyTorch, and last the verdict.
std::vector<AboutLine> about_lines(const Strings& strings, const std::vector<std::string>& graphics,
                                   const Compared& compared);

// Everything was compared, and agrees.
bool is_right(const Compared& compared);

} // namespace headlight
