// Commands that ask about numbers: the trail, the direction, the part of a matrix, close-ups.
#include "app/session/matrix_part.h"
#include "app/session/session.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {

namespace {

using Text = std::string_view;

constexpr const char* region_usage = "region PATH [HEAD] ROW0 COLUMN0 ROW1 COLUMN1|row|column|all|off";

// Along the trail: the held cell goes to the end of one list, the end of the other is held.
Result<Done> move_along(std::optional<Selection>& held, std::vector<Selection>& from,
                        std::vector<Selection>& to, Text text) {
    const Result<long> steps = whole_number_of(std::string(text.empty() ? "1" : text));
    if (!steps) return steps.error();
    if (*steps < 1) return Error{"error.out_of_range", {"STEPS", "1", std::to_string(from.size())}};
    for (long i = 0; i < *steps && !from.empty(); ++i) {
        if (held) to.push_back(*held);
        held = from.back();
        from.pop_back();
    }
    return Done{};
}

Result<MatrixPart> part_of_words(const std::vector<std::string>& words, const LoadedModel& model) {
    const Node* node = model.graph().find(words[0]);
    if (!node) return Error{"error.no_such_value", {words[0], model.name}};
    std::array<Index, 5> numbers{}; // the head is 0 unless it is given
    for (std::size_t i = 1; i < words.size(); ++i) {
        const Result<long> number = whole_number_of(words[i]);
        if (!number) return number.error();
        numbers[i + numbers.size() - words.size()] = *number;
    }
    const auto [row0, row1] = std::minmax(numbers[1], numbers[3]);
    const auto [column0, column1] = std::minmax(numbers[2], numbers[4]);
    const MatrixPart part{node->path, numbers[0], row0, column0, row1, column1};
    if (!exists(part, model.graph()))
        return Error{"error.no_such_cell", {words[0], to_string(node->shape())}};
    return part;
}

// A row, a column or all of the matrix that the held cell stands in.
Result<MatrixPart> part_around(const std::optional<Selection>& held, const std::string& which,
                               const Graph& graph) {
    if (which != "row" && which != "column" && which != "all") return usage(region_usage);
    if (!held) return Error{"error.nothing_held", {}};
    MatrixPart part = whole_matrix(*graph.find(held->path), held->cell.batch);
    if (which == "row") part.row0 = part.row1 = held->cell.row;
    if (which == "column") part.column0 = part.column1 = held->cell.column;
    return part;
}

std::optional<ExportFormat> format_named(Text name) {
    if (name == "tsv") return ExportFormat::tsv;
    if (name == "latex") return ExportFormat::latex;
    if (name == "numpy") return ExportFormat::numpy;
    if (name == "markdown") return ExportFormat::markdown;
    return {};
}

Result<std::vector<Index>> dimensions_of(Text text, Index d_model) {
    std::vector<Index> dimensions;
    for (const std::string& word : words_of(text)) {
        const Result<long> number = whole_number_of(word);
        if (!number) return number.error();
        if (*number < 0 || *number >= d_model)
            return Error{"error.out_of_range", {"dimensions", "0", std::to_string(d_model - 1)}};
        if (std::find(dimensions.begin(), dimensions.end(), *number) == dimensions.end())
            dimensions.push_back(*number);
    }
    if (dimensions.empty()) return usage("dimensions COLUMN …");
    return dimensions;
}

} // namespace

void Session::add_asking_commands() {
    Asking& asking = state_.asking;
    const auto add = [this](std::string name, std::string arguments, auto run) {
        commands_.add({std::move(name), std::move(arguments), run});
    };

    add("back", "[STEPS]", [this, &asking](Text steps) {
        return move_along(state_.selection, asking.trail, asking.ahead, steps);
    });
    add("forward", "[STEPS]", [this, &asking](Text steps) {
        return move_along(state_.selection, asking.ahead, asking.trail, steps);
    });
    add("direction", "from|touches|next", [&asking](Text which) -> Result<Done> {
        const bool forward = asking.direction == AskingDirection::touches;
        if (which != "from" && which != "touches" && which != "next")
            return usage("direction from|touches|next");
        asking.direction = which == "touches" || (which == "next" && !forward) ? AskingDirection::touches
                                                                               : AskingDirection::made_from;
        return Done{};
    });
    add("terms", "computed|contribution|all|few", [&asking](Text which) -> Result<Done> {
        if (which == "computed" || which == "contribution")
            asking.by_contribution = which == "contribution";
        else if (which == "all" || which == "few")
            asking.every_term = which == "all";
        else
            return usage("terms computed|contribution|all|few");
        return Done{};
    });
    add("region", "PATH [HEAD] ROW0 COLUMN0 ROW1 COLUMN1|row|column|all|off",
        [this, &asking](Text text) -> Result<Done> {
            if (!has_model()) return Error{"error.no_model", {}};
            const std::vector<std::string> words = words_of(text);
            if (words.size() == 1 && words[0] == "off") {
                asking.part.reset();
                return Done{};
            }
            if (words.size() != 1 && words.size() != 5 && words.size() != 6) return usage(region_usage);
            const Result<MatrixPart> part = words.size() == 1
                                                ? part_around(state_.selection, words[0], model_->graph())
                                                : part_of_words(words, *model_);
            if (!part) return part.error();
            asking.part = *part;
            return Done{};
        });
    add("copy", "tsv|latex|numpy|markdown", [this, &asking](Text name) -> Result<Done> {
        const std::optional<ExportFormat> format = format_named(name);
        if (!format) return usage("copy tsv|latex|numpy|markdown");
        const std::optional<MatrixPart> part = part_asked(*this);
        if (!part) return Error{"error.no_model", {}};
        asking.copied = part_as_text(*this, *part, *format);
        asking.copied_part = part;
        asking.for_clipboard = true;
        return Done{};
    });
    add("dimensions", "COLUMN …", [this, &asking](Text text) -> Result<Done> {
        if (!has_model()) return Error{"error.no_model", {}};
        Result<std::vector<Index>> dimensions = dimensions_of(text, model_->config().d_model);
        if (!dimensions) return dimensions.error();
        asking.dimensions = *std::move(dimensions);
        return Done{};
    });
    add("distance", "euclidean|dot", [&asking](Text which) -> Result<Done> {
        if (which != "euclidean" && which != "dot") return usage("distance euclidean|dot");
        asking.distance = which == "dot" ? PositionDistance::dot_product : PositionDistance::euclidean;
        return Done{};
    });
}

} // namespace headlight
