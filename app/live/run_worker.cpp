#include "app/live/run_worker.h"

#include "app/live/held_out_examples.h"
#include "engine/base/stopwatch.h"
#include "engine/model/transformer_parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

namespace headlight {

namespace {

constexpr double between_snapshots = 0.05; // seconds: as often as a picture can be followed
constexpr double between_examples = 1;     // seconds: decoding them costs as much as a few steps
constexpr std::size_t examples_shown = 12, held_out_told = 64;

ModelFiles files_of(const RunModel& model, const Numbers& weights, double dropout) {
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

Moment moment_of(const TrainingRun& run, bool whole) {
    const Parameters& weights = run.model().parameters;
    Moment moment;
    moment.step = run.steps();
    moment.weights = std::make_shared<Numbers>(weights.data(), weights.data() + weights.count());
    if (whole) {
        const Adam& adam = run.adam();
        moment.optimizer = std::make_shared<OptimizerMoments>(OptimizerMoments{
            Numbers(adam.m().begin(), adam.m().end()), Numbers(adam.v().begin(), adam.v().end())});
    }
    return moment;
}

} // namespace

RunWorker::RunWorker(RunPlan plan, std::shared_ptr<RunChannel> channel)
    : plan_(std::move(plan)),
      channel_(std::move(channel)),
      seconds_(plan_.seconds),
      thread_([this] { work(); }) {}

RunWorker::~RunWorker() {
    end();
    thread_.join();
}

void RunWorker::wake_for_examples() {
    { const std::lock_guard lock(mutex_); } // either it waits by now, or it will look before it does
    wake_.notify_all();
}

void RunWorker::end() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
}

unsigned long RunWorker::go(const Order& order) {
    const std::lock_guard lock(mutex_);
    const bool adds = order_.going && order_.steps > 0 && order.steps > 0;
    const Index left = adds ? order_.steps : 0;
    static_cast<Order&>(order_) = order;
    order_.steps += left;
    order_.going = true;
    ++order_.number;
    wake_.notify_all();
    return order_.number;
}

void RunWorker::pause() {
    const std::lock_guard lock(mutex_);
    if (order_.going && !is_at_work_) channel_->pause({order_.number, PauseReason::told, {}});
    order_.going = false; // what is at work sees it, and says so
}

// --- preparing
// --------------------------------------------------------------------------------------------

Result<std::unique_ptr<Task>> RunWorker::make_task_of(const TrainingSettings& settings) {
    if (settings.task != own_pairs) return headlight::make_task_of(state_of(settings), plan_.assets.string());
    const auto read = plan_.reading->wait(ending_);
    if (!read) return Error{"error.training_ended", {}};
    if (!*read) return read->error();
    return make_pairs_task(settings.pairs.string(), (**read)->pairs);
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
    std::shared_ptr<const OptimizerMoments> optimizer = from.moment.optimizer;
    if (!optimizer && from.whole) { // repeats the steps since the last moment that has Adam's moments
        const OptimizerMoments& then = *from.whole->optimizer;
        ModelFiles files = files_of(*from.model, *from.whole->weights, from.settings_then.sizes.dropout);
        auto before = begin(from.settings_then, &files);
        if (!before) return before.error();
        (*before)->restore(from.whole->step, *from.whole->weights, then.m, then.v);
        while ((*before)->steps() < from.moment.step && !ending_) {
            const Index at = (*before)->steps();
            (*before)->step();
            if ((*before)->steps() == at) break; // not finite: nothing more to repeat
        }
        const Adam& adam = (*before)->adam();
        optimizer = std::make_shared<OptimizerMoments>(OptimizerMoments{
            Numbers(adam.m().begin(), adam.m().end()), Numbers(adam.v().begin(), adam.v().end())});
    }
    ModelFiles files = files_of(*from.model, *from.moment.weights, plan_.settings.sizes.dropout);
    const std::size_t count = std::size_t(files.parameters.count());
    auto run = begin(plan_.settings, &files);
    if (!run) return run.error();
    if (optimizer)
        (*run)->restore(from.moment.step, *from.moment.weights, optimizer->m, optimizer->v);
    else
        (*run)->restore(from.moment.step, *from.moment.weights, Numbers(count), Numbers(count));
    return run;
}

Result<std::unique_ptr<TrainingRun>> RunWorker::prepare() {
    if (plan_.go_on) return go_on(*plan_.go_on);
    if (!plan_.on_screen) return begin(plan_.settings, nullptr);
    plan_.on_screen->config.dropout = plan_.settings.sizes.dropout;
    return begin(plan_.settings, &*plan_.on_screen);
}

void RunWorker::tell_prepared(const TrainingRun& run) {
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
    model_ = model;
    channel_->prepared(std::move(model));
    const Moment first = moment_of(run, true);
    channel_->keep(first);
    channel_->publish({first.step, first.weights});
}

// --- working
// ----------------------------------------------------------------------------------------------

void RunWorker::work() {
    try {
        Result<std::unique_ptr<TrainingRun>> run = prepare();
        plan_.on_screen.reset(); // its weights are the run's now
        plan_.go_on.reset();
        if (run && !ending_) {
            tell_prepared(**run);
            while (wait_for_order(**run)) train(**run);
        } else if (!run && !ending_) {
            const std::lock_guard lock(mutex_);
            channel_->fail(run.error(), order_.number);
        }
    } catch (const std::bad_alloc&) {
        const std::lock_guard lock(mutex_);
        channel_->fail({"error.training_memory", {}}, order_.number);
    }
    watch_.reset();
    has_ended_ = true;
}

bool RunWorker::owes_examples(const TrainingRun& run) const {
    return channel_->wants_examples() && step_of_examples_ != run.steps();
}

bool RunWorker::wait_for_order(TrainingRun& run) {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [&] { return ending_ || order_.going || owes_examples(run); });
        if (ending_ || order_.going) break;
        lock.unlock();
        show_examples(run);
        lock.lock();
    }
    is_at_work_ = !ending_;
    return is_at_work_;
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

Pause RunWorker::take_steps(TrainingRun& run) {
    const double seconds_before = seconds_;
    const Stopwatch clock;
    const Index every = run.steps_between_records();
    Standing order;
    for (Index taken = 0;; taken = 1) {
        if (const auto reason = count_step(order, taken)) return {order.number, *reason, {}};
        if (order.last_step > 0 && run.steps() >= order.last_step)
            return {order.number, PauseReason::steps, {}};
        const StepResult step = run.step();
        if (!std::isfinite(step.loss) || !std::isfinite(step.gradient_norm))
            return {order.number, PauseReason::not_finite, run.first_not_finite()};
        seconds_ = seconds_before + clock.seconds();
        channel_->add_step({as_float(step.loss), as_float(step.gradient_norm), as_float(step.learning_rate)},
                           seconds_);
        show(run);
        if (step.step % every != 0 && step.step != order.last_step) continue;
        const Evaluation judged = run.evaluate();
        seconds_ = seconds_before + clock.seconds();
        channel_->add_judgement(
            {step.step, seconds_, judged.loss, judged.token_accuracy, judged.exact_match});
        if (order.until_exact > 0 && judged.exact_match >= order.until_exact)
            return {order.number, PauseReason::exact, {}};
    }
}

void RunWorker::train(TrainingRun& run) {
    Pause pause = take_steps(run);
    const Moment newest = moment_of(run, true);
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
    SharedNumbers weights;
    if (channel_->wants_moment(run.steps())) {
        Moment moment = moment_of(run, channel_->wants_optimizer(run.steps()));
        weights = moment.weights;
        channel_->keep(std::move(moment));
    }
    if (channel_->wants_snapshot() && seconds_ >= last_snapshot_ + between_snapshots) {
        channel_->publish({run.steps(), weights ? weights : moment_of(run, false).weights});
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
