#include "app/lessons/markdown.h"

#include "engine/text/words.h"

#include <md4c.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace headlight {

namespace {

constexpr std::size_t longest_destination = 1000; // bytes: what is looked through for its end

// The destinations of our links hold blanks, [words](cell:PATH 0 1 2); Markdown wants those in <…>.
std::string with_bracketed_links(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        out += text[i++];
        if (!out.ends_with("](")) continue;
        const std::string_view rest = text.substr(i);
        const auto begins = [&](std::string_view scheme) { return rest.starts_with(scheme); };
        if (!begins("cell:") && !begins("value:") && !begins("do:")) continue;
        const std::size_t end = rest.substr(0, longest_destination).find_first_of(")\n");
        if (end == rest.npos || rest[end] != ')') continue;
        out += "<" + std::string(rest.substr(0, end)) + ">";
        i += end;
    }
    return out;
}

std::string attribute(const MD_ATTRIBUTE& a) { return {a.text, a.size}; }

// "##Two" was meant as a heading. A single # may begin a word, as a hashtag does.
bool lacks_blank(std::string_view line) {
    const std::size_t signs = std::min(line.find_first_not_of('#'), line.size());
    return signs >= 2 && signs <= 6 && signs < line.size() && line[signs] != ' ' && line[signs] != '\t';
}

class Reader {
public:
    Reader(std::string_view text, int first_line) : text_(text), line_(first_line) {
        for (std::size_t i = text.find('\n'); i != text.npos; i = text.find('\n', i + 1))
            line_ends_.push_back(i);
    }

    std::vector<MarkdownBlock> read() {
        MD_PARSER parser{};
        parser.flags = MD_FLAG_LATEXMATHSPANS | MD_FLAG_TABLES;
        parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
            return static_cast<Reader*>(self)->enter(type, detail);
        };
        parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
            return static_cast<Reader*>(self)->leave(type);
        };
        parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
            return static_cast<Reader*>(self)->change_look(type, detail, true);
        };
        parser.leave_span = [](MD_SPANTYPE type, void* detail, void* self) {
            return static_cast<Reader*>(self)->change_look(type, detail, false);
        };
        parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
            return static_cast<Reader*>(self)->add(type, {text, size});
        };
        md_parse(text_.data(), MD_SIZE(text_.size()), &parser, this);
        return std::move(blocks_);
    }

private:
    int enter(MD_BLOCKTYPE type, void* detail) {
        MarkdownBlock block;
        switch (type) {
        case MD_BLOCK_H:
            block.kind = MarkdownBlock::Kind::heading;
            block.level = int(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
            break;
        case MD_BLOCK_P:
            if (in_item_ && !blocks_.empty() && blocks_.back().text.empty()) return 0; // of a loose list
            break;
        case MD_BLOCK_LI:
            block.kind = MarkdownBlock::Kind::item;
            in_item_ = true;
            break;
        case MD_BLOCK_CODE:
            block.kind = MarkdownBlock::Kind::fence;
            block.info = attribute(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info);
            in_code_ = true;
            break;
        case MD_BLOCK_TR:
            block.kind = MarkdownBlock::Kind::table_row;
            break;
        case MD_BLOCK_TH:
        case MD_BLOCK_TD:
            blocks_.back().cells.emplace_back();
            in_cell_ = true;
            return 0;
        case MD_BLOCK_HTML:
            in_html_ = true;
            return 0;
        default:
            return 0;
        }
        block.line = line_of_cursor();
        blocks_.push_back(std::move(block));
        is_placed_ = false;
        if (in_code_) place_code(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info);
        return 0;
    }

    // Its first line of code may be empty, or not there; the info string says where it is.
    void place_code(const MD_ATTRIBUTE& info) {
        if (!info.text || !is_of_source(info.text)) return;
        cursor_ = std::size_t(info.text - text_.data());
        blocks_.back().line = line_of_cursor() + 1;
        is_placed_ = true;
    }

    int leave(MD_BLOCKTYPE type) {
        if (type == MD_BLOCK_H) end_heading();
        if (type == MD_BLOCK_CODE) end_code();
        if (type == MD_BLOCK_P && !blocks_.empty()) blocks_.back().end = line_of_cursor() + 1;
        if (type == MD_BLOCK_LI) in_item_ = false;
        if (type == MD_BLOCK_CODE) in_code_ = false;
        if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) in_cell_ = false;
        if (type == MD_BLOCK_HTML) in_html_ = false;
        return 0;
    }

    // Behind it and, where no # begins it, behind the line that is drawn below it.
    void end_heading() {
        MarkdownBlock& block = blocks_.back();
        if (!is_placed_) find_empty_heading();
        const std::string_view written = behind_containers(line_at(block.line));
        const std::size_t signs = std::min(written.find_first_not_of('#'), written.size());
        const bool has_signs = signs > 0 && (signs == written.size() || is_blank(written[signs]));
        block.end = line_of_cursor() + (has_signs ? 1 : 2);
    }

    // One without words has no text that would tell where it stands.
    void find_empty_heading() {
        MarkdownBlock& block = blocks_.back();
        const int lines = line_ + int(line_ends_.size());
        for (int line = line_of_cursor() + (cursor_ > 0 ? 1 : 0); line <= lines; ++line) {
            const std::string_view written = trim(behind_containers(line_at(line)));
            if (written.find_first_not_of("# \t") != written.npos) continue;
            if (int(std::min(written.find_first_not_of('#'), written.size())) != block.level) continue;
            cursor_ = begin_of_line(line);
            block.line = line;
            return;
        }
    }

    // Behind what closes it; where nothing does, it ends with its text.
    void end_code() {
        MarkdownBlock& block = blocks_.back();
        block.end = block.line + int(std::count(block.code.begin(), block.code.end(), '\n'));
        const std::string_view last = trim(behind_containers(line_at(block.end)));
        const bool closes = last.size() >= 3 && (last[0] == '`' || last[0] == '~')
                            && last.find_first_not_of(last[0]) == last.npos;
        block.is_open = !closes;
        if (closes) ++block.end;
    }

    int change_look(MD_SPANTYPE type, void* detail, bool on) {
        if (type == MD_SPAN_EM) look_.emphasis = on;
        if (type == MD_SPAN_STRONG) look_.strong = on;
        if (type == MD_SPAN_CODE) look_.kind = on ? LessonSpan::Kind::code : LessonSpan::Kind::words;
        if (type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY)
            look_.kind = on ? LessonSpan::Kind::formula : LessonSpan::Kind::words;
        if (type == MD_SPAN_A) {
            look_.link = LessonSpan::Link::none;
            look_.target.clear();
            if (on) follow(attribute(static_cast<MD_SPAN_A_DETAIL*>(detail)->href));
        }
        return 0;
    }

    void follow(const std::string& href) {
        using Link = LessonSpan::Link;
        for (const auto& [scheme, link] : {std::pair{"cell:", Link::cell}, std::pair{"value:", Link::value},
                                           std::pair{"do:", Link::command}})
            if (href.starts_with(scheme)) {
                look_.link = link;
                look_.target = href.substr(std::string_view(scheme).size());
            }
    }

    int add(MD_TEXTTYPE type, std::string_view text) {
        const bool is_written = is_of_source(text.data());
        if (is_written) cursor_ = std::size_t(text.data() - text_.data());
        if (in_html_ || blocks_.empty()) return 0;
        MarkdownBlock& block = blocks_.back();
        if (is_written && !std::exchange(is_placed_, true)) block.line = line_of_cursor();
        if (type == MD_TEXT_HTML) return 0;
        const bool begins_line = is_written && begin_of_line(line_of_cursor()) == cursor_;
        if (begins_line && block.kind == MarkdownBlock::Kind::paragraph && block.torn_heading.empty()
            && lacks_blank(line_at(line_of_cursor()))) {
            block.torn_line = line_of_cursor();
            block.torn_heading = trim(line_at(block.torn_line));
        }
        if (in_code_) {
            block.code += text;
            return 0;
        }
        LessonText& spans = in_cell_ ? block.cells.back() : block.text;
        std::string words(type == MD_TEXT_SOFTBR ? " " : type == MD_TEXT_BR ? "\n" : text);
        if (type == MD_TEXT_ENTITY) words = entity(text);
        look_.line = line_of_cursor();
        if (!spans.empty()) {
            LessonSpan same = look_;
            same.text = spans.back().text, same.line = spans.back().line;
            if (same == spans.back()) {
                spans.back().text += words;
                return 0;
            }
        }
        spans.push_back(look_);
        spans.back().text = std::move(words);
        return 0;
    }

    static std::string entity(std::string_view text) {
        constexpr std::pair<std::string_view, std::string_view> known[] = {
            {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&nbsp;", "\u00A0"}};
        for (const auto& [name, sign] : known)
            if (text == name) return std::string(sign);
        return std::string(text);
    }

    bool is_of_source(const char* text) const {
        return !std::less<>()(text, text_.data()) && std::less<>()(text, text_.data() + text_.size());
    }

    static bool is_blank(char c) { return c == ' ' || c == '\t'; }

    // What stands behind the signs of quotations and lists.
    static std::string_view behind_containers(std::string_view line) {
        return line.substr(std::min(line.find_first_not_of(" \t>-*+"), line.size()));
    }

    std::size_t begin_of_line(int line) const {
        if (line <= line_) return 0;
        const std::size_t before = std::size_t(line - line_) - 1;
        return before < line_ends_.size() ? line_ends_[before] + 1 : text_.size();
    }

    std::string_view line_at(int line) const { // without its end
        const std::size_t begin = begin_of_line(line), end = begin_of_line(line + 1);
        std::string_view text = text_.substr(begin, end - begin);
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
        return text;
    }

    int line_of_cursor() const {
        return line_
               + int(std::lower_bound(line_ends_.begin(), line_ends_.end(), cursor_) - line_ends_.begin());
    }

    const std::string_view text_;
    int line_;
    std::vector<std::size_t> line_ends_; // places in the text
    std::size_t cursor_ = 0;
    bool is_placed_ = false; // the line of the last block is known
    bool in_item_ = false, in_code_ = false, in_cell_ = false, in_html_ = false;
    LessonSpan look_;
    std::vector<MarkdownBlock> blocks_;
};

} // namespace

std::vector<MarkdownBlock> read_markdown(std::string_view text, int first_line) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    const std::string prepared = with_bracketed_links(text);
    return Reader(prepared, first_line).read();
}

} // namespace headlight
