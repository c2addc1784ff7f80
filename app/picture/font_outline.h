// In a page, where there is no FreeType: a font's outlines, as stb_truetype reads them, behind FontFile's
// face.
#pragma once

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>

struct FT_FaceRec_ {
    stbtt_fontinfo info;
};
