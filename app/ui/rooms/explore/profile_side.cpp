#include "app/ui/rooms/explore/profile_side.h"

#include "app/ui/canvas/cost_marks.h"

#include <algorithm>
#include <array>
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

struct TableColumn {
    const char* heading; // and what is said of it under ".tip"
    bool is_wanted;
    std::string (*number)(const ProfileContext&, const OperationCost&);
    float width = 0;
};

std::string heading_of(const ProfileContext& context, const TableColumn& column) {
    return context.text(column.heading, {context.unit.name});
}

double per_second(double what, double seconds) { return seconds > 0 ? what / seconds : 0; }

// The most needed first; the last ones give way where there is no room.
std::vector<TableColumn> columns_of(const ProfileContext& context) {
    const bool has_back = context.profile.has_backward();
    std::vector<TableColumn> all = {
        {"timing.forward", true,
         [](const ProfileContext& c, const OperationCost& cost) { return c.time(cost.forward.seconds); }},
        {"timing.backward", has_back,
         [](const ProfileContext& c, const OperationCost& cost) { return c.time(cost.backward.seconds); }},
        {"timing.rate", true,
         [](const ProfileContext& c, const OperationCost& cost) {
             const PassWork work = work_of(cost, c.part);
             return format_fixed(per_second(work.floating_point_operations, work.seconds) * 1e-9, 2);
         }},
        {"timing.flops", true,
         [](const ProfileContext& c, const OperationCost& cost) {
             const double millions = work_of(cost, c.part).floating_point_operations * 1e-6;
             return format_fixed(millions, millions < 100 ? 3 : 0);
         }},
        {"timing.bytes", true,
         [](const ProfileContext& c, const OperationCost& cost) {
             const double millions = work_of(cost, c.part).bytes * 1e-6;
             return format_fixed(millions, millions < 100 ? 3 : 0);
         }},
    };
    std::erase_if(all, [](const TableColumn& column) { return !column.is_wanted; });
    return all;
}

struct Table {
    std::vector<OperationCost> rows;
    OperationCost total;
    std::vector<TableColumn> columns;
    float name = 0, share = 0; // widths
};

Table table_of(const ProfileContext& context, float width) {
    Table table{context.profile.operations(context.part), context.profile.total(), columns_of(context)};
    for (const OperationCost& cost : table.rows)
        table.name =
            std::max(table.name, text_width(faces().body, operation_name(context.session, cost.operation)));
    table.name = std::min(std::ceil(table.name) + 1, std::max(px(100), std::round(width * 0.38f)));
    table.share = text_width(faces().mono_small, "100 %") + px(2);
    const float bar = px(40), gap = px(10);
    float left = width - table.name - table.share - bar - 2 * gap;
    std::size_t shown = 0;
    for (TableColumn& column : table.columns) {
        float widest = text_width(faces().caption, heading_of(context, column));
        for (const OperationCost& cost : table.rows)
            widest = std::max(widest, text_width(faces().mono_small, column.number(context, cost)));
        widest = std::max(widest, text_width(faces().mono_small, column.number(context, table.total)));
        column.width = std::ceil(widest) + gap;
        if (column.width > left) break;
        left -= column.width;
        ++shown;
    }
    table.columns.resize(shown);
    return table;
}

void headings(const ProfileContext& context, const Table& table, PanelColumn& column) {
    const ScreenRect row = column.take(std::round(faces().caption.size * 1.6f));
    float right = row.max.x;
    for (auto one = table.columns.rbegin(); one != table.columns.rend(); ++one) {
        const ScreenRect place = {{right - one->width, row.min.y}, {right, row.max.y}};
        draw_text_in(pen(), faces().caption, place, colours().ink_faint, heading_of(context, *one),
                     Align::right);
        const std::string name = one->heading;
        tooltip_when_resting(name, place,
                             ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(place.min, place.max),
                             context.text(name + ".tip"));
        right -= one->width;
    }
}

void numbers(const ProfileContext& context, const Table& table, const OperationCost& cost,
             const ScreenRect& row, Colour ink) {
    float right = row.max.x;
    for (auto one = table.columns.rbegin(); one != table.columns.rend(); ++one) {
        draw_text_in(pen(), faces().mono_small, {{right - one->width, row.min.y}, {right, row.max.y}}, ink,
                     one->number(context, cost), Align::right);
        right -= one->width;
    }
}

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
std::string rows(const ProfileContext& context, const Table& table, std::string_view looked_at,
                 PanelColumn& column) {
    std::string pointed;
    const float height = std::round(faces().body.size + px(6));
    const double longest = table.rows.empty() ? 0 : work_of(table.rows.front(), context.part).seconds;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const OperationCost& cost = table.rows[i];
        const double seconds = work_of(cost, context.part).seconds;
        const ScreenRect row = column.take(height);
        const std::string id = "profile.row." + std::to_string(i);
        const Pressable p = pressable(id.c_str(), row);
        if (p.hovered || cost.operation == looked_at)
            pen().AddRectFilled({row.min.x - px(6), row.min.y}, {row.max.x + px(6), row.max.y},
                                colours().raised, px(5));
        draw_label(pen(), faces().body, {row.min, {row.min.x + table.name, row.max.y}}, colours().ink,
                   operation_name(context.session, cost.operation));
        float right = row.max.x;
        for (const TableColumn& one : table.columns) right -= one.width;
        const ScreenRect share{{right - table.share, row.min.y}, {right, row.max.y}};
        const double percent = context.total > 0 ? 100 * seconds / context.total : 0;
        draw_text_in(pen(), faces().mono_small, share, colours().ink,
                     percent > 0 && percent < 0.5 ? "<1%" : format_whole(percent) + "%", Align::right);
        const ScreenRect track{{row.min.x + table.name + px(10), row.centre().y - px(5)},
                               {share.min.x - px(2), row.centre().y + px(5)}};
        const float end = longest > 0 ? track.width() * float(seconds / longest) : 0;
        pen().AddRectFilled(track.min, track.max, colours().raised, px(3));
        if (seconds > 0) // however little, it leaves a trace
            pen().AddRectFilled(track.min, {track.min.x + std::max(end, 2.f), track.max.y},
                                theme().cost_colour(0.66f), px(3));
        numbers(context, table, cost, row, colours().ink_soft);
        tooltip_when_resting(id, row, p.hovered, row_tip(context, cost));
        if (p.hovered) pointed = cost.operation;
        if (p.pressed) go_to_dearest(context, cost.operation);
    }
    return pointed;
}

void totals(const ProfileContext& context, const Table& table, PanelColumn& column) {
    column.skip(px(3));
    pen().AddLine({column.left, column.y}, {column.right, column.y}, colours().line);
    column.skip(px(3));
    const ScreenRect row = column.take(std::round(faces().body.size + px(8)));
    draw_text_in(pen(), faces().strong, {row.min, {row.min.x + table.name + px(60), row.max.y}},
                 colours().ink, context.text("timing.total"));
    numbers(context, table, table.total, row, colours().ink);
    widgets().record("profile.total", row);
}

// Title, and the way out.
void heading(const Session& session, PanelColumn& column, CommandSink& commands) {
    const Strings& s = session.strings();
    const float width = std::ceil(text_width(faces().body, s.text("positions.close"))) + px(28);
    ImGui::SetCursorScreenPos({column.right - width, column.y});
    if (button("profile.close", s.text("positions.close"),
               {.tooltip = s.text("timing.close.tip"), .width = width / theme().scale}))
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
    const Table table = table_of(context, column.width());
    headings(context, table, column);
    const Node* under_pointer = canvas.pointed ? session.find(canvas.pointed->path) : nullptr;
    canvas.operation =
        rows(context, table, under_pointer ? under_pointer->op->name() : std::string_view(), column);
    totals(context, table, column);
    column.skip(px(8));
    column_text(column, faces().caption, colours().ink_faint, context.text("timing.note"));
}

} // namespace headlight
