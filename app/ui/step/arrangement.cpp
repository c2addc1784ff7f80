#include "app/session/changes.h"
#include "app/ui/base/ui.h"
#include "app/ui/changes/changes.h"
#include "app/ui/step/step.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

namespace {

// Equations that stand side by side stand one below another where the column is too narrow for them: no half
// of a formula is left out.
std::vector<std::string> lines_of(const std::string& formula, float width) {
    constexpr std::string_view between = "\\quad ";
    if (measure_formula(formula, {MathSize::small}).width <= width) return {formula};
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin != formula.npos;) {
        const std::size_t end = formula.find(between, begin);
        lines.push_back(formula.substr(begin, end - begin));
        begin = end == formula.npos ? end : end + between.size();
    }
    return lines;
}

// In the largest size in which it fits the column; the general form, and below it that of this model.
float formulas(ImDrawList& list, const ScreenRect& rect, const Session& session) {
    const StoryStep& step = session.step();
    float y = rect.min.y;
    for (const std::string* tex : {&step.formula, &step.sized}) {
        if (tex->empty()) continue;
        const std::vector<std::string> lines = lines_of(formula_in_language(session, *tex), rect.width());
        for (const MathSize size : {MathSize::normal, MathSize::small}) {
            const FormulaStyle style{size, tex == &step.formula ? colours().ink : colours().ink_soft};
            float width = 0, height = 0;
            for (const std::string& line : lines) {
                const FormulaExtent extent = measure_formula(line, style);
                width = std::max(width, extent.width);
                height += extent.height() + px(8);
            }
            if (width > rect.width() && size == MathSize::normal) continue;
            if (width > rect.width() || y + height - px(8) > rect.max.y) break;
            for (const std::string& line : lines) {
                const FormulaExtent extent =
                    draw_formula(list, {rect.min.x, y + measure_formula(line, style).ascent}, line, style);
                y += extent.height() + px(8);
            }
            break;
        }
    }
    return y - rect.min.y;
}

// The changes that edit this value, in words.
std::vector<std::string> changes_here(const Session& session, const Node& node) {
    std::vector<std::string> words;
    for (const Change& change : session.question().changes) {
        if (!change.on) continue;
        const Result<std::vector<Edit>> edits = edits_of(change.text, session.model(), nullptr);
        if (edits && std::any_of(edits->begin(), edits->end(), [&](const Edit& edit) {
                return edit.path == node.path;
            }))
            words.push_back(change_words(session, change.text));
    }
    return words;
}

// What else can be looked at of this step: its close-ups. Returns the height that they took.
float close_ups(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const StoryStep& step = session.step();
    struct Choice {
        CloseUp which;
        const char* name;
        bool wanted;
    };
    const Choice choices[] = {
        {CloseUp::step, "step", true},
        {CloseUp::tokens, "tokens", step.node->is(ValueKind::tokens)},
        {CloseUp::positions, "positions", step.node->is(ValueKind::positions)},
        {CloseUp::workings, "workings", !step.operands.empty()},
        {CloseUp::word, "word", session.model().map().attention_of(*step.node) != nullptr}};
    const Strings& s = session.strings();
    float x = rect.min.x, y = rect.min.y;
    for (const Choice& choice : choices) {
        if (!choice.wanted) continue;
        const std::string key = std::string("window.closeup.") + choice.name;
        const float width = text_width(faces().body, s.text(key)) + px(24);
        if (x > rect.min.x && x + width > rect.max.x) {
            x = rect.min.x;
            y += control_height() + px(6);
        }
        if (y + control_height() > rect.max.y) return y - rect.min.y;
        ImGui::SetCursorScreenPos({x, y});
        const bool open = session.view().close_ups.open == choice.which;
        const bool pressed = button(
            std::string("closeup.") + choice.name, s.text(key),
            {.tooltip = s.text(key + ".tip"), .chosen = open, .pixels = std::min(width, rect.width())});
        if (pressed) commands.emit(std::string("closeup ") + (open ? "off" : choice.name));
        if (pressed && !open && choice.which == CloseUp::workings) commands.emit("workings play");
        x += width + px(6);
    }
    return x == rect.min.x ? y - rect.min.y : y + control_height() + px(8) - rect.min.y;
}

// The way to the lesson that explains the step. Returns the height that it took.
float lesson_link(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const std::string lesson = session.lesson_about(session.step());
    if (lesson.empty() || session.view().teaching.on || rect.height() < faces().caption.size * 2.2f) return 0;
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    const std::string number = std::to_string(std::atoi(lesson.c_str()));
    if (column_chip(
            column, "step.lesson",
            {session.strings().text("teach.about", {number}), session.strings().text("teach.about.tip")}))
        commands.emit("lesson open " + lesson);
    return column.y - rect.min.y;
}

} // namespace

float step_words(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    float y = rect.min.y + step_telling(rect, session, false);
    y += close_ups({{rect.min.x, y + px(4)}, rect.max}, session, commands);
    return y + lesson_link({{rect.min.x, y}, rect.max}, session, commands) - rect.min.y;
}

namespace {

// Where the step stands, and which of how many it is.
float step_counter(const ScreenRect& rect, const Session& session) {
    const StoryStep& step = session.step();
    float y = rect.min.y;
    const std::string counter =
        session.strings().text("window.step.counter", {std::to_string(session.view().step + 1),
                                                       std::to_string(session.model().story.size())});
    const float counter_width = text_width(faces().caption, counter) + 1, line = faces().caption.size * 1.25f;
    draw_text_in(pen(), faces().caption, {{rect.max.x - counter_width, y}, {rect.max.x, y + line}},
                 colours().ink_faint, counter, Align::right);
    const std::string place = step_place(session, step);
    const bool on_one_line = text_width(faces().caption, place) <= rect.width() - counter_width - px(8);
    if (!on_one_line) y += line;
    const ScreenRect there{{rect.min.x, y},
                           {rect.max.x - (on_one_line ? counter_width + px(8) : 0), y + line}};
    draw_label(pen(), faces().caption, there, colours().accent,
               last_parts(faces().caption, place, there.width()));
    return y + line + px(4) - rect.min.y;
}

} // namespace

float step_telling(const ScreenRect& rect, const Session& session, bool with_place) {
    const StoryStep& step = session.step();
    float y = rect.min.y + (with_place ? step_counter(rect, session) : 0);
    const std::string title = step_title(session, step);
    y += draw_wrapped(pen(), faces().heading, {rect.min.x, y}, rect.width(), colours().ink, title) + px(6);
    const std::string text = step_text(session, step);
    const float words = wrapped_height(faces().body, text, rect.width());
    if (y + words < rect.max.y) {
        draw_wrapped(pen(), faces().body, {rect.min.x, y}, rect.width(), colours().ink_soft, text);
        y += words + px(10);
    }
    y += formulas(pen(), {{rect.min.x, y}, rect.max}, session);
    // The formula is the model's: what a what-if makes of this very value is said below it.
    const std::vector<std::string> changed = changes_here(session, *step.node);
    for (const std::string& change : changed) {
        const std::string told = session.strings().text("unlike.here", {change});
        if (y + wrapped_height(faces().body, told, rect.width()) > rect.max.y) break;
        y +=
            draw_wrapped(pen(), faces().body, {rect.min.x, y}, rect.width(), colours().warning, told) + px(6);
    }
    return y - rect.min.y;
}

namespace {

constexpr double nothing = -1e3; // a matrix without room

// A matrix and the slim ones that stand under it.
struct Block {
    std::size_t first = 0, count = 0;
};

struct Division {
    double score = nothing * 100;
    std::vector<ScreenRect> rects; // of the blocks
};

class Arranger {
public:
    Arranger(std::span<const MatrixExtent> matrices, float gap, const CellMeasures& measures)
        : matrices_(matrices), gap_(gap), measures_(measures) {
        for (std::size_t i = 0; i < matrices.size(); ++i)
            if (blocks_.empty() || !matrices[i].is_slim || matrices[blocks_.back().first].is_list)
                blocks_.push_back({i, 1});
            else
                ++blocks_.back().count;
    }

    std::vector<ScreenRect> rects(const ScreenRect& rect) const {
        std::vector<ScreenRect> all;
        const Division best = divide(0, blocks_.size(), rect);
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            const Block& block = blocks_[b];
            ScreenRect rest = best.rects[b];
            const float slim = slim_height(block);
            all.push_back({rest.min, {rest.max.x, rest.max.y - slim}});
            float y = rest.max.y - slim;
            for (std::size_t i = block.first + 1; i < block.first + block.count; ++i) {
                y += gap_ / 2;
                all.push_back({{rest.min.x, y}, {rest.max.x, y + matrices_[i].slim_height}});
                y += matrices_[i].slim_height;
            }
        }
        return all;
    }

private:
    float slim_height(const Block& block) const {
        float height = 0;
        for (std::size_t i = block.first + 1; i < block.first + block.count; ++i)
            height += matrices_[i].slim_height + gap_ / 2;
        return height;
    }

    Division divide(std::size_t first, std::size_t end, const ScreenRect& rect) const {
        if (end - first == 1) {
            const Block& block = blocks_[first];
            const MatrixExtent& matrix = matrices_[block.first];
            return {matrix.importance
                        * legibility(matrix, rect.width(), rect.height() - slim_height(block), measures_),
                    {rect}};
        }
        // Coarser cuts where there are many matrices: the number of divisions grows quickly.
        const int parts = end - first <= 3 ? 12 : 5;
        Division best;
        for (std::size_t cut = first + 1; cut < end; ++cut)
            for (int part = 1; part < parts; ++part)
                for (const bool beside : {true, false}) {
                    const float share = float(part) / float(parts);
                    ScreenRect before = rect, after = rect;
                    if (beside) {
                        before.max.x = rect.min.x + std::round((rect.width() - gap_) * share);
                        after.min.x = before.max.x + gap_;
                    } else {
                        before.max.y = rect.min.y + std::round((rect.height() - gap_ / 2) * share);
                        after.min.y = before.max.y + gap_ / 2;
                    }
                    const Division left = divide(first, cut, before), right = divide(cut, end, after);
                    // From left to right reads better than downwards, when it costs little.
                    const double score = left.score + right.score + (beside ? 0.25 : 0);
                    if (score <= best.score) continue;
                    best.score = score;
                    best.rects = left.rects;
                    best.rects.insert(best.rects.end(), right.rects.begin(), right.rects.end());
                }
        return best;
    }

    std::span<const MatrixExtent> matrices_;
    float gap_;
    CellMeasures measures_;
    std::vector<Block> blocks_;
};

} // namespace

double legibility(const MatrixExtent& matrix, float width, float height, const CellMeasures& measures) {
    const float growth = measures.roomy > 0 ? std::clamp(height / measures.roomy, 1.f, greatest_growth) : 1.f;
    const float largest = std::floor(measures.largest * growth);
    width -= matrix.labels;
    height -= matrix.above + matrix.below;
    if (matrix.is_list) { // lines of text: enough is enough
        const float line = height / float(std::max(matrix.rows, 1L));
        if (width < 0 || line <= 1) return nothing;
        return 6 * std::log(std::min(line / measures.line, 1.2f)) + 4;
    }
    if (width < 2 || height < 2) return nothing;
    const float aspect = 1.9f; // as the heatmap has it
    float cell_width = std::min(width / float(std::max(matrix.columns, 1L)), largest * aspect);
    float cell_height = std::min(height / float(std::max(matrix.rows, 1L)), largest);
    cell_width = std::min(cell_width, cell_height * aspect);
    const float label = matrix.labels > 0 ? std::min(measures.line * 1.5f, cell_width * matrix.tallest) : 0;
    cell_height = std::min(cell_height, std::max(cell_width, label));
    double score = std::log(double(cell_width)) + std::log(double(cell_height));
    if (matrix.labels > 0 && cell_height < measures.line * 0.9f) score -= 1; // labels are left out
    if (cell_width >= measures.number && cell_height >= measures.number_height) score += 1;
    return score;
}

std::vector<ScreenRect> arrange(std::span<const MatrixExtent> matrices, const ScreenRect& rect, float gap,
                                const CellMeasures& measures) {
    if (matrices.empty()) return {};
    return Arranger(matrices, gap, measures).rects(rect);
}

int best_columns(const MatrixExtent& tile, int count, const ScreenRect& rect, float gap,
                 const CellMeasures& measures) {
    int best = 1;
    double best_score = nothing * 100;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const float width = (rect.width() - gap * float(columns - 1)) / float(columns);
        const float height = (rect.height() - gap * float(rows - 1)) / float(rows);
        // Among equals those that fill the width.
        if (const double score = legibility(tile, width, height, measures); score >= best_score)
            best_score = score, best = columns;
    }
    return best;
}

} // namespace headlight
