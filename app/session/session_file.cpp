// A saved session is the list of commands that make it: open FILE runs them.
#include "app/session/exporting.h"
#include "app/session/memory.h"
#include "app/session/session.h"
#include "app/session/training/training_view.h"
#include "engine/io/atomic_file.h"
#include "engine/io/file.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

namespace headlight {

namespace {

// What a session file may say: nothing that writes files or moves the window.
constexpr std::string_view replayable[] = {
    "model",  "source",   "target", "second",   "smoothing",  "change",   "changes", "goto",      "head",
    "select", "unselect", "heads",  "batch",    "lesson",     "room",     "closeup", "backward",  "desk",
    "curve",  "word",     "range",  "distance", "dimensions", "baseline", "tokens",  "positions", "homework"};
// Of these only what they set: nothing trains because a file was opened, no lesson leads to another.
constexpr std::pair<std::string_view, std::string_view> replayable_parts[] = {
    {"train", "task labels text set latest"},
    {"cabinet", "note turn w_q want reset"},
    {"say",
     "greedy plainly draw beam temperature top-k top-p seed width endless hasty penalty pass open begin "
     "branch words beams lanes cost choose"},
    {"descent", "kind squash hidden rate step at weights draw point reset of canvas"},
    {"places", "front epochs seed sentence reset"},
    {"costs", "length width measured paper show over part lines context model"},
    {"race", "race forgetting cells chart ready own task trained distance sentence model distances rates "
             "seeds steps parameters"},
    {"norms", "show sentence feature reset page task steps held-out"},
    {"profile", "on off both forward backward"},
    {"sweep", "heads patch words paths off show"},
};
constexpr std::string_view lesson_settings[] = {"vector", "turn",  "projections", "scaled",
                                                "word",   "width", "reset"};

std::string joined(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
}

// Of a session file: the lines that it has.
std::vector<std::string> lines_in(std::string_view text) {
    std::istringstream all{std::string(text)};
    std::vector<std::string> lines;
    for (std::string line; std::getline(all, line);) lines.emplace_back(trim(line));
    return lines;
}

bool opens_model(std::string_view text) {
    const std::vector<std::string> lines = lines_in(text);
    return std::any_of(lines.begin(), lines.end(),
                       [](const std::string& line) { return line.starts_with("model "); });
}

} // namespace

Result<Done> check_replayable(std::string_view line) {
    const std::vector<std::string> words = words_of(line);
    const std::string name = words.empty() ? std::string() : words[0],
                      part = words.size() < 2 ? std::string() : words[1];
    for (const auto& [of, allowed] : replayable_parts) {
        const std::vector<std::string> parts = words_of(allowed);
        if (name == of && std::find(parts.begin(), parts.end(), part) != parts.end()) return Done{};
    }
    const bool leads_away = name == "lesson"
                            && std::find(std::begin(lesson_settings), std::end(lesson_settings), part)
                                   == std::end(lesson_settings);
    if (!leads_away && std::find(std::begin(replayable), std::end(replayable), name) != std::end(replayable))
        return Done{};
    return Error{"error.not_in_a_session", {std::string(line)}};
}

// While a run is shown, which no file opens, what was opened; of the view, what it has too.
std::vector<std::string> Session::as_commands() const {
    std::vector<std::string> lines;
    if (!opened().has_model()) return lines;
    lines = commands_of(opened().question(), assets_);
    const LoadedModel& model = opened().model();
    if (model.net_of == opened().question().small_pages.descent.task) { // it is made before it is asked
        const auto asks = std::stable_partition(
            lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("descent "); });
        lines.insert(asks, "descent canvas");
    }
    if (model.step_of(step().path()) >= 0) lines.push_back("goto " + step().path());
    if (view_.head < model.map().max_heads())
        lines.push_back("head " + (view_.head < 0 ? std::string("all") : std::to_string(view_.head)));
    if (const std::optional<NamedCell>& held = view_.asking.held;
        held
        && (small_page_of(held->path) || is_measure(held->path) ? has(*held)
                                                                : exists(*held, model.graph()))) {
        // Some pages compute their numbers when they are looked at.
        if (const std::optional<Room> page = small_page_of(held->path))
            lines.push_back("room " + std::string(name_of(*page)));
        lines.push_back(select_command(*held));
    }
    HeadsView heads = view_.heads;
    if (&opened() != &experiment()) keep_what_exists(heads, model.map());
    for (std::string& line : commands_of(heads, model.map())) lines.push_back(std::move(line));
    if (const SessionSweep* sweep = opened().sweep())
        lines.push_back(sweep_command(*sweep, sweep->sweep.target(), model));
    if (view_.saying.page != SayingPage::words)
        lines.push_back("say " + std::string(saying_page_names[std::size_t(view_.saying.page)]));
    for (std::string& line : commands_of(view_.costs)) lines.push_back(std::move(line));
    for (std::string& line : commands_of(view_.profile)) lines.push_back(std::move(line));
    if (view_.room == Room::memory)
        for (std::string& line : commands_of(view_.memory)) lines.push_back(std::move(line));
    lines.push_back("room " + std::string(name_of(view_.room)));
    if (const auto& cell = view_.descent.of_model; cell && view_.room == Room::descent)
        lines.push_back("descent of " + cell->path + " " + std::to_string(cell->cell.row) + " "
                        + std::to_string(cell->cell.column));
    if (view_.close_ups.open == CloseUp::tokens && &opened() == &experiment())
        for (std::string& line : commands_of_cut_film(*this)) lines.push_back(std::move(line));
    lines.insert(lines.end(), view_.teaching.homework.begin(), view_.teaching.homework.end());
    return lines;
}

Result<Done> Session::replay(std::string_view lines, const std::string& file) {
    const Inquiries inquiries_before = inquiries_;
    const Question opened_before = opened().question(), before = question();
    const std::shared_ptr<LoadedModel> opened_model = opened().shared_model(),
                                       model = experiment().shared_model();
    const View view_before = view_;
    Question fresh;
    fresh.model = before.model;
    // As when a model is opened; the one that a file opens shall not find the words of another.
    if (model && !opens_model(lines)) fresh.source = source_for(*model, {});
    Result<Done> done = inquiries_.experiment().ask(std::move(fresh));
    view_ = view_before.begun_anew();
    replaying_ = true;
    if (done) done = run_all(lines, file);
    replaying_ = false;
    if (done) return done;
    inquiries_ = inquiries_before;
    training_->shown = inquiries_.of_run != nullptr;
    inquiries_.opened->experiment.ask(opened_before, opened_model);
    inquiries_.experiment().ask(before, model);
    follow();
    view_ = view_before;
    return done;
}

Result<Done> Session::bring_back(std::string_view lines, const std::string& file,
                                 const std::filesystem::path& saved_as) {
    Result<Done> done = replay(lines, file);
    if (done) view_.files.session = saved_as;
    return done;
}

Result<Done> Session::run_all(std::string_view lines, const std::string& file) {
    int number = 0;
    for (const std::string& command : lines_in(lines)) {
        ++number;
        if (command.empty() || command.front() == '#') continue;
        const Result<const WindowCommand*> known = commands_.named(command);
        Result<Done> done = known ? check_replayable(command) : known.error();
        if (done) done = execute_unremembered(command);
        if (!done)
            return Error{"error.script_line", {file, std::to_string(number), strings_.text(done.error())}};
    }
    return Done{};
}

std::map<std::string, std::string, std::less<>> lessons_about_steps(const std::filesystem::path& assets) {
    std::map<std::string, std::string, std::less<>> lessons;
    std::ifstream file(assets / "lessons" / "steps.txt");
    for (std::string line; std::getline(file, line);)
        if (const std::vector<std::string> words = words_of(line); words.size() == 2 && line.front() != '#')
            lessons[words[0]] = words[1];
    return lessons;
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

namespace {

Result<Done> save_session(Session& session, View& view, const std::filesystem::path& file) {
    std::string text = "# Headlight: open this file with the command open\n";
    for (const std::string& line : session.as_commands()) text += line + "\n";
    if (Index(text.size()) > longest_session) // it could not be opened again
        return Error{"error.session_too_long",
                     {shown_name(file.filename().string()), std::to_string(longest_session >> 20)}};
    const Result<Done> saved = write_file_atomically(file, text);
    if (!saved) return saved;
    view.files.session = std::filesystem::absolute(file);
    session.tell("session.saved", {shown_name(file.filename().string())});
    return saved;
}

void add_choosing_commands(CommandRegistry& commands, Session& session, View& view) {
    using namespace argument;
    Argument wishes("");
    wishes.words.clear();
    for (int i = 0; i < file_wishes; ++i) wishes.words.emplace_back(kind_of(FileWish(i)).name);
    commands.add("choose", {"off"}, [&](const Arguments&) { view.files.choosing.reset(); });
    const auto choose = [&](const Arguments& in) -> Result<Done> {
        for (int i = 0; i < file_wishes; ++i) {
            const FileKind& kind = kind_of(FileWish(i));
            if (!in.said(kind.name)) continue;
            const bool takes_away = FileWish(i) == FileWish::take_away;
            if ((kind.command == "save" || takes_away) && !session.has_model())
                return Error{"error.no_model", {}};
            view.files.choosing = Choosing{FileWish(i), in.said("here")};
            if (takes_away) {
                view.files.choosing->what = "shown";
                view.files.choosing->name = name_of_shown(session) + ".png";
            }
            view.notice.reset(); // what was told before would lie over it
            view.show_palette = false;
        }
        return Done{};
    };
    commands.add_with_model(
        "choose", {"export", "shown|part|card|page|canvas|story", text("NAME")}, [&](const Arguments& in) {
            constexpr const char* whats[] = {"shown", "part", "card", "page", "canvas", "story"};
            view.files.choosing =
                Choosing{FileWish::take_away, false, whats[in.place()], shown_name(in.text("NAME"))};
            view.notice.reset();
            view.show_palette = false;
        });
    commands.add("choose", {wishes}, choose);
    commands.add("choose", {wishes, "here"}, choose);
    commands
        .add("picture", {file()},
             [&](const Arguments& in) {
                 view.screenshots.push_back({in.text("FILE"), 0, 0, true});
             })
        .of_person = true;
}

} // namespace

void add_file_commands(CommandRegistry& commands, Session& session, View& view) {
    using namespace argument;
    add_choosing_commands(commands, session, view);
    commands
        .add_with_model("save", {file()},
                        [&](const Arguments& in) { return save_session(session, view, in.text("FILE")); })
        .of_person = true;
    commands
        .add_with_model("save", {},
                        [&](const Arguments&) -> Result<Done> {
                            if (!view.files.session.empty())
                                return save_session(session, view, view.files.session);
                            view.files.choosing = Choosing{FileWish::save_session};
                            return Done{};
                        })
        .of_person = true;
    commands.add_with_model("afresh", {}, [&](const Arguments&) {
        const std::vector<std::string>& examples = session.model().examples;
        view.notice.reset();
        view.files.session.clear();
        return session.replay(
            examples.empty() ? "room explore" : "source " + examples.front() + "\nroom explore", "afresh");
    });
    commands.add("classroom", {word("NAME")}, [&](const Arguments& in) -> Result<Done> {
        const std::vector<std::string>& known = session.classroom();
        if (std::find(known.begin(), known.end(), in.text("NAME")) == known.end())
            return Error{"error.no_such_example", {in.text("NAME"), joined(known)}};
        const std::filesystem::path path = session.assets() / "classroom" / (in.text("NAME") + ".txt");
        const Result<std::string> text = read_file(path.string(), longest_session);
        if (!text) return text.error();
        const Result<Done> done = session.replay(*text, path.string());
        if (done) view.files.session.clear(); // an example is not written over a file that was open
        return done;
    });
    commands
        .add("open", {file()},
             [&](const Arguments& in) -> Result<Done> {
                 if (const std::filesystem::path file = in.text("FILE"); file.extension() == ".md")
                     return commands.execute("lesson open " + file_argument(file));
                 const Result<std::string> text = read_file(in.text("FILE"), longest_session);
                 if (!text) return text.error();
                 const Result<Done> done = session.replay(*text, in.text("FILE"));
                 if (done) view.files.session = std::filesystem::absolute(in.text("FILE"));
                 return done;
             })
        .of_person = true;
}

} // namespace headlight
