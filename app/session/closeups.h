// Close-ups that play: a row of the present step worked out, and one token followed through an attention.
// Here is how far each has come; what is to be seen there follows from the graph.
#pragma once

#include "app/session/cut_text.h"
#include "engine/inspect/position_codes.h"
#include "engine/inspect/row_working.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

class CommandRegistry;
class Session;
struct View;

// What stands in the place of the canvas: the matrices of the present step, the positional encoding, a row of
// the step worked out, a word followed through attention, how a text was cut into tokens.
enum class CloseUp { none, step, positions, workings, word, tokens };

// The present step, row by row and phase by phase.
struct Workings {
    std::string path; // of the step that row and phase are of: another step begins anew
    Index row = 0, phase = 0;
    bool playing = false;
    double clock = 0; // seconds since the last phase
};

// What is seen of a token on its way through an attention; each shows what the ones before it show, too.
enum class WordStage { vectors, scores, scaled, masked, weights, weighted, sum };

struct FollowedWord {
    Index token = 0; // a row of the queries
    WordStage stage = WordStage::vectors;
    bool as_matrices = false;
    bool playing = false;
    double clock = 0;
};

// Of the positional encoding, where there is room for one picture alone.
enum class PositionsPicture { codes, curves, distances };

struct CloseUps {
    CloseUp open = CloseUp::none;
    PositionsPicture picture = PositionsPicture::codes;
    PositionDistance distance = PositionDistance::euclidean; // of the positional encoding
    std::vector<Index> dimensions = {0, 1, 8, 16, 32};       // whose curves are shown there
    Workings workings;
    FollowedWord word;
    CutFilm cut;
};

// --- what is to be seen -------------------------------------------------------------------------------

// Row and phase as they are in the present step: of one that was not worked out yet the beginning, and no row
// that is not there. The session must have a model.
Workings present_workings(const Session& session);
Index head_worked_out(const Session& session); // 0 where the step has no heads or all are shown
RowWorking present_row(const Session& session);

// The values of one attention, in the order in which they are computed. Without a mask `masked` is `scaled`.
struct FollowedAttention {
    std::string path; // "decoder.0.cross_attn"
    const Node *q = nullptr, *k = nullptr, *v = nullptr;
    const Node *scores = nullptr, *scaled = nullptr, *masked = nullptr, *weights = nullptr, *heads = nullptr;
    bool is_self = false; // queries and keys are the same words
};

// That of the present step, or the first of the model; nothing where the model has none.
std::optional<FollowedAttention> followed_attention(const Session& session);
// All but `masked` where nothing is masked.
std::vector<WordStage> stages_of(const FollowedAttention& attention);
WordStage present_stage(const Session& session, const FollowedAttention& attention); // one of these
Index followed_token(const Session& session, const FollowedAttention& attention);    // one that is there
Index followed_head(const Session& session, const FollowedAttention& attention);

// --- how it goes on -----------------------------------------------------------------------------------

bool close_up_plays(const View& view);
bool advance_close_up(const Session& session, View& view, double seconds); // true when it moved
// closeup, view, positions, workings, word, tokens.
void add_close_up_commands(CommandRegistry& commands, const Session& session, View& view);

} // namespace headlight
