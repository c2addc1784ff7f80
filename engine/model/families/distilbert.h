// DistilBERT: Sanh et al. 2019. BERT with half of the layers, without token types and without its pooler.
#pragma once

#include "engine/model/families/bert.h"

namespace headlight {

// BERT's config with DistilBERT's defaults and names; the rest is as BERT's.
BertConfig distilbert_config();

} // namespace headlight
