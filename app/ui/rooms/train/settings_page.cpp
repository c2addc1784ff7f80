// A run as a folder: written to be taken along, opened again. The same as in the window's menu of files.
#include "app/ui/rooms/train/training_parts.h"
#include "engine/task/task.h"
#include "engine/task/tasks.h"
#include "engine/train/training_state.h"

#include <algorithm>
#include <cmath>

namespace headlight {

void disk_view(TrainingContext& context) {
    const Strings& s = context.strings();
    const Run* run = context.run();
    context.column.skip(px(14));
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.4f), colours().ink,
               s.text("learn.disk"));
    small_caption(context, s.text("learn.disk.how"));
    context.column.skip(px(6));
    ControlRow row(context.column);
    if (row.button("train.save", s.text("learn.disk.save"),
                   {.tooltip = s.text("learn.disk.save.tip"), .enabled = run && run->model}))
        context.commands.emit("choose save_run");
    if (row.button("train.open", s.text("learn.disk.open"), {.tooltip = s.text("learn.disk.open.tip")}))
        context.commands.emit("choose run");
}

namespace {

void tell_report(TrainingContext& context, const OwnFileReading& reading, const OwnFileReport& report) {
    const Strings& s = context.strings();
    const std::string examples = format_whole(report.examples), vocabulary = format_whole(report.vocabulary),
                      held_out = format_whole(report.held_out_is_training ? 0 : report.held_out);
    if (!report.labels.empty()) {
        std::string classes;
        for (const auto& [label, count] : report.labels)
            classes += (classes.empty() ? "" : ", ") + label + " (" + format_whole(count) + ")";
        running_text(context, s.text("learn.own_file.labels", {examples, held_out, classes, vocabulary}));
    } else {
        running_text(context, s.text("learn.own_file.text." + std::string(name_of(reading.unit())),
                                     {examples, held_out, vocabulary, format_whole(report.merges)}));
    }
    if (report.held_out_is_training) small_caption(context, s.text("learn.own_file.too_few"));
    context.column.skip(px(4));
    for (const std::string& first : report.first)
        draw_label(pen(), faces().caption, context.column.take(faces().caption.size * 1.5f),
                   colours().ink_soft, shown_name(first));
}

} // namespace

void own_file_view(TrainingContext& context) {
    const Strings& s = context.strings();
    const TrainingSettings& settings = context.training().settings();
    const bool labels = settings.task == "sentiment";
    if (!labels && settings.task != "next-word") return;
    context.column.skip(px(8));
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.4f), colours().ink,
               s.text(labels ? "learn.own_file.labels.title" : "learn.own_file.text.title"));
    running_text(context, s.text(labels ? "learn.own_file.labels.how" : "learn.own_file.text.how"));
    context.column.skip(px(6));
    const bool own = !settings.pairs.empty();
    std::vector<Chip> choices;
    std::vector<const char*> wishes;
    const auto offer = [&](const char* request, bool chosen) {
        const std::string key = std::string("learn.own_file.choose.") + request;
        choices.push_back({s.text(key), s.text(key + ".tip"), chosen});
        wishes.push_back(request);
    };
    if (labels) {
        offer("labels", own);
    } else {
        offer("words", own && settings.unit == TokenizerKind::words);
        offer("characters", own && settings.unit == TokenizerKind::characters);
        offer("bpe", own && settings.unit == TokenizerKind::bpe);
    }
    if (const auto pressed = column_chips(context.column, "own_file", choices))
        context.commands.emit(std::string("choose ") + wishes[std::size_t(*pressed)]);
    const OwnFileReading* reading = context.training().own_file();
    if (!reading) return;
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.4f), colours().ink,
               shown_name(reading->file().filename().string()));
    const auto result = reading->result();
    if (!result)
        running_text(context, s.text(reading->unit() == TokenizerKind::bpe ? "learn.own_file.learning"
                                                                           : "learn.own_file.reading"));
    else if (!*result)
        column_text(context.column, faces().body, colours().warning, s.text(result->error()));
    else
        tell_report(context, *reading, **result);
}

namespace {

constexpr std::size_t pairs_shown = 4, lines_shown = 3, numbers_shown = 30;

void reading_bar(TrainingContext& context, const PairProgress& progress) {
    small_caption(context, context.strings().text("learn.pairs.reading", {format_whole(progress.pairs)}));
    const ScreenRect bar = context.column.take(px(6));
    const float share = progress.bytes > 0 ? float(double(progress.bytes_read) / double(progress.bytes)) : 0;
    pen().AddRectFilled(bar.min, bar.max, colours().pressed, px(3));
    pen().AddRectFilled(bar.min, {bar.min.x + share * bar.width(), bar.max.y}, colours().accent, px(3));
}

void preview(TrainingContext& context, const PairReading& reading, const PairReport& report) {
    const Strings& s = context.strings();
    running_text(context, s.text(report.held_out_is_training ? "learn.pairs.read_all" : "learn.pairs.read",
                                 {format_whole(report.pairs.size()), format_whole(report.source_words),
                                  format_whole(report.target_words), format_whole(report.held_out),
                                  format_whole(report.unknown_words)}));
    if (report.held_out_is_training) small_caption(context, s.text("learn.pairs.too_few"));
    context.column.skip(px(6));
    for (std::size_t i = 0; i < std::min(pairs_shown, report.pairs.size()); ++i) {
        const ScreenRect row = context.column.take(faces().caption.size * 1.5f);
        const float middle = row.centre().x;
        draw_label(pen(), faces().caption, {row.min, {middle - px(6), row.max.y}}, colours().ink,
                   report.pairs[i].source);
        draw_label(pen(), faces().caption, {{middle, row.min.y}, row.max}, colours().ink_soft,
                   "→ " + report.pairs[i].target);
    }
    if (report.refused.empty()) return;
    context.column.skip(px(6));
    const Colour warning = colours().warning;
    column_text(context.column, faces().caption, warning,
                s.text("learn.pairs.refused", {format_whole(report.refused.size())}));
    for (std::size_t i = 0; i < std::min(lines_shown, report.refused.size()); ++i) {
        const RefusedLine& line = report.refused[i];
        column_text(context.column, faces().caption, colours().ink_soft,
                    s.text(line.reason, {reading.file().filename().string(), std::to_string(line.line)}));
    }
    if (report.refused.size() <= lines_shown) return;
    std::string numbers; // of the others
    const std::size_t end = std::min(report.refused.size(), lines_shown + numbers_shown);
    for (std::size_t i = lines_shown; i < end; ++i)
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(report.refused[i].line);
    if (end < report.refused.size()) numbers += ", …";
    small_caption(context, s.text("learn.pairs.refused_too", {numbers}));
}

} // namespace

void pairs_view(TrainingContext& context) {
    const Strings& s = context.strings();
    running_text(context, s.text("learn.pairs.how"));
    context.column.skip(px(6));
    {
        ControlRow row(context.column);
        std::string& file = context.state.pairs_file;
        if (row.field("pairs", file,
                      {.tooltip = s.text("learn.pairs.field.tip"), .hint = s.text("learn.pairs.field.hint")},
                      button_width(s.text("learn.pairs.choose")))
                == FieldEvent::entered
            && !file.empty())
            context.commands.emit("train task " + file);
        if (row.button("pairs.choose", s.text("learn.pairs.choose"), {.tooltip = s.text("file.pairs.title")}))
            context.commands.emit("choose pairs");
    }
    const PairReading* reading = context.training().reading();
    if (!reading) return;
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.4f), colours().ink,
               reading->file().filename().string());
    const auto result = reading->result();
    if (!result)
        reading_bar(context, reading->progress());
    else if (!*result)
        column_text(context.column, faces().body, colours().warning, s.text(result->error()));
    else
        preview(context, *reading, ***result);
}

namespace {

// The list of a setting: a field for a number of one's own, then the values that are possible.
void open_list(TrainingContext& context, const std::string& name, const ScreenRect& pill) {
    const Strings& s = context.strings();
    const std::string id = "set." + name;
    const TrainingSettings& settings = context.training().settings();
    const std::vector<std::string> values = choices(settings, name);
    const SettingRange range = range_of(name);
    const bool has_field = range.most > range.least && !(settings.start == StartFrom::model && is_size(name));
    const float line = faces().body.size + px(10), pad = px(6);
    float width = std::max(pill.width(), px(has_field ? 150 : 90));
    for (const std::string& value : values)
        width = std::max(width, text_width(faces().body, setting_value(s, name, value)) + px(32));
    const float field = has_field ? control_height() + px(6) : 0;
    const float height = line * float(values.size()) + field + 2 * pad;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const bool below = pill.max.y + height + px(16) < screen.y;
    ImGui::SetNextWindowPos({std::max(px(8), pill.max.x - width),
                             below ? pill.max.y + px(4) : std::max(px(8), pill.min.y - height - px(4))});
    ImGui::SetNextWindowSize({width, std::min(height, screen.y - px(16))});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, pad});
    ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, px(8));
    ImGui::PushStyleColor(ImGuiCol_PopupBg, colours().raised);
    if (ImGui::BeginPopup(id.c_str(), ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        const float inner = ImGui::GetContentRegionAvail().x;
        bool done = key_pressed(Key::escape);
        if (has_field) {
            const FieldOptions options{.hint = s.text("learn.value.hint"), .pixels = inner};
            if (text_field(id + ".field", "", context.state.setting, options) == FieldEvent::entered) {
                if (!context.state.setting.empty())
                    context.commands.emit("train set " + name + " " + typed_number(context.state.setting));
                done = true;
            }
        }
        const std::string present = setting(settings, name);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const ScreenRect row = ScreenRect::at(corner.x, corner.y + field + line * float(i), inner, line);
            const Pressable p = pressable((id + "." + std::to_string(i)).c_str(), row);
            if (p.hovered) pen().AddRectFilled(row.min, row.max, colours().hovered, px(5));
            draw_label(pen(), faces().body, {{row.min.x + px(8), row.min.y}, {row.max.x - px(8), row.max.y}},
                       values[i] == present ? colours().accent : colours().ink,
                       setting_value(s, name, values[i]));
            if (!p.pressed) continue;
            context.commands.emit("train set " + name + " " + values[i]);
            done = true;
        }
        if (done) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
}

// Its name at the left, its value at the right: press to choose another.
void setting_row(TrainingContext& context, const std::string& name) {
    const Strings& s = context.strings();
    const TrainingSettings& settings = context.training().settings();
    const ScreenRect row = context.column.take(faces().body.size + px(12));
    const std::string value = setting_value(s, name, setting(settings, name)), id = "set." + name;
    const float label = text_width(faces().body, s.text("setting." + name)) + px(12);
    const float width =
        std::clamp(text_width(faces().body, value) + px(36), px(84), std::max(px(84), row.width() - label));
    const ScreenRect pill{{row.max.x - width, row.min.y + px(1)}, {row.max.x, row.max.y - px(1)}};
    const bool fixed = settings.start == StartFrom::model && is_size(name);
    const Pressable p = fixed ? Pressable{} : pressable(id.c_str(), pill);
    if (!fixed)
        pen().AddRectFilled(pill.min, pill.max, p.hovered ? colours().hovered : colours().raised, px(6));
    draw_label(pen(), faces().body, {row.min, {pill.min.x - px(6), row.max.y}}, colours().ink_soft,
               s.text("setting." + name));
    draw_label(pen(), faces().body, {{pill.min.x + px(10), pill.min.y}, {pill.max.x - px(22), pill.max.y}},
               fixed ? colours().ink_faint : colours().ink, value, Align::right);
    if (!fixed)
        draw_text_in(pen(), faces().caption,
                     {{pill.max.x - px(20), pill.min.y}, {pill.max.x - px(6), pill.max.y}},
                     colours().ink_faint, "▾", Align::centre);
    const bool over = ImGui::IsWindowHovered() && row.contains(ImGui::GetIO().MousePos);
    const std::string tip =
        s.text("setting." + name + ".tip") + (fixed ? "\n" + s.text("learn.value.of_model") : std::string());
    tooltip_when_resting(id, row, over, tip);
    if (p.pressed) {
        context.state.setting.clear();
        ImGui::OpenPopup(id.c_str());
    }
    open_list(context, name, pill);
}

void group(TrainingContext& context, const std::string& key, std::initializer_list<const char*> names) {
    context.column.skip(px(12));
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.4f), colours().ink,
               context.strings().text(key));
    context.column.skip(px(2));
    for (const char* name : names) setting_row(context, name);
}

void choose_task(TrainingContext& context) {
    const Strings& s = context.strings();
    const TrainingSettings& settings = context.training().settings();
    const bool own = settings.task == own_pairs;
    std::vector<Chip> tasks;
    std::vector<std::string> names = task_names();
    names.insert(names.end(), memory_task_names().begin(), memory_task_names().end());
    for (const std::string& name : names)
        tasks.push_back({s.text("learn.task." + name), s.text("learn.task." + name + ".tip"),
                         !own && settings.task == name});
    tasks.push_back({s.text("learn.task.own"), s.text("learn.task.own.tip"), own});
    names.push_back(own_pairs);
    if (const auto pressed = column_chips(context.column, "train.task", tasks))
        context.commands.emit("train task " + names[std::size_t(*pressed)]);
    if (own)
        pairs_view(context);
    else {
        running_text(context, s.text("learn.task." + settings.task + ".tip"));
        own_file_view(context);
    }
}

} // namespace

std::string setting_value(const Strings& s, const std::string& name, const std::string& value) {
    const bool zero_is_none = name == "goal" || name == "steps" || name == "clip" || name == "warmup";
    if (zero_is_none && value == "0") return s.text("learn.value.none");
    if (name == "goal")
        if (const Result<double> share = number_of(value))
            return exact_text(std::round(*share * 1e4) / 100) + "%";
    const std::string key = "setting." + name + "." + value;
    if (s.texts("en").contains(key)) return s.text(key);
    const Result<double> number = number_of(value);
    return number ? exact_text(*number) : value;
}

std::string task_label(const Session& session, const TrainingSettings& settings) {
    if (!settings.pairs.empty()) return settings.pairs.filename().string();
    const bool own = settings.task == own_pairs; // without a file yet
    return session.strings().text("learn.task." + (own ? "own" : settings.task));
}

void settings_page(TrainingContext& context) {
    choose_task(context);
    group(context, "learn.group.begin", {"start", "seed"});
    const std::vector<std::string>& memory = memory_task_names();
    if (std::find(memory.begin(), memory.end(), context.training().settings().task) != memory.end())
        setting_row(context, "distance");
    group(context, "learn.group.model",
          {"model", "d_model", "heads", "layers", "d_ff", "positions", "norm", "activation"});
    group(context, "learn.group.learning",
          {"batch", "learning_rate", "schedule", "warmup", "dropout", "label_smoothing", "clip", "threads"});
    group(context, "learn.group.end", {"goal", "steps", "moments"});
    disk_view(context);
}

} // namespace headlight
