#include "app/ui/rooms/memory/memory_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/widgets/menu.h"

#include "engine/task/tasks.h"

#include <algorithm>

namespace headlight {

const Race* MemoryContext::race() const { return memory().race(view().asked); }

const RacerAnswers* MemoryContext::answers() const {
    const RacerAnswers* answers = memory().answers();
    if (!answers || memory().trained_distances(view().asked).empty()) return nullptr;
    return answers->asked.own == view().asked.own && answers->asked.task == view().asked.task ? answers
                                                                                              : nullptr;
}

Colour MemoryContext::colour_of(std::string_view model) const {
    const std::vector<std::string>& names = racer_names();
    const auto place = std::size_t(std::find(names.begin(), names.end(), model) - names.begin());
    // One more than there are colours: the fixed vector, which two GRUs pass on, is a paler GRU.
    constexpr std::size_t gru = 2, fixed = 3;
    if (place == fixed) return mix(colours().series[gru], colours().ink, 0.5f);
    return colours().series[(place > fixed ? place - 1 : place) % colours().series.size()];
}

void MemoryContext::caption(PanelColumn& column, std::string_view key) const {
    column.skip(px(8));
    column_caption(column, text(key));
}

void asked_controls(MemoryContext& memory, PanelColumn& column) {
    const MemoryView& view = memory.view();
    const std::vector<Chip> whose = {
        {memory.text("memory.ready"), memory.text("memory.ready.tip"), !view.asked.own},
        {memory.text("memory.own"), memory.text("memory.own.tip"), view.asked.own}};
    if (const auto pressed = column_chips(column, "racing.whose", whose))
        memory.commands.emit(*pressed == 0 ? "race ready" : "race own");
    std::vector<Chip> tasks;
    for (const std::string& name : memory_task_names())
        tasks.push_back({memory.text("memory.task." + name), memory.text("memory.task." + name + ".tip"),
                         view.asked.task == name, view.asked.own || memory.memory().has_ready(name)});
    if (const auto pressed = chips_or_list("racing.task", tasks, memory.text("memory.task.tip"), column))
        memory.commands.emit("race task " + memory_task_names()[std::size_t(*pressed)]);
    if (view.page == MemoryPage::race) return column.skip(px(8));
    const std::vector<Index> distances = memory.memory().trained_distances(view.asked);
    const RacerAnswers* answers = memory.answers();
    if (answers && distances.size() > 1) {
        memory.caption(column, "memory.trained");
        std::vector<Chip> chosen;
        for (const Index distance : distances)
            chosen.push_back({memory.text("memory.words", {std::to_string(distance)}),
                              memory.text("memory.trained.tip"), answers->asked.trained == distance});
        if (const auto pressed = chips("racing.trained", chosen, column))
            memory.commands.emit("race trained " + std::to_string(distances[std::size_t(*pressed)]));
    }
    column.skip(px(8));
    if (!answers) return;
    float distance = float(view.asked.distance);
    if (ControlRow(column).slider("racing.distance", memory.text("memory.distance"), distance, 0, 100,
                                  {.tooltip = memory.text("memory.distance.tip"), .step = 1}))
        memory.commands.emit("race distance " + std::to_string(int(distance + 0.5f)));
    column.skip(px(4));
    if (ControlRow(column).button("racing.sentence.next", memory.text("memory.sentence.next"),
                                  {.tooltip = memory.text("memory.sentence.next.tip")}))
        memory.commands.emit("race sentence next");
}

// The same in one row, where there is no room for a side; of cells, whose. Returns its height.
float asked_row(MemoryContext& memory, const ScreenRect& rect) {
    if (!memory.answers()) return 0;
    PanelColumn column{rect.min.x, rect.max.x - px(16), rect.min.y};
    {
        ControlRow row(column);
        if (row.button("racing.sentence.next", memory.text("memory.sentence.next"),
                       {.tooltip = memory.text("memory.sentence.next.tip")}))
            memory.commands.emit("race sentence next");
        float distance = float(memory.view().asked.distance);
        (void)row.take(px(4));
        if (row.slider("racing.distance", memory.text("memory.distance"), distance, 0, 100,
                       {.tooltip = memory.text("memory.distance.tip"),
                        .pixels = std::min(px(260), row.rest().width()),
                        .step = 1}))
            memory.commands.emit("race distance " + std::to_string(int(distance + 0.5f)));
    }
    column.right = rect.max.x;
    if (memory.view().page == MemoryPage::cells) whose_cells(memory, column);
    return column.y - rect.min.y;
}

float asked_sentence(MemoryContext& memory, const ScreenRect& rect) {
    const RacerAnswers& answers = *memory.answers();
    const std::vector<std::string> words = words_of(answers.pair.source),
                                   others = words_of(answers.other.source);
    const Face &face = faces().body, &strong = faces().strong;
    const float line = std::ceil(face.size * 1.45f), space = text_width(face, " ");
    float x = rect.min.x, y = rect.min.y;
    const auto word = [&](const Face& in, Colour colour, const std::string& text) {
        const float width = text_width(in, text);
        if (x + width > rect.max.x && x > rect.min.x) x = rect.min.x, y += line;
        draw_text_in(pen(), in, ScreenRect::at(x, y, width + 1, line), colour, text);
        x += width + space;
    };
    constexpr std::size_t shown = 30; // of a long distance the middle is left out
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words.size() > shown && i == 14) word(face, colours().ink_faint, "…");
        if (words.size() > shown && i >= 14 && i + 14 < words.size()) continue;
        const bool is_fact = words.size() == others.size() && words[i] != others[i];
        word(is_fact ? strong : face, is_fact ? colours().accent : colours().ink, words[i]);
    }
    word(face, colours().ink_soft, "→");
    word(strong, colours().ink, answers.pair.target);
    widgets().record("racing.sentence", {rect.min, {rect.max.x, y + line}});
    return y + line - rect.min.y;
}

void nobody_has_run(MemoryContext& memory, const ScreenRect& rect) {
    PanelColumn column{rect.min.x, rect.min.x + std::min(rect.width(), px(560)), rect.min.y};
    const bool own = memory.view().asked.own;
    if (const RaceNews* news = own ? memory.memory().own() : nullptr) { // none of them is trained yet
        column_heading(column, memory.text("memory.none.yet.title"));
        column.skip(px(8));
        std::size_t done = 0, all = 0;
        for (const LaneNews& lane : news->lanes)
            done += std::size_t(lane.done), all += std::size_t(lane.entries);
        column_text(column, faces().body, colours().ink_soft,
                    memory.text("memory.none.yet", {format_whole(done), format_whole(all)}));
        return;
    }
    column_heading(column, memory.text(own ? "memory.none.own.title" : "memory.none.ready.title"));
    column.skip(px(8));
    column_text(column, faces().body, colours().ink_soft,
                memory.text(own ? "memory.none.own" : "memory.none.ready"));
}

void open_racer(MemoryContext& memory, const RacerAnswer& racer, const std::string& path, Index step,
                Index cell) {
    memory.commands.emit("race open " + racer.entry.model);
    memory.commands.emit("source " + memory.answers()->pair.source);
    memory.commands.emit("room explore");
    memory.commands.emit("closeup off");
    if (path.empty()) return;
    memory.commands.emit("goto " + path);
    memory.commands.emit(select_command({path, {0, step, cell}}));
}

void memory_picture(MemoryContext& memory, const ScreenRect& rect) {
    const MemoryPage page = memory.view().page;
    if (memory.is_covered()) {
        const bool has_sentence = page != MemoryPage::race && memory.answers();
        const float top = has_sentence ? asked_sentence(memory, rect) + px(8) : 0;
        return covered_picture({{rect.min.x, rect.min.y + top}, rect.max}, memory.session);
    }
    switch (page) {
    case MemoryPage::race:
        return race_picture(memory, rect);
    case MemoryPage::forgetting:
        return forgetting_picture(memory, rect);
    case MemoryPage::cells:
        return cells_picture(memory, rect);
    }
}

void memory_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    MemoryContext memory{session, commands};
    const MemoryPage page = memory.view().page;
    PageFrame frame = page_frame(body, session);
    if (!frame.has_side && !session.view().alone && page != MemoryPage::race)
        frame.main.min.y += asked_row(memory, frame.main);
    memory_picture(memory, frame.main);
    if (!frame.has_side) return;
    ScrolledColumn scrolled("memoryside", frame.side);
    PanelColumn& column = scrolled.column;
    std::vector<Chip> pages;
    for (std::size_t i = 0; i < std::size(memory_page_names); ++i)
        pages.push_back({memory.text("memory.page." + std::string(memory_page_names[i])),
                         memory.text("memory.page." + std::string(memory_page_names[i]) + ".tip"),
                         page == MemoryPage(i)});
    if (const auto pressed = chips_or_list("racing.page", pages, memory.text("memory.page.tip"), column))
        commands.emit("race " + std::string(memory_page_names[std::size_t(*pressed)]));
    column.skip(px(10));
    switch (page) {
    case MemoryPage::race:
        race_side(memory, column);
        break;
    case MemoryPage::forgetting:
        forgetting_side(memory, column);
        break;
    case MemoryPage::cells:
        cells_side(memory, column);
        break;
    }
}

} // namespace headlight
