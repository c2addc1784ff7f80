// Options as they were typed, and the numbers in them. Everything is taken as text first, so that what is
// wrong with it is said in the person's language.
#pragma once

#include "engine/base/result.h"
#include "engine/tensor/real.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

using Typed = std::optional<std::string>; // nothing: the option was not given

// Reads one option after another and keeps the first error, so that a command looks at it once.
class ArgumentReader {
public:
    // What was typed, if it is a whole number (or any number) in least … most, into `to`.
    void read(const char* option, const Typed& typed, Index& to, Index least, Index most);
    void read(const char* option, const Typed& typed, int& to, int least, int most);
    void read(const char* option, const Typed& typed, std::uint64_t& to);
    void read(const char* option, const Typed& typed, double& to, double least, double most);

    // One of a few words.
    template <class T>
    void read(const char* option, const Typed& typed, T& to,
              const std::vector<std::pair<std::string, T>>& choices) {
        if (!typed || error_) return;
        std::string words;
        for (const auto& [word, value] : choices) {
            if (word == *typed) {
                to = value;
                return;
            }
            words += (words.empty() ? "" : ", ") + word;
        }
        error_ = Error{"error.option_choice", {option, *typed, words}};
    }
    void require(const char* option, const Typed& typed);
    // Both were given, and only one of them can be.
    void exclude(const char* option, const char* other) {
        if (!error_) error_ = Error{"error.options_exclude", {option, other}};
    }

    const std::optional<Error>& error() const { return error_; }

private:
    std::optional<Error> error_;
};

int threads_of_machine(); // at least 1

} // namespace headlight
