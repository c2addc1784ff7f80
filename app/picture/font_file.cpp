#include "app/picture/font_file.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H

namespace headlight {

namespace {

// One for the program: a face may outlive whoever opened it.
FT_Library library() {
    static const FT_Library one = [] {
        FT_Library opened = nullptr;
        return FT_Init_FreeType(&opened) == 0 ? opened : nullptr;
    }();
    return one;
}

int weight_of(const std::string& style, FT_Face face) {
    const auto* os2 = static_cast<const TT_OS2*>(FT_Get_Sfnt_Table(face, FT_SFNT_OS2));
    if (os2 && os2->usWeightClass >= 100 && os2->usWeightClass <= 900) return os2->usWeightClass;
    return style.find("Bold") != style.npos ? 700 : 400;
}

} // namespace

std::shared_ptr<const FontFile> FontFile::open(const void* bytes, int size, int number) {
    if (!library() || !bytes || size <= 0) return nullptr;
    std::shared_ptr<FontFile> font(new FontFile);
    font->bytes_.assign(static_cast<const FT_Byte*>(bytes), static_cast<const FT_Byte*>(bytes) + size);
    if (FT_New_Memory_Face(library(), font->bytes_.data(), size, number, &font->face_) != 0) return nullptr;
    const FT_Face face = font->face_;
    font->family_ = face->family_name ? face->family_name : "";
    const std::string style = face->style_name ? face->style_name : "";
    font->weight_ = weight_of(style, face);
    font->italic_ = (face->style_flags & FT_STYLE_FLAG_ITALIC) != 0;
    font->condensed_ = style.find("Condensed") != style.npos;
    const int height = face->ascender - face->descender;
    if (height > 0) font->em_of_height_ = float(face->units_per_EM) / float(height);
    // "Inter SemiBold" is the family Inter in the weight 600.
    for (const char* word : {" SemiBold", " Semi Bold", " Medium"})
        if (font->family_.ends_with(word))
            font->family_.resize(font->family_.size() - std::string(word).size());
    return font;
}

FontFile::~FontFile() {
    if (face_) FT_Done_Face(face_);
}

const char* FontFile::generic_family() const {
    if (family_.find("Mono") != family_.npos) return "monospace";
    return family_.find("Serif") != family_.npos ? "serif" : "sans-serif";
}

unsigned FontFile::glyph(char32_t character) const { return FT_Get_Char_Index(face_, character); }

std::shared_ptr<const FontFile> FontFiles::of(const void* bytes, int size, int number) {
    const auto [known, is_new] = files_.try_emplace(bytes);
    if (is_new) known->second = FontFile::open(bytes, size, number);
    return known->second;
}

} // namespace headlight
