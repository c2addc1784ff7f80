#include "app/ui/window/about.h"

#include "app/session/program_version.h"
#include "engine/inspect/instruction_set.h"

#include <algorithm>
#include <thread>

namespace headlight {

namespace {

std::string with_commas(const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) all += (all.empty() ? "" : ", ") + part;
    return all;
}

std::string products_text(const Strings& s) {
    const InstructionSet set = instruction_set();
    std::string text = s.text("about_page.products_by", {set.used, std::to_string(set.at_once)});
    if (!set.other.empty()) text += " " + s.text("about_page.products_other", {with_commas(set.other)});
    return text;
}

std::string compared_text(const Strings& s, const ComparedModel& model) {
    return s.text("about_page.compared_with",
                  {model.name, model.text, format_whole(model.numbers), format_whole(model.values),
                   format_number(model.worst, 3), model.worst_path, exact_text(reference_tolerance)});
}

} // namespace

std::vector<std::string> words_of(const Graphics& graphics) {
    constexpr std::string_view before = "OpenGL "; // browsers say it, drivers do not
    const bool says_it = graphics.version.starts_with(before);
    return {graphics.vendor, graphics.renderer, graphics.version.substr(says_it ? before.size() : 0)};
}

bool is_right(const Compared& compared) {
    return compared
           && std::ranges::all_of(*compared, [](const ComparedModel& model) { return model.agrees(); });
}

std::vector<AboutLine> about_lines(const Strings& s, const std::vector<std::string>& graphics,
                                   const Compared& compared) {
    const std::string threads = std::to_string(std::max(1u, std::thread::hardware_concurrency()));
    std::vector<AboutLine> lines;
    lines.push_back({s.text("about_page.version"), "Headlight " + program_version()});
    std::vector<std::string> made_with = window_libraries();
    made_with.insert(made_with.begin(), compiler_name());
    lines.push_back({s.text("about_page.made_with"), with_commas(made_with)});
    lines.push_back(
        {s.text("about_page.machine"), s.text("about_page.machine_is", {system_name(), threads})});
    lines.push_back({s.text("about_page.products"), products_text(s)});
    for (const std::string& line : graphics) lines.push_back({s.text("about_page.graphics"), line});
    if (compared)
        for (const ComparedModel& model : *compared)
            lines.push_back({s.text("about_page.compared"), compared_text(s, model), !model.agrees()});
    const bool right = is_right(compared);
    const std::string verdict = right      ? s.text("about_page.right")
                                : compared ? s.text("about_page.wrong")
                                           : s.text("about_page.not_compared", {s.text(compared.error())});
    lines.push_back({s.text("about_page.verdict"), verdict, !right});
    return lines;
}

} // namespace headlight
