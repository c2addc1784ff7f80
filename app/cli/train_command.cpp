#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/live/run_folder.h"
#include "app/session/assets.h"
#include "app/session/interruption.h"
#include "engine/io/json_reader.h"
#include "engine/io/model_folder.h"
#include "engine/task/everyday_task.h"
#include "engine/text/cutting.h"
#include "engine/train/recipes.h"
#include "engine/train/training_run.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr Index any = Index(1) << 40; // more steps than anyone takes

// What was typed, as it was typed.
struct TrainArguments {
    Typed task, pairs, labels, text, unit, from, out, preset, steps, until_exact, seed, threads, distance;
    Typed model, parameters, max_length, schedule, store;
    Typed d_model, heads, layers, encoder_layers, decoder_layers, d_ff, activation, norm, positions,
        vocabulary;
    bool final_norm = false;
    Typed dropout, batch, learning_rate, warmup, label_smoothing, clip, report_every;
    bool constant_rate = false, reversed = false;

    // The file of one's own, with what is learnt on it.
    struct Own {
        const char* option;
        const Typed& file;
        const char* task;
    };
    std::vector<Own> own() const {
        std::vector<Own> given;
        for (const Own& one : {Own{"--pairs", pairs, own_pairs}, Own{"--labels", labels, "sentiment"},
                               Own{"--text", text, "next-word"}})
            if (one.file) given.push_back(one);
        return given;
    }

    // The first option that was given of those that only a new model can follow.
    const char* size_option() const {
        const std::pair<const char*, const Typed*> options[] = {
            {"--model", &model},
            {"--parameters", &parameters},
            {"--max-length", &max_length},
            {"--preset", &preset},
            {"--d-model", &d_model},
            {"--heads", &heads},
            {"--layers", &layers},
            {"--d-ff", &d_ff},
            {"--encoder-layers", &encoder_layers},
            {"--norm", &norm},
            {"--decoder-layers", &decoder_layers},
            {"--activation", &activation},
            {"--positions", &positions},
            {"--vocabulary", &vocabulary},
        };
        for (const auto& [name, typed] : options)
            if (*typed) return name;
        return final_norm ? "--final-norm" : nullptr;
    }
};

// What is to be done, all of it checked but the sizes and the task.
struct Plan {
    ModelConfig sizes;
    Index max_words = 0;
    ModelRequest request;
    TrainingState state;
    fs::path folder;                 // to go on with
    std::optional<ModelFiles> model; // what is in it
    Index steps = 0;                 // to take; 0: was not said
    bool takes_encoder = false;      // of the model, and nothing more
    bool to_zero = false;            // the learning rate, at the last step
    RunLimits limits;
};

void read_sizes(ArgumentReader& reader, const TrainArguments& typed, Plan& plan) {
    ModelConfig& sizes = plan.sizes;
    if (typed.preset) {
        std::vector<std::pair<std::string, ModelConfig>> presets;
        for (const std::string& name : preset_names()) presets.emplace_back(name, find_preset(name)->sizes);
        reader.read("--preset", typed.preset, sizes, presets);
    }
    if (typed.model) {
        std::vector<std::pair<std::string, std::optional<Architecture>>> models{
            {"transformer", std::nullopt}};
        for (const Architecture architecture :
             {Architecture::encoder_decoder, Architecture::decoder_only, Architecture::rnn,
              Architecture::lstm, Architecture::gru, Architecture::rnn_fixed, Architecture::rnn_attention})
            models.emplace_back(architecture_name(architecture), architecture);
        reader.read("--model", typed.model, plan.request.architecture, models);
    }
    if (plan.request.architecture == Architecture::rnn_attention)
        sizes.decoder_layers = 1; // the only number it has
    reader.read("--parameters", typed.parameters, plan.request.parameters, 1, Index(1) << 30);
    reader.read("--max-length", typed.max_length, sizes.max_length, 1, 65'536);
    reader.read("--d-model", typed.d_model, sizes.d_model, 1, 16'384);
    reader.read("--heads", typed.heads, sizes.num_heads, 1, 16'384);
    reader.read("--layers", typed.layers, sizes.encoder_layers, 1, 256);
    reader.read("--layers", typed.layers, sizes.decoder_layers, 1, 256);
    reader.read("--encoder-layers", typed.encoder_layers, sizes.encoder_layers, 1, 256);
    reader.read("--decoder-layers", typed.decoder_layers, sizes.decoder_layers, 1, 256);
    reader.read("--d-ff", typed.d_ff, sizes.d_ff, 1, 131'072);
    reader.read("--vocabulary", typed.vocabulary, plan.max_words, 5, 1'000'000);
    reader.read("--activation", typed.activation, sizes.activation,
                {{"relu", Activation::relu}, {"gelu", Activation::gelu}});
    std::pair norm(sizes.norm_position, sizes.norm);
    reader.read("--norm", typed.norm, norm,
                {{"post", std::pair(NormPosition::post, Norm::layer)},
                 {"pre", std::pair(NormPosition::pre, Norm::layer)},
                 {"batch", std::pair(NormPosition::post, Norm::batch)},
                 {"batch-pre", std::pair(NormPosition::pre, Norm::batch)}});
    std::tie(sizes.norm_position, sizes.norm) = norm;
    reader.read("--positions", typed.positions, sizes.positional_encoding,
                {{"sinusoidal", PositionalEncoding::sinusoidal},
                 {"learned", PositionalEncoding::learned},
                 {"none", PositionalEncoding::none}});
    if (typed.final_norm) sizes.final_norm = true;
}

void read_training(ArgumentReader& reader, const TrainArguments& typed, Plan& plan) {
    TrainingOptions& options = plan.state.options;
    ModelConfig& config = plan.model ? plan.model->config : plan.sizes;
    reader.read("--dropout", typed.dropout, config.dropout, 0, 0.99);
    reader.read("--batch", typed.batch, options.batch_size, 1, 65'536);
    reader.read("--learning-rate", typed.learning_rate, options.schedule.peak, 0, 1e30);
    reader.read("--warmup", typed.warmup, options.schedule.warmup, 0, any);
    enum class Course { inverse_sqrt, linear, constant };
    Course course = plan.to_zero                ? Course::linear
                    : options.schedule.constant ? Course::constant
                                                : Course::inverse_sqrt;
    reader.read(
        "--schedule", typed.schedule, course,
        {{"inverse-sqrt", Course::inverse_sqrt}, {"linear", Course::linear}, {"constant", Course::constant}});
    if (typed.constant_rate) course = Course::constant;
    options.schedule.constant = course == Course::constant;
    plan.to_zero = course == Course::linear;
    reader.read("--store", typed.store, plan.state.stored, {{"f32", StoredAs::f32}, {"f16", StoredAs::f16}});
    reader.read("--label-smoothing", typed.label_smoothing, options.label_smoothing, 0, 0.99);
    reader.read("--clip", typed.clip, options.clip_norm, 0, 1e9);
    reader.read("--seed", typed.seed, options.seed);
    options.threads = threads_of_machine();
    reader.read("--threads", typed.threads, options.threads, 1, 256);
    reader.read("--steps", typed.steps, plan.steps, 1, any);
    reader.read("--report-every", typed.report_every, plan.limits.record_every, 1, any);
    reader.read("--until-exact", typed.until_exact, plan.limits.until_exact, 1e-9, 1);
}

// The folder to go on from, and what it was trained on; or a new model by the recipe of its task.
Result<Plan> make_plan(const TrainArguments& typed, const fs::path& assets) {
    if (!typed.out) return Error{"error.option_missing", {"--out"}};
    const std::vector<TrainArguments::Own> own = typed.own();
    if (own.size() > 1) return Error{"error.options_exclude", {own[0].option, own[1].option}};
    if (typed.task && !own.empty() && *typed.task != own[0].task)
        return Error{"error.options_exclude", {"--task " + *typed.task, own[0].option}};
    Plan plan;
    std::optional<TrainingState> before;
    if (typed.from) {
        const fs::path folder = find_model(assets, *typed.from);
        plan.folder = folder;
        if (const char* option = typed.size_option()) return Error{"error.size_of_existing_model", {option}};
        Result<ModelFiles> model = read_model_folder(folder);
        if (!model) return model.error();
        plan.model = *std::move(model);
        Result<std::optional<TrainingState>> state = read_training_state(folder);
        if (!state) return state.error();
        before = *std::move(state);
    }
    if (!typed.task && own.empty() && !before) return Error{"error.train_on_what", {}};

    std::string task = before ? before->task : "", pairs = before ? before->pairs : "";
    if (typed.task) task = *typed.task, pairs.clear();
    if (!own.empty()) {
        task = own[0].task;
        std::error_code ignored;
        const fs::path whole = fs::absolute(*own[0].file, ignored);
        pairs = whole.empty() ? *own[0].file : whole.string();
    }
    const Recipe recipe = recipe_for(task);
    const bool is_same_task = before && before->task == task; // own pairs may have moved, or grown
    plan.sizes = recipe.sizes;
    // Of a translation only the encoder goes on to sort: that is another training. It has to know any word.
    plan.takes_encoder = plan.model && plan.model->config.architecture == Architecture::encoder_decoder
                         && plan.model->source.is_byte_level()
                         && (task == "sentiment" || task == "everyday-sentiment");
    const bool goes_on = before && !plan.takes_encoder;
    if (plan.takes_encoder) plan.model->config.dropout = recipe.sizes.dropout;
    plan.state.options = goes_on ? before->options : recipe.training;
    plan.to_zero = goes_on ? before->options.schedule.last > 0 : recipe.to_zero;
    if (before) plan.state.stored = before->stored, plan.state.reversed = is_same_task && before->reversed;
    if (is_same_task) plan.state.step = before->step, plan.state.planned = before->planned;
    plan.state.task = task;
    plan.state.pairs = pairs;

    ArgumentReader reader;
    reader.read("--by", typed.unit, plan.state.unit,
                {{"words", TokenizerKind::words},
                 {"characters", TokenizerKind::characters},
                 {"bpe", TokenizerKind::bpe}});
    if (plan.model) // a text is cut as it was
        plan.state.unit = plan.model->source.is_characters()   ? TokenizerKind::characters
                          : plan.model->source.is_byte_level() ? TokenizerKind::bpe
                                                               : TokenizerKind::words;
    if (typed.reversed) plan.state.reversed = true;
    if (before && !typed.distance) plan.state.distance = before->distance;
    reader.read("--distance", typed.distance, plan.state.distance, 0, longest_distance);
    read_sizes(reader, typed, plan);
    const std::vector<std::string>& everyday = everyday_task_names();
    if (std::find(everyday.begin(), everyday.end(), task) != everyday.end())
        plan.state.unit = TokenizerKind::bpe;
    if (plan.state.unit == TokenizerKind::bpe) { // before the task, which learns them
        if (plan.max_words > 0 && plan.max_words < bpe_alphabet)
            return Error{"error.bpe_vocabulary", {*typed.vocabulary, std::to_string(bpe_alphabet)}};
        plan.state.vocabulary = plan.model ? plan.model->source.vocabulary().size() : plan.max_words;
    }
    read_training(reader, typed, plan);
    if (reader.error()) return *reader.error();
    return plan;
}

// Steps are counted from where this call begins: `--steps 100` takes 100 more. Without it, an interrupted run
// takes what it had left, any other as many as its recipe says; with --until-exact there is then no limit.
Index last_step(const Plan& plan, Index begun_at) {
    if (plan.steps > 0) return begun_at + plan.steps;
    if (plan.limits.until_exact > 0) return 0;
    return plan.state.planned > begun_at ? plan.state.planned : begun_at + recipe_for(plan.state.task).steps;
}

std::string line_of(const TrainingRecord& record) {
    return JsonTree{{"step", record.step},
                    {"loss", record.loss},
                    {"token_accuracy", record.token_accuracy},
                    {"exact_match", record.exact_match},
                    {"held_out_loss", record.held_out_loss},
                    {"gradient_norm", record.gradient_norm},
                    {"learning_rate", record.learning_rate},
                    {"steps_per_second", record.steps_per_second},
                    {"seconds", record.seconds}}
        .text();
}

// As its folder; a run without one has a name all the same.
std::string name_of_run(const fs::path& out) {
    std::error_code ignored;
    const fs::path whole = fs::absolute(out, ignored).lexically_normal();
    const std::string name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
    return name.empty() ? "run" : name;
}

class TrainCommand final : public Command {
public:
    std::string_view name() const override { return "train"; }

    void declare(CLI::App& app, const Strings& strings) override {
        const auto add = [&](const char* option, Typed& typed, const char* type, const char* key) {
            app.add_option(option, typed, strings.text(key))->type_name(type);
        };
        add("--task", typed_.task, "NAME", "cli.train.task");
        add("--distance", typed_.distance, "N", "cli.train.distance");
        add("--pairs", typed_.pairs, "FILE.tsv", "cli.train.pairs");
        app.add_flag("--reversed", typed_.reversed, strings.text("cli.train.reversed"));
        add("--labels", typed_.labels, "FILE.tsv", "cli.train.labels");
        add("--text", typed_.text, "FILE", "cli.train.text");
        add("--by", typed_.unit, "words|characters|bpe", "cli.train.by");
        add("--from", typed_.from, "DIR", "cli.train.from");
        add("--out", typed_.out, "DIR", "cli.train.out");
        add("--store", typed_.store, "f32|f16", "cli.train.store");
        add("--steps", typed_.steps, "N", "cli.train.steps");
        add("--until-exact", typed_.until_exact, "F", "cli.train.until_exact");
        add("--report-every", typed_.report_every, "N", "cli.train.report_every");
        add("--seed", typed_.seed, "N", "cli.train.seed");
        add("--threads", typed_.threads, "N", "cli.threads");

        app.option_defaults()->group(strings.text("cli.train.sizes"));
        add("--model", typed_.model, "transformer|rnn|lstm|gru|rnn-fixed|rnn-attention", "cli.train.model");
        add("--parameters", typed_.parameters, "N", "cli.train.parameters");
        add("--max-length", typed_.max_length, "N", "cli.train.max_length");
        add("--preset", typed_.preset, "tiny|small|paper", "cli.train.preset");
        add("--d-model", typed_.d_model, "N", "cli.train.d_model");
        add("--heads", typed_.heads, "N", "cli.train.heads");
        add("--layers", typed_.layers, "N", "cli.train.layers");
        add("--encoder-layers", typed_.encoder_layers, "N", "cli.train.encoder_layers");
        add("--decoder-layers", typed_.decoder_layers, "N", "cli.train.decoder_layers");
        add("--d-ff", typed_.d_ff, "N", "cli.train.d_ff");
        add("--vocabulary", typed_.vocabulary, "N", "cli.train.vocabulary");
        add("--activation", typed_.activation, "relu|gelu", "cli.train.activation");
        add("--norm", typed_.norm, "post|pre|batch|batch-pre", "cli.train.norm");
        app.add_flag("--final-norm", typed_.final_norm, strings.text("cli.train.final_norm"));
        add("--positions", typed_.positions, "sinusoidal|learned|none", "cli.train.positions");

        app.option_defaults()->group(strings.text("cli.train.optimizer"));
        add("--batch", typed_.batch, "N", "cli.train.batch");
        add("--learning-rate", typed_.learning_rate, "F", "cli.train.learning_rate");
        add("--warmup", typed_.warmup, "N", "cli.train.warmup");
        add("--schedule", typed_.schedule, "inverse-sqrt|linear|constant", "cli.train.schedule");
        app.add_flag("--constant-rate", typed_.constant_rate, strings.text("cli.train.constant_rate"));
        add("--dropout", typed_.dropout, "F", "cli.train.dropout");
        add("--label-smoothing", typed_.label_smoothing, "F", "cli.train.label_smoothing");
        add("--clip", typed_.clip, "F", "cli.train.clip");
    }

    int run(Terminal& terminal, const fs::path& assets) override {
        Result<Plan> plan = make_plan(typed_, assets);
        if (!plan) return terminal.refuse(plan.error());
        Result<std::unique_ptr<Task>> task = make_task_of(plan->state, assets.string());
        if (!task) return terminal.refuse(task.error());
        if (const Result<Done> ours = check_out_folder(*typed_.out); !ours)
            return terminal.refuse(ours.error());
        // Before the training, not after it; and nobody else's until it ends.
        Result<FolderTransaction> out = FolderTransaction::begin(*typed_.out);
        if (!out) return terminal.fail(out.error());

        const bool goes_on = plan->model && plan->state.step > 0;
        auto begun =
            plan->takes_encoder ? TrainingRun::begin_with_encoder(*std::move(task), *plan->model, plan->state)
            : plan->model
                ? TrainingRun::resume(*std::move(task), *std::move(plan->model), plan->state, plan->folder)
                : TrainingRun::begin(*std::move(task), plan->sizes, plan->max_words, plan->state,
                                     plan->request);
        if (!begun) return terminal.refuse(begun.error());
        TrainingRun& run = **begun;
        plan->limits.last_step = last_step(*plan, run.steps());
        plan->state.options.schedule.last = plan->to_zero ? plan->limits.last_step : 0;
        run.set_schedule(plan->state.options.schedule);
        if (goes_on && !run.continues_exactly())
            terminal.remark(terminal.strings().text("cli.train.optimizer_anew", {*typed_.from}));
        if (run.task().held_out_is_training())
            terminal.remark(terminal.strings().text("cli.train.held_out_is_training"));
        RunRecorder recorder(run, plan->state, plan->limits, name_of_run(*typed_.out));
        if (goes_on) recorder.begin_with(plan->folder);
        return finish(terminal, run, plan->limits, recorder, *std::move(out));
    }

private:
    int finish(Terminal& terminal, TrainingRun& run, const RunLimits& limits, RunRecorder& recorder,
               FolderTransaction folder) {
        Interruption interruption; // until all is saved
        const auto report = [&](const TrainingRecord& record) {
            recorder.add(record);
            // Nobody reads on: as good as Ctrl-C.
            if (!terminal.print(line_of(record))) interruption.flag() = true;
        };
        const RunEnd end =
            run.run(limits, interruption.flag(), report, [&](const StepResult& step) { recorder.add(step); });
        Result<Done> saved = run.write(folder, limits.last_step);
        if (saved) saved = recorder.write(folder);
        if (saved) saved = folder.commit();
        if (!saved) return terminal.fail(saved.error());

        const std::string& out = *typed_.out;

        const std::string step = std::to_string(run.steps());
        const Strings& strings = terminal.strings();
        if (end == RunEnd::told) terminal.remark(strings.text("cli.train.interrupted", {step, out}));
        if (end == RunEnd::not_finite)
            return terminal.fail({"error.training_not_finite",
                                  {std::to_string(run.steps() + 1), run.first_not_finite(), step, out}});
        if (end == RunEnd::last_step && limits.until_exact > 0)
            return terminal.fail({"error.not_exact_enough", {*typed_.until_exact, step, out}});
        return terminal.end();
    }

    TrainArguments typed_;
};

} // namespace

std::unique_ptr<Command> make_train_command() { return std::make_unique<TrainCommand>(); }

} // namespace headlight
