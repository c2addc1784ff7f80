#include "app/ui/widgets/text.h"

#include "app/ui/base/ui.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight {
namespace {

constexpr std::string_view ellipsis = "…";
constexpr std::string_view minus = "−";

std::vector<std::string>* cut_texts = nullptr;
std::vector<DrawnText>* drawn_texts = nullptr;

void note(const ImDrawList& list, const Face& face, ImVec2 top_left, std::string_view text) {
    const ScreenRect letters{{top_left.x, top_left.y + face.size * 0.15f},
                             {top_left.x + text_width(face, text), top_left.y + face.size * 0.85f}};
    const ImVec2 least = list.GetClipRectMin(), most = list.GetClipRectMax();
    const ScreenRect in_sight = letters.cut_to({least, most});
    if (!in_sight.empty()) drawn_texts->push_back({in_sight, std::string(text)});
}

} // namespace

float text_width(const Face& face, std::string_view text) {
    if (text.empty()) return 0; // a view of nothing may point nowhere
    return face.font->CalcTextSizeA(face.size, 1e9f, 0, text.data(), text.data() + text.size()).x;
}

void draw_text(ImDrawList& list, const Face& face, ImVec2 top_left, Colour colour, std::string_view text) {
    if (text.empty()) return;
    if (drawn_texts) note(list, face, top_left, text);
    list.AddText(face.font, face.size, {std::round(top_left.x), std::round(top_left.y)}, colour, text.data(),
                 text.data() + text.size());
}

std::string ellipsized(const Face& face, std::string_view text, float width) {
    if (text_width(face, text) <= width) return std::string(text);
    const float room = width - text_width(face, ellipsis);
    float used = 0;
    const char *at = text.data(), *end = text.data() + text.size();
    while (at < end) {
        const char* next = at;
        used += glyph_box(face, next_character(next, end)).advance;
        if (used > room) break;
        at = next;
    }
    std::string cut(text.data(), at);
    while (!cut.empty() && cut.back() == ' ') cut.pop_back();
    return cut.append(ellipsis);
}

bool draw_text_in(ImDrawList& list, const Face& face, const ScreenRect& rect, Colour colour,
                  std::string_view text, Align align) {
    // Half a pixel is nothing but the rounding of where the rectangle stands.
    const std::string shown = ellipsized(face, text, rect.width() + 0.5f);
    const float slack = rect.width() - text_width(face, shown);
    const float indent = align == Align::left ? 0 : align == Align::right ? slack : slack / 2;
    draw_text(list, face, {rect.min.x + indent, rect.centre().y - face.size / 2}, colour, shown);
    if (shown == text) return false;
    if (cut_texts) cut_texts->emplace_back(text);
    return true;
}

void note_cut_texts(std::vector<std::string>* into) { cut_texts = into; }
void note_drawn_texts(std::vector<DrawnText>* into) { drawn_texts = into; }

void draw_label(ImDrawList& list, const Face& face, const ScreenRect& rect, Colour colour,
                std::string_view text, Align align) {
    if (draw_text_in(list, face, rect, colour, text, align) && ImGui::IsWindowHovered()
        && ImGui::IsMouseHoveringRect(rect.min, rect.max))
        show_tooltip(text, rect);
}

std::vector<std::string_view> wrapped(const Face& face, std::string_view text, float width) {
    std::vector<std::string_view> lines;
    const char *line = text.data(), *end = text.data() + text.size();
    const char* last_space = nullptr; // where the line may be broken
    float used = 0;
    const char* at = line;
    const auto finish = [&](const char* line_end, const char* next_line) {
        lines.emplace_back(line, std::size_t(line_end - line));
        line = at = next_line;
        last_space = nullptr;
        used = 0;
    };
    while (at < end) {
        if (*at == '\n') {
            finish(at, at + 1);
            continue;
        }
        const char* next = at;
        const char32_t character = next_character(next, end);
        used += glyph_box(face, character).advance;
        if (character == U' ')
            last_space = at;
        else if (used > width && last_space) {
            finish(last_space, last_space + 1);
            continue;
        } else if (used > width && at > line) {
            finish(at, at);
            continue;
        }
        at = next;
    }
    lines.emplace_back(line, std::size_t(end - line));
    return lines;
}

float wrapped_height(const Face& face, std::string_view text, float width) {
    return std::round(face.size * line_spacing) * float(wrapped(face, text, width).size());
}

float draw_wrapped(ImDrawList& list, const Face& face, ImVec2 top_left, float width, Colour colour,
                   std::string_view text) {
    const float step = std::round(face.size * line_spacing);
    float y = top_left.y + std::floor((step - face.size) / 2);
    for (const std::string_view line : wrapped(face, text, width)) {
        draw_text(list, face, {top_left.x, y}, colour, line);
        y += step;
    }
    return step * float(wrapped(face, text, width).size());
}

std::string_view last_parts(const Face& face, std::string_view text, float width) {
    constexpr std::string_view between = "·";
    while (text_width(face, text) > width) {
        const std::size_t at = text.find(between);
        if (at == text.npos) break;
        text.remove_prefix(at + between.size());
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    }
    return text;
}

void draw_turned(ImDrawList& list, const Face& face, ImVec2 start, float degrees, Colour colour,
                 std::string_view text) {
    const float angle = -degrees * std::numbers::pi_v<float> / 180;
    const ImVec2 along{std::cos(angle), std::sin(angle)}, down{-along.y, along.x};
    const auto place = [&](float x, float y) {
        return ImVec2{start.x + along.x * x + down.x * y, start.y + along.y * x + down.y * y};
    };
    const char *at = text.data(), *end = text.data() + text.size();
    float pen = 0;
    while (at < end) {
        const GlyphBox box = glyph_box(face, next_character(at, end));
        if (box.right > box.left) {
            const float left = pen + box.left, right = pen + box.right;
            const float top = box.top - face.size / 2, bottom = box.bottom - face.size / 2;
            list.PrimReserve(6, 4);
            list.PrimQuadUV(place(left, top), place(right, top), place(right, bottom), place(left, bottom),
                            {box.u0, box.v0}, {box.u1, box.v0}, {box.u1, box.v1}, {box.u0, box.v1}, colour);
        }
        pen += box.advance;
    }
}

void draw_turned_label(ImDrawList& list, const Face& face, ImVec2 start, float degrees, float length,
                       Colour colour, std::string_view text) {
    const std::string shown = ellipsized(face, text, length);
    draw_turned(list, face, start, degrees, colour, shown);
    if (shown == text || !ImGui::IsWindowHovered()) return;
    const float angle = -degrees * std::numbers::pi_v<float> / 180;
    const ImVec2 mouse = ImGui::GetIO().MousePos, from{mouse.x - start.x, mouse.y - start.y};
    const float along = from.x * std::cos(angle) + from.y * std::sin(angle);
    const float across = from.y * std::cos(angle) - from.x * std::sin(angle);
    if (along >= 0 && along < length && std::abs(across) < face.size / 2)
        show_tooltip(text, {{start.x, start.y - face.size}, {start.x + length, start.y}});
}

} // namespace headlight
