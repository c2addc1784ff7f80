// What is taken away for papers, slides and other programs: numbers as tables, and what is seen as pictures.
#pragma once

#include "app/session/asking.h"
#include "engine/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

enum class ExportFile { png, svg, pdf, csv, tsv, npy, tex, md };
// By the end of its name, whatever its case.
std::optional<ExportFile> export_file_of(const std::filesystem::path& file);
bool is_picture(ExportFile file);

enum class ExportSubject {
    matrices, // of one value: of all heads, or of the one that is looked at, or a part of one
    card,     // of the present step, as it lies on the canvas
    page,     // of the room, as the window shows it
    widget,   // a part of the page that has a name
    canvas,   // the whole network, also what is out of sight
    film,     // all of it, a scene a picture, or a folder of pictures
    story,    // a slide a step
    lesson    // a slide a card
};

// A picture that waits for whoever can draw.
struct ExportRequest {
    ExportSubject subject = ExportSubject::page;
    std::vector<MatrixPart> parts = {}; // of matrices: one a head
    std::string widget = {};
    std::filesystem::path file = {};
    ExportFile kind = ExportFile::png;
    int scale = 1;             // of pictures
    bool printable = false;    // light, on white
    Index first = 0, last = 0; // steps of the story, from 0
    float widest = 0;          // of matrices, at scale 1; 0: as is comfortable to read
};

// The matrices of what is spoken of, as they are on the screen: the part that was chosen, else those of all
// heads, or of the one that is looked at. With a model.
std::vector<MatrixPart> parts_shown(const Session& session);
// What a file of them is called, but for its ending: "decoder.0.cross_attn.weights.head-2".
std::string name_of_shown(const Session& session);

// export: numbers are written at once, pictures when they can be drawn (Session::take_exports).
void add_export_commands(CommandRegistry& commands, Session& session, View& view);

} // namespace headlight
