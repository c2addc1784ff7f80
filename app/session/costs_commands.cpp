// What layers cost: its commands.
#include "app/session/setting.h"

#include <algorithm>
#include <iterator>

namespace headlight {

namespace {

constexpr double seconds_a_point = 0.15;
constexpr Index shortest_measured = 8, longest_measured = 2048, narrowest = 16, widest = 512;

// The points of one length after another, so that all curves grow together.
std::vector<CostOrder> orders_of(const CostsView& view, const LayerSize& size) {
    std::vector<std::vector<CostOrder>> curves;
    for (const CostPart part : all_cost_parts)
        if (view.shows(part)) curves.push_back(cost_places(part, size, view.over_width));
    std::vector<CostOrder> orders;
    for (std::size_t i = 0; !curves.empty() && i < curves.front().size(); ++i)
        for (const std::vector<CostOrder>& curve : curves) orders.push_back(curve[i]);
    return orders;
}

} // namespace

std::vector<CostOrder> cost_places(CostPart part, const LayerSize& size, bool over_width) {
    std::vector<CostOrder> places;
    if (over_width)
        for (Index d = narrowest; d <= widest; d *= 2) places.push_back({part, size.length, d});
    else
        for (Index n = shortest_measured; n <= longest_measured; n *= 2)
            places.push_back({part, n, size.d_model});
    return places;
}

double quantity_of(const CostPoint& point, CostQuantity quantity) {
    switch (quantity) {
    case CostQuantity::forward:
        return point.forward_seconds;
    case CostQuantity::training:
        return point.training_seconds;
    case CostQuantity::bytes:
        return double(point.bytes);
    case CostQuantity::multiplications:
        return double(point.multiplications);
    }
    return 0;
}

void add_costs_commands(CommandRegistry& commands, Inquiries& inquiries, View& view,
                        CostMeasuring& measuring) {
    using namespace argument;
    SettingsOf layer(commands, of_page(inquiries, &SmallPagesSetting::layer_size));
    layer.add("costs length", &LayerSize::length, whole("N", 1, double(longest_layer)));
    layer.add("costs width", &LayerSize::d_model, whole("N", 1, double(widest_layer)));
    commands.add("costs measure", {}, [&](const Arguments&) {
        const LayerSize& size = inquiries.experiment().question().small_pages.layer_size;
        measuring.begin(orders_of(view.costs, size), seconds_a_point);
    });
    commands.add("costs stop", {}, [&](const Arguments&) { measuring.stop(); });
    commands.add_of_person("costs finish", {}, [&](const Arguments&) { measuring.finish(); });
    SettingsOf costs(commands, of_view(view, &View::costs));
    costs.add("costs", &CostsView::page, one_of(costs_page_names));
    costs.add("costs show", &CostsView::quantity, one_of(cost_quantity_names));
    costs.add("costs over", &CostsView::over_width, "length|width", "width");
    costs.add_each("costs part", "attention|feed-forward|rnn|lstm|gru", Index(std::size(all_cost_parts)),
                   [](auto& all, Index i) -> auto& { return all.parts[std::size_t(i)]; }, {a_switch()});
    costs.add("costs lines", &CostsView::has_lines, a_switch());
    costs.add("costs context", &CostsView::context, whole("N", shortest_context, longest_context));
    costs.add("costs model", &CostsView::model, "transformer|gpt2|llama");
}

} // namespace headlight
