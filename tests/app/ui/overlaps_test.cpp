// No text covers another, none leaves the window and none of the window's own is cut: in every room and page,
// at the sizes that people have, in both languages, with presenter type and without.
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"
#include "tests/support/soak.h"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace headlight;

namespace {

const std::map<std::string, std::string> places = {
    {"far", "closeup off\nroom explore\nstep first\nfit\n"},
    {"layer", "closeup off\nroom explore\nframe encoder.0\n"},
    {"step", "closeup off\nroom explore\nstep first\ngoto decoder.1.self_attn.weights\n"},
    {"asked", "closeup off\nroom explore\nselect decoder.1.cross_attn.scores 1 1 1\n"},
    {"step by itself", "closeup step\nroom explore\ngoto encoder.0.self_attn.weights\n"},
    {"workings", "room explore\ngoto encoder.0.self_attn.weights\ncloseup workings\n"},
    {"positions", "room explore\ncloseup positions\n"},
    {"word", "room explore\ngoto encoder.0.self_attn.scores\ncloseup word\nword words\nword step +9\n"},
    {"word as matrices", "room explore\ngoto encoder.0.self_attn.scores\ncloseup word\nword matrices\n"},
    {"life", "closeup off\nroom explore\nstep first\nfit\nfollow encoder 1\nwait 40\n"},
    {"life of what is written", "goto decoder.1.cross_attn.weights\nfollow decoder 1\nwait 40\n"},
    {"sweep", "follow off\nroom heads\nsweep heads\nsweep finish\nheads sweep\n"},
    {"train asked", "closeup off\nroom train\ndesk curves\nselect decoder.1.cross_attn.scores 1 1 1\n"},
    {"train", "closeup off\nroom train\ndesk settings\n"},
    {"heads", "room heads\nheads grid\n"},
    {"masks", "room heads\nheads masks\n"},
    {"words", "room heads\nheads words\nheads stop 3\nwait 60\n"},
    {"words at the beginning", "room heads\nheads words\nheads stop 0\nwait 60\n"},
    {"what if", "room whatif\nchange remove scaling all\nstep first\nfit\n"},
    {"said", "room say\nsay words\nsay pass 4\n"},
    {"drawn", "room say\nsay words\nsay draw\nsay top-k 3\nsay pass 2\n"},
    {"beams", "room say\nsay beams\nsay beam\nsay width 4\nsay pass all\n"},
    {"lanes", "room say\nsay plainly\nsay lanes\n"},
    {"forced lanes", "room say\nsay lanes\nsay mistaken\n"},
    {"cost", "room say\ntarget\nsay cost\n"},
    {"costs", "room costs\ncosts measured\ncosts show forward\n"},
    {"costs counted", "room costs\ncosts measured\ncosts show multiplications\n"},
    {"costs on paper", "room costs\ncosts paper\n"},
    {"times from afar", "step first\nfit\nprofile on\n"},
    {"times of a layer", "profile on\nframe encoder.0.self_attn\n"},
    {"times of a step", "profile on\ngoto encoder.0.self_attn.weights\n"},
    {"lesson", "room lesson\n"},
    {"lesson asked", "room lesson\nselect plain.output 0 1 0\n"},
    {"race", "room memory\nrace ready\nrace race\n"},
    {"own race", "room memory\nrace own\nrace race\n"},
    {"forgetting", "room memory\nrace ready\nrace forgetting\n"},
    {"cells", "room memory\nrace ready\nrace cells lstm\n"},
    {"cabinet", "room cabinet\n"},
    {"descent", "room descent\ndescent step 5\n"},
    {"descent of a line", "room descent\ndescent kind line\ndescent step 5\n"},
    {"descent of layers", "room descent\ndescent kind layers\ndescent step 5\n"},
    {"descent asked", "room descent\ndescent kind weight\nbackward on\nselect descent.w 0 0 0\n"},
    {"descent of the model", "descent of encoder.0.self_attn.w_q 0 0\n"},
    {"places", "room places\nplaces front 1\n"},
    {"places asked", "room places\nselect places.attention.1.weights 0 0 3\n"},
    {"norms", "room norms\nnorms show without\n"},
    {"norms with a longer sentence", "room norms\nnorms show with\n"},
    {"norms changed", "room norms\nnorms show change\n"},
    {"norms, nothing trained", "room norms\nnorms page trained\n"},
    {"norms trained", "room norms\nnorms page trained\nnorms task copy\nnorms steps 20\nnorms train start\n"
                      "norms train wait 60\n"},
    {"norms asked", "room norms\nnorms show without\nselect norms.batch 0 1 2\n"},
    {"cabinet asked", "room cabinet\nselect cabinet.weights 0 0 1\n"},
};

float share_covered(const ScreenRect& a, const ScreenRect& b) {
    const ScreenRect both = a.cut_to(b);
    if (both.empty()) return 0;
    const float least = std::min(a.width() * a.height(), b.width() * b.height());
    return both.width() * both.height() / least;
}

} // namespace

TEST_CASE("no text covers another or leaves the window, at any usual size, in both languages, for a "
          "projector too") {
    const int sizes[][2] = {{1280, 720}, {1366, 768}, {1600, 1000}, {1920, 1080}, {2560, 1440}};
    int turn = 0;
    for (const char* sentence :
         {"I am fine", "The animal didn't cross the street because it was too tired"}) {
        CanvasStage stage("translate-en-pt", 1280, 800);
        REQUIRE(stage.run(std::string("source ") + sentence) == "");
        for (const auto& [width, height] : sizes) {
            const bool is_short = sentence[0] == 'I';
            if (is_short && width != 1280 && width != 2560)
                continue; // the extremes say enough of a short one
            for (const std::string language : {"en", "pt"})
                for (const std::string presenter : {"off", "on"})
                    for (const auto& [name, lines] : places) {
                        // Every size, language and type, but not each with each.
                        const bool is_chosen = (turn++ + (language == "pt") + (presenter == "on")) % 3 == 0;
                        if (!is_chosen && !test::soaks()) continue;
                        const std::string size = std::to_string(width) + " " + std::to_string(height);
                        REQUIRE(stage.run("changes clear\nunselect\nprofile off\nlanguage " + language
                                          + "\npresenter " + presenter + "\nresize " + size + "\n" + lines)
                                == "");
                        std::vector<DrawnText> texts;
                        note_drawn_texts(&texts);
                        stage.frame(1);
                        note_drawn_texts(nullptr);
                        const std::string where = name + ", " + size + ", " + language + ", presenter "
                                                  + presenter + ", “" + sentence + "”";
                        for (std::size_t i = 0; i < texts.size(); ++i) {
                            const ScreenRect& a = texts[i].place;
                            if (a.min.x < -1 || a.max.x > float(width) + 1 || a.max.y > float(height) + 1)
                                FAIL_CHECK(where << ": out of the window: " << texts[i].text);
                            for (std::size_t j = 0; j < i; ++j)
                                if (share_covered(a, texts[j].place) > 0.15f)
                                    FAIL_CHECK(where << ": “" << texts[i].text << "” over “" << texts[j].text
                                                     << "”");
                        }
                    }
        }
    }
}
