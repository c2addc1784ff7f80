#include "app/live/training_settings.h"

#include "engine/base/check.h"
#include "engine/base/lasting.h"
#include "engine/text/words.h"
#include "engine/train/recipes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <thread>

namespace headlight {

namespace {

// A setting is a number in a range, or one of a few words, which stand for 0, 1, 2, ….
struct Setting {
    std::string name;
    SettingRange range;
    std::vector<double> usual; // offered
    std::vector<std::string> words;
    bool size = false;
    std::function<double(const TrainingSettings&)> get;
    std::function<void(TrainingSettings&, double)> set;
};

constexpr double largest_seed = 9007199254740992.0; // 2⁵³: every whole number up to it is a double

// clang-format off
const std::vector<Setting>& table() {
    using S = TrainingSettings;
    constexpr Architecture first = Architecture::rnn; // those behind it are recurrent too
    static const std::vector<Setting>& settings = lasting<std::vector<Setting>>({
        {"model", {}, {}, {"transformer", "rnn", "lstm", "gru", "rnn-fixed", "rnn-attention"}, true,
         [](const S& s) { return s.model ? double(int(*s.model) - int(first) + 1) : 0; },
         [](S& s, double x) {
             s.model = x > 0 ? std::optional(Architecture(int(first) + int(x) - 1)) : std::nullopt;
             if (s.model == Architecture::rnn_attention) // the only number it has
                 s.sizes.encoder_layers = s.sizes.decoder_layers = 1;
         }},
        {"distance", {0, 200, true}, {0, 5, 10, 20, 40}, {}, true,
         [](const S& s) { return double(s.distance); },
         [](S& s, double x) { s.distance = Index(x); }},
        {"d_model", {2, 1024, true}, {8, 16, 32, 48, 64, 96, 128, 192, 256}, {}, true,
         [](const S& s) { return double(s.sizes.d_model); },
         [](S& s, double x) { s.sizes.d_model = Index(x); }},
        {"heads", {1, 64, true}, {1, 2, 3, 4, 6, 8, 12, 16}, {}, true,
         [](const S& s) { return double(s.sizes.num_heads); },
         [](S& s, double x) { s.sizes.num_heads = Index(x); }},
        {"layers", {1, 12, true}, {1, 2, 3, 4, 6}, {}, true,
         [](const S& s) { return double(std::max(s.sizes.encoder_layers, s.sizes.decoder_layers)); },
         [](S& s, double x) { s.sizes.encoder_layers = s.sizes.decoder_layers = Index(x); }},
        {"d_ff", {1, 4096, true}, {16, 32, 64, 128, 256, 512, 1024}, {}, true,
         [](const S& s) { return double(s.sizes.d_ff); },
         [](S& s, double x) { s.sizes.d_ff = Index(x); }},
        {"positions", {}, {}, {"sinusoidal", "learned", "none"}, true,
         [](const S& s) { return double(s.sizes.positional_encoding); },
         [](S& s, double x) { s.sizes.positional_encoding = PositionalEncoding(int(x)); }},
        {"norm", {}, {}, {"post", "pre", "batch", "batch-pre"}, true, // position, and which: two bits
         [](const S& s) { return double(int(s.sizes.norm_position) + 2 * int(s.sizes.norm)); },
         [](S& s, double x) {
             s.sizes.norm_position = NormPosition(int(x) % 2);
             s.sizes.norm = Norm(int(x) / 2);
         }},
        {"activation", {}, {}, {"relu", "gelu"}, true,
         [](const S& s) { return double(s.sizes.activation); },
         [](S& s, double x) { s.sizes.activation = Activation(int(x)); }},
        {"batch", {1, 4096, true}, {8, 16, 32, 64, 128, 256}, {}, false,
         [](const S& s) { return double(s.options.batch_size); },
         [](S& s, double x) { s.options.batch_size = Index(x); }},
        {"learning_rate", {0, 1e30, false}, {1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 1e-2}, {}, false,
         [](const S& s) { return s.options.schedule.peak; },
         [](S& s, double x) { s.options.schedule.peak = x; }},
        {"schedule", {}, {}, {"warmup", "constant"}, false,
         [](const S& s) { return s.options.schedule.constant ? 1.0 : 0.0; },
         [](S& s, double x) { s.options.schedule.constant = x != 0; }},
        {"warmup", {0, 1e6, true}, {0, 50, 100, 200, 400, 1000, 4000}, {}, false,
         [](const S& s) { return double(s.options.schedule.warmup); },
         [](S& s, double x) { s.options.schedule.warmup = Index(x); }},
        {"dropout", {0, 0.9, false}, {0, 0.1, 0.2, 0.3, 0.5}, {}, false,
         [](const S& s) { return s.sizes.dropout; },
         [](S& s, double x) { s.sizes.dropout = x; }},
        {"label_smoothing", {0, 0.9, false}, {0, 0.05, 0.1, 0.2}, {}, false,
         [](const S& s) { return s.options.label_smoothing; },
         [](S& s, double x) { s.options.label_smoothing = x; }},
        {"clip", {0, 1e9, false}, {0, 0.5, 1, 5}, {}, false,
         [](const S& s) { return s.options.clip_norm; },
         [](S& s, double x) { s.options.clip_norm = x; }},
        {"seed", {0, largest_seed, true}, {1, 2, 3, 4, 5}, {}, false,
         [](const S& s) { return double(s.options.seed); },
         [](S& s, double x) { s.options.seed = std::uint64_t(x); }},
        {"threads", {1, 256, true}, {1, 2, 4, 8}, {}, false,
         [](const S& s) { return double(s.options.threads); },
         [](S& s, double x) { s.options.threads = int(x); }},
        {"start", {}, {}, {"random", "model"}, false,
         [](const S& s) { return double(s.start); },
         [](S& s, double x) { s.start = StartFrom(int(x)); }},
        {"goal", {0, 1, false}, {0, 0.5, 0.9, 0.99, 1}, {}, false,
         [](const S& s) { return s.goal_exact; },
         [](S& s, double x) { s.goal_exact = x; }},
        {"steps", {0, 1e9, true}, {0, 100, 1000, 4000, 10000}, {}, false,
         [](const S& s) { return double(s.goal_steps); },
         [](S& s, double x) { s.goal_steps = Index(x); }},
        {"moments", {0.01, 65'536, false}, {16, 64, 128, 256, 1024}, {}, false,
         [](const S& s) { return s.megabytes; },
         [](S& s, double x) { s.megabytes = x; }},
    });
    return settings;
}
// clang-format on

const Setting* find(std::string_view name) {
    for (const Setting& setting : table())
        if (setting.name == name) return &setting;
    return nullptr;
}

const Setting& named(std::string_view name) {
    const Setting* found = find(name);
    HEADLIGHT_CHECK(found != nullptr, "no training setting is called " + std::string(name));
    return *found;
}

// The shortest text that reads back as the same number.
std::string to_text(double number) {
    char text[32];
    const auto format = std::abs(number) < 1e17 && std::abs(number) >= 1e-4 ? std::chars_format::fixed
                                                                            : std::chars_format::general;
    const auto end = number == 0 ? std::to_chars(text, text + sizeof text, 0).ptr
                                 : std::to_chars(text, text + sizeof text, number, format).ptr;
    return {text, end};
}

std::string to_text(const Setting& setting, double value) {
    return setting.words.empty() ? to_text(value) : setting.words.at(std::size_t(value));
}

template <class Texts>
std::string joined(const Texts& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + text;
    return list;
}

} // namespace

TrainingSettings settings_for(const std::string& task, const std::filesystem::path& pairs) {
    const Recipe recipe = recipe_for(task);
    TrainingSettings settings;
    settings.task = task;
    settings.pairs = pairs;
    settings.sizes = recipe.sizes;
    settings.options = recipe.training;
    settings.options.threads = std::clamp(int(std::thread::hardware_concurrency()), 1, 256);
    if (task == "next-word" && !pairs.empty()) settings.goal_exact = 0;
    return settings;
}

bool is_same_run(TrainingSettings one, const TrainingSettings& other) {
    one.goal_exact = other.goal_exact;
    one.goal_steps = other.goal_steps;
    one.options.threads = other.options.threads; // the same numbers on any of them
    one.megabytes = other.megabytes;
    return one == other;
}

TrainingState state_of(const TrainingSettings& settings) {
    TrainingState state;
    state.task = settings.task;
    state.pairs = settings.pairs.string();
    state.unit = settings.unit;
    state.distance = settings.distance;
    state.options = settings.options;
    return state;
}

const std::vector<std::string>& setting_names() {
    static const std::vector<std::string>& names = lasting([] {
        std::vector<std::string> all;
        for (const Setting& setting : table()) all.push_back(setting.name);
        return all;
    }());
    return names;
}

std::string setting(const TrainingSettings& settings, std::string_view name) {
    const Setting& found = named(name);
    return to_text(found, found.get(settings));
}

Result<Done> set_alone(TrainingSettings& settings, std::string_view name, const std::string& value) {
    const Setting* found = find(name);
    if (!found) return Error{"error.training_setting", {std::string(name), joined(setting_names())}};
    if (!found->words.empty()) {
        const auto word = std::find(found->words.begin(), found->words.end(), value);
        if (word == found->words.end())
            return Error{"error.training_choice", {found->name, value, joined(found->words)}};
        found->set(settings, double(word - found->words.begin()));
        return Done{};
    }
    const Result<double> number = number_of(value);
    if (!number) return number.error();
    if (found->range.whole && *number != std::floor(*number))
        return Error{"error.not_a_whole_number", {value}};
    if (*number < found->range.least || *number > found->range.most)
        return Error{"error.out_of_range",
                     {found->name, to_text(found->range.least), to_text(found->range.most)}};
    found->set(settings, *number);
    return Done{};
}

Result<TrainingSettings> with_setting(TrainingSettings settings, std::string_view name,
                                      const std::string& value) {
    if (settings.start == StartFrom::model && is_size(name)) {
        const std::string now = setting(settings, name);
        if (const Result<Done> set = set_alone(settings, name, value); !set) return set.error();
        if (setting(settings, name) != now) return Error{"error.training_size_of_model", {std::string(name)}};
        return settings;
    }
    if (const Result<Done> set = set_alone(settings, name, value); !set) return set.error();
    if (const Result<Done> checked = check_settings(settings); !checked) return checked.error();
    return settings;
}

namespace {

// Attention of a recurrent network is of one layer.
bool has_right_layers(const TrainingSettings& settings) {
    return settings.model != Architecture::rnn_attention || settings.sizes.decoder_layers == 1;
}

bool has_right_heads(const ModelConfig& sizes) {
    return sizes.d_model >= 1 && sizes.num_heads >= 1 && sizes.d_model % sizes.num_heads == 0;
}

} // namespace

Result<Done> check_settings(const TrainingSettings& settings) {
    const ModelConfig& sizes = settings.sizes;
    if (!has_right_layers(settings)) return Error{"error.out_of_range", {"layers", "1", "1"}};
    if (has_right_heads(sizes)) return Done{};
    const std::string d_model = std::to_string(sizes.d_model), heads = std::to_string(sizes.num_heads);
    const Index below = sizes.d_model / sizes.num_heads * sizes.num_heads;
    return Error{"error.training_heads",
                 {d_model, heads, joined(choices(settings, "heads")),
                  std::to_string(below > 0 ? below : sizes.num_heads),
                  std::to_string((below > 0 ? below : sizes.num_heads) + sizes.num_heads)}};
}

std::vector<std::string> choices(const TrainingSettings& settings, std::string_view name) {
    const Setting& found = named(name);
    if (settings.start == StartFrom::model && found.size) return {setting(settings, name)};
    if (!found.words.empty()) return found.words;
    std::vector<std::string> offered;
    for (double value : found.usual) {
        TrainingSettings changed = settings;
        found.set(changed, value);
        if (has_right_heads(changed.sizes) && has_right_layers(changed)) offered.push_back(to_text(value));
    }
    return offered;
}

SettingRange range_of(std::string_view name) { return named(name).range; }
bool learning_depends_on(std::string_view name) {
    constexpr std::string_view others[] = {"goal", "steps", "threads", "moments"};
    return std::find(std::begin(others), std::end(others), name) == std::end(others);
}
bool is_size(std::string_view name) { return named(name).size; }

} // namespace headlight
