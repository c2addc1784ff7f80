// What every widget works with, frame by frame: the display, the theme with its fonts, the numbers of
// heatmaps, the registry of names. One exists at a time, as does one Dear ImGui context.
//
// clang-format off
//   auto display = Window::open({.title = "Headlight"});   // or Offscreen::open(…)
//   auto ui = Ui::create(**display, {.dark = false});
//   while ((*ui)->begin_frame()) {
//       panels();
//       (*ui)->end_frame();
//   }
// clang-format on
#pragma once

#include "app/platform/display.h"
#include "app/ui/base/theme.h"
#include "app/ui/base/widget_registry.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>

namespace headlight {

class Ui {
public:
    // Fails as load_fonts does. The display must outlive it.
    static Result<std::unique_ptr<Ui>> create(Display& display, const ThemeOptions& options = {});
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    // False when there shall be no further frame.
    bool begin_frame();
    void end_frame();

    // Frames of any size and look that nobody sees, for pictures of them; names of widgets are theirs, until
    // the window's own frames go on. In between, ui().display() can capture the last one.
    void begin_frame_apart(int width, int height, const ThemeOptions& look);
    void end_frame_apart() { display_.end_frame_apart(); }
    void go_on_after_frames_apart();

    // Takes effect when the next frame begins.
    void set_theme(const ThemeOptions& options) { wanted_ = options; }

    // See Display::restore_graphics.
    Result<Done> restore_graphics();

    Display& display() { return display_; }
    const Theme& theme() const { return theme_; }
    WidgetRegistry& widgets() { return widgets_; }

    // What a panel keeps from frame to frame: one T, made when it is first asked for. T is a type of the
    // panel's own, so that nobody else finds it.
    template <class T>
    T& state() {
        std::shared_ptr<void>& kept = memory_[typeid(T)];
        if (!kept) kept = std::make_shared<T>();
        return *static_cast<T*>(kept.get());
    }

private:
    explicit Ui(Display& display) : display_(display) {}
    void follow_wanted_theme();
    Result<Done> take_theme();

    Display& display_;
    ThemeOptions wanted_;
    float taken_scale_ = 0; // of the screen, when the theme was taken
    Theme theme_;
    WidgetRegistry widgets_;
    struct Apart { // what goes on after frames apart
        ThemeOptions wanted;
        WidgetRegistry widgets;
    };
    std::optional<Apart> apart_;
    std::unordered_map<std::type_index, std::shared_ptr<void>> memory_;
};

// The one that exists; a broken promise when there is none.
Ui& ui();
inline const Theme& theme() { return ui().theme(); }
inline const Faces& faces() { return theme().faces; }
inline const Colours& colours() { return theme().colours; }
inline float px(float length) { return theme().px(length); } // of a length at scale 1

// How much larger than usual things may be drawn in so much height: not at all in an ordinary window, more in
// that of a large screen, where they would be lost in a corner of it.
constexpr float greatest_growth = 1.8f;
inline float roomy_height() { return px(580); } // they begin to grow there
inline float growth_in(float height) { return std::clamp(height / roomy_height(), 1.f, greatest_growth); }

inline ImDrawList& pen() { return *ImGui::GetWindowDrawList(); } // draws on what is being laid out
inline WidgetRegistry& widgets() { return ui().widgets(); }

} // namespace headlight
