#include "tests/app/session/command_writer.h"

#include "app/session/command.h"
#include "engine/inspect/measures/measures.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

namespace fs = std::filesystem;

const fs::path assets = fs::path(HEADLIGHT_SOURCE_DIR) / "assets";

const std::vector<std::string> texts = {"",
                                        "the animal",
                                        "Eu gosto de manga",
                                        "a b c",
                                        "?",
                                        "\xF0\x9F\x90\x88",
                                        "cafe\xCC\x81",
                                        "\xff",
                                        "xyzzy",
                                        " ",
                                        "a\xE2\x80\xAE"
                                        "b",
                                        "I am fine",
                                        "\"",
                                        "\"two words\"",
                                        "1e9 -1 nan",
                                        "The animal didn't cross the street because it was too tired",
                                        "a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a"};
const std::vector<std::string> words = {"copy",      "settings", "heads",        "f1",   "entropy", "0.5",
                                        "\"",        "nowhere",  "all",          "it",   "d_ff",    "batch",
                                        "encoder.9", "manga",    "\xE2\x96\x81", "steps"};
const std::vector<std::string> models = {"copy",  "reverse",   "translate-en-pt", "translate-pt-en",
                                         "gloss", "sentiment", "next-word",       "/nowhere",
                                         ""};
const std::vector<std::string> odd_numbers = {"nan",
                                              "inf",
                                              "-inf",
                                              "1e308",
                                              "-1e308",
                                              "1e-320",
                                              "1e999",
                                              "x",
                                              "0x10",
                                              "9223372036854775807",
                                              "-9223372036854775808",
                                              "18446744073709551615",
                                              "+3",
                                              "-0",
                                              "1.5",
                                              "1e3",
                                              "٣",
                                              "--1"};
const std::vector<std::string> nonsense = {"no such command", "\"",    "goto",     "select 1 2 3",
                                           "change",          "  ",    "# remark", "\xff\xfe",
                                           "change head",     "model", "open",     "expect"};
// What a person types behind “change” and “drag”.
const std::vector<std::string> changes = {
    "head", "remove", "cell",   "row",  "mask",     "patch",  "scale",   "weight",  "silence",  "uniform",
    "all",  "allow",  "forbid", "zero", "identity", "random", "scaling", "layer",   "residual", "norm",
    "0",    "1",      "2",      "-1",   "1e9",      "0.5",    "other",   "previous"};

// Runs that are over soon; what trains goes on beside, and is stopped again.
const std::vector<std::string> small_run = {"train task copy",    "train set heads 2", "train set d_model 8",
                                            "train set layers 1", "train set d_ff 16", "train set batch 4"};
const std::vector<std::string> small_race = {"race task recall",    "race trained 2", "race models rnn",
                                             "race rates 0.01",     "race seeds 1",   "race steps 5",
                                             "race parameters 2000"};
const std::vector<std::string> small_norms = {"norms task copy", "norms steps 5"};

// Where these write is where they are told to, and nowhere else.
bool writes_files(const std::string& line) {
    for (const char* command : {"save", "picture", "screenshot", "export", "train save"})
        if (line.starts_with(command)) return true;
    return false;
}

} // namespace

CommandWriter::CommandWriter(const Session& session, fs::path folder, std::uint32_t seed)
    : session_(session), folder_(std::move(folder)), random_(seed) {
    // A copy: what was opened is what “save” writes to.
    std::error_code none;
    fs::copy_file(assets / "classroom/08-pronoun.txt", folder_ / "example.txt",
                  fs::copy_options::overwrite_existing, none);
}

void CommandWriter::leave_out(const std::vector<std::string>& prefixes) {
    left_out_.insert(left_out_.end(), prefixes.begin(), prefixes.end());
}

std::string CommandWriter::line() {
    if (!next_.empty()) {
        const std::string line = next_.front();
        next_.pop_front();
        return line;
    }
    if (below(40) == 0) return one_of(nonsense);
    if (below(30) == 0 && hold_and_go()) return line();
    const std::vector<WindowCommand>& all = session_.commands().list();
    const WindowCommand& command = all[std::size_t(below(int(all.size())))];
    std::string line = written(command);
    const bool is_left_out = std::any_of(left_out_.begin(), left_out_.end(), [&](const std::string& begin) {
        return line == begin || line.starts_with(begin + " ");
    });
    if (is_left_out || (command.name == "model" && below(4))) return "step " + std::to_string(below(41) - 20);
    if (below(60) == 0 && !writes_files(line))
        line.insert(std::size_t(below(int(line.size()) + 1)), one_of(texts));
    return with_what_it_needs(std::move(line));
}

std::string CommandWriter::written(const WindowCommand& command) {
    const CommandForm& form = command.forms[std::size_t(below(int(command.forms.size())))];
    std::string line = command.name;
    for (const Argument& argument : form.arguments)
        if (!argument.is_optional || below(2))
            line += " "
                    + (argument.kind == Argument::Kind::file ? file_for(command.name, line)
                                                             : word_for(command, argument));
    if (below(50) == 0 && !writes_files(line)) line += " " + one_of(words); // one too many
    return line;
}

std::string CommandWriter::word_for(const WindowCommand& command, const Argument& argument) {
    if (!argument.words.empty() && (argument.kind == Argument::Kind::words || below(2)))
        return below(40) ? one_of(argument.words) : one_of(words);
    if (argument.name == "FILE") return (folder_ / "one.png").string();
    // What waits is waited for a little.
    if (argument.name == "SECONDS") return "0.01";
    if (command.name == "wait") return std::to_string(below(3));
    switch (argument.kind) {
    case Argument::Kind::whole:
    case Argument::Kind::number:
        return number_for(argument);
    case Argument::Kind::text:
        return one_of(texts) + " " + one_of(texts);
    default:
        return name_for(argument);
    }
}

std::string CommandWriter::number_for(const Argument& argument) {
    const bool is_whole = argument.kind == Argument::Kind::whole;
    if (below(15) == 0) return one_of(odd_numbers);
    const double last =
        argument.last && session_.has_model() ? double(argument.last(session_.model())) : argument.most;
    constexpr double far = 1e6; // where nothing is said
    const double least = std::max(argument.least, -far), most = std::min(last, far);
    const double near = least > -far ? least : 0;
    double number = near + below(8); // mostly small: there is something there
    switch (below(10)) {
    case 0:
        number = least;
        break;
    case 1:
        number = most;
        break;
    case 2: // beyond
        number = below(2) ? least - 1 : most + 1;
        break;
    case 3:
        number = least + (most - least) * double(below(1000)) / 1000;
        break;
    case 4:
        number = -double(below(5));
        break;
    default:
        if (!is_whole && most - near < 8) number = near + (most - near) * double(below(21)) / 20;
    }
    return is_whole ? std::to_string(long(number)) : std::to_string(number);
}

// Of what there is: as completion offers it, or from the model's own graph.
std::string CommandWriter::name_for(const Argument& argument) {
    if (below(20) == 0) return one_of(words);
    if (!session_.has_model()) return one_of(words);
    const ModelMap& map = session_.model().map();
    const auto& nodes = session_.model().graph().nodes();
    switch (argument.kind) {
    case Argument::Kind::attention:
        return map.attentions.empty() ? "nowhere"
                                      : map.attentions[std::size_t(below(int(map.attentions.size())))].path;
    case Argument::Kind::stream:
        return map.streams.empty() ? "nowhere"
                                   : map.streams[std::size_t(below(int(map.streams.size())))].name;
    default:
        break;
    }
    const bool is_path = argument.kind != Argument::Kind::word || argument.name == "PATH";
    if (!is_path && below(3)) return one_of(words);
    if (below(4) == 0) {
        const std::vector<Completion> offered =
            completions(session_.commands(), session_.strings(), session_.at_hand(), "select ");
        if (!offered.empty()) return offered[std::size_t(below(int(offered.size())))].shown;
    }
    if (below(6) == 0) {
        const std::string stream = map.streams.empty() ? "decoder" : map.streams.front().name;
        const std::vector<std::string> measures = {
            "measures.lens." + stream + ".0.said",          "measures.lens." + stream + ".0",
            "measures.heads.encoder.0.self_attn.entropy",   "measures.attribution",
            "measures.heads.decoder.0.self_attn.induction", "measures."};
        return one_of(measures);
    }
    return std::next(nodes.begin(), below(int(nodes.size())))->path;
}

// A number of the model, of a page or of a measure is held, and taken elsewhere.
bool CommandWriter::hold_and_go() {
    if (!session_.has_model()) return false;
    std::vector<const Graph*> graphs = {&session_.model().graph()};
    for (const Graph* page : session_.at_hand().pages) graphs.push_back(page);
    const std::vector<std::string> measures = measure_graphs(*session_.model().main_pass);
    const Graph* graph = measures.empty() || below(2) ? graphs[std::size_t(below(int(graphs.size())))]
                                                      : session_.graph_of(one_of(measures));
    if (!graph || graph->nodes().empty()) return false;
    const Node& node = *std::next(graph->nodes().begin(), below(int(graph->nodes().size())));
    const auto place = [&](Index count) {
        return " " + std::to_string(below(int(std::clamp<Index>(count, 1, 100))));
    };
    next_.push_back("select " + node.path + place(node.value.batch()) + place(node.value.rows())
                    + place(node.value.columns()));
    if (below(2)) next_.push_back("region all");
    next_.push_back("room " + std::string(room_names[std::size_t(below(int(std::size(room_names))))]));
    return true;
}

std::string CommandWriter::file_for(const std::string& command, const std::string& so_far) {
    const auto here = [&](const char* name) { return (folder_ / name).string(); };
    const std::string data = std::string(HEADLIGHT_SOURCE_DIR) + "/tests/data/";
    if (command == "change" || command == "drag") {
        std::string change;
        for (int i = 1 + below(6); i-- > 0;)
            change +=
                (change.empty() ? "" : " ") + (below(3) == 0 ? name_for(argument::value()) : one_of(changes));
        return change;
    }
    if (command == "dimensions") return std::to_string(below(40)) + " " + std::to_string(below(40));
    if (command == "export") {
        const std::string endings[] = {"png", "svg", "pdf", "csv", "tsv", "npy", "tex", "md", "xyz"};
        const std::string scales[] = {"", " 1", " 2", " printable", " 9", " 0 2"};
        return here(("out." + endings[below(9)]).c_str()) + scales[below(6)];
    }
    if (command == "model" || (command == "open" && below(8) == 0)) {
        if (below(3)) return one_of(models);
        const std::string families[] = {"families/gpt2",
                                        "families/bert_masked",
                                        "families/bert_classes",
                                        "families/llama_grouped",
                                        "families/marian",
                                        "nano-sort",
                                        "fuzz"};
        return data + families[below(7)];
    }
    if (command == "lesson") {
        const std::string number = std::to_string(below(27));
        return (number.size() == 1 ? "0" : "") + number;
    }
    if (so_far == "train save" || so_far == "train save-all" || so_far == "train open") return here(below(3) ? "run" : "a b");
    if (so_far.starts_with("train")) {
        const std::vector<std::string> files = {"copy",
                                                "reverse",
                                                "recall",
                                                (assets / "lessons/19-pairs-30.tsv").string(),
                                                data + "fuzz/labels/few.tsv",
                                                data + "fuzz/text/few.txt",
                                                here("none")};
        return one_of(files);
    }
    const std::vector<std::string> files = {here("one.headlight"),      here("two words.headlight"),
                                            here("no/such/folder.txt"), folder_.string(),
                                            here("\xff.txt"),           here("one.png")};
    if (command == "open" && below(2)) return here("example.txt");
    return one_of(files);
}

std::string CommandWriter::with_what_it_needs(std::string line) {
    const auto begins = [&](std::string_view with) { return line.starts_with(with); };
    const std::vector<std::string>* before = nullptr;
    std::vector<std::string> after;
    if (begins("train start") || begins("train step")) {
        before = &small_run;
        line = "train start " + std::to_string(1 + below(4));
        after = {"train wait 0.02", "train pause"};
    } else if (begins("moment continue")) {
        after = {"train pause"};
    } else if (begins("race start") || begins("race continue")) {
        before = &small_race;
        after = {"race wait 0.02", "race stop"};
    } else if (begins("norms train start")) {
        before = &small_norms;
        after = {"norms train wait 0.02", "norms train stop"};
    } else if (begins("costs measure")) {
        after = {"costs stop"};
    } else {
        return line;
    }
    if (before) next_.insert(next_.end(), before->begin(), before->end());
    next_.push_back(std::move(line));
    next_.insert(next_.end(), after.begin(), after.end());
    return this->line();
}

} // namespace headlight
