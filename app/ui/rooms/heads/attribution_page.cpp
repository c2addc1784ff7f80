// What brings a word its logit: a bar for each part of the residual stream, and the check that all of them
// together are the logit.
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/measure_parts.h"
#include "app/ui/widgets/table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

bool is_held(const Session& session, const NamedCell& cell) { return session.view().asking.held == cell; }

// The parts add up to the logit: both can be asked; and in which order the parts stand.
void check_line(PanelColumn& column, const Session& session, const Attribution& attribution,
                CommandSink& commands) {
    const Strings& s = session.strings();
    const double sum = double(attribution.sum->value(0, 0, 0)),
                 logit = double(attribution.logit->value(0, 0, 0));
    column_text(column, faces().strong, colours().ink,
                s.text("measures.attribution.check",
                       {target_words(session, session.attributed()), format_number(sum, 5),
                        format_number(logit, 5), format_number(std::abs(sum - logit), 2)}));
    const bool by_size = session.view().heads.by_size;
    const std::array<Chip, 4> choices = {Chip{s.text("measures.value.sum"), s.text("measures.sum.tip"),
                                              is_held(session, {attribution.sum->path, {}})},
                                         Chip{s.text("measures.value.logit"), s.text("measures.logit.tip"),
                                              is_held(session, {attribution.logit->path, {}})},
                                         Chip{s.text("measures.order.size"), {}, by_size},
                                         Chip{s.text("measures.order.computed"), {}, !by_size}};
    const std::array<std::string, 4> lines = {select_command({attribution.sum->path, {}}),
                                              select_command({attribution.logit->path, {}}),
                                              "heads attribute size", "heads attribute computed"};
    if (const auto pressed = column_chips(column, "attribution.check", choices))
        commands.emit(lines[std::size_t(*pressed)]);
}

// Bars to both sides of a line: what speaks for the word, and what against it.
std::optional<NamedCell> bars(PanelColumn& column, const Session& session,
                              const std::vector<ShownShare>& shares, CommandSink& commands) {
    double largest = 1e-9;
    for (const ShownShare& share : shares) largest = std::max(largest, std::abs(share.value));
    Table table{.columns = {{.align = Align::left}, {.least = px(80), .share = 1, .two_sided = true}, {}}};
    for (const ShownShare& share : shares)
        table.rows.push_back({.cells = {{share.name},
                                        {.colour = share.value < 0 ? colours().negative : colours().positive,
                                         .bar = float(share.value / largest)},
                                        {format_number(share.value, 3)}},
                              .name = "attribution." + std::to_string(table.rows.size()),
                              .chosen = is_held(session, share.cell)});
    const TableResult result = draw_table(table, column);
    column.skip(px(10));
    if (result.pressed) commands.emit(select_command(shares[*result.pressed].cell));
    return result.hovered ? std::optional(shares[*result.hovered].cell) : std::nullopt;
}

} // namespace

void attribution_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const auto [page, side] = with_asking_side(rect);
    std::optional<NamedCell> hovered;
    {
        ScrolledColumn scrolled("attribution", page);
        PanelColumn& column = scrolled.column;
        const Attribution& attribution = *session.attribution();
        const bool is_roomy = page.height() > px(560); // what is seen comes before what is said
        const auto say = [&] { column_paragraph(column, s.text("measures.attribution.text")); };
        if (is_roomy) say();
        choose_target(column, session, commands);
        check_line(column, session, attribution, commands);
        std::vector<ShownShare> shares = shown_shares(session);
        if (session.view().heads.by_size)
            std::stable_sort(shares.begin(), shares.end(), [](const ShownShare& a, const ShownShare& b) {
                return std::abs(a.value) > std::abs(b.value);
            });
        hovered = bars(column, session, shares, commands);
        if (!is_roomy) say();
    }
    ask_at_side(side, side.min.y, session, commands, hovered);
}

} // namespace headlight
