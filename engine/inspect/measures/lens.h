// What a model would say if one of its stacks stopped after an earlier layer: of what is written the logit
// lens (nostalgebraist 2020), of what is read DecoderLens (Langedijk et al. 2023).
#pragma once

#include "engine/model/model.h"

#include <string>
#include <vector>

namespace headlight {

// How many places there are to stop: after the embedding and after each layer. 0 when what is said does not
// depend on the stream.
Index lens_stops(const Model& model, const Stream& stream);

// "measures.lens.STREAM.STOP.…": everything behind the stream's last layer once more, up to what is said,
// from what passes at this stop, as "….output.probabilities" and under the names that the values have in the
// model; "….said" is what is said in the end. At the last stop it is what the model says.
void build_lens(Graph& graph, const Model& model, const Stream& stream, Index stop);

// What is said in the end: probabilities, or numbers where there are none. Null of a model that says nothing.
const Node* said_by(const ModelMap& map);

} // namespace headlight
