#include "tests/app/lessons/random_lesson.h"

namespace headlight::test {

namespace {

constexpr std::string_view paths[] = {"encoder.0.self_attn.weights",
                                      "encoder.output",
                                      "output.logits",
                                      "output.probabilities",
                                      "decoder.0.cross_attn.weights",
                                      "encoder.tokens",
                                      "plain.weights",
                                      "cabinet.output",
                                      "descent.loss",
                                      "places.output",
                                      "norms.output",
                                      "costs.forward",
                                      "measures.attribution",
                                      "measures.lens.decoder.0.said",
                                      "encoder.0.self_attn.weigths",
                                      "nothing",
                                      "\xff"};
constexpr std::string_view models[] = {"copy",      "copy",          "copy",      "reverse",
                                       "sentiment", "next-word",     "gloss",     "cpoy",
                                       "",          "/no/such/path", "sentimemt", "../models/copy"};
constexpr std::string_view numbers[] = {
    "0", "0", "0", "1", "1", "2", "7", "-1", "99", "1e9", "0,5", "x", "9223372036854775807"};
constexpr std::string_view values[] = {"0", "1", "0.5", "-2", "1e300", "nan", "0,02", "", "inf"};
constexpr std::string_view sentences[] = {
    "a b c", "I am fine", "", "the animal", "?", "\xF0\x9F\x90\x88", "a a a a a a a a a a a a"};
constexpr std::string_view rooms[] = {"explore", "train",  "heads",  "whatif", "say",   "lesson", "cabinet",
                                      "descent", "places", "memory", "norms",  "costs", "nowhere"};
constexpr std::string_view racers[] = {"rnn", "lstm", "transformer-1", "none"};
// What a setup or a button may say; the last of them neither may.
constexpr std::string_view commands[] = {"target",
                                         "target a b",
                                         "second b c",
                                         "change remove positions",
                                         "change head encoder.0.self_attn 0 silence",
                                         "change mask decoder.self_mask 0 1 allow",
                                         "changes off",
                                         "changes clear",
                                         "heads grid",
                                         "heads pair",
                                         "heads lens decoder",
                                         "heads open encoder.0.self_attn mean",
                                         "heads attribute 0 1",
                                         "say draw",
                                         "say beam",
                                         "say pass 2",
                                         "closeup word",
                                         "closeup workings",
                                         "closeup off",
                                         "backward on",
                                         "descent kind layers",
                                         "descent rate 100",
                                         "descent step 20",
                                         "descent canvas",
                                         "lesson projections on",
                                         "lesson width 64",
                                         "cabinet want robot",
                                         "batch add a b",
                                         "sweep heads",
                                         "undo",
                                         "redo",
                                         "step last",
                                         "lesson card next",
                                         "lesson again",
                                         "lesson setup",
                                         "lesson close",
                                         "lesson open 03",
                                         "homework card 2",
                                         "homework lesson 05",
                                         "homework answer 1 1 1 1",
                                         "language pt",
                                         "help on",
                                         "palette on",
                                         "race chart steps",
                                         "souce a",
                                         "gotoo encoder.output",
                                         "lesson do lesson do undo",
                                         "save",
                                         "save written.headlight",
                                         "export page written.png",
                                         "picture written.png",
                                         "train save written",
                                         "train open /",
                                         "open /etc/passwd",
                                         "race wait 86400",
                                         "train wait 86400",
                                         "lesson record",
                                         "drag lesson record"};

} // namespace

std::string RandomLesson::cell() {
    return one_of(paths) + " " + one_of(numbers) + " " + one_of(numbers) + " " + one_of(numbers);
}

std::string RandomLesson::expectation() {
    switch (below(9)) {
    case 0:
        return "expect " + cell() + " " + one_of(values) + " " + one_of(values);
    case 1:
        return "larger " + cell() + " " + cell();
    case 2:
        return "said \"" + one_of(sentences) + "\"";
    case 3:
        return "changed " + one_of(paths);
    case 4:
        return "asked " + one_of(paths);
    case 5:
        return below(2) ? "strayed" : "diverged";
    case 6:
        return (below(2) ? "learnt " : "failed ") + one_of(racers) + " " + one_of(numbers);
    case 7:
        return (below(2) ? "recalls " : "fades ") + one_of(racers) + (below(2) ? "" : " " + one_of(numbers));
    default:
        return "saidd x";
    }
}

std::string RandomLesson::command() {
    switch (below(8)) {
    case 0:
        return "source " + one_of(sentences);
    case 1:
        return "goto " + one_of(paths);
    case 2:
        return "select " + cell();
    case 3:
        return "room " + one_of(rooms);
    default:
        return one_of(commands);
    }
}

std::string RandomLesson::link() {
    switch (below(3)) {
    case 0:
        return "[v](value:" + one_of(paths) + ")";
    case 1:
        return "[c](cell:" + cell() + ")";
    default:
        return "[d](do:" + command() + ")";
    }
}

std::string RandomLesson::prose() {
    std::string text = "Words, *more* of **them**, $\\frac{a}{b}$";
    for (int links = below(4); links-- > 0;) text += " " + link();
    if (below(8) == 0) text += "\n\n| a | b |\n| --- | --- |\n| " + link() + " | 1 |";
    if (below(8) == 0) text += "\n\n- " + link() + "\n- two";
    if (below(8) == 0) text += "\n##torn";
    return text + "\n\n";
}

std::string RandomLesson::fence(const std::string& info, const std::string& lines) {
    const std::string sign = below(4) ? "```" : "~~~";
    return (below(12) ? "" : " ") + sign + info + "\n" + lines + (below(20) ? sign + "\n\n" : "");
}

std::string RandomLesson::setup() {
    std::string lines;
    if (below(5)) lines += "model " + one_of(models) + "\n";
    for (int more = below(6); more-- > 0;) lines += command() + "\n";
    return fence("setup", lines);
}

std::string RandomLesson::prediction() {
    switch (below(3)) {
    case 0:
        return fence("predict number " + cell() + (below(2) ? " within " + one_of(values) : ""),
                     "How much " + link() + "?\n");
    case 1:
        return fence("predict cell " + one_of(paths) + " " + one_of(numbers) + " " + one_of(numbers),
                     "Where?\n");
    default: {
        std::string lines = "Which " + link() + "?\n";
        for (int choices = below(5); choices-- > 0;) {
            lines += below(3) ? "- [ ] one" : "- [x] one";
            if (below(2)) lines += " if " + expectation();
            lines += "\n";
            if (below(3) == 0) lines += "> because " + link() + "\n";
        }
        return fence(below(6) ? "predict choice" : "predict choice covered", lines);
    }
    }
}

std::string RandomLesson::card() {
    constexpr std::string_view headings[] = {"## Card\n\n", "## Card\n\n",    "##\tCard\n\n",
                                             "##Card\n\n",  "Card\n----\n\n", "##\n\n"};
    std::string text = one_of(headings);
    if (below(6)) text += setup();
    for (int parts = below(5); parts-- > 0;) text += below(2) ? prose() : prediction();
    if (below(3) == 0) {
        std::string lines;
        for (int more = 1 + below(3); more-- > 0;) lines += expectation() + "\n";
        text += fence("done", lines);
    }
    if (below(4) == 0) text += fence("aside", prose());
    if (below(12) == 0) text += fence("setpu", "x\n");
    return text;
}

std::string RandomLesson::spoiled(std::string text) {
    const std::size_t at = std::size_t(below(int(text.size())));
    switch (below(4)) {
    case 0:
        text[at] = char(below(256));
        break;
    case 1:
        text.erase(at, std::size_t(below(40)));
        break;
    case 2:
        text.insert(at, text.substr(std::size_t(below(int(text.size()))), std::size_t(below(60))));
        break;
    default:
        text.resize(at);
    }
    return text;
}

std::string RandomLesson::text() {
    std::string text = below(10) ? "# Title\n\n" : "\xEF\xBB\xBF# Title\r\n\r\n";
    for (int cards = 1 + below(4); cards-- > 0;) text += card();
    return below(4) ? text : spoiled(std::move(text));
}

} // namespace headlight::test
