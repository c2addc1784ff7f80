// The same targets for libFuzzer: fuzz_guided TARGET [options and folders of libFuzzer's]. Folders with
// inputs are libFuzzer's to read and to fill.
#include "tests/fuzz/mutation.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

using namespace headlight;
using namespace headlight::fuzz;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

namespace {

const Target* target = nullptr;

const Judge& judge() {
    static const Judge judge = [] {
        Result<Strings> strings = Strings::load(std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets");
        if (!strings) std::abort();
        return Judge(*std::move(strings));
    }();
    return judge;
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
    if (*count > 1) target = find_target((*words)[1]);
    if (!target) {
        std::fprintf(stderr, "fuzz_guided: the first word is a target:");
        for (const Target& one : targets()) std::fprintf(stderr, " %s", one.name.c_str());
        std::fprintf(stderr, "\n");
        std::exit(2);
    }
    (*words)[1] = (*words)[0]; // the rest is libFuzzer's
    ++*words;
    --*count;
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    target->read({reinterpret_cast<const char*>(bytes), size}, judge()); // what is thrown ends the program
    (void)judge().take_outcomes();
    return 0;
}

// Half of the time libFuzzer's own way, half of the time by words, numbers and lines.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t most,
                                               unsigned seed) {
    if (seed % 2 == 0) return LLVMFuzzerMutate(bytes, size, most);
    Mutator mutator(*target, {}, seed);
    const std::string changed = mutator.changed({reinterpret_cast<const char*>(bytes), size});
    const std::size_t taken = std::min(changed.size(), most);
    std::memcpy(bytes, changed.data(), taken);
    return taken;
}
