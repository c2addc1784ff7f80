// A run as a folder: written to be taken along, opened again. The same as in the window's menu of files.
#include "app/ui/rooms/train/training_parts.h"

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

} // namespace headlight
