#include "app/ui/rooms/train/training_parts.h"
#include "engine/text/words.h"

#include "app/session/training/training_view.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headlight {

namespace {

std::string megabytes(Index bytes) { return std::string(trim(format_fixed(double(bytes) / 1048576, 1))); }

// What one goes back along: a run's kept checkpoints, or the steps of a net's way down.
struct Checkpoints {
    const Run* run = nullptr;
    const Descent* way = nullptr;
    Index first = 0, last = 1, present = 0;
    bool live = false, playing = false;
};

std::optional<Checkpoints> checkpoints_of(const Session& session) {
    const TrainingView& view = session.training();
    if (session.trains_net()) {
        const Descent& way = *session.small_pages().descended;
        const DescentView& descent = session.view().descent;
        return Checkpoints{nullptr,
                           &way,
                           0,
                           std::max<Index>(way.last(), 1),
                           way.step(),
                           way.step() == way.last(),
                           descent.playing.on && descent.playing.is_film};
    }
    const Run* run = view.training.run();
    if (!run || run->kept.empty()) return {};
    return Checkpoints{run,
                       nullptr,
                       run->first_step,
                       std::max(run->step(), run->first_step + 1),
                       view.shown ? view.step : run->step(),
                       view.live && view.shown,
                       view.playing};
}

// Steps along a line, and back.
struct Track {
    ScreenRect rect;
    Index first = 0, last = 1;

    float x_of(Index step) const {
        return rect.min.x
               + float(double(step - first) / double(std::max<Index>(1, last - first))) * rect.width();
    }
    Index step_at(float x) const {
        const double place = std::clamp(double(x - rect.min.x) / double(rect.width()), 0.0, 1.0);
        return first + Index(std::lround(place * double(last - first)));
    }
};

// How well it did by then: the held-out sentences that came out word for word, as hills behind the ticks.
void draw_hills(ImDrawList& list, const Track& track, const Run& run) {
    const Colour colour = with_alpha(colours().accent, 0.22f);
    float last_x = -1e9f;
    for (std::size_t i = 0; i + 1 < run.judged.size(); ++i) {
        const float from = track.x_of(run.judged[i].step), to = track.x_of(run.judged[i + 1].step);
        if (to - last_x < 1) continue; // less than a column of pixels
        last_x = to;
        const auto height = [&](double share) {
            return track.rect.max.y - float(share) * track.rect.height();
        };
        const ImVec2 corners[] = {{from, track.rect.max.y},
                                  {from, height(run.judged[i].exact_match)},
                                  {to, height(run.judged[i + 1].exact_match)},
                                  {to, track.rect.max.y}};
        list.AddConvexPolyFilled(corners, 4, colour);
    }
}

void draw_ticks(ImDrawList& list, const Track& track, const Run& run) {
    int drawn = -1;
    for (const KeptCheckpoint& kept : run.kept) {
        const int x = int(std::round(track.x_of(kept.step)));
        if (x == drawn) continue; // no more than one a column of pixels
        drawn = x;
        const float top = track.rect.max.y - px(kept.whole ? 10.f : 6.f);
        list.AddRectFilled({float(x), top}, {float(x) + 1, track.rect.max.y}, colours().ink_faint);
    }
    // Those that stay whatever comes: a head on the tick, of the best one in the colour of what is right.
    const Judgement* best = run.best();
    for (const KeptCheckpoint& kept : run.kept) {
        const bool is_best = best && kept.step == best->step;
        if (!kept.pinned && !is_best) continue;
        const float x = std::round(track.x_of(kept.step)) + 0.5f, top = track.rect.max.y - px(13);
        const Colour colour = is_best ? colours().accent : colours().ink;
        list.AddLine({x, top}, {x, track.rect.max.y}, colour, px(1.5f));
        if (kept.pinned)
            list.AddCircleFilled({x, top}, px(3.5f), colour, 16);
        else
            list.AddTriangleFilled({x - px(4), top - px(3)}, {x + px(4), top - px(3)}, {x, top + px(3)},
                                   colour);
    }
}

// The cost of each step, as hills behind the line.
void draw_costs(ImDrawList& list, const Track& track, const Descent& way) {
    const std::vector<float>& costs = way.costs();
    const float highest = *std::max_element(costs.begin(), costs.end());
    if (!(highest > 0)) return;
    const std::size_t apart = std::max<std::size_t>(1, costs.size() / std::size_t(track.rect.width() + 1));
    const auto height = [&](std::size_t i) {
        return track.rect.max.y - costs[i] / highest * track.rect.height();
    };
    for (std::size_t i = 0; i + apart < costs.size(); i += apart) {
        const float from = track.x_of(Index(i)), to = track.x_of(Index(i + apart));
        const ImVec2 corners[] = {
            {from, track.rect.max.y}, {from, height(i)}, {to, height(i + apart)}, {to, track.rect.max.y}};
        list.AddConvexPolyFilled(corners, 4, with_alpha(colours().accent, 0.22f));
    }
}

void mark(ImDrawList& list, const Track& track, Index step, Colour colour, bool is_handle) {
    const float x = std::round(track.x_of(std::clamp(step, track.first, track.last)));
    list.AddRectFilled({x - px(1), track.rect.min.y - px(2)}, {x + px(1), track.rect.max.y + px(2)}, colour);
    if (is_handle)
        list.AddCircleFilled({x, track.rect.min.y - px(2)}, px(5), colour, 24);
    else
        list.AddRectFilled({x - px(4), track.rect.min.y - px(6)}, {x + px(4), track.rect.min.y + px(2)},
                           colour);
}

void draw_track(const ScreenRect& rect, const Session& session, CommandSink& commands,
                const Checkpoints& checkpoints) {
    const Strings& s = session.strings();
    const TrainingView& view = session.training();
    const float line = faces().caption.size * 1.3f;
    Track track{{{rect.min.x + px(6), rect.min.y + px(8)}, {rect.max.x - px(6), rect.max.y - line}}};
    track.first = checkpoints.first, track.last = checkpoints.last;
    pen().AddRectFilled({track.rect.min.x, track.rect.max.y}, {track.rect.max.x, track.rect.max.y + 1},
                        colours().frame);
    if (checkpoints.run) {
        draw_hills(pen(), track, *checkpoints.run);
        draw_ticks(pen(), track, *checkpoints.run);
    } else {
        draw_costs(pen(), track, *checkpoints.way);
    }
    if (view.difference) mark(pen(), track, view.difference->from, colours().warning, false);
    const Index present = checkpoints.present;
    mark(pen(), track, present, checkpoints.live ? colours().accent : colours().ink, true);

    const std::string said =
        view.difference ? s.text("learn.timeline.difference",
                                 {format_whole(view.difference->from), format_whole(view.difference->to)})
        : checkpoints.run && !view.shown
            ? s.text("learn.timeline.elsewhere", {checkpoints.run->name, format_whole(present)})
        : checkpoints.live
            ? s.text(checkpoints.way ? "ground.way.newest" : "learn.timeline.live", {format_whole(present)})
            : s.text("learn.timeline.at", {format_whole(present)});
    const std::string memory =
        checkpoints.way
            ? "C = " + format_number(checkpoints.way->cost(), 3)
            : s.text("learn.timeline.memory",
                     {std::to_string(checkpoints.run->kept.size()), megabytes(checkpoints.run->kept_bytes),
                      megabytes(checkpoints.run->settings.timeline_budget())});
    const ScreenRect words{{track.rect.min.x, rect.max.y - line}, {track.rect.max.x, rect.max.y}};
    const float memory_width = text_width(faces().caption, memory) + 1;
    const bool both = memory_width + text_width(faces().caption, said) + px(20) < words.width();
    draw_label(pen(), faces().caption,
               {words.min, {words.max.x - (both ? memory_width + px(8) : 0), words.max.y}},
               checkpoints.live ? colours().accent : colours().ink, said);
    if (both) {
        draw_text_in(pen(), faces().caption, words, colours().ink_faint, memory, Align::right);
        const ScreenRect told{{words.max.x - memory_width, words.min.y}, words.max};
        if (checkpoints.run)
            tooltip_when_resting("timeline.memory", told,
                                 ImGui::IsWindowHovered() && told.contains(ImGui::GetIO().MousePos),
                                 s.text("learn.timeline.memory.tip"));
    }

    if (checkpoints.way && ImGui::IsMouseReleased(0)) commands.emit("drag end");
    const Pressable p = pressable("timeline", {rect.min, {rect.max.x, words.min.y}});
    if (p.hovered || p.held) {
        const Index under = track.step_at(ImGui::GetIO().MousePos.x);
        std::optional<Index> step;
        if (checkpoints.way)
            step = std::min(under, checkpoints.way->last());
        else if (const auto checkpoint = view.training.checkpoint_near(under))
            step = checkpoint->step;
        const bool is_other =
            step && (*step != present || (checkpoints.run && (checkpoints.live || !view.shown)));
        if (is_other && p.held)
            commands.emit((checkpoints.way ? "drag descent at " : "moment ") + std::to_string(*step));
        else if (step && !p.held)
            mark(pen(), track, *step, with_alpha(colours().ink, 0.35f), false);
    }
}

} // namespace

void timeline_strip(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const TrainingView& view = session.training();
    const std::optional<Checkpoints> checkpoints = checkpoints_of(session);
    if (!checkpoints) {
        draw_label(pen(), faces().body, rect, colours().ink_faint, s.text("learn.timeline.empty"));
        return;
    }
    const float y = std::round(rect.centre().y - control_height() / 2), gap = px(6);
    PanelColumn line{rect.min.x, rect.max.x, y};
    ControlRow row(line);
    if (row.button("moment.back", "←", {.tooltip = s.text("learn.timeline.back.tip"), .width = 40}))
        commands.emit("moment -1");
    if (row.button(
            "moment.play", checkpoints->playing ? "❚❚" : "▶",
            {.tooltip = s.text(checkpoints->playing ? "learn.timeline.pause.tip" : "learn.timeline.play.tip"),
             .kind = ButtonKind::primary,
             .width = 44}))
        commands.emit(checkpoints->playing ? "moment pause" : "moment play");
    if (row.button("moment.forward", "→", {.tooltip = s.text("learn.timeline.forward.tip"), .width = 40}))
        commands.emit("moment +1");
    if (row.button("moment.live", s.text(checkpoints->way ? "ground.way.last" : "learn.timeline.live.button"),
                   {.tooltip = s.text(checkpoints->way ? "ground.way.last.tip" : "learn.timeline.live.tip"),
                    .chosen = checkpoints->live}))
        commands.emit("moment live");
    const float left = row.rest().min.x + px(8);

    // At the right what is done with a checkpoint.
    const std::string compare = s.text("learn.timeline.compare"), go_on = s.text("learn.timeline.continue");
    const float right = rect.max.x - button_width(compare) - button_width(go_on) - gap;
    (void)row.take(right - row.rest().min.x - gap);
    const std::string present = std::to_string(checkpoints->present);
    if (row.button("moment.compare", compare,
                   {.tooltip = s.text("learn.timeline.compare.tip"), .chosen = view.difference.has_value()}))
        commands.emit(view.difference ? "difference off" : "difference " + present + " " + present);
    if (row.button(
            "moment.continue", go_on,
            {.tooltip = s.text(checkpoints->way ? "ground.way.continue.tip" : "learn.timeline.continue.tip"),
             .enabled = checkpoints->way || !checkpoints->run->training}))
        commands.emit("moment continue");
    draw_track({{left, rect.min.y}, {right - px(14), rect.max.y}}, session, commands, *checkpoints);
}

} // namespace headlight
