// Lessons as nobody would write them, and as somebody in a hurry might: setups right and wrong, links,
// predictions, and what only nearly is one. The same on every machine.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::test {

class RandomLesson {
public:
    explicit RandomLesson(std::uint32_t seed) : random_(seed) {}
    std::string text();

private:
    int below(int n) { return int(random_() % std::uint32_t(n)); }
    template <std::size_t N>
    std::string one_of(const std::string_view (&all)[N]) {
        return std::string(all[std::size_t(below(int(N)))]);
    }
    std::string cell();
    std::string expectation();
    std::string command();
    std::string link();
    std::string prose();
    std::string fence(const std::string& info, const std::string& lines);
    std::string setup();
    std::string prediction();
    std::string card();
    std::string spoiled(std::string text); // a byte or a line of it is another

    std::mt19937 random_;
};

} // namespace headlight::test
