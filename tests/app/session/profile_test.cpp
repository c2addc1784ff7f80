// Where the time goes: measured while it is looked at, and then only; what it adds up to.
#include "app/session/session.h"
#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <string>

using namespace headlight;

namespace {

constexpr ProfilePart profile_parts[] = {ProfilePart::both, ProfilePart::forward, ProfilePart::backward};

double sum_of_rows(const Profile& profile, ProfilePart part) {
    double sum = 0;
    for (const OperationCost& cost : profile.operations(part)) sum += work_of(cost, part).seconds;
    return sum;
}

double sum_of_values(const Profile& profile, const Graph& graph, ProfilePart part) {
    double sum = 0;
    for (const Node& node : graph.nodes()) sum += profile.seconds_of(node, part);
    return sum;
}

} // namespace

TEST_CASE("the times of kinds of operations and those of the values add up to the same") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session, {"profile on", "profile finish"});
    const Profile& profile = *session.experiment().profile();
    REQUIRE(profile.is_over());
    CHECK(profile.has_backward());
    Index nodes = 0;
    for (const OperationCost& cost : profile.operations(ProfilePart::both)) nodes += cost.nodes;
    CHECK(profile.total().nodes == nodes);
    for (const ProfilePart part : profile_parts) {
        const double total = work_of(profile.total(), part).seconds;
        CHECK(total > 0);
        CHECK(sum_of_rows(profile, part) == doctest::Approx(total).epsilon(1e-9));
        CHECK(sum_of_values(profile, session.model().graph(), part) == doctest::Approx(total).epsilon(1e-9));
        double before = total; // the dearest first, which has the dearest value or another
        for (const OperationCost& cost : profile.operations(part)) {
            CHECK(work_of(cost, part).seconds <= before);
            before = work_of(cost, part).seconds;
            const Node* dearest = profile.dearest(cost.operation, part);
            REQUIRE(dearest);
            CHECK(dearest->op->name() == cost.operation);
            CHECK(profile.seconds_of(*dearest, part) <= profile.longest(part));
        }
    }
    CHECK(profile.products_alone() > 0);
    CHECK(profile.seconds_of(*session.find("encoder.0.self_attn.w_q"), ProfilePart::both) == 0); // a weight
    CHECK(profile.dearest("no such operation", ProfilePart::both) == nullptr);
}

TEST_CASE("nothing is measured while nobody looks; to look changes no number and is nothing to undo") {
    const auto opened = test::a_session();
    Session& session = *opened;
    session.advance(0.01);
    const auto before = test::bits(session);
    const bool could_undo = session.can_undo();
    const unsigned long version = session.version();
    CHECK(session.experiment().profile() == nullptr);
    test::run(session, "profile on");
    CHECK(session.is_moving()); // the next frame measures
    session.advance(0.01);
    REQUIRE(session.experiment().profile());
    for (int frames = 0; session.is_moving() && frames < 1000; ++frames) session.advance(0.01);
    CHECK(session.experiment().profile()->is_over());
    CHECK(session.model().graph().times == nullptr); // but in a pass that is timed
    CHECK(test::bits(session) == before);
    CHECK(session.version() == version);
    CHECK(session.can_undo() == could_undo);
    test::run(session, "room heads"); // where no canvas is
    CHECK(session.experiment().profile() == nullptr);
    session.advance(0.01);
    CHECK(session.experiment().profile() == nullptr);
    test::run(session, "profile toggle"); // it was not seen: now it is
    CHECK(session.view().room == Room::explore);
    test::run(session, {"profile finish", "closeup step"}); // it stands in the place of the canvas
    CHECK(session.experiment().profile() == nullptr);
    test::run(session, {"closeup off", "profile finish"});
    CHECK(session.experiment().profile());
    test::run(session, "profile off");
    CHECK(session.experiment().profile() == nullptr);
    CHECK_FALSE(session.is_moving());
    CHECK_FALSE(session.execute("profile sideways"));
}

TEST_CASE("another sentence, model or change is measured anew; gradients are those of what is shown") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session, {"profile on", "profile finish"});
    const double few = session.experiment().profile()->total().forward.floating_point_operations;
    test::run(session, ("source " + test::tired).c_str());
    CHECK(session.experiment().profile() == nullptr);
    session.advance(0.01);
    REQUIRE(session.experiment().profile());
    CHECK(session.experiment().profile()->total().forward.floating_point_operations > 2 * few);
    CHECK(session.model().graph().differentiated() == session.model().map().output.loss);
    test::run(session, "change head encoder.0.self_attn 0 silence");
    CHECK(session.experiment().profile() == nullptr);
    const auto changed = test::bits(session);
    test::run(session, "profile finish");
    CHECK(test::bits(session) == changed);
    test::run(session, "profile again");
    CHECK(session.experiment().profile() == nullptr);
    test::run(session, {"profile finish", "model sentiment"});
    CHECK(session.experiment().profile() == nullptr);
    test::run(session, "profile finish");
    CHECK(session.experiment().profile()->passes() > 0);
}

TEST_CASE("without a loss the forward pass alone is timed, and stands for both") {
    const auto opened = test::a_session("I am fine");
    auto& model = *const_cast<LoadedModel*>(&opened->model());
    Profile profile(model.graph(), nullptr);
    while (profile.advance(0.001)) {
    }
    CHECK(profile.is_over());
    CHECK_FALSE(profile.has_backward());
    for (const ProfilePart part : profile_parts) CHECK(profile.measured(part) == ProfilePart::forward);
    CHECK(profile.total().backward.seconds == 0);
    CHECK(profile.total().forward.seconds > 0);
    CHECK(profile.products_alone() == 0);
}

TEST_CASE("a saved session shows the times again") {
    const auto opened = test::a_session("I am fine");
    test::run(*opened, {"profile on", "profile backward"});
    std::string lines;
    for (const std::string& line : opened->as_commands()) lines += line + "\n";
    const auto again = test::a_session("I am fine");
    REQUIRE(again->replay(lines, "saved"));
    CHECK(again->view().profile == ProfileView{true, ProfilePart::backward});
    CHECK(again->view().room == Room::explore);
    CHECK_FALSE(again->commands().check_replayable("profile finish"));
    test::run(*again, "profile off");
    REQUIRE(again->replay("profile both", "nothing"));
    CHECK(again->view().profile == ProfileView{});
}
