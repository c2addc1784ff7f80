// Pictures for papers and slides: whole, readable by other programs, with text as text; and the window goes
// on as if nothing had been.
#include "app/picture/capture.h"
#include "app/picture/picture.h"
#include "tests/app/picture/xml.h"
#include "tests/app/session/foreign_session.h"
#include "tests/app/ui/stage.h"
#include "tests/support/soak.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

const std::string tired_animal = "The animal didn't cross the street because it was too tired";

struct ExportStage : CanvasStage {
    explicit ExportStage(const std::string& sentence = tired_animal,
                         const std::string& model = "translate-en-pt")
        : CanvasStage(model, 1100, 720) {
        REQUIRE(run("source " + sentence) == "");
    }
    // The bytes of what a command wrote.
    std::string exported(const std::string& what, const std::string& name, const std::string& options = {}) {
        const std::string fault = run("export " + what + " " + (folder / name).string() + " " + options);
        INFO(what << " " << name);
        CHECK(fault == "");
        return folder.read(name);
    }
    std::string drawing(const std::string& what, const std::string& options = {}) {
        const std::string svg = exported(what, "drawing.svg", options);
        CHECK(xml_fault(svg) == "");
        return svg;
    }

    TemporaryFolder folder;
};

bool says(const std::vector<std::string>& texts, const std::string& word) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return text.find(word) != text.npos; });
}

bool is_installed(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

std::string output_of(const std::string& line) {
    std::string text;
    FILE* pipe = popen(line.c_str(), "r");
    REQUIRE(pipe);
    char part[4096];
    for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
    pclose(pipe);
    return text;
}

Image image_of_file(const TemporaryFolder& folder, const std::string& name) {
    auto image = read_png((folder / name).string());
    REQUIRE(image);
    return *std::move(image);
}

} // namespace

TEST_CASE("a matrix as SVG: its words are text, and a rectangle is there for each of its cells") {
    ExportStage stage;
    const std::string path = "decoder.0.cross_attn.weights";
    const Tensor& weights = stage.session().model().graph().find(path)->value;
    REQUIRE(stage.run("head 1") == "");
    const std::string svg = stage.drawing(path);
    const std::vector<std::string> texts = contents_of(svg, "text");
    for (const char* word : {"animal", "didn't", "cross", "tired", "</s>", "<s>", "atravessou", "head 2"})
        CHECK_MESSAGE(says(texts, word), word);
    const std::size_t cells = svg.find("<g class=\"cells\"");
    REQUIRE(cells != svg.npos);
    CHECK(count_of(svg.substr(cells, svg.find("</g>", cells) - cells), "<rect ")
          == weights.rows() * weights.columns());
    CHECK(count_of(svg, "class=\"cells\"") == 1);
    CHECK(svg.find("font-family:'Inter'") != svg.npos);
    // All heads: as many grids.
    REQUIRE(stage.run("head all") == "");
    CHECK(count_of(stage.drawing(path), "class=\"cells\"") == weights.batch());
}

TEST_CASE("what is drawn is what the window would show: the shapes as pixels are the picture of the screen") {
    ExportStage stage;
    for (const std::string what : {"decoder.0.cross_attn.weights", "page", "card", "canvas"}) {
        CAPTURE(what);
        stage.exported(what, "one.png");
        stage.exported(what, "two.png", "2");
        const Image one = image_of_file(stage.folder, "one.png"),
                    two = image_of_file(stage.folder, "two.png");
        REQUIRE(two.width >= 2 * one.width - 2);
        REQUIRE(two.width <= 2 * one.width + 2);
        // Letters have other edges there; what is large is the same: means of 8 × 8 pixels.
        double apart = 0;
        int blocks = 0;
        const int apart_by = soaks() ? 8 : 24;
        for (int y = 0; y + 8 <= one.height; y += apart_by)
            for (int x = 0; x + 8 <= one.width; x += apart_by, ++blocks)
                for (int channel = 0; channel < 3; ++channel) {
                    double mean_one = 0, mean_two = 0;
                    for (int i = 0; i < 8; ++i)
                        for (int k = 0; k < 8; ++k) mean_one += one.pixel(x + k, y + i)[channel] / 64.0;
                    for (int i = 0; i < 16; ++i)
                        for (int k = 0; k < 16; ++k)
                            mean_two += two.pixel(std::min(2 * x + k, two.width - 1),
                                                  std::min(2 * y + i, two.height - 1))[channel]
                                        / 256.0;
                    apart += std::abs(mean_one - mean_two) / 3;
                }
        CHECK(apart / blocks < 2.0); // of 255
    }
}

TEST_CASE("the page of every room is written in both themes, and on paper") {
    ExportStage stage;
    const std::pair<const char*, const char*> rooms[] = {{"explore", "Self-attention"},
                                                         {"whatif", "Self-attention"},
                                                         {"heads", "head 1"},
                                                         {"lesson", "softmax"},
                                                         {"train", "Self-attention"}};
    for (const auto& [room, word] : rooms)
        for (const char* theme : {"dark", "light"}) {
            INFO(std::string(room));
            INFO(std::string(theme));
            REQUIRE(stage.run(std::string("theme ") + theme + "\nroom " + room + "\nfit") == "");
            const std::string svg = stage.drawing("page");
            CHECK(says(contents_of(svg, "text"), word));
            CHECK(stage.exported("page", "page.pdf").starts_with("%PDF"));
            CHECK(stage.drawing("page", "printable").find("<rect class=\"ground\"") != std::string::npos);
            CHECK(stage.view().theme == (std::string(theme) == "dark" ? ThemeName::dark : ThemeName::light));
        }
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("the window goes on as it was") {
    ExportStage stage;
    REQUIRE(stage.run("goto decoder.1.cross_attn.weights\nselect decoder.1.cross_attn.weights 1 3 4") == "");
    stage.frame(3);
    const Image before = stage.display().capture();
    const std::vector<std::string> names = stage.names().names();
    const long step = stage.view().step;
    for (const char* what : {"canvas", "card", "page", "story"})
        (void)stage.exported(what, "any.pdf", std::string(what) == "story" ? "1 3" : "printable");
    (void)stage.exported("output.probabilities", "any.png", "2");
    REQUIRE(stage.run("notice off") == "");
    stage.frame(3);
    CHECK(stage.view().step == step);
    CHECK(stage.view().head == -1);
    CHECK(stage.names().names() == names);
    CHECK(compare_images(before, stage.display().capture(), 3).same());
    CHECK(stage.folder.count_files() == 2);
}

TEST_CASE("a PDF has its words as text, and a page for every step of a range") {
    ExportStage stage;
    const std::string story = stage.exported("story", "story.pdf", "12 15");
    REQUIRE(story.starts_with("%PDF"));
    (void)stage.exported("canvas", "canvas.pdf");
    (void)stage.exported("decoder.1.cross_attn.weights", "matrix.pdf");
    if (!is_installed("pdftotext") || !is_installed("pdfinfo")) return;
    const std::string file = (stage.folder / "story.pdf").string();
    CHECK(output_of("pdfinfo " + file).find("Pages:           4") != std::string::npos);
    for (long step = 12; step <= 15; ++step) {
        const std::string page = std::to_string(step - 11);
        const std::string text =
            output_of("pdftotext -f " + page + " -l " + page + " -layout " + file + " -");
        CHECK(text.find(std::to_string(step) + " of ") != std::string::npos);
        CHECK(text.find(tired_animal) != std::string::npos);
    }
    const std::string matrix =
        output_of("pdftotext -layout " + (stage.folder / "matrix.pdf").string() + " -");
    for (const char* word : {"animal", "didn't", "não", "atravessou", "</s>", "attention weights"})
        CHECK_MESSAGE(matrix.find(word) != std::string::npos, word);
    const std::string canvas =
        output_of("pdftotext -layout " + (stage.folder / "canvas.pdf").string() + " -");
    for (const char* word : {"Cross-attention", "Feed-forward", "Embedding", "Encoder", "Decoder", "cansado"})
        CHECK_MESSAGE(canvas.find(word) != std::string::npos, word);
}

TEST_CASE("unusual words and numbers: signs of XML, −∞, NaN") {
    ExportStage stage("I <am> & \"fine\" ç √d_k");
    const std::string page = stage.drawing("page");
    CHECK(says(contents_of(page, "text"), "&"));
    CHECK(stage.drawing("encoder.embed.tokens").find("<title>I &lt;am&gt; &amp; &quot;fine&quot; ç √d_k")
          != std::string::npos);
    // Masked cells are hatched, and say so.
    REQUIRE(stage.run("source " + tired_animal + "\nhead 0") == "");
    const std::string masked = stage.drawing("decoder.0.self_attn.masked");
    CHECK(says(contents_of(masked, "text"), "−∞"));
    CHECK(count_of(masked, "<polyline ") > 50);
    CHECK(count_of(stage.drawing("decoder.0.self_attn.scores"), "<polyline ") == 0);
    REQUIRE(stage.run("change cell encoder.0.self_attn.scores 0 1 1 nan\nchange cell "
                      "encoder.0.self_attn.scores 0 2 1 inf")
            == "");
    const std::string broken = stage.drawing("encoder.0.self_attn.scores");
    CHECK(says(contents_of(broken, "text"), "NaN"));
    CHECK(says(contents_of(broken, "text"), "∞"));
}

TEST_CASE("a part of the page by its name, a part of a matrix by its cells") {
    ExportStage stage;
    REQUIRE(stage.run("room heads\nheads open decoder.0.cross_attn 0") == "");
    const std::string map = stage.drawing("view map.cells");
    CHECK(count_of(map, "class=\"cells\"") >= 1);
    CHECK(stage.drawing("page").size() > map.size());
    const std::string lines = stage.drawing("view lines");
    CHECK(count_of(lines, "<poly") > 10);
    CHECK(says(contents_of(lines, "text"), "atravessou"));
    CHECK(count_of(lines, "class=\"cells\"") == 0);
    CHECK(stage.run("export view nothing_there " + (stage.folder / "x.svg").string()).find("nothing_there")
          != std::string::npos);
    REQUIRE(stage.run("region decoder.0.cross_attn.weights 0 1 2 3 5") == "");
    const std::string part = stage.drawing("part");
    const std::size_t cells = part.find("<g class=\"cells\"");
    REQUIRE(cells != part.npos);
    CHECK(count_of(part.substr(cells, part.find("</g>", cells) - cells), "<rect ") == 3 * 4);
    CHECK(stage.exported("part", "part.csv").starts_with(",didn't,cross,the,street\nO,"));
}

TEST_CASE("what cannot be written leaves nothing behind") {
    ExportStage stage;
    std::filesystem::create_directories(stage.folder / "folder.svg");
    const auto refused = [&](const std::string& line) {
        CAPTURE(line);
        CHECK(stage.run(line) != "");
        CHECK(stage.view().exports.empty());
    };
    const std::string folder = stage.folder.path().string();
    refused("export page " + folder + "/folder.svg");
    refused("export canvas " + folder + "/missing/picture.pdf");
    refused("export page " + folder + "/picture.jpeg");
    refused("export page " + folder + "/numbers.csv");
    refused("export page " + folder + "/picture.png 5");
    refused("export page " + folder + "/picture.png large");
    refused("export story " + folder + "/slides.png");
    refused("export story " + folder + "/slides.pdf 0 3");
    refused("export story " + folder + "/slides.pdf 1 100000");
    refused("export no.such.value " + folder + "/x.csv");
    CHECK(stage.folder.count_files() == 1);
    // Blanks in a name, an ending in capitals.
    (void)stage.run("export page " + folder + "/a picture of it.SVG 2 printable");
    CHECK(std::filesystem::exists(stage.folder / "a picture of it.SVG"));
}

TEST_CASE("architectures that nobody ships are taken away like the shipped one") {
    for (const ForeignModel& foreign : foreign_models()) {
        CAPTURE(foreign.name);
        Stage stage("");
        const TemporaryFolder folder;
        stage.session().open(foreign_loaded(foreign));
        REQUIRE(stage.run("animation off\nsource the cat saw a bird\nstep last") == "");
        const std::string last = stage.session().step().path();
        for (const std::string& what :
             {std::string("canvas"), std::string("card"), std::string("page"), last}) {
            CAPTURE(what);
            CHECK(stage.run("export " + what + " " + (folder / "drawing.svg").string()) == "");
            CHECK(xml_fault(folder.read("drawing.svg")) == "");
            if (what != "canvas" || stage.session().model().blocks.size() > 1) // a box alone has no name
                CHECK(count_of(folder.read("drawing.svg"), "<text ") > 0);
        }
        CHECK(stage.run("export " + last + " " + (folder / "last.csv").string()) == "");
        const std::size_t all = stage.session().model().story.size();
        const std::string steps = soaks() ? "" : " 1 " + std::to_string(std::min<std::size_t>(4, all));
        CHECK(stage.run("export story " + (folder / "story.pdf").string() + steps) == "");
        CHECK(folder.read("story.pdf").starts_with("%PDF"));
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("large matrices are pictures of their cells inside the drawing") {
    ExportStage stage;
    REQUIRE(stage.run("room explore\nsource " + tired_animal) == "");
    const Graph& graph = stage.session().model().graph();
    const Node* largest = nullptr;
    for (const Node& node : graph.nodes())
        if (node.is(ValueKind::parameter) && (!largest || node.value.size() > largest->value.size()))
            largest = &node;
    REQUIRE(largest);
    const std::string svg = stage.drawing(largest->path);
    CHECK(svg.size() < 3'000'000);
}

TEST_CASE("shapes: a part of a picture is cut where it is cut, text keeps its place") {
    Picture picture{100, 80, 0xFFFFFFFF, {}};
    picture.items.push_back({FilledRect{{10, 10, 50, 50}, 0xFF0000FF}, {}});
    picture.items.push_back({FilledRect{{60, 10, 90, 50}, 0xFF00FF00}, {}});
    picture.items.push_back({CellGrid{{20, 30, 40}, {20, 30}, {0xFF111111, 0xFF222222}, false}, {}});
    const Picture part = picture.part({20, 20, 55, 60});
    CHECK(part.width == 35);
    REQUIRE(part.items.size() == 2);
    CHECK(part.items[0].clip == PictureRect{0, 0, 35, 40});
    CHECK_FALSE(part.items[1].clip);
    CHECK(std::get<CellGrid>(part.items[1].shape).columns == std::vector<float>{0, 10, 20});
    CHECK(xml_fault(svg_text(part, "<&>")) == "");
    const Result<Image> pixels = pixels_of(part, 1);
    REQUIRE(pixels);
    CHECK(pixels->pixel(31, 5)[0] == 255); // behind the red one's edge: the ground
    CHECK(pixels->pixel(31, 5)[1] == 255);
    CHECK(pixels->pixel(25, 5)[0] == 255);
    CHECK(pixels->pixel(25, 5)[1] == 0);
    CHECK(pixels->pixel(15, 5)[0] == 0x22);
}
