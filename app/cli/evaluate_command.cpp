#include "app/cli/asked_model.h"
#include "app/cli/command.h"
#include "app/cli/head_table.h"
#include "app/session/assets.h"
#include "app/session/translation.h"
#include "engine/decode/writing.h"
#include "engine/io/json_reader.h"
#include "engine/io/model_folder.h"
#include "engine/task/pairs.h"
#include "engine/task/tasks.h"
#include "engine/text/words.h"
#include "engine/train/evaluate.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace headlight {

namespace {

Result<std::vector<EncodedPair>> encode(const std::vector<SentencePair>& pairs, const ModelFiles& model,
                                        bool target_ends = true) {
    std::vector<EncodedPair> encoded;
    for (const SentencePair& pair : pairs) {
        Result<EncodedPair> one = encode_pair(pair, {model.source, model.target}, model.config, target_ends);
        if (!one) return one.error();
        encoded.push_back(*std::move(one));
    }
    return encoded;
}

class EvaluateCommand final : public Command {
public:
    std::string_view name() const override { return "evaluate"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--model", model_, strings.text("cli.model"))->type_name("DIR");
        app.add_option("--pairs", pairs_, strings.text("cli.evaluate.pairs"))->type_name("FILE.tsv");
        app.add_flag("--reversed", reversed_, strings.text("cli.train.reversed"));
        app.add_option("--task", task_, strings.text("cli.evaluate.task"))->type_name("NAME");
        app.add_option("--distances", distances_, strings.text("cli.evaluate.distances"))->type_name("N,N,…");
        app.add_flag("--confidence", learns_confidence_, strings.text("cli.evaluate.confidence"));
        app.add_flag("--silence", silences_, strings.text("cli.evaluate.silence"));
        app.add_option("--threads", typed_threads_, strings.text("cli.threads"))->type_name("N");
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        int threads = threads_of_machine();
        ArgumentReader reader;
        reader.require("--model", model_);
        if (!task_) reader.require("--pairs", pairs_);
        reader.read("--threads", typed_threads_, threads, 1, 256);
        if (reader.error()) return terminal.refuse(*reader.error());
        Result<ModelFiles> model = read_model_folder(find_model(assets, *model_));
        if (!model) return terminal.refuse(model.error());
        const auto built = model->build(model->parameters);
        if (model->family && (!built->map.source() || !built->map.target()))
            return terminal.refuse({"error.evaluate_no_pairs", {*model_}});
        Workers workers(threads);
        Evaluator evaluator(model->config, model->parameters, 8, model->family.get());
        const std::vector<std::string>& memory = memory_task_names();
        if (task_ && std::find(memory.begin(), memory.end(), *task_) != memory.end())
            return by_distance(terminal, *model, evaluator, workers);
        if (task_) {
            const Result<std::unique_ptr<Task>> task = make_task(*task_, assets.string());
            if (!task) return terminal.refuse(task.error());
            if (silences_) {
                const Result<Done> printed = print_head_table(terminal, *model, **task, assets.string());
                return printed ? terminal.end() : terminal.refuse(printed.error());
            }
            if (learns_confidence_)
                return learn_confidence(terminal, find_model(assets, *model_), *model, *built,
                                        (*task)->held_out());
            const Result<Evaluation> judged = judge(**task, *model, evaluator, workers);
            if (!judged) return terminal.refuse(judged.error());
            terminal.print(object_of(*judged).text());
            return terminal.end();
        }
        const Result<std::vector<SentencePair>> pairs = read_all_pairs(*pairs_, reversed_);
        if (!pairs) return terminal.refuse(pairs.error());
        if (pairs->empty()) return terminal.refuse({"error.pairs_none", {*pairs_}});
        const Result<std::vector<EncodedPair>> encoded = encode(*pairs, *model);
        if (!encoded) return terminal.refuse(encoded.error());

        terminal.print(object_of(evaluator.evaluate(*encoded, workers)).text());
        return terminal.end();
    }

private:
    static JsonTree object_of(const Evaluation& judged) {
        return {{"exact_match", judged.exact_match},
                {"token_accuracy", judged.token_accuracy},
                {"loss", judged.loss},
                {"pairs", judged.pairs}};
    }

    // On what the task holds out.
    static Result<Evaluation> judge(const Task& task, const ModelFiles& model, Evaluator& evaluator,
                                    Workers& workers) {
        Result<std::vector<EncodedPair>> encoded = encode(task.held_out(), model, task.target_ends());
        if (!encoded) return encoded.error();
        for (EncodedPair& pair : *encoded) pair.prefix_counts = task.prefix_counts();
        return evaluator.evaluate(*encoded, workers);
    }

    // How far this model's answers can be trusted: learnt from every other sentence that the task holds out,
    // and held against the rest of them.
    static int learn_confidence(Terminal& terminal, const std::filesystem::path& folder,
                                const ModelFiles& files, Model& model,
                                const std::vector<SentencePair>& pairs) {
        if (!model.map.source() || !model.map.target() || !model.map.output.is_next_word())
            return terminal.refuse({"error.evaluate_no_answers", {folder.string()}});
        std::vector<JudgedAnswer> learnt_from, held_against;
        double chrf_sum = 0;
        std::size_t number = 0;
        for (const SentencePair& pair : pairs) {
            const Result<std::vector<TokenId>> given = given_ids(files, model.map, pair.source, ++number);
            if (!given || given->empty()) continue; // longer than it reads
            Writing writing(model, *given);
            const Answer answer = write_answer(writing, {});
            const double score = chrf_of_words(files.target.decode(answer.words()), pair.target);
            chrf_sum += score;
            (number % 2 ? learnt_from : held_against)
                .push_back({evidence_of(answer.said), score >= right_from});
        }
        const Confidence confidence = fit_confidence(learnt_from);
        const std::vector<ReliabilityBin> bins = reliability(confidence, held_against);
        if (const Result<Done> written = write_confidence(folder, confidence, bins); !written)
            return terminal.refuse(written.error());
        for (const ReliabilityBin& bin : bins)
            if (!terminal.print(
                    JsonTree{{"predicted", bin.predicted}, {"right", bin.right}, {"answers", bin.answers}}
                        .text()))
                break; // nobody reads on
        const auto judged = double(learnt_from.size() + held_against.size());
        terminal.print(
            JsonTree{{"chrf", judged > 0 ? chrf_sum / judged : 0.0}, {"answers", Index(judged)}}.text());
        return terminal.end();
    }

    // A line for each distance of a task of memory, on sentences of its own.
    int by_distance(Terminal& terminal, const ModelFiles& model, Evaluator& evaluator,
                    Workers& workers) const {
        std::string text = distances_ ? *distances_ : std::to_string(usual_distance);
        std::replace(text.begin(), text.end(), ',', ' ');
        for (const std::string& word : words_of(text)) {
            Index distance = 0;
            ArgumentReader reader;
            reader.read("--distances", word, distance, 0, longest_distance);
            if (reader.error()) return terminal.refuse(*reader.error());
            const Result<Evaluation> judged =
                judge(*make_memory_task(*task_, distance), model, evaluator, workers);
            if (!judged) return terminal.refuse(judged.error());
            const JsonTree line{{"distance", distance},
                                {"exact_match", judged->exact_match},
                                {"token_accuracy", judged->token_accuracy},
                                {"loss", judged->loss},
                                {"pairs", judged->pairs}};
            if (!terminal.print(line.text())) break; // nobody reads on
        }
        return terminal.end();
    }

    Typed model_, pairs_, typed_threads_, task_, distances_;
    bool reversed_ = false, learns_confidence_ = false, silences_ = false;
};

} // namespace

std::unique_ptr<Command> make_evaluate_command() { return std::make_unique<EvaluateCommand>(); }

} // namespace headlight
