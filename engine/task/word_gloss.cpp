#include "engine/io/file.h"
#include "engine/task/plain_text.h"
#include "engine/task/tasks.h"
#include "engine/text/unicode.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

std::optional<Error> find_uneven(const std::vector<grammar::SpokenBlock>& blocks, const std::string& file) {
    for (const grammar::SpokenBlock& block : blocks)
        for (const grammar::SpokenPhrase& phrase : block.phrases)
            for (const auto* pairs : {&phrase.training, &phrase.held_out})
                for (const SentencePair& pair : *pairs) {
                    const std::size_t words = count_words(pair.source), glosses = count_words(pair.target);
                    if (words != glosses)
                        return Error{"error.gloss_uneven",
                                     {file, std::to_string(phrase.line), pair.source, std::to_string(words),
                                      pair.target, std::to_string(glosses)}};
                }
    return std::nullopt;
}

} // namespace

Result<std::unique_ptr<Task>> make_gloss_task(const std::string& grammars) {
    const Result<grammar::Grammar> words = grammar::read(grammars + "/english-portuguese.txt");
    if (!words) return words.error();
    const std::string file = grammars + "/gloss.txt";
    const Result<grammar::Grammar> rules = grammar::read(file, *words);
    if (!rules) return rules.error();
    const auto blocks = grammar::speak(*rules, grammar::Direction::english_to_portuguese);
    if (!blocks) return blocks.error();
    if (const auto error = find_uneven(*blocks, file)) return *error;
    return make_phrase_task("gloss", *blocks, {Architecture::encoder_only, Head::tokens, {}});
}

namespace {

using language::SenseForm;
using language::Senses;

constexpr std::size_t nobody = std::size_t(-1);
constexpr std::size_t longest_gap = 5; // words between “turn” and “on”

struct Word {
    std::string form;  // in small letters
    std::size_t whole; // the written word that it is, or is a part of
    std::size_t group = nobody;
};

bool is_sign(std::string_view word) {
    return !word.empty() && !is_joined_word_character(first_code_point(word).value);
}
bool is_mark(std::string_view word) {
    return word.size() == 1 && std::string_view(".,!?;:").find(word.front()) != std::string_view::npos;
}
std::string_view text_at(std::string_view text, const TypedRange& range) {
    return text.substr(range.begin, range.end - range.begin);
}
// Whether what stands here has a capital letter for that alone.
bool begins_sentence(std::string_view text, std::size_t at) {
    const auto is_quote = [&] {
        return at >= 3 && text.substr(at - 3, 2) == "\xE2\x80";
    }; // “ — and their kind
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '"' || is_quote())) at -= is_quote() ? 3 : 1;
    return at == 0 || std::string_view(".!?").find(text[at - 1]) != std::string_view::npos;
}
bool is_contracted(std::string_view word) {
    return word.size() > 1 && (word.front() == '\'' || word.starts_with("’"));
}

std::vector<Word> english_words(std::string_view text, const std::vector<TypedRange>& ranges) {
    std::vector<Word> words;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        std::string form = lowercase(text_at(text, ranges[i]));
        if (const std::size_t at = form.find("’"); at != std::string::npos) form.replace(at, 3, "'");
        if (is_sign(form) && !is_contracted(form)) continue;
        if (form == "cannot") form = "can't";
        if (!form.ends_with("n't")) {
            words.push_back({std::move(form), i});
            continue;
        }
        form.resize(form.size() - 3);
        words.push_back({form == "wo" ? "will" : form == "ca" ? "can" : form == "sha" ? "shall" : form, i});
        words.push_back({"not", i});
    }
    return words;
}

struct Occurrence {
    std::size_t sense;
    std::vector<std::size_t> at;
};

void find_form(const SenseForm& form, const std::vector<Word>& words, std::size_t begin,
               std::vector<Occurrence>& found) {
    Occurrence occurrence{form.sense, {begin}};
    std::size_t at = begin;
    bool gap = false;
    for (std::size_t i = 1; i < form.words.size(); ++i) {
        if (form.words[i].empty()) {
            gap = true;
            continue;
        }
        const std::size_t last = std::min(words.size(), at + 2 + (gap ? longest_gap : 0));
        std::size_t next = at + 1;
        while (next < last && words[next].form != form.words[i]) ++next;
        if (next >= last) return;
        at = next;
        gap = false;
        occurrence.at.push_back(at);
    }
    found.push_back(std::move(occurrence));
}

struct Candidate {
    std::vector<std::size_t> english, portuguese; // words
    std::size_t sense;                            // nobody: it is copied
    double score;
};

double middle(const std::vector<std::size_t>& at, std::size_t size) {
    return (double(at.front() + at.back()) / 2 + 0.5) / double(size);
}

class Aligning {
public:
    Aligning(const Senses& senses, std::vector<Word> english, std::vector<Word> portuguese)
        : senses_(senses), english_(std::move(english)), portuguese_(std::move(portuguese)) {
        find_candidates();
        take_best();
        take_small_words();
        take_reflexives();
    }

    // By Portuguese word: the English one that it comes from, or nobody.
    const std::vector<std::size_t>& origins() const { return origins_; }
    const std::vector<Word>& english() const { return english_; }
    const std::vector<Word>& portuguese() const { return portuguese_; }

    bool is_whole() const {
        for (const Word& word : english_)
            if (word.group == nobody && !senses_.may_be_none(word.form)) return false;
        for (const Word& word : portuguese_)
            if (word.group == nobody && !senses_.may_stand_for_none(word.form)) return false;
        return true;
    }

private:
    void find_candidates() {
        std::vector<Occurrence> left, right;
        for (std::size_t i = 0; i < english_.size(); ++i)
            if (const auto* forms = senses_.english(english_[i].form))
                for (const SenseForm& form : *forms) find_form(form, english_, i, left);
        for (std::size_t i = 0; i < portuguese_.size(); ++i)
            if (const auto* forms = senses_.portuguese(portuguese_[i].form))
                for (const SenseForm& form : *forms) find_form(form, portuguese_, i, right);
        const auto by_sense = [](const Occurrence& a, const Occurrence& b) { return a.sense < b.sense; };
        std::stable_sort(right.begin(), right.end(), by_sense);
        for (const Occurrence& one : left) {
            auto [from, to] = std::equal_range(right.begin(), right.end(), one, by_sense);
            for (; from != to; ++from) add(one.at, from->at, one.sense);
        }
        for (std::size_t i = 0; i < english_.size(); ++i)
            for (std::size_t j = 0; j < portuguese_.size(); ++j)
                if (english_[i].form == portuguese_[j].form && !senses_.english(english_[i].form))
                    add({i}, {j}, nobody);
    }

    void add(const std::vector<std::size_t>& e, const std::vector<std::size_t>& p, std::size_t sense) {
        const bool content = sense == nobody || senses_.is_content(sense);
        Candidate candidate{e, p, sense, 0};
        candidate.score = 10.0 * double(e.size() + p.size() - 2) + (content ? 5 : 0)
                          - 8 * std::abs(middle(e, english_.size()) - middle(p, portuguese_.size()))
                          - 0.5 * double(e.back() - e.front() + p.back() - p.front());
        (content || e.size() + p.size() > 2 ? candidates_ : small_).push_back(std::move(candidate));
    }

    bool is_free(const Candidate& candidate) const {
        return std::all_of(candidate.english.begin(), candidate.english.end(),
                           [&](std::size_t i) { return english_[i].group == nobody; })
               && std::all_of(candidate.portuguese.begin(), candidate.portuguese.end(),
                              [&](std::size_t j) { return portuguese_[j].group == nobody; });
    }

    void take(const Candidate& candidate) {
        const std::size_t group = groups_++;
        for (const std::size_t i : candidate.english) english_[i].group = group;
        for (const std::size_t j : candidate.portuguese) portuguese_[j].group = group;
        align_within(candidate);
    }

    // Longest first: “have breakfast” goes before “breakfast”.
    void take_best() {
        origins_.assign(portuguese_.size(), nobody);
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
        for (const Candidate& candidate : candidates_)
            if (is_free(candidate)) take(candidate);
    }

    bool may_be(std::size_t i, std::size_t j) const {
        const auto is = [&](const Candidate& c) {
            return c.english.size() == 1 && c.portuguese.size() == 1 && c.english[0] == i
                   && c.portuguese[0] == j;
        };
        return std::any_of(candidates_.begin(), candidates_.end(), is)
               || std::any_of(small_.begin(), small_.end(), is);
    }

    // Which word of a phrase is which: those that stand for one another by themselves, then the others in
    // their order.
    void align_within(const Candidate& phrase) {
        std::vector<std::size_t> left = phrase.english, right = phrase.portuguese;
        if (left.size() > 1 && right.size() > 1)
            for (auto i = left.begin(); i != left.end();) {
                const auto j =
                    std::find_if(right.begin(), right.end(), [&](std::size_t at) { return may_be(*i, at); });
                if (j == right.end()) {
                    ++i;
                    continue;
                }
                origins_[*j] = *i;
                right.erase(j);
                i = left.erase(i);
            }
        const bool noun = phrase.sense != nobody && senses_.is_noun(phrase.sense);
        const std::size_t skipped = noun && left.size() > right.size() ? left.size() - right.size() : 0;
        for (std::size_t n = 0; n < right.size(); ++n) {
            if (skipped + n < left.size()) {
                origins_[right[n]] = left[skipped + n];
                continue;
            }
            // More Portuguese words than English: they stay with the one before them.
            const auto at = std::find(phrase.portuguese.begin(), phrase.portuguese.end(), right[n]);
            const std::size_t beside = at != phrase.portuguese.begin() ? *(at - 1) : phrase.portuguese.back();
            origins_[right[n]] = origins_[beside] != nobody ? origins_[beside] : phrase.english.front();
        }
    }

    std::size_t place_of(std::size_t english) const {
        const auto found = std::find(origins_.begin(), origins_.end(), english);
        return found == origins_.end() ? nobody : std::size_t(found - origins_.begin());
    }

    // Where a small word should stand: as far from its aligned neighbour as it is in English.
    double expected_place(std::size_t i) const {
        for (std::size_t away = 1; away < english_.size(); ++away)
            for (const bool right : {true, false}) {
                const std::size_t beside = right ? i + away : i - away;
                if (beside >= english_.size()) continue;
                const std::size_t place = place_of(beside);
                if (place != nobody) return double(place) - (right ? 1 : -1) * double(away);
            }
        return double(i) * double(portuguese_.size()) / double(std::max<std::size_t>(1, english_.size()));
    }

    // “o” for “it” stands before a verb that comes before “it”, or behind a hyphen; else it is an article.
    bool is_wrong_clitic(const Candidate& c) const {
        const std::string& e = english_[c.english[0]].form;
        const std::string& p = portuguese_[c.portuguese[0]].form;
        const bool pronoun =
            e == "it" || e == "him" || e == "her" || e == "them" || e == "you" || e == "he" || e == "she";
        if (!pronoun || (p != "o" && p != "a" && p != "os" && p != "as")) return false;
        const std::size_t j = c.portuguese[0], i = c.english[0];
        if (j > 0 && portuguese_[j].whole == portuguese_[j - 1].whole) {
            const std::string& before = portuguese_[j - 1].form;
            return before == "de" || before == "em" || before == "a" || before == "por";
        }
        const std::size_t verb = j + 1 < origins_.size() ? origins_[j + 1] : nobody;
        return verb == nobody || verb >= i || i - verb > 3;
    }

    void take_small_words() {
        for (;;) {
            const Candidate* best = nullptr;
            double least = 6;
            for (const Candidate& candidate : small_) {
                if (!is_free(candidate) || is_wrong_clitic(candidate)) continue;
                const double away =
                    std::abs(double(candidate.portuguese[0]) - expected_place(candidate.english[0]));
                if (away >= least) continue;
                least = away;
                best = &candidate;
            }
            if (best == nullptr) return;
            take(*best);
        }
    }

    // “se beijaram”: what English leaves unsaid stays with its verb.
    void take_reflexives() {
        for (std::size_t j = 0; j + 1 < origins_.size(); ++j) {
            const std::string& form = portuguese_[j].form;
            if (portuguese_[j].group != nobody
                || (form != "se" && form != "me" && form != "nos" && form != "te"))
                continue;
            const bool verb = std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& c) {
                return c.portuguese.front() == j + 1 && c.sense != nobody && !senses_.is_noun(c.sense);
            });
            if (verb && origins_[j + 1] != nobody) origins_[j] = origins_[j + 1];
        }
    }

    const Senses& senses_;
    std::vector<Word> english_, portuguese_;
    std::vector<Candidate> candidates_,
        small_; // of words that say something, or of several; of one small word each
    std::vector<std::size_t> origins_;
    std::size_t groups_ = 0;
};

} // namespace

Result<WordGlosser> WordGlosser::open(const std::string& assets) {
    const Result<language::Lexicon> lexicon = language::Lexicon::read(assets + "/lexicon");
    if (!lexicon) return lexicon.error();
    const std::string file = assets + "/grammars/everyday-gloss.txt";
    constexpr Index most_bytes = 1 << 20;
    const Result<std::string> text = read_file(file, most_bytes);
    if (!text) return text.error();
    Result<Senses> senses = Senses::read(*lexicon, *text, file);
    if (!senses) return senses.error();
    return WordGlosser(*std::move(senses));
}

std::optional<std::vector<std::vector<TypedRange>>> WordGlosser::align(std::string_view english,
                                                                       std::string_view portuguese) const {
    const std::vector<TypedRange> ranges = gloss_words(english);
    std::vector<TypedRange> places;
    std::vector<std::string> written;
    for (const TypedRange& range : gloss_words(portuguese)) {
        std::string word(text_at(portuguese, range));
        if (is_sign(word)) continue;
        written.push_back(std::move(word));
        places.push_back(range);
    }
    std::vector<Word> right;
    for (Senses::WrittenPart& part : senses_.parts_of(written))
        right.push_back({std::move(part.word), part.written});
    const Aligning aligned(senses_, english_words(english, ranges), std::move(right));
    if (!aligned.is_whole()) return std::nullopt;

    // A written word that is two (no: em + o) goes to the one that comes first, unless that only brought it
    // along (gostar de + o).
    std::vector<std::vector<TypedRange>> of(ranges.size());
    const std::vector<std::size_t>& origins = aligned.origins();
    const auto comes_from = [&](std::size_t j, std::size_t e) {
        return origins[j] != nobody && aligned.english()[origins[j]].whole == e;
    };
    for (std::size_t w = 0; w < written.size(); ++w) {
        std::vector<std::size_t> claimed;
        for (std::size_t j = 0; j < origins.size(); ++j)
            if (aligned.portuguese()[j].whole == w && origins[j] != nobody)
                claimed.push_back(aligned.english()[origins[j]].whole);
        if (claimed.empty()) continue;
        const auto has_another = [&](std::size_t e) {
            for (std::size_t j = 0; j < origins.size(); ++j)
                if (comes_from(j, e) && aligned.portuguese()[j].whole != w) return true;
            return false;
        };
        const auto owner = std::find_if_not(claimed.begin(), claimed.end(), has_another);
        of[owner != claimed.end() ? *owner : claimed.front()].push_back(places[w]);
    }
    return of;
}

std::optional<std::vector<std::string>> WordGlosser::gloss(std::string_view english,
                                                           std::string_view portuguese) const {
    const auto places = align(english, portuguese);
    if (!places) return std::nullopt;
    const std::vector<TypedRange> ranges = gloss_words(english);
    std::vector<std::string> glosses;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const std::string word(text_at(english, ranges[i]));
        if (is_sign(word) && !is_contracted(word)) {
            glosses.push_back(is_mark(word) ? word : std::string(same));
            continue;
        }
        std::string gloss;
        for (const TypedRange& place : (*places)[i]) {
            const std::string one(text_at(portuguese, place));
            if (!gloss.empty()) gloss += "\u00A0";
            gloss += begins_sentence(portuguese, place.begin) && one != word ? lowercase(one) : one;
        }
        if (gloss.empty()) gloss = senses_.left_out(lowercase(word));
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        const bool stays =
            gloss == word && (lowercase(word) != word || std::all_of(word.begin(), word.end(), is_digit));
        glosses.push_back(gloss.empty() ? std::string(none) : stays ? std::string(same) : gloss);
    }
    return glosses;
}

std::string written_gloss(const std::vector<std::string>& glosses) {
    std::string text;
    for (const std::string& gloss : glosses) {
        if (!text.empty() && !is_mark(gloss)) text += ' ';
        text += gloss;
    }
    return text;
}

} // namespace headlight
