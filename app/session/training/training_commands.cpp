// The commands of training: train, checkpoint, difference, over_time.
#include "app/session/exporting.h"
#include "app/session/session.h"
#include "app/session/training/over_time.h"
#include "app/session/training/training_view.h"
#include "engine/io/file.h"

#include <algorithm>
#include <string>

namespace headlight {

namespace {

constexpr double longest_training = 1'000'000'000;
constexpr double longest_wait = 86'400; // seconds
constexpr double seconds_to_read_it = 4, seconds_to_undo = 20;

// What the commands may touch.
struct Training {
    TrainingView& view;
    Inquiries& inquiries;
    const Session& session;

    LiveTraining& live() const { return view.training; }
    const ModelFiles* on_screen() const {
        const Experiment& shown = inquiries.experiment();
        return shown.has_model() ? &shown.model().files : nullptr;
    }
    // The newest weights of the run that is looked at.
    Result<Done> show(Result<Done> done) const {
        if (!done) return done;
        view.pending = view.live = true;
        view.playing = false;
        return end_difference();
    }
    Result<Done> end_difference() const {
        view.difference.reset();
        inquiries.experiment().forget_earlier_weights();
        return Done{};
    }
    void follow() const { (void)follow_training(view, inquiries, 0); }
};

// Until nothing trains any more, and what came of it is shown.
Result<Done> wait_for(const Training& training, double seconds) {
    const bool is_over = training.live().wait(seconds);
    training.follow();
    if (!is_over) return Error{"error.training_not_over", {exactly(seconds)}};
    const Run* run = training.live().run();
    return run && run->error ? Result<Done>(*run->error) : Result<Done>(Done{});
}

// The run whose checkpoints are shown; it is shown if it was not.
Result<const Run*> run_with_checkpoints(const Training& training) {
    TrainingView& view = training.view;
    const Run* run = view.training.run();
    const Error none{"error.training_no_moment", {}};
    if (!run || run->kept.empty() || !run->model) return none;
    if (view.shown && view.model == run->model) return run;
    view.pending = true;
    training.follow();
    if (!view.shown) return none;
    return run;
}

// Of the net of gradient descent: the steps of its way down are its checkpoints.
Result<Done> look_at_step(const Training& training, Index step) {
    Experiment& experiment = training.inquiries.experiment();
    Question next = experiment.question();
    next.small_pages.descent.look_at(step);
    return experiment.ask(std::move(next));
}

Result<Done> choose_step(const Training& training, const Arguments& in) {
    const Descent& way = *training.session.small_pages().descended;
    if (in.said("first") || in.said("last")) return look_at_step(training, in.said("first") ? 0 : way.last());
    const std::string& written = in.text("STEP|+N");
    const bool is_relative = written.starts_with('+') || written.starts_with('-');
    const Index number = std::clamp<Index>(in.whole("STEP|+N"), -way.last(), way.last());
    return look_at_step(training, is_relative ? way.step() + number : number);
}

Result<Done> compare_steps(const Training& training, Index a, Index b) {
    const Session& session = training.session;
    const Descent& way = *session.small_pages().descended;
    const Index from = std::clamp<Index>(a, 0, way.last());
    const Parameters earlier = descent_parameters(*session.model().net_of, way.weights(from));
    if (const Result<Done> done = look_at_step(training, b); !done) return done;
    training.view.difference = CheckpointDifference{from, way.step()};
    training.inquiries.experiment().set_earlier_weights({earlier.data(), std::size_t(earlier.count())});
    return Done{};
}

Result<Done> go_to_checkpoint(const Training& training, Index step) {
    TrainingView& view = training.view;
    const std::optional<Checkpoint> checkpoint = view.training.checkpoint_near(step);
    if (!checkpoint) return Error{"error.training_no_moment", {}};
    view.live = view.playing = false;
    show_checkpoint(view, training.inquiries, *checkpoint);
    return Done{};
}

// So many kept checkpoints on.
Index step_after(const std::vector<KeptCheckpoint>& kept, Index step, Index by) {
    const auto present = std::lower_bound(kept.begin(), kept.end(), step,
                                          [](const KeptCheckpoint& one, Index at) { return one.step < at; });
    const Index last = Index(kept.size()) - 1;
    const Index place = std::clamp<Index>(by, -last, last) + Index(present - kept.begin());
    return kept[std::size_t(std::clamp<Index>(place, 0, last))].step;
}

Result<Done> choose_checkpoint(const Training& training, const Arguments& in) {
    if (training.session.trains_net()) return choose_step(training, in);
    const Result<const Run*> run = run_with_checkpoints(training);
    if (!run) return run.error();
    const std::vector<KeptCheckpoint>& kept = (*run)->kept;
    if (in.said("first")) return go_to_checkpoint(training, kept.front().step);
    if (in.said("last")) return go_to_checkpoint(training, kept.back().step);
    const std::string& written = in.text("STEP|+N");
    const bool is_relative = written.starts_with('+') || written.starts_with('-');
    const Index number = in.whole("STEP|+N");
    return go_to_checkpoint(training, is_relative ? step_after(kept, training.view.step, number) : number);
}

Result<Done> play_film(const Training& training) {
    const Result<const Run*> run = run_with_checkpoints(training);
    if (!run) return run.error();
    TrainingView& view = training.view;
    if (view.step >= (*run)->kept.back().step) // again from the beginning
        (void)go_to_checkpoint(training, (*run)->kept.front().step);
    view.playing = true;
    view.live = false;
    view.film_clock = 0;
    return Done{};
}

Result<Done> show_newest(const Training& training) {
    if (training.session.trains_net()) {
        (void)training.end_difference();
        return look_at_step(training, most_descent_steps);
    }
    if (const Result<const Run*> run = run_with_checkpoints(training); !run) return run.error();
    training.view.live = true;
    training.view.playing = false;
    (void)training.end_difference();
    training.follow();
    return Done{};
}

Result<Done> continue_training(const Training& training) {
    TrainingView& view = training.view;
    const Run* run = view.training.run();
    if (!run || run->kept.empty() || !run->model) return Error{"error.training_no_moment", {}};
    const Result<Done> begun = view.training.continue_from(view.shown ? view.step : run->step());
    if (begun) view.pending = view.live = true;
    return begun;
}

Result<Done> compare_checkpoints(const Training& training, Index a, Index b) {
    if (training.session.trains_net()) return compare_steps(training, a, b);
    TrainingView& view = training.view;
    if (const Result<const Run*> run = run_with_checkpoints(training); !run) return run.error();
    if (const Result<Done> shown = go_to_checkpoint(training, std::max<Index>(b, 0)); !shown) return shown;
    const std::optional<Checkpoint> from = view.training.checkpoint_near(a);
    view.difference = CheckpointDifference{from->step, view.step};
    training.inquiries.experiment().set_earlier_weights(*from->weights);
    return Done{};
}

Result<Done> show_over_time(const Training& training, const Arguments& in) {
    if (!training.view.shown) return Error{"error.training_no_moment", {}};
    const std::string& path = in.text("PATH");
    const Node* node = training.session.find(path);
    if (!node || small_page_of(path)) return no_such_value(path, training.session.at_hand());
    const NamedCell first{node->path, {in.whole("HEAD"), in.whole("ROW"), in.whole("COLUMN")}};
    if (!exists(first, *node->graph))
        return Error{"error.no_such_cell", {node->path, to_string(node->shape())}};
    OverTime::Wanted wanted{node->path, in.whole("HEAD", -1), {}, training.session.attributed()};
    if (in.has("ROW")) wanted.cell = first.cell;
    training.view.over_time.emplace(std::move(wanted));
    return Done{};
}

Result<Done> export_curves(const LiveTraining& live, const std::string& file, View& view,
                           const Strings& strings) {
    const std::optional<ExportFile> kind = export_file_of(file);
    if (kind != ExportFile::csv && kind != ExportFile::tsv) return Error{"error.export_curves", {file}};
    if (live.runs().empty()) return Error{"error.training_no_runs", {}};
    const std::string table = curves_table(live.runs(), kind == ExportFile::csv ? ',' : '\t');
    const Result<Done> written = write_file_atomically(file, table);
    if (written)
        view.notice = Notice{false, strings.text("export.saved", {std::filesystem::absolute(file).string()}),
                             seconds_to_read_it};
    return written;
}

// The run is put away, and stands to be brought back while the notice does: also by undo.
void offer_back(const Training& training, const Run* deleted_before, View& view, const Strings& strings) {
    const Run* deleted = training.live().deleted();
    if (!deleted || deleted == deleted_before) return; // nobody misses it
    view.notice = Notice{false, strings.text("learn.deleted", {shown_name(deleted->name)}), seconds_to_undo,
                         strings.text("learn.deleted.back"), std::string(bring_run_back)};
}

// RUN: by its name or number; nothing: the one that is looked at.
void add_run_commands(CommandRegistry& commands, const Training& training, View& view,
                      const Strings& strings) {
    using namespace argument;
    LiveTraining& live = training.live();
    const auto add = [&](const char* verb, auto run) -> CommandForm& {
        return commands.add("train", {verb, text("RUN")}, [&live, run](const Arguments& in) -> Result<Done> {
            const Result<std::size_t> place = live.find(in.text("RUN"));
            return place ? run(*place) : place.error();
        });
    };
    add("run", [&live, training](std::size_t place) { return training.show(live.look_at(place)); });
    add("delete", [&live, training, &view, &strings](std::size_t place) {
        const Run* before = live.deleted();
        const Result<Done> removed = live.remove(place);
        offer_back(training, before, view, strings);
        training.follow();
        return removed;
    }).of_person = true;
    add("hide", [&live](std::size_t place) { return live.hide(place, true); });
    add("show", [&live](std::size_t place) { return live.hide(place, false); });
    commands.add("train", {"undelete"}, [&live, training, &view](const Arguments&) {
        const Result<Done> back = training.show(live.bring_back());
        if (back && view.notice && view.notice->command == bring_run_back) view.notice.reset();
        return back;
    });
    commands.add("train", {"name", text("NAME")}, [&live, training](const Arguments& in) {
        const Result<Done> named = live.rename(in.text("NAME"));
        if (named && training.view.shown)
            training.inquiries.experiment().shared_model()->name = in.text("NAME");
        return named;
    });
    const auto step_shown = [&live, training] {
        return training.view.shown ? training.view.step : live.run() ? live.run()->step() : 0;
    };
    for (const bool pins : {true, false})
        commands.add("train", {pins ? "pin" : "unpin", optional(whole("STEP", 0, longest_training))},
                     [&live, step_shown, pins](const Arguments& in) {
                         return live.pin(in.whole("STEP", step_shown()), pins);
                     });
    commands.add_of_person("export", {"curves", file("FILE")}, [&live, &view, &strings](const Arguments& in) {
        return export_curves(live, in.text("FILE"), view, strings);
    });
}

void add_train_commands(CommandRegistry& commands, const Training& training, View& view,
                        const Strings& strings) {
    using namespace argument;
    const auto add = [&](std::vector<Argument> arguments, auto run) -> CommandForm& {
        return commands.add("train", std::move(arguments), std::move(run));
    };
    LiveTraining& live = training.live();
    add({"task", file("NAME|FILE")}, [&live](const Arguments& in) {
        return live.choose_task(in.text("NAME|FILE"));
    }).replayable = true;
    add({"labels", file("FILE")}, [&live](const Arguments& in) {
        return live.choose_file("sentiment", in.text("FILE"), TokenizerKind::words);
    }).replayable = true;
    for (const auto& [how, unit] :
         {std::pair("characters", TokenizerKind::characters), std::pair("words", TokenizerKind::words),
          std::pair("bpe", TokenizerKind::bpe)})
        add({"text", how, file("FILE")}, [&live, unit = unit](const Arguments& in) {
            return live.choose_file("next-word", in.text("FILE"), unit);
        }).replayable = true;
    add({"set", word("SETTING"), word("VALUE")}, [&live, training](const Arguments& in) {
        return live.set(in.text("SETTING"), in.text("VALUE"), training.on_screen());
    }).replayable = true;
    add({"goal", word("F")}, [&live, training](const Arguments& in) {
        return live.set("goal", in.text("F"), training.on_screen());
    });
    add({"start", optional(whole("STEPS", 1, longest_training))}, [&live, training](const Arguments& in) {
        return training.show(live.start(in.whole("STEPS"), training.on_screen()));
    });
    add({"step", optional(whole("STEPS", 1, longest_training))}, [&live, training](const Arguments& in) {
        return training.show(live.start(in.whole("STEPS", 1), training.on_screen()));
    });
    add({"pace", "all|usual" | number("STEPS", 0.1, 1000)}, [&live](const Arguments& in) {
        if (in.said("usual"))
            live.set_pace(std::nullopt);
        else
            live.set_pace(in.said("all") ? 0 : in.number("STEPS"));
    });
    // What a lesson has trained, brought back by a card of it: the newest run of the task, where there is
    // one.
    add({"latest", word("TASK")}, [&live, training](const Arguments& in) -> Result<Done> {
        for (std::size_t i = live.runs().size(); i-- > 0;)
            if (live.runs()[i]->settings.task == in.text("TASK") && live.runs()[i]->step() > 0)
                return training.show(live.look_at(i));
        return Done{};
    }).replayable = true;
    add({"pause"}, [&live](const Arguments&) { live.pause(); });
    add({"reset"}, [&live, training, &view, &strings](const Arguments&) {
        const Run* before = live.deleted();
        const Result<Done> anew = live.reset(training.on_screen());
        offer_back(training, before, view, strings);
        return training.show(anew);
    });
    add({"save", file("DIR")}, [&live, &view, &strings](const Arguments& in) {
        const Result<Done> saved = live.save(in.text("DIR"));
        if (saved)
            view.notice =
                Notice{false,
                       strings.text("session.saved",
                                    {shown_name(std::filesystem::path(in.text("DIR")).filename().string())}),
                       seconds_to_read_it};
        return saved;
    }).of_person = true;
    add({"save-all", file("DIR")}, [&live](const Arguments& in) {
        return live.save_all(in.text("DIR"));
    }).of_person = true;
    add({"open", file("DIR")}, [&live, training](const Arguments& in) {
        return training.show(live.open(in.text("DIR")));
    }).of_person = true;
    add({"wait", optional(number("SECONDS", 0, longest_wait))}, [training](const Arguments& in) {
        return wait_for(training, in.number("SECONDS", 600));
    }).of_person = true;
    add({"leave"}, [training](const Arguments&) { leave_training(training.view, training.inquiries); });
}

} // namespace

void add_training_commands(CommandRegistry& commands, const Session& session, Inquiries& inquiries,
                           TrainingView& of_training, View& view, const Strings& strings) {
    using namespace argument;
    const Training training{of_training, inquiries, session};
    add_train_commands(commands, training, view, strings);
    add_run_commands(commands, training, view, strings);
    commands.add("moment", {"first|last" | whole("STEP|+N")},
                 [training](const Arguments& in) { return choose_checkpoint(training, in); });
    commands.add("moment", {"live"}, [training](const Arguments&) { return show_newest(training); });
    commands.add("moment", {"play"}, [training, &commands](const Arguments&) {
        return training.session.trains_net() ? commands.execute("descent film") : play_film(training);
    });
    commands.add("moment", {"pause"}, [training, &view](const Arguments&) {
        training.view.playing = view.descent.playing.on = false;
    });
    commands.add("moment", {"continue"}, [training, &commands](const Arguments&) {
        return training.session.trains_net() ? commands.execute("descent play") : continue_training(training);
    });
    commands.add("difference", {"off"}, [training](const Arguments&) { return training.end_difference(); });
    commands.add("difference", {whole("STEP_A"), whole("STEP_B")}, [training](const Arguments& in) {
        return compare_checkpoints(training, in.whole("STEP_A"), in.whole("STEP_B"));
    });
    const auto show = [training](const Arguments& in) { return show_over_time(training, in); };
    commands.add("over_time", {"off"}, [training](const Arguments&) { training.view.over_time.reset(); });
    commands.add_with_model("over_time", {any_value(), optional(whole("HEAD"))}, show);
    commands.add_with_model("over_time", {any_value(), whole("HEAD"), whole("ROW"), whole("COLUMN")}, show);
}

} // namespace headlight
