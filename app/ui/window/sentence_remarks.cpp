#include "app/session/training/training_view.h"
#include "app/session/translation.h"
#include "app/session/word_offers.h"
#include "app/ui/changes/changes.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/window/window_parts.h"

#include <algorithm>
#include <map>
#include <vector>

namespace headlight {

namespace {

// Something that makes what is shown other than the model as it was trained, and the command that ends it.
struct Differences {
    const char* name;
    std::string text, back, command;
};

std::vector<Differences> all_differences(const Session& session) {
    const Strings& s = session.strings();
    const Question& question = session.question();
    std::vector<Differences> all;
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
    const bool is_told = view.room == Room::train && view.training_pages.chosen == TrainingPage::backward;
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
    const GenerationSettings& generation = question.generation;
    if (const auto writing = session.experiment().long_answers().progress()) {
        const std::string said = format_whole(writing->said), most = format_whole(writing->most);
        all.push_back({"writing",
                       s.text(writing->is_stopped ? "unlike.stopped" : "unlike.writing", {said, most}),
                       s.text(writing->is_stopped ? "unlike.stopped.on" : "unlike.writing.stop"),
                       writing->is_stopped ? "say on" : "say enough"});
    }
    const Generation* looked = session.experiment().generation();
    if (const auto words = session.experiment().looked())
        all.push_back({"looking", s.text("unlike.looking", {format_whole(*words)}),
                       s.text("unlike.writing.stop"), "say enough"});
    else if (looked && looked->cut_after > 0)
        all.push_back({"searched", s.text("unlike.searched", {format_whole(looked->cut_after)}),
                       s.text("unlike.searched.on"), "say on"});
    if (!question.target && session.sentence().is_prefix && !session.sentence().is_cut)
        all.push_back({"pass",
                       generation.opened >= 0
                           ? s.text("unlike.opened")
                           : s.text("unlike.pass", {std::to_string(session.sentence().target_ids.size()
                                                                   - session.sentence().before_own + 1)}),
                       s.text("unlike.pass.back"), generation.opened >= 0 ? "say open off" : "say pass all"});
    const bool is_chosen = generation.method != GenerationMethod::greedy || generation.branch > 0;
    if (!question.target && is_chosen && session.model().map().target())
        all.push_back({"saying",
                       generation.branch > 0
                           ? s.text("unlike.branch")
                           : s.text("unlike.saying."
                                    + std::string(generation_method_names[std::size_t(generation.method)])),
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

bool differs(const Session& session) {
    const View& view = session.view();
    const bool is_of_model = view.room == Room::descent && view.descent.of_model;
    return session.has_model() && (!is_small_page(view.room) || is_of_model)
           && !all_differences(session).empty();
}

float differences_height() { return std::ceil(strip_face().size * 1.3f); }

void differences_strip(const ScreenRect& strip, const Session& session, CommandSink& commands) {
    if (!differs(session)) return;
    const std::vector<Differences> all = all_differences(session);
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
    const auto back_width = [&](const Differences& one) { return text_width(face, one.back) + px(18); };
    float rest = strip.width() - px(16);
    for (const Differences& one : all) rest -= back_width(one) + px(22);
    const float share = std::max(rest / float(all.size()), px(40));
    float x = strip.min.x + px(16);
    for (const Differences& one : all) {
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

namespace {

// The vocabularies of the shipped models, read when a sentence first wants one.
struct RemarksState {
    std::map<std::filesystem::path, Tokenizer> readers;
    std::string sentence; // that was looked at, and what knows more of its words
    std::filesystem::path model, better;
};

// The model of the same kind for any sentence: "everyday-en-pt" of "translate-en-pt".
std::filesystem::path everyday_model(const std::filesystem::path& model) {
    std::string kind = model.filename().string();
    if (constexpr std::string_view translates = "translate-"; kind.starts_with(translates))
        kind.erase(0, translates.size());
    return model.parent_path() / ("everyday-" + kind);
}

constexpr std::string_view knows_any = "everyday-";

// How many pieces of the sentence a shipped model does not know; none of one that knows letters, not words.
// Everyday models are not even opened.
std::optional<std::size_t> missing_in(const std::filesystem::path& folder, const std::string& sentence) {
    if (folder.filename().string().starts_with(knows_any)) return {};
    RemarksState& state = ui().state<RemarksState>();
    if (!state.readers.contains(folder)) {
        const Result<ModelFiles> files = read_model_folder(folder);
        state.readers[folder] = files ? files->source : Tokenizer();
    }
    const Tokenizer& reader = state.readers[folder];
    if (!reader.is_word_level() || reader.is_characters()) return {};
    const std::vector<Piece> pieces = reader.encode(sentence);
    return std::size_t(
        std::count_if(pieces.begin(), pieces.end(), [](const Piece& piece) { return !piece.known; }));
}

// Where a sentence is better understood. First of all the everyday model of the kind that knows the most of
// its words: that tells the language, too. Else a shipped model that knows more of them than the present one,
// and all but one in four: what answers to words that it does not know either is no way out.
const std::filesystem::path& better_model(const Session& session, std::size_t unknown) {
    RemarksState& state = ui().state<RemarksState>();
    const std::string& sentence = session.question().source;
    if (state.sentence == sentence && state.model == session.model().folder) return state.better;
    state.sentence = sentence;
    state.model = session.model().folder;
    state.better.clear();
    const std::vector<std::filesystem::path>& all = session.shipped_models();
    const auto is_shipped = [&](const std::filesystem::path& folder) {
        return std::find(all.begin(), all.end(), folder) != all.end();
    };
    std::size_t least = unknown, others = unknown;
    if (is_shipped(everyday_model(state.model))) state.better = everyday_model(state.model);
    std::filesystem::path other;
    for (const std::filesystem::path& folder : all) {
        const std::optional<std::size_t> missing = missing_in(folder, sentence);
        if (!missing) continue;
        const std::filesystem::path everyday = everyday_model(folder);
        if (*missing < least && is_shipped(everyday)) least = *missing, state.better = everyday;
        if (*missing < others && 4 * *missing <= session.sentence().source.size())
            others = *missing, other = folder;
    }
    if (state.better.empty()) state.better = other;
    return state.better;
}

// The small models of two directions, and which of them knows more of the sentence: that tells its language.
struct LanguageState {
    std::string sentence;
    unsigned long version = 0; // of the model; 0: nothing was looked at yet
    std::filesystem::path other;
};

// "translate-pt-en" of "everyday-pt-en".
std::filesystem::path small_model(const std::filesystem::path& everyday) {
    std::string kind = everyday.filename().string();
    if (kind.starts_with(knows_any)) kind.erase(0, knows_any.size());
    return everyday.parent_path() / ("translate-" + kind);
}

std::string listed(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "“" : ", “") + word + "”";
    return list;
}

// `unknown`: places among the pieces, one of each word.
void unknown_remark(const ScreenRect& line, const Session& session, const std::vector<std::size_t>& unknown,
                    CommandSink& commands) {
    const Strings& s = session.strings();
    std::vector<std::string> words;
    for (const std::size_t place : unknown) words.push_back(session.sentence().source[place].text);
    const std::string text = words.size() == 1 ? s.text("window.unknown.one", {words.front()})
                                               : s.text("window.unknown.many", {listed(words)});
    // What may stand in a word's place stands below the word; a projector has no line there.
    std::vector<std::string> near;
    if (session.view().presenter)
        near = session.word_offers().offers(session.model().files.source,
                                            session.experiment().model_version(), words.front());
    // All words are told, as far as the ways out leave them room: first of all the model that knows them.
    const std::filesystem::path& better = better_model(session, unknown.size());
    const std::string name = better.filename().string(),
                      offer = better.empty() ? name
                                             : s.text("window.unknown.model", {model_label(session, better)});
    const auto chip_width = [](const std::string& label) {
        return text_width(faces().caption, label) + px(14 + 6);
    };
    const float taken = (better.empty() ? 0 : chip_width(offer) + px(4))
                        + (near.empty() || unknown.size() > 1 ? 0 : chip_width(near.front()));
    const float told = std::clamp(line.width() - taken, 0.f,
                                  std::min(text_width(faces().caption, text) + 1, line.width() * 0.62f));
    draw_label(pen(), faces().caption, {line.min, {line.min.x + told, line.max.y}}, colours().warning, text);
    float x = line.min.x + told + px(10);
    const auto offer_near = [&](const std::string& word) {
        if (remark_chip(x, line, "nearest." + word, word, s.text("window.unknown.replace", {word}),
                        colours().ink))
            commands.emit("source " + with_piece_replaced(session, unknown.front(), word));
    };
    // One slip of the hand is mended by the nearest word; else another model comes first.
    const bool is_slip = unknown.size() == 1 && !near.empty();
    if (is_slip) offer_near(near.front());
    if (!better.empty()
        && remark_chip(x, line, "unknown.model", offer, s.text_or("about." + name, ""), colours().accent)) {
        commands.emit("model " + better.string());
        commands.emit("source " + session.question().source);
        return;
    }
    if (unknown.size() > 1 && !near.empty()) { // the first of them is what the next words are for
        const std::string first = "“" + words.front() + "” →";
        const float width = text_width(faces().caption, first) + 1;
        if (x + width + px(40) > line.max.x) return;
        draw_text_in(pen(), faces().caption, {{x, line.min.y}, {x + width, line.max.y}}, colours().ink_soft,
                     first);
        x += width + px(6);
    }
    for (std::size_t i = is_slip ? 1 : 0; i < near.size(); ++i) offer_near(near[i]);
    if (near.empty()
        && remark_chip(x, line, "unknown.vocabulary", vocabulary_label(session),
                       s.text("window.vocabulary.tip"), colours().ink))
        commands.emit("vocabulary on");
}

} // namespace

bool remark_chip(float& x, const ScreenRect& line, const std::string& name, const std::string& text,
                 const std::string& tip, Colour ink) {
    const float width = text_width(faces().caption, text) + px(14);
    if (x + width > line.max.x) return false;
    const ScreenRect place = ScreenRect::at(x, line.min.y, width, line.height());
    const Pressable p = pressable(name.c_str(), place);
    tooltip_when_resting(name, place, p.hovered, tip);
    pen().AddRectFilled(place.min, place.max, p.hovered ? colours().hovered : colours().raised, px(4));
    draw_text_in(pen(), faces().caption, place, ink, text, Align::centre);
    x += width + px(6);
    return p.pressed;
}

const std::filesystem::path& model_of_its_language(const Session& session) {
    LanguageState& state = ui().state<LanguageState>();
    const std::string& sentence = session.question().source;
    const unsigned long version = session.experiment().model_version();
    if (state.version == version && state.sentence == sentence) return state.other;
    state = {sentence, version, {}};
    const std::filesystem::path& model = session.model().folder;
    const std::optional<std::filesystem::path> opposite = opposite_model(model);
    if (!opposite || !std::filesystem::exists(small_model(*opposite))) return state.other;
    const std::optional<std::size_t> here = missing_in(small_model(model), sentence),
                                     there = missing_in(small_model(*opposite), sentence);
    if (here && there && *there < *here) state.other = *opposite;
    return state.other;
}

bool has_remarks(const Session& session) {
    const Sentence& sentence = session.sentence();
    return sentence.source.empty() || sentence.tokens_left_out > 0
           || std::any_of(sentence.source.begin(), sentence.source.end(),
                          [](const Piece& p) { return !p.known; });
}

void sentence_remarks(const ScreenRect& line, const Session& session, CommandSink& commands) {
    const Sentence& sentence = session.sentence();
    const Strings& s = session.strings();
    if (sentence.source.empty()) {
        draw_text_in(pen(), faces().caption, line, colours().accent, s.text("window.source.empty"));
    } else if (sentence.tokens_left_out > 0) {
        draw_text_in(pen(), faces().caption, line, colours().warning,
                     s.text("window.tokens.left_out", {std::to_string(session.model().config().max_length),
                                                       format_whole(sentence.tokens_left_out)}));
    } else {
        std::vector<std::size_t> unknown;
        const std::vector<Piece>& pieces = sentence.source;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const auto is_same = [&](std::size_t other) { return pieces[other].text == pieces[i].text; };
            if (!pieces[i].known && std::none_of(unknown.begin(), unknown.end(), is_same))
                unknown.push_back(i);
        }
        if (!unknown.empty()) unknown_remark(line, session, unknown, commands);
    }
}

} // namespace headlight
