#include "engine/base/giving_up.h"

#include "engine/model/config.h"
#include "engine/model/transformer.h"
#include "engine/task/pairs.h"
#include "engine/text/cutting.h"
#include "engine/train/training_run.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <string>

using namespace headlight;

namespace {

std::string many_lines(const char* second) {
    std::string text;
    for (int i = 0; i < 200; ++i)
        text += "the number " + std::to_string(i) + "\t" + (i % 2 ? second : "even") + "\n";
    return text;
}

std::unique_ptr<Task> made(Result<std::unique_ptr<Task>> task) {
    REQUIRE(task);
    return *std::move(task);
}

} // namespace

TEST_CASE("whatever is prepared of a large file is given up as soon as it is told, and never unasked") {
    const TemporaryFolder folder;
    const std::string file = folder.write("lines.tsv", many_lines("odd")).string();
    const std::atomic<bool> told = true, untold = false;
    const auto listens = [&](auto work) {
        {
            const ListenForGivingUp listening(told);
            CHECK_THROWS_AS(work(), GivenUp);
        }
        {
            const ListenForGivingUp listening(untold);
            work();
        }
        work(); // nobody listens any more
    };
    listens([&] { (void)parse_pairs(many_lines("odd")); });
    listens([&] { (void)make_own_task("sentiment", file, TokenizerKind::words); });
    listens([&] { (void)make_own_task("pairs", file, TokenizerKind::words); });
    for (const TokenizerKind unit : {TokenizerKind::words, TokenizerKind::characters, TokenizerKind::bpe})
        listens([&] { (void)make_own_task("next-word", file, unit, 300); });
    listens([&] { (void)train_byte_level_bpe(many_lines("odd"), 300); });
    const auto task = made(make_own_task("pairs", file, TokenizerKind::words));
    listens([&] { (void)make_tokenizers(*task); });
    const Tokenizers tokenizers = make_tokenizers(*task);
    ModelConfig config;
    config.source_vocab_size = tokenizers.source.vocabulary().size();
    config.target_vocab_size = tokenizers.target.vocabulary().size();
    listens([&] { (void)EncodedTask(*task, tokenizers, config); });
    TrainingState state;
    state.task = "pairs";
    ModelConfig sizes;
    sizes.d_model = 8, sizes.num_heads = 2, sizes.d_ff = 8, sizes.encoder_layers = sizes.decoder_layers = 1;
    listens([&] {
        (void)TrainingRun::begin(made(make_pairs_task("pairs", task->all_training())), sizes, 0, state);
    });
    const auto run = TrainingRun::begin(made(make_pairs_task("pairs", task->all_training())), sizes, 0, state);
    REQUIRE(run);
    listens([&] {
        const ModelFiles& model = (*run)->model();
        ModelFiles copy{model.config, declare_parameters(model.config), model.source, model.target};
        (void)TrainingRun::resume(made(make_pairs_task("pairs", task->all_training())), std::move(copy),
                                  state, {});
    });
}
