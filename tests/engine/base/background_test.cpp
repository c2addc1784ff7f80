#include "engine/base/background.h"
#include "engine/base/threads.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

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

TEST_CASE("work for which no thread is left is done in portions, and helpers are as many as there may be") {
    allow_threads(2);
    std::atomic<bool> ending = false;
    std::atomic<int> by_thread = 0;
    int in_portions = 0;
    const auto work_of = [&](auto& portions) {
        return [&] {
            ++portions;
            return ending ? Portion::ended : Portion::waits;
        };
    };
    {
        BackgroundWork first(work_of(by_thread));
        const Workers workers(4);
        CHECK(workers.threads() == 2); // the calling thread, and the one that was left
        BackgroundWork second(work_of(in_portions));
        while (by_thread == 0) std::this_thread::yield();
        CHECK(in_portions == 0);
        CHECK(advance_background(0));
        CHECK(in_portions == 1);
        ending = true;
        first.wake();
        second.wake();
    }
    CHECK(ThreadAllowance(5).granted() == 0); // what has ended rests before it begins anew
    allow_threads({});
    CHECK(ThreadAllowance(5).granted() == 5);
}
