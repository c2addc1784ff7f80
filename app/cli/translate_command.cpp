#include "app/cli/arguments.h"
#include "app/cli/asked_model.h"
#include "app/cli/command.h"
#include "app/session/assets.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace headlight {

namespace {

class TranslateCommand final : public Command {
public:
    std::string_view name() const override { return "translate"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--model", model_, strings.text("cli.model"))->type_name("DIR");
        app.add_option("--beam", beam_, strings.text("cli.translate.beam"))->type_name("K");
    }

    std::vector<std::string>* words() override { return &sentences_; }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        ArgumentReader reader;
        reader.require("--model", model_);
        reader.read("--beam", beam_, width_, 1, 64);
        if (reader.error()) return terminal.refuse(*reader.error());
        Result<ModelFiles> files = read_model_folder(find_model(assets, *model_));
        if (!files) return terminal.refuse(files.error());
        const auto model = files->build(files->parameters, {.probabilities = false});

        bool is_good = true;
        std::size_t number = 0;
        // A sentence that cannot be translated leaves its line empty: line n is always that of sentence n.
        const auto translate = [&](const std::string& sentence) {
            const Result<std::string> line = answer(*files, *model, sentence, ++number, width_);
            if (!line) terminal.refuse(line.error());
            is_good = is_good && line;
            return terminal.print(line ? *line : std::string());
        };
        if (!sentences_.empty()) {
            for (const std::string& sentence : sentences_)
                if (!translate(sentence)) break;
        } else {
            for (std::string line; std::getline(std::cin, line);) {
                if (line.ends_with('\r')) line.pop_back();
                if (!translate(line)) break;
            }
        }
        return is_good ? terminal.end() : misused;
    }

private:
    Typed model_, beam_;
    Index width_ = 1;
    std::vector<std::string> sentences_;
};

} // namespace

std::unique_ptr<Command> make_translate_command() { return std::make_unique<TranslateCommand>(); }

} // namespace headlight
