#include "engine/train/recipes.h"

#include "engine/io/model_folder.h"
#include "engine/model/transformer.h"
#include "engine/task/task.h"
#include "engine/task/tasks.h"

#include <doctest/doctest.h>

using namespace headlight;

TEST_CASE("the presets have as many weights as torch.nn.Transformer of the same sizes") {
    const auto count = [](const char* name) { return declare_parameters(find_preset(name)->sizes).count(); };
    CHECK(count("tiny") == 239'904);
    CHECK(count("small") == 950'848);
    CHECK(count("paper") == 45'677'544);
    for (const std::string& name : preset_names()) CHECK(find_preset(name));
    CHECK_FALSE(find_preset("huge"));
}

TEST_CASE("every task has a recipe that makes a model") {
    std::vector<std::string> tasks = task_names();
    tasks.insert(tasks.end(), memory_task_names().begin(), memory_task_names().end());
    for (const std::string& task : tasks) {
        Recipe recipe = recipe_for(task);
        recipe.sizes.source_vocab_size = recipe.sizes.target_vocab_size = 10;
        CHECK(check_config(recipe.sizes, task));
        CHECK(recipe.steps > 0);
        CHECK(recipe.training.batch_size > 0);
    }
    CHECK(recipe_for("a file of mine").steps == recipe_for("pairs").steps);
}
