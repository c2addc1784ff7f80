#include "app/ui/files/file_chooser_view.h"

#include "app/session/file_chooser.h"
#include "app/session/training/training_view.h"
#include "app/ui/widgets/menu.h"
#include "engine/io/system.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace headlight {

namespace {

struct ChooserState {
    std::optional<FileChooser> chooser;
    Choosing asked_for;
    std::string line;         // what the field shows
    bool put = false;         // the field has not taken it over yet
    bool show_marked = false; // the list scrolls to it
    double clicked = -1;      // seconds: when a row was
};

std::filesystem::path own_folder() {
    const std::filesystem::path home = home_folder();
    std::error_code none;
    return home.empty() ? std::filesystem::current_path(none) : home;
}

std::filesystem::path first_folder(const Session& session) {
    const Files& files = session.view().files;
    std::error_code none;
    for (const auto& folder : {files.folder, files.session.parent_path()})
        if (!folder.empty() && std::filesystem::is_directory(folder, none)) return folder;
    return own_folder();
}

std::string proposed_name(const Session& session, FileRequest request) {
    const Strings& s = session.strings();
    const Run* run = session.training().training.run();
    switch (request) {
    case FileRequest::save_session:
        return session.view().files.session.empty() ? s.text("file.name.session")
                                                    : session.view().files.session.filename().string();
    case FileRequest::save_run:
        return run ? run->name : s.text("file.name.run");
    case FileRequest::save_picture:
        return s.text("file.name.picture");
    default:
        return {};
    }
}

FileChooser chooser_for(const Session& session, Choosing choosing) {
    const std::filesystem::path folder = first_folder(session);
    if (choosing.name.empty()) choosing.name = proposed_name(session, choosing.request);
    if (!choosing.name.empty()) choosing.name = free_name(folder, choosing.name);
    return {std::move(choosing), folder};
}

ScreenRect between_sides(const ScreenRect& rect, float by) {
    return {{rect.min.x + by, rect.min.y}, {rect.max.x - by, rect.max.y}};
}

// A chooser, laid out; what is done in it is done to the memory.
struct ChooserPanel {
    const Session& session;
    CommandSink& commands;
    ChooserState& state;

    FileChooser& chooser() const { return *state.chooser; }
    std::string text(const char* key) const { return session.strings().text(key); }

    // The chooser has changed what is typed.
    void take_over() const {
        std::string line = shown_name(chooser().text());
        state.put = state.put || line != state.line;
        state.line = std::move(line);
        state.show_marked = true;
    }
    void accept() const {
        const std::optional<std::string> line = chooser().accept();
        take_over();
        if (!line) return;
        commands.emit("choose off");
        commands.emit(*line);
        for (const std::string_view more : where_it_is_seen(chooser().kind()))
            commands.emit(std::string(more));
    }
    void close() const { commands.emit("choose off"); }

    void title(const ScreenRect& line) const {
        const std::string name = "file." + std::string(chooser().kind().name) + ".title";
        const std::string& keys = text("choosing.keys");
        const float width = text_width(faces().caption, keys);
        const bool has_room = text_width(faces().heading, text(name.c_str())) + width + px(24) < line.width();
        draw_text_in(pen(), faces().heading, line, colours().ink, text(name.c_str()));
        if (has_room) draw_text_in(pen(), faces().caption, line, colours().ink_faint, keys, Align::right);
    }

    // Where one is: each folder on the way can be pressed; the first ones give way where there is no room.
    void way(ScreenRect line) const {
        const auto place_button = [&](const char* name, const char* key, const char* tip) {
            ImGui::SetCursorScreenPos(line.min);
            const bool pressed = button(name, text(key), {.tooltip = text(tip)});
            line.min.x = ImGui::GetItemRectMax().x + px(6);
            return pressed;
        };
        if (place_button("chooser.up", "choosing.up", "choosing.up.tip")) chooser().go_up(), take_over();
        if (place_button("chooser.home", "choosing.home", "choosing.home.tip"))
            chooser().go_to(home_folder()), take_over();
        line.min.x += px(8);
        struct Part {
            std::filesystem::path path;
            std::string text;
            float width;
        };
        std::vector<Part> parts;
        float room = line.width() - px(20);
        for (std::filesystem::path at = chooser().folder();; at = at.parent_path()) {
            const bool is_root = !at.has_relative_path();
            const std::string name = is_root ? at.string() : shown_name(at.filename().string());
            const float width = std::ceil(text_width(faces().body, name)) + px(14);
            if (width > room && !parts.empty()) break;
            room -= width + px(8);
            parts.push_back({at, name, std::min(width, line.width())});
            if (is_root || at.empty()) break;
        }
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            const std::string name = "chooser.way." + std::to_string(parts.rend() - part - 1);
            const ScreenRect place = ScreenRect::at(line.min.x, line.min.y, part->width, line.height());
            const Pressable p = pressable(name.c_str(), place);
            if (p.hovered) pen().AddRectFilled(place.min, place.max, colours().hovered, px(5));
            draw_label(pen(), faces().body, between_sides(place, px(6)), colours().ink_soft, part->text,
                       Align::centre);
            line.min.x = place.max.x;
            if (part + 1 != parts.rend() && part->path.has_relative_path()) // the root has its own
                draw_text(pen(), faces().body, {line.min.x + px(1), line.centre().y - faces().body.size / 2},
                          colours().ink_faint, "/");
            line.min.x += px(8);
            if (p.pressed) {
                chooser().go_to(part->path);
                take_over();
                return;
            }
        }
    }

    void typed_line(const ScreenRect& line) const {
        const std::string caption =
            text(chooser().kind().saves ? "choosing.field.save" : "choosing.field.open");
        const float width = std::ceil(text_width(faces().body, caption)) + px(14);
        draw_text_in(pen(), faces().body, line, colours().ink_soft, caption);
        const bool was_empty = state.line.empty();
        // What is typed goes here; but not while something is pressed, which would never be let go then, nor
        // between the two clicks of a double one.
        const bool has_keys = !session.view().show_palette;
        const bool clicks = ImGui::GetTime() - state.clicked < double(ImGui::GetIO().MouseDoubleClickTime);
        const bool focus = has_keys && !clicks && !ImGui::IsAnyItemActive();
        ImGui::SetCursorScreenPos({line.min.x + width, line.min.y});
        const FieldEvent event =
            text_field("chooser.line", "", state.line,
                       {.pixels = line.width() - width, .focus = focus, .put = &state.put});
        if (event == FieldEvent::changed) {
            chooser().type(state.line);
            state.show_marked = true;
        }
        if (!has_keys) return;
        if (key_pressed(Key::backspace) && was_empty) chooser().go_up(), take_over();
        if (key_pressed(Key::tab)) chooser().complete(), take_over();
        const int rows_a_page = 8;
        const int by = int(key_pressed(Key::down)) - int(key_pressed(Key::up))
                       + rows_a_page * (int(key_pressed(Key::page_down)) - int(key_pressed(Key::page_up)));
        if (by != 0) chooser().move_mark(by), take_over();
        if (event == FieldEvent::entered) accept();
    }

    void entry(const ScreenRect& line, std::size_t place) const {
        const FolderEntry& entry = chooser().row(place);
        const bool is_marked = int(place) == chooser().marked();
        const Pressable p = pressable(("chooser.row." + std::to_string(place)).c_str(), line);
        if (is_marked)
            pen().AddRectFilled(line.min, line.max, colours().accent_soft, px(5));
        else if (p.hovered)
            pen().AddRectFilled(line.min, line.max, colours().hovered, px(5));
        const ScreenRect inner = between_sides(line, px(10));
        const char* of_kind = chooser().kind().command == "model" ? "choosing.model" : "choosing.run";
        const std::string what = !entry.is_folder ? "" : text(entry.fits ? of_kind : "choosing.folder");
        const float width = what.empty() ? 0 : text_width(faces().caption, what) + px(16);
        const Colour ink = entry.fits ? colours().ink : colours().ink_soft;
        draw_label(pen(), entry.is_folder ? faces().strong : faces().body,
                   {inner.min, {inner.max.x - width, inner.max.y}}, ink,
                   shown_name(entry.name) + (entry.is_folder ? "/" : ""));
        draw_text_in(pen(), faces().caption, inner, entry.fits ? colours().accent : colours().ink_faint, what,
                     Align::right);
        if (!p.pressed) return;
        state.clicked = ImGui::GetTime();
        const bool twice = is_marked && ImGui::GetIO().MouseClickedLastCount[0] > 1;
        chooser().mark(int(place));
        take_over();
        state.show_marked = false; // it is where the pointer is
        if (twice) accept();
    }

    // Rows that are out of sight are not laid out: a folder may hold thousands.
    void list(const ScreenRect& rect) const {
        pen().AddRectFilled(rect.min, rect.max, colours().window, px(8));
        pen().AddRect(rect.min, rect.max, colours().line, px(8));
        const ScreenRect inner = rect.inset(px(6));
        const FileChooser& files = chooser();
        const float row = std::round(faces().body.size * 1.75f);
        if (files.listing().error || files.rows().empty()) {
            const std::string said =
                files.listing().error ? session.strings().text(*files.listing().error)
                : files.text().empty() || files.kind().saves
                    ? text("choosing.empty")
                    : session.strings().text("choosing.empty.typed", {shown_name(files.text())});
            draw_wrapped(pen(), faces().body, {inner.min.x + px(10), inner.min.y + px(6)},
                         inner.width() - px(20),
                         files.listing().error ? colours().warning : colours().ink_faint, said);
            return;
        }
        ImGui::SetCursorScreenPos(inner.min);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
        ImGui::BeginChild("chooser.list", {inner.width(), inner.height()}, false,
                          ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
        const float cut = files.listing().is_cut ? row : 0;
        const float whole = row * float(files.rows().size()) + cut;
        if (std::exchange(state.show_marked, false) && files.marked() >= 0) {
            const float at = row * float(files.marked()), scroll = ImGui::GetScrollY();
            if (at < scroll) ImGui::SetScrollY(at);
            if (at + row > scroll + inner.height()) ImGui::SetScrollY(at + row - inner.height());
        }
        const float top = inner.min.y - ImGui::GetScrollY();
        const float bar = whole > inner.height() ? ImGui::GetStyle().ScrollbarSize + px(4) : 0;
        const auto first = std::size_t(std::max(0.f, (inner.min.y - top) / row));
        const auto end = std::min(files.rows().size(), std::size_t((inner.max.y - top) / row) + 1);
        const std::filesystem::path folder = files.folder(); // a row may lead into another
        for (std::size_t i = first; i < end && i < files.rows().size() && files.folder() == folder; ++i)
            entry(ScreenRect::at(inner.min.x, top + row * float(i), inner.width() - bar, row), i);
        if (cut > 0)
            draw_text_in(pen(), faces().caption,
                         ScreenRect::at(inner.min.x + px(10), top + whole - cut, inner.width() - bar, cut),
                         colours().ink_faint,
                         session.strings().text("choosing.cut", {std::to_string(FolderListing::most)}));
        ImGui::SetCursorScreenPos({inner.min.x, top + whole - 1});
        ImGui::Dummy({1, 1});
        ImGui::EndChild();
        ImGui::PopStyleVar();
    }

    // What is to be said of what was wanted; kept free for it, so that nothing moves.
    void remark(const ScreenRect& line) const {
        std::string said;
        if (chooser().asks_to_replace())
            said = session.strings().text("choosing.replace",
                                          {shown_name(chooser().to_replace().filename().string())});
        else if (chooser().problem())
            said = session.strings().text(*chooser().problem());
        if (said.empty()) return;
        widgets().record("chooser.remark", line);
        draw_wrapped(pen(), faces().body, line.min, line.width(), colours().warning, said);
    }

    void ends(const ScreenRect& line) const {
        const FileChooser& files = chooser();
        if (!files.kind().folders) {
            bool every = files.shows_every();
            ImGui::SetCursorScreenPos(line.min);
            if (toggle("chooser.every", text("choosing.every"), every, text("choosing.every.tip")))
                chooser().show_every(every);
        }
        const std::string go = text(files.asks_to_replace() ? "choosing.go.replace"
                                    : files.kind().saves    ? "choosing.go.save"
                                                            : "choosing.go.open");
        float widest = 0; // the button keeps its place whatever it says
        for (const char* key : {"choosing.go.replace", "choosing.go.save", "choosing.go.open"})
            widest = std::max(widest, text_width(faces().body, text(key)));
        const float width = std::ceil(widest) + px(32);
        ImGui::SetCursorScreenPos({line.max.x - width, line.min.y});
        if (button("chooser.go", go, {.kind = ButtonKind::primary, .pixels = width})) accept();
        const float other = button_width(text("choosing.cancel"));
        ImGui::SetCursorScreenPos({line.max.x - width - px(8) - other, line.min.y});
        if (button("chooser.cancel", text("choosing.cancel"))) close();
    }

    void lay_out(const ScreenRect& card) const {
        const ScreenRect inner = card.inset(px(20));
        const float row = control_height(), gap = px(10);
        const float said = std::round(faces().body.size * line_spacing) * 2;
        float y = inner.min.y;
        const auto take = [&](float height) {
            const ScreenRect line = ScreenRect::at(inner.min.x, y, inner.width(), height);
            y += height + gap;
            return line;
        };
        title(take(faces().heading.size * 1.4f));
        way(take(row));
        typed_line(take(row));
        list(take(inner.max.y - y - row - said - 2 * gap));
        remark(take(said));
        ends(take(row));
    }
};

} // namespace

void file_chooser_view(const ScreenRect& window, const Session& session, CommandSink& commands) {
    ChooserState& state = ui().state<ChooserState>();
    const std::optional<Choosing>& choosing = session.view().files.choosing;
    if (!choosing) {
        state.chooser.reset();
        return;
    }
    const ChooserPanel panel{session, commands, state};
    if (!state.chooser || state.asked_for != *choosing) {
        state.asked_for = *choosing;
        state.chooser.emplace(chooser_for(session, *choosing));
        state.line = shown_name(state.chooser->text()); // all of it chosen: typing replaces it
        state.put = false;
        state.clicked = -1;
    }
    const Overlay overlay("chooser", window, {px(820), px(600)}, ImGuiWindowFlags_NoNav);
    widgets().record("chooser", overlay.card);
    panel.lay_out(overlay.card);
    if (key_pressed(Key::escape) || overlay.clicked_beside()) panel.close();
}

} // namespace headlight
