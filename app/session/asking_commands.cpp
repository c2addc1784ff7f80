// Commands that ask about numbers: the cell that is held, the trail to it, the direction, the part of a
// matrix; and what a script expects of a number.
#include "app/session/asking.h"
#include "app/session/setting.h"
#include "app/session/value_names.h"
#include "engine/graph/edits.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {

namespace {

// Along the trail: the held cell goes to the end of one list, the end of the other is held.
void move_along(std::optional<NamedCell>& held, std::vector<NamedCell>& from, std::vector<NamedCell>& to,
                Index steps) {
    for (Index i = 0; i < steps && !from.empty(); ++i) {
        if (held) to.push_back(*held);
        held = from.back();
        from.pop_back();
    }
}

Error no_such_cell(const std::string& path, const Tensor& value) {
    return {"error.no_such_cell", {path, to_string(value.shape())}};
}

// What a small page has computed is looked at in its room.
void show_room_of(View& view, const std::string& path) {
    view.room = small_page_of(path).value_or(view.room);
}

Result<Done> hold(View& view, const Session& session, const Arguments& in) {
    const Node* node = session.find(in.text("PATH")); // any_value: it is there
    const NamedCell next{node->path, {in.whole("HEAD"), in.whole("ROW"), in.whole("COLUMN")}};
    if (!session.has(next)) return no_such_cell(in.text("PATH"), node->value);
    show_room_of(view, next.path);
    const std::optional<NamedCell>& held = view.asking.held;
    if (held && small_page_of(held->path) != small_page_of(next.path))
        view.asking.forget(); // no way leads there
    view.asking.hold(next);
    return Done{};
}

std::vector<std::string> lines_of_held(const View& view, const Session& session) {
    std::vector<std::string> lines;
    const std::optional<NamedCell>& held = view.asking.held;
    if (!held) return lines;
    // Some pages compute their numbers when they are looked at.
    const std::optional<Room> page = small_page_of(held->path);
    if (page || is_measure(held->path) ? !session.has(*held)
                                       : !exists(*held, session.opened().model().graph()))
        return lines;
    if (page) lines.push_back("room " + std::string(name_of(*page)));
    lines.push_back(select_command(*held));
    return lines;
}

Result<Done> look_at_part(View& view, const Session& session, const Arguments& in) {
    const Node* node = session.find(in.text("PATH"));
    const auto [row0, row1] = std::minmax({in.whole("ROW0"), in.whole("ROW1")});
    const auto [column0, column1] = std::minmax({in.whole("COLUMN0"), in.whole("COLUMN1")});
    const MatrixPart part{node->path, in.whole("HEAD"), row0, column0, row1, column1};
    if (!exists(part, *node->graph)) return no_such_cell(in.text("PATH"), node->value);
    show_room_of(view, part.path);
    view.asking.part = part;
    return Done{};
}

// A row, a column or all of the matrix that the held cell stands in.
Result<Done> look_around(View& view, const Session& session, const Arguments& in) {
    const std::optional<NamedCell>& held = view.asking.held;
    if (!held) return Error{"error.nothing_held", {}};
    MatrixPart part = whole_matrix(*session.find(held->path), held->cell.batch);
    if (in.said("row")) part.row0 = part.row1 = held->cell.row;
    if (in.said("column")) part.column0 = part.column1 = held->cell.column;
    view.asking.part = part;
    return Done{};
}

constexpr ExportFormat formats[] = {ExportFormat::tsv, ExportFormat::latex, ExportFormat::numpy,
                                    ExportFormat::markdown};

Result<Done> copy_part(const Session& session, View& view, const Arguments& in) {
    const std::optional<MatrixPart> part = part_asked(session);
    if (session.view().teaching.cover.hides_some_of(part->path)) return Error{"teach.first", {}};
    view.asking.copied = part_as_text(session, *part, formats[in.place()]);
    view.asking.for_clipboard = true;
    constexpr double seconds = 4;
    view.notice = Notice{false,
                         session.strings().text("asking.copied", {std::to_string(part->rows()),
                                                                  std::to_string(part->columns())}),
                         seconds};
    return Done{};
}

Result<std::vector<Index>> dimensions_of(const std::string& text, Index d_model) {
    std::vector<Index> dimensions;
    for (const std::string& word : words_of(text)) {
        const Result<long> number = whole_number_of(word);
        if (!number) return number.error();
        if (*number < 0 || *number >= d_model)
            return Error{"error.out_of_range", {"dimensions", "0", std::to_string(d_model - 1)}};
        if (std::find(dimensions.begin(), dimensions.end(), *number) == dimensions.end())
            dimensions.push_back(*number);
    }
    return dimensions;
}

// Whether a number is what a script expects of it.
Result<Done> meets(const Tensor& numbers, const Arguments& in) {
    const Region cell{in.whole("HEAD"), in.whole("ROW"), in.whole("COLUMN")};
    if (cell.batch < 0 || cell.row < 0 || cell.column < 0 || !cell.fits(numbers.shape()))
        return no_such_cell(in.text("PATH"), numbers);
    const double present = double(numbers(cell.batch, cell.row, cell.column));
    if (std::abs(present - in.number("VALUE")) <= in.number("TOLERANCE")) return Done{};
    return Error{"error.expectation_failed", {in.line(), exactly(present)}};
}

std::vector<Argument> expectation(Argument path) {
    using namespace argument;
    return {std::move(path), whole("HEAD"),   whole("ROW"),
            whole("COLUMN"), number("VALUE"), number("TOLERANCE")};
}

} // namespace

void add_asking_commands(CommandRegistry& commands, const Session& session, View& view) {
    using namespace argument;
    Asking& asking = view.asking;
    SettingsOf held(commands, with_model(of_view(view, itself)));
    held.add_lines(
        "select", {any_value(), optional(whole("HEAD")), whole("ROW"), whole("COLUMN")},
        [&](View& all, const Arguments& in) { return hold(all, session, in); },
        [&](const View& now, const View&) { return lines_of_held(now, session); });
    commands.add("unselect", {}, [&](const Arguments&) { asking.forget(); }).replayable = true;
    const Argument steps = optional(whole("STEPS", 1));
    commands.add("back", {steps}, [&](const Arguments& in) {
        move_along(asking.held, asking.trail, asking.ahead, in.whole("STEPS", 1));
    });
    commands.add("forward", {steps}, [&](const Arguments& in) {
        move_along(asking.held, asking.ahead, asking.trail, in.whole("STEPS", 1));
    });
    SettingsOf asked(commands, of_view(view, &View::asking));
    asked.add("direction", &Asking::direction, "from|touches|next");
    asked.add("terms", &Asking::by_contribution, "computed|contribution", "contribution");
    asked.add("terms", &Asking::every_term, "all|few", "all");
    commands.add_with_model("region off", {}, [&](const Arguments&) { asking.part.reset(); });
    commands.add_with_model("region", {"row|column|all"},
                            [&](const Arguments& in) { return look_around(view, session, in); });
    commands.add_with_model("region",
                            {any_value(), optional(whole("HEAD")), whole("ROW0"), whole("COLUMN0"),
                             whole("ROW1"), whole("COLUMN1")},
                            [&](const Arguments& in) { return look_at_part(view, session, in); });
    commands.add_with_model("copy", {"tsv|latex|numpy|markdown"},
                            [&](const Arguments& in) { return copy_part(session, view, in); });
    SettingsOf positions(commands, of_view(view, &View::close_ups));
    positions
        .change("dimensions", {file("COLUMN…")},
                [&](CloseUps& all, const Arguments& in) -> Result<Done> {
                    Result<std::vector<Index>> dimensions =
                        dimensions_of(in.text("COLUMN…"), session.model().config().d_model);
                    if (dimensions) all.dimensions = *std::move(dimensions);
                    return dimensions ? Result<Done>(Done{}) : dimensions.error();
                })
        .needs_model = true;
    positions.add("distance", &CloseUps::distance, "euclidean|dot");
    commands.add_with_model("expect", expectation(word("PATH")), [&](const Arguments& in) -> Result<Done> {
        const Node* node = session.find(in.text("PATH"));
        if (!node) return no_such_value(in.text("PATH"), session.at_hand());
        return meets(node->value, in);
    });
}

void add_expected_gradient(CommandRegistry& commands, Inquiries& inquiries) {
    using namespace argument;
    commands.add_with_model("expect_gradient", expectation(word("PATH")),
                            [&](const Arguments& in) -> Result<Done> {
                                inquiries.experiment().differentiate();
                                const LoadedModel& model = inquiries.experiment().model();
                                const Node* node = model.graph().find(in.text("PATH"));
                                if (!node || !model.graph().has_gradient(*node))
                                    return Error{"error.no_such_gradient", {in.text("PATH"), model.name}};
                                return meets(node->grad, in);
                            });
}

} // namespace headlight
