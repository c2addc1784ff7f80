#include "app/session/sentence.h"

#include "engine/decode/greedy.h"
#include "engine/ops/leaves.h"

#include <algorithm>

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
    return run_sentence(model.files, *model.shown, source, target);
}

namespace {

void read_source(Sentence& sentence, const Tokenizer& from, const std::string& text,
                 const ModelConfig& config) {
    sentence.source = from.encode(text);
    sentence.tokens_left_out = cut(sentence.source, config.max_length);
    for (const Piece& piece : sentence.source) {
        sentence.source_ids.push_back(piece.id);
        sentence.source_labels.push_back(piece.known ? token_label(from, piece.id) : piece.text);
        sentence.source_known.push_back(piece.known);
    }
    sentence.source_ids.push_back(config.eos_id);
    sentence.source_labels.push_back(token_label(from, config.eos_id));
    sentence.source_known.push_back(true);
}

// `words` are those of the target, without <s> and </s>.
void set_target(Sentence& sentence, std::vector<TokenId> words, const Tokenizer& to,
                const ModelConfig& config) {
    sentence.output = to.decode(words);
    sentence.goal_ids = words;
    sentence.goal_ids.push_back(config.eos_id);
    sentence.target_ids = std::move(words);
    sentence.target_ids.insert(sentence.target_ids.begin(), config.bos_id);
    for (TokenId id : sentence.target_ids) sentence.target_labels.push_back(token_label(to, id));
    for (TokenId id : sentence.goal_ids) sentence.goal_labels.push_back(token_label(to, id));
}

// A goal that is no word to come: what the model itself finds most probable.
void set_own_goal(Sentence& sentence, Model& model) {
    model.graph.forward(0, model.end_of_output());
    const Tensor& values = model.map.output.values->value;
    for (Index r = 0; r < values.rows(); ++r) {
        const Real* row = values.row(0, r);
        sentence.goal_ids.push_back(TokenId(std::max_element(row, row + values.columns()) - row));
        sentence.goal_labels.push_back(std::to_string(sentence.goal_ids.back()));
    }
}

void read_choices(Sentence& sentence, const Output& output, const Tokenizer& to) {
    if (!output.chosen) return;
    const Tensor& chosen = output.chosen->value;
    for (Index t = 0; t < chosen.rows(); ++t) {
        const TokenId id = TokenId(chosen(0, t, 0));
        sentence.chosen_ids.push_back(id);
        sentence.chosen_labels.push_back(output.meaning == Output::Meaning::words ? token_label(to, id)
                                                                                  : std::to_string(id));
    }
}

} // namespace

void feed_sentence(const Sentence& sentence, Model& model) {
    const auto feed_ids = [](Node* tokens, const std::vector<TokenId>& ids) {
        feed(tokens, ids, 1, Index(ids.size()));
    };
    for (const Stream& stream : model.map.streams)
        feed_ids(stream.tokens, stream.begins ? sentence.target_ids : sentence.source_ids);
    if (model.map.output.goal) feed_ids(model.map.output.goal, sentence.goal_ids);
}

Sentence run_sentence(const ModelFiles& files, Model& model, const std::string& source,
                      const std::optional<std::string>& target) {
    const ModelConfig& config = files.config;
    const ModelMap& map = model.map;
    const Stream* written = map.target();
    const Tokenizer& to = written && written->vocabulary == 0 ? files.source : files.target;
    Sentence sentence;
    bool computed = false;
    if (map.source()) read_source(sentence, files.source, source, config);
    if (written) {
        std::vector<TokenId> words;
        if (target || !map.source()) { // what is only written goes on with what was typed
            sentence.teacher_forced = target.has_value();
            words = to.encode_ids(target ? *target : source);
            sentence.tokens_left_out += cut(words, config.max_length);
        } else {
            words = greedy_decode(model, config, sentence.source_ids);
            computed = true; // and the graph holds all of it
        }
        set_target(sentence, std::move(words), to, config);
    }
    if (!computed) {
        if (map.output.goal && map.output.meaning != Output::Meaning::words) {
            Sentence without_goal = sentence;
            without_goal.goal_ids.assign(written ? sentence.target_ids.size() : sentence.source_ids.size(),
                                         0);
            feed_sentence(without_goal, model);
            set_own_goal(sentence, model);
        }
        feed_sentence(sentence, model);
        model.graph.forward();
    }
    if (map.source())
        relabel(sentence.source_labels, sentence.source_ids, *map.source()->tokens, files.source);
    if (written) relabel(sentence.target_labels, sentence.target_ids, *written->tokens, to);
    if (map.output.goal && written) relabel(sentence.goal_labels, sentence.goal_ids, *map.output.goal, to);
    read_choices(sentence, map.output, to);
    return sentence;
}

} // namespace headlight
