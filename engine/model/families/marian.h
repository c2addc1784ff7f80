// Marian: Junczys-Dowmunt et al. 2018, as the opus-mt models of Tiedemann & Thottingal 2020 are. The
// encoder-decoder of Vaswani et al. 2017, post-norm, whose matrices of words are one.
#pragma once

#include "engine/model/family.h"
#include "engine/ops/activations.h"

namespace headlight {

struct MarianConfig {
    Index encoder_layers = 12, decoder_layers = 12, encoder_heads = 16, decoder_heads = 16;
    Index d_model = 1024, encoder_d_ff = 4096, decoder_d_ff = 4096;
    Index positions = 1024, source_vocabulary = 58101, target_vocabulary = 58101;
    Index most_fed = 0; // positions of the decoder that are used when it writes; 0: all
    Activate activation;
    bool scales_embeddings = false; // × √d_model
    bool shares_embeddings = true;  // of source and target
    bool tied = true;               // the output matrix is the target's embedding
    bool stored_source_positions = false, stored_target_positions = false; // else they are computed
    TokenId pad = 58100, end = 0, start = 58100; // start: what the decoder begins with
    std::vector<TokenId> never = {58100};        // ids that are not said

    MarianConfig();
};

// Two streams, "encoder" and "decoder": "output.logits" [n × T × target vocabulary].
std::shared_ptr<const Family> marian(const MarianConfig& config);

} // namespace headlight
