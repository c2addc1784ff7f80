// Gradient descent from the ground: its commands.
#include "app/session/setting.h"

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

Index steps_due(double& clock, double seconds, double steps_a_second) {
    clock += std::min(seconds, 0.2) * steps_a_second;
    const double due = std::floor(clock);
    clock -= due;
    return Index(due);
}

namespace {

// All of the way, which is a history: each line goes on from those before it.
std::vector<std::string> lines_of_way(const DescentSetting& setting, const DescentSetting& fresh) {
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

DescentSetting fresh_setting(DescentKind kind) {
    DescentSetting fresh;
    fresh.task = fresh_task(kind);
    fresh.start = fresh_weights(fresh.task);
    fresh.rate = is_of_plane(kind) ? 1 : 0.05;
    return fresh;
}

// The way begins anew: something of its task is another.
void begin_anew(DescentSetting& descent) { descent.begin(DescentTask(descent.task)); }

// Of a weight of the model a step is a change of it, as any other what-if.
Result<Done> step_in_model(const CommandRegistry& commands, Experiment& experiment, const NamedCell& cell,
                           Index steps) {
    for (Index i = 0; i < steps; ++i) {
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
}

void add_point_commands(SettingsOf<DescentSetting>& way, Inquiries& inquiries) {
    using namespace argument;
    // `change` gets the points. What is learned so far is where the next way begins: the bowl is another now.
    const auto add = [&](std::string_view words, std::vector<Argument> arguments,
                         auto change) -> CommandForm& {
        return way.change(words, std::move(arguments),
                          [&inquiries, change](DescentSetting& descent, const Arguments& in) {
                              const std::vector<double> here =
                                  inquiries.experiment().small_pages().descended->net().weights();
                              const Result<Done> done = change(descent.task.points, in);
                              if (done) descent.begin(here);
                              return done;
                          });
    };
    // `change` gets the points and one of them.
    const auto of_one = [](auto change) {
        return [change](std::vector<DescentPoint>& points, const Arguments& in) -> Result<Done> {
            const Index n = in.whole("N"), last = Index(points.size());
            if (n > last) return Error{"error.out_of_range", {"descent point", "1", std::to_string(last)}};
            return change(points, points.begin() + std::ptrdiff_t(n - 1), in);
        };
    };
    using Points = std::vector<DescentPoint>;
    const Argument n = whole("N", 1, double(most_points)), x = number("X", -farthest, farthest),
                   y = number("Y", -farthest, farthest);
    add("descent point add", {x, y, optional(kinds_of_points)},
        [](Points& points, const Arguments& in) -> Result<Done> {
            if (points.size() >= most_points)
                return Error{"error.descent_too_many", {std::to_string(most_points)}};
            points.push_back({in.number("X"), in.number("Y"), in.said("b")});
            return Done{};
        });
    add("descent point move", {n, x, y}, of_one([](Points&, auto point, const Arguments& in) -> Result<Done> {
            point->x = in.number("X"), point->y = in.number("Y");
            return Done{};
        }))
        .moves = setting_words::moves("descent point move", 1);
    add("descent point delete", {n}, of_one([](Points& points, auto point, const Arguments&) -> Result<Done> {
            if (points.size() == 1) return Error{"error.descent_last_point", {}};
            points.erase(point);
            return Done{};
        }));
    // All but one, at the middle: of no points there is no cost.
    add("descent point clear", {}, [](Points& points, const Arguments&) -> Result<Done> {
        points = {DescentPoint{}};
        return Done{};
    });
    way.change("descent point reset", {}, [](DescentSetting& descent, const Arguments&) {
        descent.task.points = fresh_task(descent.task.kind).points;
        begin_anew(descent);
    });
}

// A weight of the model that is open, in three lines as those of the page.
Result<Done> begin_in_model(const CommandRegistry& commands, const Session& session, Inquiries& inquiries,
                            View& view, const Arguments& in) {
    const NamedCell cell{in.text("PATH"), {0, in.whole("ROW"), in.whole("COLUMN")}};
    const LoadedModel& model = session.model();
    const Node* node = model.graph().find(cell.path);
    if (!node->is(ValueKind::parameter)) return Error{"error.descent_no_weight", {cell.path}};
    if (!model.map().output.loss) return Error{"error.no_loss", {model.name}};
    if (!exists(cell, model.graph()))
        return Error{"error.no_such_cell", {cell.path, to_string(node->shape())}};
    view.descent.playing = {};
    const bool begins = !view.descent.of_model;
    view.descent.of_model = cell;
    view.room = Room::descent;
    // One weight of so many has a slope so small that a usual rate would show nothing.
    if (begins && !model.net_of) {
        Question next = inquiries.experiment().question();
        next.small_pages.descent.rate = rate_in_model;
        if (const Result<Done> done = inquiries.experiment().ask(std::move(next)); !done) return done;
    }
    // What it is to say stays, while its weight moves.
    if (!model.map().source() || !model.map().target() || session.question().target) return Done{};
    return commands.execute("target " + session.sentence().output);
}

} // namespace

void add_descent_commands(CommandRegistry& commands, const Session& session, Inquiries& inquiries,
                          View& view) {
    using namespace argument;
    SettingsOf way(commands, of_page(inquiries, &SmallPagesSetting::descent));
    DescentView& looked_at = view.descent;
    way.add_lines(
        "descent kind", {"weight|line|layer|layers"},
        [&looked_at](DescentSetting& descent, const Arguments& in) {
            const DescentKind kind = DescentKind(in.place());
            looked_at.playing = {.steps_a_second = is_of_plane(kind) ? 60.0 : 4.0};
            if (kind != descent.task.kind) descent = fresh_setting(kind);
            if (looked_at.of_model) descent.rate = fresh_setting(kind).rate;
            looked_at.of_model.reset();
        },
        lines_of_way);
    // All of the way is told with its kind.
    const auto of_task = [](auto member) { return within(&DescentSetting::task, member); };
    way.add_and("descent squash", of_task(&DescentTask::squashing), "relu|sigmoid|tanh", begin_anew).lines =
        nullptr;
    way.add_and("descent hidden", of_task(&DescentTask::hidden), whole("N", 1, double(most_hidden)),
                begin_anew)
        .lines = nullptr;
    way.add("descent rate", &DescentSetting::rate, number("ALPHA", least_rate, most_rate)).lines = nullptr;
    CommandForm& step =
        way.change("descent step", {optional(whole("STEPS", 1, double(most_descent_steps)))},
                   [](DescentSetting& descent, const Arguments& in) { descent.go(in.whole("STEPS", 1)); });
    step.run = [&, of_points = step.run](const Arguments& in) {
        const auto& cell = view.descent.of_model;
        if (!cell || !session.has(*cell)) return of_points(in);
        return step_in_model(commands, inquiries.experiment(), *cell,
                             std::min<Index>(in.whole("STEPS", 1), 100));
    };
    commands.add("descent pace", {number("STEPS_A_SECOND", 0.5, 500)}, [&view](const Arguments& in) {
        view.descent.playing.steps_a_second = in.number("STEPS_A_SECOND");
        view.descent.playing.clock = 0;
    });
    way.change("descent at", {whole("STEP", 0, double(most_descent_steps))},
               [](DescentSetting& descent, const Arguments& in) { descent.look_at(in.whole("STEP")); });
    way.change("descent weights", {file("NUMBERS")},
               [](DescentSetting& descent, const Arguments& in) -> Result<Done> {
                   Result<std::vector<double>> numbers =
                       read_numbers(in.text("NUMBERS"), descent.task.weights());
                   if (!numbers) return numbers.error();
                   descent.begin(std::move(*numbers));
                   return Done{};
               });
    way.change("descent draw", {whole("SEED", 1, 1e9)}, [](DescentSetting& descent, const Arguments& in) {
        descent.begin(fresh_weights(descent.task, std::uint64_t(in.whole("SEED"))));
    });
    add_point_commands(way, inquiries);
    commands.add("descent", {"play|pause"}, [&view](const Arguments& in) {
        view.descent.playing.clock = 0;
        view.descent.playing.on = in.said("play");
        view.descent.playing.is_film = false;
    });
    way.change("descent film", {},
               [&looked_at](DescentSetting& descent, const Arguments&) {
                   looked_at.of_model.reset();
                   looked_at.playing.clock = 0;
                   looked_at.playing.on = looked_at.playing.is_film = true;
                   if (!descent.at) descent.look_at(0);
               })
        .replayable = false;
    // The way begins anew, with the points and the rate as they are; a weight of the model is as it was
    // learned.
    SettingsOf(commands, of_question(inquiries, itself))
        .change("descent reset", {}, [&looked_at](Question& next, const Arguments&) {
            looked_at.playing.on = false;
            if (!looked_at.of_model)
                return next.small_pages.descent.begin(fresh_weights(next.small_pages.descent.task));
            const std::string place = place_of(weight_change(*looked_at.of_model, 0));
            std::erase_if(next.changes, [&](const Change& change) { return place_of(change.text) == place; });
        });
    SettingsOf shown(commands, of_view(view, &View::descent));
    shown.add_written(
        "descent point follow", {whole("N", 1, double(most_points))},
        [](DescentView& all, const Arguments& in) { all.point = in.whole("N") - 1; },
        [](const DescentView& all) { return std::to_string(all.point + 1); });
    shown.add("descent new", &DescentView::adds_second, kinds_of_points, "b");
    commands
        .add_with_model(
            "descent of", {value(), whole("ROW", 0.0), whole("COLUMN", 0.0)},
            [&](const Arguments& in) { return begin_in_model(commands, session, inquiries, view, in); })
        .replayable = true;
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
    const double film = playing.is_film ? double(descent.last()) / longest_film : 0;
    const Index steps = steps_due(playing.clock, seconds, std::max(playing.steps_a_second, film));
    if (steps == 0) return false;
    const Index next = descent.step() + steps;
    const std::string line = playing.is_film
                                 ? "at " + std::to_string(next < descent.last() ? next : setting.steps())
                                 : "step " + std::to_string(steps);
    if (!execute("drag descent " + line)) playing.on = false;
    return true;
}

} // namespace headlight
