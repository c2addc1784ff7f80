// PDF and pixels where there is no cairo, in a page: the same shapes, text as its outlines. Pixels are drawn
// by the browser.
#include "app/picture/picture.h"

#include <emscripten.h>

#include <cmath>
#include <cstdio>
#include <map>

namespace headlight {

namespace {

constexpr float points_a_unit = 0.75f; // 96 units and 72 points an inch

std::string number(float x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f ", double(x));
    return text;
}

// "0.2 0.4 1 " of a colour, without its alpha.
std::string parts_of(Colour colour) {
    std::string text;
    for (const int shift : {0, 8, 16}) {
        char part[16];
        std::snprintf(part, sizeof part, "%.3f ", double(colour >> shift & 255) / 255);
        text += part;
    }
    return text;
}

class PdfWriter {
public:
    void add_page(const Picture& picture) {
        const float width = picture.width * points_a_unit, height = picture.height * points_a_unit;
        std::string drawn =
            number(points_a_unit) + "0 0 " + number(-points_a_unit) + "0 " + number(height) + "cm 0 j 4 M\n";
        outline(picture, [&](const OutlinedPath& path) { drawn += drawing_of(path); });
        const std::size_t contents =
            add_object("<< /Length " + std::to_string(drawn.size()) + " >>\nstream\n" + drawn + "endstream");
        pages_.push_back(add_object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 " + number(width)
                                    + number(height) + "] /Contents " + reference(contents)
                                    + " /Resources << /ExtGState 3 0 R >> >>"));
    }

    std::string bytes(const std::string& title) {
        std::string kids, states;
        for (const std::size_t page : pages_) kids += reference(page) + " ";
        for (const auto& [alpha, count] : alphas_) {
            const std::string strength = number(float(alpha) / 255);
            states += "/A" + std::to_string(alpha) + " << /ca " + strength + "/CA " + strength + ">> ";
        }
        const std::size_t about = add_object("<< /Title " + text_string(title) + " /Producer (Headlight) >>");
        objects_[0] = "<< /Type /Catalog /Pages 2 0 R >>";
        objects_[1] = "<< /Type /Pages /Kids [" + kids + "] /Count " + std::to_string(pages_.size()) + " >>";
        objects_[2] = "<< " + states + ">>";
        std::string file = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            places.push_back(file.size());
            file += std::to_string(i + 1) + " 0 obj\n" + objects_[i] + "\nendobj\n";
        }
        const std::size_t table = file.size();
        file += "xref\n0 " + std::to_string(places.size() + 1) + "\n0000000000 65535 f \n";
        for (const std::size_t place : places) {
            char line[32];
            std::snprintf(line, sizeof line, "%010lu 00000 n \n", static_cast<unsigned long>(place));
            file += line;
        }
        return file + "trailer\n<< /Size " + std::to_string(places.size() + 1) + " /Root 1 0 R /Info "
               + reference(about) + " >>\nstartxref\n" + std::to_string(table) + "\n%%EOF\n";
    }

private:
    static std::string reference(std::size_t object) { return std::to_string(object) + " 0 R"; }

    std::size_t add_object(std::string text) {
        objects_.push_back(std::move(text));
        return objects_.size();
    }

    // UTF-8 in hexadecimal, behind the mark by which readers know it.
    static std::string text_string(const std::string& text) {
        std::string written = "<EFBBBF";
        for (const char c : text) {
            char two[3];
            std::snprintf(two, sizeof two, "%02X", unsigned(static_cast<unsigned char>(c)));
            written += two;
        }
        return written + ">";
    }

    std::string drawing_of(const OutlinedPath& path) {
        const unsigned alpha = path.colour >> 24;
        ++alphas_[alpha];
        std::string drawn = "q /A" + std::to_string(alpha) + " gs ";
        if (path.clip)
            drawn += number(path.clip->left) + number(path.clip->top) + number(path.clip->width())
                     + number(path.clip->height()) + "re W n ";
        drawn += parts_of(path.colour) + (path.thickness > 0 ? "RG " : "rg ");
        if (path.thickness > 0) drawn += number(path.thickness) + "w ";
        for (const PathStep& step : path.steps) {
            const auto point = [](ImVec2 at) { return number(at.x) + number(at.y); };
            if (step.kind == PathStep::Kind::close)
                drawn += "h ";
            else if (step.kind == PathStep::Kind::curve)
                drawn += point(step.first) + point(step.second) + point(step.to) + "c ";
            else
                drawn += point(step.to) + (step.kind == PathStep::Kind::move ? "m " : "l ");
        }
        return drawn + (path.thickness > 0 ? "S Q\n" : "f Q\n");
    }

    std::vector<std::string> objects_ =
        std::vector<std::string>(3); // catalog, pages, strengths: written last
    std::vector<std::size_t> pages_;
    std::map<unsigned, int> alphas_;
};

std::string path_of(const OutlinedPath& path) {
    std::string text;
    for (const PathStep& step : path.steps) {
        const auto point = [](ImVec2 at) { return number(at.x) + number(at.y); };
        if (step.kind == PathStep::Kind::close)
            text += "Z";
        else if (step.kind == PathStep::Kind::curve)
            text += "C" + point(step.first) + point(step.second) + point(step.to);
        else
            text += (step.kind == PathStep::Kind::move ? "M" : "L") + point(step.to);
    }
    return text;
}

} // namespace

// clang-format off
EM_JS(void, headlight_begin_pixels, (int width, int height, float scale), {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const pen = Module.headlightPen = canvas.getContext("2d", { willReadFrequently: true });
    pen.scale(scale, scale);
    pen.lineJoin = "miter";
    pen.miterLimit = 4;
});
EM_JS(void, headlight_draw_path, (const char* path, unsigned colour, float thickness, int clips, float left, float top,
                                  float width, float height), {
    const pen = Module.headlightPen;
    pen.save();
    if (clips) {
        pen.beginPath();
        pen.rect(left, top, width, height);
        pen.clip();
    }
    const shape = new Path2D(UTF8ToString(path)), alpha = (colour >>> 24) / 255;
    const ink = "rgba(" + [colour & 255, colour >>> 8 & 255, colour >>> 16 & 255, alpha].join() + ")";
    if (thickness > 0) {
        pen.strokeStyle = ink;
        pen.lineWidth = thickness;
        pen.stroke(shape);
    } else {
        pen.fillStyle = ink;
        pen.fill(shape);
    }
    pen.restore();
});
EM_JS(void, headlight_end_pixels, (void* to, int width, int height), {
    HEAPU8.set(Module.headlightPen.getImageData(0, 0, width, height).data, to);
    Module.headlightPen = null;
});
// clang-format on

Result<std::string> pdf_bytes(std::span<const Picture> pages, const std::string& title) {
    PdfWriter writer;
    for (const Picture& page : pages) writer.add_page(page);
    return writer.bytes(title);
}

Result<Image> pixels_of(const Picture& picture, float scale) {
    Image image{int(std::lround(picture.width * scale)), int(std::lround(picture.height * scale)), {}};
    image.rgba.resize(std::size_t(image.width) * std::size_t(image.height) * 4);
    headlight_begin_pixels(image.width, image.height, scale);
    outline(picture, [](const OutlinedPath& path) {
        const PictureRect clip = path.clip.value_or(PictureRect{});
        headlight_draw_path(path_of(path).c_str(), path.colour, path.thickness, path.clip.has_value(),
                            clip.left, clip.top, clip.width(), clip.height());
    });
    headlight_end_pixels(image.rgba.data(), image.width, image.height);
    return image;
}

} // namespace headlight
