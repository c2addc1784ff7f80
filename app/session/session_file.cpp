// A saved session is the list of commands that make it: open FILE runs them.
#include "app/session/assets.h"
#include "app/session/padded_batch.h"
#include "app/session/session.h"
#include "app/session/session_sweep.h"

#include "engine/io/atomic_file.h"
#include "engine/io/file.h"

#include <algorithm>
#include <sstream>

namespace headlight {

namespace {

constexpr Index longest_file = 1 << 20; // bytes

// What a session file may say: nothing that writes files or moves the window.
constexpr std::string_view replayable[] = {"model",   "source", "target", "second", "change",
                                           "changes", "goto",   "head",   "select", "unselect",
                                           "heads",   "batch",  "sweep",  "lesson", "room"};

bool is_replayable(std::string_view line) {
    const std::string_view name = line.substr(0, line.find_first_of(" \t"));
    return std::find(std::begin(replayable), std::end(replayable), name) != std::end(replayable);
}

std::string on_one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
}

} // namespace

std::vector<std::string> Session::as_commands() const {
    std::vector<std::string> lines;
    if (!has_model()) return lines;
    const std::filesystem::path shipped = find_model(assets_, model_->name);
    std::error_code ignored;
    const bool is_shipped = std::filesystem::equivalent(shipped, model_->folder, ignored);
    lines.push_back(
        "model " + (is_shipped ? model_->name : std::filesystem::absolute(model_->folder, ignored).string()));
    lines.push_back("source " + on_one_line(state_.source_text));
    if (state_.target_text) lines.push_back("target " + on_one_line(*state_.target_text));
    if (state_.second_text) lines.push_back("second " + on_one_line(*state_.second_text));
    for (const Change& change : state_.changes) lines.push_back("change " + on_one_line(change.text));
    for (std::size_t i = 0; i < state_.changes.size(); ++i)
        if (!state_.changes[i].on) lines.push_back("change off " + std::to_string(i + 1));
    lines.push_back("goto " + step().path());
    lines.push_back("head " + (state_.head < 0 ? std::string("all") : std::to_string(state_.head)));
    if (const std::optional<Selection>& held = state_.selection)
        lines.push_back("select " + held->path + " " + std::to_string(held->cell.batch) + " "
                        + std::to_string(held->cell.row) + " " + std::to_string(held->cell.column));
    const auto append = [&](std::vector<std::string> more) {
        lines.insert(lines.end(), more.begin(), more.end());
    };
    append(commands_of(state_.heads, model_->map()));
    if (sweep_)
        lines.push_back(
            sweep_command(sweep_->kind, sweep_->sweep.target(), model_->files.target.vocabulary()));
    append(commands_of(state_.lesson));
    lines.push_back("room " + std::string(name_of(state_.room)));
    return lines;
}

Result<Done> Session::save_session(std::string_view file) const {
    if (!has_model()) return Error{"error.no_model", {}};
    if (file.empty()) return Error{"error.command_usage", {"save FILE"}};
    std::string text = "# Headlight: open this file with the command open\n";
    for (const std::string& line : as_commands()) text += line + "\n";
    return write_file_atomically(file, text);
}

Result<Done> Session::run_session_file(std::string_view text, const std::string& name) {
    std::istringstream lines{std::string(text)};
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::string_view command = trim(line);
        if (command.empty() || command.front() == '#') continue;
        const Result<Done> done = is_replayable(command)
                                      ? commands_.execute(command)
                                      : Error{"error.not_in_a_session", {std::string(command)}};
        if (!done)
            return Error{"error.script_line", {name, std::to_string(number), strings_.text(done.error())}};
    }
    return Done{};
}

Result<Done> Session::open_session(std::string_view file) {
    if (file.empty()) return Error{"error.command_usage", {"open FILE"}};
    const Result<std::string> text = read_file(file, longest_file);
    if (!text) return text.error();
    // As one step for undo; when it goes wrong, as if nothing had been.
    const Fed before = fed();
    const SessionState state_before = state_;
    std::vector<Fed> past = past_, future = future_;
    state_.target_text.reset();
    state_.second_text.reset();
    state_.changes.clear();
    state_.heads = {};
    padded_batch_.reset();
    state_.lesson = {};
    compute_lesson(state_.lesson);
    replaying_ = true;
    const Result<Done> done = run_session_file(*text, std::string(file));
    replaying_ = false;
    past_ = std::move(past);
    typing_ = false;
    if (done) {
        future_.clear();
        if (!(fed() == before) && !before.model.empty()) past_.push_back(before);
        return done;
    }
    future_ = std::move(future);
    if (!before.model.empty() && before.model != model_->folder)
        if (const Result<Done> reopened = open_model(before.model.string()); !reopened) return reopened;
    state_ = state_before;
    compute();
    return done;
}

} // namespace headlight
