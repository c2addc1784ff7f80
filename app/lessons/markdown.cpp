#include "app/lessons/markdown.h"

#include <md4c.h>

#include <algorithm>

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

class Reader {
public:
    Reader(const std::string& text, int first_line) : text_(text), line_(first_line) {
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
        return 0;
    }

    int leave(MD_BLOCKTYPE type) {
        if (type == MD_BLOCK_LI) in_item_ = false;
        if (type == MD_BLOCK_CODE) in_code_ = false;
        if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) in_cell_ = false;
        if (type == MD_BLOCK_HTML) in_html_ = false;
        return 0;
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
        if (in_html_ || type == MD_TEXT_HTML || blocks_.empty()) return 0;
        MarkdownBlock& block = blocks_.back();
        const bool is_of_source = text.data() >= text_.data() && text.data() < text_.data() + text_.size();
        if (is_of_source) cursor_ = std::size_t(text.data() - text_.data());
        const bool is_first = block.text.empty() && block.code.empty() && block.cells.empty();
        if (is_of_source && is_first) block.line = line_of_cursor();
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

    int line_of_cursor() const {
        return line_
               + int(std::lower_bound(line_ends_.begin(), line_ends_.end(), cursor_) - line_ends_.begin());
    }

    const std::string& text_;
    int line_;
    std::vector<std::size_t> line_ends_; // places in the text
    std::size_t cursor_ = 0;
    bool in_item_ = false, in_code_ = false, in_cell_ = false, in_html_ = false;
    LessonSpan look_;
    std::vector<MarkdownBlock> blocks_;
};

} // namespace

std::vector<MarkdownBlock> read_markdown(std::string_view text, int first_line) {
    const std::string prepared = with_bracketed_links(text);
    return Reader(prepared, first_line).read();
}

} // namespace headlight
