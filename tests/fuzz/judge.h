// What may come out of anything that reads from outside: a value, or an Error that can be told to a person.
#pragma once

#include "app/session/strings.h"
#include "engine/base/result.h"

#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headlight::fuzz {

// What should never be: whoever runs a target takes it for a failure.
struct Finding : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Judge {
public:
    explicit Judge(Strings strings) : strings_(std::move(strings)) {}

    // Throws a Finding unless the sentence stands in every language, has all of its arguments, is one line of
    // moderate length, and names the file (empty: nothing has to be named).
    void error(const Error& error, const std::string& file = {}) const;
    template <class T>
    bool accepts(const Result<T>& result, const std::string& file = {}) const {
        if (!result) error(result.error(), file);
        return bool(result);
    }
    void expect(bool holds, const std::string& promise) const {
        if (!holds) throw Finding(promise);
    }
    // Something else that this input led to; a new outcome is worth mutating further.
    void outcome(std::string what) const { outcomes_.insert(std::move(what)); }

    std::set<std::string> take_outcomes() const { return std::exchange(outcomes_, {}); }
    const Strings& strings() const { return strings_; }

private:
    Strings strings_;
    mutable std::set<std::string> outcomes_; // of this input
};

} // namespace headlight::fuzz
