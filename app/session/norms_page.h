// Layer norm beside batch norm on the padded batch: the vectors before the model's first norm, and what each
// norm makes of them, without and with one longer sentence in the batch.
#pragma once

#include "app/session/loaded_model.h"
#include "app/session/page_views.h"
#include "engine/model/small_nets.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight {

class CommandRegistry;
class NormsRace;
struct Inquiries;

// A sentence of the batch.
struct NormedSentence {
    std::string text;
    std::vector<std::string> labels; // its words, as fed; without <pad>
    Index length() const { return Index(labels.size()); }
};

// The largest |number| of a change in one sentence's own words, and where it stands.
struct NormsChange {
    double largest = 0;
    Cell cell;
};

struct NormsPage {
    std::vector<NormedSentence> sentences; // the last is the one that comes into the batch
    std::string padding;                   // "<pad>"
    std::string norm, before;              // paths in the model: of its first norm, and of what that reads
    double epsilon = 0;
    std::unique_ptr<TwoNorms> computed;
    unsigned long version = 0; // another with every computation

    // Of "input", "layer" or "batch".
    NormsChange largest_change(const std::string& value, Index sentence) const;
    // The words of rows, sentence after sentence, each padded to the longest.
    std::vector<std::string> words_along(const Axis& axis) const;
};

// The first norm that reads the vectors of a padded sequence's words; null of a model that pads nothing, and
// of one without a norm.
const Node* first_padded_norm(const ModelMap& map);

// A batch that nobody has put together: with the shortest examples, of lengths that are not there yet.
std::vector<std::string> short_sentences_beside(const LoadedModel& model, std::vector<std::string> sentences);

// There is such a norm, and at least one sentence. `longer` is empty: the shortest example that is clearly
// longer than all of them, or, where there is none, the longest of them twice.
std::unique_ptr<NormsPage> compute_norms(LoadedModel& model, const std::vector<std::string>& sentences,
                                         const std::string& longer);

// norms …
void add_norms_commands(CommandRegistry& commands, Inquiries& inquiries, NormsRace& race);

} // namespace headlight
