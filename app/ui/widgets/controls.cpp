#include "app/ui/widgets/controls.h"

#include "app/platform/input.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"
#include "engine/base/check.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace headlight {
namespace {

constexpr double rest_before_tooltip = 0.45; // seconds

struct Pressed {
    bool clicked = false, hovered = false, held = false, focused = false;
    ScreenRect rect;
};

// An item of that size at the cursor that answers the pointer and the keyboard.
Pressed press_area(std::string_view name, ImVec2 size, bool enabled = true) {
    HEADLIGHT_CHECK(!name.empty(), "a control needs a name");
    Pressed pressed;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    pressed.rect = ScreenRect::at(corner.x, corner.y, size.x, size.y);
    if (!enabled) {
        ImGui::Dummy(size);
        pressed.hovered =
            ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(pressed.rect.min, pressed.rect.max);
        return pressed;
    }
    ImGui::PushID(name.data(), name.data() + name.size());
    pressed.clicked = ImGui::InvisibleButton("area", size);
    ImGui::PopID();
    pressed.hovered = ImGui::IsItemHovered();
    pressed.held = ImGui::IsItemActive();
    pressed.focused = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
    if (pressed.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    widgets().record(name, pressed.rect);
    return pressed;
}

void focus_ring(const ScreenRect& rect, float rounding) {
    const float px = theme().px(2);
    ImGui::GetWindowDrawList()->AddRect({rect.min.x - px, rect.min.y - px},
                                        {rect.max.x + px, rect.max.y + px}, theme().colours.accent,
                                        rounding + px, 0, px);
}

float snapped(float value, float low, float high, float step) {
    if (step > 0) value = low + std::round((value - low) / step) * step;
    return std::clamp(value, low, high);
}

struct FieldText {
    std::string& text;
    std::string put; // takes the place of what is edited, once
    bool is_put = false;
};

int edit_string(ImGuiInputTextCallbackData* data) {
    auto& [text, put, is_put] = *static_cast<FieldText*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        text.resize(std::size_t(data->BufTextLen));
        data->Buf = text.data();
    } else if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) {
        data->DeleteChars(0, data->BufTextLen);
        data->InsertChars(0, put.c_str());
        data->ClearSelection();
        is_put = true;
    }
    return 0;
}

// A field that nobody types in shows how its text begins, and that it goes on.
void fade_end(const ScreenRect& field, const std::string& text) {
    const Theme& look = theme();
    const Face& face = look.faces.body;
    const float room = field.width() - 2 * look.px(11);
    if (text_width(face, text) <= room) return;
    const Colour ground = look.colours.raised;
    const float right = field.max.x, solid = right - look.px(22), fading = solid - look.px(26);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float top = field.centre().y - face.size * 0.7f, bottom = field.centre().y + face.size * 0.7f;
    list.AddRectFilledMultiColor({fading, top}, {solid, bottom}, with_alpha(ground, 0), ground, ground,
                                 with_alpha(ground, 0));
    list.AddRectFilled({solid, top}, {right, bottom}, ground);
    list.AddRectFilled({right - 1, top}, {right, bottom}, look.colours.line);
    draw_text(list, face, {solid + look.px(3), field.centre().y - face.size / 2}, look.colours.ink_soft, "…");
}

// What was sent to a field, and has not arrived. Only a field that has the keyboard takes characters.
struct SentKeyboard {
    std::string field; // empty: none
    std::u32string typed;
    int frames = 0;       // on the way
    bool arrived = false; // the field has the keyboard; the characters are next
};

// Before a field is laid out. True when it shall take the keyboard.
bool receives_keyboard(std::string_view field) {
    SentKeyboard& sent = ui().state<SentKeyboard>();
    if (sent.field != field) return false;
    if (!sent.arrived) return true;
    for (const char32_t c : sent.typed) ImGui::GetIO().InputQueueCharacters.push_back(ImWchar(c));
    sent = {};
    return false;
}

} // namespace

void send_keyboard_to(std::string_view field, std::u32string typed) {
    ui().state<SentKeyboard>() = {std::string(field), std::move(typed)};
}

bool is_keyboard_on_its_way() {
    constexpr int longest = 4; // frames: where it has not arrived by then there is no such field
    SentKeyboard& sent = ui().state<SentKeyboard>();
    if (sent.field.empty()) return false;
    if (++sent.frames > longest) {
        sent = {};
        return false;
    }
    ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    for (const ImWchar c : typed) sent.typed += char32_t(c);
    typed.resize(0);
    return true;
}

float control_height() { return theme().faces.body.size + theme().px(14); }

void tooltip_when_resting(std::string_view name, const ScreenRect& item, bool hovered,
                          std::string_view text) {
    struct Resting {
        std::string on;
        double since = 0; // seconds
        int last_frame = 0;
        ImVec2 clicked = {-1e9f, -1e9f}; // what a click has brought is looked at until the pointer moves on
    };
    auto& [resting_on, since, last_frame, clicked] = ui().state<Resting>();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (ImGui::IsMouseDown(0)) clicked = mouse;
    if (std::abs(mouse.x - clicked.x) + std::abs(mouse.y - clicked.y) < px(4)) return;
    clicked = {-1e9f, -1e9f};
    if (!hovered || text.empty()) return;
    const double now = ImGui::GetTime();
    if (resting_on != name || ImGui::GetFrameCount() > last_frame + 1) {
        resting_on = name;
        since = now;
    }
    last_frame = ImGui::GetFrameCount();
    if (now - since >= rest_before_tooltip)
        show_tooltip(text, item);
    else
        ui().display().request_frames(2); // the window must not fall asleep before
}

float button_width(std::string_view label) {
    return std::max(std::ceil(text_width(faces().body, label)) + 2 * px(14), control_height());
}

bool button(std::string_view name, std::string_view label, const ButtonOptions& options) {
    const Theme& look = theme();
    const Colours& c = look.colours;
    const Face& face = look.faces.body;
    const float natural = button_width(label) - (options.kind == ButtonKind::quiet ? 2 * px(4) : 0);
    const float width = options.pixels > 0  ? options.pixels
                        : options.width > 0 ? px(options.width)
                                            : std::max(natural, control_height());
    const Pressed pressed = press_area(name, {width, control_height()}, options.enabled);
    if (look.options.paper) return false; // nobody presses what is printed

    Colour surface = options.kind == ButtonKind::primary ? c.accent
                     : options.kind == ButtonKind::quiet ? 0
                                                         : c.raised;
    Colour ink = options.kind == ButtonKind::primary ? c.on_accent : c.ink;
    if (!options.enabled) {
        surface = options.kind == ButtonKind::quiet ? 0 : c.raised;
        ink = c.ink_faint;
    } else if (options.kind == ButtonKind::primary) {
        if (pressed.held)
            surface = mix(surface, c.ink, 0.22f);
        else if (pressed.hovered)
            surface = mix(surface, c.ink, 0.11f);
    } else {
        if (options.chosen) surface = c.accent_soft, ink = c.accent;
        if (pressed.held)
            surface = options.chosen ? mix(c.accent_soft, c.accent, 0.2f) : c.pressed;
        else if (pressed.hovered)
            surface = options.chosen ? mix(c.accent_soft, c.accent, 0.1f) : c.hovered;
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float rounding = look.px(7);
    if (surface) list.AddRectFilled(pressed.rect.min, pressed.rect.max, surface, rounding);
    const ScreenRect inside{{pressed.rect.min.x + look.px(4), pressed.rect.min.y},
                            {pressed.rect.max.x - look.px(4), pressed.rect.max.y}};
    draw_text_in(list, face, inside, ink, label, Align::centre);
    if (pressed.focused) focus_ring(pressed.rect, rounding);
    tooltip_when_resting(name, pressed.rect, pressed.hovered, options.tooltip);
    return pressed.clicked;
}

bool toggle(std::string_view name, std::string_view label, bool& on, std::string_view tooltip) {
    const Theme& look = theme();
    const Colours& c = look.colours;
    const Face& face = look.faces.body;
    const float track_width = look.px(34), track_height = look.px(20);
    const float width = track_width + look.px(10) + std::ceil(text_width(face, label));
    const Pressed pressed = press_area(name, {width, control_height()});
    if (pressed.clicked) on = !on;

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = pressed.rect.centre().y;
    const ScreenRect track =
        ScreenRect::at(pressed.rect.min.x, std::round(middle - track_height / 2), track_width, track_height);
    const Colour off = mix(c.pressed, c.ink_faint, 0.35f);
    list.AddRectFilled(track.min, track.max, mix(on ? c.accent : off, c.ink, pressed.hovered ? 0.1f : 0),
                       track_height);
    const float radius = track_height / 2 - look.px(3);
    const float x = on ? track.max.x - track_height / 2 : track.min.x + track_height / 2;
    list.AddCircleFilled({x, track.centre().y}, radius, on ? c.on_accent : c.card, 32);
    draw_text(list, face, {track.max.x + look.px(10), middle - face.size / 2}, c.ink, label);
    if (pressed.focused) focus_ring(track, track_height / 2);
    tooltip_when_resting(name, pressed.rect, pressed.hovered, tooltip);
    return pressed.clicked;
}

constexpr float segment_inset = 3, segment_padding = 14;

float segmented_width(std::span<const std::string> labels) {
    float width = 2 * theme().px(segment_inset);
    for (const std::string& label : labels)
        width += std::ceil(text_width(faces().body, label)) + 2 * theme().px(segment_padding);
    return width;
}

bool segmented(std::string_view name, std::span<const std::string> labels, int& chosen,
               std::string_view tooltip) {
    const Theme& look = theme();
    const Colours& c = look.colours;
    const Face& face = look.faces.body;
    const float inset = look.px(segment_inset), padding = look.px(segment_padding), height = control_height();
    const float width = segmented_width(labels);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float rounding = look.px(8);
    list.AddRectFilled(corner, {corner.x + width, corner.y + height}, c.raised, rounding);

    bool changed = false, hovered = false;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginGroup();
    ImGui::Dummy({inset, height});
    for (int index = 0; index < int(labels.size()); ++index) {
        const std::string& label = labels[std::size_t(index)];
        ImGui::SameLine();
        const std::string item = std::string(name).append(".").append(std::to_string(index));
        const Pressed pressed = press_area(item, {std::ceil(text_width(face, label)) + 2 * padding, height});
        if (pressed.clicked && chosen != index) {
            chosen = index;
            changed = true;
        }
        hovered = hovered || pressed.hovered;
        const ScreenRect pad{{pressed.rect.min.x, pressed.rect.min.y + inset},
                             {pressed.rect.max.x, pressed.rect.max.y - inset}};
        const bool is_chosen = index == chosen;
        if (is_chosen) {
            list.AddRectFilled({pad.min.x, pad.min.y + 1}, {pad.max.x, pad.max.y + 1},
                               with_alpha(rgb(0x000000), 0.10f), rounding - inset);
            list.AddRectFilled(pad.min, pad.max, look.options.dark ? c.pressed : c.card, rounding - inset);
        } else if (pressed.hovered)
            list.AddRectFilled(pad.min, pad.max, c.hovered, rounding - inset);
        draw_text_in(list, face, pressed.rect, is_chosen ? c.ink : c.ink_soft, label, Align::centre);
        if (pressed.focused) focus_ring(pad, rounding - inset);
    }
    ImGui::SameLine();
    ImGui::Dummy({inset, height});
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    widgets().record(name, ScreenRect::at(corner.x, corner.y, width, height));
    tooltip_when_resting(name, ScreenRect::at(corner.x, corner.y, width, height), hovered, tooltip);
    return changed;
}

bool slider(std::string_view name, std::string_view label, float& value, float low, float high,
            const SliderOptions& options) {
    const Theme& look = theme();
    const Colours& c = look.colours;
    const Face &face = look.faces.caption, &number = look.faces.mono_small;
    const float width = options.pixels > 0 ? options.pixels : px(options.width), knob = px(8);
    const float text_height = std::max(face.size, number.size);
    const float height = text_height + look.px(6) + 2 * knob;
    const Pressed pressed = press_area(name, {width, height});
    if (look.options.paper) return false;

    const auto place_of = [&](float at) {
        if (options.logarithmic) return (std::log(at) - std::log(low)) / (std::log(high) - std::log(low));
        return (at - low) / (high - low);
    };
    const auto value_at = [&](float place) {
        if (options.logarithmic) return std::exp(std::lerp(std::log(low), std::log(high), place));
        return std::lerp(low, high, place);
    };
    const float before = value;
    const float left = pressed.rect.min.x + knob, right = pressed.rect.max.x - knob;
    if (pressed.held && ImGui::IsMouseDown(0)) {
        const float place = std::clamp((ImGui::GetIO().MousePos.x - left) / (right - left), 0.0f, 1.0f);
        value = snapped(value_at(place), low, high, options.step);
    }
    if (pressed.focused) {
        const int steps = int(key_pressed(Key::right)) - int(key_pressed(Key::left));
        if (steps != 0)
            value = snapped(options.step > 0
                                ? std::clamp(value + float(steps) * options.step, low, high)
                                : value_at(std::clamp(place_of(value) + float(steps) * 0.02f, 0.0f, 1.0f)),
                            low, high, options.step);
    }

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool is_empty = options.empty && value == before;
    const std::string shown = is_empty            ? std::string()
                              : options.step == 1 ? format_whole(value)
                                                  : format_number(value, options.digits);
    draw_text(list, face, pressed.rect.min, c.ink_soft, label);
    draw_text(
        list, number,
        {pressed.rect.max.x - text_width(number, shown), pressed.rect.min.y + ascent(face) - ascent(number)},
        c.ink, shown);
    const float middle = pressed.rect.max.y - knob, half = look.px(2);
    const float at = std::lerp(left, right, std::clamp(place_of(value), 0.0f, 1.0f));
    list.AddRectFilled({left, middle - half}, {right, middle + half}, c.pressed, half);
    if (!is_empty) list.AddRectFilled({left, middle - half}, {at, middle + half}, c.accent, half);
    const bool active = pressed.held || pressed.hovered;
    if (!is_empty) {
        if (active) list.AddCircleFilled({at, middle}, knob + look.px(3), with_alpha(c.accent, 0.16f), 32);
        list.AddCircleFilled({at, middle}, knob, c.accent, 32);
        list.AddCircleFilled({at, middle}, knob - look.px(2), c.card, 32);
    }
    if (pressed.focused) focus_ring(ScreenRect::at(at - knob, middle - knob, 2 * knob, 2 * knob), knob);
    tooltip_when_resting(name, pressed.rect, pressed.hovered, options.tooltip);
    return value != before;
}

FieldEvent text_field(std::string_view name, std::string_view label, std::string& text,
                      const FieldOptions& options) {
    HEADLIGHT_CHECK(!name.empty(), "a field needs a name");
    const Theme& look = theme();
    const Colours& c = look.colours;
    const float width = options.pixels > 0  ? options.pixels
                        : options.width > 0 ? px(options.width)
                                            : ImGui::GetContentRegionAvail().x;
    ImGui::BeginGroup();
    if (!label.empty()) {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        draw_text(*ImGui::GetWindowDrawList(), look.faces.caption, corner, c.ink_soft, label);
        ImGui::Dummy({width, look.faces.caption.size + look.px(2)});
        ImGui::SetCursorScreenPos({corner.x, corner.y + look.faces.caption.size + look.px(5)});
    }
    ImGui::PushID(name.data(), name.data() + name.size());
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(11), look.px(7)});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
    ImGui::SetNextItemWidth(width);
    if (receives_keyboard(name) || options.focus) ImGui::SetKeyboardFocusHere();
    const std::string hint(options.hint);
    text = for_field(text);
    forget_edits_of_another_text(ImGui::GetID("##field"), text);
    const bool puts = options.put && *options.put;
    FieldText edited{text, puts ? text : std::string()};
    const ImGuiInputTextFlags flags =
        ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_EnterReturnsTrue
        | ImGuiInputTextFlags_AutoSelectAll
        | (puts ? ImGuiInputTextFlags_CallbackAlways : ImGuiInputTextFlags_None);
    const bool entered = ImGui::InputTextWithHint("##field", hint.c_str(), text.data(), text.capacity() + 1,
                                                  flags, edit_string, &edited);
    text = from_field(std::move(text));
    const bool changed = ImGui::IsItemEdited() && !edited.is_put;
    if (edited.is_put) *options.put = false;
    const ScreenRect rect{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
    const bool hovered = ImGui::IsItemHovered();
    if (SentKeyboard& sent = ui().state<SentKeyboard>(); sent.field == name && ImGui::IsItemActive())
        sent.arrived = true;
    if (ImGui::IsItemActive())
        ImGui::GetWindowDrawList()->AddRect(rect.min, rect.max, c.accent, look.px(7), 0, look.px(2));
    else
        fade_end(rect, text);
    ImGui::PopStyleVar(2);
    ImGui::PopID();
    ImGui::EndGroup();
    widgets().record(name, rect);
    if (!ImGui::IsAnyItemActive()) tooltip_when_resting(name, rect, hovered, options.tooltip);
    return entered ? FieldEvent::entered : changed ? FieldEvent::changed : FieldEvent::none;
}

} // namespace headlight
