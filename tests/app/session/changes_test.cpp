#include "app/session/changes.h"

#include "app/session/session.h"
#include "app/session/session_sweep.h"
#include "engine/inspect/landmarks.h"
#include "engine/tensor/random.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace headlight;

namespace {

const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";
const std::string tired = "The animal didn't cross the street because it was too tired";
const std::string wide = "The animal didn't cross the street because it was too wide";

std::unique_ptr<Session> a_session(const std::string& sentence = tired) {
    Result<Strings> strings = Strings::load(assets);
    REQUIRE(strings);
    auto session = std::make_unique<Session>(assets, *std::move(strings));
    REQUIRE(session->execute("model translate-en-pt"));
    REQUIRE(session->execute("source " + sentence));
    return session;
}

void run(Session& session, const std::string& command) {
    const Result<Done> done = session.execute(command);
    CHECK_MESSAGE(done, (command + ": " + (done ? "" : session.strings().text(done.error()))));
}

const Tensor& value(const Session& session, const std::string& path) {
    return session.model().graph().find(path)->value;
}

// Every number of the shown pass, as bits: NaNs too.
std::vector<std::uint32_t> bits(const Session& session) {
    std::vector<std::uint32_t> all;
    for (const Node& node : session.model().graph().nodes())
        for (Index i = 0; i < node.value.size(); ++i)
            all.push_back(std::bit_cast<std::uint32_t>(node.value.data()[i]));
    return all;
}

} // namespace

TEST_CASE("a silenced head is silent, and beside it stands the baseline") {
    const auto opened = a_session();
    Session& session = *opened;
    const std::vector<std::uint32_t> before = bits(session);
    const std::string output = session.sentence().output;
    CHECK(session.what_if().comparison() == nullptr);
    run(session, "change head encoder.0.self_attn 1 silence");
    const Tensor& heads = value(session, "encoder.0.self_attn.heads");
    for (Index i = 0; i < heads.rows() * heads.columns(); ++i) CHECK(heads.matrix(1)[i] == 0);
    const Comparison* comparison = session.what_if().comparison();
    REQUIRE(comparison);
    CHECK(comparison->before.output == output);
    CHECK(comparison->baseline->find("encoder.0.self_attn.heads")->value(1, 0, 0) != 0);
    CHECK(comparison->probability_before.size() == comparison->before.target_ids.size());
    double surprise = 0;
    for (const double p : comparison->probability_after)
        surprise -= std::log(p) / double(comparison->probability_after.size());
    CHECK(comparison->loss_after == doctest::Approx(surprise).epsilon(1e-4));
    CHECK(comparison->loss_after != comparison->loss_before);
    run(session, "change off 1");
    CHECK(session.what_if().comparison() == nullptr);
    CHECK(bits(session) == before);
    run(session, "change on 1");
    CHECK(bits(session) != before);
    run(session, "change delete 1");
    CHECK(bits(session) == before);
}

TEST_CASE("the baseline is fed what the changed model was fed, whatever it says") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, "change remove attention decoder.0.cross_attn");
    run(session, "change remove attention decoder.1.cross_attn");
    const Comparison* comparison = session.what_if().comparison();
    REQUIRE(comparison);
    CHECK(session.sentence().output != comparison->before.output); // it no longer reads the source
    const Tensor& fed = comparison->baseline->find("decoder.tokens")->value;
    REQUIRE(fed.rows() == Index(session.sentence().target_ids.size()));
    for (Index t = 0; t < fed.rows(); ++t)
        CHECK(TokenId(fed(0, t, 0)) == session.sentence().target_ids[std::size_t(t)]);
}

TEST_CASE("every way to write a change does what it says") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, "second " + wide);
    const auto fresh = [&](const std::string& command) {
        run(session, "changes clear");
        run(session, command);
        REQUIRE(session.what_if().fault(0) == nullptr);
    };
    const std::string attention = "encoder.1.self_attn";
    const auto weights = [&]() -> const Tensor& { return value(session, attention + ".weights"); };

    fresh("change head " + attention + " 2 uniform");
    CHECK(weights()(2, 3, 5) == doctest::Approx(1.0 / double(weights().columns())));
    fresh("change head " + attention + " all identity");
    CHECK(weights()(3, 4, 4) == 1);
    CHECK(weights()(0, 4, 3) == 0);
    fresh("change head " + attention + " 0 previous");
    CHECK(weights()(0, 4, 3) == 1);
    CHECK(weights()(0, 0, 0) == 1);
    fresh("change head " + attention + " 0 next");
    CHECK(weights()(0, 4, 5) == 1);
    fresh("change head " + attention + " 3 other");
    const Tensor& theirs = session.what_if().second_graph()->find(attention + ".weights")->value;
    CHECK(weights()(3, 7, 1) == theirs(3, 7, 1));
    CHECK(weights()(2, 7, 1) != theirs(2, 7, 1));
    fresh("change head " + attention + " 0 scale -2");
    const Graph& baseline = *session.what_if().comparison()->baseline;
    CHECK(value(session, attention + ".heads")(0, 2, 3)
          == -2 * baseline.find(attention + ".heads")->value(0, 2, 3));

    const auto same = [&](const std::string& path, const std::string& other) {
        const Tensor &a = value(session, path), &b = value(session, other);
        return std::equal(a.data(), a.data() + a.size(), b.data(), b.data() + b.size());
    };
    fresh("change remove scaling " + attention);
    CHECK(same(attention + ".scaled", attention + ".scores"));
    CHECK_FALSE(same("encoder.0.self_attn.scaled", "encoder.0.self_attn.scores"));
    fresh("change remove positions encoder");
    CHECK(same("encoder.embed.output", "encoder.embed.scaled"));
    fresh("change remove residual encoder.0.add1");
    CHECK(same("encoder.0.add1", "encoder.0.self_attn.output"));
    fresh("change remove norm decoder");
    CHECK(same("decoder.1.norm2", "decoder.1.add2"));
    CHECK_FALSE(same("encoder.1.norm2", "encoder.1.add2"));
    fresh("change remove ffn");
    CHECK(same("decoder.0.add3", "decoder.0.norm2"));
    fresh("change remove layer encoder.1");
    CHECK(same("encoder.1.norm2", "encoder.0.norm2"));

    fresh("change cell encoder.0.norm1 2 3 -7.5");
    CHECK(value(session, "encoder.0.norm1")(0, 2, 3) == -7.5f);
    fresh("change cell encoder.0.self_attn.w_q 2 3 inf");
    CHECK(std::isinf(value(session, "encoder.0.self_attn.w_q")(0, 2, 3)));
    fresh("change row encoder.embed.tokens 1 5");
    CHECK(value(session, "encoder.embed.tokens")(0, 1, 9) == value(session, "encoder.embed.tokens")(0, 5, 9));
    fresh("change mask encoder.mask all 3 forbid");
    CHECK(value(session, "encoder.0.self_attn.weights")(2, 6, 3) == 0);
    fresh("change mask decoder.self_mask 1 2 allow");
    CHECK(value(session, "decoder.0.self_attn.weights")(0, 1, 2) > 0);
    fresh("change patch encoder.0.norm2 10");
    const Tensor& wide_row = session.what_if().second_graph()->find("encoder.0.norm2")->value;
    CHECK(value(session, "encoder.0.norm2")(0, 10, 4) == wide_row(0, 10, 4));
    CHECK(value(session, "encoder.0.norm2")(0, 9, 4) != wide_row(0, 9, 4));
    fresh("change patch encoder.embed.output all");
    CHECK(session.sentence().output == session.what_if().second()->output);
    fresh("change scale output.logits 0");
    CHECK(value(session, "output.probabilities")(0, 0, 0) == doctest::Approx(1.0 / 412));
    fresh("change weight encoder.0.self_attn.w_q identity");
    CHECK(value(session, "encoder.0.self_attn.w_q")(0, 5, 5) == 1);
    fresh("change weight encoder.0.self_attn.w_k zero");
    CHECK(value(session, "encoder.0.self_attn.weights")(0, 3, 4)
          == doctest::Approx(1.0 / double(session.sentence().source_ids.size())));
    fresh("change weight decoder.0.ffn.w_1 random 3");
    const Real drawn = value(session, "decoder.0.ffn.w_1")(0, 0, 0);
    fresh("change weight decoder.0.ffn.w_1 random 4");
    CHECK(value(session, "decoder.0.ffn.w_1")(0, 0, 0) != drawn);
}

TEST_CASE("a token that is changed is called what it has become") {
    const auto opened = a_session();
    Session& session = *opened;
    const Vocabulary& words = session.model().files.source.vocabulary();
    run(session, "change cell encoder.tokens 10 0 " + std::to_string(*words.find("wide")));
    CHECK(session.sentence().source_labels[10] == "wide");
    CHECK(session.sentence().output == "O animal não atravessou a rua porque ela era larga demais");
    run(session, "changes clear");
    CHECK(session.sentence().source_labels[10] == "tired");
}

TEST_CASE("weights that are changed are changed in this pass only") {
    const auto opened = a_session();
    Session& session = *opened;
    const Parameters& parameters = session.model().files.parameters;
    const std::vector<Real> before(parameters.data(), parameters.data() + parameters.count());
    const unsigned long drawn = session.weights_version();
    run(session, "change head encoder.0.self_attn 0 silence");
    CHECK(session.weights_version() == drawn);
    run(session, "change weight encoder.0.self_attn.w_q random");
    CHECK(session.weights_version() != drawn); // what was drawn of them is out of date
    run(session, "change cell output.w 3 4 nan");
    const unsigned long changed = session.weights_version();
    run(session, "changes clear");
    CHECK(session.weights_version() != changed);
    run(session, "undo");
    CHECK(std::vector<Real>(parameters.data(), parameters.data() + parameters.count()) == before);
}

TEST_CASE("a change that cannot be is refused with a sentence, and changes nothing") {
    const auto opened = a_session();
    Session& session = *opened;
    const std::vector<std::uint32_t> before = bits(session);
    for (const char* wrong : {"change",
                              "change nothing",
                              "change head",
                              "change head encoder.0.self_attn 9 silence",
                              "change head encoder.0 0 silence",
                              "change head encoder.0.self_attn 0 twice",
                              "change head encoder.0.self_attn 0 other",
                              "change head encoder.0.self_attn -1 silence",
                              "change remove",
                              "change remove roof",
                              "change remove norm decoder.7",
                              "change cell encoder.0.norm1 0 0",
                              "change cell encoder.0.norm1 0 0 much",
                              "change cell encoder.0.norm1 0 64 1",
                              "change cell encoder.0.norm1 -1 0 1",
                              "change cell no.such 0 0 1",
                              "change cell encoder.tokens 0 0 320",
                              "change cell encoder.tokens 0 0 nan",
                              "change cell encoder.tokens 0 0 1.5",
                              "change cell output.chosen 0 0 412",
                              "change scale encoder.tokens 2",
                              "change row encoder.0.norm1 0 99",
                              "change mask encoder.0.norm1 0 0 forbid",
                              "change mask encoder.mask 0 0 perhaps",
                              "change patch encoder.0.norm1 0",
                              "change weight encoder.0.norm1 zero",
                              "change weight encoder.0.norm1.gamma identity",
                              "change weight output.w random much",
                              "change off 1",
                              "change delete",
                              "changes",
                              "changes away"}) {
        CAPTURE(wrong);
        CHECK_FALSE(session.execute(wrong));
        REQUIRE(session.state().notice);
        CHECK(session.state().notice->text.front() != '[');
        CHECK(session.state().changes.empty());
    }
    CHECK(bits(session) == before);
    CHECK_FALSE(session.strings().missing().size() > 0);
}

TEST_CASE("another number for the same cell, another use of a head, takes the place of the one before") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, "change cell encoder.0.norm1 0 0 1");
    run(session, "change head encoder.0.self_attn 0 silence");
    run(session, "change cell encoder.0.norm1 0 0 2");
    run(session, "change cell encoder.0.norm1 0 1 2");
    run(session, "change head encoder.0.self_attn 0 uniform");
    run(session, "change head encoder.0.self_attn 1 uniform");
    REQUIRE(session.state().changes.size() == 4);
    CHECK(session.state().changes[0].text == "cell encoder.0.norm1 0 0 2");
    CHECK(session.state().changes[1].text == "head encoder.0.self_attn 0 uniform");
}

TEST_CASE("a change that a shorter sentence has no cell for waits for a longer one") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, "change cell encoder.0.norm1 10 3 2");
    run(session, "source I am fine");
    REQUIRE(session.what_if().fault(0));
    CHECK(session.what_if().fault(0)->key == "error.no_such_cell");
    run(session, "source " + tired);
    CHECK(session.what_if().fault(0) == nullptr);
    CHECK(value(session, "encoder.0.norm1")(0, 10, 3) == 2);
    run(session, "second " + wide);
    run(session, "change patch encoder.0.norm1 3");
    run(session, "second off");
    REQUIRE(session.what_if().fault(1));
    CHECK(session.what_if().fault(1)->key == "error.no_second_sentence");
}

TEST_CASE("undo goes back to the very beginning, change by change, and redo to the end, to the same bits") {
    const auto opened = a_session();
    Session& session = *opened;
    std::vector<std::vector<std::string>> steps{session.as_commands()};
    std::vector<std::vector<std::uint32_t>> numbers{bits(session)};
    for (const char* command :
         {"change head encoder.0.self_attn 0 silence", "change cell encoder.0.norm1 0 0 1",
          "change cell encoder.0.norm1 0 0 2", "change off 1", "second I am fine",
          "change patch encoder.0.norm1 1", "target O animal", "changes off", "change on 2",
          "source You are welcome", "changes clear", "change remove norm", "model copy",
          "change remove scaling", "source abc"}) {
        run(session, command);
        steps.push_back(session.as_commands());
        numbers.push_back(bits(session));
    }
    for (std::size_t i = steps.size() - 1; i > 0; --i) {
        run(session, "undo");
        CHECK(session.as_commands() == steps[i - 1]);
        CHECK(bits(session) == numbers[i - 1]);
    }
    for (std::size_t i = 1; i < steps.size(); ++i) {
        run(session, "redo");
        CHECK(session.as_commands() == steps[i]);
        CHECK(bits(session) == numbers[i]);
    }
}

TEST_CASE("a saved session is opened to the same numbers, bit for bit") {
    const TemporaryFolder folder;
    const std::string file = (folder / "my lesson.headlight").string();
    const auto first = a_session();
    for (const char* command :
         {"change cell encoder.0.norm1 10 3 0.1", "change weight encoder.0.self_attn.w_q random 7",
          "change head decoder.0.cross_attn 1 scale 1.7", "change off 3", "target O animal não",
          "goto encoder.1.add1", "head 2", "select encoder.1.add1 1 2", "source The animal was too tired"})
        run(*first, command);
    run(*first, "second " + wide);
    run(*first, "change patch encoder.1.norm2 2");
    run(*first, "save " + file);

    Result<Strings> strings = Strings::load(assets);
    Session second(assets, *std::move(strings));
    run(second, "open " + file);
    CHECK(second.as_commands() == first->as_commands());
    CHECK(bits(second) == bits(*first));
    CHECK(second.state().changes.size() == 4);

    // Over another session it is one step, and undo brings that back.
    const auto third = a_session("I am fine");
    run(*third, "change remove norm encoder");
    const std::vector<std::string> before = third->as_commands();
    run(*third, "open " + file);
    CHECK(bits(*third) == bits(*first));
    run(*third, "undo");
    CHECK(third->state().changes.size() == 1);
    CHECK(third->state().source_text == "I am fine");
}

TEST_CASE("a session file that says something else is refused with its line, and nothing has happened") {
    const TemporaryFolder folder;
    const auto opened = a_session();
    Session& session = *opened;
    run(session, "change remove norm encoder");
    const std::vector<std::string> before = session.as_commands();
    const std::vector<std::uint32_t> numbers = bits(session);
    const std::string picture = (folder / "x.png").string();
    int count = 0;
    for (const std::string& bad : {std::string("screenshot ") + picture, std::string("save ") + picture,
                                   std::string("open ") + picture, std::string("change nonsense"),
                                   std::string("undo"), std::string("model /no/such")}) {
        CAPTURE(bad);
        const std::string file =
            folder.write("bad" + std::to_string(count++), "model copy\nsource abc\n# fine\n" + bad + "\n")
                .string();
        CHECK_FALSE(session.execute("open " + file));
        CHECK(session.state().notice->text.find("4") != std::string::npos);
        CHECK(session.as_commands() == before);
        CHECK(bits(session) == numbers);
    }
    CHECK_FALSE(session.execute("open " + (folder / "missing").string()));
    CHECK_FALSE(session.execute("open"));
    CHECK_FALSE(std::filesystem::exists(picture));
}

TEST_CASE("two thousand changes that nobody would make, with every kind of number: the session survives") {
    const auto opened = a_session("I am fine");
    Session& session = *opened;
    run(session, "second " + tired);
    Random random(5);
    std::vector<std::string> paths, attentions = attentions_of(session.model().graph());
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
    for (int i = 0; i < 2000; ++i) {
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
        if (session.state().changes.size() > 12) run(session, "changes clear");
    }
    CHECK(accepted > 700);
    run(session, "changes clear");
    run(session, "target");
    run(session, "source You are welcome");
    CHECK(session.sentence().output == "De nada");
}

TEST_CASE("patching the last word of the source, in any layer, turns ele into ela") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "second " + wide);
    CHECK(session.sentence().output == "O animal não atravessou a rua porque ele estava cansado demais");
    CHECK(session.what_if().second()->output == "O animal não atravessou a rua porque ela era larga demais");
    // The words stand for themselves: the vector of the 11th, "tired", alone is taken from "wide".
    for (const char* where : {"encoder.embed.output", "encoder.0.norm2", "encoder.1.norm2"}) {
        CAPTURE(where);
        run(session, "changes clear");
        run(session, std::string("change patch ") + where + " 10");
        CHECK(session.sentence().output.starts_with("O animal não atravessou a rua porque ela "));
        CHECK(session.what_if().comparison()->before.output.starts_with(
            "O animal não atravessou a rua porque ele "));
    }
}

TEST_CASE("the sweep finds that place: only the last word of the source decides between ele and ela") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    CHECK_FALSE(session.execute("sweep patch"));
    CHECK_FALSE(session.execute("sweep heads 0 zzzz"));
    CHECK_FALSE(session.execute("sweep heads 99 ela"));
    run(session, "second " + wide);
    run(session, "sweep patch"); // watches the first word that differs
    run(session, "sweep finish");
    REQUIRE(session.sweep());
    const Sweep& sweep = session.sweep()->sweep;
    CHECK(session.sweep()->word == "ela");
    CHECK(sweep.target().row == 7);
    CHECK(sweep.baseline() < 0.01);
    CHECK(sweep.done() == sweep.total());
    for (Index r = 0; r < Index(sweep.plan().rows.size()); ++r) {
        const bool in_encoder = sweep.plan().rows[std::size_t(r)].starts_with("encoder");
        for (Index position = 0; in_encoder && position < 12; ++position)
            CHECK((sweep.probabilities()(0, r, position) > 0.9) == (position == 10));
    }
    run(session, "change head encoder.0.self_attn 0 silence");
    CHECK(session.sweep() == nullptr); // of the values before
    run(session, "sweep heads 7 ele");
    REQUIRE(session.sweep());
    CHECK(session.sweep()->word == "ele");
    run(session, "sweep finish");
    CHECK(session.sweep()->sweep.total() == 24);
    run(session, "sweep off");
    CHECK(session.sweep() == nullptr);
}

TEST_CASE("a sweep that the command has not finished goes on between frames") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "sweep heads");
    for (int frame = 0; session.is_lively() && frame < 10000; ++frame) CHECK(session.advance(0.02));
    CHECK(session.sweep()->sweep.done() == 24);
    CHECK_FALSE(session.advance(0.02));
}
