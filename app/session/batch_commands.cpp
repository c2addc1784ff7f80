// The commands of the padded batch.
#include "app/session/session.h"

namespace headlight {

namespace {

Index last_position(const LoadedModel& model) { return model.config().max_length - 1; }

// The sentence at hand and the second one: they stand above, and are changed there.
Index own_sentences(const Question& question) { return question.second ? 2 : 1; }

Index sentences(const Experiment& experiment) {
    return own_sentences(experiment.question()) + Index(experiment.batch_others().size());
}

Error no_such_sample(const Arguments& in, Index last) {
    return {"error.out_of_range", {"batch " + in.choice(), "1", std::to_string(last)}};
}

Result<Done> ask_with(Experiment& experiment, std::optional<std::vector<std::string>> others) {
    Question next = experiment.question();
    next.batch = std::move(others);
    return experiment.ask(std::move(next));
}

Result<Done> add_sentence(Experiment& experiment, const std::string& text) {
    if (sentences(experiment) >= largest_batch)
        return Error{"error.batch_full", {std::to_string(largest_batch)}};
    std::vector<std::string> others = experiment.batch_others();
    others.push_back(text);
    return ask_with(experiment, std::move(others));
}

Result<Done> remove_sentence(Experiment& experiment, BatchView& batch, const Arguments& in) {
    const Index number = in.whole("N"), own = own_sentences(experiment.question());
    std::vector<std::string> others = experiment.batch_others();
    const Index last = own + Index(others.size());
    if (number < 1 || number > last) return no_such_sample(in, last);
    if (number <= own) return Error{"error.batch_own", {std::to_string(number)}};
    others.erase(others.begin() + std::ptrdiff_t(number - own - 1));
    if (batch.sample && *batch.sample >= last - 1) batch.sample.reset();
    return ask_with(experiment, std::move(others));
}

} // namespace

std::vector<std::string> commands_of(const BatchView& view) {
    std::vector<std::string> lines;
    if (!view.attention.empty())
        lines.push_back("batch head " + view.attention + " " + std::to_string(view.head));
    if (view.sample) lines.push_back("batch sample " + std::to_string(*view.sample + 1));
    if (view.query) lines.push_back("batch query " + std::to_string(*view.query));
    return lines;
}

void add_batch_commands(CommandRegistry& commands, Inquiries& inquiries, BatchView& batch) {
    using namespace argument;
    const auto add = [&](std::vector<Argument> arguments, auto run) {
        commands.add_with_model("batch", std::move(arguments), std::move(run));
    };
    add({"add", file("TEXT")},
        [&](const Arguments& in) { return add_sentence(inquiries.experiment(), in.text("TEXT")); });
    add({"remove", whole("N")},
        [&](const Arguments& in) { return remove_sentence(inquiries.experiment(), batch, in); });
    add({"clear"}, [&](const Arguments&) {
        batch.sample.reset();
        return ask_with(inquiries.experiment(), std::vector<std::string>());
    });
    add({"reset"}, [&](const Arguments&) {
        batch = {};
        return ask_with(inquiries.experiment(), std::nullopt);
    });
    add({"sample", whole("N")}, [&](const Arguments& in) -> Result<Done> {
        const Index number = in.whole("N"), last = sentences(inquiries.experiment());
        if (number < 1 || number > last) return no_such_sample(in, last);
        batch.sample = number - 1;
        return Done{};
    });
    add({"head", attention(), whole("HEAD", last_head)}, [&](const Arguments& in) {
        batch.attention = in.text("ATTENTION");
        batch.head = in.whole("HEAD");
    });
    add({"query", whole("ROW", last_position)}, [&](const Arguments& in) { batch.query = in.whole("ROW"); });
}

} // namespace headlight
