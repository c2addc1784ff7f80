// What stands beside the tree of beams: its rule, what is opened, who wins at which length penalty, the
// answers, and where a wider beam is worse.
#include "app/ui/rooms/say/say_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

using Branch = BeamTree::Branch;
using Fate = BeamTree::Fate;

// What stands under the penalty: for each of its values, which answer wins.
void winners_strip(SayContext& say, PanelColumn& column) {
    constexpr int steps = 150;
    constexpr double most = 3;
    const BeamTree& tree = *say.saying.tree;
    std::vector<Index> winners;
    for (int i = 0; i <= steps; ++i) {
        const std::vector<Index> answers = tree.answers(most * i / steps);
        winners.push_back(answers.empty() ? -1 : answers.front());
    }
    const ScreenRect strip = column.take(std::ceil(faces().caption.size * 1.6f));
    widgets().record("saying.winners", strip);
    int segment = 0;
    for (int i = 0; i <= steps;) {
        int end = i;
        while (end <= steps && winners[std::size_t(end)] == winners[std::size_t(i)]) ++end;
        const auto x = [&](int at) { return strip.min.x + strip.width() * float(at) / float(steps + 1); };
        const ScreenRect part{{x(i), strip.min.y}, {x(end) - px(1), strip.max.y}};
        const bool is_now =
            winners[std::size_t(i)] == (say.saying.ranked.empty() ? -1 : say.saying.ranked.front());
        pen().AddRectFilled(part.min, part.max,
                            mix(colours().raised, colours().series[std::size_t(segment) % 6], 0.35f), px(3));
        if (is_now) pen().AddRect(part.min, part.max, colours().accent, px(3), 0, px(2));
        if (winners[std::size_t(i)] >= 0) {
            if (ImGui::IsMouseHoveringRect(part.min, part.max))
                tooltip_when_resting(
                    "saying.winner." + std::to_string(segment), part, true,
                    say.session.model().files.target.decode(
                        words_of(tree, winners[std::size_t(i)], *say.session.model().map().target())));
            const Index count = tree.branches[std::size_t(winners[std::size_t(i)])].words;
            const std::string words = count == 1 ? say.text("say.beams.words.one")
                                                 : say.text("say.beams.words", {std::to_string(count)});
            if (text_width(faces().caption, words) < part.width() - px(4))
                draw_text_in(pen(), faces().caption, part, colours().ink, words, Align::centre);
        }
        i = end, ++segment;
    }
    column.skip(px(4));
    column_note(column, say.text(segment > 1 ? "say.beams.flips" : "say.beams.never_flips"));
}

// What a sum is divided by: "12", "12^0.6", nothing but 1 where length does not count.
std::string divisor_text(const Branch& branch, const SayingSettings& settings) {
    const double penalty = settings.length_penalty;
    if (penalty == 0) return "1";
    return format_whole(branch.words) + (penalty == 1 ? "" : "^" + exact_text(penalty));
}

void answers_list(SayContext& say, PanelColumn& column) {
    const BeamTree& tree = *say.saying.tree;
    column_caption(column, say.text("say.beams.answers"));
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(most, say.saying.ranked.size()); ++i) {
        const Index answer = say.saying.ranked[i];
        const Branch& branch = tree.branches[std::size_t(answer)];
        const std::string words = say.session.model().files.target.decode(
            words_of(tree, answer, *say.session.model().map().target()));
        const std::string sum =
            say.text("say.beams.score", {format_number(branch.sum), divisor_text(branch, say.settings()),
                                         format_number(tree.score(answer, say.settings().length_penalty))});
        const float top = column.y;
        column_text(column, i == 0 ? faces().strong : faces().body, i == 0 ? colours().accent : colours().ink,
                    std::to_string(i + 1) + ". " + words);
        column_text(column, faces().mono_small, colours().ink_soft, sum);
        const ScreenRect row{{column.left, top}, {column.right, column.y}};
        const std::string name = "saying.answer." + std::to_string(i);
        const Pressable p = pressable(name.c_str(), row);
        if (p.pressed) say.commands.emit("say open " + std::to_string(answer));
        tooltip_when_resting(name, row, p.hovered, say.text("say.beams.open.tip"));
        column.skip(px(6));
    }
    if (say.saying.ranked.size() > most)
        column_text(column, faces().caption, colours().ink_soft,
                    say.text("say.beams.more", {std::to_string(say.saying.ranked.size() - most)}));
    column.skip(px(6));
}

std::string words_up_to(const SayContext& say, Index branch) {
    std::string words;
    for (const Index b : say.saying.tree->path(branch))
        words += (words.empty() ? "" : " ") + say.label(say.saying.tree->branches[std::size_t(b)].word);
    return words;
}

void opened_branch(SayContext& say, PanelColumn& column) {
    const Index opened = say.settings().opened;
    const BeamTree& tree = *say.saying.tree;
    if (opened < 0 || opened >= Index(tree.branches.size())) return;
    const Branch& branch = tree.branches[std::size_t(opened)];
    column_line(column);
    column_heading(column, say.text("say.beams.opened", {words_up_to(say, opened)}));
    column.skip(px(4));
    const Branch* parent = branch.parent < 0 ? nullptr : &tree.branches[std::size_t(branch.parent)];
    column_text(
        column, faces().mono_small, colours().ink,
        say.text("say.beams.sum", {parent ? format_number(parent->sum, 4) : "0", format_number(branch.sum, 4),
                                   format_number(std::exp(branch.log_probability), 3)}));
    column_paragraph(column, fate_of(say, branch));
    const std::array<Chip, 2> ways = {
        Chip{say.text("say.beams.matrices"), say.text("say.beams.matrices.tip")},
        Chip{say.text("say.beams.heads"), say.text("say.beams.heads.tip")}};
    if (const auto pressed = column_chips(column, "saying.opened", ways))
        say.commands.emit(*pressed == 0 ? "room explore" : "room heads");
}

void wider_is_worse(SayContext& say, PanelColumn& column) {
    column_line(column);
    column_heading(column, say.text("say.find.title"));
    column.skip(px(4));
    column_paragraph(column, say.text("say.find.text"));
    bool hasty = say.settings().is_hasty;
    if (ControlRow(column).toggle("saying.hasty", say.text("say.hasty"), hasty, say.text("say.hasty.tip")))
        say.commands.emit(hasty ? "say hasty on" : "say hasty off");
    const Trials* trials = say.session.experiment().trials();
    const bool is_it = trials && trials->kind == TrialKind::wider_is_worse,
               goes_on = is_it && !trials->is_over();
    if (column_chip(column, "saying.find",
                    {say.text(goes_on ? "say.trials.stop" : "say.find"), say.text("say.find.tip"), goes_on}))
        say.commands.emit(goes_on ? "say stop" : "say find");
    if (!is_it) return;
    column_note(column, say.text(trials->is_hasty ? "say.find.done.hasty" : "say.find.done",
                                 {format_whole(trials->done), format_whole(trials->sentences.size()),
                                  std::to_string(trials->right_narrow), std::to_string(widest_beam),
                                  std::to_string(trials->right_wide), std::to_string(trials->found.size())}));
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(most, trials->found.size()); ++i) {
        const WiderIsWorse& found = trials->found[i];
        const float top = column.y;
        column_text(column, faces().strong, colours().ink, found.source);
        column_text(column, faces().body, colours().positive,
                    say.text("say.find.right", {std::to_string(found.narrow), found.right}));
        column_text(column, faces().body, colours().warning,
                    say.text("say.find.wrong", {std::to_string(found.wide), found.wrong}));
        const ScreenRect row{{column.left, top}, {column.right, column.y}};
        const std::string name = "saying.found." + std::to_string(i);
        const Pressable p = pressable(name.c_str(), row);
        if (p.pressed) {
            say.commands.emit("source " + found.source);
            say.commands.emit("say beam");
            say.commands.emit("say width " + std::to_string(found.wide));
        }
        tooltip_when_resting(name, row, p.hovered, say.text("say.find.open.tip"));
        column.skip(px(10));
    }
}

} // namespace

std::string fate_of(const SayContext& say, const Branch& branch) {
    const char* fate = branch.fate == Fate::kept    ? "say.beams.fate.kept"
                       : branch.fate == Fate::ended ? "say.beams.fate.ended"
                                                    : "say.beams.fate.pruned";
    return say.text(fate, {std::to_string(say.settings().width)});
}

void beams_side(SayContext& say, PanelColumn& column) {
    if (say.saying.tree) {
        if (say.settings().opened < 0 && !say.is_low())
            column_text(column, faces().body, colours().ink_soft,
                        say.text("say.beams.rule", {std::to_string(say.settings().width)}) + " "
                            + say.text(say.settings().is_hasty ? "say.beams.over.hasty" : "say.beams.over",
                                       {std::to_string(say.settings().width)}));
        column.skip(px(10));
        opened_branch(say, column);
        ways(say, column);
        winners_strip(say, column);
        answers_list(say, column);
    }
    wider_is_worse(say, column);
}

} // namespace headlight
