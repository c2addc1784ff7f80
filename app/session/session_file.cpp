// A saved session is the list of commands that make it: open FILE runs them.
#include "app/session/session.h"
#include "engine/io/atomic_file.h"
#include "engine/io/file.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr Index longest_session = 1 << 20; // bytes

// What a session file may say: nothing that writes files or moves the window.
constexpr std::string_view replayable[] = {"model",    "source",  "target",  "second",  "smoothing",
                                           "change",   "changes", "goto",    "head",    "select",
                                           "unselect", "heads",   "batch",   "sweep",   "lesson",
                                           "cabinet",  "room",    "closeup", "backward"};

std::string joined(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
}

} // namespace

Result<Done> check_replayable(std::string_view line) {
    const std::string_view name = line.substr(0, line.find_first_of(" \t"));
    if (std::find(std::begin(replayable), std::end(replayable), name) != std::end(replayable)) return Done{};
    return Error{"error.not_in_a_session", {std::string(line)}};
}

// While a run is shown, which no file opens, what was opened; of the view, what it has too.
std::vector<std::string> Session::as_commands() const {
    std::vector<std::string> lines;
    if (!opened().has_model()) return lines;
    lines = commands_of(opened().question(), assets_);
    const LoadedModel& model = opened().model();
    if (model.step_of(step().path()) >= 0) lines.push_back("goto " + step().path());
    if (view_.head < model.map().max_heads())
        lines.push_back("head " + (view_.head < 0 ? std::string("all") : std::to_string(view_.head)));
    if (const std::optional<Selection>& held = view_.selection;
        held && (page_of(held->path) ? has(*held) : exists(*held, model.graph())))
        lines.push_back(select_command(*held));
    HeadsView heads = view_.heads;
    if (&opened() != &experiment()) keep_what_exists(heads, model.map());
    for (std::string& line : commands_of(heads, model.map())) lines.push_back(std::move(line));
    if (const SessionSweep* sweep = opened().sweep())
        lines.push_back(sweep_command(sweep->kind, sweep->sweep.target(), model));
    lines.push_back("room " + std::string(name_of(view_.room)));
    return lines;
}

// "01-tokens": the files in their order.
std::vector<std::string> classroom_examples(const std::filesystem::path& assets) {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(assets / "classroom", none))
        if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

void add_file_commands(CommandRegistry& commands, Session& session) {
    using namespace argument;
    commands.add_with_model("save", {file()}, [&](const Arguments& in) {
        std::string text = "# Headlight: open this file with the command open\n";
        for (const std::string& line : session.as_commands()) text += line + "\n";
        const Result<Done> saved = write_file_atomically(in.text("FILE"), text);
        if (saved) session.tell("session.saved", {std::filesystem::absolute(in.text("FILE")).string()});
        return saved;
    });
    commands.add("classroom", {word("NAME")}, [&](const Arguments& in) -> Result<Done> {
        const std::vector<std::string>& known = session.classroom();
        if (std::find(known.begin(), known.end(), in.text("NAME")) == known.end())
            return Error{"error.no_such_example", {in.text("NAME"), joined(known)}};
        const std::filesystem::path path = session.assets() / "classroom" / (in.text("NAME") + ".txt");
        const Result<std::string> text = read_file(path.string(), longest_session);
        return text ? session.replay(*text, path.string()) : text.error();
    });
    commands.add("open", {file()}, [&](const Arguments& in) -> Result<Done> {
        const Result<std::string> text = read_file(in.text("FILE"), longest_session);
        return text ? session.replay(*text, in.text("FILE")) : text.error();
    });
}

} // namespace headlight
