#include "app/cli/asked_model.h"
#include "app/cli/command.h"
#include "app/session/assets.h"
#include "engine/decode/writing.h"
#include "engine/io/trace.h"
#include "engine/ops/gather.h"
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
        app.add_option("--second", second_, strings.text("cli.trace.second"))->type_name("S");
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
        const Stream *source = model.map.source(), *target = model.map.target();
        if (target_ && !target) return Error{"error.option_of_other_model", {"--target"}};
        if (pad_to_ && !source) return Error{"error.option_of_other_model", {"--pad-to"}};
        FedText fed = second_ ? fed_text(files.source, source ? *source : *target, *text_, *second_)
                              : fed_text(files.source, source ? *source : *target, *text_);
        if (const auto error = too_long("--text", fed.ids, source ? *source : *target)) return error;
        if (!source) return continued(files, model, std::move(fed.ids));

        Index length = Index(fed.ids.size());
        ArgumentReader reader;
        reader.read("--pad-to", pad_to_, length, length, source->max_length);
        if (reader.error()) return reader.error();
        if (length > Index(fed.ids.size())) fed.ids.resize(std::size_t(length), files.config.pad_id);
        if (source->types) feed_types(source->types, fed.types);

        if (!target_) {
            most_probable_answer(model, fed.ids);
            return std::nullopt;
        }
        const std::vector<TokenId> words = target->around(files.target.encode_ids(*target_));
        if (const auto error = too_long("--target", words, *target)) return error;
        feed(source->tokens, fed.ids, 1, length);
        feed(target->tokens, words, 1, Index(words.size()));
        model.graph.forward();
        return std::nullopt;
    }

    // A decoder alone is fed the text, and behind it what it should go on with.
    std::optional<Error> continued(const ModelFiles& files, Model& model, std::vector<TokenId> ids) const {
        const Stream& stream = *model.map.target();
        if (target_) {
            const std::vector<TokenId> more = files.target.encode_ids(*target_);
            ids.insert(ids.end(), more.begin(), more.end());
        }
        if (ids.empty()) ids = prefix(model.map, ids);
        if (const auto error = too_long(target_ ? "--target" : "--text", ids, stream)) return error;
        feed(stream.tokens, ids, 1, Index(ids.size()));
        model.graph.forward();
        return std::nullopt;
    }

    static std::optional<Error> too_long(const char* option, const std::vector<TokenId>& ids,
                                         const Stream& stream) {
        const Index around = stream.max_length - stream.max_words();
        if (Index(ids.size()) <= stream.max_length) return std::nullopt;
        return Error{
            "error.text_too_long",
            {option, std::to_string(Index(ids.size()) - around), std::to_string(stream.max_words())}};
    }

    Typed model_, text_, second_, target_, pad_to_, out_;
};

} // namespace

std::unique_ptr<Command> make_trace_command() { return std::make_unique<TraceCommand>(); }

} // namespace headlight
