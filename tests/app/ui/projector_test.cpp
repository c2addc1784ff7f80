// At a projector, in the little room that large type leaves: what is looked at keeps its words, axes, legend,
// numbers and controls; fewer things are shown, large, and the others are a click away.
#include "app/ui/base/theme.h"
#include "app/ui/closeup/frame.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace headlight;

namespace {

constexpr const char* ten_words = "source The cat didn't cross the street because it was tired";
constexpr float right_edge = 1280, bottom_edge = 720;

CanvasStage a_projector() {
    CanvasStage stage("translate-en-pt", int(right_edge), int(bottom_edge));
    REQUIRE(stage.run(std::string(ten_words) + "\npresenter on") == "");
    return stage;
}

std::vector<DrawnText> texts_of(Stage& stage, const std::string& lines) {
    REQUIRE(stage.run(lines) == "");
    std::vector<DrawnText> texts;
    note_drawn_texts(&texts);
    stage.frame(1);
    note_drawn_texts(nullptr);
    return texts;
}

const DrawnText* find_text(const std::vector<DrawnText>& texts, const std::string& wanted,
                           const ScreenRect& where) {
    for (const DrawnText& text : texts)
        if (text.text == wanted && where.contains(text.place.centre())) return &text;
    return nullptr;
}

bool is_in_window(const std::optional<ScreenRect>& rect) {
    return rect && rect->min.x >= 0 && rect->min.y >= 0 && rect->max.x <= right_edge
           && rect->max.y <= bottom_edge;
}

} // namespace

TEST_CASE("at a projector the positional encoding is one large picture, with axes and a legend") {
    CanvasStage stage = a_projector();
    for (const std::string language : {"en", "pt"}) {
        REQUIRE(stage.run("language " + language + "\nroom explore\ncloseup positions") == "");
        const std::string& position = stage.session().strings().text("positions.position");
        for (const auto& [picture, name] : {std::pair{"codes", "closeup.matrix"},
                                            {"curves", "closeup.curves"},
                                            {"distances", "closeup.distances"}}) {
            INFO(language << " " << picture);
            const auto texts = texts_of(stage, std::string("positions ") + picture);
            const auto there = stage.names().find(name);
            REQUIRE(is_in_window(there));
            CHECK(there->height() > 250);
            CHECK(there->width() > 250);
            CHECK(std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
                return text.text.starts_with(position) && there->contains(text.place.centre());
            }));
            if (std::string(picture) == "codes")
                for (const std::string& end : range_texts(-1, 1)) CHECK(find_text(texts, end, *there));
        }
        REQUIRE(stage.run("positions codes\nclick closeup.picture.1") == "");
        CHECK(stage.view().close_ups.picture == PositionsPicture::curves);
    }
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("at a projector a step by itself is one head, with its words, axes and legend") {
    CanvasStage stage = a_projector();
    for (const std::string language : {"en", "pt"}) {
        INFO(language);
        const auto texts = texts_of(
            stage, "language " + language + "\nhead all\ngoto encoder.0.self_attn.weights\ncloseup step");
        const auto result = stage.names().find("step.result");
        REQUIRE(is_in_window(result));
        for (const char* word : {"the", "didn't"}) CHECK(find_text(texts, word, *result));
        const Strings& s = stage.session().strings();
        CHECK(find_text(texts, s.text("story.axis.query") + " ↓", *result));
        CHECK(find_text(texts, s.text("story.axis.key") + " →", *result));
        REQUIRE(stage.run("click closeup.heads.2") == ""); // the others are a click away
        CHECK(stage.view().head == 2);
    }
    REQUIRE(stage.run("head all\npresenter off") == "");
    CHECK(stage.names().find("step.result.3")); // at a desk all of them stand side by side
}

TEST_CASE("at a projector one head's map comes before its lines: its numbers have two decimals") {
    CanvasStage stage = a_projector();
    for (const std::string language : {"en", "pt"})
        for (const char* sentence :
             {ten_words, "source The animal didn't cross the street because it was too tired"}) {
            INFO(language << " " << sentence);
            const auto texts = texts_of(stage, "language " + language + "\n" + sentence
                                                   + "\nroom heads\nheads lines off\n"
                                                     "heads open decoder.0.cross_attn 0");
            const auto map = stage.names().find("map.cells");
            REQUIRE(is_in_window(map));
            const auto in_map = [&](const DrawnText& text) { return map->contains(text.place.centre()); };
            int hundredths = 0, tenths = 0;
            for (const DrawnText& text : texts) {
                const std::size_t point = text.text.find_first_of(".,");
                if (!in_map(text) || point == std::string::npos || text.text.size() > 4) continue;
                ++(text.text.size() - point > 2 ? hundredths : tenths);
                CHECK(text.place.height() >= faces().mono_cell.size * 0.6f); // of the figures
            }
            CHECK(hundredths > 100);
            CHECK(tenths == 0);
            REQUIRE(stage.run("heads lines on") == ""); // a click away, in the list
            CHECK_FALSE(stage.names().find("map.cells"));
            CHECK(is_in_window(stage.names().find("lines.key.0")));
        }
    REQUIRE(stage.run("presenter off") == ""); // at a desk both stand side by side
    CHECK(stage.names().find("map.cells"));
    CHECK(stage.names().find("lines"));
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("at a projector numbers that are worked out keep a decimal, and a followed word its legend") {
    CanvasStage stage = a_projector();
    for (const char* path : {"encoder.0.self_attn.scores", "encoder.0.self_attn.weights"}) {
        INFO(path);
        REQUIRE(stage.run(std::string("room explore\ngoto ") + path + "\ncloseup workings") == "");
        const auto first = stage.names().cell_centre("workings.strip.0", 0, 0),
                   second = stage.names().cell_centre("workings.strip.0", 0, 1);
        REQUIRE(first);
        REQUIRE(second);
        CHECK(second->x - first->x >= least_numbered_width() - 1);
    }
    for (const std::string where : {"goto encoder.0.self_attn.scores\n", "lesson open 05-six-steps\n"}) {
        REQUIRE(stage.run(where + "head 0\ncloseup word\nword words\nword 0\nword step +9") == "");
        CHECK(is_in_window(stage.names().find("word.legend")));
        const auto query = stage.names().find("word.q"), keys = stage.names().find("word.k"),
                   sum = stage.names().find("word.sum");
        REQUIRE(is_in_window(query));
        REQUIRE(is_in_window(sum));
        REQUIRE(keys);
        CHECK(query->max.y < keys->min.y);
        REQUIRE(stage.run("word matrices") == "");
        const auto weights = stage.names().find("word.matrix.weights");
        REQUIRE(is_in_window(weights));
        CHECK(weights->height() > 200);
        CHECK_FALSE(stage.names().find("word.matrix.scores")); // an earlier step's
    }
}

TEST_CASE("at a projector a sweep is in sight as a whole, and so are a held number's first terms") {
    CanvasStage stage = a_projector();
    for (const std::string language : {"en", "pt"}) {
        INFO(language);
        REQUIRE(stage.run("language " + language + "\nroom heads\nheads sweep\nsweep heads\nsweep finish")
                == "");
        // Chips, or where they have no room in one line a list.
        const char* kind = stage.names().find("sweep.kind.0") ? "sweep.kind.0" : "sweep.kind";
        for (const char* name : {kind, "sweep.word", "sweep.scale", "sweep.0.0", "sweep.5.3"}) {
            INFO(std::string(name));
            const auto there = stage.names().find(name);
            REQUIRE(is_in_window(there));
        }
        const auto page = stage.names().find("page");
        REQUIRE(page);
        CHECK(page->contains(stage.names().find("sweep.5.3")->max));
        REQUIRE(stage.run("room explore\ncloseup off\nselect decoder.1.cross_attn.scores 1 1 1") == "");
        const auto panel = stage.names().find("asking");
        REQUIRE(panel);
        for (const char* name : {"ask.term.0.0.0", "ask.release", "ask.value"}) {
            INFO(name);
            const auto there = stage.names().find(name);
            REQUIRE(there);
            CHECK(panel->contains(there->min));
            CHECK(panel->contains(there->max));
        }
        REQUIRE(stage.run("room train\ndesk curves") == "");
        for (const char* name : {"train.start", "train.step", "train.reset", "ask.value"}) {
            INFO(name);
            CHECK((is_in_window(stage.names().find(name)) || std::string(name) == "train.reset"));
        }
        REQUIRE(stage.run("unselect") == "");
        const auto start = stage.names().find("train.start");
        REQUIRE(is_in_window(start));
        REQUIRE(stage.run("select decoder.1.cross_attn.scores 1 1 1") == "");
        CHECK(stage.names().find("train.start")->min.y == start->min.y); // it does not jump
        REQUIRE(stage.run("unselect") == "");
    }
}

TEST_CASE("from afar a projector has its legend, which says what is drawn and nothing else") {
    CanvasStage stage = a_projector();
    for (const std::string language : {"en", "pt"})
        for (const std::string presenter : {"on", "off"}) {
            INFO(language << " presenter " << presenter);
            const Strings& s = stage.session().strings();
            const auto texts = texts_of(stage, "language " + language + "\npresenter " + presenter
                                                   + "\nroom explore\nstep first\nfit");
            const auto legend = stage.names().find("canvas.legend");
            REQUIRE(is_in_window(legend));
            const auto says = [&](const std::vector<DrawnText>& all, const char* key) {
                return std::any_of(all.begin(), all.end(), [&](const DrawnText& text) {
                    return s.text(key).starts_with(text.text) && text.text.size() > 5
                           && stage.names().find("canvas.legend")->contains(text.place.centre());
                });
            };
            CHECK(says(texts, "figure.shares"));
            CHECK(says(texts, "figure.numbers"));
            CHECK_FALSE(says(texts, "figure.changed"));
            const auto changed = texts_of(stage, "room whatif\nchange remove scaling all\nfit");
            REQUIRE(stage.names().find("canvas.legend"));
            CHECK(says(changed, "figure.changed"));
            REQUIRE(stage.run("changes clear") == "");
        }
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("the small map covers no box's name") {
    for (const char* presenter : {"off", "on"})
        for (const char* layer : {"encoder.0", "encoder.1", "decoder.0", "decoder.1"}) {
            CanvasStage stage = a_projector();
            INFO(presenter << " " << layer);
            const auto texts =
                texts_of(stage, std::string("presenter ") + presenter + "\nroom explore\nframe " + layer);
            const auto map = stage.names().find("canvas.map");
            if (!map) continue;
            for (const char* kind : {"embed", "self_attn", "add_norm", "ffn", "cross_attn"}) {
                const std::string name = stage.session().strings().text(std::string("story.block.") + kind);
                for (const DrawnText& text : texts)
                    if (text.text == name) CHECK(text.place.cut_to(*map).empty());
            }
        }
}

TEST_CASE("at a projector the first lesson's numbers are rounded alike, and axes stand beside their titles") {
    CanvasStage stage = a_projector();
    for (const std::string language : {"en", "pt"}) {
        INFO(language);
        const auto texts = texts_of(stage, "language " + language + "\nroom lesson");
        const Strings& s = stage.session().strings();
        for (const char* matrix : {"lesson.scores", "lesson.weights"}) {
            const auto place = stage.names().find(matrix);
            REQUIRE(place);
            for (const DrawnText& text : texts) {
                const std::size_t point = text.text.find('.');
                const bool is_number = text.text.find_first_not_of("−.0123456789") == std::string::npos;
                if (!is_number || point == std::string::npos || !place->contains(text.place.centre()))
                    continue;
                CAPTURE(text.text);
                CHECK(text.text.size() - point == 3);
            }
        }
        const auto of_pairs = [&](const DrawnText& text) {
            return text.text.find(s.text("story.axis.query")) != std::string::npos
                   && text.text.find(s.text("story.axis.key")) != std::string::npos;
        };
        CHECK(std::count_if(texts.begin(), texts.end(), of_pairs) == 2);
        for (const char* control : {"lesson.projections", "lesson.scaled"})
            CHECK(is_in_window(stage.names().find(control)));
    }
}

TEST_CASE("the held row of two sentences is named where labels are thinned, and masks are 0 and −∞") {
    CanvasStage stage = a_projector();
    const auto texts = texts_of(stage, "second The dog sat\nroom heads\nheads pair\n"
                                       "heads follow decoder 1 1\nheads pair maps");
    const auto first = stage.names().find("pair.cells.first");
    REQUIRE(first);
    CHECK(find_text(texts, "O", *first));
    const auto masks = texts_of(stage, "heads masks");
    const auto mask = stage.names().find("mask.encoder.mask");
    if (mask) {
        CHECK(find_text(masks, "0", *mask));
        CHECK_FALSE(find_text(masks, "0.00", *mask));
    }
}

TEST_CASE("a head is named close above its map, however short the words are") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    const auto texts = texts_of(stage, "source cat\nroom explore\ngoto encoder.0.self_attn.weights");
    const std::string name = stage.session().strings().text("story.head_number", {"1"});
    const auto title =
        std::find_if(texts.begin(), texts.end(), [&](const DrawnText& text) { return text.text == name; });
    REQUIRE(title != texts.end());
    const auto cell = stage.names().cell_centre("encoder.0.self_attn.weights.0", 0, 0),
               below = stage.names().cell_centre("encoder.0.self_attn.weights.0", 1, 0);
    REQUIRE(cell);
    REQUIRE(below);
    const float top = cell->y - (below->y - cell->y) / 2;
    CHECK(title->place.max.y <= top);
    CHECK(top - title->place.max.y < 3.5f * faces().caption.size);
}

TEST_CASE("a list that opens shows it, and a sentence longer than its field that it goes on") {
    for (const std::string language : {"en", "pt"}) {
        CanvasStage stage = a_projector();
        const auto texts = texts_of(stage, "language " + language + "\nroom lesson");
        const auto rooms = stage.names().find("places");
        REQUIRE(rooms);
        CHECK(std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
            return rooms->contains(text.place.centre()) && text.text.ends_with("▾");
        }));
        const auto explored = texts_of(stage, "room explore");
        const auto field = stage.names().find("source");
        REQUIRE(field);
        CHECK(find_text(explored, "…", *field));
    }
}

TEST_CASE("a name is close to its own point alone, or at the end of a line") {
    const ScreenRect plane = ScreenRect::at(0, 0, 300, 300);
    std::vector<ScreenRect> taken;
    const ImVec2 points[] = {{150, 150}, {158, 150}, {150, 158}, {158, 158}};
    for (const ImVec2 at : points) taken.push_back(ScreenRect::at(at.x - 4, at.y - 4, 8, 8));
    for (const ImVec2 at : points) {
        const ScreenRect name = free_place(taken, at, {40, 14}, plane, 7);
        for (const ScreenRect& other : taken) CHECK(name.cut_to(other).empty());
        if (!leader(name, at, 7))
            for (const ImVec2 rival : points)
                if (rival.x != at.x || rival.y != at.y) CHECK_FALSE(name.inset(-4).contains(rival));
        taken.push_back(name);
    }
}
