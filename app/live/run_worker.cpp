#include "app/live/run_worker.h"

#include "app/live/held_out_examples.h"
#include "engine/base/giving_up.h"
#include "engine/base/heap.h"
#include "engine/model/transformer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

namespace headlight {

namespace {

constexpr double between_snapshots = 0.05; // seconds: as often as a picture can be followed
constexpr double between_examples = 1;     // seconds: decoding them costs as much as a few steps
constexpr std::size_t examples_shown = 12, held_out_told = 64;

ModelFiles files_of(const RunModel& model, const Reals& weights, double dropout) {
    ModelFiles files{model.config, declare_parameters(model.config), model.source, model.target};
    files.config.dropout = dropout;
    std::copy(weights.begin(), weights.end(), files.parameters.data());
    return files;
}

// What is finite stays finite.
float as_float(double number) {
    constexpr double most = std::numeric_limits<float>::max();
    return float(std::clamp(number, -most, most));
}

Checkpoint checkpoint_of(const TrainingRun& run, bool whole) {
    const Parameters& weights = run.model().parameters;
    Checkpoint checkpoint;
    checkpoint.step = run.steps();
    checkpoint.weights = std::make_shared<Reals>(weights.data(), weights.data() + weights.count());
    if (whole) {
        const Adam& adam = run.adam();
        checkpoint.optimizer = std::make_shared<OptimizerMoments>(OptimizerMoments{
            Reals(adam.m().begin(), adam.m().end()), Reals(adam.v().begin(), adam.v().end())});
    }
    return checkpoint;
}

} // namespace

std::shared_ptr<RunModel> run_model_of(const TrainingRun& run) {
    auto model = std::make_shared<RunModel>();
    const ModelFiles& files = run.model();
    model->config = files.config;
    model->source = files.source;
    model->target = files.target;
    const std::vector<SentencePair>& held_out = run.task().held_out();
    model->held_out.assign(held_out.begin(),
                           held_out.begin() + std::ptrdiff_t(std::min(held_out.size(), held_out_told)));
    model->training_pairs = run.task().is_finite() ? Index(run.task().all_training().size()) : 0;
    model->unknown_words = run.encoded().unknown_words();
    model->held_out_is_training = run.task().held_out_is_training();
    model->task = run.shared_task();
    return model;
}

StepPoint point_of(const StepResult& step) {
    return {as_float(step.loss), as_float(step.gradient_norm), as_float(step.learning_rate)};
}

RunWorker::RunWorker(RunPlan plan, std::shared_ptr<RunChannel> channel)
    : plan_(std::move(plan)),
      channel_(std::move(channel)),
      seconds_(plan_.seconds),
      best_loss_(plan_.best_loss),
      work_([this] { return work(); }) {}

RunWorker::~RunWorker() {
    end();
    work_.join();
}

void RunWorker::wake_for_examples() { work_.wake(); }

void RunWorker::set_pace(double steps_a_second) {
    pace_ = steps_a_second;
    work_.wake();
}

void RunWorker::end() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    work_.wake();
}

unsigned long RunWorker::go(const Order& order) {
    const std::lock_guard lock(mutex_);
    const bool adds = order_.going && order_.steps > 0 && order.steps > 0;
    const Index left = adds ? order_.steps : 0;
    static_cast<Order&>(order_) = order;
    order_.steps += left;
    order_.going = true;
    ++order_.number;
    work_.wake();
    return order_.number;
}

void RunWorker::pause() {
    const std::lock_guard lock(mutex_);
    if (order_.going && !is_at_work_) channel_->pause({order_.number, PauseReason::told, {}});
    order_.going = false; // what is at work sees it, and says so
    work_.wake();
}

// --- preparing
// --------------------------------------------------------------------------------------------

Result<std::unique_ptr<Task>> RunWorker::make_task_of(const TrainingSettings& settings) {
    if (settings.task != own_pairs) return headlight::make_task_of(state_of(settings), plan_.assets.string());
    const auto read = plan_.reading->wait(ending_);
    if (!read) return Error{"error.training_ended", {}};
    if (!*read) return read->error();
    return make_pairs_task(settings.pairs.string(), (**read)->pairs, settings.unit);
}

Result<std::unique_ptr<TrainingRun>> RunWorker::begin(const TrainingSettings& settings, ModelFiles* model) {
    Result<std::unique_ptr<Task>> task = make_task_of(settings);
    if (!task) return task.error();
    TrainingState state = state_of(settings);
    return model ? TrainingRun::resume(*std::move(task), std::move(*model), std::move(state), {})
                 : TrainingRun::begin(*std::move(task), settings.sizes, 0, std::move(state),
                                      {.architecture = settings.model});
}

Result<std::unique_ptr<TrainingRun>> RunWorker::go_on(const GoOnFrom& from) {
    std::shared_ptr<const OptimizerMoments> optimizer = from.checkpoint.optimizer;
    if (!optimizer && from.whole) { // repeats the steps since the last checkpoint that has Adam's moments
        const OptimizerMoments& then = *from.whole->optimizer;
        ModelFiles files = files_of(*from.model, *from.whole->weights, from.settings_then.sizes.dropout);
        auto before = begin(from.settings_then, &files);
        if (!before) return before.error();
        (*before)->restore(from.whole->step, *from.whole->weights, then.m, then.v);
        while ((*before)->steps() < from.checkpoint.step && !ending_) {
            const Index at = (*before)->steps();
            (*before)->step();
            if ((*before)->steps() == at) break; // not finite: nothing more to repeat
        }
        const Adam& adam = (*before)->adam();
        optimizer = std::make_shared<OptimizerMoments>(OptimizerMoments{
            Reals(adam.m().begin(), adam.m().end()), Reals(adam.v().begin(), adam.v().end())});
    }
    ModelFiles files = files_of(*from.model, *from.checkpoint.weights, plan_.settings.sizes.dropout);
    const std::size_t count = std::size_t(files.parameters.count());
    auto run = begin(plan_.settings, &files);
    if (!run) return run.error();
    if (optimizer)
        (*run)->restore(from.checkpoint.step, *from.checkpoint.weights, optimizer->m, optimizer->v);
    else
        (*run)->restore(from.checkpoint.step, *from.checkpoint.weights, Reals(count), Reals(count));
    return run;
}

Result<std::unique_ptr<TrainingRun>> RunWorker::prepare() {
    if (plan_.go_on) return go_on(*plan_.go_on);
    if (!plan_.on_screen) return begin(plan_.settings, nullptr);
    plan_.on_screen->config.dropout = plan_.settings.sizes.dropout;
    return begin(plan_.settings, &*plan_.on_screen);
}

// --- working
// ----------------------------------------------------------------------------------------------

Portion RunWorker::work() {
    try {
        if (!run_) return begin_run();
        if (!steps_) return look_for_order();
        if (std::optional<Pause> pause = take_step(*run_)) rest(*run_, *std::move(pause));
        return steps_ && steps_->is_early ? Portion::waits : Portion::more;
    } catch (const GivenUp&) {
    } catch (const std::bad_alloc&) {
        watch_.reset(); // there is memory again for what is told
        run_.reset();
        const std::lock_guard lock(mutex_);
        channel_->fail({"error.training_memory", {}}, order_.number);
    }
    return end_work();
}

Portion RunWorker::begin_run() {
    Result<std::unique_ptr<TrainingRun>> run = [this] {
        const ListenForGivingUp listening(ending_);
        return prepare();
    }();
    plan_.on_screen.reset(); // its weights are the run's now
    plan_.go_on.reset();
    if (ending_) return end_work();
    if (!run) {
        const std::lock_guard lock(mutex_);
        channel_->fail(run.error(), order_.number);
        return end_work();
    }
    run_ = *std::move(run);
    model_ = run_model_of(*run_);
    channel_->prepared(model_, checkpoint_of(*run_, true));
    return Portion::more;
}

Portion RunWorker::end_work() {
    watch_.reset();
    run_.reset();
    give_memory_back();
    has_ended_ = true;
    return Portion::ended;
}

bool RunWorker::owes_examples(const TrainingRun& run) const {
    return channel_->wants_examples() && step_of_examples_ != run.steps();
}

Portion RunWorker::look_for_order() {
    {
        const std::lock_guard lock(mutex_);
        if (ending_) return end_work();
        is_at_work_ = order_.going;
        if (order_.going) steps_.emplace().seconds_before = seconds_;
    }
    if (steps_) return Portion::more;
    if (!owes_examples(*run_)) return Portion::waits;
    show_examples(*run_);
    return Portion::more;
}

// Counts the steps taken since it was last asked, and says what comes next: `order` as it stands now, or why
// there shall be no further step.
std::optional<PauseReason> RunWorker::count_step(Standing& order, Index taken) {
    const std::lock_guard lock(mutex_);
    const bool is_last = order_.steps > 0 && order_.steps == taken;
    if (order_.steps > 0) order_.steps -= taken;
    order = order_;
    if (ending_ || !order_.going) return PauseReason::told;
    if (!is_last) return std::nullopt;
    order_.going = false;
    return PauseReason::steps;
}

// Whether the next step is to be waited for; else it begins now.
bool RunWorker::is_early(Steps& steps) const {
    constexpr double most_behind = 0.1; // seconds that are made up for
    const double pace = pace_, now = steps.clock.seconds();
    if (pace <= 0) return false;
    steps.due = std::min(steps.due, now + 1 / pace); // it was slower until now
    if (now < steps.due) return true;
    steps.due = std::max(steps.due, now - most_behind) + 1 / pace;
    return false;
}

// A portion of a step, or of judging it. Why there shall be none after it.
std::optional<Pause> RunWorker::take_step(TrainingRun& run) {
    if (steps_->judges) return judge_step(run);
    Standing& order = steps_->order;
    if (!steps_->is_within) {
        steps_->is_early = is_early(*steps_);
        if (const auto reason = count_step(order, std::exchange(steps_->taken, steps_->is_early ? 0 : 1)))
            return Pause{order.number, *reason, {}};
        if (order.last_step > 0 && run.steps() >= order.last_step)
            return Pause{order.number, PauseReason::steps, {}};
        if (steps_->is_early) return std::nullopt;
    }
    const std::optional<StepResult> step = run.step_portion();
    steps_->is_within = !step;
    if (!step) return std::nullopt;
    if (!std::isfinite(step->loss) || !std::isfinite(step->gradient_norm))
        return Pause{order.number, PauseReason::not_finite, run.first_not_finite()};
    seconds_ = steps_->seconds_before + steps_->clock.seconds();
    channel_->add_step(point_of(*step), seconds_);
    show(run);
    steps_->step = step->step;
    steps_->judges = step->step % run.steps_between_records() == 0 || step->step == order.last_step;
    return std::nullopt;
}

std::optional<Pause> RunWorker::judge_step(TrainingRun& run) {
    const std::optional<Evaluation> judged = run.evaluate_portion();
    if (!judged) return std::nullopt;
    steps_->judges = false;
    seconds_ = steps_->seconds_before + steps_->clock.seconds();
    channel_->add_judgement(
        {steps_->step, seconds_, judged->loss, judged->token_accuracy, judged->exact_match},
        judged->silent_units);
    if (judged->loss < best_loss_) {
        best_loss_ = judged->loss;
        if (!channel_->has_checkpoint(steps_->step)) channel_->keep(checkpoint_of(run, false));
        channel_->set_best(steps_->step);
    }
    const Standing& order = steps_->order;
    if (order.until_exact > 0 && judged->exact_match >= order.until_exact)
        return Pause{order.number, PauseReason::exact, {}};
    return std::nullopt;
}

void RunWorker::rest(TrainingRun& run, Pause pause) {
    steps_.reset();
    const Checkpoint newest = checkpoint_of(run, true);
    channel_->keep(newest);
    channel_->publish({newest.step, newest.weights});
    if (channel_->wants_examples()) show_examples(run);
    const std::lock_guard lock(mutex_);
    is_at_work_ = false;
    if (order_.going && order_.number != pause.order) return; // told to go on meanwhile
    order_.going = false;
    pause.order = order_.number;
    channel_->pause(std::move(pause)); // still locked: a later pause comes later
}

// What the window wants to see of a step that was made.
void RunWorker::show(TrainingRun& run) {
    SharedReals weights;
    if (channel_->wants_checkpoint(run.steps())) {
        Checkpoint checkpoint = checkpoint_of(run, channel_->wants_optimizer(run.steps()));
        weights = checkpoint.weights;
        channel_->keep(std::move(checkpoint));
    }
    if (channel_->wants_snapshot() && seconds_ >= last_snapshot_ + between_snapshots) {
        channel_->publish({run.steps(), weights ? weights : checkpoint_of(run, false).weights});
        last_snapshot_ = seconds_;
    }
    if (channel_->wants_examples() && seconds_ >= last_examples_ + between_examples) show_examples(run);
}

void RunWorker::show_examples(TrainingRun& run) {
    if (!watch_) watch_ = run.watch();
    const std::size_t count = std::min(model_->held_out.size(), examples_shown);
    channel_->add_examples(run.steps(),
                           judge_examples(*watch_, model_->config, model_->source, model_->target,
                                          std::span(model_->held_out).first(count)));
    last_examples_ = seconds_;
    step_of_examples_ = run.steps();
}

} // namespace headlight
