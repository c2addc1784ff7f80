// Markdown as blocks of text and fenced blocks, each with the line where it begins. Parsed by md4c; formulas
// between dollars, tables, comments (<!-- … -->) left out.
#pragma once

#include "app/lessons/lesson.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct MarkdownBlock {
    enum class Kind { heading, paragraph, item, fence, table_row, picture };

    Kind kind = Kind::paragraph;
    int level = 0;                 // of a heading
    LessonText text;               // of headings, paragraphs, items
    std::vector<LessonText> cells; // of a table's row
    std::string info, code;        // of a fence
    int line = 0;                  // from 1; of a fence that of its first line of code
    bool is_open = false;          // a fence that nothing closes: it takes all that follows
    int end = 0;                   // of a heading, a paragraph and a fence: the line behind it
    std::string torn_heading;      // of a paragraph: the first of its lines that begins with ## and no blank
    int torn_line = 0;             // where that stands
};

// `first_line`: of the text in its file. A byte-order mark at its beginning is none of it.
std::vector<MarkdownBlock> read_markdown(std::string_view text, int first_line = 1);

} // namespace headlight
