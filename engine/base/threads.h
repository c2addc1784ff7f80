// How many threads there may be beside the calling one: any number on a desktop; in a page none, or, where
// the browser lets a page share memory with its workers, as many as the page has started beforehand.
#pragma once

#include <optional>

namespace headlight {

// Whether there are threads. A test may say that there are none; while no work is there.
bool has_threads();
void pretend_no_threads(bool pretend);

// From now on there are at most so many at once, as a page says when it begins; nothing: any number.
void allow_threads(std::optional<int> most);

// The right to some threads, held until they have ended and been joined.
class ThreadAllowance {
public:
    explicit ThreadAllowance(int wanted);
    ~ThreadAllowance();
    ThreadAllowance(const ThreadAllowance&) = delete;
    ThreadAllowance& operator=(const ThreadAllowance&) = delete;

    int granted() const { return granted_; } // 0 … wanted

private:
    int granted_;
};

} // namespace headlight
