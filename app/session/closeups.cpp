#include "app/session/closeups.h"

#include "app/session/session.h"
#include "app/session/value_names.h"

#include <algorithm>
#include <limits>

namespace headlight {

Index head_worked_out(const Session& session) {
    return place_of_head(session.model().map(), *session.step().node, session.view().head);
}

Workings present_workings(const Session& session) {
    Workings workings = session.view().close_ups.workings;
    const StoryStep& step = session.step();
    if (workings.path != step.path()) {
        workings.path = step.path();
        workings.row = workings.phase = 0;
        workings.clock = 0;
    }
    workings.row = std::clamp<Index>(workings.row, 0, step.node->value.rows() - 1);
    return workings;
}

RowWorking present_row(const Session& session) {
    return work_out_row(session.model().graph(), *session.step().node, head_worked_out(session),
                        present_workings(session).row);
}

std::optional<FollowedAttention> followed_attention(const Session& session) {
    const ModelMap& map = session.model().map();
    if (map.attentions.empty()) return {};
    const Attention* here = map.attention_of(*session.step().node);
    const Attention& a = here ? *here : map.attentions.front();
    // Queries and keys as the scores multiply them: rotated, where that is done.
    FollowedAttention attention{a.path,   a.scored_q(),        a.scored_k(), a.v,     a.scores,
                                a.scaled, &a.before_softmax(), a.weights,    a.mixed, a.is_self()};
    for (const Node* node : {attention.q, attention.k, attention.v, attention.scores, attention.scaled,
                             attention.masked, attention.weights, attention.heads})
        if (!node) return {};
    return attention;
}

std::vector<WordStage> stages_of(const FollowedAttention& attention) {
    const Tensor& masked = attention.masked->value;
    const bool any = std::any_of(masked.data(), masked.data() + masked.size(),
                                 [](Real x) { return x == -std::numeric_limits<Real>::infinity(); });
    std::vector<WordStage> stages{WordStage::vectors, WordStage::scores, WordStage::scaled};
    if (any) stages.push_back(WordStage::masked);
    stages.insert(stages.end(), {WordStage::weights, WordStage::weighted, WordStage::sum});
    return stages;
}

WordStage present_stage(const Session& session, const FollowedAttention& attention) {
    const WordStage wanted = session.view().close_ups.word.stage;
    const std::vector<WordStage> stages = stages_of(attention);
    return *std::lower_bound(stages.begin(), stages.end(), wanted);
}

Index followed_token(const Session& session, const FollowedAttention& attention) {
    return std::clamp<Index>(session.view().close_ups.word.token, 0, attention.q->value.rows() - 1);
}

Index followed_head(const Session& session, const FollowedAttention& attention) {
    return std::clamp<Index>(session.view().head, 0, attention.q->value.batch() - 1);
}

} // namespace headlight
