// On Windows the window's own chooser serves.
#include "app/platform/desktop_chooser.h"

#include <utility>

namespace headlight {

std::vector<std::string> arguments_of(const std::filesystem::path&, const DesktopQuestion&) { return {}; }

std::optional<DesktopChooser> DesktopChooser::find() { return {}; }

DesktopChooser::DesktopChooser(DesktopChooser&& other) noexcept
    : program_(std::move(other.program_)), chosen_(std::move(other.chosen_)) {}

DesktopChooser& DesktopChooser::operator=(DesktopChooser&& other) noexcept {
    std::swap(program_, other.program_);
    std::swap(chosen_, other.chosen_);
    return *this;
}

DesktopChooser::~DesktopChooser() = default;

void DesktopChooser::ask(const DesktopQuestion&) { state_ = State::failed; }
DesktopChooser::State DesktopChooser::poll() { return state_; }

} // namespace headlight
