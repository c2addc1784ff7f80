// The commands of the first lesson.
#include "app/session/lesson_view.h"
#include "app/session/session.h"
#include "app/session/version.h"

#include <charconv>
#include <cmath>
#include <numbers>

namespace headlight {

namespace {

constexpr const char* lesson_usage =
    "lesson vector N X Y | turn q|k|v DEGREES | projections on|off | scaled on|off | word N | width D_K | "
    "reset";

constexpr Index measured_queries = 64, measured_keys = 64; // enough that the variance is steady

Result<bool> switch_of(const std::string& word) {
    if (word == "on" || word == "off") return word == "on";
    return Error{"error.command_usage", {lesson_usage}};
}

Result<double> number_between(const std::string& word, double low, double high, const std::string& what) {
    const Result<double> number = number_of(word);
    if (!number) return number.error();
    if (*number < low || *number > high)
        return Error{"error.out_of_range", {what, std::to_string(long(low)), std::to_string(long(high))}};
    return number;
}

void turn(Tensor matrix, double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    matrix(0, 0, 0) = matrix(0, 1, 1) = Real(std::cos(angle));
    matrix(0, 0, 1) = Real(std::sin(angle)); // rows are vectors: x W turns x counter-clockwise
    matrix(0, 1, 0) = Real(-std::sin(angle));
}

// The shortest text that is read back as this very number.
std::string exactly(double number) {
    char text[32];
    return {text, std::to_chars(std::begin(text), std::end(text), number).ptr};
}

// The lesson as the words say; `words[0]` is what is set.
Result<LessonView> changed(LessonView lesson, const std::vector<std::string>& words) {
    const Error usage{"error.command_usage", {lesson_usage}};
    const std::string what = words.empty() ? "" : words[0];
    const double last = double(lesson.vectors.words.size()) - 1;
    if (what == "reset" && words.size() == 1) return LessonView();
    if (what == "vector" && words.size() == 4) {
        const Result<double> n = number_between(words[1], 0, last, "lesson vector"),
                             x = number_between(words[2], -10, 10, "lesson vector"),
                             y = number_between(words[3], -10, 10, "lesson vector");
        for (const Result<double>* number : {&n, &x, &y})
            if (!*number) return number->error();
        lesson.vectors.numbers[std::size_t(*n)] = {*x, *y};
        return lesson;
    }
    if (what == "turn" && words.size() == 3) {
        const std::size_t which = std::string("qkv").find(words[1]);
        if (words[1].size() != 1 || which == std::string::npos) return usage;
        const Result<double> degrees = number_between(words[2], -360, 360, "lesson turn");
        if (!degrees) return degrees.error();
        lesson.degrees[which] = *degrees;
        return lesson;
    }
    if (words.size() != 2) return usage;
    if (what == "projections" || what == "scaled") {
        const Result<bool> on = switch_of(words[1]);
        if (!on) return on.error();
        (what == "scaled" ? lesson.options.scaled : lesson.options.projections) = *on;
        return lesson;
    }
    if (what != "word" && what != "width") return usage;
    const Result<double> number = what == "word" ? number_between(words[1], 0, last, "lesson word")
                                                 : number_between(words[1], 1, 512, "lesson width");
    if (!number) return number.error();
    (what == "word" ? lesson.word : lesson.d_k) = Index(*number);
    return lesson;
}

} // namespace

std::vector<std::string> commands_of(const LessonSetting& setting) {
    const LessonSetting fresh;
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
    return lines;
}

void compute_lesson(LessonView& lesson) {
    lesson.attention = build_plain_attention(lesson.vectors, lesson.options);
    if (lesson.options.projections) {
        constexpr const char* names[] = {"w_q", "w_k", "w_v"};
        for (std::size_t i = 0; i < 3; ++i) turn(lesson.attention->parameter(names[i]), lesson.degrees[i]);
        lesson.attention->graph.forward();
    }
    if (lesson.measured.d_k != lesson.d_k)
        lesson.measured = measure_dot_products(lesson.d_k, measured_queries, measured_keys, 1);
    lesson.version = next_version();
}

void Session::add_lesson_commands() {
    compute_lesson(state_.lesson);
    commands_.add({"lesson", "vector|turn|projections|scaled|word|width|reset …",
                   [this](std::string_view what) { return set_lesson(what); }});
}

Result<Done> Session::set_lesson(std::string_view what) {
    Result<LessonView> next = changed(state_.lesson, words_of(what));
    if (!next) return next.error();
    const Fed before = fed();
    state_.lesson = *std::move(next);
    compute_lesson(state_.lesson);
    remember(before);
    return Done{};
}

} // namespace headlight
