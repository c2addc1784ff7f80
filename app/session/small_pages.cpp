// The pages from the ground, all but gradient descent, costs and norms: what is computed of them, and their
// commands.
#include "app/session/small_pages.h"
#include "app/session/setting.h"
#include "app/session/version.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace headlight {

namespace {

constexpr Index measured_queries = 64, measured_keys = 64; // enough that the variance is steady

void turn(Tensor matrix, double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    matrix(0, 0, 0) = matrix(0, 1, 1) = Real(std::cos(angle));
    matrix(0, 0, 1) = Real(std::sin(angle)); // rows are vectors: x W turns x counter-clockwise
    matrix(0, 1, 0) = Real(-std::sin(angle));
}

// "1", "2"; in the plane with the kind: "1 a", "2 b".
std::vector<std::string> names_of_points(const DescentTask& task) {
    std::vector<std::string> names;
    for (const DescentPoint& point : task.points) {
        names.push_back(std::to_string(names.size() + 1));
        if (is_of_plane(task.kind)) names.back() += point.is_of_second ? " b" : " a";
    }
    return names;
}

std::shared_ptr<PlainAttention> attention_of(const SmallPagesSetting& setting) {
    std::shared_ptr<PlainAttention> attention = build_plain_attention(setting.vectors, setting.options);
    if (!setting.options.projections) return attention;
    constexpr const char* names[] = {"w_q", "w_k", "w_v"};
    for (std::size_t i = 0; i < 3; ++i) turn(attention->parameter(names[i]), setting.degrees[i]);
    attention->graph.forward();
    return attention;
}

} // namespace

// A way down is played sixty times a second: the other pages are not built along with it.
void compute_small_pages(SmallPages& pages, const SmallPagesSetting& setting) {
    const SmallPagesSetting before = std::exchange(static_cast<SmallPagesSetting&>(pages), setting);
    const auto is_same_attention = [&] {
        return before.vectors == setting.vectors && before.options == setting.options
               && (before.degrees == setting.degrees || !setting.options.projections);
    };
    if (!pages.attention || !is_same_attention()) pages.attention = attention_of(setting);
    if (!pages.filing_cabinet || before.cabinet != setting.cabinet)
        pages.filing_cabinet = build_filing_cabinet(setting.cabinet);
    if (!pages.descended || before.descent != setting.descent)
        pages.descended = Descent::compute(setting.descent, std::move(pages.descended));
    if (!pages.layer_counts || before.layer_size != setting.layer_size)
        pages.layer_counts = build_layer_counts(setting.layer_size);
    if (pages.measured.d_k != setting.d_k)
        pages.measured = measure_dot_products(setting.d_k, measured_queries, measured_keys, 1);
    pages.version = next_version();
}

std::vector<std::string> words_along(const SmallPages& lesson, const Axis& axis) {
    if (axis.kind == Axis::Kind::classes) return {"fruta", "roupa"}; // the words are Portuguese
    if (axis.kind != Axis::Kind::positions) return {};
    if (lesson.fixed_weights_learned)
        if (const auto* words = lesson.fixed_weights_learned->words_of(*axis.tokens)) return *words;
    const Graph* graph = axis.tokens->graph;
    if (graph == &lesson.attention->graph) return lesson.attention->words;
    if (graph == &lesson.descended->graph()) return names_of_points(lesson.descent.task);
    const FilingCabinet& cabinet = *lesson.filing_cabinet;
    if (graph != &cabinet.graph) return {};
    if (axis.tokens->name == "note") return {cabinet.query_word};
    if (axis.tokens->name == "goal") return {cabinet.folders[std::size_t(lesson.cabinet.wanted)]};
    return cabinet.folders;
}

void add_lesson_commands(CommandRegistry& commands, Inquiries& inquiries) {
    using namespace argument;
    SettingsOf lesson(commands, of_page(inquiries, itself));
    const Index words = Index(SmallPagesSetting().vectors.words.size());
    const auto place = [](const Arguments& in) { return "place " + std::to_string(in.whole("N")); };
    lesson
        .add_each("lesson vector", whole("N", 0, double(words - 1)), words,
                  [](auto& all, Index i) -> auto& { return all.vectors.numbers[std::size_t(i)]; },
                  {number("X", -10, 10), number("Y", -10, 10)})
        .moves = place;
    lesson.add_each("lesson turn", "q|k|v", 3,
                    [](auto& all, Index i) -> auto& { return all.degrees[std::size_t(i)]; },
                    {number("DEGREES", -360, 360)});
    lesson.add("lesson projections", within(&SmallPagesSetting::options, &PlainAttentionOptions::projections),
               "on|off");
    lesson.add("lesson scaled", within(&SmallPagesSetting::options, &PlainAttentionOptions::scaled),
               "on|off");
    // The pointer that moves a word takes it up first.
    lesson.add("lesson word", &SmallPagesSetting::word, whole("N", 0, double(words - 1))).moves = place;
    lesson.add("lesson width", &SmallPagesSetting::d_k, whole("D_K", 1, 512));
    lesson.change("lesson reset", {}, [](SmallPagesSetting& all, const Arguments&) {
        static_cast<PlainSetting&>(all) = {}; // the others have a reset of their own
    });
}

// --- attention as a filing cabinet

namespace {

constexpr double most_steps = 10000;

std::array<double, 4> turned_by(double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return {std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle)}; // rows are vectors
}

} // namespace

double degrees_of(const CabinetNumbers& numbers) {
    const auto& [a, b, c, d] = numbers.w_q;
    return std::atan2(b - c, a + d) * 180 / std::numbers::pi;
}

void add_cabinet_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    using namespace argument;
    SettingsOf cabinet(commands, of_page(inquiries, &SmallPagesSetting::cabinet));
    cabinet.add("cabinet note", &CabinetNumbers::note, {number("X", -10, 10), number("Y", -10, 10)});
    cabinet.change(
        "cabinet turn", {number("DEGREES", -360, 360)},
        [](CabinetNumbers& all, const Arguments& in) { all.w_q = turned_by(in.number("DEGREES")); });
    cabinet.add("cabinet w_q", &CabinetNumbers::w_q,
                {number("A", -1000, 1000), number("B", -1000, 1000), number("C", -1000, 1000),
                 number("D", -1000, 1000)});
    cabinet.add("cabinet want", &CabinetNumbers::wanted, "robot|a|it");
    commands.add("cabinet train", {}, [&view](const Arguments&) { view.cabinet_training = {true, 0}; });
    cabinet
        .change("cabinet train", {whole("STEPS", 1, most_steps)},
                [](CabinetNumbers& all, const Arguments& in) {
                    all.w_q = trained(*build_filing_cabinet(all), in.whole("STEPS"));
                })
        .replayable = false;
    commands.add("cabinet stop", {}, [&view](const Arguments&) { view.cabinet_training = {}; });
    cabinet.change("cabinet reset", {}, [&view](CabinetNumbers& all, const Arguments&) {
        view.cabinet_training = {};
        all = {};
    });
}

// --- fixed weights beside attention

void compute_fixed_weights(SmallPages& lesson) {
    if (lesson.fixed_weights_learned && lesson.fixed_weights_learned->setting() == lesson.fixed_weights)
        return;
    lesson.fixed_weights_learned =
        std::make_shared<FixedWeights>(lesson.fixed_weights, lesson.fixed_weights_learned.get());
    lesson.version = next_version();
}

void add_places_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    using namespace argument;
    SettingsOf fixed_weights(commands, of_page(inquiries, &SmallPagesSetting::fixed_weights));
    fixed_weights.add("places front", &FixedWeightsSetting::in_front,
                      whole("WORDS", 0, double(most_in_front)));
    fixed_weights.add("places epochs", &FixedWeightsSetting::epochs,
                      whole("N", 0, double(most_sense_epochs)));
    fixed_weights.add("places seed", &FixedWeightsSetting::seed, whole("SEED", 1, 1e9));
    fixed_weights.add("places sentence", &FixedWeightsSetting::own, text());
    fixed_weights.reset("places reset");
    commands.add("places", {"play|pause"}, [&](const Arguments& in) -> Result<Done> {
        view.places_play = in.said("play");
        // From the beginning, where it has come to the end.
        if (view.places_play
            && inquiries.experiment().question().small_pages.fixed_weights.epochs
                   >= FixedWeightsSetting().epochs)
            return commands.execute("places epochs 0");
        return Done{};
    });
}

// An epoch a frame: it takes as long as it takes.
bool Session::advance_places(double) {
    if (!view_.places_play) return false;
    const Index epochs = question().small_pages.fixed_weights.epochs, last = FixedWeightsSetting().epochs;
    if (view_.room != Room::fixed_weights || epochs >= last) {
        view_.places_play = false;
        (void)execute("drag end");
        return true;
    }
    (void)execute("drag places epochs " + std::to_string(std::min(epochs + 1, last)));
    return true;
}

} // namespace headlight
