#include "app/platform/desktop_chooser.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace headlight {

namespace {

// Nobody closes a chooser as fast: one that ends sooner without an answer has not come up.
constexpr std::chrono::milliseconds too_soon{400};

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value;
}

} // namespace

std::filesystem::path program_in_path(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const std::filesystem::path there = std::filesystem::path(folder) / name;
            ::access(there.c_str(), X_OK) == 0)
            return there;
    return {};
}

std::vector<std::string> arguments_of(const std::filesystem::path& program, const DesktopQuestion& question) {
    const char* home = std::getenv("HOME");
    const std::filesystem::path folder =
        question.folder.empty() ? std::filesystem::path(home ? home : "/") : question.folder;
    const std::string start = (folder / question.name).string(); // without a name: in the folder
    std::string patterns;
    for (const std::string& one : question.patterns) patterns += (patterns.empty() ? "" : " ") + one;
    if (program.filename() == "kdialog") {
        const bool new_one = question.saves;
        std::vector<std::string> line = {program.string(), "--title", question.title,
                                         new_one            ? "--getsavefilename"
                                         : question.folders ? "--getexistingdirectory"
                                                            : "--getopenfilename",
                                         start};
        if (!patterns.empty()) line.push_back(patterns);
        return line;
    }
    std::vector<std::string> line = {program.string(), "--file-selection", "--title=" + question.title,
                                     "--filename=" + start};
    if (question.saves) line.insert(line.end(), {"--save", "--confirm-overwrite"});
    if (question.folders && !question.saves) line.push_back("--directory");
    if (!patterns.empty()) line.insert(line.end(), {"--file-filter=" + patterns, "--file-filter=*"});
    return line;
}

std::optional<DesktopChooser> DesktopChooser::find() {
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return {};
    const char* desktop = std::getenv("XDG_CURRENT_DESKTOP");
    const bool is_kde = desktop && std::string(desktop).find("KDE") != std::string::npos;
    for (const char* name : {is_kde ? "kdialog" : "zenity", is_kde ? "zenity" : "kdialog"})
        if (std::filesystem::path program = program_in_path(name); !program.empty())
            return DesktopChooser(std::move(program));
    return {};
}

DesktopChooser::DesktopChooser(DesktopChooser&& other) noexcept { *this = std::move(other); }

DesktopChooser& DesktopChooser::operator=(DesktopChooser&& other) noexcept {
    if (this == &other) return *this;
    end();
    program_ = std::move(other.program_);
    chosen_ = std::move(other.chosen_);
    state_ = std::exchange(other.state_, State::idle);
    child_ = std::exchange(other.child_, -1);
    answer_ = std::exchange(other.answer_, -1);
    written_ = std::move(other.written_);
    asked_at_ = other.asked_at_;
    return *this;
}

DesktopChooser::~DesktopChooser() { end(); }

void DesktopChooser::end() {
    if (answer_ >= 0) ::close(std::exchange(answer_, -1));
    const pid_t child = std::exchange(child_, -1);
    if (child < 0) return;
    ::kill(child, SIGTERM);
    for (int i = 0; i < 50; ++i) { // it may want to take its leave
        if (::waitpid(child, nullptr, WNOHANG) != 0) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

void DesktopChooser::ask(const DesktopQuestion& question) {
    end();
    written_.clear();
    state_ = State::failed;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    std::vector<std::string> line = arguments_of(program_, question);
    std::vector<char*> arguments;
    for (std::string& one : line) arguments.push_back(one.data());
    arguments.push_back(nullptr);
    pid_t child = -1;
    const int fault = ::posix_spawn(&child, program_.c_str(), &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (fault != 0) {
        ::close(ends[0]);
        return;
    }
    child_ = child;
    answer_ = ends[0];
    state_ = State::asking;
    asked_at_ = std::chrono::steady_clock::now();
}

void DesktopChooser::read_answer() {
    char bytes[4096];
    for (ssize_t got; (got = ::read(answer_, bytes, sizeof bytes)) != 0;) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return; // nothing more yet
        written_.append(bytes, std::size_t(got));
    }
}

DesktopChooser::State DesktopChooser::poll() {
    if (state_ != State::asking) return state_;
    read_answer();
    int status = 0;
    const pid_t ended = ::waitpid(child_, &status, WNOHANG);
    if (ended == 0) return state_;
    read_answer(); // what it wrote last
    child_ = -1;
    ::close(std::exchange(answer_, -1));
    if (written_.ends_with('\n')) written_.pop_back();
    const bool went_well = ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (went_well && written_.starts_with('/')) {
        chosen_ = written_;
        return state_ = State::chosen;
    }
    const bool came_up = std::chrono::steady_clock::now() - asked_at_ > too_soon;
    return state_ = went_well || came_up ? State::cancelled : State::failed;
}

} // namespace headlight
