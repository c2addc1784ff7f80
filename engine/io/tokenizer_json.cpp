#include "engine/io/tokenizer_json.h"

#include "engine/io/file.h"
#include "engine/io/tokenizer_part.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr Index longest_tokenizer_json = 64'000'000; // bytes; the largest vocabularies in use take a third

bool is_cut_into_characters(const TokenizerParts& parts) {
    const std::vector<PreTokenization>& steps = parts.pre_tokenizer;
    return std::find(steps.begin(), steps.end(), PreTokenization(Splitting::characters)) != steps.end();
}

// Words without a decoder are joined in a way of their own; so are characters, and what is only fused.
void settle_joining(TokenizerParts& parts) {
    if (!std::holds_alternative<WordLevel>(parts.model)) return;
    const bool fuses = parts.decoder == std::vector<Decoding>{{Decoding::Kind::fuse}};
    parts.joins_directly = fuses || is_cut_into_characters(parts);
    if (parts.joins_directly && fuses) parts.decoder.clear();
}

} // namespace

Result<Tokenizer> tokenizer_from_json(std::string_view text, const std::string& file) {
    TokenizerRows rows = {{"/model/vocab", {}}, {"/model/merges", {}}};
    const Result<nlohmann::json> tree = parse_json(text, file, rows);
    if (!tree) return tree.error();
    TokenizerFaults faults(file);
    const TokenizerPart root(*tree, "", faults);
    if (!tree->is_object()) {
        faults.refuse("{…}", *tree);
        return *faults.first();
    }
    TokenizerParts parts;
    read_normalizer(root["normalizer"], parts.normalizer);
    read_pre_tokenizer(root["pre_tokenizer"], parts.pre_tokenizer);
    read_decoder(root["decoder"], parts.decoder);
    check_growth(parts.normalizer, faults);
    check_growth(parts.pre_tokenizer, faults);
    check_growth(parts.decoder, faults);
    if (!faults.first()) read_token_model(root, rows, parts);
    if (!faults.first()) read_post_processor(root["post_processor"], parts.vocabulary, parts.post_processor);
    if (faults.first()) return *faults.first();
    settle_joining(parts);
    return Tokenizer(std::move(parts));
}

Result<Tokenizer> read_tokenizer(const std::filesystem::path& path) {
    const Result<std::string> text = read_file(path, longest_tokenizer_json);
    if (!text) return text.error();
    return tokenizer_from_json(*text, path.string());
}

} // namespace headlight
