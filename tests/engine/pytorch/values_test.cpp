#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"
#include "tests/engine/pytorch/reference.h"

#include <doctest/doctest.h>

using namespace headlight;
using namespace headlight::pytorch;

namespace {

std::vector<TokenId> ids_of(const nlohmann::json& tokens, const Tokenizer& tokenizer) {
    std::vector<TokenId> ids;
    for (const std::string token : tokens) {
        const std::optional<TokenId> id = tokenizer.vocabulary().find(token);
        REQUIRE_MESSAGE(id, "no such token: ", token);
        ids.push_back(*id);
    }
    return ids;
}

// A matrix of the file is a batch of one.
Shape shape_of(const Reference& reference) {
    const std::vector<Index>& s = reference.shape;
    REQUIRE((s.size() == 2 || s.size() == 3));
    return s.size() == 2 ? Shape{1, s[0], s[1]} : Shape{s[0], s[1], s[2]};
}

} // namespace

TEST_CASE("every named value of a forward pass is what PyTorch computes from the same folder") {
    const auto folders = folders_with("values.safetensors");
    REQUIRE(folders.size() == 6);
    for (const std::filesystem::path& folder : folders) {
        CAPTURE(folder.filename().string());
        ModelFiles model = read_model(folder);
        const ReferenceFile file(folder / "values.safetensors");
        const auto source = ids_of(file.metadata("source_tokens"), model.source);
        const auto target = ids_of(file.metadata("target_tokens"), model.target);

        const auto transformer = build_transformer(model.config, model.parameters);
        feed(transformer->map.source()->tokens, source, 1, Index(source.size()));
        feed(transformer->map.target()->tokens, target, 1, Index(target.size()));
        transformer->graph.forward();

        const std::vector<std::string> paths = file.names();
        // 4 + 2 of each embedding and stack output at least, 17 or 29 of each layer, 2 of the output
        CHECK(Index(paths.size()) >= 8 + 17 * model.config.encoder_layers + 29 * model.config.decoder_layers);
        for (const std::string& path : paths) {
            CAPTURE(path);
            const Reference reference = file.read(path);
            const Node* node = transformer->graph.find(path);
            REQUIRE(node);
            CHECK(to_string(node->shape()) == to_string(shape_of(reference)));
            CHECK(worst_difference(node->value.data(), reference) <= tolerance);
        }
    }
}
