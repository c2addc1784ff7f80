// The commands of what-ifs: changes, and the second sentence.
#include "app/session/session.h"

#include <algorithm>

namespace headlight {

namespace {

// "off 2": a change is called by its place in the list, from 1.
Result<std::size_t> place_of(const std::vector<std::string>& words, std::size_t count) {
    const std::string command = "change " + words[0];
    if (words.size() != 2) return Error{"error.command_usage", {command + " N"}};
    const Result<long> number = whole_number_of(words[1]);
    if (!number) return number.error();
    if (count == 0) return Error{"error.no_changes", {}};
    if (*number < 1 || std::size_t(*number) > count)
        return Error{"error.out_of_range", {command, "1", std::to_string(count)}};
    return std::size_t(*number - 1);
}

} // namespace

void Session::add_what_if_commands() {
    const auto add = [this](std::string name, std::string arguments, auto run) {
        commands_.add({std::move(name), std::move(arguments), run});
    };
    using Text = std::string_view;
    add("change", "head|remove|cell|row|mask|patch|scale|weight …|on|off|delete N",
        [this](Text what) { return change(what); });
    add("changes", "on|off|clear", [this](Text what) -> Result<Done> {
        if (what != "on" && what != "off" && what != "clear")
            return Error{"error.command_usage", {"changes on|off|clear"}};
        std::vector<Change> changes = what == "clear" ? std::vector<Change>() : state_.changes;
        for (Change& one : changes) one.on = what == "on";
        return set_changes(std::move(changes));
    });
    add("second", "TEXT|off", [this](Text text) { return set_second(text); });
    add("save", "FILE", [this](Text file) { return save_session(file); });
    add("open", "FILE", [this](Text file) { return open_session(file); });
}

Result<Done> Session::change(std::string_view what) {
    if (!has_model()) return Error{"error.no_model", {}};
    const std::vector<std::string> words = words_of(what);
    if (words.empty() || (words[0] != "on" && words[0] != "off" && words[0] != "delete"))
        return add_change(what);
    const Result<std::size_t> place = place_of(words, state_.changes.size());
    if (!place) return place.error();
    std::vector<Change> changes = state_.changes;
    if (words[0] == "delete")
        changes.erase(changes.begin() + std::ptrdiff_t(*place));
    else
        changes[*place].on = words[0] == "on";
    return set_changes(std::move(changes));
}

// Another number for the same cell, another use of the same head, takes the place of the one before.
Result<Done> Session::add_change(std::string_view text) {
    const Result<std::vector<Edit>> edits = edits_of(text, *model_, what_if_.second_graph());
    // A saved session may hold a change that its present sentence is too short for.
    const bool is_written_wrongly =
        !edits
        && (edits.error().key == "error.command_usage" || edits.error().key == "error.no_such_change_form");
    if (!edits && (!replaying_ || is_written_wrongly)) return edits.error();
    if (edits && !replaying_)
        if (const Result<Done> reached = check_reach(*edits, model_->graph()); !reached) return reached;
    std::vector<Change> changes = state_.changes;
    const auto earlier = std::find_if(changes.begin(), changes.end(),
                                      [&](const Change& other) { return same_place(text, other.text); });
    if (earlier != changes.end())
        *earlier = {std::string(text), true};
    else
        changes.push_back({std::string(text), true});
    return set_changes(std::move(changes));
}

Result<Done> Session::set_changes(std::vector<Change> changes) {
    const Fed before = fed();
    state_.changes = std::move(changes);
    if (fed() == before) return Done{};
    compute_changes();
    remember(before);
    return Done{};
}

Result<Done> Session::set_second(std::string_view text) {
    if (!has_model()) return Error{"error.no_model", {}};
    const Fed before = fed();
    state_.second_text = text.empty() || text == "off" ? std::nullopt : std::optional<std::string>(text);
    if (fed() == before) return Done{};
    compute();
    remember(before);
    return Done{};
}

} // namespace headlight
