#include "app/live/training_settings.h"

#include "app/session/strings.h"
#include "engine/train/recipes.h"

#include <doctest/doctest.h>

using namespace headlight;

namespace {

TrainingSettings changed(const std::string& name, const std::string& value,
                         TrainingSettings settings = settings_for("copy")) {
    Result<TrainingSettings> result = with_setting(std::move(settings), name, value);
    REQUIRE_MESSAGE(result, (name + " " + value));
    return *std::move(result);
}

std::string refusal(const std::string& name, const std::string& value) {
    const Result<TrainingSettings> result = with_setting(settings_for("copy"), name, value);
    return result ? "" : result.error().key;
}

} // namespace

TEST_CASE("a task begins with its recipe") {
    const TrainingSettings settings = settings_for("en-pt");
    const Recipe recipe = recipe_for("en-pt");
    CHECK(settings.sizes == recipe.sizes);
    CHECK(settings.options.schedule == recipe.training.schedule);
    CHECK(settings.options.batch_size == recipe.training.batch_size);
}

TEST_CASE("every setting is read back as it was written, and is offered only where it is possible") {
    for (const std::string& name : setting_names()) {
        const TrainingSettings settings = settings_for("copy");
        REQUIRE_FALSE(choices(settings, name).empty());
        for (const std::string& value : choices(settings, name)) {
            CAPTURE(name);
            CAPTURE(value);
            const TrainingSettings other = changed(name, value);
            CHECK(setting(other, name) == value);
            CHECK(check_settings(other));
        }
    }
}

TEST_CASE("numbers of any kind survive being written") {
    for (const char* value : {"0.0003", "0.00001", "1e+20", "3", "0", "0.1"}) {
        const TrainingSettings settings = changed("learning_rate", value);
        CHECK(changed("learning_rate", setting(settings, "learning_rate")) == settings);
    }
    CHECK(setting(changed("seed", "9007199254740991"), "seed") == "9007199254740991");
}

TEST_CASE("an impossible combination says which ones are possible") {
    const Result<TrainingSettings> five = with_setting(settings_for("copy"), "heads", "5");
    REQUIRE_FALSE(five);
    CHECK(five.error().key == "error.training_heads");
    CHECK(five.error().arguments == std::vector<std::string>{"64", "5", "1, 2, 4, 8, 16", "60", "65"});
    // What it advises is possible.
    for (const char* advised : {"60", "65"}) {
        TrainingSettings settings = settings_for("copy");
        REQUIRE(set_alone(settings, "heads", "5"));
        REQUIRE(set_alone(settings, "d_model", advised));
        CHECK(check_settings(settings));
    }
    for (const std::string& heads : choices(settings_for("copy"), "heads"))
        CHECK(with_setting(settings_for("copy"), "heads", heads));
}

TEST_CASE("what is no value of a setting is refused by its own reason") {
    CHECK(refusal("width", "3") == "error.training_setting");
    CHECK(refusal("positions", "spiral") == "error.training_choice");
    CHECK(refusal("batch", "many") == "error.not_a_number");
    CHECK(refusal("batch", "2.5") == "error.not_a_whole_number");
    CHECK(refusal("batch", "0") == "error.out_of_range");
    CHECK(refusal("dropout", "1") == "error.out_of_range");
    CHECK(refusal("learning_rate", "nan") == "error.not_a_number");
    CHECK(refusal("seed", "-1") == "error.out_of_range");
}

TEST_CASE("a model that is there keeps its sizes, and everything else can be chosen") {
    TrainingSettings settings = settings_for("copy");
    settings.start = StartFrom::model;
    const Result<TrainingSettings> wider = with_setting(settings, "d_model", "128");
    REQUIRE_FALSE(wider);
    CHECK(wider.error().key == "error.training_size_of_model");
    CHECK(with_setting(settings, "d_model", "64"));
    CHECK(choices(settings, "heads") == std::vector<std::string>{"4"});
    CHECK(changed("dropout", "0.3", settings).sizes.dropout == doctest::Approx(0.3));
}

TEST_CASE("every setting, and every word that it may be, explains itself in both languages") {
    const Result<Strings> strings = Strings::load(std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets");
    REQUIRE(strings);
    for (const std::string& language : strings->languages())
        for (const std::string& name : setting_names()) {
            CAPTURE(name);
            CHECK(strings->texts(language).contains("setting." + name));
            CHECK(strings->texts(language).contains("setting." + name + ".tip"));
            if (range_of(name).most > 0) continue;
            for (const std::string& word : choices(settings_for("copy"), name))
                CHECK(strings->texts(language).contains("setting." + name + "." + word));
        }
}
