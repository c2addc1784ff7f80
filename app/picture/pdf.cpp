#include "app/picture/picture.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>

#include <cmath>
#include <map>
#include <memory>

namespace headlight {

namespace {

constexpr double points_a_unit = 0.75; // 96 units and 72 points an inch

constexpr float overlap = 0.4f; // of neighbouring cells: no ground shines through between them

// The faces of one document.
class CairoFaces {
public:
    CairoFaces() = default;
    ~CairoFaces() {
        for (const auto& [font, face] : faces_) cairo_font_face_destroy(face);
    }
    CairoFaces(const CairoFaces&) = delete;
    CairoFaces& operator=(const CairoFaces&) = delete;

    cairo_font_face_t* of(const std::shared_ptr<const FontFile>& font) {
        cairo_font_face_t*& face = faces_[font.get()];
        if (face) return face;
        face = cairo_ft_font_face_create_for_ft_face(font->face(), FT_LOAD_NO_HINTING);
        // The font lives as long as cairo keeps anything of it.
        static const cairo_user_data_key_t key{};
        using Kept = std::shared_ptr<const FontFile>;
        cairo_font_face_set_user_data(face, &key, new Kept(font),
                                      [](void* kept) { delete static_cast<Kept*>(kept); });
        return face;
    }

private:
    std::map<const FontFile*, cairo_font_face_t*> faces_;
};

class CairoPainter {
public:
    CairoPainter(cairo_surface_t* surface, CairoFaces& faces) : cairo_(cairo_create(surface)), faces_(faces) {
        cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_MITER);
        cairo_set_miter_limit(cairo_, 4);
    }
    ~CairoPainter() { cairo_destroy(cairo_); }
    CairoPainter(const CairoPainter&) = delete;
    CairoPainter& operator=(const CairoPainter&) = delete;

    cairo_t* cairo() { return cairo_; }

    void paint(const Picture& picture) {
        draw(FilledRect{{0, 0, picture.width, picture.height}, picture.ground});
        for (const PictureItem& item : picture.items) {
            if (item.clip) {
                cairo_save(cairo_);
                outline(*item.clip);
                cairo_clip(cairo_);
            }
            std::visit([this](const auto& shape) { draw(shape); }, item.shape);
            if (item.clip) cairo_restore(cairo_);
        }
    }

private:
    void ink(Colour colour) {
        cairo_set_source_rgba(cairo_, double(colour & 255) / 255, double(colour >> 8 & 255) / 255,
                              double(colour >> 16 & 255) / 255, double(colour >> 24) / 255);
    }
    void outline(const PictureRect& r) {
        cairo_rectangle(cairo_, double(r.left), double(r.top), double(r.width()), double(r.height()));
    }
    void path(const std::vector<ImVec2>& points, bool closed) {
        cairo_new_path(cairo_);
        for (const ImVec2 point : points) cairo_line_to(cairo_, double(point.x), double(point.y));
        if (closed) cairo_close_path(cairo_);
    }

    void draw(const FilledRect& shape) {
        ink(shape.colour);
        outline(shape.rect);
        cairo_fill(cairo_);
    }
    void draw(const FilledPolygon& shape) {
        ink(shape.colour);
        path(shape.points, true);
        cairo_fill(cairo_);
    }
    void draw(const Stroke& shape) {
        ink(shape.colour);
        path(shape.points, shape.closed);
        cairo_set_line_width(cairo_, double(shape.thickness));
        cairo_stroke(cairo_);
    }

    void draw(const TextRun& run) {
        cairo_save(cairo_);
        const cairo_matrix_t place{double(run.along.x), double(run.along.y),  double(run.down.x),
                                   double(run.down.y),  double(run.origin.x), double(run.origin.y)};
        cairo_transform(cairo_, &place);
        cairo_set_font_face(cairo_, faces_.of(run.font));
        cairo_set_font_size(cairo_, double(run.size));
        const std::string text = utf8_of(run.text);
        std::vector<cairo_glyph_t> glyphs;
        std::vector<cairo_text_cluster_t> clusters;
        for (std::size_t i = 0; i < run.text.size(); ++i) {
            glyphs.push_back({run.font->glyph(run.text[i]), double(run.places[i]), 0});
            clusters.push_back({int(utf8_of(run.text.substr(i, 1)).size()), 1});
        }
        ink(run.colour);
        cairo_show_text_glyphs(cairo_, text.data(), int(text.size()), glyphs.data(), int(glyphs.size()),
                               clusters.data(), int(clusters.size()), cairo_text_cluster_flags_t(0));
        cairo_restore(cairo_);
    }

    void draw(const CellGrid& grid) {
        if (grid.as_image) {
            draw_image(grid);
            return;
        }
        cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_NONE);
        const PictureRect all = grid.rect();
        for (std::size_t row = 0; row < grid.down(); ++row)
            for (std::size_t column = 0; column < grid.across(); ++column) {
                const PictureRect cell{grid.columns[column], grid.rows[row],
                                       grid.columns[column + 1] + overlap, grid.rows[row + 1] + overlap};
                draw(FilledRect{cell.cut_to(all), grid.colours[row * grid.across() + column]});
            }
        cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_DEFAULT);
    }

    void draw_image(const CellGrid& grid) {
        const int width = int(grid.across()), height = int(grid.down());
        cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
        unsigned char* pixels = cairo_image_surface_get_data(image);
        const int stride = cairo_image_surface_get_stride(image);
        for (int row = 0; pixels && row < height; ++row)
            for (int column = 0; column < width; ++column) {
                const Colour colour = grid.colours[std::size_t(row) * grid.across() + std::size_t(column)];
                auto* pixel = reinterpret_cast<std::uint32_t*>(pixels + row * stride) + column;
                *pixel = (colour & 255) << 16 | (colour & 0xFF00) | (colour >> 16 & 255);
            }
        cairo_surface_mark_dirty(image);
        const PictureRect rect = grid.rect();
        cairo_save(cairo_);
        cairo_translate(cairo_, double(rect.left), double(rect.top));
        cairo_scale(cairo_, double(rect.width()) / width, double(rect.height()) / height);
        cairo_set_source_surface(cairo_, image, 0, 0);
        cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
        cairo_rectangle(cairo_, 0, 0, width, height);
        cairo_fill(cairo_);
        cairo_restore(cairo_);
        cairo_surface_destroy(image);
    }

    cairo_t* cairo_;
    CairoFaces& faces_;
};

Error not_made(cairo_status_t status) { return {"error.picture_not_made", {cairo_status_to_string(status)}}; }

cairo_status_t append_bytes(void* to, const unsigned char* bytes, unsigned count) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

} // namespace

Result<std::string> pdf_bytes(std::span<const Picture> pages, const std::string& title) {
    std::string bytes;
    CairoFaces faces;
    cairo_surface_t* surface = cairo_pdf_surface_create_for_stream(append_bytes, &bytes, 1, 1);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title.c_str());
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Headlight");
    for (const Picture& page : pages) {
        cairo_pdf_surface_set_size(surface, double(page.width) * points_a_unit,
                                   double(page.height) * points_a_unit);
        CairoPainter painter(surface, faces);
        cairo_scale(painter.cairo(), points_a_unit, points_a_unit);
        painter.paint(page);
        cairo_show_page(painter.cairo());
    }
    cairo_surface_finish(surface);
    const cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS) return not_made(status);
    return bytes;
}

Result<Image> pixels_of(const Picture& picture, float scale) {
    const int width = int(std::ceil(picture.width * scale)), height = int(std::ceil(picture.height * scale));
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    CairoFaces faces;
    {
        CairoPainter painter(surface, faces);
        cairo_scale(painter.cairo(), double(scale), double(scale));
        painter.paint(picture);
    }
    cairo_surface_flush(surface);
    const cairo_status_t status = cairo_surface_status(surface);
    Image image{width, height, {}};
    if (status == CAIRO_STATUS_SUCCESS) {
        image.rgba.resize(std::size_t(width) * std::size_t(height) * 4);
        const unsigned char* pixels = cairo_image_surface_get_data(surface);
        const int stride = cairo_image_surface_get_stride(surface);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const std::uint32_t pixel = reinterpret_cast<const std::uint32_t*>(pixels + y * stride)[x];
                std::uint8_t* out = &image.rgba[(std::size_t(y) * std::size_t(width) + std::size_t(x)) * 4];
                out[0] = std::uint8_t(pixel >> 16), out[1] = std::uint8_t(pixel >> 8),
                out[2] = std::uint8_t(pixel);
                out[3] = 255;
            }
    }
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS) return not_made(status);
    return image;
}

} // namespace headlight
