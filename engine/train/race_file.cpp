// A race as JSON lines: the plan, then a result a line.
#include "engine/train/race.h"

#include "engine/io/file.h"
#include "engine/io/json_reader.h"

namespace headlight {

namespace {

constexpr Index longest_race = Index(16) << 20; // bytes

template <class T>
JsonTree list_of(const std::vector<T>& numbers) {
    JsonTree list = JsonTree::list();
    for (const T& number : numbers) list.push_back(JsonTree(number));
    return list;
}

struct NoWholeNumber {};

Index whole(const nlohmann::json& value) {
    if (!value.is_number_integer()) throw NoWholeNumber();
    return value.get<Index>();
}

// What is missing or of another kind throws, which read_race turns into an Error.
RacePlan plan_of(const nlohmann::json& object) {
    RacePlan plan;
    plan.distances.clear();
    object.at("task").get_to(plan.task);
    for (const nlohmann::json& distance : object.at("distances")) plan.distances.push_back(whole(distance));
    object.at("models").get_to(plan.models);
    object.at("rates").get_to(plan.rates);
    plan.seeds = whole(object.at("seeds"));
    plan.parameters = whole(object.at("parameters"));
    plan.steps = whole(object.at("steps"));
    plan.batch_size = whole(object.at("batch"));
    plan.record_every = whole(object.at("record_every"));
    object.at("learnt_at").get_to(plan.learnt_at);
    return plan;
}

RaceResult result_of(const nlohmann::json& object) {
    RaceResult result;
    object.at("model").get_to(result.entry.model);
    result.entry.distance = whole(object.at("distance"));
    object.at("rate").get_to(result.entry.rate);
    result.entry.seed = std::uint64_t(whole(object.at("seed")));
    result.parameters = whole(object.at("parameters"));
    result.d_model = whole(object.at("d_model"));
    object.at("finite").get_to(result.is_finite);
    for (const nlohmann::json& checkpoint : object.at("curve"))
        result.checkpoints.push_back({whole(checkpoint.at(0)), checkpoint.at(1).get<double>(),
                                      checkpoint.at(2).get<double>(), checkpoint.at(3).get<double>()});
    result.is_over = true;
    return result;
}

} // namespace

std::string race_command(const RacePlan& plan) {
    const auto joined = [](const auto& list, auto text_of) {
        std::string all;
        for (const auto& one : list) all += (all.empty() ? "" : ",") + text_of(one);
        return all;
    };
    const auto number = [](auto one) { return JsonTree(one).text(); };
    return "headlight race --task " + plan.task + " --models "
           + joined(plan.models, [](const std::string& name) { return name; }) + " --distances "
           + joined(plan.distances, number) + " --rates " + joined(plan.rates, number) + " --seeds "
           + number(plan.seeds) + " --steps " + number(plan.steps) + " --until " + number(plan.learnt_at)
           + " --parameters " + number(plan.parameters) + " --batch " + number(plan.batch_size)
           + " --record-every " + number(plan.record_every);
}

std::string race_line(const RacePlan& plan, const std::string& line) {
    return JsonTree{{"race", JsonTree{{"task", plan.task},
                                      {"distances", list_of(plan.distances)},
                                      {"models", list_of(plan.models)},
                                      {"rates", list_of(plan.rates)},
                                      {"seeds", plan.seeds},
                                      {"parameters", plan.parameters},
                                      {"steps", plan.steps},
                                      {"batch", plan.batch_size},
                                      {"record_every", plan.record_every},
                                      {"learnt_at", plan.learnt_at}}},
                    {"line", line}}
        .text();
}

std::string race_line(const RaceResult& result, const RacePlan& plan) {
    JsonTree curve = JsonTree::list();
    for (const RaceCheckpoint& checkpoint : result.checkpoints)
        curve.push_back(
            JsonTree::list({checkpoint.step, checkpoint.loss, checkpoint.accuracy, checkpoint.seconds}));
    return JsonTree{{"model", result.entry.model},
                    {"distance", result.entry.distance},
                    {"rate", result.entry.rate},
                    {"seed", result.entry.seed},
                    {"parameters", result.parameters},
                    {"d_model", result.d_model},
                    {"accuracy", result.accuracy()},
                    {"learnt", result.has_learnt(plan)},
                    {"steps", result.steps()},
                    {"seconds", result.seconds()},
                    {"seconds_a_step", result.seconds_a_step()},
                    {"finite", result.is_finite},
                    {"curve", curve}}
        .text();
}

std::string race_text(const Race& race) {
    std::string text = race_line(race.plan, race.line) + "\n";
    for (const RaceResult& result : race.results) text += race_line(result, race.plan) + "\n";
    return text;
}

Result<Race> read_race(std::string_view text, const std::string& file) {
    Race race;
    if (text.empty()) return Error{"error.race_line", {file, "1"}};
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const bool is_whole = end != std::string_view::npos;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(is_whole ? end + 1 : text.size());
        if (!is_whole && number > 1) break; // the program was ended while it wrote
        const Error wrong{"error.race_line", {file, std::to_string(number)}};
        const Result<nlohmann::json> object = parse_json(line, file);
        if (!object) return wrong;
        try {
            if (number == 1) {
                race.plan = plan_of(object->at("race"));
                object->at("line").get_to(race.line);
            } else {
                race.results.push_back(result_of(*object));
            }
        } catch (const nlohmann::json::exception&) {
            return wrong;
        } catch (const NoWholeNumber&) {
            return wrong;
        }
    }
    if (const Result<Done> checked = check_race(race.plan); !checked) {
        const std::vector<std::string>& setting = checked.error().arguments;
        return Error{"error.race_file_plan", {file, setting[0], setting[1]}};
    }
    return race;
}

Result<Race> read_race_file(const std::filesystem::path& file) {
    const Result<std::string> text = read_file(file, longest_race);
    if (!text) return text.error();
    return read_race(*text, file.string());
}

} // namespace headlight
