#include "app/picture/picture.h"

#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

namespace headlight {

std::string xml_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n')
            result += c;
    }
    return result;
}

std::string base64(std::string_view bytes) {
    constexpr char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned three = 0;
        for (std::size_t k = 0; k < 3; ++k)
            three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += i + k <= bytes.size() ? signs[three >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

namespace {

std::string svg_number(float x) {
    char text[32];
    const float rounded = std::round(x * 1000) / 1000;
    const auto end =
        std::to_chars(text, text + sizeof text, rounded == 0 ? 0.0f : rounded, std::chars_format::fixed, 3)
            .ptr;
    std::string number(text, end);
    while (number.ends_with('0')) number.pop_back();
    if (number.ends_with('.')) number.pop_back();
    return number;
}

std::string svg_colour(Colour colour) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text = "#";
    for (const int shift : {0, 8, 16}) {
        text += digits[colour >> (shift + 4) & 15];
        text += digits[colour >> shift & 15];
    }
    return text;
}

// fill="#…", and how much of it where not all.
std::string painted(const char* what, Colour colour) {
    std::string text = std::string(" ") + what + "=\"" + svg_colour(colour) + "\"";
    if (const unsigned alpha = colour >> 24; alpha < 255)
        text += std::string(" ") + what + "-opacity=\"" + svg_number(float(alpha) / 255) + "\"";
    return text;
}

std::string rect_attributes(const PictureRect& r) {
    return " x=\"" + svg_number(r.left) + "\" y=\"" + svg_number(r.top) + "\" width=\""
           + svg_number(r.width()) + "\" height=\"" + svg_number(r.height()) + "\"";
}

std::string points_of(const std::vector<ImVec2>& points) {
    std::string text;
    for (const ImVec2 point : points)
        text += (text.empty() ? "" : " ") + svg_number(point.x) + "," + svg_number(point.y);
    return text;
}

class SvgWriter {
public:
    SvgWriter(const Picture& picture, const std::string& title, int scale) : picture_(picture) {
        const std::string width = svg_number(picture.width), height = svg_number(picture.height);
        head_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\""
                + svg_number(picture.width * float(scale)) + "\" height=\""
                + svg_number(picture.height * float(scale)) + "\" viewBox=\"0 0 " + width + " " + height
                + "\">\n<title>" + xml_escaped(title) + "</title>\n";
        body_ = "<rect class=\"ground\"" + rect_attributes({0, 0, picture.width, picture.height})
                + painted("fill", picture.ground) + "/>\n";
    }

    std::string write() {
        for (const PictureItem& item : picture_.items) {
            open_clip(item.clip);
            std::visit([this](const auto& shape) { draw(shape); }, item.shape);
        }
        open_clip({});
        std::string styles;
        for (const auto& [style, name] : styles_) styles += "." + name + "{" + style + "}\n";
        return head_ + "<defs>\n<style type=\"text/css\">\ntext{white-space:pre;font-kerning:none;"
               + "font-variant-ligatures:none}\n" + styles + "</style>\n" + clips_ + "</defs>\n" + body_
               + "</svg>\n";
    }

private:
    // What follows lies in this rectangle, until another is opened.
    void open_clip(const std::optional<PictureRect>& clip) {
        if (clip == clip_) return;
        if (clip_) body_ += "</g>\n";
        clip_ = clip;
        if (!clip) return;
        const auto key = std::make_tuple(clip->left, clip->top, clip->right, clip->bottom);
        auto known = clip_names_.find(key);
        if (known == clip_names_.end()) {
            known = clip_names_.emplace(key, "clip" + std::to_string(clip_names_.size())).first;
            clips_ +=
                "<clipPath id=\"" + known->second + "\"><rect" + rect_attributes(*clip) + "/></clipPath>\n";
        }
        body_ += "<g clip-path=\"url(#" + known->second + ")\">\n";
    }

    void draw(const FilledRect& shape) {
        body_ += "<rect" + rect_attributes(shape.rect) + painted("fill", shape.colour) + "/>\n";
    }
    void draw(const FilledPolygon& shape) {
        body_ +=
            "<polygon points=\"" + points_of(shape.points) + "\"" + painted("fill", shape.colour) + "/>\n";
    }
    void draw(const Stroke& shape) {
        body_ += std::string(shape.closed ? "<polygon" : "<polyline") + " points=\"" + points_of(shape.points)
                 + "\" fill=\"none\"" + painted("stroke", shape.colour) + " stroke-width=\""
                 + svg_number(shape.thickness) + "\"/>\n";
    }

    void draw(const TextRun& run) {
        const FontFile& font = *run.font;
        std::string style = "font-family:'" + font.family() + "'," + font.generic_family()
                            + ";font-size:" + svg_number(run.size) + "px";
        if (font.weight() != 400) style += ";font-weight:" + std::to_string(font.weight());
        if (font.is_italic()) style += ";font-style:italic";
        if (font.is_condensed()) style += ";font-stretch:semi-condensed";
        const auto known = styles_.emplace(style, "face" + std::to_string(styles_.size())).first;
        const bool upright = run.along.x == 1 && run.along.y == 0 && run.down.x == 0 && run.down.y == 1;
        body_ += "<text class=\"" + known->second + "\" xml:space=\"preserve\"";
        if (upright)
            body_ += " x=\"" + svg_number(run.origin.x) + "\" y=\"" + svg_number(run.origin.y) + "\"";
        else
            body_ += " transform=\"matrix(" + svg_number(run.along.x) + " " + svg_number(run.along.y) + " "
                     + svg_number(run.down.x) + " " + svg_number(run.down.y) + " " + svg_number(run.origin.x)
                     + " " + svg_number(run.origin.y) + ")\"";
        // Where the face is missing, another one takes the same room.
        if (run.text.size() > 1)
            body_ += " textLength=\"" + svg_number(run.width) + "\" lengthAdjust=\"spacingAndGlyphs\"";
        body_ += painted("fill", run.colour) + ">" + xml_escaped(utf8_of(run.text)) + "</text>\n";
    }

    void draw(const CellGrid& grid) {
        if (grid.as_image) {
            body_ += "<image class=\"cells\"" + rect_attributes(grid.rect())
                     + " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
                       "xlink:href=\"data:image/png;base64,"
                     + base64(png_bytes(image_of(grid))) + "\"/>\n";
            return;
        }
        body_ += "<g class=\"cells\" shape-rendering=\"crispEdges\">\n";
        for (std::size_t row = 0; row < grid.down(); ++row)
            for (std::size_t column = 0; column < grid.across(); ++column)
                body_ += "<rect"
                         + rect_attributes({grid.columns[column], grid.rows[row], grid.columns[column + 1],
                                            grid.rows[row + 1]})
                         + painted("fill", grid.colours[row * grid.across() + column]) + "/>\n";
        body_ += "</g>\n";
    }

    const Picture& picture_;
    std::string head_, clips_, body_;
    std::map<std::string, std::string> styles_; // style → class
    std::map<std::tuple<float, float, float, float>, std::string> clip_names_;
    std::optional<PictureRect> clip_;
};

} // namespace

std::string svg_text(const Picture& picture, const std::string& title, int scale) {
    return SvgWriter(picture, title, scale).write();
}

} // namespace headlight
