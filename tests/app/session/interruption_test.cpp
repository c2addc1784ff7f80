#include "app/session/interruption.h"

#include <doctest/doctest.h>

#include <chrono>

using headlight::Interruption;

TEST_CASE("signals, also several, raise the flag and wake who sleeps; nohup stays what it is") {
    std::atomic<int> woken = 0;
    {
        Interruption interruption([&] { ++woken; });
        CHECK_FALSE(interruption.flag());
        for (const int signal : {SIGHUP, SIGINT, SIGTERM}) std::raise(signal);
        CHECK(interruption.flag());
        for (int i = 0; i < 10'000 && woken < 3; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        CHECK(woken == 3);
    }
    const auto before = std::signal(SIGHUP, SIG_IGN);
    {
        Interruption interruption;
        std::raise(SIGHUP);
        CHECK_FALSE(interruption.flag());
    }
    std::signal(SIGHUP, before);
}
