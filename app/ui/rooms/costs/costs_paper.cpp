// What models that people know multiply, hold and remember at one length: counted, on paper.
#include "app/ui/rooms/costs/costs_parts.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace headlight {

namespace {

struct PaperRow {
    const char* key; // of its name, and with ".tip" of what it is
    std::function<std::string(const CountedModel&, const ModelCost&)> text;
    bool is_strong = false;
};

std::vector<PaperRow> paper_rows() {
    const auto count = [](Index number) { return cost_count(double(number)); };
    const auto percent = [](double share) { return percent_text(share, 1); };
    return {
        {"layercost.row.sizes",
         [](const CountedModel& m, const ModelCost&) {
             const std::string dot = theme().presents() ? "·" : " · ",
                               plus = theme().presents() ? "+" : " + ",
                               encoder = m.encoder_layers > 0 ? std::to_string(m.encoder_layers) + plus : "";
             return encoder + std::to_string(m.decoder_layers) + dot + std::to_string(m.d_model) + dot
                    + std::to_string(m.heads);
         }},
        {"layercost.row.longest",
         [](const CountedModel& m, const ModelCost&) {
             return m.longest > 0 ? format_whole(m.longest) : "–";
         }},
        {"layercost.row.parameters",
         [count](const CountedModel&, const ModelCost& cost) { return count(cost.parameters); }},
        {"layercost.row.projections",
         [count](const CountedModel&, const ModelCost& cost) { return count(cost.projections); }},
        {"layercost.row.mixing",
         [count](const CountedModel&, const ModelCost& cost) { return count(cost.mixing); }},
        {"layercost.row.feed_forward",
         [count](const CountedModel&, const ModelCost& cost) { return count(cost.feed_forward); }},
        {"layercost.row.output",
         [count](const CountedModel&, const ModelCost& cost) { return count(cost.output); }},
        {"layercost.row.all",
         [count](const CountedModel&, const ModelCost& cost) { return count(cost.all()); }, true},
        {"layercost.row.share",
         [percent](const CountedModel&, const ModelCost& cost) {
             return percent(double(cost.mixing) / double(cost.all()));
         },
         true},
        {"layercost.row.bytes",
         [](const CountedModel&, const ModelCost& cost) { return cost_bytes(double(cost.score_bytes)); },
         true},
        {"layercost.row.even",
         [](const CountedModel& m, const ModelCost&) { return format_whole(even_length(m)); }, true},
    };
}

// Returns where the table ends.
float paper_table(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const CostsView& view = session.view().costs;
    const std::span<const CountedModel> models = counted_models();
    const bool tight = theme().presents(); // large type: all rows, and no number cut
    const Face &words = tight ? faces().caption : faces().body,
               &numbers = tight ? faces().mono_small : faces().mono;
    const float line = std::ceil(words.size * 1.62f);
    const float first = std::floor(rect.width() * 0.36f),
                each = std::floor((rect.width() - first) / float(models.size()));
    const auto cell = [&](std::size_t column, float y) {
        return ScreenRect::at(rect.min.x + first + float(column) * each + px(6), y, each - px(6), line);
    };
    float y = rect.min.y;
    for (std::size_t m = 0; m < models.size(); ++m) {
        const ScreenRect head = cell(m, y);
        const std::string name = "costs.model." + std::to_string(m);
        const Pressable p = pressable(name.c_str(), head);
        const bool chosen = view.model == m;
        if (chosen || p.hovered)
            pen().AddRectFilled(head.min, head.max, chosen ? colours().accent_soft : colours().hovered,
                                px(6));
        draw_label(pen(), tight ? words : faces().strong, head.inset(px(4)),
                   chosen ? colours().accent : colours().ink,
                   s.text("layercost.model." + std::string(models[m].name)), Align::right);
        tooltip_when_resting(name, head, p.hovered, s.text("layercost.model.tip"));
        if (p.pressed) commands.emit("costs model " + std::string(models[m].name));
    }
    y += line + px(4);
    for (const PaperRow& row : paper_rows()) {
        if (y + line > rect.max.y) break;
        pen().AddLine({rect.min.x, y}, {rect.max.x, y}, with_alpha(colours().line, 0.7f));
        const ScreenRect title = ScreenRect::at(rect.min.x, y, first, line);
        draw_label(pen(), words, title, row.is_strong ? colours().ink : colours().ink_soft, s.text(row.key));
        if (ImGui::IsMouseHoveringRect(title.min, title.max) && ImGui::IsWindowHovered())
            tooltip_when_resting(row.key, title, true, s.text(std::string(row.key) + ".tip"));
        for (std::size_t m = 0; m < models.size(); ++m) {
            const bool fits = models[m].longest == 0 || view.context <= models[m].longest;
            draw_label(pen(), numbers, cell(m, y).inset(px(4)), fits ? colours().ink : colours().ink_faint,
                       row.text(models[m], cost_of(models[m], view.context)), Align::right);
        }
        y += line;
    }
    return y;
}

void paper_plot(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const CostsView& view = session.view().costs;
    const CountedModel& model = counted_models()[view.model];
    std::vector<float> ticks;
    std::array<std::vector<float>, 4> y;
    for (Index n = shortest_context; n <= longest_context; n *= 2) {
        const ModelCost cost = cost_of(model, n);
        const Index counts[] = {cost.projections, cost.mixing, cost.feed_forward, cost.output};
        ticks.push_back(float(n));
        for (std::size_t i = 0; i < y.size(); ++i) y[i].push_back(float(double(counts[i]) / 1e9));
    }
    constexpr const char* keys[] = {"projections", "mixing", "feed_forward", "output"};
    std::vector<PlotSeries> series;
    for (std::size_t i = 0; i < y.size(); ++i)
        series.push_back({.label = s.text("layercost.row.short." + std::string(keys[i])),
                          .y = y[i],
                          .x = ticks,
                          .colour = colours().series[i == 1   ? 0
                                                     : i == 0 ? 3
                                                     : i == 2 ? 1
                                                              : 4]});
    const PlotResult result = plot({.name = "costs.counts",
                                    .title = s.text("layercost.model." + std::string(model.name)),
                                    .x_axis = s.text("layercost.axis.tokens"),
                                    .y_axis = s.text("layercost.unit.billions"),
                                    .series = series,
                                    .log_y = true,
                                    .log_x = true,
                                    .ticks_x = ticks,
                                    .marker_x = float(view.context)},
                                   rect);
    if (!result.clicked_x) return;
    const double power = std::round(std::log2(double(*result.clicked_x)));
    const Index place = std::clamp(Index(std::exp2(power)), shortest_context, longest_context);
    if (place != view.context) commands.emit("costs context " + std::to_string(place));
}

} // namespace

void costs_on_paper(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    PanelColumn column{rect.min.x, std::min(rect.max.x, rect.min.x + px(460)), rect.min.y};
    if (const auto moved =
            power_slider("costs.context", s.text("layercost.context"), s.text("layercost.context.tip"),
                         session.view().costs.context, shortest_context, longest_context, column))
        commands.emit("costs context " + std::to_string(*moved));
    column.skip(px(6));
    const float end = paper_table({{rect.min.x, column.y}, rect.max}, session, commands);
    const ScreenRect below{{rect.min.x, end + px(18)}, rect.max};
    if (below.height() > px(250)) // room for four names at the ends of its curves
        paper_plot(below, session, commands);
}

void costs_paper_side(PanelColumn& column, const Session& session) {
    const Strings& s = session.strings();
    const CountedModel& model = counted_models()[session.view().costs.model];
    const ModelCost cost = cost_of(model, session.view().costs.context);
    column_heading(column, s.text("layercost.paper.title"));
    column_text(column, faces().body, colours().ink_soft, s.text("layercost.paper.text"));
    column.skip(px(10));
    column_text(column, faces().body, colours().ink,
                s.text("layercost.paper.said",
                       {s.text("layercost.model." + std::string(model.name)),
                        format_whole(session.view().costs.context), cost_count(double(cost.all())),
                        cost_bytes(double(cost.score_bytes)), format_whole(even_length(model))}));
    column.skip(px(8));
    column_text(column, faces().caption, colours().ink_soft, s.text("layercost.paper.why"));
    column.skip(px(8));
    column_text(column, faces().caption, colours().ink_soft,
                s.text("layercost.paper." + std::string(model.name)));
}

} // namespace headlight
