#include "app/session/sentence.h"

#include "engine/decode/greedy.h"
#include "engine/ops/leaves.h"

namespace headlight {

namespace {

// As many tokens as the model reads, its </s> or <s> included.
template <class Tokens>
Index cut(Tokens& tokens, Index max_length) {
    const Index too_many = Index(tokens.size()) - (max_length - 1);
    if (too_many <= 0) return 0;
    tokens.resize(std::size_t(max_length - 1));
    return too_many;
}

// A token that was changed in the graph is called what it is there.
void relabel(std::vector<std::string>& labels, const std::vector<TokenId>& fed, const Node& in_use,
             const Tokenizer& tokenizer) {
    for (std::size_t i = 0; i < fed.size(); ++i)
        if (const TokenId id = TokenId(in_use.value(0, Index(i), 0)); id != fed[i])
            labels[i] = token_label(tokenizer, id);
}

} // namespace

std::string token_label(const Tokenizer& tokenizer, TokenId id) {
    const std::string& token = tokenizer.vocabulary().token(id);
    return token == " " ? "␣" : token;
}

const std::vector<std::string>& labels_of(const Sentence& sentence, const ModelMap& map, const Node& tokens) {
    if (&tokens == map.output.goal) return sentence.goal_labels;
    return is_target(map, tokens) ? sentence.target_labels : sentence.source_labels;
}

bool is_target(const ModelMap& map, const Node& tokens) {
    const Stream* stream = map.stream_of(&tokens);
    return stream && stream->begins;
}

bool queries_are_target(const ModelMap& map, const std::string& attention) {
    const Attention* found = map.attention(attention);
    return found && is_target(map, *found->query_tokens());
}

Sentence run_sentence(LoadedModel& model, const std::string& source,
                      const std::optional<std::string>& target) {
    return run_sentence(model.files, *model.transformer, source, target);
}

Sentence run_sentence(const ModelFiles& files, Transformer& transformer, const std::string& source,
                      const std::optional<std::string>& target) {
    const ModelConfig& config = files.config;
    const Tokenizer &from = files.source, &to = files.target;
    Sentence sentence;

    sentence.source = from.encode(source);
    sentence.tokens_left_out = cut(sentence.source, config.max_length);
    for (const Piece& piece : sentence.source) {
        sentence.source_ids.push_back(piece.id);
        sentence.source_labels.push_back(piece.known ? token_label(from, piece.id) : piece.text);
        sentence.source_known.push_back(piece.known);
    }
    sentence.source_ids.push_back(config.eos_id);
    sentence.source_labels.push_back(token_label(from, config.eos_id));
    sentence.source_known.push_back(true);

    if (target) {
        sentence.teacher_forced = true;
        sentence.target_ids = to.encode_ids(*target);
        sentence.tokens_left_out += cut(sentence.target_ids, config.max_length);
    } else {
        sentence.target_ids = greedy_decode(transformer, config, sentence.source_ids);
    }
    sentence.output = to.decode(sentence.target_ids);
    sentence.target_ids.insert(sentence.target_ids.begin(), config.bos_id);
    sentence.goal_ids.assign(sentence.target_ids.begin() + 1, sentence.target_ids.end());
    sentence.goal_ids.push_back(config.eos_id);
    for (TokenId id : sentence.target_ids) sentence.target_labels.push_back(token_label(to, id));
    for (TokenId id : sentence.goal_ids) sentence.goal_labels.push_back(token_label(to, id));

    if (target) { // greedy decoding has left the graph computed; a given target is computed here
        feed(transformer.source_tokens, sentence.source_ids, 1, Index(sentence.source_ids.size()));
        feed(transformer.target_tokens, sentence.target_ids, 1, Index(sentence.target_ids.size()));
        feed(transformer.goal_tokens, sentence.goal_ids, 1, Index(sentence.goal_ids.size()));
        transformer.graph.forward();
    }
    relabel(sentence.source_labels, sentence.source_ids, *transformer.source_tokens, from);
    relabel(sentence.target_labels, sentence.target_ids, *transformer.target_tokens, to);
    relabel(sentence.goal_labels, sentence.goal_ids, *transformer.goal_tokens, to);
    const Tensor& chosen = transformer.map.output.chosen->value;
    for (Index t = 0; t < chosen.rows(); ++t) {
        sentence.chosen_ids.push_back(TokenId(chosen(0, t, 0)));
        sentence.chosen_labels.push_back(token_label(to, sentence.chosen_ids.back()));
    }
    return sentence;
}

} // namespace headlight
