// What layers cost: its commands.
#include "app/session/costs_view.h"
#include "app/session/session.h"

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

std::vector<std::string> commands_of(const CostsView& view) {
    const CostsView fresh;
    std::vector<std::string> lines;
    const auto named = [](std::string_view name) { return "costs " + std::string(name); };
    if (view.page != fresh.page) lines.push_back(named(costs_page_names[std::size_t(view.page)]));
    if (view.quantity != fresh.quantity)
        lines.push_back("costs show " + std::string(cost_quantity_names[std::size_t(view.quantity)]));
    if (view.over_width) lines.emplace_back("costs over width");
    for (const CostPart part : all_cost_parts)
        if (view.shows(part) != fresh.shows(part))
            lines.push_back("costs part " + std::string(name_of(part)) + (view.shows(part) ? " on" : " off"));
    if (!view.has_lines) lines.emplace_back("costs lines off");
    if (view.context != fresh.context) lines.push_back("costs context " + std::to_string(view.context));
    if (view.model != fresh.model)
        lines.push_back("costs model " + std::string(counted_models()[view.model].name));
    return lines;
}

void add_costs_commands(CommandRegistry& commands, Inquiries& inquiries, CostsView& view,
                        CostMeasuring& measuring) {
    using namespace argument;
    // --- of which layer
    const auto size = [&](const char* name, Index most, auto member) {
        commands.add("costs", {name, whole("N", 1, double(most))}, [&inquiries, member](const Arguments& in) {
            Question next = inquiries.experiment().question();
            next.small_pages.layer_size.*member = in.whole("N");
            return inquiries.experiment().ask(std::move(next));
        });
    };
    size("length", longest_layer, &LayerSize::length);
    size("width", widest_layer, &LayerSize::d_model);
    // --- measured
    commands.add("costs", {"measure"}, [&](const Arguments&) {
        const LayerSize& layer = inquiries.experiment().question().small_pages.layer_size;
        measuring.begin(orders_of(view, layer), seconds_a_point);
    });
    commands.add("costs", {"stop"}, [&](const Arguments&) { measuring.stop(); });
    commands.add("costs", {"finish"}, [&](const Arguments&) { measuring.finish(); }).of_person = true;
    // --- how it is looked at
    commands.add("costs", {"measured|paper"},
                 [&](const Arguments& in) { view.page = CostsPage(in.place()); });
    commands.add("costs", {"show", "forward|training|bytes|multiplications"},
                 [&](const Arguments& in) { view.quantity = CostQuantity(in.place()); });
    commands.add("costs", {"over", "length|width"},
                 [&](const Arguments& in) { view.over_width = in.said("width"); });
    commands.add("costs", {"part", "attention|feed-forward|rnn|lstm|gru", a_switch()},
                 [&](const Arguments& in) {
                     for (const CostPart part : all_cost_parts)
                         if (in.said(name_of(part)))
                             view.parts[std::size_t(part)] = switched(in, view.shows(part));
                 });
    commands.add("costs", {"lines", a_switch()},
                 [&](const Arguments& in) { view.has_lines = switched(in, view.has_lines); });
    commands.add("costs", {"context", whole("N", shortest_context, longest_context)},
                 [&](const Arguments& in) { view.context = in.whole("N"); });
    commands.add("costs", {"model", "transformer|gpt2|llama"},
                 [&](const Arguments& in) { view.model = in.place(); });
}

} // namespace headlight
