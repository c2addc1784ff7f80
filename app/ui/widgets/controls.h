// What a person operates: buttons, switches, choices, sliders, fields. Items of the current window, placed by
// its cursor (ImGui::SameLine works). Each has a name for scripts, a visible label, and a tooltip that says
// what it does; all can be reached with the keyboard.
#pragma once

#include "app/ui/base/widget_registry.h"

#include <span>
#include <string>
#include <string_view>

namespace headlight {

enum class ButtonKind { plain, primary, quiet }; // quiet: no surface until the pointer is over it

struct ButtonOptions {
    std::string_view tooltip{};
    ButtonKind kind = ButtonKind::plain;
    bool enabled = true;
    bool chosen = false; // stays pressed: the mode that is on
    float width = 0;     // at scale 1; 0: as wide as its label
    float pixels = 0;    // the width where it was measured
};

float button_width(std::string_view label); // in pixels

// True when it was pressed and let go.
bool button(std::string_view name, std::string_view label, const ButtonOptions& options = {});

// True when the person changed it.
bool toggle(std::string_view name, std::string_view label, bool& on, std::string_view tooltip = {});

// One of several, side by side.
float segmented_width(std::span<const std::string> labels);
bool segmented(std::string_view name, std::span<const std::string> labels, int& chosen,
               std::string_view tooltip = {});

struct SliderOptions {
    std::string_view tooltip{};
    float width = 220;        // at scale 1
    float pixels = 0;         // the width where it was measured
    float step = 0;           // 0: any number between; 1: whole numbers
    int digits = 3;           // of the number shown
    bool logarithmic = false; // both ends above zero
    bool empty = false;       // nothing was chosen yet: no knob, no number
};

// The label and the number above a track. Drag, click, or the arrow keys.
bool slider(std::string_view name, std::string_view label, float& value, float low, float high,
            const SliderOptions& options = {});

struct FieldOptions {
    std::string_view tooltip{};
    std::string_view hint{}; // shown while it is empty
    float width = 0;         // at scale 1; 0: what is left of the line
    float pixels = 0;        // the width where it was measured
    bool focus = false;      // takes the keyboard in this frame
    // Set: the text was changed from outside. It takes the place of what is edited, with the cursor behind
    // it, as soon as the field has the keyboard; then this is unset.
    bool* put = nullptr;
};

enum class FieldEvent { none, changed, entered };

// A line of text; its label stands above it where it has one.
FieldEvent text_field(std::string_view name, std::string_view label, std::string& text,
                      const FieldOptions& options = {});

// The keyboard goes to a field that does not have it, as soon as it is laid out, and with it what was typed
// before; forgotten where there is no such field.
void send_keyboard_to(std::string_view field, std::u32string typed = {});
bool is_keyboard_on_its_way(); // once a frame: what is typed meanwhile is sent after it

// A tooltip for an item of one's own, after the pointer has rested on it for a moment.
void tooltip_when_resting(std::string_view name, const ScreenRect& item, bool hovered, std::string_view text);

float control_height(); // of buttons, segments and fields

} // namespace headlight
