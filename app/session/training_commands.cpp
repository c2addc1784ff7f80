// The commands of training: train, moment, difference.
#include "app/session/session.h"
#include "app/session/training/training_view.h"

#include <algorithm>
#include <limits>

namespace headlight {

namespace {

constexpr Index most_steps = 1'000'000'000;
constexpr double longest_wait = 86'400; // seconds

Result<Index> count_of(const std::string& word, const std::string& what, Index least) {
    const Result<long> count = whole_number_of(word);
    if (!count) return count.error();
    if (*count < least || *count > most_steps)
        return Error{"error.out_of_range", {what, std::to_string(least), std::to_string(most_steps)}};
    return Index(*count);
}

} // namespace

void Session::add_training_commands() {
    using Text = std::string_view;
    commands_.add({"train", "start [STEPS]|pause|step|reset|task|set|goal|run|…",
                   [this](Text how) { return train(how); }});
    commands_.add({"moment", "STEP|+N|-N|first|last|live|play|pause|continue",
                   [this](Text which) { return choose_moment(which); }});
    commands_.add(
        {"difference", "STEP_A STEP_B|off", [this](Text which) { return choose_difference(which); }});
    commands_.add(
        {"over_time", "PATH [HEAD [ROW COLUMN]]|off", [this](Text what) { return choose_over_time(what); }});
}

Result<Done> Session::train(std::string_view how) {
    TrainingView& view = *training_;
    LiveTraining& training = view.training;
    const std::vector<std::string> words = words_of(how);
    const std::string what = words.empty() ? std::string() : words[0];
    const std::size_t count = words.size() - (words.empty() ? 0 : 1);
    const ModelFiles* on_screen = has_model() ? &model_->files : nullptr;
    const auto show = [&](Result<Done> done) {
        if (done) view.awaited = view.live = true, view.playing = false;
        if (done) view.difference.reset();
        return done;
    };
    // A file name may have spaces in it.
    const std::string rest = count == 1 ? words[1] : std::string(trim(trim(how).substr(what.size())));
    if (what == "task" && count >= 1) return training.choose_task(rest);
    if (what == "set" && count == 2) return training.set(words[1], words[2], on_screen);
    if (what == "goal" && count == 1) return training.set("goal", words[1], on_screen);
    if (what == "start" && count <= 1) {
        const Result<Index> steps = count == 1 ? count_of(words[1], "train start", 1) : Result<Index>(0);
        return steps ? show(training.start(*steps, on_screen)) : steps.error();
    }
    if (what == "step" && count <= 1) {
        const Result<Index> steps = count_of(count == 1 ? words[1] : "1", "train step", 1);
        return steps ? show(training.start(*steps, on_screen)) : steps.error();
    }
    if (what == "save" && count >= 1) {
        const Result<Done> saved = training.save(rest);
        if (saved)
            state_.notice =
                Notice{false, strings_.text("learn.saved", {std::filesystem::absolute(rest).string()})};
        return saved;
    }
    if (what == "open" && count >= 1) return show(training.open(rest));
    if (what == "pause" && count == 0) {
        training.pause();
        return Done{};
    }
    if (what == "reset" && count == 0) return show(training.reset(on_screen));
    if ((what == "run" || what == "delete") && count == 1) {
        const Result<Index> number = count_of(words[1], "train " + what, 1);
        if (!number) return number.error();
        const std::size_t place = std::size_t(*number) - 1;
        if (what == "run") return show(training.look_at(place));
        const Result<Done> removed = training.remove(place);
        if (removed) (void)follow_training(0);
        return removed;
    }
    if (what == "wait" && count <= 1) return wait_for_training(words);
    if (what == "leave" && count == 0) {
        leave_training();
        return Done{};
    }
    return usage(
        "train task NAME|FILE, train set NAME VALUE, train start [STEPS], train pause, train step [N], "
        "train reset, train goal F, train run N, train delete N, train save DIR, train open DIR, train wait "
        "[SECONDS], train leave");
}

// Until nothing trains any more, and what came of it is shown.
Result<Done> Session::wait_for_training(const std::vector<std::string>& words) {
    const Result<double> seconds = words.size() > 1 ? number_of(words[1]) : Result<double>(600.0);
    if (!seconds) return seconds.error();
    if (*seconds < 0 || *seconds > longest_wait)
        return Error{"error.out_of_range", {"train wait", "0", std::to_string(int(longest_wait))}};
    const bool is_over = training_->training.wait(*seconds);
    (void)follow_training(0);
    if (is_over) {
        const Run* run = training_->training.run();
        return run && run->error ? Result<Done>(*run->error) : Result<Done>(Done{});
    }
    return Error{"error.training_not_over", {words.size() > 1 ? words[1] : "600"}};
}

Result<Done> Session::choose_moment(std::string_view which) {
    TrainingView& view = *training_;
    const Run* run = view.training.run();
    if (which == "pause") {
        view.playing = false;
        return Done{};
    }
    if (!run || run->kept.empty() || !run->model) return Error{"error.training_no_moment", {}};
    if (which == "continue") {
        const Result<Done> begun = view.training.continue_from(view.shown ? view.step : run->step());
        if (begun) view.awaited = view.live = true;
        return begun;
    }
    if (!view.shown || view.model != run->model) {
        view.awaited = true;
        (void)follow_training(0);
        if (!view.shown) return Error{"error.training_no_moment", {}};
    }
    const std::vector<KeptMoment>& kept = run->kept;
    if (which == "play") {
        if (view.step >= kept.back().step) // again from the beginning
            show_moment(*view.training.moment_near(kept.front().step));
        view.playing = true;
        view.live = false;
        view.film_clock = 0;
        return Done{};
    }
    view.playing = false;
    if (which == "live") {
        view.live = true;
        view.difference.reset();
        (void)follow_training(0);
        return Done{};
    }
    Index wanted = 0;
    if (which == "first") {
        wanted = kept.front().step;
    } else if (which == "last") {
        wanted = kept.back().step;
    } else {
        const Result<long> number = whole_number_of(std::string(which));
        if (!number) return number.error();
        wanted = *number;
        if (which.starts_with('+') || which.starts_with('-')) { // so many kept moments on
            const auto present =
                std::lower_bound(kept.begin(), kept.end(), view.step,
                                 [](const KeptMoment& moment, Index step) { return moment.step < step; });
            const Index last = Index(kept.size()) - 1;
            const Index place = std::clamp<Index>(*number, -last, last) + Index(present - kept.begin());
            wanted = kept[std::size_t(std::clamp<Index>(place, 0, last))].step;
        }
    }
    const std::optional<Moment> moment = view.training.moment_near(wanted);
    if (!moment) return Error{"error.training_no_moment", {}};
    view.live = false;
    show_moment(*moment);
    return Done{};
}

Result<Done> Session::choose_difference(std::string_view which) {
    TrainingView& view = *training_;
    if (which == "off") {
        view.difference.reset();
        return Done{};
    }
    const std::vector<std::string> words = words_of(which);
    if (words.size() != 2) return usage("difference STEP_A STEP_B|off");
    const Result<long> a = whole_number_of(words[0]), b = whole_number_of(words[1]);
    if (!a) return a.error();
    if (!b) return b.error();
    if (const Result<Done> shown = choose_moment(std::to_string(std::max(*b, 0L))); !shown) return shown;
    const std::optional<Moment> from = view.training.moment_near(*a);
    MomentDifference difference{from->step, view.step, model_of_run(*view.model, model_->name)};
    put_weights(*difference.before, *from->weights);
    view.difference = std::move(difference);
    compute();
    return Done{};
}

Result<Done> Session::choose_over_time(std::string_view what) {
    TrainingView& view = *training_;
    if (what == "off") {
        view.over_time.reset();
        return Done{};
    }
    const std::vector<std::string> words = words_of(what);
    if (words.empty() || words.size() == 3 || words.size() > 4)
        return usage("over_time PATH [HEAD [ROW COLUMN]]|off");
    if (!view.shown) return Error{"error.training_no_moment", {}};
    const Node* node = model_->graph().find(words[0]);
    if (!node) return Error{"error.no_such_value", {words[0], model_->name}};
    Index numbers[3] = {0, 0, 0};
    for (std::size_t i = 1; i < words.size(); ++i) {
        const Result<long> number = whole_number_of(words[i]);
        if (!number) return number.error();
        numbers[i - 1] = *number;
    }
    const Region cell{numbers[0], numbers[1], numbers[2]};
    if (cell.batch < 0 || cell.row < 0 || cell.column < 0 || !cell.fits(node->shape()))
        return Error{"error.no_such_cell", {words[0], to_string(node->shape())}};
    OverTime::Wanted wanted{node->path, words.size() > 1 ? numbers[0] : -1, {}};
    if (words.size() == 4) wanted.cell = Cell{cell.batch, cell.row, cell.column};
    view.over_time.emplace(std::move(wanted));
    return Done{};
}

} // namespace headlight
