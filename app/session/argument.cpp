#include "app/session/argument.h"

#include "app/session/files.h"
#include "app/session/loaded_model.h"
#include "engine/base/check.h"
#include "engine/inspect/numbers.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace headlight {

namespace {

// As a person writes it: 1, 0.05.
std::string plain(double number) {
    constexpr double most = 1e15; // from there on doubles are written shorter, and some are no long
    return number == std::floor(number) && std::abs(number) < most ? std::to_string(long(number))
                                                                   : exactly(number);
}

// What no Index holds is the nearest that one does: as a double the greatest long is one more than itself.
Index to_index(double number) {
    constexpr double beyond = 9'223'372'036'854'775'808.0;
    if (number >= beyond) return std::numeric_limits<Index>::max();
    return number < -beyond ? std::numeric_limits<Index>::min() : Index(number);
}

} // namespace

const Node* AtHand::find(std::string_view path) const {
    const Node* found = model ? model->graph().find(path) : nullptr;
    for (const Graph* page : pages)
        if (!found) found = page->find(path);
    return found || !measure ? found : measure(path);
}

Error no_such_value(std::string_view path, const AtHand& at_hand) {
    if (!at_hand.model) return {"error.no_model", {}};
    std::vector<std::string> known;
    const auto take = [&](const Graph& graph) {
        for (const Node& node : graph.nodes()) known.push_back(node.path);
    };
    take(at_hand.model->graph());
    for (const Graph* page : at_hand.pages) take(*page);
    const std::optional<std::string> near = meant(path, known);
    if (!near) return {"error.no_such_value", {std::string(path), at_hand.model->name}};
    return {"error.no_such_value_near", {std::string(path), at_hand.model->name, *near}};
}

Argument::Argument(const char* choices) {
    std::istringstream all{std::string(choices)};
    for (std::string word; std::getline(all, word, '|');) words.push_back(word);
}

std::string Argument::usage() const {
    std::string text = name;
    for (auto word = words.rbegin(); word != words.rend(); ++word)
        text = text.empty() ? *word : *word + "|" + text;
    return is_optional ? "[" + text + "]" : text;
}

Argument operator|(Argument words, Argument place) {
    place.words.insert(place.words.begin(), words.words.begin(), words.words.end());
    return place;
}

namespace argument {

Argument whole(std::string name, double least, double most) {
    Argument argument(std::move(name), Argument::Kind::whole);
    argument.least = least;
    argument.most = most;
    return argument;
}

Argument whole(std::string name, Index (*last)(const LoadedModel&)) {
    Argument argument = whole(std::move(name), 0.0);
    argument.last = last;
    return argument;
}

Index last_head(const LoadedModel& model) { return model.map().max_heads() - 1; }

Argument number(std::string name) { return {std::move(name), Argument::Kind::number}; }

Argument number(std::string name, double least, double most) {
    Argument argument = number(std::move(name));
    argument.least = least;
    argument.most = most;
    return argument;
}

Argument word(std::string name) { return {std::move(name), Argument::Kind::word}; }
Argument value(std::string name) { return {std::move(name), Argument::Kind::value}; }
Argument any_value(std::string name) { return {std::move(name), Argument::Kind::any_value}; }
Argument attention(std::string name) { return {std::move(name), Argument::Kind::attention}; }
Argument stream(std::string name) { return {std::move(name), Argument::Kind::stream}; }
Argument file(std::string name) { return {std::move(name), Argument::Kind::file}; }

Argument text(std::string name) { return optional({std::move(name), Argument::Kind::text}); }

Argument optional(Argument argument) {
    argument.is_optional = true;
    return argument;
}

} // namespace argument

// --- what was written -------------------------------------------------------------------------------------

bool Arguments::said(std::string_view word) const {
    return std::find(said_.begin(), said_.end(), word) != said_.end();
}

const Arguments::Written* Arguments::find(std::string_view name) const {
    const auto found =
        std::find_if(written_.begin(), written_.end(), [&](const Written& one) { return one.name == name; });
    return found == written_.end() ? nullptr : &*found;
}

bool Arguments::has(std::string_view name) const { return find(name) != nullptr; }

Index Arguments::whole(std::string_view name, Index otherwise) const {
    const Written* written = find(name);
    return written ? to_index(written->number) : otherwise;
}

double Arguments::number(std::string_view name, double otherwise) const {
    const Written* written = find(name);
    return written ? written->number : otherwise;
}

const std::string& Arguments::text(std::string_view name) const {
    static const std::string nothing;
    const Written* written = find(name);
    return written ? written->text : nothing;
}

class LineReader {
public:
    LineReader(const std::vector<Argument>& declared, const AtHand& at_hand, std::string_view command)
        : declared_(declared), at_hand_(at_hand), model_(at_hand.model), command_(command) {}

    Reading read(std::string_view line) {
        line = trim(line);
        reading_.arguments.line_ = line;
        std::size_t given = words_of(line).size(), needed = 0;
        for (const Argument& argument : declared_) needed += argument.is_optional ? 0 : 1;
        std::size_t to_spare = given > needed ? given - needed : 0;
        for (const Argument& argument : declared_) {
            if (argument.takes_the_rest() && !is_choice(argument, line)) {
                if (line.empty() && argument.kind == Argument::Kind::file) return std::move(reading_);
                if (!line.empty())
                    write(argument,
                          argument.kind == Argument::Kind::file ? file_of_argument(line) : rest_of(line));
                line = {};
                break;
            }
            if (argument.is_optional && to_spare == 0) continue;
            if (line.empty()) return std::move(reading_);
            to_spare -= argument.is_optional ? 1 : 0;
            if (!take(argument, take_word(line))) return std::move(reading_);
            ++reading_.understood;
        }
        reading_.is_complete = line.empty();
        return std::move(reading_);
    }

private:
    static std::string rest_of(std::string_view line) {
        const std::vector<std::string> words = words_of(line);
        return words.size() == 1 && line.size() > 1 && line.back() == '"' ? words[0] : std::string(line);
    }

    static bool is_choice(const Argument& argument, std::string_view word) {
        return std::find(argument.words.begin(), argument.words.end(), word) != argument.words.end();
    }

    void write(const Argument& argument, std::string text, double number = 0) {
        reading_.arguments.written_.push_back({argument.name, std::move(text), number});
    }

    // False when the word does not belong there; then the reading may say why.
    bool take(const Argument& argument, std::string word) {
        if (is_choice(argument, word)) {
            const auto place = std::find(argument.words.begin(), argument.words.end(), word);
            reading_.arguments.place_ = std::size_t(place - argument.words.begin());
            reading_.arguments.said_.push_back(word);
            reading_.arguments.choice_ = std::move(word);
            return true;
        }
        switch (argument.kind) {
        case Argument::Kind::words:
            return false;
        case Argument::Kind::whole:
        case Argument::Kind::number:
            return take_number(argument, word);
        case Argument::Kind::value:
        case Argument::Kind::any_value:
        case Argument::Kind::attention:
        case Argument::Kind::stream:
            if (std::optional<Error> error = missing(argument, word)) return fail(*std::move(error));
            [[fallthrough]];
        default:
            write(argument, std::move(word));
            return true;
        }
    }

    // Why there is nothing of that name at hand.
    std::optional<Error> missing(const Argument& argument, const std::string& word) const {
        if (!model_ || (argument.kind == Argument::Kind::any_value && at_hand_.find(word))) return {};
        const ModelMap& map = model_->map();
        if (argument.kind == Argument::Kind::stream) {
            if (map.stream(word)) return {};
            std::string names;
            for (const Stream& stream : map.streams) names += (names.empty() ? "" : ", ") + stream.name;
            return names.empty() ? Error{"error.reads_no_words", {model_->name}}
                                 : Error{"error.no_such_stream", {word, names}};
        }
        if (argument.kind == Argument::Kind::attention && map.attentions.empty())
            return Error{"error.no_attention", {model_->name}};
        const bool is_there = argument.kind == Argument::Kind::attention
                                  ? map.attention(word) != nullptr
                                  : model_->graph().find(word) != nullptr;
        return is_there ? std::nullopt : std::optional(no_such_value(word, at_hand_));
    }

    bool take_number(const Argument& argument, const std::string& word) {
        double number = 0;
        if (argument.kind == Argument::Kind::whole) {
            const Result<long> read = whole_number_of(word);
            if (!read) return fail(read.error());
            number = double(*read);
        } else {
            const Result<double> read = number_of(typed_number(word));
            if (!read) return fail(read.error());
            number = *read;
        }
        const double most = argument.last && model_ ? double(argument.last(*model_)) : argument.most;
        if (most < argument.least) return fail({"error.none_to_choose", {what(), model_->name}});
        if (number < argument.least || number > most)
            return fail({"error.out_of_range", {what(), plain(argument.least), plain(most)}});
        write(argument, word, number);
        return true;
    }

    bool fail(Error error) {
        reading_.error = std::move(error);
        return false;
    }

    // "train start"
    std::string what() const {
        std::string text(command_);
        for (const std::string& word : reading_.arguments.said_) text += " " + word;
        return text;
    }

    const std::vector<Argument>& declared_;
    const AtHand& at_hand_;
    const LoadedModel* model_;
    std::string_view command_;
    Reading reading_;
};

Reading read(const std::vector<Argument>& declared, std::string_view line, const AtHand& at_hand,
             std::string_view command) {
    return LineReader(declared, at_hand, command).read(line);
}

} // namespace headlight
