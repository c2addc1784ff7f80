#include "engine/io/tokenizer_json.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using nlohmann::json;

class ModelReader {
public:
    ModelReader(const TokenizerPart& root, TokenizerRows& rows, TokenizerParts& parts)
        : root_(root),
          model_(root["model"]),
          faults_(root.faults()),
          vocab_(rows["/model/vocab"]),
          merges_(rows["/model/merges"]),
          parts_(parts),
          builder_(faults_.file(), vocab_.size() + root["added_tokens"].size()) {}

    void read() {
        if (!model_.value().is_object()) return model_.refuse();
        const std::string type = type_of_model();
        const bool is_list = type == "Unigram";
        if (is_list ? !model_["vocab"].value().is_array() : !model_["vocab"].value().is_object())
            return model_["vocab"].refuse();
        if (vocab_.empty() && type != "WordLevel")
            return faults_.refuse(Error{"error.tokenizer_empty", {faults_.file()}});
        if (is_list)
            read_scored_tokens();
        else
            read_tokens();
        if (!faults_.first()) read_added_tokens();
        if (faults_.first()) return;
        if (type == "WordLevel")
            read_word_level();
        else if (type == "WordPiece")
            read_word_piece();
        else if (type == "BPE")
            read_bpe();
        else if (type == "Unigram")
            read_unigram();
        else
            model_["type"].refuse();
    }

private:
    // Files of the library's first versions have no type here.
    std::string type_of_model() const {
        if (!model_["type"].is_missing()) return model_["type"].text();
        if (model_["merges"].value().is_array()) return "BPE";
        if (model_["vocab"].value().is_array()) return "Unigram";
        return model_["max_input_chars_per_word"].is_missing() ? "WordLevel" : "WordPiece";
    }

    bool failed(const std::optional<Error>& error) {
        if (error) faults_.refuse(*error);
        return error.has_value();
    }

    void read_tokens() {
        for (JsonRow& row : vocab_) {
            const bool is_whole = row.shape == JsonRow::Shape::whole;
            if (failed(builder_.add(std::move(row.first), is_whole ? row.whole : VocabularyBuilder::no_number,
                                    row.second)))
                return;
        }
    }

    void read_scored_tokens() {
        for (std::size_t i = 0; i < vocab_.size(); ++i) {
            const JsonRow& row = vocab_[i];
            if (row.shape != JsonRow::Shape::scored || !std::isfinite(row.score))
                return faults_.refuse(
                    Error{"error.tokenizer_score", {faults_.file(), std::to_string(i), row.first}});
            if (builder_.find(row.first) != no_token)
                return faults_.refuse(Error{"error.tokenizer_token_twice", {faults_.file(), row.first}});
            if (failed(builder_.add(row.first, std::int64_t(i)))) return;
        }
    }

    void read_added_tokens() {
        const TokenizerPart list = root_["added_tokens"];
        if (list.is_missing()) return;
        if (!list.value().is_array()) return list.refuse();
        for (std::size_t i = 0; i < list.size(); ++i) {
            const TokenizerPart token = list[i];
            if (!token.value().is_object()) return token.refuse();
            if (token["content"].text().empty()) return token["content"].refuse();
            AddedToken how;
            how.special = token["special"].flag(true);
            how.normalized = token["normalized"].flag(false);
            how.lstrip = token["lstrip"].flag(false);
            how.rstrip = token["rstrip"].flag(false);
            how.single_word = token["single_word"].flag(false);
            const json& id = token["id"].value();
            const bool fits = id.is_number_unsigned() && id.get<std::uint64_t>() <= std::uint64_t(1) << 62;
            if (failed(builder_.add_whole(token["content"].text(),
                                          fits ? id.get<std::int64_t>() : VocabularyBuilder::no_number, how,
                                          quoted(id))))
                return;
        }
    }

    // The model's unknown token; `otherwise` is its name where the file gives none.
    TokenId unknown(const char* otherwise) {
        const json& given = model_["unk_token"].value();
        const std::string name = given.is_string() ? given.get<std::string>() : otherwise;
        const TokenId id = builder_.find(name);
        if (id == no_token) faults_.refuse(Error{"error.tokenizer_no_unknown", {faults_.file(), name}});
        return id;
    }

    void finish(TokenId unknown) {
        const SpecialTokens specials = {
            builder_.find_any({"<pad>", "[PAD]"}),
            builder_.find_any({"<s>", "[CLS]", "<|begin_of_text|>", "<|endoftext|>"}),
            builder_.find_any({"</s>", "[SEP]", "<|end_of_text|>", "<|endoftext|>"}), unknown};
        parts_.vocabulary = builder_.finish(specials);
    }

    // Ids number the tokens from 0 without a hole: a row of the embedding table each.
    void read_word_level() {
        if (failed(builder_.hole())) return;
        const TokenId unk = unknown("<unk>");
        if (faults_.first()) return;
        parts_.vocabulary =
            builder_.finish({builder_.find("<pad>"), builder_.find("<s>"), builder_.find("</s>"), unk});
        parts_.model = WordLevel{};
    }

    void read_word_piece() {
        WordPiece pieces;
        pieces.unknown = unknown("[UNK]");
        pieces.prefix = model_["continuing_subword_prefix"].text("##");
        pieces.longest_word = model_["max_input_chars_per_word"].count(100, 1'000'000);
        if (faults_.first()) return;
        finish(pieces.unknown);
        pieces.longest_token = WordPiece::longest_token_of(parts_.vocabulary);
        parts_.model = std::move(pieces);
    }

    void read_bpe() {
        for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
            if (!model_[key].text().empty()) return model_[key].refuse();
        if (!model_["merges"].value().is_array()) return model_["merges"].refuse();
        BpeOptions options;
        if (!model_["unk_token"].text().empty()) options.unknown = unknown("");
        options.byte_fallback = model_["byte_fallback"].flag(false);
        options.fuse_unknown = model_["fuse_unk"].flag(false);
        options.ignore_merges = model_["ignore_merges"].flag(false);
        if (faults_.first()) return;
        finish(options.unknown);
        BpeMerges merges(parts_.vocabulary, faults_.file());
        merges.reserve(merges_.size());
        for (const JsonRow& row : merges_) {
            const bool is_known = row.shape == JsonRow::Shape::text    ? merges.add(row.first)
                                  : row.shape == JsonRow::Shape::texts ? merges.add(row.first, row.second)
                                                                       : merges.add("");
            if (!is_known) return faults_.refuse(merges.error());
        }
        parts_.model = Bpe(options, merges.take(), parts_.vocabulary);
    }

    void read_unigram() {
        Unigram::Options options;
        const TokenizerPart unk_id = model_["unk_id"];
        if (!unk_id.is_missing()) options.unknown = TokenId(unk_id.count(0, vocab_.size() - 1));
        options.byte_fallback = model_["byte_fallback"].flag(false);
        double least = vocab_.front().score;
        std::vector<std::string> texts;
        std::vector<Unigram::Piece> pieces;
        for (std::size_t i = 0; i < vocab_.size(); ++i) {
            least = std::min(least, vocab_[i].score);
            if (vocab_[i].first.empty()) continue;
            texts.push_back(std::move(vocab_[i].first));
            pieces.push_back({vocab_[i].score, TokenId(i)});
        }
        constexpr double unknown_penalty = 10;
        options.unknown_score = least - unknown_penalty;
        if (faults_.first()) return;
        finish(options.unknown);
        parts_.model = Unigram(options, std::move(texts), std::move(pieces), parts_.vocabulary);
    }

    const TokenizerPart& root_;
    TokenizerPart model_;
    TokenizerFaults& faults_;
    JsonRows& vocab_;
    JsonRows& merges_;
    TokenizerParts& parts_;
    VocabularyBuilder builder_;
};

} // namespace

void read_token_model(const TokenizerPart& root, TokenizerRows& rows, TokenizerParts& parts) {
    ModelReader(root, rows, parts).read();
}

} // namespace headlight
