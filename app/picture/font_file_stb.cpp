// FontFile where there is no FreeType: read by stb_truetype.
#include "app/picture/font_file.h"
#include "app/picture/font_outline.h"

namespace headlight {

namespace {

// A name of Microsoft's table, in English: two bytes a character.
std::string name_of(const stbtt_fontinfo& info, int which) {
    int length = 0;
    const char* name = stbtt_GetFontNameString(&info, &length, STBTT_PLATFORM_ID_MICROSOFT,
                                               STBTT_MS_EID_UNICODE_BMP, STBTT_MS_LANG_ENGLISH, which);
    std::string text;
    for (int i = 0; name && i + 1 < length; i += 2) text += name[i] == 0 ? name[i + 1] : '?';
    return text;
}

int weight_of(const std::string& style) {
    if (style.find("SemiBold") != style.npos || style.find("Semi Bold") != style.npos) return 600;
    if (style.find("Medium") != style.npos) return 500;
    return style.find("Bold") != style.npos ? 700 : 400;
}

} // namespace

std::shared_ptr<const FontFile> FontFile::open(const void* bytes, int size, int number) {
    if (!bytes || size <= 0) return nullptr;
    std::shared_ptr<FontFile> font(new FontFile);
    const auto* first = static_cast<const unsigned char*>(bytes);
    font->bytes_.assign(first, first + size);
    const int start = stbtt_GetFontOffsetForIndex(font->bytes_.data(), number);
    font->face_ = new FT_FaceRec_{};
    if (start < 0 || !stbtt_InitFont(&font->face_->info, font->bytes_.data(), start)) return nullptr;
    constexpr int family = 1, subfamily = 2, typographic_family = 16, typographic_subfamily = 17;
    const stbtt_fontinfo& info = font->face_->info;
    font->family_ = name_of(info, typographic_family);
    if (font->family_.empty()) font->family_ = name_of(info, family);
    std::string style = name_of(info, typographic_subfamily);
    if (style.empty()) style = name_of(info, subfamily);
    font->weight_ = weight_of(style);
    font->italic_ = style.find("Italic") != style.npos || style.find("Oblique") != style.npos;
    font->condensed_ = style.find("Condensed") != style.npos;
    int ascent = 0, descent = 0, gap = 0;
    stbtt_GetFontVMetrics(&info, &ascent, &descent, &gap);
    const float em = 1 / stbtt_ScaleForMappingEmToPixels(&info, 1);
    if (ascent > descent) font->em_of_height_ = em / float(ascent - descent);
    return font;
}

FontFile::~FontFile() { delete face_; }

const char* FontFile::generic_family() const {
    if (family_.find("Mono") != family_.npos) return "monospace";
    return family_.find("Serif") != family_.npos ? "serif" : "sans-serif";
}

unsigned FontFile::glyph(char32_t character) const {
    return unsigned(stbtt_FindGlyphIndex(&face_->info, int(character)));
}

std::shared_ptr<const FontFile> FontFiles::of(const void* bytes, int size, int number) {
    const auto [known, is_new] = files_.try_emplace(bytes);
    if (is_new) known->second = FontFile::open(bytes, size, number);
    return known->second;
}

} // namespace headlight
