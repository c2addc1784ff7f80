#include "tests/fuzz/watch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define HEADLIGHT_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEADLIGHT_SANITIZED
#endif
#endif

// Sanitizers say what they found and end the program; before, they call this.
extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

#ifdef HEADLIGHT_SANITIZED
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0:max_allocation_size_mb=2048:allocator_may_return_null=0:handle_abort=1";
}
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }
#endif

namespace {
std::atomic<std::size_t> largest_block{0};
}

#ifndef HEADLIGHT_SANITIZED
// Every block that is asked for, also one of which nothing is ever touched.
void* operator new(std::size_t size) {
    if (size > largest_block) largest_block = size;
    if (void* block = std::malloc(size == 0 ? 1 : size)) return block;
    throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
#endif

namespace headlight::fuzz {

namespace {

#ifdef HEADLIGHT_SANITIZED // which keeps what was freed for a while, and more beside it
constexpr long most_megabytes = 4096;
#else
constexpr long most_megabytes = 1024;
#endif

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// For a handler of signals, which may not allocate.
std::string_view at_hand;
char path_at_hand[4096];

std::uint64_t fingerprint(std::string_view bytes) { // FNV-1a
    std::uint64_t hash = 14695981039346656037u;
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
    return hash;
}

void write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written <= 0) return;
        bytes.remove_prefix(std::size_t(written));
    }
}

void keep_at_hand() {
    if (path_at_hand[0] == '\0') return;
    const int file = ::open(path_at_hand, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) return;
    write_all(file, at_hand);
    ::close(file);
    write_all(2, "fuzz: the input that did it: ");
    write_all(2, path_at_hand);
    write_all(2, "\n");
}

void die(int number) {
    if (number == SIGALRM) write_all(2, "fuzz: it takes longer than it may\n");
    keep_at_hand();
    std::signal(number == SIGALRM ? SIGABRT : number, SIG_DFL);
    std::raise(number == SIGALRM ? SIGABRT : number);
}

void catch_signals() {
    static char stack[1 << 16]; // of its own, for one that overflowed
    stack_t alternative{};
    alternative.ss_sp = stack;
    alternative.ss_size = sizeof stack;
    ::sigaltstack(&alternative, nullptr);
    struct sigaction action {};
    action.sa_handler = die;
    action.sa_flags = SA_ONSTACK;
    ::sigaction(SIGALRM, &action, nullptr);
    if (__sanitizer_set_death_callback) return __sanitizer_set_death_callback(keep_at_hand);
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(number, &action, nullptr);
}

} // namespace

std::size_t take_largest_block() { return largest_block.exchange(0); }

Watch::Watch(std::string target, std::filesystem::path found)
    : target_(std::move(target)), found_(std::move(found)) {
    catch_signals();
    const std::string path = (found_ / (target_ + "-last")).string();
    std::strncpy(path_at_hand, path.c_str(), sizeof path_at_hand - 1);
}

Watch::~Watch() {
    ::alarm(0);
    path_at_hand[0] = '\0';
}

void Watch::begin(std::string_view input) {
    at_hand = input;
    peak_before_ = peak_megabytes();
    (void)take_largest_block();
    begun_ = now();
    ::alarm(longest_reading);
}

std::string Watch::end() {
    ::alarm(0);
    seconds_ = now() - begun_;
    constexpr std::size_t many_blocks = std::size_t(128) << 20, for_each_byte = 2000;
    if (const std::size_t block = take_largest_block(); block > many_blocks + for_each_byte * at_hand.size())
        return "a block of " + std::to_string(block) + " bytes for an input of "
               + std::to_string(at_hand.size());
    if (const long peak = peak_megabytes(); peak > most_megabytes && peak > peak_before_)
        return "memory: " + std::to_string(peak) + " MB";
    return {};
}

std::filesystem::path Watch::keep(std::string_view input) const {
    char name[32];
    std::snprintf(name, sizeof name, "-%016llx", static_cast<unsigned long long>(fingerprint(input)));
    std::filesystem::create_directories(found_);
    const std::filesystem::path path = found_ / (target_ + name);
    std::ofstream(path, std::ios::binary) << input;
    return path;
}

long Watch::peak_megabytes() const {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

} // namespace headlight::fuzz
