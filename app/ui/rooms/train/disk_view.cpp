// A run as a folder: written to be taken along, opened again.
#include "app/ui/rooms/train/training_parts.h"

#include <cstdlib>
#include <filesystem>

namespace headlight {

namespace {

// "/home/ana/copy 1": a place of the person's own, until another is typed.
std::string proposed_folder(const Run* run) {
    const char* home = std::getenv("HOME");
    if (!run || !home || !*home) return {};
    return (std::filesystem::path(home) / run->name).string();
}

} // namespace

void disk_view(TrainingContext& context) {
    const Strings& s = context.strings();
    TrainingMemory& memory = context.memory;
    const Run* run = context.run();
    context.column.skip(px(14));
    draw_label(pen(), faces().strong, context.column.take(faces().strong.size * 1.4f), colours().ink,
               s.text("learn.disk"));
    small_caption(context, s.text("learn.disk.how"));
    context.column.skip(px(6));
    const std::string proposed = proposed_folder(run);
    ImGui::SetCursorScreenPos({context.column.left, context.column.y});
    (void)text_field("train.folder", "", memory.folder,
                     {.tooltip = s.text("learn.disk.folder.tip"),
                      .hint = proposed.empty() ? s.text("learn.disk.folder.hint") : proposed,
                      .width = context.column.width() / theme().scale});
    context.column.skip(control_height() + px(6));
    const std::string folder = memory.folder.empty() ? proposed : memory.folder;
    const ScreenRect row = context.column.take(control_height());
    ImGui::SetCursorScreenPos(row.min);
    if (button("train.save", s.text("learn.disk.save"),
               {.tooltip = s.text("learn.disk.save.tip"), .enabled = run && run->model && !folder.empty()}))
        context.commands.emit("train save " + folder);
    ImGui::SameLine(0, px(6));
    if (button("train.open", s.text("learn.disk.open"),
               {.tooltip = s.text("learn.disk.open.tip"), .enabled = !folder.empty()}))
        context.commands.emit("train open " + folder);
}

} // namespace headlight
