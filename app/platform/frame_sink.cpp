#include "app/platform/frame_sink.h"
#include "app/platform/desktop_chooser.h"
#include "engine/io/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#if defined(__unix__) && !defined(__EMSCRIPTEN__)
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
extern char** environ;
#endif

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr int sheet_columns = 3, sheet_gap = 12;

class Folder : public FrameSink {
public:
    explicit Folder(fs::path folder) : folder_(std::move(folder)) {}
    Result<Done> add(const Image& image) override {
        std::string number = std::to_string(++count_);
        number.insert(0, 5 - std::min<std::size_t>(5, number.size()), '0');
        return write_png((folder_ / (number + ".png")).string(), image);
    }
    Result<Done> finish() override { return Done{}; }

private:
    fs::path folder_;
    int count_ = 0;
};

class Sheet : public FrameSink {
public:
    explicit Sheet(fs::path file) : file_(std::move(file)) {}
    Result<Done> add(const Image& image) override {
        images_.push_back(half_size(image));
        return Done{};
    }
    Result<Done> finish() override {
        if (images_.empty()) return Done{};
        const int w = images_.front().width, h = images_.front().height;
        const int rows = (int(images_.size()) + sheet_columns - 1) / sheet_columns;
        Image sheet{sheet_columns * (w + sheet_gap) + sheet_gap, rows * (h + sheet_gap) + sheet_gap, {}};
        sheet.rgba.assign(std::size_t(sheet.width) * std::size_t(sheet.height) * 4, 255);
        for (std::size_t i = 0; i < images_.size(); ++i) {
            const int left = sheet_gap + int(i % sheet_columns) * (w + sheet_gap),
                      top = sheet_gap + int(i / sheet_columns) * (h + sheet_gap);
            for (int y = 0; y < h; ++y)
                std::copy_n(
                    images_[i].pixel(0, y), w * 4,
                    &sheet.rgba[(std::size_t(top + y) * std::size_t(sheet.width) + std::size_t(left)) * 4]);
        }
        return write_png(file_.string(), sheet);
    }

private:
    fs::path file_;
    std::vector<Image> images_;
};

#if defined(__unix__) && !defined(__EMSCRIPTEN__)

// Reads raw pictures from a pipe, and writes beside the file until all of it is there.
class Encoder : public FrameSink {
public:
    static Result<std::unique_ptr<FrameSink>> open(const fs::path& file, FilmFile kind, int width, int height,
                                                   int frames_a_second) {
        const fs::path program = program_in_path("ffmpeg");
        if (program.empty()) return Error{"error.film_encoder", {file.string()}};
        auto encoder = std::make_unique<Encoder>();
        encoder->file_ = file;
        encoder->part_ = file.string() + ".part";
        std::vector<std::string> words = {program.string(),    "-y",
                                          "-loglevel", "error",
                                          "-f",        "rawvideo",
                                          "-pix_fmt",  "rgba",
                                          "-s",        std::to_string(width) + "x" + std::to_string(height),
                                          "-r",        std::to_string(frames_a_second),
                                          "-i",        "-"};
        const std::vector<std::string> how =
            kind == FilmFile::gif
                ? std::vector<std::string>{"-vf",
                                           "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1",
                                           "-f", "gif"}
                : std::vector<std::string>{"-c:v",     "libvpx",    "-b:v",     "4M",        "-crf",
                                           "12",       "-deadline", "realtime", "-cpu-used", "5",
                                           "-pix_fmt", "yuv420p",   "-f",       "webm"};
        words.insert(words.end(), how.begin(), how.end());
        words.push_back(encoder->part_.string());
        if (!encoder->start(words)) return Error{"error.film_encoder", {file.string()}};
        return Result<std::unique_ptr<FrameSink>>(std::move(encoder));
    }

    ~Encoder() override {
        if (pipe_ >= 0) ::close(pipe_);
        if (child_ > 0) {
            ::kill(child_, SIGTERM);
            ::waitpid(child_, nullptr, 0);
        }
        std::error_code none;
        if (!part_.empty()) fs::remove(part_, none);
    }

    Result<Done> add(const Image& image) override {
        const auto* bytes = reinterpret_cast<const char*>(image.rgba.data());
        for (std::size_t done = 0; done < image.rgba.size();) {
            const ssize_t wrote = ::write(pipe_, bytes + done, image.rgba.size() - done);
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote <= 0) return Error{"error.film_not_encoded", {file_.string()}};
            done += std::size_t(wrote);
        }
        return Done{};
    }

    Result<Done> finish() override {
        ::close(pipe_);
        pipe_ = -1;
        int status = 1;
        ::waitpid(child_, &status, 0);
        child_ = -1;
        std::error_code failed;
        if (status == 0) fs::rename(part_, file_, failed);
        if (status != 0 || failed) return Error{"error.film_not_encoded", {file_.string()}};
        return Done{};
    }

private:
    bool start(const std::vector<std::string>& words) {
        ::signal(SIGPIPE, SIG_IGN); // an encoder that ends early is told by write()
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
        std::vector<char*> arguments;
        for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
        ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        const int fault =
            ::posix_spawn(&child_, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(ends[0]);
        pipe_ = ends[1];
        if (fault != 0) child_ = -1;
        return fault == 0;
    }

    fs::path file_, part_;
    pid_t child_ = -1;
    int pipe_ = -1;
};

#endif

} // namespace

std::optional<FilmFile> film_file_of(const fs::path& file) {
    std::error_code none;
    if (file.filename().empty() || fs::is_directory(file, none)) return FilmFile::folder;
    std::string end = file.extension().string();
    for (char& c : end) c = char(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (end == ".webm") return FilmFile::webm;
    if (end == ".gif") return FilmFile::gif;
    if (end == ".png") return FilmFile::sheet;
    return {};
}

Result<std::unique_ptr<FrameSink>> open_frame_sink(const fs::path& file, FilmFile kind, int width, int height,
                                                   int frames_a_second) {
    if (kind == FilmFile::folder) {
        std::error_code failed;
        fs::create_directories(file, failed);
        if (failed) return Error{"error.not_a_file", {file.string(), failed.message()}};
        return Result<std::unique_ptr<FrameSink>>(std::make_unique<Folder>(file));
    }
    if (Result<AtomicFile> place = AtomicFile::create(file); !place) return place.error(); // said at once
    if (kind == FilmFile::sheet) return Result<std::unique_ptr<FrameSink>>(std::make_unique<Sheet>(file));
#if defined(__unix__) && !defined(__EMSCRIPTEN__)
    return Encoder::open(file, kind, width, height, frames_a_second);
#else
    (void)width, (void)height, (void)frames_a_second;
    return Error{"error.film_encoder", {file.string()}};
#endif
}

Image half_size(const Image& image) {
    Image half{image.width / 2, image.height / 2, {}};
    half.rgba.resize(std::size_t(half.width) * std::size_t(half.height) * 4);
    for (int y = 0; y < half.height; ++y)
        for (int x = 0; x < half.width; ++x)
            for (int c = 0; c < 4; ++c) {
                const int sum = image.pixel(2 * x, 2 * y)[c] + image.pixel(2 * x + 1, 2 * y)[c]
                                + image.pixel(2 * x, 2 * y + 1)[c] + image.pixel(2 * x + 1, 2 * y + 1)[c];
                half.rgba[(std::size_t(y) * std::size_t(half.width) + std::size_t(x)) * 4 + std::size_t(c)] =
                    std::uint8_t((sum + 2) / 4);
            }
    return half;
}

} // namespace headlight
