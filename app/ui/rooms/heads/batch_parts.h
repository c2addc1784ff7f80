// What the page of the padded batch is put together from.
#pragma once

#include "app/session/padded_batch.h"
#include "app/ui/values/panel.h"

#include <string>

namespace headlight {

struct BatchContext {
    const Session& session;
    const PaddedBatch& batch;
    CommandSink& commands;
    Index sample = 0;      // that is looked at
    std::string attention; // and of which attention and head
    Index head = 0, query = 0;

    const PaddedSample& chosen() const { return batch.samples[std::size_t(sample)]; }
    // Words of the queries; how many of them are the sample's own.
    const std::vector<std::string>& queries() const {
        return asks_with_target() ? chosen().target_labels : chosen().source_labels;
    }
    Index own_queries() const { return asks_with_target() ? chosen().target_length : chosen().source_length; }

private:
    bool asks_with_target() const { return queries_are_target(session.model().map(), attention); }
};

// The samples as sheets behind one another, each length × width, with its padding mask; a click takes one.
void batch_sheets(PanelColumn& column, const BatchContext& context);

// One head's weights for the sample, with the padding mask and without; a click takes a query.
void batch_maps(PanelColumn& column, const BatchContext& context);
// The row of that query, with and without.
void batch_row(PanelColumn& column, const BatchContext& context);

// What becomes of the sample's output: alone, with the mask, without it.
void batch_output(PanelColumn& column, const BatchContext& context);

} // namespace headlight
