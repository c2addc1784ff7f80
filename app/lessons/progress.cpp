// How far somebody has come: what was right, which lessons are finished, and what is remembered of it.
#include "app/lessons/player.h"
#include "engine/text/words.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace headlight {

namespace {

bool is_plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x80 && (std::isalnum(byte) || c == '-' || c == '_' || c == '.');
}

// A name as one word: whatever else stands in it is written %20, as in an address.
std::string as_word(const std::string& name) {
    constexpr char digits[] = "0123456789ABCDEF";
    std::string word;
    for (const char c : name)
        if (is_plain(c))
            word += c;
        else
            word += {'%', digits[static_cast<unsigned char>(c) >> 4], digits[c & 15]};
    return word;
}

std::string of_word(const std::string& word) {
    std::string name;
    for (std::size_t i = 0; i < word.size(); ++i) {
        unsigned byte = 0;
        const char* const digits = word.data() + i + 1;
        if (word[i] == '%' && i + 2 < word.size()
            && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            name += char(byte);
            i += 2;
        } else {
            name += word[i];
        }
    }
    return name;
}

} // namespace

bool LessonPlayer::is_finished(const LessonEntry& entry) const {
    const auto known = progress_.find(entry.name);
    if (known == progress_.end() || entry.cards == 0) return false;
    for (std::size_t card = 0; card < entry.cards; ++card)
        if (!known->second.done.contains(card)) return false;
    return true;
}

LessonScore LessonPlayer::score() const {
    LessonScore score;
    if (!lesson_) return score;
    for (const LessonCard& card : lesson_->cards) score.asked += card.predictions.size();
    score.answered = answers_.size();
    for (const auto& [place, answer] : answers_) {
        score.right += answer.is_right && answer.given ? 1 : 0;
        score.predicted += answer.given ? 1 : 0;
    }
    return score;
}

const LessonEntry* LessonPlayer::next_lesson() const {
    if (!lesson_ || !is_shipped_) return nullptr;
    const std::string name = lesson_name(lesson_->file);
    const auto after = std::find_if(lessons_.begin(), lessons_.end(),
                                    [&](const LessonEntry& entry) { return entry.name > name; });
    return after == lessons_.end() ? nullptr : &*after;
}

std::string LessonPlayer::remembered() const {
    std::string text;
    for (const auto& [name, progress] : progress_) {
        text += as_word(name) + " " + std::to_string(progress.card) + " ";
        for (const std::size_t card : progress.done) text += std::to_string(card) + ",";
        text += ";";
    }
    return text;
}

void LessonPlayer::remember(std::string_view text) {
    std::istringstream lessons{std::string(text)};
    for (std::string one; std::getline(lessons, one, ';');) {
        std::istringstream words(one);
        std::string name, done;
        long card = 0;
        if (!(words >> name >> card) || card < 0) continue;
        Progress progress{std::size_t(card), {}};
        std::getline(words, done);
        std::istringstream numbers(done);
        for (std::string number; std::getline(numbers, number, ',');)
            if (const Result<long> n = whole_number_of(std::string(trim(number))); n && *n >= 0)
                progress.done.insert(std::size_t(*n));
        progress_[of_word(name)] = std::move(progress);
    }
}

} // namespace headlight
