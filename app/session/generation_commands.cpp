// The commands of saying it: how the words are chosen, which pass is shown, which way is followed.
#include "app/session/setting.h"

#include <algorithm>
#include <limits>

namespace headlight {

namespace {

constexpr Index all_passes = std::numeric_limits<Index>::max();

// Of the answer that is followed; 0 where nothing is said. Waits until so many are known.
Index passes_of(Experiment& experiment, Index wanted) {
    experiment.compute_generation();
    const auto known = [&]() -> Index {
        const Generation* generation = experiment.generation();
        if (!generation || generation->answers.empty()) return 0;
        return Index(generation->followed(experiment.question().generation).places.size());
    };
    if (known() < wanted) experiment.finish_inspection();
    return known();
}

Result<TokenId> said_word(const std::string& text, const LoadedModel& model) {
    const Vocabulary& words = tokenizer_of(model.files, model.map().target()).vocabulary();
    if (const std::optional<TokenId> id = words.find(text)) return *id;
    const Index last = model.map().target()->vocabulary_size - 1;
    const Result<long> number = whole_number_of(text);
    if (number && *number >= 0 && *number <= last) return TokenId(*number);
    return Error{"error.no_such_word", {text, std::to_string(last)}};
}

Result<Done> check_writes(const Inquiries& inquiries) {
    const LoadedModel& model = inquiries.shown()->experiment.model();
    if (!model.map().target()) return Error{"error.writes_nothing", {model.name}};
    return Done{};
}

// Words that an answer begins with. Error: there is no such word, or no room for one more.
Result<Done> begin_branch(GenerationSettings& generation, const LoadedModel& model, const std::string& text) {
    std::vector<TokenId> begun;
    for (const std::string& one : words_of(text)) {
        const Result<TokenId> word = said_word(one, model);
        if (!word) return word.error();
        begun.push_back(*word);
    }
    const Index most = model.map().target()->max_words() - 1;
    if (begun.empty() || Index(begun.size()) > most)
        return Error{"error.no_room_to_begin", {std::to_string(most)}};
    generation.branches.push_back(std::move(begun));
    generation.branch = Index(generation.branches.size());
    return Done{};
}

// A control moves it, without a word that says so: all in one step for undo.
void move_by_itself(CommandForm& form, Inquiries& inquiries) {
    form.run = [&inquiries, run = form.run, moves = setting_words::moves("say", 1)](const Arguments& in) {
        Result<Done> done = run(in);
        if (done) inquiries.shown()->history.drag("say " + moves(in));
        return done;
    };
}

// From all to the first, the second, …, the last, all; or back.
Index pass_beside(Index pass, bool is_next, Experiment& experiment) {
    const Index last = passes_of(experiment, is_next ? pass + 1 : all_passes);
    if (is_next) return pass >= last ? 0 : pass + 1;
    return pass == 0 ? last : pass - 1;
}

Result<Done> check_branch(const char* name, Index least, Index number, const GenerationSettings& generation) {
    const Index last = Index(generation.branches.size());
    if (number <= last) return Done{};
    return Error{"error.out_of_range", {name, std::to_string(least), std::to_string(last)}};
}

Result<Done> choose_word(GenerationSettings& generation, Experiment& experiment, const Arguments& in) {
    const Result<TokenId> word = said_word(in.text("WORD"), experiment.model());
    if (!word) return word.error();
    const Index place = in.whole("PLACE"), last = passes_of(experiment, place);
    if (place > last) return Error{"error.out_of_range", {"PLACE", "1", std::to_string(last)}};
    std::vector<TokenId> begun;
    const SaidAnswer& answer = experiment.generation()->followed(generation);
    for (Index t = 0; t + 1 < place; ++t) begun.push_back(answer.places[std::size_t(t)].said.word);
    if (experiment.model().map().target()->is_end(*word))
        return Error{"error.ends_the_answer", {in.text("WORD")}};
    begun.push_back(*word);
    const auto known = std::find(generation.branches.begin(), generation.branches.end(), begun);
    generation.branch = known - generation.branches.begin() + 1;
    if (known == generation.branches.end()) generation.branches.push_back(std::move(begun));
    return Done{};
}

Result<Done> forget_branch(GenerationSettings& generation, const Arguments& in) {
    const Index which = in.whole("N");
    if (const Result<Done> there = check_branch("N", 1, which, generation); !there) return there;
    if (!in.has("N")) {
        generation.branches.clear();
        generation.branch = 0;
        return Done{};
    }
    generation.branches.erase(generation.branches.begin() + std::ptrdiff_t(which - 1));
    if (generation.branch >= which)
        generation.branch = generation.branch == which ? 0 : generation.branch - 1;
    return Done{};
}

Question with_mistake(const Experiment& experiment) {
    const Stream& target = *experiment.model().map().target();
    const SaidAnswer& answer = experiment.generation()->followed(experiment.question().generation);
    std::vector<TokenId> words;
    const SaidPlace* doubtful = nullptr;
    std::size_t at = 0;
    for (const SaidPlace& place : answer.places) {
        if (target.is_end(place.said.word)) break;
        if (!doubtful || place.said.log_probability < doubtful->said.log_probability)
            doubtful = &place, at = words.size();
        words.push_back(place.said.word);
    }
    if (doubtful)
        for (const WordChance& chance : doubtful->chances)
            if (chance.word != doubtful->said.word && !target.is_end(chance.word)) {
                words[at] = chance.word;
                break;
            }
    Question next = experiment.question();
    next.target = experiment.model().files.target.decode(words);
    return next;
}

} // namespace

void add_generation_commands(CommandRegistry& commands, Inquiries& inquiries, View& all,
                             const std::filesystem::path& assets) {
    using namespace argument;
    GenerationView& view = all.generation;
    using S = GenerationSettings;
    auto home = with_model(of_question(inquiries, &Question::generation));
    home.change = [&inquiries, change = home.change](const auto& set) -> Result<Done> {
        const Result<Done> writes = check_writes(inquiries);
        return writes ? change(set) : writes;
    };
    // What makes another answer: no branch of its tree is open; the pass stays, as far as there is one.
    auto another = home;
    another.change = [change = home.change](const auto& set) {
        return change([&](S& generation) -> Result<Done> {
            S next = generation;
            next.opened = -1;
            Result<Done> done = set(next);
            if (done) generation = std::move(next);
            return done;
        });
    };
    SettingsOf answer(commands, another), shown(commands, home);
    answer.add_and("say", &S::method, one_of(generation_method_names), [](S& generation) {
        if (generation.method == GenerationMethod::beam) generation.pass = 0; // all of the best answer
    });
    const auto moved = [&inquiries](CommandForm& form) { move_by_itself(form, inquiries); };
    const auto sampled = [](auto member) { return within(&S::sampling, member); };
    moved(answer.add("say temperature", sampled(&Sampling::temperature), number("X", 0, 100)));
    moved(answer.add("say top-p", sampled(&Sampling::top_p), number("X", 0, 1)));
    moved(answer.add("say penalty", &S::length_penalty, number("X", 0, 5)));
    answer.add("say top-k", sampled(&Sampling::top_k), whole("N", 0, 1'000'000));
    answer.add("say seed", &S::seed, whole("N", 0, 1'000'000'000));
    answer.add("say width", &S::width, whole("N", 1, widest_beam));
    answer.add("say hasty", &S::is_hasty, "on|off");
    answer.add("say endless", &S::is_endless, "on|off");
    // The answer as it is up to that word, then another one; from there the model goes on by itself.
    answer.change("say choose", {whole("PLACE", 1, 1'000'000), word("WORD")},
                  [&](S& generation, const Arguments& in) {
                      return choose_word(generation, inquiries.experiment(), in);
                  });
    answer.add_lines(
        "say begin", {text("WORDS")},
        [&](S& generation, const Arguments& in) {
            return begin_branch(generation, inquiries.experiment().model(), in.text("WORDS"));
        },
        [](const S& now, const S&) {
            std::vector<std::string> lines;
            for (const std::vector<TokenId>& branch : now.branches) {
                lines.emplace_back("say begin");
                for (const TokenId id : branch) lines.back() += " " + std::to_string(id);
            }
            return lines;
        });
    answer.add_lines(
        "say branch", {whole("N", 0, 1'000)},
        [](S& generation, const Arguments& in) {
            generation.branch = in.whole("N");
            return check_branch("N", 0, generation.branch, generation);
        },
        [](const S& now, const S&) { // the last that was begun is followed
            return setting_words::line_if(!now.branches.empty(), "say branch " + std::to_string(now.branch));
        });
    answer.change("say forget", {"all" | whole("N", 1, 1'000)}, forget_branch).replayable = false;
    moved(shown.add_written(
        "say pass", {"all|next|previous" | whole("N", 0, 1'000'000)},
        [&](S& generation, const Arguments& in) {
            generation.pass = in.said("next") || in.said("previous")
                                  ? pass_beside(generation.pass, in.said("next"), inquiries.experiment())
                                  : in.whole("N");
            generation.opened = -1;
        },
        [](const S& generation) { return std::to_string(generation.pass); }));
    shown.add_written(
        "say open", {"off" | whole("N", 0, 1'000'000)},
        [](S& generation, const Arguments& in) {
            generation.pass = 0;
            generation.opened = in.whole("N", -1);
            if (in.has("N")) generation.method = GenerationMethod::beam; // there are no branches but theirs
        },
        [](const S& generation) {
            return generation.opened < 0 ? "off" : std::to_string(generation.opened);
        });
    shown.reset("say plainly");
    SettingsOf(commands, of_view(all, &View::generation))
        .add("say", &GenerationView::page, one_of(generation_page_names));
    // --- what is done
    const auto add = [&](std::string_view words, std::vector<Argument> arguments, auto run) {
        commands.add_with_model(words, std::move(arguments),
                                [&inquiries, run](const Arguments& in) -> Result<Done> {
                                    const Result<Done> writes = check_writes(inquiries);
                                    return writes ? run(inquiries.experiment(), in) : writes;
                                });
    };
    add("say", {"play|pause"}, [&](Experiment& experiment, const Arguments& in) -> Result<Done> {
        view.playing = in.said("play");
        view.clock = 0;
        if (!view.playing) return Done{};
        Question next = experiment.question();
        if (!experiment.model().map().source() && next.generation.method != GenerationMethod::beam) {
            next.generation.is_endless = true; // what only writes goes on until it is stopped
            if (const Result<Done> asked = experiment.ask(next); !asked) return asked;
        }
        const Index last = passes_of(experiment, 1);
        if (last == 0) view.playing = false;
        if (next.generation.pass == 0 || next.generation.pass >= last)
            next.generation.pass = std::min<Index>(1, last);
        next.generation.opened = -1;
        inquiries.shown()->history.drag("say pass "); // as the command does
        return experiment.ask(std::move(next));
    });
    // The target is the model's own words but for the one that it is least sure of: there its second choice.
    add("say mistaken", {}, [](Experiment& experiment, const Arguments&) -> Result<Done> {
        const LoadedModel& model = experiment.model();
        if (!model.map().source()) return Error{"error.no_target", {model.name}};
        if (passes_of(experiment, all_passes) == 0) return Error{"error.says_no_word", {}};
        return experiment.ask(with_mistake(experiment));
    });
    add("say measure", {}, [](Experiment& experiment, const Arguments&) -> Result<Done> {
        experiment.compute_generation(true);
        return Done{};
    });
    commands.add_with_model("say", {"enough|on"}, [&](const Arguments& in) {
        Experiment& experiment = inquiries.experiment();
        in.said("on") ? experiment.write_on() : experiment.stop_writing();
    });
    add("say", {"find|spread|stop"}, [&assets](Experiment& experiment, const Arguments& in) -> Result<Done> {
        if (in.said("find")) return experiment.begin_trials(TrialKind::wider_is_worse, assets);
        if (in.said("spread")) return experiment.begin_trials(TrialKind::spread_of_errors, assets);
        experiment.end_trials();
        return Done{};
    });
}

} // namespace headlight
