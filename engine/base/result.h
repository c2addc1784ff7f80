// What can go wrong with things from outside (files, typed text, options) is a value, not an exception:
// Result<T> is a T or an Error. The engine holds no sentences: an Error is a key of
// assets/strings/*/errors.json with the arguments of its {0}, {1}, …; whoever shows it chooses the language.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headlight {

struct Error {
    std::string key;                    // "error.model_file_missing"
    std::vector<std::string> arguments; // what fills {0}, {1}, … of the sentence: file, line, sizes
};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    T& operator*() & { return std::get<0>(state_); }
    const T& operator*() const& { return std::get<0>(state_); }
    T&& operator*() && { return std::get<0>(std::move(state_)); }
    T* operator->() { return &std::get<0>(state_); }
    const T* operator->() const { return &std::get<0>(state_); }
    const Error& error() const { return std::get<1>(state_); }

private:
    std::variant<T, Error> state_;
};

struct Done {}; // Result<Done>: it worked, there is nothing more to say

} // namespace headlight
