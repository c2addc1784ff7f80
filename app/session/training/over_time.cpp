#include "app/session/training/over_time.h"
#include "app/session/training/training_view.h"
#include "engine/text/words.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

namespace headlight {

namespace {

void append(std::vector<Real>& numbers, const Node* node) {
    numbers.push_back(Real(-1)); // between one text and the next
    numbers.insert(numbers.end(), node->value.data(), node->value.data() + node->value.size());
}

std::vector<Real> tokens_of(const LoadedModel& model) {
    std::vector<Real> tokens;
    for (const Stream& stream : model.map().streams) append(tokens, stream.tokens);
    return tokens;
}

bool same_edits(const LoadedModel& one, const LoadedModel& other) {
    return one.graph().edits() == other.graph().edits();
}

} // namespace

// Of a cell every kept checkpoint; else a few, the first and the newest among them, evenly spread over those
// that are kept: that is by powers, as learning goes.
std::vector<Index> OverTime::steps_wanted(const Run& run) const {
    std::vector<Index> steps;
    const std::size_t count = wanted_.cell ? run.kept.size() : std::min(pictures, run.kept.size());
    for (std::size_t i = 0; i < count; ++i)
        steps.push_back(run.kept[count == 1 ? 0 : i * (run.kept.size() - 1) / (count - 1)].step);
    return steps;
}

Reals OverTime::read(const Node& node) const {
    const Tensor& value = node.value;
    if (wanted_.cell) {
        const Cell& cell = *wanted_.cell;
        const bool is_there =
            cell.batch < value.batch() && cell.row < value.rows() && cell.column < value.columns();
        return is_there ? Reals{value(cell.batch, cell.row, cell.column)} : Reals{};
    }
    if (wanted_.head < 0) return {value.data(), value.data() + value.size()};
    if (wanted_.head >= value.batch()) return {};
    const Real* first = value.matrix(wanted_.head);
    return {first, first + value.rows() * value.columns()};
}

bool OverTime::advance(const Run& run, const LoadedModel& window, double seconds) {
    if (run.kept.empty() || !run.model) return false;
    if (model_ != run.model) {
        model_ = run.model;
        scratch_ = model_of_run(*model_, run.name);
        values_.clear();
    }
    std::vector<Real> fed = tokens_of(window);
    if (fed != fed_ || !same_edits(*scratch_, window)) {
        fed_ = std::move(fed);
        scratch_->graph().set_edits(window.graph().edits());
        values_.clear();
    }
    const std::vector<Index> steps = steps_wanted(run);
    std::erase_if(values_, [&](const auto& value) {
        return !std::binary_search(steps.begin(), steps.end(), value.first);
    });
    is_complete_ = true;
    bool is_new = false;
    const auto start = std::chrono::steady_clock::now();
    for (const Index step : steps) {
        if (values_.contains(step)) continue;
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) {
            is_complete_ = false;
            break;
        }
        const std::optional<Checkpoint> checkpoint = run.channel->checkpoint_near(step);
        if (!checkpoint || checkpoint->step != step) continue; // thinned out meanwhile
        put_weights(*scratch_, *checkpoint->weights);
        compute_like(window, *scratch_);
        const std::string measure = measure_graph_of(wanted_.path, *scratch_->main_pass);
        const auto measured =
            measure.empty() ? nullptr : compute_measure(measure, *scratch_->main_pass, wanted_.target);
        const Node* node = (measured ? measured->graph : scratch_->graph()).find(wanted_.path);
        if (!node) continue;
        shape_ = node->shape();
        values_[step] = read(*node);
        is_new = true;
    }
    return is_new;
}

namespace {

// A name may have the separator in it, or quotation marks.
std::string quoted_field(const std::string& text, char separator) {
    if (text.find_first_of(std::string("\"\n\r") + separator) == text.npos) return text;
    std::string quoted = "\"";
    for (const char byte : text) quoted += byte == '"' ? std::string("\"\"") : std::string(1, byte);
    return quoted + '"';
}

std::string field(double number) { return std::isfinite(number) ? exactly(number) : "inf"; }

// The shortest that is read back as the same float.
std::string field(float number) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

} // namespace

std::string curves_table(std::span<const std::unique_ptr<Run>> runs, char separator) {
    std::string table;
    const auto line = [&](std::span<const std::string> fields) {
        for (std::size_t i = 0; i < fields.size(); ++i) table += (i > 0 ? separator + fields[i] : fields[i]);
        table += '\n';
    };
    line(std::vector<std::string>{"run", "step", "loss", "gradient_norm", "learning_rate", "held_out_loss",
                                  "token_accuracy", "exact_match", "seconds"});
    for (const auto& run : runs) {
        const std::string name = quoted_field(run->name, separator);
        auto judged = run->judged.begin();
        for (std::size_t i = 0; i < run->steps.size(); ++i) {
            const StepPoint& point = run->steps[i];
            const Index step = run->first_step + Index(i) + 1;
            std::vector<std::string> fields{name, std::to_string(step), field(point.loss),
                                            field(point.gradient_norm), field(point.learning_rate)};
            while (judged != run->judged.end() && judged->step < step) ++judged;
            if (judged != run->judged.end() && judged->step == step)
                for (const double number :
                     {judged->loss, judged->token_accuracy, judged->exact_match, judged->seconds})
                    fields.push_back(field(number));
            fields.resize(9);
            line(fields);
        }
    }
    return table;
}

} // namespace headlight
