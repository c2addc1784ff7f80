#include "engine/inspect/region_cells.h"
#include "engine/tensor/random.h"
#include "tests/app/session/changed_session.h"
#include "tests/support/soak.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("changes by the hundred that nobody would make, with every kind of number: the session survives") {
    const auto opened = a_session("I am fine");
    Session& session = *opened;
    run(session, "second " + tired);
    Random random(5);
    std::vector<std::string> paths, attentions = attentions_of(session.model().map());
    for (const Node& node : session.model().graph().nodes()) paths.push_back(node.path);
    const auto one_of = [&](const std::vector<std::string>& all) {
        return all[std::size_t(random.below(Index(all.size())))];
    };
    const auto small = [&] { return std::to_string(random.below(14) - 1); };
    const std::vector<std::string> numbers = {"nan",   "-nan",   "inf",   "-inf",   "0",   "-0",
                                              "1e300", "-1e300", "1e-45", "3.4e38", "0.5", "-1",
                                              "7",     "0x1p3",  "",      "--1"};
    const std::vector<std::string> hows = {"silence",   "scale " + one_of(numbers),
                                           "scale nan", "scale inf",
                                           "uniform",   "identity",
                                           "previous",  "next",
                                           "other"};
    int accepted = 0;
    for (int i = 0; i < (soaks() ? 2000 : 700); ++i) {
        std::string command;
        switch (random.below(14)) {
        case 0:
            command = "change head " + one_of(attentions) + " " + small() + " " + one_of(hows);
            break;
        case 1:
            command = "change head " + one_of(attentions) + " all " + one_of(hows);
            break;
        case 2:
            command = "change remove "
                      + one_of({"scaling", "positions", "residual", "norm", "ffn", "attention", "layer"})
                      + " " + one_of({"", "all", "encoder", "decoder.0", "decoder.1.norm1"});
            break;
        case 3:
        case 4:
            command = "change cell " + one_of(paths) + " " + small() + " " + small() + " " + one_of(numbers);
            break;
        case 5:
            command = "change cell " + one_of(paths) + " " + small() + " " + small() + " " + small() + " "
                      + one_of(numbers);
            break;
        case 6:
            command = "change row " + one_of(paths) + " " + small() + " " + small();
            break;
        case 7:
            command = "change mask " + one_of({"encoder.mask", "decoder.self_mask", "decoder.cross_mask"})
                      + " " + one_of({"all", "0", "2"}) + " " + one_of({"all", "1", "3"}) + " "
                      + one_of({"allow", "forbid"});
            break;
        case 8:
            command = "change patch " + one_of(paths) + " " + one_of({"all", "0", "1", "2 7", "0 3"});
            break;
        case 9:
            command = "change scale " + one_of(paths) + " " + one_of(numbers);
            break;
        case 10:
            command =
                "change weight " + one_of(paths) + " " + one_of({"zero", "identity", "random", "random 9"});
            break;
        case 11:
            command =
                one_of({"source I am fine", "source", "source You are welcome zzz", "target Eu", "target"});
            break;
        case 12:
            command = one_of({"second off", "second ?", "second " + wide, "undo", "redo", "undo"});
            break;
        default:
            command = "change " + one_of({"on ", "off ", "delete ", "delete "}) + small();
            break;
        }
        CAPTURE(command);
        accepted += bool(session.execute(command));
        if (session.question().changes.size() > 12) run(session, "changes clear");
    }
    CHECK(accepted > (soaks() ? 700 : 240));
    run(session, "changes clear");
    run(session, "target");
    run(session, "source You are welcome");
    CHECK(session.sentence().output == "De nada");
}
