// A saved session is the list of commands that make it: open FILE runs them.
#include "app/session/exporting.h"
#include "app/session/link.h"
#include "app/session/memory.h"
#include "app/session/session.h"
#include "app/session/training/training_view.h"
#include "engine/base/stopwatch.h"
#include "engine/io/file.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

namespace headlight {

namespace {

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

// While a run is shown, which no file opens, what was opened; of the view, what it has too.
std::vector<std::string> Session::as_commands() const {
    if (!opened().has_model()) return {};
    View view = view_;
    if (&opened() != &experiment()) keep_what_exists(view.heads, opened().model().map());
    const SessionState state{opened().question(), view};
    std::vector<std::string> lines = commands_.lines_of(CommandForm::Of::question, state);
    if (opened().model().net_of == state.question.small_pages.descent.task) { // made before it is asked
        const auto asks = std::stable_partition(
            lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("descent "); });
        lines.insert(asks, "descent canvas");
    }
    const auto tell = [&](std::vector<std::string> more) {
        lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    };
    tell(commands_.lines_of(CommandForm::Of::view, state));
    if (view.film.on) { // in as few digits as lead to the same step
        double seconds = view.film.seconds;
        for (double scale = 1e5; scale >= 10; scale /= 10)
            if (const double rounded = std::round(view.film.seconds * scale) / scale;
                opened().model().film.at(rounded).step == opened().model().film.at(view.film.seconds).step)
                seconds = rounded;
        tell({"film time " + exactly(seconds)});
    }
    // What opens another room, or something in it, comes last.
    if (const auto& cell = view.descent.of_model; cell && view.room == Room::descent)
        tell({"descent of " + cell->path + " " + std::to_string(cell->cell.row) + " "
                  + std::to_string(cell->cell.column),
              "descent rate " + exactly(state.question.small_pages.descent.rate)});
    tell({"room " + std::string(name_of(view.room))});
    if (view.close_ups.open == CloseUp::tokens && &opened() == &experiment())
        tell(commands_of_cut_film(*this));
    tell(view.teaching.homework);
    return lines;
}

Result<Done> Session::replay(std::string_view lines, const std::string& file, double seconds) {
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
    seen_.reset(); // nor is its story where the one before was looked at
    replaying_ = true;
    if (done) done = run_all(lines, file, seconds);
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

Result<Done> Session::run_all(std::string_view lines, const std::string& file, double seconds) {
    int number = 0;
    const Stopwatch watch;
    for (const std::string& command : lines_in(lines)) {
        if (watch.seconds() > seconds) return Error{"error.link_too_long", {}};
        ++number;
        if (command.empty() || command.front() == '#') continue;
        Result<Done> done = commands_.check_replayable(command);
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

Result<Done> replay_file(Session& session, const std::string& file) {
    const Result<std::string> text = read_file(file, longest_session);
    return text ? session.replay(*text, file) : text.error();
}

void add_choosing_commands(CommandRegistry& commands, Session& session, View& view) {
    using namespace argument;
    std::vector<std::string> names;
    for (int i = 0; i < file_requests; ++i) names.emplace_back(kind_of(FileRequest(i)).name);
    const Argument wishes = one_of(names);
    commands.add("choose off", {}, [&](const Arguments&) { view.files.choosing.reset(); });
    const auto choose = [&, names](const Arguments& in) -> Result<Done> {
        const FileRequest request =
            FileRequest(std::find(names.begin(), names.end(), words_of(in.line()).front()) - names.begin());
        const bool takes_away = request == FileRequest::take_away;
        if ((kind_of(request).command == "save" || takes_away) && !session.has_model())
            return Error{"error.no_model", {}};
        view.files.choosing = Choosing{request, in.said("here")};
        if (takes_away) {
            view.files.choosing->what = "shown";
            view.files.choosing->name = name_of_shown(session) + ".png";
        }
        view.notice.reset(); // what was told before would lie over it
        view.show_palette = false;
        return Done{};
    };
    commands.add_with_model("choose export", {"shown|part|card|page|canvas|film|story|lesson", text("NAME")},
                            [&](const Arguments& in) {
                                view.files.choosing = Choosing{FileRequest::take_away, false, in.choice(),
                                                               shown_name(in.text("NAME"))};
                                view.notice.reset();
                                view.show_palette = false;
                            });
    commands.add("choose", {wishes}, choose);
    commands.add("choose", {wishes, "here"}, choose);
    commands.add_of_person("picture", {file()}, [&](const Arguments& in) {
        view.screenshots.push_back({in.text("FILE"), 0, 0, true});
    });
}

} // namespace

void add_file_commands(CommandRegistry& commands, Session& session, View& view) {
    using namespace argument;
    add_choosing_commands(commands, session, view);
    const auto add_save = [&](std::vector<Argument> arguments, auto run) {
        commands.add_of_person("save", std::move(arguments), run).needs_model = true;
    };
    add_save({file()}, [&](const Arguments& in) { return save_session(session, view, in.text("FILE")); });
    add_save({}, [&](const Arguments&) -> Result<Done> {
        if (!view.files.session.empty()) return save_session(session, view, view.files.session);
        view.files.choosing = Choosing{FileRequest::save_session};
        return Done{};
    });
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
        const Result<Done> done = replay_file(session, path.string());
        if (done) view.files.session.clear(); // an example is not written over a file that was open
        return done;
    });
    commands.add_of_person("open", {file()}, [&](const Arguments& in) -> Result<Done> {
        if (const std::filesystem::path file = in.text("FILE"); file.extension() == ".md")
            return commands.execute("lesson open " + file_argument(file));
        if (looks_like_link(in.text("FILE"))) {
            const Result<Link> link = read_link(in.text("FILE"));
            return link ? follow_link(session, *link) : link.error();
        }
        const Result<Done> done = replay_file(session, in.text("FILE"));
        if (done) view.files.session = std::filesystem::absolute(in.text("FILE"));
        return done;
    });
}

} // namespace headlight
