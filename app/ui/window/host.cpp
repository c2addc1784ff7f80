#include "app/ui/window/host.h"

#include "app/platform/image.h"
#include "app/ui/window/main_view.h"

namespace headlight {

namespace {

// A change is seen in the frame after it; hovering is answered one frame later still.
constexpr int frames_to_settle = 3;

// Seconds: a trainer's weights come no more often, and every frame more would be taken from its time.
constexpr double often = 0.04, seldom = 0.15;

} // namespace

double seconds_between_news(const Display& display) { return display.draws_by_processor() ? seldom : often; }

Host::Host(Display& display, Ui& ui, Session& session)
    : display_(display), ui_(ui), session_(session), canvas_(session) {
    add_commands();
    // Sentence pairs of one's own, dropped on the window, are there to train on; a run's folder is opened.
    display_.on_files_dropped = [this](const std::vector<std::string>& files) {
        if (files.empty()) return;
        const bool is_run = std::filesystem::is_directory(files.front());
        if (!session_.execute((is_run ? "train open " : "train task ") + files.front())) return;
        (void)session_.execute("room train");
        (void)session_.execute("desk settings");
    };
    display_.on_rest = [this] { session_.keep_training(); };
}

bool Host::frame() {
    const SessionState& state = session_.state();
    ui_.set_theme({.dark = state.theme == ThemeName::dark, .presenter = state.presenter ? 1.5f : 1.f});
    if (quit_ || !ui_.begin_frame()) return false;
    session_.advance(double(ImGui::GetIO().DeltaTime));
    const unsigned long version = session_.version();
    main_view(session_, canvas_);
    if (const auto text = session_.take_copied()) ImGui::SetClipboardText(text->c_str());
    ui_.end_frame();
    if (session_.is_moving() || canvas_.wants_frame() || version != session_.version())
        display_.request_frames(2);
    else if (session_.is_lively())
        display_.request_frame_within(seconds_between_news(display_));
    return !quit_;
}

Result<Done> Host::settle() {
    for (int i = 0; i < frames_to_settle || frames_to_wait_ > 0 || !display_.input().empty(); ++i) {
        display_.request_frames(1); // a script does not wait for somebody to move the mouse
        if (!frame()) return Done{};
        if (frames_to_wait_ > 0) --frames_to_wait_;
    }
    return take_screenshots();
}

Result<Done> Host::take_screenshots() {
    for (const ScreenshotRequest& request : session_.take_screenshots()) {
        const int width = display_.width(), height = display_.height();
        if (request.width > 0) {
            display_.resize(request.width, request.height);
            for (int i = 0; i < frames_to_settle; ++i) {
                display_.request_frames(1);
                frame();
            }
        }
        const Result<Done> written = write_png(request.file.string(), display_.capture());
        if (request.width > 0) display_.resize(width, height);
        if (!written) return written.error();
    }
    return Done{};
}

Result<Done> Host::run_script(std::istream& script, const std::string& name) {
    if (const Result<Done> started = settle(); !started) return started.error();
    std::string line;
    for (int number = 1; std::getline(script, line) && !quit_; ++number) {
        Result<Done> done = session_.execute(line);
        if (done) done = settle();
        if (!done)
            return Error{"error.script_line",
                         {name, std::to_string(number), session_.strings().text(done.error())}};
    }
    return Done{};
}

void Host::add_commands() {
    using Text = std::string_view;
    CommandRegistry& commands = session_.commands();
    const auto place_of = [this](const std::vector<std::string>& words) -> Result<ImVec2> {
        if (words.size() == 3) {
            const Result<long> row = whole_number_of(words[1]), column = whole_number_of(words[2]);
            if (!row) return row.error();
            if (!column) return column.error();
            if (const auto centre = ui_.widgets().cell_centre(words[0], int(*row), int(*column)))
                return *centre;
        } else if (words.size() == 1) {
            if (const auto rect = ui_.widgets().find(words[0])) return rect->centre();
        }
        std::string known;
        for (const std::string& name : ui_.widgets().names()) known += (known.empty() ? "" : ", ") + name;
        return Error{"error.no_such_widget", {words.empty() ? std::string() : words[0], known}};
    };
    commands.add({"click", "NAME [ROW COLUMN]", [this, place_of](Text where) -> Result<Done> {
                      const Result<ImVec2> place = place_of(words_of(where));
                      if (!place) return place.error();
                      display_.input().click(place->x, place->y);
                      return Done{};
                  }});
    commands.add({"hover", "NAME [ROW COLUMN]", [this, place_of](Text where) -> Result<Done> {
                      const Result<ImVec2> place = place_of(words_of(where));
                      if (!place) return place.error();
                      display_.input().move_mouse(place->x, place->y);
                      return Done{};
                  }});
    commands.add({"press", "KEY", [this](Text key) -> Result<Done> {
                      const std::optional<Chord> chord = parse_chord(key);
                      if (!chord) return Error{"error.no_such_key", {std::string(key)}};
                      display_.input().press_key(*chord);
                      return Done{};
                  }});
    commands.add({"type", "TEXT", [this](Text text) -> Result<Done> {
                      display_.input().type_text(std::string(text));
                      return Done{};
                  }});
    commands.add({"wait", "FRAMES", [this](Text count) -> Result<Done> {
                      const Result<long> frames = whole_number_of(std::string(count));
                      if (!frames) return frames.error();
                      if (*frames < 0 || *frames > 100'000)
                          return Error{"error.out_of_range", {"wait", "0", "100000"}};
                      frames_to_wait_ = int(*frames);
                      return Done{};
                  }});
    commands.add({"resize", "WIDTH HEIGHT", [this](Text size) -> Result<Done> {
                      const std::vector<std::string> words = words_of(size);
                      if (words.size() != 2) return Error{"error.command_usage", {"resize WIDTH HEIGHT"}};
                      const Result<long> width = whole_number_of(words[0]),
                                         height = whole_number_of(words[1]);
                      if (!width) return width.error();
                      if (!height) return height.error();
                      if (*width < 320 || *height < 240 || *width > 8192 || *height > 8192)
                          return Error{"error.out_of_range", {"resize", "320 240", "8192 8192"}};
                      display_.resize(int(*width), int(*height));
                      return Done{};
                  }});
    commands.add({"quit", "", [this](Text) -> Result<Done> {
                      quit_ = true;
                      return Done{};
                  }});
}

} // namespace headlight
