#include "app/cli/asked_model.h"
#include "app/cli/command.h"
#include "app/cli/word_choice.h"
#include "app/session/assets.h"
#include "app/session/interruption.h"
#include "app/session/sentence.h"
#include "app/session/translation.h"
#include "engine/decode/writing.h"
#include "engine/inspect/heads.h"
#include "engine/io/model_folder.h"
#include "engine/ops/leaves.h"
#include "engine/train/trainer.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numeric>

namespace headlight {

namespace {

class TranslateCommand final : public Command {
public:
    std::string_view name() const override { return "translate"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--model", model_, strings.text("cli.model"))->type_name("DIR");
        choice_.declare(app, strings);
        app.add_option("--probable", probable_, strings.text("cli.translate.probable"))->type_name("N");
        app.add_flag("--back", reads_back_, strings.text("cli.translate.back"));
        app.add_flag("--silence-words", silences_words_, strings.text("cli.translate.silence_words"));
    }

    std::vector<std::string>* words() override { return &sentences_; }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        ArgumentReader reader;
        reader.require("--model", model_);
        choice_.read(reader);
        reader.read("--probable", probable_, most_probable_, 1, 1000);
        if (reader.error()) return terminal.refuse(*reader.error());
        const std::filesystem::path files_folder = find_model(assets, *model_);
        Result<ModelFiles> files = read_model_folder(files_folder);
        if (!files) return terminal.refuse(files.error());
        const auto model = files->build(files->parameters);
        if (const char* option = choice_.asked_of_writer(); option && !model->map.target())
            return terminal.refuse({"error.option_of_writer", {option}});

        if (reads_back_)
            if (const Result<Done> opened = open_opposite(files_folder); !opened)
                return terminal.refuse(opened.error());

        bool is_good = true, is_stopped = false;
        std::size_t number = 0;
        // A sentence that cannot be translated leaves its line empty: line n is always that of sentence n.
        const auto translate = [&](const std::string& sentence) {
            // While words are written, Ctrl-C stops them; who waits for a sentence to be typed is ended by
            // it.
            Interruption interruption;
            const Result<std::string> line = told(*files, *model, sentence, ++number, interruption.flag());
            if (line)
                warn_of_unknown(terminal, files->source, sentence, number);
            else
                terminal.refuse(line.error());
            is_good = is_good && line;
            is_stopped = interruption.flag();
            return terminal.print(line ? *line : std::string()) && !is_stopped;
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
        if (is_stopped)
            terminal.remark(terminal.strings().text("cli.translate.interrupted", {std::to_string(number)}));
        return is_good ? terminal.end() : misused;
    }

private:
    // The model of the other direction, which reads answers back.
    Result<Done> open_opposite(const std::filesystem::path& folder) {
        const auto opposite = opposite_model(folder);
        if (!opposite) return Error{"error.no_opposite", {folder.string()}};
        Result<ModelFiles> files = read_model_folder(*opposite);
        if (!files) return files.error();
        back_files_ = std::make_unique<ModelFiles>(*std::move(files));
        back_ = back_files_->build(back_files_->parameters);
        return Done{};
    }

    // An answer to words that are not known is a guess, and does not look like one.
    static void warn_of_unknown(Terminal& terminal, const Tokenizer& reader, const std::string& sentence,
                                std::size_t number) {
        std::string words;
        for (const Piece& piece : reader.encode(sentence))
            if (!piece.known) words += (words.empty() ? "“" : ", “") + piece.text + "”";
        if (!words.empty())
            terminal.remark(
                terminal.strings().text("cli.translate.unknown", {std::to_string(number), words}));
    }

    // What it says, and what was asked to be told with it.
    Result<std::string> told(const ModelFiles& files, Model& model, const std::string& sentence,
                             std::size_t number_of_it, const std::atomic<bool>& stop) const {
        const Result<std::vector<TokenId>> ids = given_ids(files, model.map, sentence, number_of_it);
        if (!ids) return ids.error();
        const std::vector<TokenId>& given = *ids;
        if (given.empty()) return std::string();
        std::vector<ChosenAnswer> answers;
        if (model.map.target()) answers = choice_.answers(model, given, stop);
        std::string said = model.map.target() ? lines_of(files, model, sentence, given, answers)
                                              : answer_of_reader(files, model, given);
        if (model.map.target() ? !are_finite(answers) : !is_finite(model.map.output.values->value)) {
            if (model.map.target()) { // while words are written a pass is never whole
                const Writing prefix(model, given);
                model.graph.forward();
            }
            const auto found = first_not_finite(model.graph);
            return Error{
                "error.answer_not_finite",
                {std::to_string(number_of_it), found ? to_string(*found) : model.map.output.values->path}};
        }
        if (model.map.output.meaning == Output::Meaning::classes) {
            const auto best = TokenId(model.map.output.chosen->value(0, 0, 0)); // as it was just computed
            said += "\t" + number(watched(model, 0, best, SweepMeasure::probability));
            if (silences_words_ && model.map.streams.size() == 1) said += silenced(files, model, given, best);
        }
        if (back_ && !choice_.as_json() && answers.size() == 1)
            said += "\t" + run_sentence(*back_files_, *back_, said, {}).output;
        if (most_probable_ > 0) said += distributions(files, model, given);
        return said;
    }

    static bool is_finite(const Tensor& x) {
        return std::all_of(x.data(), x.data() + x.size(), [](Real number) { return std::isfinite(number); });
    }
    static bool are_finite(const std::vector<ChosenAnswer>& answers) {
        return !answers.empty() && std::ranges::all_of(answers, [](const ChosenAnswer& answer) {
            return std::ranges::none_of(
                answer.said, [](const SaidWord& word) { return std::isnan(word.log_probability); });
        });
    }

    // A line for each answer that was asked for.
    std::string lines_of(const ModelFiles& files, Model& model, const std::string& sentence,
                         const std::vector<TokenId>& given, const std::vector<ChosenAnswer>& answers) const {
        std::string lines;
        for (const ChosenAnswer& answer : answers)
            lines += (lines.empty() ? "" : "\n")
                     + (choice_.as_json() ? choice_.json(files, model, sentence, given, answer)
                                          : files.target.decode(answer.words));
        return lines;
    }

    static std::string number(double x) {
        char text[32];
        std::snprintf(text, sizeof text, "%.3f", x);
        return text;
    }

    // After the line of the answer one for each word that is said: what else it might have been. Of what is
    // written that is the word after those that were given.
    std::string distributions(const ModelFiles& files, Model& model, std::vector<TokenId> given) const {
        const Stream& stream = model.map.source() ? *model.map.source() : *model.map.target();
        if (model.map.source() && model.map.target()) return {};
        if (stream.is_written) given.insert(given.begin(), stream.before.begin(), stream.before.end());
        feed(stream.tokens, given, 1, Index(given.size()));
        model.graph.forward(0, model.end_of_output());
        const Tensor& logits = model.map.output.values->value;
        std::string text;
        for (Index row = stream.is_written ? logits.rows() - 1 : 0; row < logits.rows(); ++row) {
            std::vector<Index> order(std::size_t(logits.columns()));
            std::iota(order.begin(), order.end(), Index(0));
            const Real* scores = logits.row(0, row);
            std::stable_sort(order.begin(), order.end(),
                             [&](Index a, Index b) { return scores[a] > scores[b]; });
            order.resize(std::min(order.size(), std::size_t(most_probable_)));
            text += "\n ";
            for (const Index id : order)
                text += " " + said_label(files, model.map, id) + " "
                        + number(watched(model, row, TokenId(id), SweepMeasure::probability));
        }
        return text;
    }

    // After the line of the answer one for each word: by how much the answer is less probable without it.
    static std::string silenced(const ModelFiles& files, Model& model, const std::vector<TokenId>& given,
                                TokenId said) {
        const double whole = watched(model, 0, said, SweepMeasure::probability);
        const std::vector<double> without =
            watch_silenced_words(model, given, files.config.pad_id, {0, said});
        std::string text;
        const std::size_t words = given.size() - model.map.source()->after.size();
        for (std::size_t i = model.map.source()->before.size(); i < words; ++i)
            text += "\n  " + token_label(files.source, given[i]) + "\t" + number(whole - without[i]);
        return text;
    }

    Typed model_, probable_;
    WordChoice choice_;
    Index most_probable_ = 0;
    bool silences_words_ = false, reads_back_ = false;
    std::unique_ptr<ModelFiles> back_files_;
    std::unique_ptr<Model> back_;
    std::vector<std::string> sentences_;
};

} // namespace

std::unique_ptr<Command> make_translate_command() { return std::make_unique<TranslateCommand>(); }

} // namespace headlight
