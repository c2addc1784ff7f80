// What of the padded batch is looked at.
#pragma once

#include "engine/tensor/real.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

class CommandRegistry;
struct Inquiries;
struct View;

struct BatchView {
    std::optional<Index> sample; // none: the first that is padded
    std::string attention;       // "decoder.0.cross_attn"; empty: the first
    Index head = 0;
    std::optional<Index> query; // row of the attention; none: the word that looks most at <pad>
    bool operator==(const BatchView&) const = default;
};

constexpr Index largest_batch = 6; // sentences

// batch …
void add_batch_commands(CommandRegistry& commands, Inquiries& inquiries, View& view);

} // namespace headlight
