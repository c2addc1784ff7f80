#include "app/handout/handout.h"

#include "app/lessons/player.h"
#include "app/look/typeset.h"
#include "app/picture/markup.h"
#include "app/platform/image.h"
#include "app/platform/offscreen.h"
#include "app/session/value_names.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"
#include "app/ui/window/host.h"
#include "engine/io/atomic_file.h"

#include <cmath>
#include <sstream>

namespace headlight {

namespace {

namespace fs = std::filesystem;

// A formula as a little SVG, its letters as text.
std::string formula_in_svg(const std::string& tex) {
    const Theme& look = theme();
    const MathBox box =
        typeset(tex, {look.faces.math, [&](std::string_view name) { return look.colour_named(name); }}, 1);
    const float pad = 2, width = box.width + box.slant + 2 * pad, height = box.ascent + box.descent + 2 * pad;
    std::ostringstream svg;
    const auto ink = [&](Colour colour) {
        char text[8];
        const Colour c = colour ? colour : look.colours.ink;
        std::snprintf(text, sizeof text, "#%02x%02x%02x", c & 255, c >> 8 & 255, c >> 16 & 255);
        return std::string(text);
    };
    svg << "<svg class=\"formula\" style=\"vertical-align:" << -(box.descent + pad) << "px\" width=\""
        << width << "\" height=\"" << height << "\" role=\"img\" aria-label=\"" << xml_escaped(tex) << "\">";
    for (const MathMark& mark : box.marks) {
        const float x = mark.x + pad, y = mark.y + box.ascent + pad;
        if (mark.kind == MathMark::Kind::rule) {
            svg << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << mark.width << "\" height=\""
                << mark.height << "\" fill=\"" << ink(mark.colour) << "\"/>";
        } else if (mark.kind == MathMark::Kind::line) {
            svg << "<polyline fill=\"none\" stroke=\"" << ink(mark.colour) << "\" stroke-width=\""
                << mark.thickness << "\" points=\"";
            for (const ImVec2& point : mark.points)
                svg << point.x + pad << "," << point.y + box.ascent + pad << " ";
            svg << "\"/>";
        } else {
            const bool italic = std::any_of(look.faces.math.italic.begin(), look.faces.math.italic.end(),
                                            [&](const Face& face) { return face.font == mark.face.font; });
            const bool stretched = mark.kind == MathMark::Kind::stretched_glyph;
            const float size = stretched ? mark.height : mark.face.size * 0.86f;
            svg << "<text x=\"" << x << "\" y=\"" << (stretched ? y + mark.height * 0.8f : y)
                << "\" font-size=\"" << size << "\" fill=\"" << ink(mark.colour) << "\""
                << (italic ? " font-style=\"italic\"" : "") << " font-family=\"DejaVu Serif, serif\">"
                << xml_escaped(mark.text) << "</text>";
        }
    }
    svg << "</svg>";
    return svg.str();
}

class Writer {
public:
    Writer(Session& session, const Lesson& lesson, Host& host, Display& display)
        : session_(session), strings_(session.strings()), lesson_(lesson), host_(host), display_(display) {}

    Result<std::string> write() {
        html_ << "<!DOCTYPE html>\n<html lang=\"" << strings_.language()
              << "\"><head><meta charset=\"utf-8\">"
              << "<title>" << xml_escaped(lesson_.title) << "</title><style>\n"
              << "body{font:16px/1.5 Inter,'DejaVu Sans',sans-serif;max-width:46em;margin:2em "
                 "auto;color:#1b1f24}\n"
              << "h1{font-size:1.8em}h2{font-size:1.25em;margin-top:2em;break-after:avoid}\n"
              << "img{width:100%;border:1px solid #ccc;border-radius:6px;break-inside:avoid}\n"
              << ".ask{border-left:4px solid #2a5fcc;padding:.2em 1em;margin:1em 0;break-inside:avoid}\n"
              << ".blank{display:inline-block;min-width:9em;border-bottom:1.5px solid #555}\n"
              << "code{font-family:'JetBrains Mono',monospace;font-size:.9em}table{border-collapse:collapse}"
              << "td{border:1px solid #ccc;padding:.2em .6em}ol.answers{break-before:page}\n"
              << "h2.answers{break-before:page}\n@page{margin:18mm}\n</style></head><body>\n<h1>"
              << xml_escaped(lesson_.title) << "</h1>\n";
        for (const LessonCard& card : lesson_.cards)
            if (const Result<Done> done = write_card(card); !done) return done.error();
        html_ << "<h2 class=\"answers\">" << xml_escaped(strings_.text("handout.answers")) << "</h2>\n<ol>\n"
              << answers_.str() << "</ol>\n</body></html>\n";
        return html_.str();
    }

private:
    Result<Done> write_card(const LessonCard& card) {
        html_ << "<h2>" << xml_escaped(card.title) << "</h2>\n";
        if (card.has_setup) {
            if (const Result<Done> done = run_setup(session_, card, lesson_.file); !done) return done.error();
            if (const Result<Done> drawn = picture(card); !drawn) return drawn.error();
        }
        for (const LessonBlock& block : card.blocks)
            if (block.kind == LessonBlock::Kind::prediction)
                question(card.predictions[block.prediction]);
            else
                write_block(block);
        return Done{};
    }

    // What the window shows of the card, alone and with what is asked for covered.
    Result<Done> picture(const LessonCard& card) {
        Teaching covering;
        covering.cover = cover_of(card, [](std::size_t) { return true; });
        session_.teach(std::move(covering));
        std::istringstream script("alone on\nanimation off\nwait 3\n");
        if (const Result<Done> run = host_.run_script(script, "handout"); !run) return run.error();
        html_ << "<p><img alt=\"" << xml_escaped(card.title) << "\" src=\"data:image/png;base64,"
              << base64(png_bytes(display_.capture())) << "\"></p>\n";
        session_.teach({});
        return Done{};
    }

    std::string spans(const LessonText& text) {
        std::string html;
        for (const LessonSpan& span : text) {
            std::string one = span.kind == LessonSpan::Kind::formula ? formula_in_svg(span.text)
                              : span.kind == LessonSpan::Kind::code
                                  ? "<code>" + xml_escaped(span.text) + "</code>"
                                  : xml_escaped(span.text);
            if (span.strong) one = "<b>" + one + "</b>";
            if (span.emphasis) one = "<i>" + one + "</i>";
            // A number that one could click stands there, on paper.
            if (span.link == LessonSpan::Link::cell)
                if (const Result<Expectation> cell = read_expectation("expect " + span.target + " 0 0"))
                    if (const Node* node = session_.find(cell->path)) {
                        const Cell& c = cell->cell;
                        const Shape& shape = node->shape();
                        const bool is_covered = session_.view().teaching.cover.hides(cell->path, c);
                        if (c.batch < shape.batch && c.row < shape.rows && c.column < shape.columns
                            && !is_covered)
                            one +=
                                " (" + format_number(double(node->value(c.batch, c.row, c.column)), 3) + ")";
                    }
            html += one;
        }
        return html;
    }

    void write_block(const LessonBlock& block) {
        switch (block.kind) {
        case LessonBlock::Kind::heading:
            html_ << "<h3>" << spans(block.text) << "</h3>\n";
            break;
        case LessonBlock::Kind::item:
            html_ << "<ul><li>" << spans(block.text) << "</li></ul>\n";
            break;
        case LessonBlock::Kind::table_row:
            html_ << "<table><tr>";
            for (const LessonText& cell : block.cells) html_ << "<td>" << spans(cell) << "</td>";
            html_ << "</tr></table>\n";
            break;
        default:
            html_ << "<p>" << spans(block.text) << "</p>\n";
        }
    }

    void question(const LessonPrediction& p) {
        ++questions_;
        html_ << "<div class=\"ask\"><p><b>" << questions_ << ".</b></p>\n";
        for (const LessonBlock& block : p.question) write_block(block);
        std::string answer;
        if (p.kind == LessonPrediction::Kind::choice) {
            for (const LessonChoice& choice : p.choices) html_ << "<p>☐ " << spans(choice.text) << "</p>\n";
            if (const Result<std::size_t> right = right_choice(p, session_))
                answer = spans(p.choices[*right].text);
        } else {
            html_ << "<p><span class=\"blank\">&nbsp;</span></p>\n";
            if (p.kind == LessonPrediction::Kind::number) {
                if (const Result<double> truth = number_asked(p, session_)) answer = format_number(*truth, 3);
            } else if (const Result<LargestCell> largest = largest_cell(p, session_)) {
                const std::vector<std::string> labels =
                    axis_labels(session_, *session_.find(p.cell.path), false);
                answer = std::size_t(largest->column) < labels.size()
                             ? xml_escaped(labels[std::size_t(largest->column)])
                             : std::to_string(largest->column + 1);
            }
        }
        html_ << "</div>\n";
        answers_ << "<li>" << (answer.empty() ? "–" : answer) << "</li>\n";
    }

    Session& session_;
    const Strings& strings_;
    const Lesson& lesson_;
    Host& host_;
    Display& display_;
    std::ostringstream html_, answers_;
    int questions_ = 0;
};

} // namespace

Result<Done> write_handout(Session& session, const fs::path& file, const fs::path& out) {
    const Result<Lesson> lesson = read_lesson_file(file);
    if (!lesson) return lesson.error();
    // In the language that the lesson is written in.
    const std::string language = file.stem().extension().string();
    if (language.size() == 3) (void)session.execute("language " + language.substr(1));
    auto display = Offscreen::open({.width = 1400, .height = 860});
    if (!display) return display.error();
    auto ui = Ui::create(**display, {.dark = false});
    if (!ui) return ui.error();
    (void)session.execute("theme light");
    Host host(**display, **ui, session);
    host.frame();
    const Result<std::string> html = Writer(session, *lesson, host, **display).write();
    if (!html) return html.error();
    return write_file_atomically(out, *html);
}

} // namespace headlight
