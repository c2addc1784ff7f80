#include "app/session/step_text.h"
#include "app/session/value_names.h"
#include "app/ui/step/step.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/text.h"

#include <string>
#include <vector>

namespace headlight {

namespace {

struct Crumb {
    std::string label;
    std::vector<std::string> commands; // that lead there; none: one is there
};

const StoryBlock* block_of(const Session& session, const std::string& id) {
    for (const StoryBlock& block : session.model().blocks)
        if (block.id == id) return &block;
    return nullptr;
}

// Row and column of the held number, as the words that they are: "it → animal".
std::string words_of_cell(const Session& session, const Node& node, const Cell& cell) {
    const ValueLabels& labels = value_labels(session, node);
    const auto word = [](const std::vector<std::string>& all, Index place) {
        return place >= 0 && std::size_t(place) < all.size() ? all[std::size_t(place)] : std::string();
    };
    const std::string row = word(labels.rows, cell.row), column = word(labels.columns, cell.column);
    if (row.empty() || column.empty()) return row.empty() ? column : row;
    return row + " → " + column;
}

std::vector<Crumb> crumbs(const Session& session) {
    const std::optional<NamedCell>& held = session.view().asking.held;
    const Strings& s = session.strings();
    std::vector<Crumb> all = {{s.text("crumb.network"), {"fit"}}};
    const Index told = held ? session.model().step_of(held->path) : session.view().step;
    if (told < 0) { // a weight, or a number of a measure
        all.push_back({held->path, {}});
        return all;
    }
    const StoryStep& step = session.model().story[std::size_t(told)];
    const StoryBlock* block = block_of(session, step.block);
    const std::string goes = "goto " + step.path();
    if (block) {
        if (const std::string side = side_name(session, block->side); !side.empty())
            all.push_back({side, {"frame " + block->side}});
        const Layer* layer = session.model().map().layer_of(*step.node);
        if (block->layer >= 0 && layer)
            all.push_back(
                {s.text("story.layer_number", {std::to_string(block->layer + 1)}), {"frame " + layer->path}});
        if (block->id != block->side)
            all.push_back({block_name(session, block->kind), {"frame " + block->id}});
    }
    all.push_back({value_name(session, *step.node), {goes, "frame"}});
    const Index head = held ? held->cell.batch : session.view().head;
    if (step.node->axes.per_head && head >= 0)
        all.push_back({s.text("story.head_number", {std::to_string(head + 1)}),
                       {goes, "head " + std::to_string(head)}});
    if (held)
        if (const std::string words = words_of_cell(session, *step.node, held->cell); !words.empty())
            all.push_back({words, {}});
    return all;
}

} // namespace

float breadcrumb(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Face& face = faces().caption;
    const float line = face.size * 1.4f, gap = px(5);
    const std::string between = "›";
    const float sign = text_width(face, between);
    float x = rect.min.x, y = rect.min.y;
    const std::vector<Crumb> all = crumbs(session);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const float width = std::min(text_width(face, all[i].label) + 1, rect.width());
        if (x > rect.min.x && x + width > rect.max.x) {
            x = rect.min.x;
            y += line;
        }
        const ScreenRect place = ScreenRect::at(x, y, width, line);
        const bool is_last = i + 1 == all.size();
        const std::string name = "crumb." + std::to_string(i);
        const Pressable p = all[i].commands.empty() ? Pressable{} : pressable(name.c_str(), place);
        draw_label(pen(), face, place, p.hovered || is_last ? colours().accent : colours().ink_soft,
                   all[i].label);
        if (p.pressed)
            for (const std::string& command : all[i].commands) commands.emit(command);
        x = place.max.x + gap;
        if (is_last) break;
        draw_text_in(pen(), face, ScreenRect::at(x, y, sign + 1, line), colours().ink_faint, between);
        x += sign + gap;
    }
    return y + line - rect.min.y;
}

} // namespace headlight
