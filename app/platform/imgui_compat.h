// The one file that knows Dear ImGui's versions: 1.86 (Debian 12), 1.90 (Debian 13, Ubuntu 24.04) and 1.92.
// Everybody else writes against 1.86's common ground and takes from here what differs.
#pragma once

#include "app/platform/input.h"

#include <imgui.h>

#include <span>
#include <string>
#include <vector>

namespace headlight {

// From here on memory that runs out is std::bad_alloc in Dear ImGui too, which would write to address 0 else.
// Before its context is made.
void demand_memory();

// A font at the size at which it is drawn. Since 1.92 a font has no size of its own; before, it has one only.
struct Face {
    ImFont* font = nullptr;
    float size = 0;
};

void push_face(const Face& face);
void pop_face();

// From the top of a line to its baseline.
float ascent(const Face& face);

// Where a character's ink lies relative to the pen at the top of the line, in the face's size, and where it
// is found in the atlas. Empty (right == left) for a space.
struct GlyphBox {
    float left = 0, top = 0, right = 0, bottom = 0, advance = 0;
    float u0 = 0, v0 = 0, u1 = 0, v1 = 0;
};
GlyphBox glyph_box(const Face& face, char32_t character);
bool has_glyph(const Face& face, char32_t character);

// Decodes one character of UTF-8 and moves `text` behind it; U+FFFD for malformed bytes. `text` < `end`.
char32_t next_character(const char*& text, const char* end);

// Lets stb_truetype draw the glyphs: three times as wide as they are shown, it spaces small text better than
// FreeType, whose advances are whole pixels here.
void use_stb_truetype(ImFontAtlas& atlas);

// Draws the glyphs (where the version does not do so on demand).
void build_atlas(ImFontAtlas& atlas);

// The face of text that names none.
void set_default_face(const Face& face);

// A font file as the atlas keeps it in memory, and which characters it was asked for (null: any).
struct FontSource {
    const void* bytes = nullptr;
    int size = 0, number = 0;
    const ImWchar* ranges = nullptr;
};
// In the order in which a character is looked for.
std::vector<FontSource> font_sources(const ImFont& font);

// A character as it is drawn: its box relative to the pen at the top of the line, and its place in the atlas.
struct AtlasGlyph {
    const ImFont* font = nullptr;
    char32_t character = 0;
    GlyphBox box;
    float size = 0, baseline = 0; // of the face; from the top of its line
};
std::vector<AtlasGlyph> atlas_glyphs(const ImFontAtlas& atlas);

// Hands a changed font atlas to the GL back end; between frames only.
void upload_font_atlas();

// Tells Dear ImGui once how our keys are numbered; then, every frame before NewFrame, what happened.
void map_keys();
void feed_input(std::span<const InputEvent> events);

// The pointer is nowhere, until it is put back.
ImVec2 take_pointer_away();
void put_pointer_back(ImVec2 place);

bool key_down(Key key);
bool key_pressed(Key key, bool repeat = true);

// While one of these lives, where it `is_so`, no key is pressed: what is laid out then lies under a dialog.
class UnheardKeys {
public:
    explicit UnheardKeys(bool is_so);
    ~UnheardKeys();
    UnheardKeys(const UnheardKeys&) = delete;
    UnheardKeys& operator=(const UnheardKeys&) = delete;

private:
    bool before_;
};

// The chord was pressed in this frame with exactly its modifiers.
bool chord_pressed(const Chord& chord, bool repeat = false);

// The system's clipboard, reached with `owner`.
using ReadClipboard = const char* (*)(void* owner);
using WriteClipboard = void (*)(void* owner, const char* text);
void set_clipboard(void* owner, ReadClipboard read, WriteClipboard write);

// ImGui::BeginTooltip returns void in 1.86 and bool later. Call end_tooltip only when this is true.
bool begin_tooltip();
void end_tooltip();

// A text field in which nobody types, and whose text has become another since somebody did, forgets what
// could be undone there. Before 1.88 Dear ImGui would undo it in the other text, and write beside its memory.
void forget_edits_of_another_text(ImGuiID field, const std::string& text);

// The next item may be overlapped by items submitted after it (and take their clicks).
void allow_overlap_before_item();
void allow_overlap_after_item();

} // namespace headlight
