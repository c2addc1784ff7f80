// The commands of walking through the story, and of the window itself.
#include "app/session/setting.h"

#include <algorithm>
#include <string>

namespace headlight {

namespace {

Index last_step(const LoadedModel& model) { return Index(model.story.size()) - 1; }

constexpr double widest = 8192, narrowest = 320, lowest = 240; // pictures, in pixels

// A layer's place in its stack; −1 outside of the layers.
Index layer_of(const LoadedModel& model, const StoryStep& step) {
    for (const StoryBlock& block : model.blocks)
        if (block.id == step.block) return block.layer;
    return -1;
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
Result<Done> go_to_layer(View& view, const LoadedModel& model, const StoryStep& step, Index layer) {
    const std::vector<const Layer*> layers = model.map().layers_beside(*step.node);
    const Index last = Index(layers.size()) - 1;
    if (last < 0) return Error{"error.none_to_choose", {"layer", model.name}};
    if (layer < 0 || layer > last) return Error{"error.out_of_range", {"layer", "0", std::to_string(last)}};
    const std::string& there = layers[std::size_t(layer)]->path;
    const Index same = model.step_of(there + "." + role_of(*step.node));
    view.step = same >= 0 ? same : std::max<Index>(0, model.step_of(first_step_in(model, there)));
    return Done{};
}

} // namespace

void add_walking_commands(CommandRegistry& commands, const Session& session, View& view) {
    using namespace argument;
    SettingsOf walk(commands, with_model(of_view(view, itself)));
    walk.add_lines(
        "goto", {word("PATH")},
        [&](View& all, const Arguments& in) -> Result<Done> {
            const Index step = session.model().step_of(in.text("PATH"));
            if (step < 0) return no_such_value(in.text("PATH"), session.at_hand());
            all.step = step;
            return Done{};
        },
        [&](const View&, const View&) { // of a run's model only what was opened has, too
            const std::string path = session.step().path();
            return setting_words::line_if(session.opened().model().step_of(path) >= 0, "goto " + path);
        });
    commands.add_with_model("step", {optional("first|last" | whole("+N"))}, [&](const Arguments& in) {
        const Index last = last_step(session.model());
        const Index by = std::clamp<Index>(in.whole("+N", 1), -last, last);
        view.step = in.said("first")  ? 0
                    : in.said("last") ? last
                                      : std::clamp<Index>(view.step + by, 0, last);
    });
    commands.add_with_model("play", {}, [&](const Arguments&) { play_film(view, session.model().film); });
    commands.add("pause", {}, [&](const Arguments&) { view.playing = false; });
    commands.add_with_model("toggle", {}, [&](const Arguments&) {
        view.playing ? void(view.playing = false) : play_film(view, session.model().film);
    });
    SettingsOf(commands, of_window(view))
        .add("speed", &View::steps_per_second, number("STEPS_PER_SECOND", 0.05, 60));
    walk.add_written(
        "head", {"all|next" | whole("HEAD", last_head)},
        [&](View& all, const Arguments& in) {
            const bool is_last = all.head >= last_head(session.model());
            all.head = in.has("HEAD") ? in.whole("HEAD") : in.said("all") || is_last ? -1 : all.head + 1;
        },
        [&](const View& all) {
            const bool is_there = all.head >= 0 && all.head <= last_head(session.opened().model());
            return is_there ? std::to_string(all.head) : "all";
        });
    commands.add_with_model("layer", {whole("LAYER")}, [&](const Arguments& in) {
        return go_to_layer(view, session.model(), session.step(), in.whole("LAYER"));
    });
    commands.add_with_model("layer", {"next|previous"}, [&](const Arguments& in) {
        const Index layer = layer_of(session.model(), session.step());
        if (layer < 0) return; // there is no such layer: nothing happens
        (void)go_to_layer(view, session.model(), session.step(), layer + (in.said("next") ? 1 : -1));
    });
}

void add_window_commands(CommandRegistry& commands, View& view, Strings& strings) {
    using namespace argument;
    SettingsOf session(commands, of_view(view, itself));
    SettingsOf window(commands, of_window(view));
    session.change("room", {one_of(room_names)}, [](View& all, const Arguments& in) {
        if (all.room != Room(in.place())) all.close_ups.open = CloseUp::none; // it was of the other room
        all.room = Room(in.place());
    });
    SettingsOf range(commands, of_view(view, &View::colour_range));
    range.add("range", &ColourRange::shared, "shared|each", "shared");
    range.add("range", &ColourRange::locked, "lock|follow", "lock");
    commands.add("language", {"next" | word("en|pt")}, [&](const Arguments& in) -> Result<Done> {
        const std::vector<std::string>& codes = strings.languages();
        const auto present = std::find(codes.begin(), codes.end(), strings.language());
        const bool is_last = present + 1 == codes.end();
        const std::string code = in.said("next") ? (is_last ? codes.front() : present[1]) : in.text("en|pt");
        if (!strings.speaks(code)) return Error{"error.command_usage", {"language en|pt|next"}};
        strings.set_language(code);
        return Done{};
    });
    window.add("theme", &View::theme, "light|dark|next");
    window.add("presenter", &View::presenter, a_switch());
    window.add("alone", &View::alone, a_switch());
    window.add("spotlight", &View::spotlight, a_switch());
    window.add("readback", &View::reads_back, a_switch());
    window.add("animation", &View::animations, a_switch());
    session.add("baseline", &View::against_baseline, a_switch());
    window.add("help", &View::show_help, a_switch());
    window.add_and("help", &View::help_page, one_of(help_page_names),
                   [](auto& all) { all.show_help = true; });
    window.add_and("palette", &View::show_palette, a_switch(), [](auto& all) { all.palette_line.clear(); });
    // Opened with the beginning of a line, for what only the person can say: a name of a file.
    window.add_and("palette with", &View::palette_line, text(), [](auto& all) { all.show_palette = true; });
    window.add_and("vocabulary", &View::show_vocabulary, a_switch(),
                   [](auto& all) { all.vocabulary_request.clear(); });
    window.add_and("vocabulary find", &View::vocabulary_request, text(),
                   [](auto& all) { all.show_vocabulary = true; });
    std::vector<std::string> models;
    for (const Download& model : downloads()) models.emplace_back(model.name);
    commands.add("address", {one_of(models)}, [&](const Arguments& in) {
        view.asking.copied = address_of(downloads()[std::size_t(in.place())]);
        view.asking.for_clipboard = true;
    });
    commands.add("notice off", {}, [&](const Arguments&) { view.notice.reset(); });
    const auto take = [&](const Arguments& in) {
        view.screenshots.push_back({in.text("FILE"), int(in.whole("WIDTH")), int(in.whole("HEIGHT"))});
    };
    commands.add_of_person("screenshot",
                           {word("FILE"), whole("WIDTH", narrowest, widest), whole("HEIGHT", lowest, widest)},
                           take);
    commands.add_of_person("screenshot", {word("FILE")}, take);
}

} // namespace headlight
