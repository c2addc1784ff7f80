#include "app/ui/rooms/explore/profile_side.h"

#include "app/ui/canvas/card_painter.h"
#include "app/ui/widgets/table.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

struct ProfileContext {
    const Session& session;
    CommandSink& commands;
    const Profile& profile;
    ProfilePart part;
    double total; // seconds of that part
    TimeUnit unit;

    const std::string& text(std::string_view key) const { return session.strings().text(key); }
    std::string text(std::string_view key, const std::vector<std::string>& values) const {
        return session.strings().text(std::string(key), values);
    }
    // Times that stand under one another.
    std::string time(double seconds) const {
        const double whole = profile.total().seconds() * unit.in_a_second;
        return format_fixed(seconds * unit.in_a_second, whole < 100 ? 2 : whole < 10'000 ? 1 : 0);
    }
};

// "linear layer", as the field calls what the graph calls "linear".
std::string operation_name(const Session& session, std::string_view operation) {
    return session.strings().text_or("timing.op." + std::string(operation), std::string(operation));
}

struct Figure {
    const char* heading; // and what is said of it under ".tip"
    std::string (*number)(const ProfileContext&, const OperationCost&);
};

double per_second(double what, double seconds) { return seconds > 0 ? what / seconds : 0; }

std::string millions(double number) { return format_fixed(number * 1e-6, number < 100e6 ? 3 : 0); }

// The most needed first; the last ones give way where there is no room.
constexpr Figure figures[] = {
    {"timing.forward",
     [](const ProfileContext& c, const OperationCost& cost) { return c.time(cost.forward.seconds); }},
    {"timing.backward",
     [](const ProfileContext& c, const OperationCost& cost) { return c.time(cost.backward.seconds); }},
    {"timing.rate",
     [](const ProfileContext& c, const OperationCost& cost) {
         const PassWork work = work_of(cost, c.part);
         return format_fixed(per_second(work.floating_point_operations, work.seconds) * 1e-9, 2);
     }},
    {"timing.flops",
     [](const ProfileContext& c, const OperationCost& cost) {
         return millions(work_of(cost, c.part).floating_point_operations);
     }},
    {"timing.bytes", [](const ProfileContext& c,
                        const OperationCost& cost) { return millions(work_of(cost, c.part).bytes); }},
};

// All of an operation in words: what the columns have no room for, too.
std::string row_tip(const ProfileContext& context, const OperationCost& cost) {
    const PassWork work = work_of(cost, context.part);
    return context.text("timing.row.tip",
                        {std::string(cost.operation), format_whole(cost.nodes),
                         format_number(work.floating_point_operations * 1e-6, 3),
                         format_number(work.bytes * 1e-6, 3),
                         format_number(per_second(work.floating_point_operations, work.seconds) * 1e-9, 3),
                         format_number(per_second(work.bytes, work.seconds) * 1e-9, 3)});
}

// Goes to the card that takes the longest.
void go_to_dearest(const ProfileContext& context, std::string_view operation) {
    const Node* node = context.profile.dearest(operation, context.part);
    if (!node) return;
    const bool is_step = context.session.model().step_of(node->path) >= 0;
    context.commands.emit((is_step ? "goto " : "frame ") + node->path);
}

// Returns the operation that is pointed at.
std::string costs_table(const ProfileContext& context, std::string_view looked_at, PanelColumn& column) {
    const std::vector<OperationCost> costs = context.profile.operations(context.part);
    Table table{.columns = {{.align = Align::left}, {.least = px(40), .share = 1}, {}},
                .line = std::round(faces().body.size + px(6))};
    TableRow total{
        .cells = {{.text = context.text("timing.total"), .face = &faces().strong, .name = "profile.total"},
                  {},
                  {}},
        .is_total = true};
    const double longest = costs.empty() ? 0 : work_of(costs.front(), context.part).seconds;
    for (const OperationCost& cost : costs) {
        const double seconds = work_of(cost, context.part).seconds,
                     percent = context.total > 0 ? 100 * seconds / context.total : 0;
        table.rows.push_back({.cells = {{operation_name(context.session, cost.operation)},
                                        {.colour = theme().cost_colour(0.66f),
                                         .bar = longest > 0 ? float(seconds / longest) : 0},
                                        {percent > 0 && percent < 0.5 ? "<1%" : format_whole(percent) + "%"}},
                              .name = "profile.row." + std::to_string(table.rows.size()),
                              .tooltip = row_tip(context, cost),
                              .chosen = cost.operation == looked_at});
    }
    for (std::size_t i = 0; i < std::size(figures); ++i) {
        if (i == 1 && !context.profile.has_backward()) continue;
        const std::string heading = figures[i].heading;
        table.columns.push_back({.heading = {.text = context.text(heading, {context.unit.name}),
                                             .tooltip = context.text(heading + ".tip")},
                                 .spare = int(i) + 1});
        for (std::size_t row = 0; row < costs.size(); ++row)
            table.rows[row].cells.push_back(
                {.text = figures[i].number(context, costs[row]), .colour = colours().ink_soft});
        total.cells.push_back({figures[i].number(context, context.profile.total())});
    }
    table.rows.push_back(std::move(total));
    const TableResult result = draw_table(table, column);
    if (result.pressed) go_to_dearest(context, costs[*result.pressed].operation);
    return result.hovered ? std::string(costs[*result.hovered].operation) : std::string();
}

// Title, and the way out.
void heading(const Session& session, PanelColumn& column, CommandSink& commands) {
    const Strings& s = session.strings();
    const float width = button_width(s.text("positions.close"));
    ImGui::SetCursorScreenPos({column.right - width, column.y});
    if (button("profile.close", s.text("positions.close"), {.tooltip = s.text("timing.close.tip")}))
        commands.emit("profile off");
    const float words = draw_wrapped(pen(), faces().heading, {column.left, column.y + px(4)},
                                     column.width() - width - px(10), colours().ink, s.text("timing.title"));
    column.skip(std::max(words + px(4), control_height()) + px(6));
}

void choices(const ProfileContext& context, PanelColumn& column) {
    std::vector<Chip> chip_row;
    if (context.profile.has_backward())
        for (std::size_t i = 0; i < std::size(profile_part_names); ++i) {
            const std::string key = "timing.part." + std::string(profile_part_names[i]);
            chip_row.push_back(
                {context.text(key), context.text("timing.part.tip"), std::size_t(context.part) == i});
        }
    chip_row.push_back({context.text("timing.again"), context.text("timing.again.tip")});
    const std::optional<int> pressed = chips("profile.part", chip_row, column);
    if (!pressed) return;
    const bool is_again = std::size_t(*pressed) + 1 == chip_row.size();
    context.commands.emit("profile "
                          + (is_again ? "again" : std::string(profile_part_names[std::size_t(*pressed)])));
}

std::string told(const ProfileContext& context) {
    const bool is_once = context.profile.passes() == 1;
    const std::string key = std::string("timing.text") + (is_once ? ".once" : "")
                            + (context.profile.has_backward() ? "" : ".forward");
    return context.text(key, {std::to_string(context.profile.passes())});
}

// All of it, and what the products of matrices alone would take.
std::string summary(const ProfileContext& context) {
    const Profile& profile = context.profile;
    const double whole = profile.total().seconds(), alone = profile.products_alone();
    const std::string time = time_text(profile, whole);
    if (!profile.has_backward()) return context.text("timing.all.forward", {time});
    if (alone <= 0) return context.text("timing.all", {time});
    return context.text("timing.all.products",
                        {time, time_text(profile, alone), format_whole(100 * alone / whole)});
}

} // namespace

void profile_side(const ScreenRect& rect, const Session& session, CanvasView& canvas, CommandSink& commands) {
    ScrolledColumn scrolled("profile", rect);
    PanelColumn& column = scrolled.column;
    column.left += px(6), column.right -= px(2); // a row that is pointed at reaches farther
    heading(session, column, commands);
    canvas.operation.clear();
    const Profile* profile = session.experiment().profile();
    if (!profile || profile->passes() == 0) return;
    const ProfilePart part = profile->measured(session.view().profile.part);
    const ProfileContext context{
        session, commands, *profile, part, work_of(profile->total(), part).seconds, time_unit(*profile)};
    column_text(column, faces().body, colours().ink, summary(context));
    column.skip(px(4));
    if (!theme().presents()) { // large type needs the place for numbers
        column_text(column, faces().caption, colours().ink_soft, told(context));
        column.skip(px(6));
    }
    choices(context, column);
    column.skip(px(6));
    cost_scale_line(column, session);
    column.skip(px(4));
    const Node* under_pointer = canvas.pointed ? session.find(canvas.pointed->path) : nullptr;
    canvas.operation =
        costs_table(context, under_pointer ? under_pointer->op->name() : std::string_view(), column);
    column.skip(px(8));
    column_text(column, faces().caption, colours().ink_faint, context.text("timing.note"));
}

} // namespace headlight
