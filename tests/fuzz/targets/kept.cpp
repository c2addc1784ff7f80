// What the program itself has written, another time: settings, runs in training, races.
#include "tests/fuzz/folder_input.h"
#include "tests/fuzz/sessions.h"
#include "tests/fuzz/targets.h"

#include "app/lessons/player.h"
#include "app/live/run_folder.h"
#include "app/session/settings.h"
#include "engine/train/race.h"
#include "engine/train/training_run.h"

namespace headlight::fuzz {

namespace {

void read_settings_file(std::string_view input, const Judge& judge) {
    static InputFolder folder;
    const Settings settings = read_settings(folder.file("settings.json", input));
    judge.expect(settings.width >= 640 && settings.height >= 480, "a window too small");
    Session& session = session_without_model("settings");
    static LessonPlayer player(session);
    player.remember(settings.lessons);
    (void)player.remembered();
    session.recall_files(settings.recent, settings.folder);
    const std::filesystem::path again = folder.file("again.json", "");
    write_settings(again, settings);
    Settings kept = read_settings(again);
    judge.expect(kept == settings || input.find('\\') != input.npos, "settings are kept as they are");
}

// As the window opens it, and as the terminal goes on with it.
void read_run_folder(std::string_view input, const Judge& judge) {
    static InputFolder folder;
    const std::filesystem::path& path = folder.holding(input);
    (void)judge.accepts(read_run(path), path.string());
    const auto state = read_training_state(path);
    if (!judge.accepts(state, path.string()) || !*state) return;
    Result<ModelFiles> model = read_model_folder(path);
    if (!judge.accepts(model, path.string())) return;
    if ((*state)->task != "copy" && (*state)->task != "reverse") return; // others take long to make
    auto task = make_task_of(**state, HEADLIGHT_SOURCE_DIR "/assets");
    if (judge.accepts(task))
        (void)judge.accepts(TrainingRun::resume(*std::move(task), *std::move(model), **state, path));
}

void read_race_text(std::string_view input, const Judge& judge) {
    const std::string name = "race.jsonl";
    const Result<Race> race = read_race(input, name);
    if (!judge.accepts(race, name)) return;
    (void)race->next();
    for (const std::string& model : race->plan.models)
        for (Index distance : race->plan.distances) (void)score_of(*race, model, distance);
    (void)race_text(*race);
    (void)judge.accepts(check_race(race->plan));
}

} // namespace

Target settings_target() {
    return {.name = "settings",
            .has_json = true,
            .words = {"\"language\": \"pt\"", "\"width\": 1e9", "\"recent\": [\"open x\"]",
                      "\"lessons\": \"03-a 4 0,1,3;\"", "\"lessons\": \"x -1 9223372036854775807\"",
                      "\"theme\": \"light\"", "\"presenter\": true"},
            .read = read_settings_file,
            .runs = 500};
}

Target run_target() {
    return {.name = "run",
            .takes_folder = true,
            .has_json = true,
            .words = {"\"task\": \"copy\"", "\"step\": 3", "\"judged\": [[1, 0.5, null, 0, 0]]",
                      "\"held_out\": []", "\"d_model\": \"8\"", "\"planned\": 9",
                      "\"origin\": {\"run\": \"x\", \"step\": 1}", "\"batch\": 1000000000",
                      "\"threads\": 100000", "\"distance\": -1", "\"model\": \"lstm\"", "0.weights", ".m",
                      ".v"},
            .read = read_run_folder,
            .runs = 150};
}

Target race_target() {
    return {.name = "race",
            .has_json = true,
            .words = {"\"distances\":[1,2]", "\"models\":[\"rnn\"]", "\"rates\":[1e300]", "\"seeds\":1e300",
                      "\"curve\":[]", "\"curve\":[[1,2,3,4]]", "\"finite\":false", "\"line\":\"\"",
                      "\"seed\":-1", "[[0,0,0,0]]"},
            .read = read_race_text,
            .runs = 800};
}

} // namespace headlight::fuzz
