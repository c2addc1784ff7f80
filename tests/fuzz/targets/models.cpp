// Model folders, our own and those of the families: config.json, weights and tokenizers together.
#include "tests/fuzz/folder_input.h"
#include "tests/fuzz/sessions.h"
#include "tests/fuzz/targets.h"

#include "engine/io/model_folder.h"

namespace headlight::fuzz {

namespace {

const std::vector<std::string> config_words = {"\"architecture\": \"encoder-decoder\"",
                                               "\"encoder-only\"",
                                               "\"decoder-only\"",
                                               "\"rnn\"",
                                               "\"lstm\"",
                                               "\"gru\"",
                                               "\"rnn-fixed\"",
                                               "\"rnn-attention\"",
                                               "\"head\": \"classes\"",
                                               "\"labels\": [\"a\", \"b\"]",
                                               "\"norm\": \"batch\"",
                                               "\"norm_position\": \"pre\"",
                                               "\"positional_encoding\": \"learned\"",
                                               "\"final_norm\": true",
                                               "\"model_type\": \"gpt2\"",
                                               "\"bert\"",
                                               "\"distilbert\"",
                                               "\"llama\"",
                                               "\"qwen2\"",
                                               "\"marian\"",
                                               "\"rope_scaling\": {\"type\": \"linear\"}",
                                               "\"rope_theta\": 1e308",
                                               "\"head_dim\": 3",
                                               "\"num_key_value_heads\": 0",
                                               "\"vocab_size\": 4000000",
                                               "\"pad_token_id\": -1",
                                               "\"eos_token_id\": [1, 2]",
                                               "\"quantization_config\": {}",
                                               "\"layer_norm_eps\": 0",
                                               "\"max_position_embeddings\": 9223372036854775807",
                                               "\"num_labels\": 3",
                                               "\"id2label\": {\"0\": \"x\"}"};

void read_config_text(std::string_view input, const Judge& judge) {
    const std::string name = "config.json";
    (void)names_architecture(input);
    if (const auto config = config_from_json(input, name); judge.accepts(config, name))
        (void)judge.accepts(check_config(*config, name), name);
    if (!family_in_config(input).empty()) {
        FamilySurroundings around;
        around.generation = std::string(input);
        (void)judge.accepts(family_from_config(input, name, around), name);
    }
}

void open_folder(std::string_view input, const Judge& judge) {
    static InputFolder folder;
    const std::filesystem::path& path = folder.holding(input);
    Session& session = session_without_model("models");
    if (!judge.accepts(session.execute("model " + path.string()), path.string())) return;
    // What a person does next.
    for (const char* line :
         {"source the animal 1 2 3 ab", "step last", "head all", "backward on", "closeup tokens"})
        (void)judge.accepts(session.execute(line));
    (void)session.advance(0.1);
    for (const char* line : {"backward off", "closeup off", "changes clear"}) (void)session.execute(line);
}

} // namespace

Target config_target() {
    return {.name = "config",
            .has_json = true,
            .examples = {"tests/data/families/gpt2/config.json",
                         "tests/data/families/bert_classes/config.json",
                         "tests/data/families/distilbert_classes/config.json",
                         "tests/data/families/llama_grouped/config.json",
                         "tests/data/families/llama_new_spelling/config.json",
                         "tests/data/families/marian/config.json", "tests/data/families/qwen2/config.json",
                         "assets/models/copy/config.json", "assets/models/sentiment/config.json"},
            .words = config_words,
            .read = read_config_text,
            .runs = 2000};
}

Target model_target() {
    return {.name = "model",
            .takes_folder = true,
            .has_json = true,
            .examples = {"tests/data/families/*"},
            .words = config_words,
            .read = open_folder,
            .runs = 150};
}

} // namespace headlight::fuzz
