#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/session/assets.h"
#include "engine/decode/greedy.h"
#include "engine/io/model_folder.h"
#include "engine/io/trace.h"
#include "engine/ops/leaves.h"
#include "engine/train/encoded_task.h"

#include <CLI/CLI.hpp>

namespace headlight {

namespace {

class TraceCommand final : public Command {
public:
    std::string_view name() const override { return "trace"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--model", model_, strings.text("cli.model"))->type_name("DIR");
        app.add_option("--text", text_, strings.text("cli.trace.text"))->type_name("S");
        app.add_option("--target", target_, strings.text("cli.trace.target"))->type_name("S");
        app.add_option("--pad-to", pad_to_, strings.text("cli.trace.pad_to"))->type_name("N");
        app.add_option("--out", out_, strings.text("cli.trace.out"))->type_name("FILE.safetensors");
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        ArgumentReader reader;
        reader.require("--model", model_);
        reader.require("--text", text_);
        reader.require("--out", out_);
        if (reader.error()) return terminal.refuse(*reader.error());
        Result<ModelFiles> files = read_model_folder(find_model(assets, *model_));
        if (!files) return terminal.refuse(files.error());
        const auto model = files->build(files->parameters);
        if (const auto error = compute(*files, *model)) return terminal.refuse(*error);
        const Result<Done> written =
            write_trace(*out_, *model, files->source.vocabulary(), files->target.vocabulary());
        return written ? terminal.end() : terminal.fail(written.error());
    }

private:
    std::optional<Error> compute(const ModelFiles& files, Model& model) const {
        const ModelConfig& config = files.config;
        std::vector<TokenId> source = encode_with_end(files.source, *text_, config.eos_id);
        if (Index(source.size()) > config.max_length)
            return Error{
                "error.text_too_long",
                {"--text", std::to_string(source.size() - 1), std::to_string(config.max_length - 1)}};
        Index length = Index(source.size());
        ArgumentReader reader;
        reader.read("--pad-to", pad_to_, length, length, config.max_length);
        if (reader.error()) return reader.error();
        source.resize(std::size_t(length), config.pad_id);

        if (!target_) {
            greedy_decode(model, source);
            return std::nullopt;
        }
        std::vector<TokenId> target = files.target.encode_ids(*target_);
        target.insert(target.begin(), config.bos_id);
        if (Index(target.size()) > config.max_length)
            return Error{
                "error.text_too_long",
                {"--target", std::to_string(target.size() - 1), std::to_string(config.max_length - 1)}};
        feed(model.map.source()->tokens, source, 1, Index(source.size()));
        feed(model.map.target()->tokens, target, 1, Index(target.size()));
        model.graph.forward();
        return std::nullopt;
    }

    Typed model_, text_, target_, pad_to_, out_;
};

} // namespace

std::unique_ptr<Command> make_trace_command() { return std::make_unique<TraceCommand>(); }

} // namespace headlight
