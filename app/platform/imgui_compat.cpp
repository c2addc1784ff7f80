#include "app/platform/imgui_compat.h"

#include "app/platform/input.h"

#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <array>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <new>

namespace headlight {

// --- memory -------------------------------------------------------------------------------------------

void demand_memory() {
    ImGui::SetAllocatorFunctions(
        [](std::size_t bytes, void*) {
            void* const memory = std::malloc(bytes);
            if (memory == nullptr && bytes > 0) throw std::bad_alloc();
            return memory;
        },
        [](void* memory, void*) { std::free(memory); });
}

// --- fonts --------------------------------------------------------------------------------------------

void push_face(const Face& face) {
#if IMGUI_VERSION_NUM >= 19200
    ImGui::PushFont(face.font, face.size);
#else
    ImGui::PushFont(face.font);
#endif
}

void pop_face() { ImGui::PopFont(); }

namespace {

#if IMGUI_VERSION_NUM >= 19200
ImFontBaked& baked(const Face& face) { return *face.font->GetFontBaked(face.size); }
float scale_of(const Face&) { return 1.0f; }
#else
ImFont& baked(const Face& face) { return *face.font; }
float scale_of(const Face& face) { return face.size / face.font->FontSize; }
#endif

} // namespace

float ascent(const Face& face) { return baked(face).Ascent * scale_of(face); }

GlyphBox glyph_box(const Face& face, char32_t character) {
    const ImFontGlyph* glyph = baked(face).FindGlyph(ImWchar(character));
    if (!glyph) return {};
    const float scale = scale_of(face);
    GlyphBox box;
    box.advance = glyph->AdvanceX * scale;
    box.u0 = glyph->U0, box.v0 = glyph->V0, box.u1 = glyph->U1, box.v1 = glyph->V1;
    if (!glyph->Visible) return box;
    box.left = glyph->X0 * scale, box.right = glyph->X1 * scale;
    box.top = glyph->Y0 * scale, box.bottom = glyph->Y1 * scale;
    return box;
}

bool has_glyph(const Face& face, char32_t character) {
    if (character > IM_UNICODE_CODEPOINT_MAX) return false;
#if IMGUI_VERSION_NUM >= 19200
    return face.font->IsGlyphInFont(ImWchar(character));
#else
    return face.font->FindGlyphNoFallback(ImWchar(character)) != nullptr;
#endif
}

char32_t next_character(const char*& text, const char* end) {
    unsigned int character = 0;
    const int length = ImTextCharFromUtf8(&character, text, end);
    text += length > 0 ? length : 1;
    return length > 0 ? char32_t(character) : U'\uFFFD';
}

void use_stb_truetype(ImFontAtlas& atlas) {
#if !defined(IMGUI_ENABLE_STB_TRUETYPE)
    (void)atlas; // this Dear ImGui was built without it
#elif IMGUI_VERSION_NUM >= 19200
    atlas.SetFontLoader(ImFontAtlasGetFontLoaderForStbTruetype());
#else
    atlas.FontBuilderIO = ImFontAtlasGetBuilderForStbTruetype();
#endif
}

void build_atlas(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM < 19200
    atlas.Build();
#else
    (void)atlas; // glyphs are drawn when they are first needed
#endif
}

void set_default_face(const Face& face) {
    ImGui::GetIO().FontDefault = face.font;
#if IMGUI_VERSION_NUM >= 19200
    ImGui::GetStyle().FontSizeBase = face.size;
#endif
}

std::vector<FontSource> font_sources(const ImFont& font) {
    std::vector<FontSource> sources;
#if IMGUI_VERSION_NUM >= 19200 // any character of any source
    for (const ImFontConfig* config : font.Sources)
        sources.push_back({config->FontData, int(config->FontDataSize), int(config->FontNo), nullptr});
#else
    for (int i = 0; i < font.ConfigDataCount; ++i) {
        const ImFontConfig& config = font.ConfigData[i];
        sources.push_back({config.FontData, config.FontDataSize, config.FontNo, config.GlyphRanges});
    }
#endif
    return sources;
}

namespace {

AtlasGlyph as_atlas_glyph(const ImFont* font, const ImFontGlyph& glyph, float size, float baseline) {
    return {font,
            char32_t(glyph.Codepoint),
            {glyph.X0, glyph.Y0, glyph.X1, glyph.Y1, glyph.AdvanceX, glyph.U0, glyph.V0, glyph.U1, glyph.V1},
            size,
            baseline};
}

} // namespace

std::vector<AtlasGlyph> atlas_glyphs(const ImFontAtlas& atlas) {
    std::vector<AtlasGlyph> glyphs;
#if IMGUI_VERSION_NUM >= 19200
    for (int i = 0; atlas.Builder && i < atlas.Builder->BakedPool.Size; ++i) {
        ImFontBaked& sized = atlas.Builder->BakedPool[i];
        if (sized.WantDestroy) continue;
        for (const ImFontGlyph& glyph : sized.Glyphs)
            glyphs.push_back(as_atlas_glyph(sized.OwnerFont, glyph, sized.Size, std::round(sized.Ascent)));
    }
#else
    for (const ImFont* font : atlas.Fonts)
        for (const ImFontGlyph& glyph : font->Glyphs)
            glyphs.push_back(as_atlas_glyph(font, glyph, font->FontSize, std::round(font->Ascent)));
#endif
    return glyphs;
}

void upload_font_atlas() {
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

// --- input --------------------------------------------------------------------------------------------

namespace {

#if IMGUI_VERSION_NUM >= 18900
ImGuiKey imgui_key(Key key) {
    const auto from = [key](Key first, ImGuiKey start) {
        return ImGuiKey(int(start) + int(key) - int(first));
    };
    if (key >= Key::a && key <= Key::z) return from(Key::a, ImGuiKey_A);
    if (key >= Key::digit_0 && key <= Key::digit_9) return from(Key::digit_0, ImGuiKey_0);
    if (key >= Key::f1 && key <= Key::f12) return from(Key::f1, ImGuiKey_F1);
    if (key >= Key::apostrophe && key <= Key::grave) return from(Key::apostrophe, ImGuiKey_Apostrophe);
    if (key >= Key::left_ctrl && key <= Key::right_super) return from(Key::left_ctrl, ImGuiKey_LeftCtrl);
    if (key == Key::keypad_enter) return ImGuiKey_KeypadEnter;
    if (key >= Key::tab && key <= Key::escape) return from(Key::tab, ImGuiKey_Tab);
    return ImGuiKey_None;
}
#endif

constexpr int modifier_count = 4; // ctrl, shift, alt, super: in this order among the left and the right keys

void set_key(ImGuiIO& io, Key key, bool down) {
#if IMGUI_VERSION_NUM >= 18900
    io.AddKeyEvent(imgui_key(key), down);
#else
    io.KeysDown[int(key)] = down;
#endif
    if (!is_modifier(key)) return;
    const int which = (int(key) - int(Key::left_ctrl)) % modifier_count;
    const Key twin = key < Key::right_ctrl ? Key(int(key) + modifier_count) : Key(int(key) - modifier_count);
    const bool held = down || key_down(twin);
#if IMGUI_VERSION_NUM >= 18900
    constexpr ImGuiKey modifiers[] = {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt, ImGuiMod_Super};
    io.AddKeyEvent(modifiers[which], held);
#else
    bool* const modifiers[] = {&io.KeyCtrl, &io.KeyShift, &io.KeyAlt, &io.KeySuper};
    *modifiers[which] = held;
#endif
}

} // namespace

void map_keys() {
#if IMGUI_VERSION_NUM < 18900
    ImGuiIO& io = ImGui::GetIO();
    const std::array<std::pair<int, Key>, 22> named = {{{ImGuiKey_Tab, Key::tab},
                                                        {ImGuiKey_LeftArrow, Key::left},
                                                        {ImGuiKey_RightArrow, Key::right},
                                                        {ImGuiKey_UpArrow, Key::up},
                                                        {ImGuiKey_DownArrow, Key::down},
                                                        {ImGuiKey_PageUp, Key::page_up},
                                                        {ImGuiKey_PageDown, Key::page_down},
                                                        {ImGuiKey_Home, Key::home},
                                                        {ImGuiKey_End, Key::end},
                                                        {ImGuiKey_Insert, Key::insert},
                                                        {ImGuiKey_Delete, Key::delete_forward},
                                                        {ImGuiKey_Backspace, Key::backspace},
                                                        {ImGuiKey_Space, Key::space},
                                                        {ImGuiKey_Enter, Key::enter},
                                                        {ImGuiKey_Escape, Key::escape},
                                                        {ImGuiKey_KeyPadEnter, Key::keypad_enter},
                                                        {ImGuiKey_A, Key::a},
                                                        {ImGuiKey_C, Key::c},
                                                        {ImGuiKey_V, Key::v},
                                                        {ImGuiKey_X, Key::x},
                                                        {ImGuiKey_Y, Key::y},
                                                        {ImGuiKey_Z, Key::z}}};
    for (const auto& [theirs, ours] : named) io.KeyMap[theirs] = int(ours);
#endif
}

void feed_input(std::span<const InputEvent> events) {
    ImGuiIO& io = ImGui::GetIO();
    for (const InputEvent& event : events) {
        switch (event.kind) {
        case InputEvent::Kind::mouse_move:
#if IMGUI_VERSION_NUM >= 18900
            io.AddMousePosEvent(event.x, event.y);
#else
            io.MousePos = {event.x, event.y};
#endif
            break;
        case InputEvent::Kind::mouse_button:
            if (event.button < 0 || event.button >= ImGuiMouseButton_COUNT) break;
#if IMGUI_VERSION_NUM >= 18900
            io.AddMouseButtonEvent(event.button, event.down);
#else
            io.MouseDown[event.button] = event.down;
#endif
            break;
        case InputEvent::Kind::wheel:
#if IMGUI_VERSION_NUM >= 18900
            io.AddMouseWheelEvent(event.x, event.y);
#else
            io.MouseWheel += event.y;
            io.MouseWheelH += event.x;
#endif
            break;
        case InputEvent::Kind::key:
            set_key(io, event.key, event.down);
            break;
        case InputEvent::Kind::text:
            io.AddInputCharactersUTF8(for_field(event.text).c_str());
            break;
        case InputEvent::Kind::focus_lost:
            // Keys let go while another window has the focus are never reported.
            for (int key = 1; key < int(Key::count); ++key)
                if (key_down(Key(key))) set_key(io, Key(key), false);
            break;
        }
    }
}

ImVec2 take_pointer_away() {
    const ImVec2 place = ImGui::GetIO().MousePos;
    put_pointer_back({-FLT_MAX, -FLT_MAX});
    return place;
}

void put_pointer_back(ImVec2 place) {
#if IMGUI_VERSION_NUM >= 18900
    ImGui::GetIO().AddMousePosEvent(place.x, place.y);
#else
    ImGui::GetIO().MousePos = place;
#endif
}

bool key_down(Key key) {
#if IMGUI_VERSION_NUM >= 18900
    return ImGui::IsKeyDown(imgui_key(key));
#else
    return ImGui::GetIO().KeysDown[int(key)];
#endif
}

namespace {
bool are_unheard = false;
}

UnheardKeys::UnheardKeys(bool is_so) : before_(are_unheard) { are_unheard = are_unheard || is_so; }

UnheardKeys::~UnheardKeys() { are_unheard = before_; }

bool key_pressed(Key key, bool repeat) {
    if (are_unheard) return false;
#if IMGUI_VERSION_NUM >= 18900
    return ImGui::IsKeyPressed(imgui_key(key), repeat);
#else
    return ImGui::IsKeyPressed(int(key), repeat);
#endif
}

bool chord_pressed(const Chord& chord, bool repeat) {
    const ImGuiIO& io = ImGui::GetIO();
    return io.KeyCtrl == chord.ctrl && io.KeyShift == chord.shift && io.KeyAlt == chord.alt
           && io.KeySuper == chord.super && key_pressed(chord.key, repeat);
}

namespace {

// The system's, whose text is not that of a field.
struct Clipboard {
    void* owner = nullptr;
    ReadClipboard read = nullptr;
    WriteClipboard write = nullptr;
    std::string pasted;
};

Clipboard& clipboard() {
    static Clipboard only;
    return only;
}

bool edits_many_lines() {
    const ImGuiInputTextState* state = ImGui::GetInputTextState(ImGui::GetActiveID());
    return state && (state->Flags & ImGuiInputTextFlags_Multiline) != 0;
}

const char* pasted_text() {
    Clipboard& own = clipboard();
    const char* text = own.read(own.owner);
    if (!text) return nullptr;
    own.pasted = for_field(edits_many_lines() ? text : as_one_line(text));
    return own.pasted.c_str();
}

void copy_text(const char* text) { clipboard().write(clipboard().owner, from_field(text).c_str()); }

} // namespace

void set_clipboard(void* owner, ReadClipboard read, WriteClipboard write) {
    clipboard() = {owner, read, write, {}};
#if IMGUI_VERSION_NUM < 19110
    ImGuiIO& io = ImGui::GetIO();
    io.GetClipboardTextFn = [](void*) { return pasted_text(); };
    io.SetClipboardTextFn = [](void*, const char* text) { copy_text(text); };
#else
    ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
    platform.Platform_GetClipboardTextFn = [](ImGuiContext*) { return pasted_text(); };
    platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { copy_text(text); };
#endif
}

// --- items --------------------------------------------------------------------------------------------

void forget_edits_of_another_text(ImGuiID field, const std::string& text) {
#if IMGUI_VERSION_NUM < 18800
    ImGuiInputTextState* state = ImGui::GetInputTextState(field);
    if (!state || ImGui::GetActiveID() == field) return;
    const char *at = text.data(), *end = at + text.size();
    int i = 0;
    while (at < end && i < state->CurLenW && char32_t(state->TextW[i]) == next_character(at, end)) ++i;
    if (at != end || i != state->CurLenW) state->ID = 0; // it begins anew when somebody types there again
#else
    (void)field, (void)text;
#endif
}

bool begin_tooltip() {
#if IMGUI_VERSION_NUM >= 18950
    return ImGui::BeginTooltip();
#else
    ImGui::BeginTooltip();
    return true;
#endif
}

void end_tooltip() { ImGui::EndTooltip(); }

void allow_overlap_before_item() {
#if IMGUI_VERSION_NUM >= 18970
    ImGui::SetNextItemAllowOverlap();
#endif
}

void allow_overlap_after_item() {
#if IMGUI_VERSION_NUM < 18970
    ImGui::SetItemAllowOverlap();
#endif
}

} // namespace headlight
