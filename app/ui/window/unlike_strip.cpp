#include "app/session/training/training_view.h"
#include "app/ui/changes/change_words.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

// Something that makes what is shown other than the model as it was trained, and the command that ends it.
struct Unlike {
    const char* name;
    std::string text, back, command;
};

std::vector<Unlike> all_unlike(const Session& session) {
    const Strings& s = session.strings();
    const Question& question = session.question();
    std::vector<Unlike> all;
    const TrainingView& training = session.training();
    if (training.shown && !(session.view().room == Room::train && training.live))
        all.push_back({"moment", s.text("unlike.moment", {session.model().name, format_whole(training.step)}),
                       s.text(session.opened().has_model() ? "unlike.moment.back" : "unlike.moment.newest"),
                       session.opened().has_model() ? "train leave" : "moment live"});
    const auto is_on = [](const Change& change) { return change.on; };
    const auto first = std::find_if(question.changes.begin(), question.changes.end(), is_on);
    if (first != question.changes.end()) {
        const long count = std::count_if(question.changes.begin(), question.changes.end(), is_on);
        std::string text = s.text("unlike.changes", {change_words(session, first->text)});
        if (count > 1) text += s.text("unlike.changes.more", {std::to_string(count - 1)});
        all.push_back({"changes", text, s.text("unlike.changes.back"), "changes off"});
    }
    if (session.view().against_baseline && session.what_if().comparison())
        all.push_back({"baseline", s.text("unlike.baseline"), s.text("unlike.values.back"), "baseline off"});
    // The page of the way back has the same at its head: a step of the walk moves nothing there.
    const View& view = session.view();
    const bool is_told = view.room == Room::train && view.desk.chosen == DeskPage::backward;
    if (view.backward.on && !is_told)
        all.push_back({"gradient", s.text("unlike.gradient"), s.text("unlike.values.back"), "backward off"});
    if (training.difference)
        all.push_back({"difference",
                       s.text("unlike.difference", {format_whole(training.difference->from),
                                                    format_whole(training.difference->to)}),
                       s.text("unlike.values.back"), "difference off"});
    if (question.target)
        all.push_back({"target", s.text(session.model().map().target() ? "unlike.target" : "unlike.goal"),
                       s.text("unlike.target.back"), "target"});
    const SayingSettings& saying = question.saying;
    if (const auto writing = session.experiment().long_answers().progress()) {
        const std::string said = format_whole(writing->said), most = format_whole(writing->most);
        all.push_back({"writing",
                       s.text(writing->is_stopped ? "unlike.stopped" : "unlike.writing", {said, most}),
                       s.text(writing->is_stopped ? "unlike.stopped.on" : "unlike.writing.stop"),
                       writing->is_stopped ? "say on" : "say enough"});
    }
    const Saying* looked = session.experiment().saying();
    if (const auto words = session.experiment().looked())
        all.push_back({"looking", s.text("unlike.looking", {format_whole(*words)}),
                       s.text("unlike.writing.stop"), "say enough"});
    else if (looked && looked->cut_after > 0)
        all.push_back({"searched", s.text("unlike.searched", {format_whole(looked->cut_after)}),
                       s.text("unlike.searched.on"), "say on"});
    if (!question.target && session.sentence().is_a_beginning && !session.sentence().is_cut)
        all.push_back({"pass",
                       saying.opened >= 0
                           ? s.text("unlike.opened")
                           : s.text("unlike.pass", {std::to_string(session.sentence().target_ids.size()
                                                                   - session.sentence().before_own + 1)}),
                       s.text("unlike.pass.back"), saying.opened >= 0 ? "say open off" : "say pass all"});
    const bool is_chosen = saying.method != SayingMethod::greedy || saying.branch > 0;
    if (!question.target && is_chosen && session.model().map().target())
        all.push_back(
            {"saying",
             saying.branch > 0
                 ? s.text("unlike.branch")
                 : s.text("unlike.saying." + std::string(saying_method_names[std::size_t(saying.method)])),
             s.text("unlike.saying.back"), "say plainly"});
    // A run's own smoothing is told at its curves.
    const Run* run = training.shown ? training.training.run() : nullptr;
    if (question.label_smoothing > 0
        && !(run && question.label_smoothing == run->settings.options.label_smoothing))
        all.push_back({"smoothing", s.text("unlike.smoothing", {exact_text(question.label_smoothing)}),
                       s.text("unlike.smoothing.back"), "smoothing 0"});
    return all;
}

// It lies between the sentence and the room, in the air around both.
const Face& strip_face() { return theme().presents() ? faces().caption : faces().body; }

} // namespace

bool is_unlike(const Session& session) {
    const View& view = session.view();
    const bool is_of_model = view.room == Room::descent && view.descent.of_model;
    return session.has_model() && (!is_small_page(view.room) || is_of_model) && !all_unlike(session).empty();
}

float unlike_height() { return std::ceil(strip_face().size * 1.3f); }

void unlike_strip(const ScreenRect& strip, const Session& session, CommandSink& commands) {
    if (!is_unlike(session)) return;
    const std::vector<Unlike> all = all_unlike(session);
    const Face& face = strip_face();
    // Over whatever is laid out there: nothing moves when it comes or goes.
    ImGui::SetCursorScreenPos(strip.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("unlike_strip", {strip.width(), strip.height()}, false,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
    pen().AddRectFilled(strip.min, strip.max, mix(colours().window, colours().warning, 0.22f), px(6));
    pen().AddRectFilled(strip.min, {strip.min.x + px(4), strip.max.y}, colours().warning, px(2));
    widgets().record("unlike", strip);
    // All ways back keep their room; what is told shares the rest, and is told in full under the pointer.
    const auto back_width = [&](const Unlike& one) { return text_width(face, one.back) + px(18); };
    float rest = strip.width() - px(16);
    for (const Unlike& one : all) rest -= back_width(one) + px(22);
    const float share = std::max(rest / float(all.size()), px(40));
    float x = strip.min.x + px(16);
    for (const Unlike& one : all) {
        const float width = std::min(text_width(face, one.text) + 1, share);
        if (x + width + back_width(one) > strip.max.x) break;
        draw_label(pen(), face, ScreenRect::at(x, strip.min.y, width + 1, strip.height()), colours().ink,
                   one.text);
        x += width + px(8);
        const ScreenRect place =
            ScreenRect::at(x, strip.min.y + px(1), back_width(one), strip.height() - px(2));
        const Pressable p = pressable((std::string("unlike.") + one.name).c_str(), place);
        pen().AddRectFilled(place.min, place.max, p.hovered ? colours().hovered : colours().raised, px(5));
        draw_text_in(pen(), face, place, colours().accent, one.back, Align::centre);
        if (p.pressed) commands.emit(one.command);
        x += back_width(one) + px(14);
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

} // namespace headlight
