// The commands of saying it: how the words are chosen, which pass is shown, which way is followed.
#include "app/session/saying_view.h"
#include "app/session/session.h"

#include <algorithm>
#include <limits>

namespace headlight {

namespace {

constexpr Index all_passes = std::numeric_limits<Index>::max();

// Of the answer that is followed; 0 where nothing is said. Waits until so many are known.
Index passes_of(Experiment& experiment, Index wanted) {
    experiment.compute_saying();
    const auto known = [&]() -> Index {
        const Saying* saying = experiment.saying();
        if (!saying || saying->answers.empty()) return 0;
        return Index(saying->followed(experiment.question().saying).places.size());
    };
    if (known() < wanted) experiment.finish_looking();
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

Question with_mistake(const Experiment& experiment) {
    const Stream& target = *experiment.model().map().target();
    const SaidAnswer& answer = experiment.saying()->followed(experiment.question().saying);
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

void add_saying_commands(CommandRegistry& commands, Inquiries& inquiries, SayingView& view,
                         const std::filesystem::path& assets) {
    using namespace argument;
    // `set` changes the settings of the next question; it may refuse.
    const auto add = [&](std::vector<Argument> arguments, auto set) {
        commands.add_with_model("say", std::move(arguments),
                                [&inquiries, set](const Arguments& in) -> Result<Done> {
                                    if (const Result<Done> writes = check_writes(inquiries); !writes)
                                        return writes;
                                    Question next = inquiries.experiment().question();
                                    if (const Result<Done> done = set(next.saying, in); !done) return done;
                                    return inquiries.experiment().ask(std::move(next));
                                });
    };
    // Another answer: no branch of its tree is open; the pass stays, as far as there is one.
    const auto anew = [](SayingSettings& saying) { saying.opened = -1; };
    add({"greedy|draw|beam"}, [anew](SayingSettings& saying, const Arguments& in) -> Result<Done> {
        anew(saying);
        saying.method = SayingMethod(in.place());
        if (saying.method == SayingMethod::beam) saying.pass = 0; // all of the best answer

        return Done{};
    });
    const auto number_of = [&, anew](const char* name, double least, double most, auto place) {
        add({name, number("X", least, most)},
            [anew, place, &inquiries](SayingSettings& saying, const Arguments& in) -> Result<Done> {
                anew(saying);
                place(saying) = in.number("X");
                inquiries.shown()->history.drag("say " + in.choice());
                return Done{};
            });
    };
    number_of("temperature", 0, 100, [](SayingSettings& s) -> double& { return s.sampling.temperature; });
    number_of("top-p", 0, 1, [](SayingSettings& s) -> double& { return s.sampling.top_p; });
    number_of("penalty", 0, 5, [](SayingSettings& s) -> double& { return s.length_penalty; });
    add({"top-k", whole("N", 0, 1'000'000)},
        [anew](SayingSettings& saying, const Arguments& in) -> Result<Done> {
            anew(saying);
            saying.sampling.top_k = in.whole("N");
            return Done{};
        });
    add({"seed", whole("N", 0, 1'000'000'000)},
        [anew](SayingSettings& saying, const Arguments& in) -> Result<Done> {
            anew(saying);
            saying.seed = std::uint64_t(in.whole("N"));
            return Done{};
        });
    add({"width", whole("N", 1, widest_beam)},
        [anew](SayingSettings& saying, const Arguments& in) -> Result<Done> {
            anew(saying);
            saying.width = in.whole("N");
            return Done{};
        });
    add({"hasty", "on|off"}, [anew](SayingSettings& saying, const Arguments& in) -> Result<Done> {
        anew(saying);
        saying.is_hasty = in.said("on");
        return Done{};
    });
    add({"endless", "on|off"}, [anew](SayingSettings& saying, const Arguments& in) -> Result<Done> {
        anew(saying);
        saying.is_endless = in.said("on");
        return Done{};
    });
    add({"pass", "all|next|previous" | whole("N", 0, 1'000'000)},
        [&inquiries](SayingSettings& saying, const Arguments& in) -> Result<Done> {
            Index pass = in.has("N") ? in.whole("N") : 0;
            const bool moves = in.said("next") || in.said("previous");
            if (moves) {
                const Index now = saying.pass,
                            last = passes_of(inquiries.experiment(), in.said("next") ? now + 1 : all_passes);
                pass = in.said("next") ? (now >= last ? 0 : now + 1) : now == 0 ? last : now - 1;
            }
            saying.pass = pass;
            saying.opened = -1;
            inquiries.shown()->history.drag("say pass");
            return Done{};
        });
    add({"open", "off" | whole("N", 0, 1'000'000)},
        [](SayingSettings& saying, const Arguments& in) -> Result<Done> {
            saying.pass = 0;
            saying.opened = in.has("N") ? in.whole("N") : -1;
            if (in.has("N")) saying.method = SayingMethod::beam; // there are no branches but theirs
            return Done{};
        });
    // The answer as it is up to that word, then another one; from there the model goes on by itself.
    add({"choose", whole("PLACE", 1, 1'000'000), word("WORD")},
        [&inquiries, anew](SayingSettings& saying, const Arguments& in) -> Result<Done> {
            Experiment& experiment = inquiries.experiment();
            const Result<TokenId> word = said_word(in.text("WORD"), experiment.model());
            if (!word) return word.error();
            const Index place = in.whole("PLACE"), last = passes_of(experiment, place);
            if (place > last) return Error{"error.out_of_range", {"PLACE", "1", std::to_string(last)}};
            std::vector<TokenId> begun;
            const SaidAnswer& answer = experiment.saying()->followed(saying);
            for (Index t = 0; t + 1 < place; ++t) begun.push_back(answer.places[std::size_t(t)].said.word);
            if (experiment.model().map().target()->is_end(*word))
                return Error{"error.ends_the_answer", {in.text("WORD")}};
            begun.push_back(*word);
            anew(saying);
            const auto known = std::find(saying.branches.begin(), saying.branches.end(), begun);
            saying.branch = known - saying.branches.begin() + 1;
            if (known == saying.branches.end()) saying.branches.push_back(std::move(begun));
            return Done{};
        });
    add({"begin", text("WORDS")},
        [&inquiries, anew](SayingSettings& saying, const Arguments& in) -> Result<Done> {
            std::vector<TokenId> begun;
            const LoadedModel& model = inquiries.experiment().model();
            for (const std::string& text : words_of(in.text("WORDS"))) {
                const Result<TokenId> word = said_word(text, model);
                if (!word) return word.error();
                begun.push_back(*word);
            }
            if (begun.empty() || Index(begun.size()) >= model.map().target()->max_words())
                return Error{"error.no_room_to_begin",
                             {std::to_string(model.map().target()->max_words() - 1)}};
            anew(saying);
            saying.branches.push_back(std::move(begun));
            saying.branch = Index(saying.branches.size());
            return Done{};
        });
    add({"branch", whole("N", 0, 1'000)},
        [anew](SayingSettings& saying, const Arguments& in) -> Result<Done> {
            const Index last = Index(saying.branches.size());
            if (in.whole("N") > last) return Error{"error.out_of_range", {"N", "0", std::to_string(last)}};
            anew(saying);
            saying.branch = in.whole("N");
            return Done{};
        });
    add({"forget", "all" | whole("N", 1, 1'000)},
        [anew](SayingSettings& saying, const Arguments& in) -> Result<Done> {
            const Index last = Index(saying.branches.size()), which = in.whole("N");
            if (in.has("N") && which > last)
                return Error{"error.out_of_range", {"N", "1", std::to_string(last)}};
            anew(saying);
            if (!in.has("N")) {
                saying.branches.clear();
                saying.branch = 0;
                return Done{};
            }
            saying.branches.erase(saying.branches.begin() + std::ptrdiff_t(which - 1));
            if (saying.branch >= which) saying.branch = saying.branch == which ? 0 : saying.branch - 1;
            return Done{};
        });
    add({"plainly"}, [](SayingSettings& saying, const Arguments&) -> Result<Done> {
        saying = {};
        return Done{};
    });
    // --- how it is looked at
    commands.add("say", {"words|beams|lanes|cost"}, [&view](const Arguments& in) {
        view.page = SayingPage(in.place());
        return Done{};
    });
    commands.add_with_model("say", {"play|pause"}, [&](const Arguments& in) -> Result<Done> {
        if (const Result<Done> writes = check_writes(inquiries); !writes) return writes;
        view.playing = in.said("play");
        view.clock = 0;
        if (!view.playing) return Done{};
        Question next = inquiries.experiment().question();
        if (!inquiries.experiment().model().map().source() && next.saying.method != SayingMethod::beam) {
            next.saying.is_endless = true; // what only writes goes on until it is stopped
            if (const Result<Done> asked = inquiries.experiment().ask(next); !asked) return asked;
        }
        const Index last = passes_of(inquiries.experiment(), 1);
        if (last == 0) view.playing = false;
        if (next.saying.pass == 0 || next.saying.pass >= last) next.saying.pass = std::min<Index>(1, last);
        next.saying.opened = -1;
        inquiries.shown()->history.drag("say pass");
        return inquiries.experiment().ask(std::move(next));
    });
    // The target is the model's own words but for the one that it is least sure of: there its second choice.
    commands.add_with_model("say", {"mistaken"}, [&](const Arguments&) -> Result<Done> {
        if (const Result<Done> writes = check_writes(inquiries); !writes) return writes;
        Experiment& experiment = inquiries.experiment();
        const LoadedModel& model = experiment.model();
        if (!model.map().source()) return Error{"error.no_target", {model.name}};
        if (passes_of(experiment, all_passes) == 0) return Error{"error.says_no_word", {}};
        return experiment.ask(with_mistake(experiment));
    });
    commands.add_with_model("say", {"measure"}, [&](const Arguments&) -> Result<Done> {
        if (const Result<Done> writes = check_writes(inquiries); !writes) return writes;
        inquiries.experiment().compute_saying(true);
        return Done{};
    });
    commands.add_with_model("say", {"enough|on"}, [&](const Arguments& in) {
        Experiment& experiment = inquiries.experiment();
        if (in.said("on"))
            experiment.write_on();
        else
            experiment.stop_writing();
    });
    commands.add_with_model("say", {"find|spread|stop"}, [&](const Arguments& in) -> Result<Done> {
        if (const Result<Done> writes = check_writes(inquiries); !writes) return writes;
        if (in.said("stop")) {
            inquiries.experiment().end_trials();
            return Done{};
        }
        const TrialKind kind = in.said("find") ? TrialKind::wider_is_worse : TrialKind::spread_of_errors;
        return inquiries.experiment().begin_trials(kind, assets);
    });
}

} // namespace headlight
