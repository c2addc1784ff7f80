// The first lesson: what is computed of it, and its commands.
#include "app/session/session.h"
#include "app/session/small_pages.h"
#include "app/session/version.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace headlight {

namespace {

constexpr Index measured_queries = 64, measured_keys = 64; // enough that the variance is steady

void turn(Tensor matrix, double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    matrix(0, 0, 0) = matrix(0, 1, 1) = Real(std::cos(angle));
    matrix(0, 0, 1) = Real(std::sin(angle)); // rows are vectors: x W turns x counter-clockwise
    matrix(0, 1, 0) = Real(-std::sin(angle));
}

// "1", "2"; in the plane with the kind: "1 a", "2 b".
std::vector<std::string> names_of_points(const DescentTask& task) {
    std::vector<std::string> names;
    for (const DescentPoint& point : task.points) {
        names.push_back(std::to_string(names.size() + 1));
        if (is_of_plane(task.kind)) names.back() += point.is_of_second ? " b" : " a";
    }
    return names;
}

} // namespace

std::vector<std::string> commands_of(const SmallPagesSetting& setting) {
    const SmallPagesSetting fresh;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < setting.vectors.numbers.size(); ++i) {
        const std::vector<double>& vector = setting.vectors.numbers[i];
        if (vector != fresh.vectors.numbers[i])
            lines.push_back("lesson vector " + std::to_string(i) + " " + exactly(vector[0]) + " "
                            + exactly(vector[1]));
    }
    for (std::size_t i = 0; i < setting.degrees.size(); ++i)
        if (setting.degrees[i] != fresh.degrees[i])
            lines.push_back(std::string("lesson turn ") + "qkv"[i] + " " + exactly(setting.degrees[i]));
    if (setting.options.projections) lines.emplace_back("lesson projections on");
    if (setting.options.scaled) lines.emplace_back("lesson scaled on");
    if (setting.word != fresh.word) lines.push_back("lesson word " + std::to_string(setting.word));
    if (setting.d_k != fresh.d_k) lines.push_back("lesson width " + std::to_string(setting.d_k));
    for (std::string& line : commands_of(setting.cabinet)) lines.push_back(std::move(line));
    for (std::string& line : commands_of(setting.descent)) lines.push_back(std::move(line));
    for (std::string& line : commands_of(setting.senses)) lines.push_back(std::move(line));
    const auto size = [&](const char* name, Index now, Index first) {
        if (now != first) lines.push_back(std::string("costs ") + name + " " + std::to_string(now));
    };
    size("length", setting.layer_size.length, fresh.layer_size.length);
    size("width", setting.layer_size.d_model, fresh.layer_size.d_model);
    for (std::string& line : commands_of(setting.norms)) lines.push_back(std::move(line));
    return lines;
}

namespace {

std::shared_ptr<PlainAttention> attention_of(const SmallPagesSetting& setting) {
    std::shared_ptr<PlainAttention> attention = build_plain_attention(setting.vectors, setting.options);
    if (!setting.options.projections) return attention;
    constexpr const char* names[] = {"w_q", "w_k", "w_v"};
    for (std::size_t i = 0; i < 3; ++i) turn(attention->parameter(names[i]), setting.degrees[i]);
    attention->graph.forward();
    return attention;
}

} // namespace

// A way down is played sixty times a second: the other pages are not built along with it.
void compute_small_pages(SmallPages& pages, const SmallPagesSetting& setting) {
    const SmallPagesSetting before = std::exchange(static_cast<SmallPagesSetting&>(pages), setting);
    const auto is_same_attention = [&] {
        return before.vectors == setting.vectors && before.options == setting.options
               && (before.degrees == setting.degrees || !setting.options.projections);
    };
    if (!pages.attention || !is_same_attention()) pages.attention = attention_of(setting);
    if (!pages.filing_cabinet || before.cabinet != setting.cabinet)
        pages.filing_cabinet = build_filing_cabinet(setting.cabinet);
    if (!pages.descended || before.descent != setting.descent)
        pages.descended = Descent::compute(setting.descent, std::move(pages.descended));
    if (!pages.layer_counts || before.layer_size != setting.layer_size)
        pages.layer_counts = build_layer_counts(setting.layer_size);
    if (pages.measured.d_k != setting.d_k)
        pages.measured = measure_dot_products(setting.d_k, measured_queries, measured_keys, 1);
    pages.version = next_version();
}

std::vector<std::string> words_along(const SmallPages& lesson, const Axis& axis) {
    if (axis.kind == Axis::Kind::classes) return {"fruta", "roupa"}; // the words are Portuguese
    if (axis.kind != Axis::Kind::positions) return {};
    if (lesson.senses_learned)
        if (const auto* words = lesson.senses_learned->words_of(*axis.tokens)) return *words;
    const Graph* graph = axis.tokens->graph;
    if (graph == &lesson.attention->graph) return lesson.attention->words;
    if (graph == &lesson.descended->graph()) return names_of_points(lesson.descent.task);
    const FilingCabinet& cabinet = *lesson.filing_cabinet;
    if (graph != &cabinet.graph) return {};
    if (axis.tokens->name == "note") return {cabinet.looking};
    if (axis.tokens->name == "goal") return {cabinet.folders[std::size_t(lesson.cabinet.wanted)]};
    return cabinet.folders;
}

std::string place_in_lesson(const std::string& setting) {
    const std::vector<std::string> words = words_of(setting);
    if (words.size() < 2 || words[0] == "width") return "width";
    return (words[0] == "turn" ? "turn " : "word ") + words[1];
}

void add_lesson_commands(CommandRegistry& commands, Inquiries& inquiries) {
    using namespace argument;
    // `set` changes what is set.
    const auto add = [&](std::vector<Argument> arguments, auto set) {
        commands.add("lesson", std::move(arguments), [&inquiries, set](const Arguments& in) {
            Question next = inquiries.experiment().question();
            set(next.small_pages, in);
            return inquiries.experiment().ask(std::move(next));
        });
    };
    const double last = double(SmallPagesSetting().vectors.words.size()) - 1;
    add({"vector", whole("N", 0, last), number("X", -10, 10), number("Y", -10, 10)},
        [](SmallPagesSetting& lesson, const Arguments& in) {
            lesson.vectors.numbers[std::size_t(in.whole("N"))] = {in.number("X"), in.number("Y")};
        });
    add({"turn", "q|k|v", number("DEGREES", -360, 360)}, [](SmallPagesSetting& lesson, const Arguments& in) {
        lesson.degrees[in.place()] = in.number("DEGREES");
    });
    add({"projections", "on|off"},
        [](SmallPagesSetting& lesson, const Arguments& in) { lesson.options.projections = in.said("on"); });
    add({"scaled", "on|off"},
        [](SmallPagesSetting& lesson, const Arguments& in) { lesson.options.scaled = in.said("on"); });
    add({"word", whole("N", 0, last)},
        [](SmallPagesSetting& lesson, const Arguments& in) { lesson.word = in.whole("N"); });
    add({"width", whole("D_K", 1, 512)},
        [](SmallPagesSetting& lesson, const Arguments& in) { lesson.d_k = in.whole("D_K"); });
    add({"reset"}, [](SmallPagesSetting& lesson, const Arguments&) {
        SmallPagesSetting fresh; // the others have a reset of their own
        fresh.cabinet = lesson.cabinet;
        fresh.descent = lesson.descent;
        fresh.senses = lesson.senses;
        fresh.layer_size = lesson.layer_size;
        fresh.norms = lesson.norms;
        lesson = std::move(fresh);
    });
}

} // namespace headlight
