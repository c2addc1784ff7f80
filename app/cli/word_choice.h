// How a command chooses the words of an answer: the options for it, and what comes of them.
#pragma once

#include "app/cli/command.h"
#include "app/session/strings.h"
#include "engine/decode/beam.h"
#include "engine/decode/writing.h"
#include "engine/io/model_folder.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace headlight {

// Of one sentence, one of the answers that were asked for.
struct ChosenAnswer {
    std::vector<TokenId> words; // without </s>
    std::vector<SaidWord> said; // with it, where it was said
    bool has_ended = false;
    std::optional<double> score; // of beams: Σ ln p / words^penalty
};

class WordChoice {
public:
    void declare(CLI::App& app, const Strings& strings);
    // What is wrong with the options, as they were typed.
    void read(ArgumentReader& reader);
    // Whether anything was asked for that only a model that writes can do; the option's name.
    const char* asked_of_writer() const;
    bool as_json() const { return json_; }

    // The answers to what is given (as_given), the best or the first drawn first. Once `stop` is true, those
    // that there are, as they are; at least one.
    std::vector<ChosenAnswer> answers(Model& model, const std::vector<TokenId>& given,
                                      const std::atomic<bool>& stop) const;
    // One object in one line: text, tokens, log-probabilities, and for each the most probable words in its
    // place.
    std::string json(const ModelFiles& files, Model& model, const std::string& sentence,
                     const std::vector<TokenId>& given, const ChosenAnswer& answer) const;

private:
    bool draws() const {
        return typed_temperature_ || typed_top_k_ || typed_top_p_ || typed_seed_ || typed_samples_;
    }

    Typed typed_beam_, typed_temperature_, typed_top_k_, typed_top_p_, typed_seed_, typed_samples_,
        typed_penalty_, typed_n_best_;
    bool json_ = false;
    Beam beam_;
    Sampling sampling_;
    std::uint64_t seed_ = 1;
    Index samples_ = 1, n_best_ = 1;
};

} // namespace headlight
