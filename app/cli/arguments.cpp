#include "app/cli/command.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <thread>

namespace headlight {

namespace {

template <class T>
std::optional<T> parse(const std::string& text) {
    T number{};
    const char* end = text.data() + text.size();
    const auto [stopped, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc() || stopped != end) return std::nullopt;
    return number;
}

template <class T>
std::string written(T number) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

template <class T>
void read_number(const char* option, const Typed& typed, T& to, T least, T most, const char* key,
                 std::optional<Error>& error) {
    if (!typed || error) return;
    const std::optional<T> number = parse<T>(*typed);
    if (number && *number >= least && *number <= most) // false for “nan”
        to = *number;
    else
        error = Error{key, {option, *typed, written(least), written(most)}};
}

} // namespace

void ArgumentReader::read(const char* option, const Typed& typed, Index& to, Index least, Index most) {
    read_number(option, typed, to, least, most, "error.option_whole_number", error_);
}

void ArgumentReader::read(const char* option, const Typed& typed, int& to, int least, int most) {
    read_number(option, typed, to, least, most, "error.option_whole_number", error_);
}

void ArgumentReader::read(const char* option, const Typed& typed, std::uint64_t& to) {
    read_number(option, typed, to, std::uint64_t(0), std::numeric_limits<std::uint64_t>::max(),
                "error.option_whole_number", error_);
}

void ArgumentReader::read(const char* option, const Typed& typed, double& to, double least, double most) {
    read_number(option, typed, to, least, most, "error.option_number", error_);
}

void ArgumentReader::require(const char* option, const Typed& typed) {
    if (!typed && !error_) error_ = Error{"error.option_missing", {option}};
}

int threads_of_machine() { return std::max(1, int(std::thread::hardware_concurrency())); }

} // namespace headlight
