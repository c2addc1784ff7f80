// The commands of the padded batch.
#include "app/session/setting.h"

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

using Others = std::optional<std::vector<std::string>>;

Result<Done> add_sentence(Others& others, const Experiment& experiment, const std::string& text) {
    if (sentences(experiment) >= largest_batch)
        return Error{"error.batch_full", {std::to_string(largest_batch)}};
    others = experiment.batch_others();
    others->push_back(text);
    return Done{};
}

Result<Done> remove_sentence(Others& others, const Experiment& experiment, BatchView& batch,
                             const Arguments& in) {
    const Index number = in.whole("N"), own = own_sentences(experiment.question());
    others = experiment.batch_others();
    const Index last = own + Index(others->size());
    if (number < 1 || number > last) return no_such_sample(in, last);
    if (number <= own) return Error{"error.batch_own", {std::to_string(number)}};
    others->erase(others->begin() + std::ptrdiff_t(number - own - 1));
    if (batch.sample && *batch.sample >= last - 1) batch.sample.reset();
    return Done{};
}

} // namespace

void add_batch_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    using namespace argument;
    BatchView& batch = view.heads.batch;
    SettingsOf asked(commands, with_model(of_question(inquiries, &Question::batch)));
    asked.add_lines(
        "batch add", {file("TEXT")},
        [&](Others& others, const Arguments& in) {
            return add_sentence(others, inquiries.experiment(), in.text("TEXT"));
        },
        [](const Others& now, const Others&) {
            std::vector<std::string> lines = setting_words::line_if(now.has_value(), "batch clear");
            for (const std::string& other : now.value_or(std::vector<std::string>()))
                lines.push_back("batch add " + setting_words::on_one_line(other));
            return lines;
        });
    asked.change("batch remove", {whole("N")}, [&](Others& others, const Arguments& in) {
        return remove_sentence(others, inquiries.experiment(), batch, in);
    });
    asked.change("batch clear", {}, [&](Others& others, const Arguments&) {
        batch.sample.reset();
        others.emplace();
    });
    asked.change("batch reset", {}, [&](Others& others, const Arguments&) {
        batch = {};
        others.reset();
    });
    SettingsOf looked_at(commands, with_model(of_view(view, within(&View::heads, &HeadsView::batch))));
    looked_at.add_written(
        "batch sample", {whole("N")},
        [&](BatchView& all, const Arguments& in) -> Result<Done> {
            const Index number = in.whole("N"), last = sentences(inquiries.experiment());
            if (number < 1 || number > last) return no_such_sample(in, last);
            all.sample = number - 1;
            return Done{};
        },
        [&](const BatchView& all) {
            const bool is_there = all.sample && *all.sample < sentences(inquiries.opened->experiment);
            return is_there ? std::to_string(*all.sample + 1) : std::string();
        });
    looked_at.add_written(
        "batch head", {attention(), whole("HEAD", last_head)},
        [](BatchView& all, const Arguments& in) {
            all.attention = in.text("ATTENTION");
            all.head = in.whole("HEAD");
        },
        [](const BatchView& all) {
            return all.attention.empty() ? std::string() : all.attention + " " + std::to_string(all.head);
        });
    looked_at.add("batch query", &BatchView::query, whole("ROW", last_position));
}

} // namespace headlight
