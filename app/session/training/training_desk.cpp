#include "app/session/training/training_desk.h"

#include <algorithm>
#include <array>
#include <string>

namespace headlight {

namespace {

constexpr std::array<std::string_view, desk_pages> pages = {"settings", "curves",   "examples",
                                                            "words",    "backward", "moments"};
constexpr std::array<std::string_view, curves_offered> curves = {"loss", "tokens", "exact", "rate",
                                                                 "gradient"};

template <class Names>
std::optional<int> place_of(const Names& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(int(found - names.begin()));
}

Result<Done> choose_curve(TrainingDesk& desk, std::string_view how) {
    const std::vector<std::string> words = words_of(how);
    if (words.size() == 1) {
        if (const std::optional<int> curve = place_of(curves, words[0])) {
            desk.curve = Curve(*curve);
            return Done{};
        }
    } else if (words.size() == 2 && words[0] == "log" && (words[1] == "on" || words[1] == "off")) {
        desk.logarithmic = words[1] == "on";
        return Done{};
    } else if (words.size() == 2 && words[0] == "smoothing") {
        const Result<double> share = number_of(words[1]);
        if (!share) return share.error();
        if (*share < 0 || *share > 0.999) return Error{"error.out_of_range", {"smoothing", "0", "0.999"}};
        desk.smoothing = *share;
        return Done{};
    }
    return usage("curve loss|tokens|exact|rate|gradient, curve log on|off, curve smoothing S");
}

} // namespace

void add_desk_commands(CommandRegistry& commands, TrainingDesk& desk) {
    using Text = std::string_view;
    commands.add(
        {"desk", "settings|curves|examples|words|backward|moments", [&desk](Text name) -> Result<Done> {
             const std::optional<int> page = place_of(pages, name);
             if (!page) return usage("desk settings|curves|examples|words|backward|moments");
             desk.chosen = DeskPage(*page);
             return Done{};
         }});
    commands.add({"curve", "loss|tokens|exact|rate|gradient, log on|off, smoothing S",
                  [&desk](Text how) { return choose_curve(desk, how); }});
    commands.add({"goal", "ROW", [&desk](Text row) -> Result<Done> {
                      const Result<long> number = whole_number_of(std::string(row));
                      if (!number) return number.error();
                      if (*number < 0 || *number > 100'000)
                          return Error{"error.out_of_range", {"goal", "0", "100000"}};
                      desk.row = Index(*number);
                      return Done{};
                  }});
}

std::string_view name_of(DeskPage page) { return pages[std::size_t(page)]; }
std::string_view name_of(Curve curve) { return curves[std::size_t(curve)]; }

} // namespace headlight
