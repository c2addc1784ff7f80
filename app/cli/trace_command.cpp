#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/session/assets.h"
#include "engine/decode/greedy.h"
#include "engine/io/model_folder.h"
#include "engine/io/trace.h"
#include "engine/ops/leaves.h"

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
        const Stream *read = model.map.source(), *written = model.map.target();
        if (target_ && !written) return Error{"error.option_of_other_model", {"--target"}};
        if (pad_to_ && !read) return Error{"error.option_of_other_model", {"--pad-to"}};
        const auto too_long = [](const char* option, std::size_t words, Index room) {
            return Error{"error.text_too_long", {option, std::to_string(words), std::to_string(room)}};
        };
        const std::vector<TokenId> words = files.source.encode_ids(*text_);
        std::vector<TokenId> source = as_given(model.map, words);
        const Index around = Index(source.size() - words.size()) + (read ? 0 : 1); // </s>, or <s>
        if (Index(words.size()) + around > config.max_length)
            return too_long("--text", words.size(), config.max_length - around);
        if (read) {
            Index length = Index(source.size());
            ArgumentReader reader;
            reader.read("--pad-to", pad_to_, length, length, config.max_length);
            if (reader.error()) return reader.error();
            source.resize(std::size_t(length), config.pad_id);
        }
        if (!target_) {
            most_probable_answer(model, source);
            return std::nullopt;
        }
        std::vector<TokenId> target = files.target.encode_ids(*target_);
        if (!read) target.insert(target.begin(), source.begin(), source.end());
        target.insert(target.begin(), written->before.begin(), written->before.end());
        if (Index(target.size()) > config.max_length)
            return too_long("--target", target.size() - 1, config.max_length - 1);
        if (read) feed(read->tokens, source, 1, Index(source.size()));
        feed(written->tokens, target, 1, Index(target.size()));
        model.graph.forward();
        return std::nullopt;
    }

    Typed model_, text_, target_, pad_to_, out_;
};

} // namespace

std::unique_ptr<Command> make_trace_command() { return std::make_unique<TraceCommand>(); }

} // namespace headlight
