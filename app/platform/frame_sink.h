// Where the pictures of a film go, one after another: a folder, a sheet of them, or a film file, which the
// system's ffmpeg encodes.
#pragma once

#include "app/platform/image.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace headlight {

enum class FilmFile { webm, gif, sheet, folder };
// "x.webm", "x.gif", "x.png" (a sheet), "x/" or a folder that is there; none of another ending.
std::optional<FilmFile> film_file_of(const std::filesystem::path& file);

class FrameSink {
public:
    virtual ~FrameSink() = default; // what was not finished is gone, but for a folder's pictures
    virtual Result<Done> add(const Image& image) = 0;
    virtual Result<Done> finish() = 0; // now the file is there, whole
};

// Errors: error.film_encoder {file}, where there is no ffmpeg; those of writing a file.
Result<std::unique_ptr<FrameSink>> open_frame_sink(const std::filesystem::path& file, FilmFile kind,
                                                   int width, int height, int frames_a_second);

// A quarter of the pixels: each the mean of four.
Image half_size(const Image& image);

} // namespace headlight
