#include "engine/train/silenced_heads.h"

#include "engine/decode/greedy.h"
#include "engine/inspect/sweep.h"

#include <algorithm>

namespace headlight {

namespace {

// The pass in which the right words are given, and their loss times their number.
double loss_of(Model& model, const ModelConfig& config, const EncodedPair& pair, Index& words) {
    Batch batch;
    const EncodedPair* pairs[] = {&pair};
    batch.fill(pairs, config);
    feed(model, batch);
    model.graph.forward();
    words += batch.goal_tokens;
    return double(model.map.output.loss->value(0, 0, 0)) * double(batch.goal_tokens);
}

// Of each head of an attention between two sentences: the sum of its weights on what is the same.
void add_aligned(const Attention& attention, const SilencedSentence& sentence, std::vector<double>& sums) {
    const Tensor& weights = attention.weights->value;
    for (Index head = 0; head < attention.heads; ++head)
        for (const auto& [said, read, read_end] : sentence.same)
            for (Index column = read; column < std::min(read_end, weights.columns()); ++column)
                if (said < weights.rows()) sums[std::size_t(head)] += double(weights(head, said, column));
}

} // namespace

void silence_heads(Model& model, const ModelConfig& config, std::span<const SilencedSentence> sentences,
                   const std::function<bool(std::size_t, const std::vector<TokenId>&, const std::vector<TokenId>&)>& turns,
                   const std::function<bool(const SilencedHead&)>& done) {
    const SweepPlan plan = plan_silenced_heads(model.map);
    std::vector<std::vector<double>> aligned; // by attention and head
    for (const Attention& attention : model.map.attentions)
        aligned.emplace_back(std::size_t(attention.heads), 0.0);
    std::vector<std::vector<TokenId>> answers;
    double loss = 0;
    Index words = 0, same = 0, count = 0;
    model.graph.set_edits({});
    for (const SilencedSentence& sentence : sentences) {
        answers.push_back(most_probable_answer(model, sentence.pair.source));
        if (!sentence.counts) continue;
        ++count;
        loss += loss_of(model, config, sentence.pair, words);
        same += Index(sentence.same.size());
        for (std::size_t i = 0; i < aligned.size(); ++i)
            if (!model.map.attentions[i].is_self()) add_aligned(model.map.attentions[i], sentence, aligned[i]);
    }
    for (const SweepTrial& trial : plan.trials) {
        const Attention& attention = model.map.attentions[std::size_t(trial.row)];
        SilencedHead head{attention.path, trial.column};
        if (!attention.is_self() && same > 0)
            head.aligned = aligned[std::size_t(trial.row)][std::size_t(trial.column)] / double(same);
        double without = 0;
        Index counted = 0, changed = 0;
        for (std::size_t i = 0; i < sentences.size(); ++i) {
            model.graph.set_edits(trial.edits);
            const std::vector<TokenId> answer = most_probable_answer(model, sentences[i].pair.source);
            head.turned += turns(i, answers[i], answer);
            if (!sentences[i].counts) continue;
            changed += answer != answers[i];
            without += loss_of(model, config, sentences[i].pair, counted);
        }
        head.answers_changed = double(changed) / double(std::max<Index>(1, count));
        head.loss_change = (without - loss) / double(std::max<Index>(1, words));
        model.graph.set_edits({});
        if (!done(head)) return;
    }
}

} // namespace headlight
