#include "app/ui/window/window_parts.h"

#include "app/session/training/training_view.h"
#include "app/ui/widgets/drop_list.h"

#include <algorithm>

namespace headlight {

namespace {

bool is_shipped(const Session& session, const std::filesystem::path& folder) {
    const auto& all = session.shipped_models();
    return std::find(all.begin(), all.end(), folder) != all.end();
}

bool shows_shipped(const Session& session) {
    return session.has_model() && !session.training().shown && is_shipped(session, session.model().folder);
}

std::string label_of_menu(const Session& session) {
    return session.has_model() ? model_label(session) : session.strings().text("window.model.label");
}

} // namespace

float models_menu_width(const Session& session) { return drop_list_width(label_of_menu(session)); }

std::string model_label(const Session& session, const std::filesystem::path& shipped) {
    const std::string name = shipped.filename().string();
    return session.strings().text_or("shipped." + name, name);
}

std::string model_label(const Session& session) {
    return shows_shipped(session) ? model_label(session, session.model().folder) : session.model().name;
}

// The shipped models by what they do and know, those that were trained here, and what else is on the screen:
// one of the person's own.
void models_menu(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    std::vector<std::string> names, lines; // and what chooses them
    int chosen = -1;
    const Strings& s = session.strings();
    const TrainingView& training = session.training();
    for (const auto& folder : session.shipped_models()) {
        if (shows_shipped(session) && folder == session.model().folder) chosen = int(names.size());
        const std::string name = folder.filename().string();
        names.push_back(s.text_or("shipped." + name + ".long", name));
        lines.push_back("model " + folder.string());
    }
    for (const auto& run : training.training.runs()) {
        if (!run->model) continue; // not yet prepared
        if (training.shown && training.model == run->model) chosen = int(names.size());
        names.push_back(run->name);
        lines.push_back("train run " + std::to_string(run->number));
    }
    if (session.has_model() && chosen < 0) {
        names.push_back(session.model().name);
        chosen = int(names.size()) - 1;
    }
    if (names.empty()) return;
    const std::string label = label_of_menu(session);
    const float width = std::min(models_menu_width(session), rect.width());
    // What the present one was trained on, in a line.
    const std::string about =
        shows_shipped(session) ? s.text_or("about." + session.model().folder.filename().string(), "") : "";
    const std::string tip = (about.empty() ? "" : about + ".\n") + s.text("window.model.tip");
    const DropList list{"models", label, tip, names, chosen};
    if (const std::optional<int> now = drop_list(rect.min, width, list); now && *now != chosen)
        if (std::size_t(*now) < lines.size()) commands.emit(lines[std::size_t(*now)]);
}

} // namespace headlight
