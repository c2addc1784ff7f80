#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

struct FT_FaceRec_;

namespace headlight {

// A font file as the window has it in memory: what it is called, which characters it has, and itself, for
// what embeds it.
class FontFile {
public:
    // Keeps a copy of the bytes. Null when they are no font.
    static std::shared_ptr<const FontFile> open(const void* bytes, int size, int number);
    ~FontFile();
    FontFile(const FontFile&) = delete;
    FontFile& operator=(const FontFile&) = delete;

    // As style sheets say it: "DejaVu Serif", 600, italic, condensed; and what comes nearest elsewhere.
    const std::string& family() const { return family_; }
    int weight() const { return weight_; }
    bool is_italic() const { return italic_; }
    bool is_condensed() const { return condensed_; }
    const char* generic_family() const; // "sans-serif", "serif", "monospace"

    // Of a height from the highest ascender to the lowest descender, the share that the em is.
    float em_of_height() const { return em_of_height_; }
    bool has(char32_t character) const { return glyph(character) != 0; }
    unsigned glyph(char32_t character) const;
    FT_FaceRec_* face() const { return face_; }

private:
    FontFile() = default;

    std::vector<unsigned char> bytes_;
    FT_FaceRec_* face_ = nullptr;
    std::string family_;
    int weight_ = 400;
    bool italic_ = false, condensed_ = false;
    float em_of_height_ = 0.8f;
};

// Each opened once, for all pages of a document.
class FontFiles {
public:
    std::shared_ptr<const FontFile> of(const void* bytes, int size, int number);

private:
    std::map<const void*, std::shared_ptr<const FontFile>> files_;
};

} // namespace headlight
