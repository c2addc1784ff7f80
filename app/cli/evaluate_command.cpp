#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/session/assets.h"
#include "engine/io/json_tree.h"
#include "engine/io/model_folder.h"
#include "engine/task/pairs.h"
#include "engine/train/encoded_task.h"
#include "engine/train/evaluate.h"

#include <CLI/CLI.hpp>

namespace headlight {

namespace {

Result<std::vector<EncodedPair>> encode(const PairFile& file, const ModelFiles& model) {
    std::vector<EncodedPair> encoded;
    for (const SentencePair& pair : file.pairs) {
        Result<EncodedPair> one = encode_pair(pair, {model.source, model.target}, model.config);
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
        app.add_option("--threads", typed_threads_, strings.text("cli.threads"))->type_name("N");
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        int threads = threads_of_machine();
        ArgumentReader reader;
        reader.require("--model", model_);
        reader.require("--pairs", pairs_);
        reader.read("--threads", typed_threads_, threads, 1, 256);
        if (reader.error()) return terminal.refuse(*reader.error());
        Result<ModelFiles> model = read_model_folder(find_model(assets, *model_));
        if (!model) return terminal.refuse(model.error());
        const auto built = model->build(model->parameters);
        if (model->family && (!built->map.source() || !built->map.target()))
            return terminal.refuse({"error.evaluate_no_pairs", {*model_}});
        const Result<PairFile> file = read_pairs(*pairs_);
        if (!file) return terminal.refuse(file.error());
        if (!file->refused.empty()) {
            const RefusedLine& line = file->refused.front();
            return terminal.refuse({line.reason, {*pairs_, std::to_string(line.line)}});
        }
        if (file->pairs.empty()) return terminal.refuse({"error.pairs_none", {*pairs_}});
        const Result<std::vector<EncodedPair>> encoded = encode(*file, *model);
        if (!encoded) return terminal.refuse(encoded.error());

        Workers workers(threads);
        const Evaluation judged =
            Evaluator(model->config, model->parameters, 8, model->family.get()).evaluate(*encoded, workers);
        terminal.print(JsonTree{{"exact_match", judged.exact_match},
                                {"token_accuracy", judged.token_accuracy},
                                {"loss", judged.loss},
                                {"pairs", judged.pairs}}
                           .text());
        return terminal.end();
    }

private:
    Typed model_, pairs_, typed_threads_;
};

} // namespace

std::unique_ptr<Command> make_evaluate_command() { return std::make_unique<EvaluateCommand>(); }

} // namespace headlight
