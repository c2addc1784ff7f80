#include "app/bench/window_bench.h"
#include "app/platform/offscreen.h"
#include "app/ui/window/host.h"
#include "app/ui/window/main_view.h"
#include "engine/base/stopwatch.h"
#include "engine/io/model_folder.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"

#include <array>
#include <chrono>
#include <ctime>
#include <imgui.h>

namespace headlight {

Result<FrameTimes> measure_frames(Session& session, double seconds) {
    auto display = Offscreen::open({.width = 1280, .height = 800});
    if (!display) return display.error();
    auto ui = Ui::create(**display, {.dark = true});
    if (!ui) return ui.error();
    Host host(**display, **ui, session);
    for (int i = 0; i < 10; ++i) host.frame();

    FrameTimes times;
    times.model = session.model().name;
    std::vector<double> frames, keys;
    Canvas& canvas = host.canvas().canvas();
    const std::string sentence = session.question().source;
    const std::size_t last_space = sentence.rfind(' '); // without one its words are letters
    const std::string shorter =
        sentence.substr(0, last_space == sentence.npos ? sentence.size() - !sentence.empty() : last_space);
    const auto draw = [&] {
        main_view(session, host.canvas(), host.lessons());
        ImGui::Render();
    };
    // So long by the clock on the wall; each frame is measured by this thread's own.
    const auto end = after(seconds);
    for (long i = 0; std::chrono::steady_clock::now() < end; ++i) {
        move_camera(canvas, i);
        (*ui)->begin_frame();
        const double start = thread_cpu_seconds();
        draw();
        frames.push_back(thread_cpu_seconds() - start);
        (*ui)->end_frame();
    }
    // The film, a thirtieth of a second a frame; of a long one as much as there is time for, evenly.
    std::vector<double> film;
    const double length = session.model().film.seconds(), step = std::max(1.0 / 30, length / (seconds * 200));
    for (double time = 0; time < length; time += step) {
        (void)session.execute("film time " + std::to_string(time));
        (void)session.execute("film play");
        (*ui)->begin_frame();
        const double start = thread_cpu_seconds();
        draw();
        film.push_back(thread_cpu_seconds() - start);
        (*ui)->end_frame();
    }
    (void)session.execute("film off");
    times.film = percentiles_of(std::move(film));
    times.cards = long(canvas.layout().cards.size());
    times.cells = canvas.layout().cells();
    (void)session.execute("fit");
    const auto keys_end = after(seconds / 3);
    for (long i = 0; i < 4 || std::chrono::steady_clock::now() < keys_end;
         ++i) {                // a word more or less, as someone who types
        const Stopwatch watch; // by the clock on the wall: large products are shared by several threads
        (void)session.execute("source " + (i % 2 == 0 ? shorter : sentence));
        (*ui)->begin_frame();
        draw();
        keys.push_back(watch.seconds());
        (*ui)->end_frame();
    }
    times.frame = percentiles_of(std::move(frames));
    times.key_press = percentiles_of(std::move(keys));
    return times;
}

Result<Done> open_large_model(Session& session) {
    ModelConfig config;
    config.d_model = 512;
    config.num_heads = 8;
    config.encoder_layers = config.decoder_layers = 6;
    config.d_ff = 2048;
    config.max_length = 32;
    const Tokenizer letters = Tokenizer::characters("abcdefghijklmnopqrstuvwxyz");
    config.source_vocab_size = config.target_vocab_size = letters.vocabulary().size();
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, 1);
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("headlight-bench-" + std::to_string(std::time(nullptr)));
    Result<Done> opened = write_model_folder(folder, config, parameters, letters, letters);
    if (opened) opened = session.execute("model " + folder.string());
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    if (!opened) return opened;
    std::string text;
    for (int i = 0; i < 31; ++i) text += char('a' + i * 7 % 26);
    (void)session.execute("source " + text);
    return session.execute("target " + text);
}

Result<OpeningTimes> measure_opening(const std::filesystem::path& assets, const Strings& strings,
                                     const std::string& model, int times) {
    std::array<std::vector<double>, 5> phases;
    for (int i = 0; i < times; ++i) {
        const Stopwatch watch;
        double before = 0;
        const auto ends = [&](std::size_t phase) {
            phases[phase].push_back(watch.seconds() - before);
            before = watch.seconds();
        };
        Session session(assets, strings);
        if (const Result<Done> opened = session.execute("model " + model); !opened) return opened.error();
        ends(0);
        auto display = Offscreen::open({.width = 1280, .height = 800, .draws = true});
        if (!display) return display.error();
        ends(1);
        auto ui = Ui::create(**display, {.dark = true});
        if (!ui) return ui.error();
        ends(2);
        Host host(**display, **ui, session);
        host.frame();
        (void)(*display)->capture(); // waits until everything is drawn
        ends(3);
        phases[4].push_back(before);
    }
    return OpeningTimes{percentiles_of(phases[0]), percentiles_of(phases[1]), percentiles_of(phases[2]),
                        percentiles_of(phases[3]), percentiles_of(phases[4])};
}

} // namespace headlight
