// What the room of memory is made of: the race, the picture of forgetting, the cells that were overwritten.
#pragma once

#include "app/session/memory.h"
#include "app/ui/values/value_view.h"

#include <string>
#include <vector>

namespace headlight {

struct MemoryContext {
    const Session& session;
    CommandSink& commands;

    const MemoryView& view() const { return session.view().memory; }
    const Memory& memory() const { return session.memory(); }
    const std::string& text(std::string_view key) const { return session.strings().text(key); }
    std::string text(std::string_view key, const std::vector<std::string>& values) const {
        return session.strings().text(std::string(key), values);
    }
    const Race* race() const;            // that is looked at: the one that ships, or one's own; or null
    const RacerAnswers* answers() const; // of those who are asked; or null
    std::string name_of(std::string_view model) const { return text("memory.model." + std::string(model)); }
    Colour colour_of(std::string_view model) const; // everywhere in this room
    void caption(PanelColumn& column, std::string_view key) const;
    bool is_covered() const { return session.view().teaching.cover.picture; } // a lesson asks for it
    bool is_low() const { return theme().presents(); }
};

// Each in the card, and what stands beside it.
void race_picture(MemoryContext& memory, const ScreenRect& rect);
void race_side(MemoryContext& memory, PanelColumn& column);
void forgetting_picture(MemoryContext& memory, const ScreenRect& rect);
void forgetting_side(MemoryContext& memory, PanelColumn& column);
void cells_picture(MemoryContext& memory, const ScreenRect& rect);
void cells_side(MemoryContext& memory, PanelColumn& column);
void whose_cells(MemoryContext& memory, PanelColumn& column); // to be chosen

// Whose: of the race that ships or one's own, with which task, trained at which distance; the sentence.
void asked_controls(MemoryContext& memory, PanelColumn& column);
// The sentence with its fact marked, and its answer; returns the height that it took.
float asked_sentence(MemoryContext& memory, const ScreenRect& rect);
// Why there is nothing to be seen.
void nobody_has_run(MemoryContext& memory, const ScreenRect& rect);
// The racer on the canvas with the sentence, at a number of its own where one is given.
void open_racer(MemoryContext& memory, const RacerAnswer& racer, const std::string& path, Index step,
                Index cell);

} // namespace headlight
