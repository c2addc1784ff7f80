// A model that nobody trained, which reads what one of the fixtures' tokenizers cuts.
#pragma once

#include "app/session/session.h"
#include "engine/io/tokenizer_folder.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

namespace headlight::test {

inline std::shared_ptr<LoadedModel> model_cut_by(const std::string& tokenizer) {
    const Result<Tokenizers> read =
        read_tokenizers(std::string(HEADLIGHT_SOURCE_DIR "/tests/data/tokenizers/") + tokenizer);
    REQUIRE_MESSAGE(read, tokenizer);
    ModelFiles files;
    files.source = files.target = read->source;
    files.config.architecture = Architecture::decoder_only;
    files.config.d_model = 8;
    files.config.num_heads = 2;
    files.config.encoder_layers = 0;
    files.config.decoder_layers = 1;
    files.config.d_ff = 8;
    files.config.max_length = 40;
    files.config.source_vocab_size = files.config.target_vocab_size = files.source.vocabulary().size();
    files.parameters = declare_parameters(files.config);
    initialise(files.parameters, files.config, 7);
    std::shared_ptr<LoadedModel> model = assemble_model(std::move(files));
    model->name = tokenizer;
    return model;
}

} // namespace headlight::test
