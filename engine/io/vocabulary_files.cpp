#include "engine/io/file.h"
#include "engine/io/json_reader.h"
#include "engine/io/tokenizer_folder.h"
#include "engine/io/tokenizer_json.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace headlight {

bool BpeMerges::refuse(std::string_view left, std::string_view right) {
    const std::string merge = valid_utf8(std::string(left) + " " + std::string(right));
    error_ = {"error.tokenizer_merge", {file_, std::to_string(pairs_.size() + 1), merge}};
    return false;
}

bool BpeMerges::add(std::string_view merge) {
    const std::size_t space = merge.find(' ');
    if (space == merge.npos || merge.find(' ', space + 1) != merge.npos) return refuse(merge, "");
    return add(merge.substr(0, space), merge.substr(space + 1));
}

bool BpeMerges::add(std::string_view left, std::string_view right) {
    joined_.assign(left).append(right);
    const Bpe::Pair pair = {vocabulary_.find_in_model(left), vocabulary_.find_in_model(right),
                            vocabulary_.find_in_model(joined_)};
    if (std::min({pair.left, pair.right, pair.result}) == no_token) return refuse(left, right);
    pairs_.push_back(pair);
    return true;
}

VocabularyBuilder::VocabularyBuilder(std::string file, std::size_t expected)
    : file_(std::move(file)), limit_(2 * expected + 1000) {
    tokens_.reserve(expected);
    index_.reserve(expected);
}

Error VocabularyBuilder::wrong_id(const std::string& token, std::int64_t id, const std::string& shown) const {
    return {"error.tokenizer_id", {file_, token, id == no_number ? shown : std::to_string(id)}};
}

std::optional<Error> VocabularyBuilder::add(std::string token, std::int64_t id, const std::string& shown) {
    if (find(token) != no_token) return Error{"error.json_key_twice", {file_, token}};
    if (id < 0 || std::uint64_t(id) >= limit_) return wrong_id(token, id, shown);
    const auto place = std::size_t(id);
    if (place >= tokens_.size()) {
        tokens_.resize(place + 1);
        taken_.resize(place + 1, false);
    }
    if (taken_[place]) return wrong_id(token, id, shown);
    taken_[place] = true;
    tokens_[place] = std::move(token);
    if (!tokens_[place].empty()) index_.insert(TokenId(id), tokens_);
    return std::nullopt;
}

std::optional<Error> VocabularyBuilder::add_whole(const std::string& token, std::int64_t id, AddedToken how,
                                                  const std::string& shown) {
    const TokenId known = find(token);
    if (known != no_token && known != id) return wrong_id(token, id, shown);
    how.outside = known == no_token;
    if (how.outside)
        if (const auto error = add(token, id, shown)) return error;
    how.id = TokenId(id);
    // The later of two entries counts.
    std::erase_if(added_, [&](const AddedToken& other) {
        if (other.id == how.id) how.outside = other.outside;
        return other.id == how.id;
    });
    added_.push_back(how);
    return std::nullopt;
}

std::optional<Error> VocabularyBuilder::hole() const {
    const auto free = std::find(taken_.begin(), taken_.end(), false);
    if (free == taken_.end()) return std::nullopt;
    return wrong_id(tokens_.back(), std::int64_t(tokens_.size()) - 1, {});
}

TokenId VocabularyBuilder::find(std::string_view token) const { return index_.find(token, tokens_); }

TokenId VocabularyBuilder::find_any(std::initializer_list<const char*> tokens) const {
    for (const char* token : tokens)
        if (const TokenId id = find(token); id != no_token) return id;
    return no_token;
}

Vocabulary VocabularyBuilder::finish(const SpecialTokens& specials) {
    return Vocabulary(std::move(tokens_), specials, std::move(added_));
}

namespace {

namespace fs = std::filesystem;

constexpr Index longest_vocabulary_file = 64'000'000; // bytes

// {token: id}, and nothing else.
Result<VocabularyBuilder> read_ids(const fs::path& path) {
    const Result<std::string> text = read_file(path, longest_vocabulary_file);
    if (!text) return text.error();
    std::map<std::string, JsonRows> rows = {{"", {}}};
    const Result<nlohmann::json> root = parse_json(*text, path.string(), rows);
    if (!root) return root.error();
    if (!root->is_object())
        return Error{"error.tokenizer_unsupported", {path.string(), "{…}", quoted(*root)}};
    const JsonRows& tokens = rows[""];
    if (tokens.empty()) return Error{"error.tokenizer_empty", {path.string()}};
    VocabularyBuilder builder(path.string(), tokens.size());
    for (const JsonRow& row : tokens) {
        const bool is_whole = row.shape == JsonRow::Shape::whole;
        if (const auto error =
                builder.add(row.first, is_whole ? row.whole : VocabularyBuilder::no_number, row.second))
            return *error;
    }
    return builder;
}

// Calls on_line(line), without its end, until that says false.
template <class OnLine>
void for_each_line(std::string_view text, OnLine on_line) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!on_line(line)) return;
    }
}

Result<Tokenizer> read_marian_side(const fs::path& spm, const fs::path& ids_file,
                                   const TokenizerSettings& settings) {
    const Result<SentencepieceFile> file = read_sentencepiece(spm);
    if (!file) return file.error();
    if (file->model != SentencepieceFile::Model::unigram)
        return Error{"error.tokenizer_unsupported", {file->name, "model_type", "2"}};
    Result<VocabularyBuilder> builder = read_ids(ids_file);
    if (!builder) return builder.error();
    const std::string unk = settings.name("unk_token", "<unk>"), eos = settings.name("eos_token", "</s>"),
                      pad = settings.name("pad_token", "<pad>");
    if (const auto error = settings.add_to(*builder, {eos, unk, pad})) return *error;
    const TokenId unk_id = builder->find(unk), eos_id = builder->find(eos);
    if (unk_id == no_token) return Error{"error.tokenizer_no_unknown", {ids_file.string(), unk}};
    if (eos_id == no_token) return Error{"error.tokenizer_no_end", {ids_file.string(), eos}};

    std::vector<TokenId> ids;
    for (const SentencepieceFile::Piece& piece : file->pieces) {
        const TokenId id = builder->find(piece.text);
        ids.push_back(id == no_token ? unk_id : id);
    }
    TokenizerParts parts;
    const TokenId pad_id = builder->find(pad);
    parts.vocabulary = builder->finish({pad_id, no_token, eos_id, unk_id});
    Normalization all{Normalization::Kind::sentencepiece};
    all.sentencepiece = file->rules;
    parts.normalizer.push_back(std::move(all));
    parts.model = file->unigram(parts.vocabulary, ids, unk_id);
    parts.language_codes = true;
    parts.post_processor = PostProcessing::with_end(eos_id);
    parts.decoder = file->decoder();
    Decoding trim{Decoding::Kind::strip, " "};
    trim.start = trim.stop = std::numeric_limits<std::size_t>::max();
    parts.decoder.push_back(trim);
    return Tokenizer(std::move(parts));
}

} // namespace

Result<Tokenizer> read_gpt2_files(const fs::path& folder, const TokenizerSettings& settings,
                                  const std::string& model_type) {
    Result<VocabularyBuilder> builder = read_ids(folder / "vocab.json");
    if (!builder) return builder.error();
    const std::string end = settings.name("eos_token", "<|endoftext|>");
    const std::string begin = settings.name("bos_token", end.c_str());
    const std::string pad = settings.name("pad_token", "");
    if (const auto error = settings.add_to(*builder, {begin, end, pad})) return *error;
    TokenizerParts parts;
    parts.vocabulary =
        builder->finish({builder->find(pad), builder->find(begin), builder->find(end), no_token});

    const fs::path merges_path = folder / "merges.txt";
    const Result<std::string> text = read_file(merges_path, longest_vocabulary_file);
    if (!text) return text.error();
    BpeMerges merges(parts.vocabulary, merges_path.string());
    bool is_good = true;
    for_each_line(*text, [&](std::string_view line) {
        if (!line.empty() && !line.starts_with("#version")) is_good = merges.add(line);
        return is_good;
    });
    if (!is_good) return merges.error();
    parts.model = Bpe({}, merges.take(), parts.vocabulary);

    const bool is_qwen2 = model_type == "qwen2";
    const Result<Pattern> pattern =
        Pattern::regex(is_qwen2 ? qwen2_pattern : gpt2_pattern, (folder / "vocab.json").string());
    if (!pattern) return pattern.error();
    if (is_qwen2) parts.normalizer.push_back({Normalization::Kind::nfc});
    parts.pre_tokenizer.push_back(ByteLevel{settings.flag("add_prefix_space", false), *pattern});
    parts.decoder.push_back({Decoding::Kind::byte_level});
    if (settings.flag("add_bos_token", false) && parts.vocabulary.specials().bos != no_token)
        parts.post_processor = PostProcessing::with_begin(parts.vocabulary.specials().bos);
    return Tokenizer(std::move(parts));
}

Result<Tokenizer> read_bert_file(const fs::path& folder, const TokenizerSettings& settings) {
    using Kind = Normalization::Kind;
    using Item = PostProcessing::Item;
    const fs::path path = folder / "vocab.txt";
    const Result<std::string> text = read_file(path, longest_vocabulary_file);
    if (!text) return text.error();
    std::vector<std::string> lines;
    std::unordered_map<std::string, std::size_t> last; // line of each token
    for_each_line(*text, [&](std::string_view line) {
        last[std::string(line)] = lines.size();
        lines.emplace_back(line);
        return true;
    });
    VocabularyBuilder builder(path.string(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!lines[i].empty() && last[lines[i]] == i)
            if (const auto error = builder.add(lines[i], std::int64_t(i))) return *error;
    const std::string unk = settings.name("unk_token", "[UNK]"), cls = settings.name("cls_token", "[CLS]"),
                      sep = settings.name("sep_token", "[SEP]"), pad = settings.name("pad_token", "[PAD]"),
                      mask = settings.name("mask_token", "[MASK]");
    for (const std::string* needed : {&unk, &cls, &sep})
        if (builder.find(*needed) == no_token)
            return Error{"error.tokenizer_no_unknown", {path.string(), *needed}};
    if (const auto error = settings.add_to(builder, {unk, cls, sep, pad})) return *error;
    AddedToken swallows;
    swallows.lstrip = true; // the space before it
    if (const TokenId id = builder.find(mask); id != no_token)
        if (const auto error = builder.add_whole(mask, id, swallows)) return *error;

    TokenizerParts parts;
    const bool lowercases = settings.flag("do_lower_case", true);
    parts.normalizer.push_back({Kind::clean_text});
    if (settings.flag("tokenize_chinese_chars", true)) parts.normalizer.push_back({Kind::space_ideographs});
    if (settings.flag("strip_accents", lowercases)) parts.normalizer.push_back({Kind::bert_accents});
    if (lowercases) parts.normalizer.push_back({Kind::lowercase});
    parts.pre_tokenizer = {Splitting::bert};
    const Item begin = {Item::What::token, builder.find(cls), 0},
               end = {Item::What::token, builder.find(sep), 0};
    const Item first = {Item::What::first, no_token, 0}, second = {Item::What::second, no_token, 1};
    parts.post_processor = {{begin, first, end}, {begin, first, end, second, {Item::What::token, end.id, 1}}};
    Decoding join{Decoding::Kind::word_piece, "##"};
    join.cleanup = true;
    parts.decoder.push_back(join);
    WordPiece pieces;
    pieces.unknown = builder.find(unk);
    parts.vocabulary = builder.finish({builder.find(pad), begin.id, end.id, pieces.unknown});
    pieces.longest_token = WordPiece::longest_token_of(parts.vocabulary);
    parts.model = std::move(pieces);
    return Tokenizer(std::move(parts));
}

Result<Tokenizers> read_marian_files(const fs::path& folder, const TokenizerSettings& settings) {
    const fs::path ids = folder / "vocab.json", own_ids = folder / "target_vocab.json";
    std::error_code ignored;
    const bool is_separate = settings.flag("separate_vocabs", fs::exists(own_ids, ignored));
    Result<Tokenizer> source = read_marian_side(folder / "source.spm", ids, settings);
    if (!source) return source.error();
    Result<Tokenizer> target = read_marian_side(folder / "target.spm", is_separate ? own_ids : ids, settings);
    if (!target) return target.error();
    return Tokenizers{*std::move(source), *std::move(target)};
}

} // namespace headlight
