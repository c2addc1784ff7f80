#include "tests/app/session/training/small_training.h"
#include "tests/support/temporary_folder.h"

#include <sstream>

using namespace headlight;

TEST_CASE("the window shows the newest weights while it trains, and the sentence is computed with them") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("source abc"));
    REQUIRE(session.execute("train start 20"));
    REQUIRE(session.execute("train wait 120"));
    REQUIRE(session.has_model());
    CHECK(session.training().shown);
    CHECK(session.training().step == 20);
    CHECK(session.question().source == "abc");
    const unsigned long version = session.version();
    const LoadedModel* model = &session.model();
    CHECK(weights_of(session.model()) == *session.training().training.run()->newest->weights);
    REQUIRE(session.execute("train step 3"));
    REQUIRE(session.execute("train wait 120"));
    CHECK(session.training().step == 23);
    CHECK(session.version() != version);
    CHECK(&session.model() == model); // weights are copied in; the graph stays
    CHECK(weights_of(session.model()) == *session.training().training.run()->newest->weights);
    CHECK_FALSE(session.view().notice);
}

TEST_CASE("the timeline gives back exactly the weights of each step, and live goes on to the newest") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("train start 30"));
    REQUIRE(session.execute("train wait 120"));
    const LiveTraining& training = session.training().training;
    for (const auto& [command, step] : std::vector<std::pair<std::string, Index>>{{"moment 7", 7},
                                                                                  {"moment +2", 9},
                                                                                  {"moment -3", 6},
                                                                                  {"moment first", 0},
                                                                                  {"moment -1", 0},
                                                                                  {"moment last", 30},
                                                                                  {"moment +5", 30},
                                                                                  {"moment 1000", 30},
                                                                                  {"moment 12", 12}}) {
        CAPTURE(command);
        REQUIRE(session.execute(command));
        CHECK(session.training().step == step);
        CHECK(weights_of(session.model()) == *training.checkpoint_near(step)->weights);
    }
    REQUIRE(session.execute("train start 5"));
    REQUIRE(session.execute("moment 12")); // scrubbing while it trains
    REQUIRE(session.execute("train wait 120"));
    CHECK(session.training().step == 12);
    REQUIRE(session.execute("moment live"));
    CHECK(session.training().step == 35);
}

TEST_CASE("the film shows every kept moment in order and ends at the last") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("train start 6"));
    REQUIRE(session.execute("train wait 120"));
    REQUIRE(session.execute("moment play"));
    CHECK(session.is_lively());
    std::vector<Index> seen{session.training().step};
    for (int frame = 0; frame < 100 && session.training().playing; ++frame) {
        session.advance(0.1);
        if (session.training().step != seen.back()) seen.push_back(session.training().step);
    }
    CHECK(seen == std::vector<Index>{0, 1, 2, 3, 4, 5, 6});
    CHECK_FALSE(session.is_lively());
}

TEST_CASE("the difference of two moments is that of every value, and of a moment with itself nothing") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("train start 30"));
    REQUIRE(session.execute("train wait 120"));
    REQUIRE(session.execute("source hello"));
    const auto values = [&](const std::string& path) {
        const Tensor& value = session.model().graph().find(path)->value;
        return Reals(value.data(), value.data() + value.size());
    };
    const std::string path = "encoder.0.self_attn.weights";
    REQUIRE(session.execute("moment 5"));
    const Reals at_5 = values(path);
    REQUIRE(session.execute("difference 5 30"));
    CHECK(session.training().step == 30);
    const Reals at_30 = values(path), difference = session.experiment().difference_of(path);
    REQUIRE(difference.size() == at_5.size());
    bool differs = false;
    for (std::size_t i = 0; i < at_5.size(); ++i) {
        CHECK(difference[i] == at_30[i] - at_5[i]);
        differs |= difference[i] != 0;
    }
    CHECK(differs);
    REQUIRE(session.execute("source other words")); // computed again with both
    CHECK(session.experiment().difference_of(path).size() == values(path).size());
    REQUIRE(session.execute("difference 30 30"));
    for (const StoryStep& step : session.model().story)
        for (const Real number : session.experiment().difference_of(step.node->path)) CHECK(number == 0);
    REQUIRE(session.execute("difference off"));
    CHECK(session.experiment().difference_of(path).empty());
}

TEST_CASE("a value over time is what each moment itself shows, and follows the sentence") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("train start 40"));
    REQUIRE(session.execute("train wait 120"));
    REQUIRE(session.execute("source hello"));
    const auto complete = [&] {
        for (int frame = 0; frame < 10'000 && !session.training().over_time->is_complete(); ++frame)
            session.advance(0.01);
        REQUIRE(session.training().over_time->is_complete());
        return session.training().over_time->values();
    };
    const std::string path = "decoder.0.cross_attn.weights";
    REQUIRE(session.execute("target hello")); // the same words at every moment
    REQUIRE(session.execute("over_time " + path + " 1"));
    session.advance(0.01);
    const auto heads = complete();
    CHECK(heads.size() == OverTime::pictures);
    CHECK(heads.begin()->first == 0);
    CHECK(heads.rbegin()->first == 40);
    REQUIRE(session.execute("over_time output.probabilities 0 2 5"));
    session.advance(0.01);
    const auto grown = complete();
    CHECK(grown.size() == 41);
    for (const Index step : {Index(0), heads.upper_bound(7)->first, Index(40)}) {
        REQUIRE(session.execute("moment " + std::to_string(step)));
        const Tensor& value = session.model().graph().find(path)->value;
        const Real* head = value.matrix(1);
        CHECK(heads.at(step) == Reals(head, head + value.rows() * value.columns()));
        CHECK(grown.at(step)
              == Reals{session.model().graph().find("output.probabilities")->value(0, 2, 5)});
    }
    REQUIRE(session.execute("target other"));
    session.advance(0.01);
    CHECK(complete() != grown);
    REQUIRE(session.execute("over_time off"));
    CHECK_FALSE(session.training().over_time);
    for (const char* wrong : {"over_time", "over_time nothing", "over_time output.probabilities 0 1",
                              "over_time output.probabilities 0 1 100000"})
        CHECK_FALSE(session.execute(wrong));
}

TEST_CASE("leaving the training brings back the model, the sentence and the target that were there") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("model translate-en-pt"));
    REQUIRE(session.execute("source You are welcome"));
    REQUIRE(session.execute("target De nada"));
    const std::string output = session.sentence().output;
    REQUIRE(session.execute("train start 2"));
    REQUIRE(session.execute("train wait 120"));
    CHECK(session.model().files.source.is_characters());
    REQUIRE(session.execute("source xyz"));
    REQUIRE(session.execute("train leave"));
    CHECK_FALSE(session.training().shown);
    CHECK(session.model().name == "translate-en-pt");
    CHECK(session.question().source == "You are welcome");
    CHECK(session.question().target == "De nada");
    CHECK(session.sentence().output == output);
    REQUIRE(session.execute("moment live")); // and back again
    CHECK(session.training().shown);
    REQUIRE(session.execute("model reverse"));
    CHECK_FALSE(session.training().shown);
    CHECK(session.model().name == "reverse");
}

TEST_CASE("training can start from the model on the screen, with its sizes and its vocabulary") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("model copy"));
    const Reals shipped = weights_of(session.model());
    REQUIRE(session.execute("train set start model"));
    REQUIRE(session.execute("train set batch 4"));
    REQUIRE(session.execute("train start 1"));
    REQUIRE(session.execute("train wait 120"));
    REQUIRE(session.execute("moment first"));
    CHECK(weights_of(session.model()) == shipped);
    REQUIRE(session.execute("moment last"));
    CHECK(weights_of(session.model()) != shipped);
    REQUIRE(session.execute("train leave"));
    CHECK(weights_of(session.model()) == shipped); // the opened model is not touched
}

TEST_CASE("what cannot be done says why, and changes nothing") {
    const auto opened = a_training_session();
    Session& session = *opened;
    for (const char* command :
         {"train", "train fly", "train set", "train set heads", "train set heads 3", "train task nonsense",
          "train start 0", "train start x", "train run 1", "train delete 1", "train wait x", "moment 3",
          "moment continue", "moment", "difference 1", "difference 1 2", "train set start model"}) {
        CAPTURE(command);
        CHECK_FALSE(session.execute(command));
        REQUIRE(session.view().notice);
        CHECK_FALSE(session.view().notice->text.starts_with('['));
        CHECK_FALSE(session.has_model());
    }
    CHECK(session.execute("train pause"));
    CHECK(session.execute("train leave"));
    CHECK(session.execute("difference off"));
}

TEST_CASE("what was opened waits as it was while a run is shown, and is what a saved session holds") {
    const TemporaryFolder folder;
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("model translate-en-pt"));
    REQUIRE(session.execute("source You are welcome"));
    REQUIRE(session.execute("second I am fine"));
    REQUIRE(session.execute("train start 2"));
    REQUIRE(session.execute("train wait 120"));
    REQUIRE(session.training().shown);
    REQUIRE(session.execute("source kuvo"));
    REQUIRE(session.execute("undo")); // of the run's own sentences
    CHECK(session.training().shown);
    REQUIRE(session.execute("source kuvo"));
    CHECK(session.opened().question().source == "You are welcome");
    CHECK(session.opened().question().model.filename() == "translate-en-pt");
    REQUIRE(session.execute("goto encoder.0.self_attn.weights"));
    REQUIRE(session.execute("save " + (folder / "session").string()));

    const auto another = a_training_session();
    REQUIRE(another->execute("open " + (folder / "session").string()));
    CHECK(another->model().name == "translate-en-pt");
    CHECK(another->question().source == "You are welcome");
    CHECK(another->question().second == "I am fine");
    CHECK(another->step().path() == "encoder.0.self_attn.weights");

    REQUIRE(session.execute("model reverse")); // undone, it is what was opened before, not the run
    REQUIRE(session.execute("undo"));
    CHECK(session.model().name == "translate-en-pt");
    CHECK(session.question().source == "You are welcome");
}

TEST_CASE("who enters the room of training keeps model and sentence until they ask for a run") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("model reverse"));
    REQUIRE(session.execute("source abc"));
    REQUIRE(session.execute("train start 3"));
    REQUIRE(session.execute("train wait 120"));
    REQUIRE(session.execute("train leave"));
    REQUIRE(session.execute("room train"));
    session.advance(0.1);
    CHECK(session.model().name == "reverse");
    CHECK(session.question().source == "abc");
    CHECK_FALSE(session.training().shown);
    REQUIRE(session.execute("train name my copy"));
    REQUIRE(session.execute("train run my copy"));
    session.advance(0.1);
    CHECK(session.training().shown);
    CHECK(session.model().name == "my copy");
    REQUIRE(session.execute("train name mine"));
    CHECK(session.model().name == "mine");
}

TEST_CASE("a deleted run stands to be brought back: by the notice's button, and by undo until another change") {
    const auto opened = a_training_session();
    Session& session = *opened;
    REQUIRE(session.execute("model reverse"));
    REQUIRE(session.execute("train start 3"));
    REQUIRE(session.execute("train wait 120"));
    const LiveTraining& training = session.training().training;
    REQUIRE(session.execute("train delete copy 1"));
    CHECK(training.runs().empty());
    REQUIRE(session.view().notice);
    CHECK(session.view().notice->command == "train undelete");
    REQUIRE(session.execute("undo"));
    CHECK(training.runs().size() == 1);
    CHECK_FALSE(session.view().notice);
    REQUIRE(session.execute("train leave"));
    REQUIRE(session.execute("source abc"));
    REQUIRE(session.execute("train delete 1"));
    REQUIRE(session.execute("source abcd"));
    REQUIRE(session.execute("undo")); // of the sentence
    CHECK(session.question().source == "abc");
    CHECK(training.runs().empty());
    REQUIRE(session.execute("train undelete"));
    CHECK(training.runs().size() == 1);
}

TEST_CASE("curves are written as a table, a line a step, whatever runs are called") {
    const TemporaryFolder folder;
    const auto opened = a_training_session();
    Session& session = *opened;
    CHECK_FALSE(session.execute("export curves " + (folder / "none.csv").string()));
    REQUIRE(session.execute("train set batch 64"));
    REQUIRE(session.execute("train start 40"));
    REQUIRE(session.execute("train wait 120"));
    REQUIRE(session.execute("train name one, \"quoted\""));
    CHECK_FALSE(session.execute("export curves " + (folder / "curves.npy").string()));
    REQUIRE(session.execute("export curves " + (folder / "curves.csv").string()));
    const std::string table = folder.read("curves.csv");
    CHECK(table.starts_with("run,step,loss,gradient_norm,learning_rate,held_out_loss,token_accuracy,"
                            "exact_match,seconds\n\"one, \"\"quoted\"\"\",1,"));
    CHECK(std::count(table.begin(), table.end(), '\n') == 41);
    const Run& run = *session.training().training.run();
    std::vector<std::string> lines;
    for (std::istringstream all(table); all;) std::getline(all, lines.emplace_back());
    REQUIRE_FALSE(run.judged.empty());
    const std::string judged = lines[std::size_t(run.judged.front().step)];
    CHECK(judged.find("," + exactly(run.judged.front().loss) + ",") != judged.npos);
    CHECK(lines[1].ends_with(",,,,"));
}
