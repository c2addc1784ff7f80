// What brings a word its logit: a bar for each part of the residual stream, and the check that all of them
// together are the logit.
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/measure_parts.h"

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
    if (const auto pressed = chips("attribution.check", choices, column))
        commands.emit(lines[std::size_t(*pressed)]);
    column.skip(px(8));
}

// Bars to both sides of a line: what speaks for the word, and what against it.
std::optional<NamedCell> bars(PanelColumn& column, const Session& session,
                              const std::vector<ShownShare>& shares, CommandSink& commands) {
    std::optional<NamedCell> hovered;
    double largest = 1e-9;
    float names = 0;
    for (const ShownShare& share : shares) {
        largest = std::max(largest, std::abs(share.value));
        names = std::max(names, std::ceil(text_width(faces().body, share.name)));
    }
    names = std::min(names + px(12), column.width() * 0.5f);
    const float numbers = std::ceil(text_width(faces().mono_small, "−00.0000")) + px(8);
    const float height = faces().body.size * 1.5f;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const ShownShare& share = shares[i];
        const ScreenRect line = column.take(height);
        const std::string name = "attribution." + std::to_string(i);
        const Pressable p = pressable(name.c_str(), line);
        const bool held = is_held(session, share.cell);
        if (p.hovered || held)
            pen().AddRectFilled(line.min, line.max, held ? colours().accent_soft : colours().raised, px(4));
        draw_label(pen(), faces().body, {line.min, {line.min.x + names - px(8), line.max.y}}, colours().ink,
                   share.name);
        draw_text_in(pen(), faces().mono_small,
                     {{line.max.x - numbers, line.min.y}, {line.max.x - px(4), line.max.y}}, colours().ink,
                     format_number(share.value, 3), Align::right);
        const ScreenRect track{{line.min.x + names, line.min.y + px(4)},
                               {line.max.x - numbers - px(6), line.max.y - px(4)}};
        const float zero = track.centre().x, end = zero + float(share.value / largest) * track.width() / 2;
        pen().AddRectFilled({std::min(zero, end), track.min.y}, {std::max(zero, end), track.max.y},
                            share.value < 0 ? colours().negative : colours().positive, px(2));
        pen().AddLine({zero, line.min.y}, {zero, line.max.y}, colours().frame);
        if (p.hovered) hovered = share.cell;
        if (p.pressed) commands.emit(select_command(share.cell));
    }
    column.skip(px(10));
    return hovered;
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
        const auto say = [&] {
            column_text(column, faces().body, colours().ink_soft, s.text("measures.attribution.text"));
            column.skip(px(8));
        };
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
