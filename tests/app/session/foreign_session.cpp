#include "tests/app/session/foreign_session.h"

#include "engine/tensor/random.h"

#include <array>

namespace headlight::test {

namespace {

Tokenizer tokenizer_of(const std::string& text) {
    const std::array<std::string, 1> texts = {text};
    return Tokenizer::words(texts);
}

} // namespace

std::shared_ptr<LoadedModel> foreign_loaded(const ForeignModel& foreign) {
    ModelFiles files;
    files.config.d_model = 8;
    files.config.num_heads = 4;
    files.config.d_ff = 6;
    files.config.max_length = 10;
    foreign.declare(files.parameters);
    files.parameters.allocate();
    Random random(7);
    for (Index i = 0; i < files.parameters.count(); ++i)
        files.parameters.data()[i] = Real(0.5 * random.normal());
    files.source = tokenizer_of("the cat saw a bird");
    files.target = files.source;
    std::shared_ptr<LoadedModel> model = assemble_model(files, foreign.build);
    for (const Stream& stream : model->map().streams)
        if (stream.vocabulary == 1) model->files.target = tokenizer_of("o gato viu um pássaro");
    model->name = foreign.name;
    model->examples = model->map().streams.empty() ? std::vector<std::string>()
                                                   : std::vector<std::string>{"the cat saw", "a bird"};
    return model;
}

} // namespace headlight::test
