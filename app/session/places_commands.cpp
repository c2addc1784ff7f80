// Fixed weights beside attention: their commands.
#include "app/session/setting.h"
#include "app/session/version.h"

#include <algorithm>

namespace headlight {

void compute_senses(SmallPages& lesson) {
    if (lesson.senses_learned && lesson.senses_learned->setting() == lesson.senses) return;
    lesson.senses_learned = std::make_shared<Senses>(lesson.senses, lesson.senses_learned.get());
    lesson.version = next_version();
}

void add_places_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    using namespace argument;
    SettingsOf senses(commands, of_page(inquiries, &SmallPagesSetting::senses));
    senses.add("places front", &SenseSetting::in_front, whole("WORDS", 0, double(most_in_front)));
    senses.add("places epochs", &SenseSetting::epochs, whole("N", 0, double(most_sense_epochs)));
    senses.add("places seed", &SenseSetting::seed, whole("SEED", 1, 1e9));
    senses.add("places sentence", &SenseSetting::own, text());
    senses.reset("places reset");
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
