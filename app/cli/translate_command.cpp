#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/session/assets.h"
#include "engine/decode/beam.h"
#include "engine/decode/greedy.h"
#include "engine/io/model_folder.h"
#include "engine/train/encoded_task.h"

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
            const Result<std::string> line = translation(*files, *model, sentence, ++number);
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
    Result<std::string> translation(const ModelFiles& files, Model& model, const std::string& sentence,
                                    std::size_t number) const {
        const std::vector<TokenId> source = encode_with_end(files.source, sentence, files.config.eos_id);
        if (source.size() == 1) return std::string(); // nothing was said
        if (Index(source.size()) > files.config.max_length)
            return Error{"error.sentence_too_long",
                         {std::to_string(number), std::to_string(source.size() - 1),
                          std::to_string(files.config.max_length - 1)}};
        return files.target.decode(width_ == 1 ? greedy_decode(model, source)
                                               : beam_search(model, source, width_));
    }

    Typed model_, beam_;
    Index width_ = 1;
    std::vector<std::string> sentences_;
};

} // namespace

std::unique_ptr<Command> make_translate_command() { return std::make_unique<TranslateCommand>(); }

} // namespace headlight
