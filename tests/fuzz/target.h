// What a fuzzer needs of one thing that the program reads: how it is read, what examples there are, and the
// words of its format. To add one, write a function beside the others in targets/ and name it in targets.cpp.
#pragma once

#include "tests/fuzz/judge.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::fuzz {

struct Target {
    std::string name;
    // The input is a folder, written as one text (folder_input.h).
    bool takes_folder = false;
    bool has_json = false; // there are JSON objects in it
    // Examples, as paths below the source tree: a file, or of a target that takes folders a folder; with /*
    // at the end, or /*.md, all that lie in it. tests/data/fuzz/NAME/* is read besides.
    std::vector<std::string> examples = {};
    // What mutations put in: words of the format.
    std::vector<std::string> words = {};
    // Reads the input, and asks of what comes out what the program would ask. Whatever it is, nothing may be
    // thrown but what `judge` finds.
    std::function<void(std::string_view input, const Judge& judge)> read;
    // Makes what a mutation broke at once whole again (a length in front), so that what lies behind it is
    // reached.
    std::function<void(std::string& input)> mend = {};
    std::size_t longest = 1 << 20; // bytes of a mutated input
    std::size_t runs = 400;        // mutations in a run of all tests
};

const std::vector<Target>& targets();
const Target* find_target(std::string_view name); // null: there is none

} // namespace headlight::fuzz
