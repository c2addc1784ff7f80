// The desktop's chooser of files: a small program of its (zenity or kdialog), which runs beside the window
// and is looked after between frames.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

std::filesystem::path program_in_path(const std::string& name); // empty: there is none

struct DesktopQuestion {
    std::string title;
    std::filesystem::path folder;      // to begin in; empty: the person's own
    std::string name;                  // proposed for something new
    std::vector<std::string> patterns; // "*.png"; none: any
    bool saves = false, folders = false;
};

class DesktopChooser {
public:
    enum class State { idle, asking, chosen, cancelled, failed };

    // The one that is installed, on a desktop; nothing where there is none.
    static std::optional<DesktopChooser> find();
    explicit DesktopChooser(std::filesystem::path program) : program_(std::move(program)) {}
    DesktopChooser(DesktopChooser&& other) noexcept;
    DesktopChooser& operator=(DesktopChooser&& other) noexcept;
    ~DesktopChooser(); // ends what is open

    void ask(const DesktopQuestion& question); // instead of what was asked before
    State poll();                              // returns at once
    const std::filesystem::path& chosen() const { return chosen_; }

private:
    void end();
    void read_answer();

    std::filesystem::path program_, chosen_;
    State state_ = State::idle;
    int child_ = -1, answer_ = -1; // its process, and what it writes
    std::string written_;
    std::chrono::steady_clock::time_point asked_at_{};
};

// The arguments with which a chooser of that name is asked.
std::vector<std::string> arguments_of(const std::filesystem::path& program, const DesktopQuestion& question);

} // namespace headlight
