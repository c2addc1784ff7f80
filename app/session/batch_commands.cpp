// The commands of the padded batch.
#include "app/session/padded_batch.h"
#include "app/session/session.h"

#include <algorithm>

namespace headlight {

namespace {

Error usage() {
    return Error{
        "error.command_usage",
        {"batch add TEXT | batch remove N | batch clear|reset | batch sample N | batch head ATTENTION HEAD "
         "| batch query ROW"}};
}

Result<Index> number_between(const std::string& word, Index least, Index most, const std::string& command) {
    const Result<long> number = whole_number_of(word);
    if (!number) return number.error();
    if (*number < least || *number > most)
        return Error{"error.out_of_range", {command, std::to_string(least), std::to_string(most)}};
    return Index(*number);
}

constexpr std::size_t unasked = 2; // examples in a batch that nobody has put together

} // namespace

std::vector<std::string> commands_of(const BatchView& view) {
    std::vector<std::string> lines;
    if (view.others) {
        lines.emplace_back("batch clear");
        for (const std::string& text : *view.others) lines.push_back("batch add " + text);
    }
    if (!view.attention.empty())
        lines.push_back("batch head " + view.attention + " " + std::to_string(view.head));
    if (view.sample) lines.push_back("batch sample " + std::to_string(*view.sample + 1));
    if (view.query) lines.push_back("batch query " + std::to_string(*view.query));
    return lines;
}

// As chosen; else examples of lengths that are not there yet, so that there is something to pad.
std::vector<std::string> Session::batch_others() const {
    if (state_.heads.batch.others) return *state_.heads.batch.others;
    const auto length = [&](const std::string& text) { return model_->files.source.encode(text).size(); };
    std::vector<std::size_t> lengths = {length(state_.source_text)};
    if (state_.second_text) lengths.push_back(length(*state_.second_text));
    std::vector<std::string> others;
    for (const std::string& example : examples_) {
        if (others.size() == unasked) break;
        if (std::find(lengths.begin(), lengths.end(), length(example)) != lengths.end()) continue;
        lengths.push_back(length(example));
        others.push_back(example);
    }
    return others;
}

const PaddedBatch& Session::padded_batch() const {
    if (padded_batch_) return *padded_batch_;
    std::vector<BatchSentence> sentences = {{state_.source_text, state_.target_text}};
    if (state_.second_text) sentences.push_back({*state_.second_text});
    for (const std::string& text : batch_others()) sentences.push_back({text});
    padded_batch_ = std::make_unique<PaddedBatch>(compute_padded_batch(*model_, sentences));
    return *padded_batch_;
}

Index Session::batch_sample() const {
    const PaddedBatch& batch = padded_batch();
    const Index last = Index(batch.samples.size()) - 1;
    if (state_.heads.batch.sample) return std::min(*state_.heads.batch.sample, last);
    for (Index i = 0; i <= last; ++i)
        if (batch.samples[std::size_t(i)].source_length < batch.source_length) return i;
    return 0;
}

void Session::add_batch_commands() {
    commands_.add({"batch", "add TEXT|remove N|clear|reset|sample N|head ATTENTION HEAD|query ROW",
                   [this](std::string_view what) { return set_batch(what); }});
}

Result<Done> Session::set_batch(std::string_view what) {
    if (!has_model()) return Error{"error.no_model", {}};
    const std::vector<std::string> words = words_of(what);
    const std::string verb = words.empty() ? "" : words[0];
    const Index own = state_.second_text ? 2 : 1; // these stand above, and are changed there
    HeadsView view = state_.heads;
    BatchView& batch = view.batch;
    if (verb == "add" && words.size() > 1) {
        std::vector<std::string> others = batch_others();
        if (own + Index(others.size()) >= largest_batch)
            return Error{"error.batch_full", {std::to_string(largest_batch)}};
        others.emplace_back(trim(trim(what).substr(verb.size())));
        batch.others = std::move(others);
    } else if (verb == "remove" && words.size() == 2) {
        std::vector<std::string> others = batch_others();
        const Result<Index> place = number_between(words[1], 1, own + Index(others.size()), "batch remove");
        if (!place) return place.error();
        if (*place <= own) return Error{"error.batch_own", {words[1]}};
        others.erase(others.begin() + std::ptrdiff_t(*place - own - 1));
        batch.others = std::move(others);
        if (batch.sample && *batch.sample >= own + Index(batch.others->size())) batch.sample.reset();
    } else if (verb == "clear" && words.size() == 1) {
        batch.others.emplace();
        batch.sample.reset();
    } else if (verb == "reset" && words.size() == 1) {
        batch = {};
    } else if (verb == "sample" && words.size() == 2) {
        const Result<Index> place =
            number_between(words[1], 1, own + Index(batch_others().size()), "batch sample");
        if (!place) return place.error();
        batch.sample = *place - 1;
    } else if (verb == "head" && words.size() == 3) {
        if (!model_->graph().find(words[1] + ".weights"))
            return Error{"error.no_such_value", {words[1], model_->name}};
        const Result<Index> head = number_between(words[2], 0, model_->map().max_heads() - 1, "batch head");
        if (!head) return head.error();
        batch.attention = words[1];
        batch.head = *head;
    } else if (verb == "query" && words.size() == 2) {
        const Result<Index> row = number_between(words[1], 0, model_->config().max_length - 1, "batch query");
        if (!row) return row.error();
        batch.query = *row;
    } else {
        return usage();
    }
    const Fed before = fed();
    if (batch.others != state_.heads.batch.others) padded_batch_.reset();
    state_.heads = std::move(view);
    remember(before);
    return Done{};
}

} // namespace headlight
