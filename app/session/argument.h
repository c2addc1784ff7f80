// How the commands of the window are written: each declares its arguments once, and from that come how they
// are read, what is said when they are wrong, and what help tells.
#pragma once

#include "engine/base/result.h"
#include "engine/tensor/real.h"
#include "engine/text/words.h"

#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

class Graph;
struct LoadedModel;
struct Node;

// What there is for arguments to name.
struct AtHand {
    const LoadedModel* model = nullptr; // the one that is open
    std::vector<const Graph*> pages;    // of the pages that compute something of their own
    // Measures of the model, which are computed when they are asked for; nothing: there are none.
    std::function<const Node*(std::string_view)> measure;

    AtHand(const LoadedModel* opened = nullptr, std::vector<const Graph*> of_pages = {},
           std::function<const Node*(std::string_view)> find_measure = {})
        : model(opened), pages(std::move(of_pages)), measure(std::move(find_measure)) {}
    const Node* find(std::string_view path) const;
};

// Nothing at hand computes a value of that path: no model is open, or else which value was meant, when one is
// near.
Error no_such_value(std::string_view path, const AtHand& at_hand);

// Words to choose from, a place where something is to be written, or both: "all|HEAD".
struct Argument {
    enum class Kind {
        words,     // nothing but the words
        whole,     // a whole number from `least` to `most`
        number,    // any finite number from `least` to `most`
        word,      // one word, whatever it is
        value,     // the path of a value that the model computes
        any_value, // the same, or that of a value of a page with a graph of its own
        attention, // the path of one of the model's attentions
        stream,    // the name of one of the sequences that it reads or writes
        text,      // what is left of the line; it may be nothing
        file       // the same, and it is something
    };

    std::vector<std::string> words;
    std::string name; // "HEAD"
    Kind kind = Kind::words;
    double least = -std::numeric_limits<double>::infinity(), most = -least;
    Index (*last)(const LoadedModel&) = nullptr; // where the model at hand says what the most is
    bool is_optional = false;

    Argument(const char* choices); // "on|off|toggle"
    Argument(std::string called, Kind what) : name(std::move(called)), kind(what) {}

    bool takes_the_rest() const { return kind == Kind::text || kind == Kind::file; }
    std::string usage() const; // "[all|HEAD]"
};

Argument operator|(Argument words, Argument place); // either one of the words or what belongs into the place

// How arguments are declared: {"open", value(), optional(whole("HEAD", last_head))}.
namespace argument {

// Words that are listed elsewhere, as an enumeration's are.
template <class Words>
Argument one_of(const Words& all) {
    Argument argument("");
    argument.words.assign(std::begin(all), std::end(all));
    return argument;
}
Argument whole(std::string name, double least = double(std::numeric_limits<long>::min()),
               double most = double(std::numeric_limits<long>::max()));
Argument whole(std::string name, Index (*last)(const LoadedModel&)); // from 0 to that
Index last_head(const LoadedModel& model);
Argument number(std::string name);
Argument number(std::string name, double least, double most);
Argument word(std::string name);
Argument value(std::string name = "PATH");
Argument any_value(std::string name = "PATH");
Argument attention(std::string name = "ATTENTION");
Argument stream(std::string name = "STREAM");
Argument text(std::string name = "TEXT");
Argument file(std::string name = "FILE");
Argument optional(Argument argument);

} // namespace argument

// The arguments as somebody wrote them, and as they were declared.
class Arguments {
public:
    bool said(std::string_view word) const; // one of the words to choose from
    bool has(std::string_view name) const;  // what may be left out was written
    // These were declared, and written or not: then the number, or the empty text, that stands for it.
    Index whole(std::string_view name, Index otherwise = 0) const;
    double number(std::string_view name, double otherwise = 0) const;
    const std::string& text(std::string_view name) const;
    // The word that was chosen, from the last argument with words; empty when there was none.
    const std::string& choice() const { return choice_; }
    std::size_t place() const { return place_; }      // of the choice, among the words that it is from
    const std::string& line() const { return line_; } // all of it, as written

private:
    struct Written {
        std::string name, text;
        double number;
    };
    const Written* find(std::string_view name) const;

    std::vector<std::string> said_;
    std::vector<Written> written_;
    std::string choice_, line_;
    std::size_t place_ = 0;

    friend class LineReader;
};

// What the words of a line are as these arguments.
struct Reading {
    Arguments arguments;
    std::size_t understood = 0; // words, until something was wrong
    bool is_complete = false;   // every word has its place, and nothing is missing
    std::optional<Error> error; // of a word in its place: no number, out of range, no such value
};

// Without a model nothing that only a model could tell is wrong: any name of a value is one.
Reading read(const std::vector<Argument>& declared, std::string_view line, const AtHand& at_hand,
             std::string_view command);

} // namespace headlight
