#include "tests/fuzz/mutation.h"

#include "tests/fuzz/json_mutation.h"

#include <algorithm>
#include <cctype>

namespace headlight::fuzz {

namespace {

constexpr std::size_t most_kept = 300;
constexpr std::size_t longest_kept = 200'000; // bytes

// Where numbers end, and what stands in their place.
const std::vector<std::string> extremes = {"0",
                                           "-1",
                                           "1",
                                           "2",
                                           "00",
                                           "-0",
                                           "0.5",
                                           "1e-320",
                                           "127",
                                           "255",
                                           "256",
                                           "65536",
                                           "1000000",
                                           "2147483647",
                                           "2147483648",
                                           "-2147483649",
                                           "4294967296",
                                           "9007199254740993",
                                           "9223372036854775807",
                                           "9223372036854775808",
                                           "-9223372036854775808",
                                           "18446744073709551615",
                                           "18446744073709551616",
                                           "1e18",
                                           "1e19",
                                           "1e308",
                                           "-1e308",
                                           "1e999",
                                           "nan",
                                           "NaN",
                                           "inf",
                                           "-Infinity",
                                           "null",
                                           "true",
                                           "\"\"",
                                           "[]",
                                           "{}"};

// Bytes that text seldom has, and what is not UTF-8.
const std::vector<std::string> odd_bytes = {std::string(1, '\0'),
                                            "\xff",
                                            "\xEF\xBB\xBF",
                                            "\r",
                                            "\r\n",
                                            "\t",
                                            "\x1b[2J",
                                            "\xC0\x80",
                                            "\xED\xA0\x80",
                                            "\xF4\x90\x80\x80",
                                            "\xE2\x80\xAE",
                                            "e\xCC\x81",
                                            "\xF0\x9F\x91\xA8\xE2\x80\x8D",
                                            "\\",
                                            "\"",
                                            "\\u0000",
                                            "\\ud800",
                                            "{0}",
                                            "%s",
                                            "/",
                                            "..",
                                            "#",
                                            "\n",
                                            "\n\n",
                                            " ",
                                            "\xC2\xA0",
                                            "\xE2\x96\x81"};

bool is_figure(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

} // namespace

Mutator::Mutator(const Target& target, std::vector<std::string> examples, std::uint32_t seed)
    : target_(target), examples_(std::move(examples)), random_(seed) {
    if (examples_.empty()) examples_.push_back("");
    first_kept_ = examples_.size();
}

void Mutator::keep(std::string input) {
    if (input.size() > longest_kept) return;
    if (examples_.size() < first_kept_ + most_kept)
        examples_.push_back(std::move(input));
    else
        examples_[first_kept_ + below(most_kept)] = std::move(input);
}

std::string Mutator::next() { return changed(examples_[below(examples_.size())]); }

std::string Mutator::changed(std::string input) {
    // JSON that cannot be parsed leads nowhere: it mostly stays JSON.
    const bool keeps_json = target_.has_json && below(4) != 0;
    for (std::size_t changes = 1 + length(8); changes-- > 0;)
        if (!keeps_json || !change_json(input, target_.words, random_)) change_once(input);
    if (target_.mend && below(4) != 0) target_.mend(input);
    if (input.size() > target_.longest) input.resize(target_.longest);
    return input;
}

std::size_t Mutator::length(std::size_t most) {
    const std::size_t cap = std::max<std::size_t>(1, most >> below(8));
    return below(cap);
}

std::string Mutator::some_word() {
    if (target_.words.empty() || below(4) == 0) return odd_bytes[below(odd_bytes.size())];
    return target_.words[below(target_.words.size())];
}

void Mutator::change_once(std::string& input) {
    const std::size_t at = below(input.size() + 1);
    switch (below(12)) {
    case 0:
    case 1:
        return change_bytes(input, at);
    case 2:
    case 3:
        return change_number(input, at);
    case 4:
    case 5:
        return change_lines(input, at);
    case 6: { // a stretch of another example
        const std::string other = examples_[below(examples_.size())];
        const std::size_t from = below(other.size() + 1), count = length(other.size() - from + 1);
        const std::size_t over = below(2) ? std::min(count, input.size() - at) : 0;
        input.replace(at, over, other, from, count);
        return;
    }
    case 7: { // the end of another example
        const std::string other = examples_[below(examples_.size())];
        input = input.substr(0, at) + other.substr(below(other.size() + 1));
        return;
    }
    case 8:
        if (below(6) == 0) return repeat(input, at);
        [[fallthrough]];
    case 9:
        input.insert(at, some_word());
        return;
    case 10: { // in a word's place
        std::size_t begin = std::min(at, input.empty() ? 0 : input.size() - 1), end = begin;
        const auto is_of_word = [&](std::size_t i) {
            return std::isalnum(static_cast<unsigned char>(input[i])) || input[i] == '_';
        };
        while (begin > 0 && is_of_word(begin - 1)) --begin;
        while (end < input.size() && is_of_word(end)) ++end;
        input.replace(begin, end - begin, some_word());
        return;
    }
    default:
        if (below(4) == 0)
            input.resize(at); // cut short
        else
            input.erase(at, 1 + length(input.size() - at + 1));
    }
}

void Mutator::change_bytes(std::string& input, std::size_t at) {
    if (at == input.size()) return input.push_back(char(below(256)));
    switch (below(4)) {
    case 0:
        input[at] = char(input[at] ^ (1 << below(8)));
        break;
    case 1:
        input[at] = char(below(256));
        break;
    case 2:
        input.insert(at, std::string(1 + below(8), char(below(256))));
        break;
    default: // as a number of eight bytes, the least first
        for (std::size_t i = 0, value = std::size_t(1) << below(64); i < 8 && at + i < input.size();
             ++i, value >>= 8)
            input[at + i] = char(value - (below(2) ? 1 : 0));
    }
}

// The next number from there on.
void Mutator::change_number(std::string& input, std::size_t at) {
    std::size_t begin = at;
    while (begin < input.size() && !is_figure(input[begin])) ++begin;
    if (begin == input.size()) {
        input.insert(at, extremes[below(extremes.size())]);
        return;
    }
    std::size_t end = begin;
    while (end < input.size() && (is_figure(input[end]) || input[end] == '.')) ++end;
    input.replace(begin, end - begin,
                  below(3) == 0 ? std::to_string(below(40)) : extremes[below(extremes.size())]);
}

void Mutator::change_lines(std::string& input, std::size_t at) {
    const auto line_at = [&](std::size_t place) {
        const std::size_t begin = place == 0 ? 0 : input.rfind('\n', place - 1) + 1; // npos + 1 is 0
        return std::pair(begin, std::min(input.find('\n', begin), input.size() - 1) + 1);
    };
    if (input.empty()) return;
    const auto [begin, end] = line_at(std::min(at, input.size() - 1));
    const std::string line = input.substr(begin, end - begin);
    switch (below(3)) {
    case 0:
        input.erase(begin, end - begin);
        break;
    case 1:
        input.insert(begin, line);
        break;
    default: // moved
        input.erase(begin, end - begin);
        if (!input.empty()) input.insert(line_at(below(input.size())).first, line);
    }
}

// A stretch again and again: what takes the square of its length shows then.
void Mutator::repeat(std::string& input, std::size_t at) {
    std::string stretch = below(2) ? some_word() : input.substr(at, 1 + length(200));
    if (stretch.empty()) stretch = some_word();
    const std::size_t size = std::size_t(1) << (8 + below(12));
    const std::size_t count = std::min(size, target_.longest) / stretch.size();
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += stretch;
    input.insert(at, all);
}

} // namespace headlight::fuzz
