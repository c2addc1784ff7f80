// What the page of the padded batch is put together from.
#pragma once

#include "app/session/padded_batch.h"
#include "app/ui/values/value_view.h"

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
    const std::vector<std::string>& queries() const { return batch.labels(attention, sample, true); }
    const std::vector<std::string>& keys() const { return batch.labels(attention, sample, false); }
    Index own_queries() const { return batch.length(attention, sample, true); }
    // Of the first stream, which the sheets show.
    bool sheets_of_target() const {
        return is_target(session.model().map(), *session.model().map().streams.front().tokens);
    }
    const std::vector<std::string>& read(const PaddedSample& of) const {
        return sheets_of_target() ? of.target_labels : of.source_labels;
    }
    Index read_length(const PaddedSample& of) const {
        return sheets_of_target() ? of.target_length : of.source_length;
    }
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
