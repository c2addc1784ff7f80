#include "app/ui/asking/asked.h"
#include "app/ui/rooms/costs/costs_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"

#include <algorithm>
#include <cmath>

namespace headlight {

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
