#include "engine/base/background.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>

using namespace headlight;

namespace {

// As in a page, where there are none.
struct WithoutThreads {
    WithoutThreads() { pretend_no_threads(true); }
    ~WithoutThreads() { pretend_no_threads(false); }
};

} // namespace

TEST_CASE("work beside the window is done to its end, and waits until it is woken") {
    std::atomic<int> portions = 0, allowed = 3;
    std::atomic<bool> ending = false;
    BackgroundWork work([&] {
        if (ending) return Portion::ended;
        if (portions >= allowed) return Portion::waits;
        ++portions;
        return Portion::more;
    });
    while (portions < 3) wait_a_moment();
    allowed = 5;
    work.wake();
    while (portions < 5) wait_a_moment();
    ending = true;
    work.wake();
    work.join();
    CHECK(portions == 5);
}

TEST_CASE("where there are no threads nothing is done but when it is asked for, in turns") {
    const WithoutThreads none;
    CHECK_FALSE(has_threads());
    CHECK_FALSE(advance_background(0));
    std::string order;
    bool ending = false;
    const auto work_of = [&](char name) {
        return [&order, &ending, name, left = 3]() mutable {
            if (ending) return Portion::ended;
            if (left == 0) return Portion::waits;
            --left;
            order += name;
            return Portion::more;
        };
    };
    BackgroundWork a(work_of('a')), b(work_of('b'));
    CHECK(order.empty());
    CHECK(advance_background(0)); // one portion
    CHECK(order.size() == 1);
    for (int i = 0; i < 3; ++i) CHECK(advance_background(0));
    CHECK((order == "abab" || order == "baba"));
    a.help(); // all that it has to do now
    CHECK(std::count(order.begin(), order.end(), 'a') == 3);
    while (advance_background(0)) {
    }
    CHECK(order.size() == 6);
    a.wake(); // looks, and waits again
    CHECK(advance_background(0));
    CHECK_FALSE(advance_background(0));
    ending = true;
    a.wake();
    b.wake(); // their ends join
}

TEST_CASE("a wake in the middle of a portion is not lost") {
    const WithoutThreads none;
    int portions = 0;
    BackgroundWork* self = nullptr;
    BackgroundWork work([&] {
        if (++portions == 1) self->wake();
        return portions < 3 ? Portion::waits : Portion::ended;
    });
    self = &work;
    CHECK(advance_background(0));
    CHECK(advance_background(0)); // because of the wake
    CHECK_FALSE(advance_background(0));
    work.wake();
    work.join();
    CHECK(portions == 3);
}
