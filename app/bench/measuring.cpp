#include "app/bench/measuring.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <psapi.h>
#else
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>
#endif

namespace headlight {

#ifdef _WIN32

namespace {

double seconds_of(const FILETIME& time) { // in steps of 100 ns
    return 1e-7 * (4294967296.0 * double(time.dwHighDateTime) + double(time.dwLowDateTime));
}

} // namespace

double thread_cpu_seconds() {
    FILETIME begun{}, ended{}, kernel{}, own{};
    GetThreadTimes(GetCurrentThread(), &begun, &ended, &kernel, &own);
    return seconds_of(kernel) + seconds_of(own);
}

double process_cpu_seconds() {
    FILETIME begun{}, ended{}, kernel{}, own{};
    GetProcessTimes(GetCurrentProcess(), &begun, &ended, &kernel, &own);
    return seconds_of(kernel) + seconds_of(own);
}

double resident_megabytes() {
    PROCESS_MEMORY_COUNTERS counters{};
    GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
    return double(counters.WorkingSetSize) / double(1 << 20);
}

Holdings holdings() {
    DWORD handles = 0;
    GetProcessHandleCount(GetCurrentProcess(), &handles);
    return {resident_megabytes(), 0, long(handles), 0};
}

#else

namespace {

double seconds_of(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

} // namespace

double thread_cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
double process_cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

double resident_megabytes() {
    long pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return double(resident) * double(sysconf(_SC_PAGESIZE)) / double(1 << 20);
}

Holdings holdings() {
    const auto entries = [](const char* folder) {
        std::error_code none;
        const std::filesystem::directory_iterator all(folder, none);
        return none ? 0 : long(std::distance(all, std::filesystem::directory_iterator{}));
    };
    Holdings now{resident_megabytes(), 0, entries("/proc/self/fd") - 1, entries("/proc/self/task")};
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    const auto heap = mallinfo2();
    now.allocated_megabytes = double(heap.uordblks + heap.hblkhd) / double(1 << 20);
#endif
    return now;
}

#endif

Percentiles percentiles_of(std::vector<double> seconds) {
    if (seconds.empty()) return {};
    std::sort(seconds.begin(), seconds.end());
    const auto at = [&](double share) {
        return 1000 * seconds[std::size_t(share * double(seconds.size() - 1))];
    };
    return {at(0.5), at(0.9), at(0.99), at(1), long(seconds.size())};
}

WallTime after(double seconds) {
    return std::chrono::steady_clock::now()
           + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
               std::chrono::duration<double>(seconds));
}

void move_camera(Canvas& canvas, long frame) {
    constexpr long turn = 240;
    const long phase = frame % turn;
    const ViewSize view = canvas.view();
    const std::vector<Card>& cards = canvas.layout().cards;
    const Card& goal = cards[std::size_t(frame / turn * 37) % cards.size()];
    const PlanePoint in_view = to_view(canvas.camera(), view, goal.rect.centre());
    const double closest = std::min(3.0, 50 / goal.cell_width);
    if (phase < 90) {
        canvas.zoom(in_view,
                    std::pow(closest / std::max(canvas.camera().zoom, 1e-6), 1.0 / double(90 - phase)));
        const PlanePoint now = to_view(canvas.camera(), view, goal.rect.centre());
        canvas.pan((view.width / 2 - now.x) / 12, (view.height / 2 - now.y) / 12);
    } else if (phase < 150) {
        canvas.pan(phase < 120 ? -12 : 12, phase % 30 < 15 ? -5 : 5);
    } else {
        canvas.zoom({view.width / 2, view.height / 2}, 0.94);
    }
}

} // namespace headlight
