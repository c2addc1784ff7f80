// The commands of the session: what each does to it.
#include "app/session/assets.h"
#include "app/session/expectation.h"
#include "app/session/padded_batch.h"
#include "app/session/session.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

Result<bool> switch_of(std::string_view word, bool now, const std::string& command) {
    if (word == "on") return true;
    if (word == "off") return false;
    if (word.empty() || word == "toggle") return !now;
    return usage(command + " on|off|toggle");
}

} // namespace

std::string_view name_of(Room room) {
    constexpr std::string_view names[] = {"explore", "train", "heads", "whatif", "lesson"};
    return names[std::size_t(room)];
}

void Session::add_commands() {
    const auto add = [this](std::string name, std::string arguments, auto run) {
        commands_.add({std::move(name), std::move(arguments), run});
    };
    using Text = std::string_view;

    add("model", "DIR", [this](Text folder) { return change_model(folder); });
    add("source", "TEXT", [this](Text text) { return feed_source(text); });
    add("target", "[TEXT]", [this](Text text) { return feed_target(text); });
    add("undo", "", [this](Text) { return bring_back(past_, future_); });
    add("redo", "", [this](Text) { return bring_back(future_, past_); });
    add("goto", "PATH", [this](Text path) { return go_to(path); });
    add("step", "+N|-N|first|last", [this](Text by) { return move_step(by); });
    const auto play = [this](Text) -> Result<Done> {
        if (!has_model()) return Error{"error.no_model", {}};
        if (state_.step + 1 >= Index(model_->story.size())) state_.step = 0; // again from the beginning
        state_.playing = true;
        play_clock_ = 0;
        return Done{};
    };
    const auto pause = [this](Text) -> Result<Done> {
        state_.playing = false;
        return Done{};
    };
    add("play", "", play);
    add("pause", "", pause);
    add("toggle", "", [=, this](Text none) { return state_.playing ? pause(none) : play(none); });
    add("speed", "STEPS_PER_SECOND", [this](Text text) -> Result<Done> {
        const Result<double> speed = number_of(std::string(text));
        if (!speed) return speed.error();
        if (*speed < 0.05 || *speed > 60) return Error{"error.out_of_range", {"speed", "0.05", "60"}};
        state_.steps_per_second = *speed;
        return Done{};
    });
    add("head", "N|all|next", [this](Text which) { return choose_head(which); });
    add("layer", "N|next|previous", [this](Text which) { return choose_layer(which); });
    add("select", "PATH [HEAD] ROW COLUMN", [this](Text where) { return select(where); });
    add("unselect", "", [this](Text) -> Result<Done> {
        state_.selection.reset();
        state_.asking.forget();
        return Done{};
    });
    add("language", "en|pt|next", [this](Text code) { return choose_language(code); });
    add("theme", "light|dark|next", [this](Text name) { return choose_theme(name); });
    add("presenter", "on|off|toggle", [this](Text word) -> Result<Done> {
        const Result<bool> on = switch_of(word, state_.presenter, "presenter");
        if (!on) return on.error();
        state_.presenter = *on;
        return Done{};
    });
    add("animation", "on|off|toggle", [this](Text word) -> Result<Done> {
        const Result<bool> on = switch_of(word, state_.animations, "animation");
        if (!on) return on.error();
        state_.animations = *on;
        return Done{};
    });
    add("room", "explore|train|heads|whatif|lesson", [this](Text name) -> Result<Done> {
        for (const Room room : {Room::explore, Room::train, Room::heads, Room::what_if, Room::lesson})
            if (name == name_of(room)) {
                state_.room = room;
                return Done{};
            }
        return usage("room explore|train|heads|whatif|lesson");
    });
    add("range", "shared|each|lock|follow", [this](Text what) -> Result<Done> {
        if (what == "shared" || what == "each")
            state_.colour_range.shared = what == "shared";
        else if (what == "lock" || what == "follow")
            state_.colour_range.locked = what == "lock";
        else
            return usage("range shared|each|lock|follow");
        return Done{};
    });
    add("help", "on|off|toggle", [this](Text word) -> Result<Done> {
        const Result<bool> on = switch_of(word, state_.show_help, "help");
        if (!on) return on.error();
        state_.show_help = *on;
        return Done{};
    });
    add("screenshot", "FILE [WIDTH HEIGHT]", [this](Text how) { return take_screenshot(how); });
    add("expect", "PATH HEAD ROW COLUMN VALUE TOLERANCE", [this](Text what) { return expect(what); });
}

Session::Fed Session::fed() const {
    return {has_model() ? model_->folder : std::filesystem::path(),
            state_.source_text,
            state_.target_text,
            state_.changes,
            state_.second_text,
            state_.heads,
            state_.lesson};
}

// A word that is being typed is one change, not one for each letter.
void Session::remember(const Fed& before) {
    const Fed now = fed();
    if (now == before) return;
    future_.clear();
    const std::string &was = before.source, &is = now.source;
    Fed with_this_source = before;
    with_this_source.source = is;
    const bool a_letter = with_this_source == now && is.size() <= was.size() + 4
                          && was.size() <= is.size() + 4 && (is.starts_with(was) || was.starts_with(is));
    const std::string &longer = is.size() > was.size() ? is : was,
                      &shorter = is.size() > was.size() ? was : is;
    const bool goes_on = typing_ && a_letter && longer.find(' ', shorter.size()) == longer.npos;
    typing_ = a_letter;
    if (goes_on) return;
    past_.push_back(before);
}

Result<Done> Session::bring_back(std::vector<Fed>& from, std::vector<Fed>& to) {
    if (from.empty()) return Done{};
    const Fed there = from.back(), here = fed();
    if (there.model != here.model && !there.model.empty()) // empty: a run's model, no other being open
        if (const Result<Done> opened = open_model(there.model.string()); !opened) return opened;
    from.pop_back();
    to.push_back(here);
    state_.source_text = there.source;
    state_.target_text = there.target;
    state_.changes = there.changes;
    state_.second_text = there.second;
    if (there.heads.batch.others != here.heads.batch.others) padded_batch_.reset();
    state_.heads = there.heads;
    if (there.lesson != here.lesson) {
        static_cast<LessonSetting&>(state_.lesson) = there.lesson;
        compute_lesson(state_.lesson);
    }
    typing_ = false;
    Fed otherwise = there; // as it is here, but for what is looked at
    otherwise.heads = here.heads;
    otherwise.lesson = here.lesson;
    if (otherwise == here) { // nothing to compute; shown where it is seen
        state_.room = there.lesson != here.lesson ? Room::lesson : Room::heads;
        return Done{};
    }
    otherwise.changes = here.changes;
    if (otherwise == here)
        compute_changes();
    else
        compute();
    return Done{};
}

Result<Done> Session::feed_source(std::string_view text) {
    const Fed before = fed();
    state_.source_text = text;
    compute();
    remember(before);
    return Done{};
}

Result<Done> Session::feed_target(std::string_view text) {
    const Fed before = fed();
    state_.target_text = text.empty() ? std::nullopt : std::optional<std::string>(text);
    compute();
    remember(before);
    return Done{};
}

Result<Done> Session::change_model(std::string_view folder) {
    const Fed before = fed();
    const bool first = !has_model();
    const Result<Done> opened = open_model(folder);
    if (opened && !first) remember(before);
    return opened;
}

Result<Done> Session::open_model(std::string_view text) {
    if (text.empty()) return usage("model DIR");
    Result<std::unique_ptr<LoadedModel>> loaded = load_model(find_model(assets_, text));
    if (!loaded) return loaded.error(); // what was open stays open

    const std::string path = has_model() ? step().path() : std::string();
    forget_opened();
    model_ = std::move(*loaded);
    keep_what_exists(state_.heads, model_->map());
    state_.head = -1;
    state_.selection.reset();
    state_.asking.forget();
    state_.target_text.reset();
    state_.changes.clear();
    state_.second_text.reset();
    state_.playing = false;
    state_.step =
        std::max<Index>(0, model_->step_of(path)); // the same place of the story, where there is one
    shipped_models_ = model_folders(assets_ / "models");
    examples_ = read_examples(model_->folder);
    const std::vector<Piece> pieces = model_->files.source.encode(state_.source_text);
    const bool understood = std::all_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.known; });
    if (!examples_.empty() && (pieces.empty() || !understood)) state_.source_text = examples_.front();
    compute();
    model_version_ = weights_version_ = version_;
    return Done{};
}

Result<Done> Session::go_to(std::string_view path) {
    if (!has_model()) return Error{"error.no_model", {}};
    const Index step = model_->step_of(path);
    if (step < 0) return Error{"error.no_such_value", {std::string(path), model_->name}};
    state_.step = step;
    return Done{};
}

Result<Done> Session::move_step(std::string_view by) {
    if (!has_model()) return Error{"error.no_model", {}};
    const Index last = Index(model_->story.size()) - 1;
    if (by == "first" || by == "last") {
        state_.step = by == "first" ? 0 : last;
        return Done{};
    }
    const Result<long> steps = whole_number_of(std::string(by.empty() ? "1" : by));
    if (!steps) return steps.error();
    state_.step = std::clamp<Index>(state_.step + std::clamp<Index>(*steps, -last, last), 0, last);
    return Done{};
}

Result<Done> Session::choose_head(std::string_view which) {
    if (!has_model()) return Error{"error.no_model", {}};
    if (which == "all") {
        state_.head = -1;
        return Done{};
    }
    const Index most = model_->map().max_heads() - 1;
    if (which == "next") { // all, the first, the second, …, all
        state_.head = state_.head >= most ? -1 : state_.head + 1;
        return Done{};
    }
    const Result<long> head = whole_number_of(std::string(which));
    if (!head) return head.error();
    if (*head < 0 || *head > most) return Error{"error.out_of_range", {"head", "0", std::to_string(most)}};
    state_.head = *head;
    return Done{};
}

// Where an attention or else the layer begins.
std::string first_step_in(const LoadedModel& model, const std::string& layer) {
    for (const bool attends : {true, false})
        for (const StoryBlock& block : model.blocks)
            if (lies_in(block.id, layer) && (block.attends || !attends))
                return model.story[std::size_t(block.first)].path();
    return layer;
}

// The same place of the story in another layer of the same stack.
Result<Done> Session::choose_layer(std::string_view which) {
    if (!has_model()) return Error{"error.no_model", {}};
    const std::vector<const Layer*> layers = model_->map().layers_beside(*step().node);
    const Index count = Index(layers.size());
    if (which == "next" || which == "previous") {
        Index present = -1;
        for (const StoryBlock& block : model_->blocks)
            if (block.id == step().block) present = block.layer;
        const Index there = present + (which == "next" ? 1 : -1);
        return present < 0 || there < 0 || there >= count ? Result<Done>(Done{})
                                                          : choose_layer(std::to_string(there));
    }
    const Result<long> layer = whole_number_of(std::string(which));
    if (!layer) return layer.error();
    if (*layer < 0 || *layer >= count)
        return Error{"error.out_of_range", {"layer", "0", std::to_string(count - 1)}};
    const std::string& there = layers[std::size_t(*layer)]->path;
    const std::string same = there + "." + role_of(*step().node);
    return go_to(model_->step_of(same) >= 0 ? same : first_step_in(*model_, there));
}

Result<Done> Session::choose_language(std::string_view code) {
    const std::vector<std::string>& codes = strings_.languages();
    std::string chosen(code);
    if (code == "next") {
        const auto present = std::find(codes.begin(), codes.end(), strings_.language());
        chosen = present + 1 == codes.end() ? codes.front() : *(present + 1);
    }
    if (!strings_.speaks(chosen)) return usage("language en|pt|next");
    strings_.set_language(chosen);
    return Done{};
}

Result<Done> Session::choose_theme(std::string_view name) {
    if (name != "light" && name != "dark" && name != "next") return usage("theme light|dark|next");
    const bool light = name == "next" ? state_.theme == ThemeName::dark : name == "light";
    state_.theme = light ? ThemeName::light : ThemeName::dark;
    return Done{};
}

Result<Done> Session::select(std::string_view where) {
    if (!has_model()) return Error{"error.no_model", {}};
    const std::vector<std::string> words = words_of(where);
    if (words.size() != 3 && words.size() != 4) return usage("select PATH [HEAD] ROW COLUMN");
    const Node* node = model_->graph().find(words[0]);
    if (!node) return Error{"error.no_such_value", {words[0], model_->name}};
    Index numbers[3] = {0, 0, 0};
    for (std::size_t i = 1; i < words.size(); ++i) {
        const Result<long> number = whole_number_of(words[i]);
        if (!number) return number.error();
        numbers[3 - words.size() + i] = *number;
    }
    const Selection next{node->path, {numbers[0], numbers[1], numbers[2]}};
    if (!exists(next, model_->graph()))
        return Error{"error.no_such_cell", {words[0], to_string(node->shape())}};
    if (state_.selection == next) return Done{};
    state_.asking.visit(next, state_.selection);
    state_.selection = next;
    return Done{};
}

Result<Done> Session::expect(std::string_view what) const {
    if (!has_model()) return Error{"error.no_model", {}};
    const std::vector<std::string> words = words_of(what);
    if (words.size() != 6) return usage("expect PATH HEAD ROW COLUMN VALUE TOLERANCE");
    const Node* node = model_->graph().find(words[0]);
    if (!node) return Error{"error.no_such_value", {words[0], model_->name}};
    return meets(node->value, words, what);
}

Result<Done> Session::take_screenshot(std::string_view how) {
    const std::vector<std::string> words = words_of(how);
    if (words.size() != 1 && words.size() != 3) return usage("screenshot FILE [WIDTH HEIGHT]");
    ScreenshotRequest request{words[0], 0, 0};
    if (words.size() == 3) {
        const Result<long> width = whole_number_of(words[1]), height = whole_number_of(words[2]);
        if (!width) return width.error();
        if (!height) return height.error();
        if (*width < 320 || *height < 240 || *width > 8192 || *height > 8192)
            return Error{"error.out_of_range", {"screenshot", "320 240", "8192 8192"}};
        request.width = int(*width);
        request.height = int(*height);
    }
    state_.screenshots.push_back(std::move(request));
    return Done{};
}

} // namespace headlight
