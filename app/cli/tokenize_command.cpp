#include "app/cli/command.h"
#include "app/session/assets.h"
#include "engine/io/tokenizer_folder.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace headlight {

namespace {

enum class Side { source, target };

class TokenizeCommand final : public Command {
public:
    std::string_view name() const override { return "tokenize"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--model", model_, strings.text("cli.tokenize.model"))->type_name("DIR");
        app.add_option("--side", side_, strings.text("cli.tokenize.side"))->type_name("source|target");
        app.add_flag("--pieces", pieces_, strings.text("cli.tokenize.pieces"));
    }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        Side side = Side::source;
        ArgumentReader reader;
        reader.require("--model", model_);
        reader.read("--side", side_, side, {{"source", Side::source}, {"target", Side::target}});
        if (reader.error()) return terminal.refuse(*reader.error());
        const Result<Tokenizers> tokenizers = read_tokenizers(find_model(assets, *model_));
        if (!tokenizers) return terminal.refuse(tokenizers.error());
        const Tokenizer& tokenizer = side == Side::source ? tokenizers->source : tokenizers->target;

        bool is_good = true;
        // A line that cannot be cut leaves its line of the output empty.
        for (std::string line; std::getline(std::cin, line);) {
            if (line.ends_with('\r')) line.pop_back();
            const Result<std::vector<Piece>> pieces = tokenizer.try_encode(line);
            if (!pieces) terminal.refuse(pieces.error());
            is_good = is_good && pieces;
            if (!terminal.print(pieces ? written(tokenizer, *pieces) : std::string())) break;
        }
        return is_good ? terminal.end() : misused;
    }

private:
    std::string written(const Tokenizer& tokenizer, const std::vector<Piece>& pieces) const {
        std::vector<TokenId> sentence;
        for (const Piece& piece : pieces) sentence.push_back(piece.id);
        std::string line, between;
        for (TokenId id : model_input(tokenizer.parts().post_processor, sentence).ids) {
            line += between + (pieces_ ? tokenizer.vocabulary().token(id) : std::to_string(id));
            between = pieces_ ? "\t" : " ";
        }
        return line;
    }

    Typed model_, side_;
    bool pieces_ = false;
};

} // namespace

std::unique_ptr<Command> make_tokenize_command() { return std::make_unique<TokenizeCommand>(); }

} // namespace headlight
