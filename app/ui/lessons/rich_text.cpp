#include "app/ui/lessons/rich_text.h"
#include "app/ui/asking/asked.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/formula.h"
#include "engine/inspect/numbers.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

namespace {

// What is set as one: a word, a blank, a formula.
struct SetPiece {
    const LessonSpan* span = nullptr;
    std::size_t link = 0; // which of the text's, from 1; 0: none
    std::string_view text = {};
    Face face = {};
    float width = 0, above = 0, below = 0; // from the baseline
    bool is_blank = false, ends_line = false;
};

Face face_of(const LessonSpan& span, const Face& face) {
    if (span.kind == LessonSpan::Kind::code)
        return face.size < faces().body.size ? faces().mono_small : faces().mono;
    if (span.strong || span.emphasis || span.link == LessonSpan::Link::command)
        return Face{faces().strong.font, face.size};
    return face;
}

SetPiece formula_piece(const LessonSpan& span) {
    const FormulaExtent extent = measure_formula(span.text, {MathSize::small});
    SetPiece piece{&span};
    piece.text = span.text;
    piece.width = extent.width, piece.above = extent.ascent, piece.below = extent.descent;
    return piece;
}

SetPiece word_piece(const LessonSpan& span, std::string_view word, const Face& face) {
    SetPiece piece{&span};
    piece.text = word;
    piece.face = face_of(span, face);
    piece.width = text_width(piece.face, word);
    piece.above = ascent(piece.face);
    piece.below = piece.face.size - piece.above;
    piece.is_blank = word == " ";
    return piece;
}

std::vector<SetPiece> pieces_of(const LessonText& text, const Face& face) {
    std::vector<SetPiece> pieces;
    std::size_t links = 0;
    for (const LessonSpan& span : text) {
        const std::size_t first = pieces.size();
        if (span.kind == LessonSpan::Kind::formula) {
            pieces.push_back(formula_piece(span));
        } else {
            std::string_view rest = span.text;
            while (!rest.empty()) {
                if (rest.front() == '\n') {
                    SetPiece end = word_piece(span, "", face);
                    end.ends_line = true;
                    pieces.push_back(end);
                    rest.remove_prefix(1);
                    continue;
                }
                const std::size_t end =
                    rest.front() == ' ' ? 1 : std::min(rest.find_first_of(" \n"), rest.size());
                pieces.push_back(word_piece(span, rest.front() == ' ' ? " " : rest.substr(0, end), face));
                rest.remove_prefix(end);
            }
        }
        if (span.link == LessonSpan::Link::none) continue;
        ++links;
        for (std::size_t i = first; i < pieces.size(); ++i) pieces[i].link = links;
    }
    return pieces;
}

// Pieces that belong together, a word and the comma behind its formula, stay on one line.
std::size_t end_of_word(const std::vector<SetPiece>& pieces, std::size_t begin) {
    std::size_t end = begin;
    while (end < pieces.size() && !pieces[end].is_blank && !pieces[end].ends_line) ++end;
    return std::max(end, begin + 1);
}

std::optional<NamedCell> target_of(const LessonSpan& span, const Session& session) {
    const std::vector<std::string> words = words_of(span.target);
    if (words.empty()) return {};
    const Node* node = session.find(words[0]);
    if (!node) return {};
    NamedCell target{words[0], {0, 0, 0}};
    if (span.link == LessonSpan::Link::cell && words.size() == 4)
        target.cell = {std::atol(words[1].c_str()), std::atol(words[2].c_str()), std::atol(words[3].c_str())};
    return target;
}

void follow(const LessonSpan& span, const Session& session, CommandSink& commands) {
    if (span.link == LessonSpan::Link::command) return commands.emit("lesson do " + span.target);
    const std::optional<NamedCell> target = target_of(span, session);
    if (!target) return;
    if (!small_page_of(target->path)) commands.emit("goto " + target->path);
    if (span.link == LessonSpan::Link::cell) commands.emit(select_command(*target));
}

// As many words as fit in a line; at least one.
std::size_t end_of_line(const std::vector<SetPiece>& pieces, std::size_t begin, float room) {
    float width = 0;
    for (std::size_t end = begin; end < pieces.size();) {
        if (pieces[end].ends_line) return end + 1;
        const std::size_t next = end_of_word(pieces, end);
        float more = 0;
        for (std::size_t i = end; i < next; ++i) more += pieces[i].width;
        if (!pieces[end].is_blank && width > 0 && width + more > room) return end;
        width += more;
        end = next;
    }
    return pieces.size();
}

// Where links are recorded, and what becomes of them.
struct LinkSink {
    const std::string& name;
    const Session& session;
    CommandSink& commands;
    RichTextEvents& events;
};

// "positions  ·  dog  ·  column 0 = 0.84": wherever the number stands, it can be read here; "" of one that is
// not to be seen yet, and of all that is no number.
std::string number_at(const LessonSpan& span, const Session& session) {
    const std::optional<NamedCell> target = target_of(span, session);
    if (span.link != LessonSpan::Link::cell || !target || !session.has(*target)
        || session.view().teaching.cover.hides(target->path, target->cell))
        return {};
    const Node& node = *session.find(target->path);
    return value_title(session, node, target->cell.batch) + "  ·  " + cell_place(session, node, target->cell)
           + " = " + number_text(CellRef{&node, target->cell}.value());
}

// The ground and the line of a link, and whatever the pointer does with it.
void draw_link(const SetPiece& piece, ImVec2 start, const std::string& suffix, const LinkSink& links) {
    const bool is_button = piece.span->link == LessonSpan::Link::command;
    const ScreenRect place{{start.x, start.y - piece.above - px(1)},
                           {start.x + piece.width, start.y + piece.below + px(1)}};
    const std::string item = links.name + "." + std::to_string(piece.link - 1) + suffix;
    const Pressable p = pressable(item.c_str(), place);
    if (p.pressed) follow(*piece.span, links.session, links.commands);
    if (p.hovered) {
        links.events.pointed = target_of(*piece.span, links.session);
        tooltip_when_resting(item, place, true, number_at(*piece.span, links.session));
    }
    const float wider = is_button ? px(2) : 0;
    if (is_button || p.hovered)
        pen().AddRectFilled({place.min.x - wider, place.min.y}, {place.max.x + wider, place.max.y},
                            p.hovered ? colours().hovered : colours().accent_soft, px(3));
    const float line = start.y + px(2.5f);
    pen().AddLine({start.x, line}, {start.x + piece.width, line},
                  with_alpha(colours().accent, p.hovered ? 1.f : 0.5f), px(1));
}

// From its start on the baseline.
void draw_piece(const SetPiece& piece, ImVec2 start, Colour colour, const std::string& suffix,
                const LinkSink& links) {
    Colour ink = piece.span->strong ? colours().ink : colour;
    if (piece.link > 0) {
        draw_link(piece, start, suffix, links);
        ink = colours().accent;
    }
    if (piece.span->kind == LessonSpan::Kind::formula)
        draw_formula(pen(), start, piece.text, {MathSize::small, ink});
    else if (!piece.is_blank)
        draw_text(pen(), piece.face, {start.x, start.y - ascent(piece.face)}, ink, piece.text);
}

} // namespace

void rich_text(PanelColumn& column, const LessonText& text, const Face& face, Colour colour,
               const std::string& name, const Session& session, CommandSink& commands,
               RichTextEvents& events) {
    const std::vector<SetPiece> pieces = pieces_of(text, face);
    const LinkSink links{name, session, commands, events};
    for (std::size_t begin = 0; begin < pieces.size();) {
        const std::size_t end = end_of_line(pieces, begin, column.width());
        float above = ascent(face), below = face.size - ascent(face);
        for (std::size_t i = begin; i < end; ++i) {
            above = std::max(above, pieces[i].above);
            below = std::max(below, pieces[i].below);
        }
        float x = column.left;
        bool at_start = true;
        for (std::size_t i = begin; i < end; ++i) {
            if (at_start && pieces[i].is_blank) continue;
            at_start = false;
            draw_piece(pieces[i], {x, column.y + above}, colour, i > begin ? "." + std::to_string(i) : "",
                       links);
            x += pieces[i].width;
        }
        keep_whole(events, column.y - px(2),
                   column.y + above + below + px(1)); // with the ground of its links
        column.skip(above + below + face.size * (line_spacing - 1));
        begin = end;
    }
}

void rich_block(PanelColumn& column, const LessonBlock& block, const Face& face, Colour colour,
                const std::string& name, const Session& session, CommandSink& commands,
                RichTextEvents& events) {
    switch (block.kind) {
    case LessonBlock::Kind::heading:
        column.skip(px(4));
        rich_text(column, block.text, faces().strong, colours().ink, name, session, commands, events);
        break;
    case LessonBlock::Kind::item: {
        const float indent = face.size;
        draw_text(pen(), face, {column.left + px(2), column.y}, colour, "•");
        PanelColumn inner{column.left + indent, column.right, column.y};
        rich_text(inner, block.text, face, colour, name, session, commands, events);
        column.y = inner.y;
        break;
    }
    case LessonBlock::Kind::table_row: {
        const float cell = column.width() / float(std::max<std::size_t>(block.cells.size(), 1));
        float end = column.y;
        for (std::size_t i = 0; i < block.cells.size(); ++i) {
            PanelColumn inner{column.left + cell * float(i), column.left + cell * float(i + 1) - px(8),
                              column.y};
            rich_text(inner, block.cells[i], face, colour, name + "." + std::to_string(i), session, commands,
                      events);
            end = std::max(end, inner.y);
        }
        pen().AddLine({column.left, end}, {column.right, end}, colours().line);
        column.y = end + px(3);
        return;
    }
    case LessonBlock::Kind::prediction:
        return;
    default:
        rich_text(column, block.text, face, colour, name, session, commands, events);
    }
    column.skip(px(8));
}

void rich_blocks(PanelColumn& column, const std::vector<LessonBlock>& blocks, const Face& face, Colour colour,
                 const std::string& name, const Session& session, CommandSink& commands,
                 RichTextEvents& events) {
    for (std::size_t i = 0; i < blocks.size(); ++i)
        rich_block(column, blocks[i], face, colour, name + "." + std::to_string(i), session, commands,
                   events);
}

namespace {

constexpr float sign_height = 10;

// The nearest edge before (or behind) the place that cuts no line.
float between_lines(const std::vector<LineSpan>& lines, float place, bool before) {
    for (bool moved = true; moved;) {
        moved = false;
        for (const LineSpan& line : lines)
            if (line.top < place - 0.5f && line.bottom > place + 0.5f) {
                place = before ? line.top : line.bottom;
                moved = true;
            }
    }
    return place;
}

} // namespace

bool Pages::turn(int by) {
    if (by > 0 ? !goes_on : scrolled < 1) return false;
    const float before = scrolled - height + px(sign_height);
    wanted = by > 0        ? page_end
             : before <= 0 ? 0
                           : std::min(between_lines(lines, before, false), scrolled - 1);
    ui().display().request_frames(3);
    return true;
}

PagedColumn::PagedColumn(const char* name, const ScreenRect& rect, Pages& pages, RichTextEvents& events)
    : scrolled_(name, rect), name_(name), rect_(rect), pages_(pages), events_(events) {
    const float most = ImGui::GetScrollMaxY(), scrolled = ImGui::GetScrollY();
    // Who has read to the end stays there when an answer takes of the place.
    const bool follows = pages.at_end && most != pages.most && !pages.wanted;
    const float place = pages.wanted.value_or(scrolled);
    pages.at_end = follows || (place >= 1 && place >= most - 1);
    if (follows) pages.wanted = most;
    if (pages.wanted) {
        ImGui::SetScrollY(*std::exchange(pages.wanted, {}));
        ui().display().request_frames(3);
    }
    pages.scrolled = scrolled;
    pages.most = most;
    pages.height = rect.height();
    const float end = scrolled + rect.height();
    pages.goes_on = std::any_of(pages.lines.begin(), pages.lines.end(),
                                [&](const LineSpan& line) { return line.bottom > end + 1; });
    const float last = end - (pages.goes_on ? px(sign_height) : 0);
    pages.page_end = between_lines(pages.lines, last, true);
    if (pages.page_end < scrolled + 1 || !pages.goes_on) pages.page_end = last; // one line fills it all
    float first = between_lines(pages.lines, scrolled, false);
    if (first > pages.page_end - 1) first = scrolled;
    const float begin = rect.min.y - scrolled;
    ImGui::PushClipRect({rect.min.x, begin + first}, {rect.max.x, begin + pages.page_end}, true);
}

PagedColumn::~PagedColumn() {
    ImGui::PopClipRect();
    const float begin = rect_.min.y - pages_.scrolled;
    pages_.lines = std::exchange(events_.lines, {});
    for (LineSpan& line : pages_.lines) line.top -= begin, line.bottom -= begin;
    scrolled_.column.y -= px(10); // the air that a scrolled column leaves has no room here
    if (!pages_.goes_on) return;
    const float height = px(sign_height);
    const ScreenRect place{{scrolled_.column.left, rect_.max.y - height},
                           {scrolled_.column.right, rect_.max.y}};
    const std::string name = name_ + ".more";
    const Pressable more = pressable(name.c_str(), place);
    if (more.pressed) pages_.turn(1);
    const Colour colour = more.hovered ? colours().ink : colours().accent;
    const float x = (place.min.x + place.max.x) / 2, y = place.min.y + height / 2;
    pen().AddTriangleFilled({x - px(7), y - px(3)}, {x + px(7), y - px(3)}, {x, y + px(4)}, colour);
    pen().AddLine({place.min.x, y}, {x - px(14), y}, with_alpha(colour, 0.35f), px(1));
    pen().AddLine({x + px(14), y}, {place.max.x, y}, with_alpha(colour, 0.35f), px(1));
}

} // namespace headlight
