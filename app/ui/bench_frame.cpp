#include "app/ui/bench_frame.h"

#include "app/platform/offscreen.h"
#include "app/ui/host.h"
#include "app/ui/main_view.h"
#include "engine/io/model_folder.h"
#include "engine/model/initialise.h"
#include "engine/model/transformer_parameters.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

namespace headlight {

namespace {

// Seconds of this thread's own work: neither what else the machine does is counted nor, without a graphics
// card, the rasteriser's threads.
double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

Percentiles percentiles_of(std::vector<double> seconds) {
    if (seconds.empty()) return {};
    std::sort(seconds.begin(), seconds.end());
    const auto at = [&](double share) {
        return 1000 * seconds[std::size_t(share * double(seconds.size() - 1))];
    };
    return {at(0.5), at(0.9), at(0.99), at(1), long(seconds.size())};
}

// One move of the camera: 240 of them, four seconds, lead from everything to the numbers of a value and back.
void move(Canvas& canvas, long frame, const ViewSize& view) {
    constexpr long turn = 240;
    const long phase = frame % turn;
    const std::vector<Card>& cards = canvas.layout().cards;
    const Card& goal = cards[std::size_t(frame / turn * 37) % cards.size()];
    const PlanePoint in_view = to_view(canvas.camera(), view, goal.rect.centre());
    const double closest = std::min(3.0, 50 / goal.cell_width);
    if (phase < 90) {
        canvas.zoom(in_view,
                    std::pow(closest / std::max(canvas.camera().zoom, 1e-6), 1.0 / double(90 - phase)));
        const PlanePoint now = to_view(canvas.camera(), view, goal.rect.centre());
        canvas.pan((view.width / 2 - now.x) / 12, (view.height / 2 - now.y) / 12);
    } else if (phase < 150) {
        canvas.pan(phase < 120 ? -12 : 12, phase % 30 < 15 ? -5 : 5);
    } else {
        canvas.zoom({view.width / 2, view.height / 2}, 0.94);
    }
}

} // namespace

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
    const std::string sentence = session.state().source_text;
    const std::size_t last_space = sentence.rfind(' ');
    const std::string shorter = sentence.substr(0, last_space == sentence.npos ? 0 : last_space);
    const auto draw = [&] {
        main_view(session, host.canvas(), host.rooms());
        ImGui::Render();
    };
    // So long by the clock on the wall; each frame is measured by this thread's own.
    const auto until = [](double more) {
        return std::chrono::steady_clock::now() + std::chrono::duration<double>(more);
    };
    const auto end = until(seconds);
    for (long i = 0; std::chrono::steady_clock::now() < end; ++i) {
        move(canvas, i, canvas.view());
        (*ui)->begin_frame();
        const double start = cpu_seconds();
        draw();
        frames.push_back(cpu_seconds() - start);
        (*ui)->end_frame();
    }
    times.cards = long(canvas.layout().cards.size());
    times.cells = canvas.layout().cells();
    (void)session.execute("fit");
    const auto keys_end = until(seconds / 3);
    for (long i = 0; i < 4 || std::chrono::steady_clock::now() < keys_end;
         ++i) { // a word more or less, as someone who types
        const double start = cpu_seconds();
        (void)session.execute("source " + (i % 2 == 0 ? shorter : sentence));
        (*ui)->begin_frame();
        draw();
        keys.push_back(cpu_seconds() - start);
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

} // namespace headlight
