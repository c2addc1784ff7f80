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
};

// `first_line`: of the text in its file.
std::vector<MarkdownBlock> read_markdown(std::string_view text, int first_line = 1);

} // namespace headlight
