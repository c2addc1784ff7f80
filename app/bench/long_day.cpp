#include "app/bench/window_bench.h"

#include "app/platform/offscreen.h"
#include "app/session/training/training_view.h"
#include "app/ui/window/host.h"
#include "app/ui/window/window_store.h"
#include "engine/base/stopwatch.h"
#include "engine/io/model_folder.h"

#include <algorithm>
#include <array>
#include <limits>

namespace headlight {

namespace {

constexpr std::array<std::array<int, 2>, 4> sizes = {{{1280, 720}, {1920, 1080}, {900, 1300}, {2560, 1440}}};
constexpr const char* rooms[] = {"train",  "heads",  "whatif", "say",   "cabinet", "descent",
                                 "places", "memory", "norms",  "costs", "explore"};
constexpr double seconds_of_training = 3, seconds_of_resumed_training = 1;
constexpr std::size_t most_kept_runs = 3;

class Day {
public:
    Day(Display& display, Ui& ui, Session& session, const std::filesystem::path& folder)
        : display_(display),
          ui_(ui),
          session_(session),
          host_(display, ui, session),
          store_(folder / "settings.json", folder / "windows"),
          folder_(folder) {
        host_.wait_for_answers(std::numeric_limits<double>::infinity()); // the same work in every round
        host_.canvas().first_steps().skip();
        host_.after_frame = [this] {
            store_.keep(session_, host_, display_.width(), display_.height(), false);
        };
    }

    Result<Done> begin() {
        session_.remember_training(folder_ / "runs");
        session_.remember_race(folder_ / "races");
        if (const Result<Done> begun = store_.begin(session_, {}); !begun) return begun;
        return store_.begin(session_, host_, {});
    }

    Round round() {
        frames_.clear();
        commands_ = 0;
        for (const std::filesystem::path& model : model_folders(session_.assets() / "models"))
            for (const auto part : {&Day::open, &Day::type, &Day::step, &Day::look_around, &Day::change,
                                    &Day::train, &Day::read_lessons, &Day::save})
                if (!wrong_) (this->*part)(model.filename().string());
        Round result;
        result.minutes = since_.seconds() / 60;
        result.commands = commands_;
        result.frame = percentiles_of(frames_);
        result.held = holdings();
        count_files(result);
        return result;
    }

    const std::optional<Error>& wrong() const { return wrong_; }

    void end() {
        store_.close(session_, host_, display_.width(), display_.height(), false);
        (void)session_.close_training();
    }

private:
    void frames(int count) {
        for (int i = 0; i < count; ++i) {
            const double start = thread_cpu_seconds();
            host_.frame();
            frames_.push_back(thread_cpu_seconds() - start);
        }
    }
    void frames_for(double seconds) {
        for (const WallTime end = after(seconds); std::chrono::steady_clock::now() < end;) frames(1);
    }
    // Somebody looks at what comes of it.
    void run(const std::string& line, int seen = 3) {
        if (wrong_) return;
        ++commands_;
        if (const Result<Done> done = session_.execute(line); !done)
            wrong_ = Error{
                "error.script_line",
                {"bench day", std::to_string(commands_), session_.strings().text(done.error()) + " " + line}};
        frames(seen);
    }
    void press(const char* key, int times = 1) {
        for (int i = 0; i < times; ++i) {
            display_.input().press_key(*parse_chord(key));
            while (!display_.input().empty()) frames(1);
            frames(1);
        }
    }

    void open(const std::string& model) {
        run("changes clear");
        run("model " + model, 10);
        const auto [width, height] = sizes[std::size_t(turn_++) % sizes.size()];
        display_.resize(width, height);
        run(std::string("language ") + (turn_ % 2 == 0 ? "pt" : "en"));
        run(std::string("theme ") + (turn_ % 3 == 0 ? "light" : "dark"));
        run(std::string("presenter ") + (turn_ % 5 == 0 ? "on" : "off"));
        run("room explore");
    }

    // Letter by letter, into the field of the sentence.
    void type(const std::string&) {
        const std::string before = session_.question().source;
        run("source a", 6);
        if (const auto field = ui_.widgets().find("source"))
            display_.input().click(field->centre().x, field->centre().y);
        press("ctrl+a");
        for (const char letter : std::string_view("the dog and i am fine")) {
            display_.input().type_text(std::string(1, letter));
            frames(3);
        }
        press("escape");
        press("ctrl+z", 6);
        press("ctrl+y", 6);
        run("source " + before);
    }

    void step(const std::string&) {
        run("step first");
        press("right", int(session_.model().story.size()));
        Canvas& canvas = host_.canvas().canvas();
        for (long i = 0; i < 120 && !canvas.layout().cards.empty(); ++i) {
            move_camera(canvas, i);
            frames(1);
        }
        run("fit");
    }

    void look_around(const std::string&) {
        for (const char* room : rooms) run(std::string("room ") + room, 8);
    }

    void change(const std::string&) {
        for (const StoryStep& step : session_.model().story) {
            const std::string& path = step.node->path;
            (void)session_.execute("change scale " + path + " 1.5"); // where a change is possible
            frames(2);
            if (++commands_ % 4 == 0) run("changes clear", 2);
        }
        press("ctrl+z", 4);
        run("changes clear");
    }

    void train(const std::string&) {
        constexpr const char* tasks[] = {"copy", "en-pt", "reverse", "sentiment"};
        const LiveTraining& training = session_.training().training;
        run("room train");
        run(std::string("train task ") + tasks[std::size_t(turn_) % std::size(tasks)]);
        run("train pace all");
        run("train set goal 0");
        run("train start");
        frames_for(seconds_of_training);
        run("train pause");
        run("train wait 60", 6);
        if (training.run() && !training.run()->kept.empty()) {
            run("moment first");
            for (int i = 0; i < 12; ++i) run("moment +1", 2);
            run("moment play", 30);
            run("moment last");
            run("train start");
            frames_for(seconds_of_resumed_training);
            run("train pause");
            run("train wait 60", 6);
        }
        while (!wrong_ && training.runs().size() > most_kept_runs)
            run("train delete " + training.runs().front()->name);
        run("train leave");
    }

    void read_lessons(const std::string&) {
        const long number = 1 + turn_ % 24;
        run("lesson open " + std::string(number < 10 ? "0" : "") + std::to_string(number), 10);
        for (int i = 0; i < 4; ++i) {
            (void)session_.execute("lesson card next"); // as long as there is one
            frames(5);
        }
        run("lesson close");
    }

    void save(const std::string& model) {
        const std::string file = (folder_ / "saved.headlight").string();
        run("model " + model);
        run("save " + file);
        run("open " + file);
        run("export card " + (folder_ / "card.svg").string());
        (void)display_.capture();
    }

    void count_files(Round& round) const {
        std::error_code none;
        for (const auto& file : std::filesystem::recursive_directory_iterator(folder_, none))
            if (file.is_regular_file(none)) {
                ++round.files;
                round.files_megabytes += double(file.file_size(none)) / double(1 << 20);
            }
    }

    Display& display_;
    Ui& ui_;
    Session& session_;
    Host host_;
    WindowStore store_;
    const std::filesystem::path folder_;
    const Stopwatch since_;
    std::vector<double> frames_;
    long commands_ = 0, turn_ = 0;
    std::optional<Error> wrong_;
};

} // namespace

Result<Done> live_long_day(Session& session, const std::filesystem::path& folder, double seconds,
                           const std::function<void(const Round&)>& tell) {
    auto display = Offscreen::open({.width = 1280, .height = 800, .draws = true});
    if (!display) return display.error();
    auto ui = Ui::create(**display, {.dark = true});
    if (!ui) return ui.error();
    Day day(**display, **ui, session, folder);
    if (const Result<Done> begun = day.begin(); !begun) return begun;
    const WallTime end = after(seconds);
    do {
        tell(day.round());
    } while (!day.wrong() && std::chrono::steady_clock::now() < end);
    day.end();
    if (day.wrong()) return *day.wrong();
    return Done{};
}

} // namespace headlight
