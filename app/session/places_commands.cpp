// Fixed weights beside attention: their commands.
#include "app/session/session.h"
#include "app/session/small_pages.h"
#include "app/session/version.h"

#include <algorithm>

namespace headlight {

std::vector<std::string> commands_of(const SenseSetting& setting) {
    const SenseSetting fresh;
    std::vector<std::string> lines;
    if (setting.in_front != fresh.in_front)
        lines.push_back("places front " + std::to_string(setting.in_front));
    if (setting.epochs != fresh.epochs) lines.push_back("places epochs " + std::to_string(setting.epochs));
    if (setting.seed != fresh.seed) lines.push_back("places seed " + std::to_string(setting.seed));
    if (setting.own != fresh.own) lines.push_back("places sentence " + setting.own);
    return lines;
}

void compute_senses(SmallPages& lesson) {
    if (lesson.senses_learned && lesson.senses_learned->setting() == lesson.senses) return;
    lesson.senses_learned = std::make_shared<Senses>(lesson.senses, lesson.senses_learned.get());
    lesson.version = next_version();
}

void add_places_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    using namespace argument;
    // `set` changes what is set.
    const auto add = [&](std::vector<Argument> arguments, auto set) {
        commands.add("places", std::move(arguments), [&inquiries, set](const Arguments& in) {
            Question next = inquiries.experiment().question();
            set(next.small_pages.senses, in);
            return inquiries.experiment().ask(std::move(next));
        });
    };
    add({"front", whole("WORDS", 0, double(most_in_front))},
        [](SenseSetting& senses, const Arguments& in) { senses.in_front = in.whole("WORDS"); });
    add({"epochs", whole("N", 0, double(most_sense_epochs))},
        [](SenseSetting& senses, const Arguments& in) { senses.epochs = in.whole("N"); });
    add({"seed", whole("SEED", 1, 1e9)},
        [](SenseSetting& senses, const Arguments& in) { senses.seed = std::uint64_t(in.whole("SEED")); });
    add({"sentence", text()},
        [](SenseSetting& senses, const Arguments& in) { senses.own = in.text("TEXT"); });
    add({"reset"}, [](SenseSetting& senses, const Arguments&) { senses = {}; });
    commands.add("places", {"play|pause"}, [&](const Arguments& in) -> Result<Done> {
        view.places_play = in.said("play");
        // From the beginning, where it has come to the end.
        if (view.places_play
            && inquiries.experiment().question().small_pages.senses.epochs >= SenseSetting().epochs)
            return commands.execute("places epochs 0");
        return Done{};
    });
}

// An epoch a frame: it takes as long as it takes.
bool Session::advance_places(double) {
    if (!view_.places_play) return false;
    const Index epochs = question().small_pages.senses.epochs, last = SenseSetting().epochs;
    if (view_.room != Room::places || epochs >= last) {
        view_.places_play = false;
        (void)execute("drag end");
        return true;
    }
    (void)execute("drag places epochs " + std::to_string(std::min(epochs + 1, last)));
    return true;
}

} // namespace headlight
