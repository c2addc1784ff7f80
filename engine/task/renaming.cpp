#include "engine/task/everyday_task.h"

#include "engine/io/file.h"
#include "engine/task/plain_text.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace headlight {

namespace {

constexpr double renamed_share = 0.6, invented_share = 0.15, renumbered_share = 0.6;

// Of a letter, also of one that takes several bytes.
bool is_of_letter(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
           || static_cast<unsigned char>(byte) >= 0x80;
}

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
bool is_of_letter_or_digit(char byte) { return is_of_letter(byte) || is_digit(byte); } // "21st" is no number

// Runs of such bytes, each with where it begins.
struct Run {
    std::size_t begin;
    std::string text;
};
std::vector<Run> runs_of(const std::string& text, bool (*belongs)(char)) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!belongs(text[i])) continue;
        if (runs.empty() || runs.back().begin + runs.back().text.size() != i) runs.push_back({i, ""});
        runs.back().text += text[i];
    }
    return runs;
}

std::size_t count(const std::vector<Run>& runs, const std::string& text) {
    return std::size_t(
        std::count_if(runs.begin(), runs.end(), [&](const Run& run) { return run.text == text; }));
}

using Exchange = std::map<std::string, std::string>;

std::string exchanged(const std::string& text, const std::vector<Run>& runs, const Exchange& others) {
    std::string result;
    std::size_t at = 0;
    for (const Run& run : runs) {
        const auto other = others.find(run.text);
        if (other == others.end()) continue;
        result += text.substr(at, run.begin - at) + other->second;
        at = run.begin + run.text.size();
    }
    return result + text.substr(at);
}

// Whatever `other` has something for, and stands as often on either side.
SentencePair exchanged(const SentencePair& pair, bool (*belongs)(char),
                       const std::function<std::optional<std::string>(const std::string&)>& other) {
    const std::vector<Run> source = runs_of(pair.source, belongs), target = runs_of(pair.target, belongs);
    Exchange others;
    for (const Run& run : source) {
        if (others.contains(run.text) || count(source, run.text) != count(target, run.text)) continue;
        std::optional<std::string> chosen = other(run.text);
        const bool is_taken = !chosen || count(source, *chosen) > 0
                              || std::any_of(others.begin(), others.end(),
                                             [&](const auto& one) { return one.second == *chosen; });
        if (!is_taken) others.emplace(run.text, *std::move(chosen));
    }
    if (others.empty()) return pair;
    return {exchanged(pair.source, source, others), exchanged(pair.target, target, others)};
}

// "Nalira", "Tovin": syllables that either language can say.
std::string invented(bool is_feminine, Random& random) {
    constexpr std::string_view consonants = "bdfglmnprstvz", vowels = "aeiou";
    std::string name;
    for (Index left = 1 + random.below(2); left >= 0; --left) {
        name += consonants[std::size_t(random.below(Index(consonants.size())))];
        name +=
            left == 0 ? (is_feminine ? 'a' : 'o') : vowels[std::size_t(random.below(Index(vowels.size())))];
    }
    if (!is_feminine && random.below(2) == 0) name.back() = 'e', name += random.below(2) == 0 ? 'n' : 'r';
    name.front() = char(name.front() - 'a' + 'A');
    return name;
}

std::optional<std::string> other_number(const std::string& number, Random& random) {
    const bool is_number = std::all_of(number.begin(), number.end(), is_digit);
    if (!is_number || number.size() > 9 || number.front() == '0') return {};
    const Index value = Index(std::stol(number));
    const auto between = [&](Index first, Index last) {
        return std::to_string(first + random.below(last - first + 1));
    };
    if (value < 4) return {}; // of one, "2nd", "3rd"
    if (value < 10) return between(4, 9);
    if (value <= 12) return between(10, 12); // hours, months
    if (value <= 31) return between(13, 31); // days
    if (value < 60) return between(32, 59);  // minutes
    if (value < 100) return between(60, 99);
    if (value >= 1900 && value < 2100) return between(1950, 2049);
    std::string other(1, char('1' + random.below(9)));
    const std::size_t zeros = number.size() - 1 - number.find_last_not_of('0'); // "3000" remains round
    while (other.size() < number.size())
        other += other.size() + zeros >= number.size() ? '0' : char('0' + random.below(10));
    return other;
}

} // namespace

Result<FirstNames> FirstNames::read(const std::string& file) {
    constexpr Index most_bytes = 1 << 20;
    const Result<std::string> text = read_file(file, most_bytes);
    if (!text) return text.error();
    FirstNames names;
    std::vector<std::string>* list = nullptr;
    for (std::string_view line : split_at(*text, '\n')) {
        line = line.substr(0, line.find('#'));
        if (trimmed(line).empty()) continue;
        if (line.front() != ' ') {
            list = line.starts_with("names femalename") ? &names.feminine_
                   : line.starts_with("names malename") ? &names.masculine_
                                                        : nullptr;
            continue;
        }
        if (!list) continue;
        for (const std::string_view part : split_at(line.substr(0, line.find('*')), ','))
            if (const std::string_view name = trimmed(part); !name.empty()) list->emplace_back(name);
    }
    if (names.feminine_.empty() || names.masculine_.empty()) return Error{"error.names_none", {file}};
    for (const std::string& name : names.feminine_) names.is_feminine_.emplace(name, true);
    for (const std::string& name : names.masculine_) names.is_feminine_.emplace(name, false);
    return names;
}

std::string FirstNames::other(bool is_feminine, Random& random) const {
    if (random.uniform() < invented_share) return invented(is_feminine, random);
    const std::vector<std::string>& names = is_feminine ? feminine_ : masculine_;
    return names[std::size_t(random.below(Index(names.size())))];
}

SentencePair FirstNames::renamed(SentencePair pair, Random& random) const {
    if (random.uniform() >= renamed_share) return pair;
    return exchanged(pair, is_of_letter, [&](const std::string& word) -> std::optional<std::string> {
        const auto found = is_feminine_.find(word);
        if (found == is_feminine_.end()) return {};
        return other(found->second, random);
    });
}

SentencePair renumbered(SentencePair pair, Random& random) {
    if (random.uniform() >= renumbered_share) return pair;
    return exchanged(pair, is_of_letter_or_digit,
                     [&](const std::string& number) { return other_number(number, random); });
}

} // namespace headlight
