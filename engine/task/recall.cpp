#include "engine/task/tasks.h"

#include "engine/base/lasting.h"
#include "engine/task/pairs.h"
#include "engine/task/plain_text.h"
#include "engine/text/words.h"

#include <algorithm>
#include <functional>
#include <set>
#include <span>

namespace headlight {

namespace {

using Words = std::vector<std::string>;

// What comes before the distance, what behind it, and what is then to be said.
struct Riddle {
    std::string fact, question, answer;
};

struct Tongue {
    std::vector<Riddle> riddles;
    Words fillers;
};

// Pairs "germany german", told as facts with a question.
void add_riddles(std::vector<Riddle>& riddles, std::string_view fact, std::string_view question,
                 std::initializer_list<std::pair<const char*, const char*>> pairs) {
    for (const auto& [known, asked] : pairs)
        riddles.push_back({std::string(fact) + " " + known, std::string(question), asked});
}

const Tongue& english() {
    static const Tongue& tongue = lasting([] {
        Tongue made;
        add_riddles(made.riddles, "i grew up in", "i speak fluent",
                    {{"germany", "german"},
                     {"france", "french"},
                     {"italy", "italian"},
                     {"spain", "spanish"},
                     {"brazil", "portuguese"},
                     {"japan", "japanese"},
                     {"china", "chinese"},
                     {"russia", "russian"}});
        add_riddles(made.riddles, "the", "are in the",
                    {{"clouds", "sky"},
                     {"fish", "sea"},
                     {"books", "library"},
                     {"cows", "meadow"},
                     {"trees", "forest"},
                     {"plates", "kitchen"},
                     {"cars", "garage"},
                     {"coins", "pocket"}});
        made.fillers =
            words_of("and then we walked home slowly past some old houses while people talked about "
                     "music over tea because it rained again that long quiet day with her two cats");
        return made;
    }());
    return tongue;
}

const Tongue& portuguese() {
    static const Tongue& tongue = lasting([] {
        Tongue made;
        add_riddles(made.riddles, "eu cresci", "eu falo bem o",
                    {{"na alemanha", "alemão"},
                     {"na frança", "francês"},
                     {"na itália", "italiano"},
                     {"na espanha", "espanhol"},
                     {"no brasil", "português"},
                     {"no japão", "japonês"},
                     {"na china", "chinês"},
                     {"na rússia", "russo"}});
        add_riddles(made.riddles, "procure", "o lugar é",
                    {{"as nuvens", "céu"},
                     {"os peixes", "mar"},
                     {"os livros", "biblioteca"},
                     {"as vacas", "pasto"},
                     {"as árvores", "floresta"},
                     {"os pratos", "cozinha"},
                     {"os carros", "garagem"},
                     {"as moedas", "bolso"}});
        made.fillers =
            words_of("e depois fomos para casa devagar por ruas antigas enquanto gente conversava sobre "
                     "música com chá porque chovia outra vez naquele dia longo junto dos dois gatos");
        return made;
    }());
    return tongue;
}

const Words& colours() {
    static const Words& words = lasting(words_of("red blue green black white yellow brown grey"));
    return words;
}
const Words& names() {
    static const Words& words = lasting(words_of("anna bruno carla david eva felix gina hugo"));
    return words;
}

const std::string& one_of(std::span<const std::string> words, Random& random) {
    return words[std::size_t(random.below(Index(words.size())))];
}

void append(std::string& text, std::string_view words) {
    if (!text.empty()) text += ' ';
    text += words;
}

void append_fillers(std::string& text, const Words& fillers, Index distance, Random& random) {
    for (Index i = 0; i < distance; ++i) append(text, one_of(fillers, random));
}

SentencePair draw_fact(const Tongue& tongue, Index distance, Random& random) {
    const Riddle& riddle = tongue.riddles[std::size_t(random.below(Index(tongue.riddles.size())))];
    SentencePair pair{riddle.fact, riddle.answer};
    append_fillers(pair.source, tongue.fillers, distance, random);
    append(pair.source, riddle.question);
    return pair;
}

// Three people, each with a colour of its own; then one of them is asked for.
SentencePair draw_pairs(Index distance, Random& random) {
    constexpr Index people = 3;
    Words told = names(), shown = colours();
    SentencePair pair;
    for (Index i = 0; i < people; ++i) {
        std::swap(told[std::size_t(i)], told[std::size_t(i + random.below(Index(told.size()) - i))]);
        std::swap(shown[std::size_t(i)], shown[std::size_t(i + random.below(Index(shown.size()) - i))]);
        append(pair.source, told[std::size_t(i)]);
        append(pair.source, shown[std::size_t(i)]);
    }
    append_fillers(pair.source, english().fillers, distance, random);
    const std::size_t asked = std::size_t(random.below(people));
    append(pair.source, told[asked]);
    pair.target = shown[asked];
    return pair;
}

SentencePair draw_list(Index distance, Random& random) {
    constexpr Index words = 4;
    SentencePair pair;
    for (Index i = 0; i < words; ++i) append(pair.target, one_of(colours(), random));
    pair.source = pair.target;
    append_fillers(pair.source, english().fillers, distance, random);
    append(pair.source, "again");
    return pair;
}

using Draw = std::function<SentencePair(Random&)>;

class MemoryTask final : public KeptPairs {
public:
    // Drawn once, so that they are cut into tokens once: many more than a model could learn by heart.
    MemoryTask(std::string name, const Draw& draw) : KeptPairs(std::move(name)) {
        constexpr std::size_t kept = 16'384;
        Random random({0x7265'6361'6c6c, stable_hash(name_)});
        std::set<std::string> held_out;
        for (int tries = 0; held_out_.size() < held_out_limit && tries < 4000; ++tries) {
            SentencePair pair = draw(random);
            if (held_out.insert(pair.source).second) held_out_.push_back(std::move(pair));
        }
        while (training_.size() < kept) {
            SentencePair pair = draw(random);
            // With hardly any distance there are too few sentences to keep some of them apart.
            const bool is_apart = !held_out.contains(pair.source);
            if (is_apart || held_out_.size() < held_out_limit) training_.push_back(std::move(pair));
        }
        held_out_is_training_ = held_out_.size() < held_out_limit;
        for (const auto* pairs : {&training_, &held_out_})
            for (const SentencePair& pair : *pairs) {
                longest_source_ = std::max(longest_source_, words_of(pair.source).size());
                longest_target_ = std::max(longest_target_, words_of(pair.target).size());
            }
    }

    TokenizerKind tokenizer_kind() const override { return TokenizerKind::words; }
    Learner learner() const override { return {Architecture::decoder_only, Head::tokens, {}}; }
    bool is_for_readers_too() const override { return true; }
    bool prefix_counts() const override { return false; }
    std::size_t longest_source() const override { return longest_source_; }
    std::size_t longest_target() const override { return longest_target_; }

private:
    std::size_t longest_source_ = 0, longest_target_ = 0;
};

} // namespace

const std::vector<std::string>& memory_task_names() {
    static const std::vector<std::string>& names =
        lasting(std::vector<std::string>{"recall", "recall-pt", "recall-pairs", "recall-list"});
    return names;
}

std::unique_ptr<Task> make_memory_task(std::string_view name, Index distance) {
    const auto made = [&](Draw draw) { return std::make_unique<MemoryTask>(std::string(name), draw); };
    if (name == "recall")
        return made([distance](Random& random) { return draw_fact(english(), distance, random); });
    if (name == "recall-pt")
        return made([distance](Random& random) { return draw_fact(portuguese(), distance, random); });
    if (name == "recall-pairs")
        return made([distance](Random& random) { return draw_pairs(distance, random); });
    if (name == "recall-list")
        return made([distance](Random& random) { return draw_list(distance, random); });
    return nullptr;
}

namespace {

std::string joined_words(const Words& words) {
    std::string text;
    for (const std::string& word : words) append(text, word);
    return text;
}

// One of the others, in a circle, that is none of `taken`.
const std::string& another(const Words& all, const Words& taken, Index number) {
    Words free;
    for (const std::string& word : all)
        if (std::find(taken.begin(), taken.end(), word) == taken.end()) free.push_back(word);
    return *std::find(all.begin(), all.end(), free[std::size_t(number) % free.size()]);
}

std::optional<SentencePair> with_other_riddle(const Tongue& tongue, const SentencePair& pair, Index number) {
    const auto fits = [&](const Riddle& riddle) {
        return riddle.answer == pair.target && pair.source.starts_with(riddle.fact + " ")
               && pair.source.ends_with(" " + riddle.question);
    };
    const auto told = std::find_if(tongue.riddles.begin(), tongue.riddles.end(), fits);
    if (told == tongue.riddles.end()) return std::nullopt;
    std::vector<const Riddle*> others; // behind it first
    for (std::size_t i = 1; i < tongue.riddles.size(); ++i) {
        const std::size_t place = (std::size_t(told - tongue.riddles.begin()) + i) % tongue.riddles.size();
        if (tongue.riddles[place].question == told->question) others.push_back(&tongue.riddles[place]);
    }
    const Riddle& other = *others[std::size_t(number) % others.size()];
    return SentencePair{other.fact + pair.source.substr(told->fact.size()), other.answer};
}

} // namespace

std::optional<SentencePair> with_other_fact(std::string_view name, const SentencePair& pair, Index number) {
    if (name == "recall") return with_other_riddle(english(), pair, number);
    if (name == "recall-pt") return with_other_riddle(portuguese(), pair, number);
    Words words = words_of(pair.source), answer = words_of(pair.target);
    if (answer.empty()) return std::nullopt;
    const auto told = std::find(words.begin(), words.end(), answer.front()); // the first is the fact
    if (told == words.end()) return std::nullopt;
    if (name == "recall-pairs") {
        answer.front() = *told = another(colours(), words, number);
    } else if (name == "recall-list") {
        answer.front() = *told = another(colours(), {*told}, number);
    } else {
        return std::nullopt;
    }
    return SentencePair{joined_words(words), joined_words(answer)};
}

} // namespace headlight
