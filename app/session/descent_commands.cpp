// Gradient descent from the ground: its commands.
#include "app/session/descent_view.h"
#include "app/session/session.h"
#include "app/session/small_pages.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

namespace headlight {

namespace {

constexpr double farthest = 100;   // of a point from the middle
constexpr double longest_film = 8; // seconds
constexpr double most_rate = 1000, least_rate = 1e-6, rate_in_model = 20;

// "descent point add 1 2 b": in the plane a point is of the one kind or the other.
constexpr const char* kinds_of_points = "a|b";

std::string written(const DescentPoint& point, bool in_plane) {
    return exactly(point.x) + " " + exactly(point.y) + (in_plane ? point.is_of_second ? " b" : " a" : "");
}

// Numbers, as many as are wanted.
Result<std::vector<double>> read_numbers(const std::string& line, Index wanted) {
    std::vector<double> numbers;
    for (const std::string& word : words_of(line)) {
        double number = 0;
        const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (fault != std::errc() || end != word.data() + word.size() || !(std::abs(number) <= 1e6))
            return Error{"error.descent_number", {word}};
        numbers.push_back(number);
    }
    if (Index(numbers.size()) != wanted)
        return Error{"error.descent_weights", {std::to_string(wanted), std::to_string(numbers.size())}};
    return numbers;
}

} // namespace

std::string place_in_descent(const std::string& setting) {
    const std::vector<std::string> words = words_of(setting);
    if (words.empty()) return {};
    return words.size() > 2 && words[0] == "point" ? words[1] + words[2] : words[0];
}

Index DescentPlaying::steps_due(double seconds, double at_least) {
    clock += std::min(seconds, 0.2) * std::max(steps_a_second, at_least);
    const double due = std::floor(clock);
    clock -= due;
    return Index(due);
}

std::vector<std::string> commands_of(const DescentSetting& setting) {
    const DescentSetting fresh;
    std::vector<std::string> lines;
    if (setting == fresh) return lines;
    const DescentTask usual = fresh_task(setting.task.kind);
    lines.push_back("descent kind " + std::string(name_of(setting.task.kind)));
    if (setting.task.squashing != usual.squashing)
        lines.push_back("descent squash "
                        + std::string(squashing_names[std::size_t(setting.task.squashing)]));
    if (setting.task.hidden != usual.hidden)
        lines.push_back("descent hidden " + std::to_string(setting.task.hidden));
    if (setting.task.points != usual.points) {
        lines.emplace_back("descent point clear");
        for (const DescentPoint& point : setting.task.points)
            lines.push_back("descent point add " + written(point, is_of_plane(setting.task.kind)));
        if (!setting.task.points.empty()) lines.emplace_back("descent point delete 1"); // see clear
    }
    std::string start = "descent weights";
    for (const double weight : setting.start) start += " " + exactly(weight);
    lines.push_back(std::move(start));
    for (const DescentStretch& stretch : setting.way) {
        lines.push_back("descent rate " + exactly(stretch.rate));
        lines.push_back("descent step " + std::to_string(stretch.steps));
    }
    lines.push_back("descent rate " + exactly(setting.rate));
    if (setting.at) lines.push_back("descent at " + std::to_string(*setting.at));
    return lines;
}

void add_descent_commands(CommandRegistry& commands, const Session& session, Inquiries& inquiries,
                          View& view) {
    using namespace argument;
    // `set` changes what is set; an Error leaves it as it is.
    const auto try_to = [&commands, &inquiries](std::vector<Argument> arguments, auto set) {
        commands.add("descent", std::move(arguments), [&inquiries, set](const Arguments& in) -> Result<Done> {
            Question next = inquiries.experiment().question();
            if (const Result<Done> done = set(next.small_pages.descent, in); !done) return done;
            return inquiries.experiment().ask(std::move(next));
        });
    };
    const auto add = [try_to](std::vector<Argument> arguments, auto set) {
        try_to(std::move(arguments), [set](DescentSetting& descent, const Arguments& in) -> Result<Done> {
            set(descent, in);
            return Done{};
        });
    };
    const auto of_kind = [](DescentKind kind, double rate) {
        DescentSetting fresh;
        fresh.task = fresh_task(kind);
        fresh.start = fresh_weights(fresh.task);
        fresh.rate = rate;
        return fresh;
    };
    const auto fresh = [of_kind](DescentKind kind) { return of_kind(kind, is_of_plane(kind) ? 1 : 0.05); };
    commands.add("descent", {"kind", "weight|line|layer|layers"}, [&, fresh](const Arguments& in) {
        view.descent.playing = {.steps_a_second = is_of_plane(DescentKind(in.place())) ? 60.0 : 4.0};
        const bool was_of_model = view.descent.of_model.has_value();
        view.descent.of_model.reset();
        Question next = inquiries.experiment().question();
        const DescentKind kind = DescentKind(in.place());
        if (kind != next.small_pages.descent.task.kind) next.small_pages.descent = fresh(kind);
        if (was_of_model) next.small_pages.descent.rate = fresh(kind).rate;
        return inquiries.experiment().ask(std::move(next));
    });
    add({"squash", "relu|sigmoid|tanh"}, [](DescentSetting& descent, const Arguments& in) {
        DescentTask next = descent.task;
        next.squashing = Squashing(in.place());
        descent.begin(std::move(next));
    });
    add({"hidden", whole("N", 1, double(most_hidden))}, [](DescentSetting& descent, const Arguments& in) {
        DescentTask next = descent.task;
        next.hidden = in.whole("N");
        descent.begin(std::move(next));
    });
    add({"rate", number("ALPHA", least_rate, most_rate)},
        [](DescentSetting& descent, const Arguments& in) { descent.rate = in.number("ALPHA"); });
    // Of a weight of the model a step is a change of it, as any other what-if.
    const auto step_in_model = [&commands, &inquiries](const NamedCell& cell, Index steps) -> Result<Done> {
        for (Index i = 0; i < steps; ++i) {
            Experiment& experiment = inquiries.experiment();
            experiment.differentiate();
            const Node& weight = *experiment.model().graph().find(cell.path);
            const double next =
                CellRef{&weight, cell.cell}.value()
                - experiment.question().small_pages.descent.rate * CellRef{&weight, cell.cell, true}.value();
            if (!(std::abs(next) <= 1e6)) return Error{"error.descent_left", {cell.path}};
            const Result<Done> done = commands.execute("change " + weight_change(cell, double(Real(next))));
            if (!done) return done;
        }
        return Done{};
    };
    commands.add("descent", {"step", optional(whole("STEPS", 1, double(most_descent_steps)))},
                 [&, step_in_model](const Arguments& in) -> Result<Done> {
                     const Index steps = in.whole("STEPS", 1);
                     if (const auto& cell = view.descent.of_model; cell && session.has(*cell))
                         return step_in_model(*cell, std::min<Index>(steps, 100));
                     Question next = inquiries.experiment().question();
                     next.small_pages.descent.go(steps);
                     return inquiries.experiment().ask(std::move(next));
                 });
    commands.add("descent", {"pace", number("STEPS_A_SECOND", 0.5, 500)}, [&view](const Arguments& in) {
        view.descent.playing.steps_a_second = in.number("STEPS_A_SECOND");
        view.descent.playing.clock = 0;
    });
    add({"at", whole("STEP", 0, double(most_descent_steps))},
        [](DescentSetting& descent, const Arguments& in) { descent.look_at(in.whole("STEP")); });
    try_to({"weights", file("NUMBERS")}, [](DescentSetting& descent, const Arguments& in) -> Result<Done> {
        Result<std::vector<double>> numbers = read_numbers(in.text("NUMBERS"), descent.task.weights());
        if (!numbers) return numbers.error();
        descent.begin(std::move(*numbers));
        return Done{};
    });
    add({"draw", whole("SEED", 1, 1e9)}, [](DescentSetting& descent, const Arguments& in) {
        descent.begin(fresh_weights(descent.task, std::uint64_t(in.whole("SEED"))));
    });
    // What is learned so far is where the next way begins: the bowl is another now.
    const auto with_points = [&inquiries](DescentSetting& descent, std::vector<DescentPoint> points) {
        const std::vector<double> here = inquiries.experiment().small_pages().descended->net().weights();
        DescentTask next = descent.task;
        next.points = std::move(points);
        descent.task = std::move(next);
        descent.begin(here);
    };
    try_to({"point", "add", number("X", -farthest, farthest), number("Y", -farthest, farthest),
            optional(kinds_of_points)},
           [with_points](DescentSetting& descent, const Arguments& in) -> Result<Done> {
               std::vector<DescentPoint> points = descent.task.points;
               if (points.size() >= most_points)
                   return Error{"error.descent_too_many", {std::to_string(most_points)}};
               points.push_back({in.number("X"), in.number("Y"), in.said("b")});
               with_points(descent, std::move(points));
               return Done{};
           });
    const auto place_of_point = [](const DescentSetting& descent,
                                   const Arguments& in) -> Result<std::size_t> {
        const Index n = in.whole("N"), last = Index(descent.task.points.size());
        if (n > last) return Error{"error.out_of_range", {"descent point", "1", std::to_string(last)}};
        return std::size_t(n - 1);
    };
    try_to({"point", "move", whole("N", 1, double(most_points)), number("X", -farthest, farthest),
            number("Y", -farthest, farthest)},
           [with_points, place_of_point](DescentSetting& descent, const Arguments& in) -> Result<Done> {
               const Result<std::size_t> place = place_of_point(descent, in);
               if (!place) return place.error();
               std::vector<DescentPoint> points = descent.task.points;
               points[*place].x = in.number("X"), points[*place].y = in.number("Y");
               with_points(descent, std::move(points));
               return Done{};
           });
    try_to({"point", "delete", whole("N", 1, double(most_points))},
           [with_points, place_of_point](DescentSetting& descent, const Arguments& in) -> Result<Done> {
               const Result<std::size_t> place = place_of_point(descent, in);
               if (!place) return place.error();
               std::vector<DescentPoint> points = descent.task.points;
               if (points.size() == 1) return Error{"error.descent_last_point", {}};
               points.erase(points.begin() + std::ptrdiff_t(*place));
               with_points(descent, std::move(points));
               return Done{};
           });
    // All but one, at the middle: of no points there is no cost.
    add({"point", "clear"},
        [with_points](DescentSetting& descent, const Arguments&) { with_points(descent, {DescentPoint{}}); });
    commands.add("descent", {"play|pause"}, [&view](const Arguments& in) {
        view.descent.playing.clock = 0;
        view.descent.playing.on = in.said("play");
        view.descent.playing.is_film = false;
    });
    commands.add("descent", {"film"}, [&](const Arguments&) {
        view.descent.of_model.reset();
        view.descent.playing.clock = 0;
        view.descent.playing.on = view.descent.playing.is_film = true;
        Question next = inquiries.experiment().question();
        DescentSetting& descent = next.small_pages.descent;
        if (!descent.at) descent.look_at(0);
        return inquiries.experiment().ask(std::move(next));
    });
    // The way begins anew, with the points and the rate as they are; a weight of the model is as it was
    // learned.
    commands.add("descent", {"reset"}, [&](const Arguments&) {
        view.descent.playing.on = false;
        Question next = inquiries.experiment().question();
        if (const auto& cell = view.descent.of_model) {
            const std::string place = place_of(weight_change(*cell, 0));
            std::erase_if(next.changes, [&](const Change& change) { return place_of(change.text) == place; });
        } else {
            next.small_pages.descent.begin(fresh_weights(next.small_pages.descent.task));
        }
        return inquiries.experiment().ask(std::move(next));
    });
    add({"point", "reset"}, [](DescentSetting& descent, const Arguments&) {
        DescentTask next = descent.task;
        next.points = fresh_task(next.kind).points;
        descent.begin(std::move(next));
    });
    commands.add("descent", {"point", "follow", whole("N", 1, double(most_points))},
                 [&view](const Arguments& in) { view.descent.point = in.whole("N") - 1; });
    commands.add("descent", {"new", kinds_of_points},
                 [&view](const Arguments& in) { view.descent.adds_second = in.said("b"); });
    // The same three lines, of a weight of the model that is open.
    commands.add_with_model(
        "descent", {"of", value(), whole("ROW", 0.0), whole("COLUMN", 0.0)},
        [&](const Arguments& in) -> Result<Done> {
            const NamedCell cell{in.text("PATH"), {0, in.whole("ROW"), in.whole("COLUMN")}};
            const Node* node = session.model().graph().find(cell.path);
            if (!node->is(ValueKind::parameter)) return Error{"error.descent_no_weight", {cell.path}};
            if (!session.model().map().output.loss) return Error{"error.no_loss", {session.model().name}};
            if (!exists(cell, session.model().graph()))
                return Error{"error.no_such_cell", {cell.path, to_string(node->shape())}};
            view.descent.playing = {};
            const bool begins = !view.descent.of_model;
            view.descent.of_model = cell;
            view.room = Room::descent;
            if (begins && !session.model().net_of) { // one weight of so many has a slope so small that a
                                                     // usual rate would show nothing
                Question next = inquiries.experiment().question();
                next.small_pages.descent.rate = rate_in_model;
                if (const Result<Done> done = inquiries.experiment().ask(std::move(next)); !done) return done;
            }
            // What it is to say stays, while its weight moves.
            const ModelMap& map = session.model().map();
            if (!map.source() || !map.target() || session.question().target) return Done{};
            return commands.execute("target " + session.sentence().output);
        });
}

bool Session::advance_descent(double seconds) {
    DescentPlaying& playing = view_.descent.playing;
    if (!playing.on) return false;
    const auto& descent = *small_pages().descended;
    const DescentSetting& setting = question().small_pages.descent;
    const bool of_points = !view_.descent.of_model;
    const bool is_walked = playing.is_film
                               ? !setting.at
                               : descent.diverged() || (!setting.at && setting.steps() >= most_descent_steps);
    const bool is_seen = view_.room == Room::descent || shows_way();
    if (!is_seen || (of_points && is_walked)) {
        playing.on = false;
        (void)execute("drag end");
        return true;
    }
    const Index steps =
        playing.steps_due(seconds, playing.is_film ? double(descent.last()) / longest_film : 0);
    if (steps == 0) return false;
    const Index next = descent.step() + steps;
    const std::string line = playing.is_film
                                 ? "at " + std::to_string(next < descent.last() ? next : setting.steps())
                                 : "step " + std::to_string(steps);
    if (!execute("drag descent " + line)) playing.on = false;
    return true;
}

} // namespace headlight
