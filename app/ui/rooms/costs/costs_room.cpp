// What models that people know multiply, hold and remember at one length: counted, on paper.
#include "app/ui/asking/asked.h"
#include "app/ui/rooms/costs/costs_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/table.h"

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

void paper_table(float height, PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const CostsView& view = session.view().costs;
    const std::span<const CountedModel> models = counted_models();
    const bool tight = theme().presents(); // large type: all rows, and no number cut
    const Face &words = tight ? faces().caption : faces().body,
               &numbers = tight ? faces().mono_small : faces().mono;
    Table table{.columns = {{.align = Align::left, .face = &words, .share = 1.5f}},
                .line = std::ceil(words.size * 1.62f),
                .height = height,
                .has_rules = true};
    for (const CountedModel& model : models) {
        const std::string name(model.name);
        table.columns.push_back(
            {.heading = {.text = s.text("layercost.model." + name),
                         .face = tight ? &words : &faces().strong,
                         .name = "costs.model." + std::to_string(table.columns.size() - 1),
                         .tooltip = s.text("layercost.model.tip")},
             .face = &numbers,
             .share = 1,
             .chosen = models[view.model].name == model.name});
    }
    for (const PaperRow& row : paper_rows()) {
        const std::string key = row.key;
        std::vector<TableCell> cells = {{.text = s.text(key),
                                         .colour = row.is_strong ? colours().ink : colours().ink_soft,
                                         .tooltip = s.text(key + ".tip")}};
        for (const CountedModel& model : models) {
            const bool fits = model.longest == 0 || view.context <= model.longest;
            cells.push_back({.text = row.text(model, cost_of(model, view.context)),
                             .colour = fits ? colours().ink : colours().ink_faint});
        }
        table.rows.push_back({std::move(cells)});
    }
    if (const auto chosen = draw_table(table, column).heading)
        commands.emit("costs model " + std::string(models[*chosen - 1].name));
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
    column.right = rect.max.x;
    paper_table(rect.max.y - column.y, column, session, commands);
    const ScreenRect below{{rect.min.x, column.y + px(18)}, rect.max};
    if (below.height() > px(250)) // room for four names at the ends of its curves
        paper_plot(below, session, commands);
}

void costs_paper_side(PanelColumn& column, const Session& session) {
    const Strings& s = session.strings();
    const CountedModel& model = counted_models()[session.view().costs.model];
    const ModelCost cost = cost_of(model, session.view().costs.context);
    column_heading(column, s.text("layercost.paper.title"));
    column_paragraph(column, s.text("layercost.paper.text"));
    column_text(column, faces().body, colours().ink,
                s.text("layercost.paper.said",
                       {s.text("layercost.model." + std::string(model.name)),
                        format_whole(session.view().costs.context), cost_count(double(cost.all())),
                        cost_bytes(double(cost.score_bytes)), format_whole(even_length(model))}));
    column.skip(px(8));
    column_note(column, s.text("layercost.paper.why"));
    column_text(column, faces().caption, colours().ink_soft,
                s.text("layercost.paper." + std::string(model.name)));
}

std::string cost_count(double number) {
    if (number < 1e7) return format_whole(number);
    const auto in = [&](double unit, const char* letter) { return format_number(number / unit, 3) + letter; };
    return number < 1e9 ? in(1e6, " M") : number < 1e12 ? in(1e9, " G") : in(1e12, " T");
}

std::string cost_bytes(double bytes) {
    const auto in = [&](double unit, const char* letter) { return format_number(bytes / unit, 3) + letter; };
    return bytes < 1e6    ? in(1e3, " KB")
           : bytes < 1e9  ? in(1e6, " MB")
           : bytes < 1e12 ? in(1e9, " GB")
                          : in(1e12, " TB");
}

const std::string& cost_part_title(const Session& session, CostPart part) {
    return session.strings().text("layercost.part." + std::string(name_of(part)));
}

Colour cost_part_colour(CostPart part) { return colours().series[std::size_t(part)]; }

std::optional<Index> power_slider(const char* name, const std::string& label, std::string_view tip, Index now,
                                  Index low, Index high, PanelColumn& column) {
    float value = float(now);
    const bool moved = ControlRow(column).slider(name, label, value, float(low), float(high),
                                                 {.tooltip = tip, .step = 1, .logarithmic = true});
    if (!moved) return {};
    // The keys move by one: to the next power in their direction.
    const double exponent = std::log2(double(value)), was = std::log2(double(now));
    const double next = std::abs(exponent - was) < 0.5 ? was + (exponent > was ? 1 : -1) : exponent;
    const bool by_key = !ImGui::IsMouseDown(0) && std::abs(double(value) - double(now)) <= 1;
    const Index power =
        std::clamp(Index(std::llround(std::exp2(std::round(by_key ? next : exponent)))), low, high);
    return power == now ? std::nullopt : std::optional(power);
}

void costs_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    small_page_asking().begin_frame();
    const PageFrame frame = page_frame(body, session);
    const CostsPage page = session.view().costs.page;
    if (page == CostsPage::measured)
        costs_measured(frame.main, frame.has_side, session, commands);
    else
        costs_on_paper(frame.main, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
    if (page_answer(frame, session, commands) || !frame.has_side) return;
    ScrolledColumn scrolled("costsside", frame.side);
    PanelColumn& column = scrolled.column;
    std::vector<Chip> pages;
    for (std::size_t i = 0; i < std::size(costs_page_names); ++i)
        pages.push_back({session.strings().text("layercost.page." + std::string(costs_page_names[i])),
                         session.strings().text("layercost.page.tip"), page == CostsPage(i)});
    if (const auto pressed = column_chips(column, "costs.page", pages))
        commands.emit("costs " + std::string(costs_page_names[std::size_t(*pressed)]));
    if (page == CostsPage::measured)
        costs_measured_side(column, session, commands);
    else
        costs_paper_side(column, session);
}

} // namespace headlight
