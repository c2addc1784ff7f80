#include "app/ui/panels/lesson/lesson_parts.h"
#include "app/ui/panels/value_view.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/heatmap.h"

#include <imgui.h>

#include <cmath>
#include <string>
#include <vector>

namespace headlight {

namespace {

struct Shown {
    const char* node;
    const char* title; // as in the formula: a name, not a sentence
    std::optional<Colour> colour = {};
};

void draw(const Shown& shown, const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const LessonView& lesson = session.state().lesson;
    const Node& node = *lesson.attention->graph.find(shown.node);
    const Tensor& value = node.value;
    const bool of_words = value.columns() == Index(lesson.vectors.words.size());
    const std::string name = std::string("lesson.") + shown.node;
    HeatmapView view;
    view.name = name;
    view.matrix = {value.matrix(0),
                   int(value.rows()),
                   int(value.columns()),
                   value.columns(),
                   heatmap_id("lesson " + std::string(shown.node)),
                   lesson.version};
    view.title = shown.title;
    view.title_colour = shown.colour;
    view.row_labels = lesson.vectors.words;
    if (of_words) view.column_labels = lesson.vectors.words;
    view.palette = is_probability(node) ? Palette::sequential : Palette::diverging;
    view.show_legend = false;
    view.show_shape = false;
    const HeatmapResult drawn = heatmap(view, rect);
    if (drawn.clicked) commands.emit("lesson word " + std::to_string(drawn.clicked->row));
    // The row of the chosen word.
    const HeatmapGeometry& g = drawn.geometry;
    const int row = int(lesson.word);
    ImGui::GetWindowDrawList()->AddRect({g.column_edge(0) - 1, g.row_edge(row) - 1},
                                        {g.column_edge(g.columns) + 1, g.row_edge(row + 1) + 1},
                                        theme().colours.accent, 0, 0, theme().px(1.5f));
}

} // namespace

void lesson_matrices(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Theme& t = theme();
    const LessonView& lesson = session.state().lesson;
    const bool projected = lesson.options.projections, scaled = lesson.options.scaled;
    const float gap = t.px(14), half = std::floor((rect.height() - gap) / 2);
    const char* scores = projected ? "Q Kᵀ" : "X Xᵀ";
    const std::string scaled_title = std::string(projected ? "Q Kᵀ" : "X Xᵀ") + " ÷ √2";
    std::vector<Shown> above = {{"scores", scores}};
    if (scaled) above = {{"scaled", scaled_title.c_str()}};
    above.push_back({"weights", "softmax"});
    std::vector<Shown> below = {{"x", "X"}};
    if (projected) {
        below.push_back({"q", "Q", t.colours.query});
        below.push_back({"k", "K", t.colours.key});
        below.push_back({"v", "V", t.colours.value});
    }
    below.push_back({"y", "Y", t.colours.value});
    const auto row = [&](const std::vector<Shown>& all, float top, float height) {
        const float width = std::floor((rect.width() - gap * float(all.size() - 1)) / float(all.size()));
        for (std::size_t i = 0; i < all.size(); ++i)
            draw(all[i], ScreenRect::at(rect.min.x + float(i) * (width + gap), top, width, height), session,
                 commands);
    };
    row(above, rect.min.y, half);
    row(below, rect.min.y + half + gap, half);
}

} // namespace headlight
