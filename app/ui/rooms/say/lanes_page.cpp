// The decoder fed the target beside the decoder fed its own words; and what wrong words do to those after
// them.
#include "app/ui/rooms/say/say_parts.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headlight {

namespace {

struct TypedTarget {
    std::string text;
};

void no_lanes(SayContext& say, const ScreenRect& rect) {
    PanelColumn column{rect.min.x, rect.min.x + std::min(rect.width(), px(560)), rect.min.y};
    const bool reads = say.session.model().map().source() != nullptr;
    column_heading(column, say.text(reads ? "say.lanes.none.title" : "say.lanes.no_source.title"));
    column.skip(px(8));
    column_paragraph(column, say.text(reads ? "say.lanes.none" : "say.lanes.no_source"));
    if (!reads) return;
    TypedTarget& typed = ui().state<TypedTarget>();
    if (ControlRow(column).field("saying.target", typed.text, {.hint = say.text("say.lanes.hint")})
            == FieldEvent::entered
        && !typed.text.empty())
        say.commands.emit("target " + typed.text);
    if (ControlRow(column).button(
            "saying.mistaken.0", say.text("say.lanes.mistaken"),
            {.tooltip = say.text("say.lanes.mistaken.tip"), .kind = ButtonKind::primary}))
        say.commands.emit("say mistaken");
}

// A lane: what was fed, what is said after it, and how probable the wanted word was.
void lane(SayContext& say, const ScreenRect& rect, float x0, float width,
          const std::vector<ForcedWord>& words, const std::vector<ForcedWord>& others, bool is_forced) {
    const char *title = is_forced ? "say.lanes.forced" : "say.lanes.free",
               *name = is_forced ? "saying.forced" : "saying.free";
    const float line = std::ceil(faces().body.size * 1.5f);
    draw_text_in(pen(), faces().strong, ScreenRect::at(rect.min.x, rect.min.y, rect.width(), line),
                 colours().ink, say.text(title));
    for (std::size_t t = 0; t < words.size(); ++t) {
        const ForcedWord& word = words[t];
        const ScreenRect cell =
            ScreenRect::at(x0 + float(t) * width, rect.min.y + line, width - px(6), rect.height() - line);
        if (cell.max.x < rect.min.x || cell.min.x > rect.max.x) continue;
        const bool differs = word.said != word.wanted;
        const double p = std::exp(word.log_probability);
        pen().AddRectFilled(cell.min, cell.max, mix(colours().card, colours().probability, float(p) * 0.35f),
                            px(5));
        if (differs) pen().AddRect(cell.min, cell.max, colours().warning, px(5), 0, px(1.5f));
        PanelColumn inside{cell.min.x + px(6), cell.max.x - px(6), cell.min.y + px(3)};
        const TokenId fed = t == 0 ? say.generation.fed.back() : words[t - 1].wanted;
        const bool is_fed_other = is_forced && t > 0 && (t > others.size() || others[t - 1].wanted != fed);
        draw_label(pen(), faces().caption, inside.take(line * 0.9f),
                   is_fed_other ? colours().warning : colours().ink_soft,
                   say.text("say.lanes.fed", {say.label(fed)}));
        draw_label(pen(), faces().strong, inside.take(line), colours().ink, say.label(word.wanted));
        draw_text_in(pen(), faces().mono_small, inside.take(line * 0.9f), colours().ink, say.share(p));
        if (differs)
            draw_label(pen(), faces().caption, inside.take(line * 0.9f), colours().warning,
                       say.text("say.lanes.says", {say.label(word.said)}));
        const std::string called = std::string(name) + "." + std::to_string(t);
        widgets().record(called, cell);
        if (ImGui::IsMouseHoveringRect(cell.min, cell.max))
            tooltip_when_resting(called, cell, true,
                                 say.text("say.lanes.word.tip",
                                          {say.label(word.wanted), format_fixed(p, 3), say.label(word.said),
                                           format_fixed(std::exp(word.said_log_probability), 3)}));
    }
}

// When other lanes are shown, the place where they part comes into sight.
void show_parting(const SayContext& say, Index parted, float width, float room) {
    struct Shown {
        std::pair<unsigned long, float> version;
    };
    const std::pair now{say.session.version(), room + width};
    if (std::exchange(ui().state<Shown>().version, now) == now || parted < 0) return;
    ImGui::SetScrollX(std::max(0.f, (float(parted) + 1.5f) * width - room * 0.7f));
}

void losses_plot(SayContext& say, const ScreenRect& rect, const Lanes& lanes) {
    std::vector<float> places, forced, free;
    for (std::size_t t = 0; t < std::max(lanes.forced.size(), lanes.free.size()); ++t)
        places.push_back(float(t + 1));
    for (const ForcedWord& word : lanes.forced) forced.push_back(float(-word.log_probability));
    for (const ForcedWord& word : lanes.free) free.push_back(float(-word.log_probability));
    const std::string of_forced = say.text("say.lanes.short.forced"),
                      of_free = say.text("say.lanes.short.free");
    const std::array<PlotSeries, 2> series = {
        PlotSeries{of_forced, forced, std::span(places).first(forced.size()), colours().warning},
        PlotSeries{of_free, free, std::span(places).first(free.size()), colours().probability}};
    plot({.name = "saying.losses",
          .title = say.text("say.lanes.plot"),
          .x_axis = say.text("say.lanes.plot.x"),
          .y_axis = "−ln p",
          .series = series,
          .low_y = 0.f},
         rect);
}

void spread_plot(SayContext& say, const ScreenRect& rect) {
    const Trials* trials = say.session.experiment().trials();
    if (!trials || trials->kind != TrialKind::spread_of_errors || trials->spread.sentences() == 0) return;
    std::array<std::vector<float>, SpreadOfErrors::most_wrong + 1> x, y;
    std::array<std::string, SpreadOfErrors::most_wrong + 1> labels;
    std::vector<PlotSeries> series;
    for (Index wrong = 0; wrong <= SpreadOfErrors::most_wrong; ++wrong) {
        const auto w = std::size_t(wrong);
        for (Index after = 1; after <= SpreadOfErrors::most_after; ++after)
            if (const auto p = trials->spread.probability(wrong, after)) {
                x[w].push_back(float(after));
                y[w].push_back(float(*p));
            }
        labels[w] = say.text("say.spread.wrong." + std::to_string(wrong));
    }
    for (std::size_t w = 0; w < labels.size(); ++w)
        series.push_back({labels[w], y[w], x[w], colours().series[w]});
    plot({.name = "saying.spread",
          .title = say.text("say.spread.plot", {std::to_string(trials->spread.sentences())}),
          .x_axis = say.text("say.spread.plot.x"),
          .y_axis = say.text("say.spread.plot.y"),
          .series = series,
          .low_y = 0.f,
          .high_y = 1.f},
         rect);
}

bool has_spread(const SayContext& say) {
    const Trials* trials = say.session.experiment().trials();
    return trials && trials->kind == TrialKind::spread_of_errors && trials->spread.sentences() > 0;
}

} // namespace

void lanes_view(SayContext& say, const ScreenRect& rect) {
    ScreenRect lanes_place = rect;
    if (has_spread(say)) {
        lanes_place.max.y = rect.min.y + std::floor(rect.height() * (say.generation.lanes ? 0.62f : 0.42f));
        spread_plot(say, {{rect.min.x, lanes_place.max.y + px(12)}, rect.max});
    }
    if (!say.generation.lanes) return no_lanes(say, lanes_place);
    const Lanes& lanes = *say.generation.lanes;
    const float line = std::ceil(faces().body.size * 1.5f), height = line * 5 + px(4),
                bar = ImGui::GetStyle().ScrollbarSize;
    const std::size_t places = std::max(lanes.forced.size(), lanes.free.size());
    const float width = std::clamp((lanes_place.width() - bar) / float(places), px(104), px(150));
    const float whole = 2 * height + px(16) + bar, both = std::min(whole, lanes_place.height());
    ImGui::SetCursorScreenPos(lanes_place.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("saying.lanes", {lanes_place.width(), both}, false,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_HorizontalScrollbar);
    show_parting(say, lanes.parted, width, lanes_place.width());
    const float x0 = lanes_place.min.x - ImGui::GetScrollX(), y0 = lanes_place.min.y - ImGui::GetScrollY();
    if (lanes.parted >= 0) {
        const float x = x0 + float(lanes.parted) * width - px(3);
        pen().AddLine({x, y0}, {x, y0 + whole - bar}, colours().warning, px(2));
    }
    const auto lane_at = [&](float y) {
        return ScreenRect{{lanes_place.min.x, y}, {lanes_place.max.x, y + height}};
    };
    lane(say, lane_at(y0), x0, width, lanes.forced, lanes.free, true);
    lane(say, lane_at(y0 + height + px(14)), x0, width, lanes.free, lanes.forced, false);
    ImGui::SetCursorScreenPos({x0 + float(places) * width, y0 + whole - bar - px(2)});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
    ImGui::PopStyleVar();
    const ScreenRect below{{lanes_place.min.x, lanes_place.min.y + both + px(10)}, lanes_place.max};
    if (below.height() > px(110)) losses_plot(say, below, lanes);
}

void lanes_side(SayContext& say, PanelColumn& column) {
    if (say.generation.lanes) {
        column_paragraph(column, say.text("say.lanes.text"));
        const Lanes& lanes = *say.generation.lanes;
        column_text(column, faces().strong, colours().ink,
                    lanes.parted < 0 ? say.text("say.lanes.same")
                                     : say.text("say.lanes.parted", {std::to_string(lanes.parted + 1)}));
        column_text(column, faces().mono_small, colours().ink,
                    say.text("say.lanes.losses",
                             {format_number(lanes.forced_loss, 4), format_number(lanes.free_loss, 4)}));
        column.skip(px(8));
        if (column_chip(column, "saying.untarget",
                        {say.text("unlike.target.back"), say.text("say.lanes.away.tip")}))
            say.commands.emit("target");
    }
    column_line(column);
    column_heading(column, say.text("say.spread.title"));
    column.skip(px(4));
    column_paragraph(column, say.text("say.spread.text"));
    const Trials* trials = say.session.experiment().trials();
    const bool is_it = trials && trials->kind == TrialKind::spread_of_errors,
               goes_on = is_it && !trials->is_over();
    if (column_chip(
            column, "saying.spread",
            {say.text(goes_on ? "say.trials.stop" : "say.spread"), say.text("say.spread.tip"), goes_on}))
        say.commands.emit(goes_on ? "say stop" : "say spread");
    if (is_it)
        column_text(column, faces().caption, colours().ink_soft,
                    say.text("say.spread.done",
                             {std::to_string(trials->done), std::to_string(trials->sentences.size()),
                              std::to_string(trials->spread.sentences())}));
}

} // namespace headlight
