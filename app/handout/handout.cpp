#include "app/handout/handout.h"

#include "app/lessons/player.h"
#include "app/look/typeset.h"
#include "app/picture/picture.h"
#include "app/platform/offscreen.h"
#include "app/session/value_names.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"
#include "app/ui/window/host.h"
#include "app/ui/window/main_view.h"
#include "engine/io/file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace headlight {

namespace {

namespace fs = std::filesystem;

// In the window's units. Between the margins of A4 are 174 mm, 493 points: in a picture so wide the smallest
// numbers are 8 points high.
constexpr float paper_width = 600, narrow = 220; // of a matrix of few columns
constexpr Index few_columns = 3;
constexpr Index most_rows = 14, most_columns = 12;

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
    Writer(Session& session, const Lesson& lesson, Host& host)
        : session_(session), strings_(session.strings()), lesson_(lesson), host_(host) {}

    Result<std::string> write() {
        html_ << "<!DOCTYPE html>\n<html lang=\"" << strings_.language()
              << "\"><head><meta charset=\"utf-8\">"
              << "<title>" << xml_escaped(lesson_.title) << "</title><style>\n"
              << "body{font:15px/1.45 Inter,'DejaVu Sans',sans-serif;max-width:46em;margin:2em "
                 "auto;color:#1b1f24}\n"
              << "h1{font-size:1.8em}h2{font-size:1.25em;margin-top:1.2em;break-after:avoid}\n"
              << "header{display:flex;gap:1em;margin-bottom:1.5em}header span{flex:2;border-bottom:1.5px "
                 "solid #555}header span+span{flex:1}\n"
              << "figure{margin:.6em 0;break-inside:avoid}figure svg{max-width:100%;height:auto}\n"
              << ".ask{border-left:4px solid #2a5fcc;padding:.2em 1em;margin:1em 0;break-inside:avoid}\n"
              << ".blank{display:inline-block;min-width:9em;border-bottom:1.5px solid #555}\n"
              << "code{font-family:'JetBrains Mono',monospace;font-size:.9em}table{border-collapse:collapse}"
              << "td{border:1px solid #ccc;padding:.2em .6em}p{orphans:3;widows:3}.ask p{margin:.35em 0}\n"
              << "h2.answers{break-before:page}\n@page{size:A4;margin:18mm}\n</style></head><body>\n<header>";
        for (const char* blank : {"handout.name", "handout.class", "handout.date"})
            html_ << "<span>" << xml_escaped(strings_.text(blank)) << "</span>";
        html_ << "</header>\n<h1>" << xml_escaped(lesson_.title) << "</h1>\n";
        find_covers();
        for (const LessonCard& card : lesson_.cards)
            if (const Result<Done> done = write_card(card); !done) return done.error();
        html_ << "<h2 class=\"answers\">" << xml_escaped(strings_.text("handout.answers")) << "</h2>\n<ol>\n"
              << answers_.str() << "</ol>\n</body></html>\n";
        return html_.str();
    }

private:
    // What a card asks for stays covered on all pages but the last, wherever the same sentence in the same
    // model shows it.
    void find_covers() {
        for (const LessonCard& card : lesson_.cards) {
            if (card.has_setup && !run_setup(session_, card, lesson_.file)) continue;
            const Cover cover = cover_of(
                card, [](std::size_t) { return true; }, session_);
            auto& known = covers_[state()];
            known.words = known.words || cover.words;
            known.cells.insert(known.cells.end(), cover.cells.begin(), cover.cells.end());
        }
    }

    std::string state() const {
        const Question& q = session_.question();
        return q.model.string() + "\n" + q.source + "\n" + q.target.value_or("");
    }

    Result<Done> write_card(const LessonCard& card) {
        html_ << "<h2>" << xml_escaped(card.title) << "</h2>\n";
        if (card.has_setup) {
            if (const Result<Done> done = run_setup(session_, card, lesson_.file); !done) return done.error();
            Cover cover = covers_[state()];
            cover.picture = std::any_of(card.predictions.begin(), card.predictions.end(),
                                        [](const LessonPrediction& p) { return p.covered; });
            session_.teach({.cover = std::move(cover)});
            if (const Result<Done> drawn = picture(card); !drawn) return drawn.error();
        }
        for (const LessonBlock& block : card.blocks)
            if (block.kind == LessonBlock::Kind::prediction)
                question(card.predictions[block.prediction]);
            else
                write_block(block);
        session_.teach({});
        return Done{};
    }

    // What the card is about: the matrix of its step, or its page; one that stands on the paper already is
    // not printed again.
    Result<Done> picture(const LessonCard& card) {
        // What nobody has trained yet, and what is covered as a whole, is no picture.
        const Room room = session_.view().room;
        if (!session_.has_model() || room == Room::train || session_.view().teaching.cover.picture
            || would_tell(session_))
            return Done{};
        std::istringstream script("alone on\nanimation off\nwait 3\n");
        if (const Result<Done> run = host_.run_script(script, "handout"); !run) return run.error();
        html_ << "<figure aria-label=\"" << xml_escaped(card.title) << "\">";
        Result<Done> drawn = Done{};
        if (room == Room::explore || room == Room::what_if) {
            drawn = draw(matrices(part_of_step(card)));
        } else if (room == Room::ground_up) { // on its page they are too small for numbers
            drawn = draw(matrices(whole_matrix(*session_.find("plain.tokens"), 0)));
            if (drawn) drawn = draw(matrices(whole_matrix(asked_of(card), 0)));
        } else {
            drawn = draw({});
        }
        html_ << "</figure>\n";
        return drawn;
    }

    Result<Done> draw(ExportRequest request) {
        request.printable = true;
        const Result<std::string> svg =
            picture_in_svg(session_, host_.canvas(), host_.lessons(), std::move(request));
        if (!svg) return svg.error();
        std::string drawing = svg->substr(std::min(svg->find("<svg"), svg->size()));
        if (!printed_.insert(drawing).second) return Done{};
        // In one page, each with faces of its own.
        const std::string number = std::to_string(printed_.size());
        for (const std::string_view named : {"class=\"face", ".face"})
            for (std::size_t at = 0; (at = drawing.find(named, at)) != drawing.npos; at += named.size())
                drawing.insert(at + named.size() - 4, "card" + number + "-");
        html_ << drawing;
        return Done{};
    }

    static ExportRequest matrices(MatrixPart part) {
        const float widest = part.columns() > few_columns ? paper_width : narrow;
        return {.subject = ExportSubject::matrices, .parts = {std::move(part)}, .widest = widest};
    }

    // The scores, or what the card asks for of them.
    const Node& asked_of(const LessonCard& card) const {
        for (const LessonPrediction& p : card.predictions) {
            std::vector<std::string> paths = {p.cell.path};
            for (const LessonChoice& choice : p.choices)
                if (choice.right_if) paths.push_back(choice.right_if->path);
            for (const std::string& path : paths)
                if (const Node* node = session_.find(path); node && small_page_of(path) == Room::ground_up)
                    return *node;
        }
        return *session_.find("plain.scores");
    }

    // Of the head that is looked at so much of the step's matrix as can be read on paper, what is asked for
    // in it.
    MatrixPart part_of_step(const LessonCard& card) const {
        const Node& node = *session_.step().node;
        MatrixPart part = whole_matrix(
            node, place_of_head(session_.model().map(), node, std::max<Index>(session_.view().head, 0)));
        Cell asked;
        for (const LessonPrediction& p : card.predictions)
            if (p.cell.path == node.path) asked = p.cell.cell, part.head = asked.batch;
        const auto cut = [](Index& first, Index& last, Index around, Index most) {
            if (last - first < most) return;
            first = std::clamp<Index>(around - most / 2, 0, last + 1 - most);
            last = first + most - 1;
        };
        cut(part.row0, part.row1, asked.row, most_rows);
        cut(part.column0, part.column1, std::max<Index>(asked.column, 0), most_columns);
        return part;
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
            const Result<std::size_t> right = right_choice(p, session_);
            for (std::size_t i = 0; i < p.choices.size(); ++i)
                if (right ? i == *right : p.choices[i].is_right) answer = spans(p.choices[i].text);
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
    std::map<std::string, Cover> covers_; // by the state in which cards ask
    std::set<std::string> printed_;
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
    auto display = Offscreen::open({.width = int(paper_width), .height = 360});
    if (!display) return display.error();
    auto ui = Ui::create(**display, {.dark = false});
    if (!ui) return ui.error();
    (void)session.execute("theme light");
    Host host(**display, **ui, session);
    host.frame();
    const Result<std::string> html = Writer(session, *lesson, host).write();
    if (!html) return html.error();
    return write_file_atomically(out, *html);
}

} // namespace headlight
