// Beams as a tree, from left to right: edges as wide as the word is probable, what was pruned in grey, the way
// of the answer that wins in colour.
#include "app/ui/rooms/say/say_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace headlight {

namespace {

using Branch = BeamTree::Branch;
using Fate = BeamTree::Fate;

// Where each branch stands: a column a step, under one another in the order of those that they come from.
struct TreePlaces {
    std::vector<float> y; // in rows
    Index rows = 1;       // of the fullest column
};

TreePlaces places_of(const BeamTree& tree) {
    TreePlaces places;
    places.y.resize(tree.branches.size());
    for (std::size_t first = 0; first < tree.branches.size();) {
        std::size_t end = first;
        std::vector<std::size_t> column;
        while (end < tree.branches.size() && tree.branches[end].words == tree.branches[first].words)
            column.push_back(end++);
        std::stable_sort(column.begin(), column.end(), [&](std::size_t a, std::size_t b) {
            const auto of = [&](std::size_t i) {
                const Index parent = tree.branches[i].parent;
                return parent < 0 ? 0.f : places.y[std::size_t(parent)];
            };
            return of(a) < of(b);
        });
        for (std::size_t i = 0; i < column.size(); ++i) places.y[column[i]] = float(i);
        places.rows = std::max(places.rows, Index(column.size()));
        first = end;
    }
    return places;
}

std::set<Index> path_of(const BeamTree& tree, Index branch) {
    const std::vector<Index> path = branch < 0 ? std::vector<Index>{} : tree.path(branch);
    return {path.begin(), path.end()};
}

// Of a branch, the column of the tree that it stands in, from 0.
Index column_of(const BeamTree& tree, const Branch& branch) { return branch.words - tree.begun - 1; }

std::string sum_text(const Branch& branch) {
    std::string text = format_fixed(branch.sum, 2);
    if (text.front() == '-') text.replace(0, 1, "−");
    return text;
}

// Level as far as the column of `from` goes, so that it crosses no word of that.
void draw_edge(ImVec2 from, float column_end, ImVec2 to, double p, Colour colour) {
    const float start = std::max(from.x, column_end), middle = (start + to.x) / 2, thick = px(1) + px(6) * float(p);
    if (start > from.x) pen().AddLine(from, {start + 1, from.y}, colour, thick);
    pen().AddBezierCubic({start, from.y}, {middle, from.y}, {middle, to.y}, to, colour, thick);
}

// What happened at a step: how many there were to choose from, and between which sums the cut was made.
std::string pruning_of(const SayContext& say, Index column) {
    const BeamTree& tree = *say.saying.tree;
    Index went_on = column == 0 ? 1 : 0;
    const Branch *last = nullptr, *next = nullptr; // among those that go on, and of those that were pruned
    for (const Branch& branch : tree.branches) {
        went_on += column_of(tree, branch) == column - 1 && branch.fate == Fate::kept;
        if (column_of(tree, branch) != column) continue;
        if (branch.fate != Fate::pruned) last = &branch;
        if (branch.fate == Fate::pruned && !next) next = &branch;
    }
    const Index words = say.session.model().map().target()->vocabulary_size;
    return say.text(next ? "say.beams.cut" : "say.beams.no_cut",
                    {say.whole(double(went_on)), say.whole(double(words)), say.whole(double(went_on * words)),
                     std::to_string(say.settings().width), last ? format_number(last->sum, 4) : "–",
                     next ? format_number(next->sum, 4) : "–"});
}

void no_tree(SayContext& say, const ScreenRect& rect) {
    PanelColumn column{rect.min.x, rect.min.x + std::min(rect.width(), px(520)), rect.min.y};
    column_heading(column, say.text("say.beams.none.title"));
    column.skip(px(8));
    column_text(column, faces().body, colours().ink_soft, say.text("say.beams.none"));
    column.skip(px(10));
    ImGui::SetCursorScreenPos({column.left, column.y});
    if (button("saying.search.0", say.text("say.beams.search"),
               {.tooltip = say.text("say.method.beam.tip"), .kind = ButtonKind::primary}))
        say.commands.emit("say beam");
}

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
        const bool is_now = winners[std::size_t(i)] == (say.saying.ranked.empty() ? -1 : say.saying.ranked.front());
        pen().AddRectFilled(part.min, part.max, mix(colours().raised, colours().series[std::size_t(segment) % 6], 0.35f), px(3));
        if (is_now) pen().AddRect(part.min, part.max, colours().accent, px(3), 0, px(2));
        if (winners[std::size_t(i)] >= 0) {
            if (ImGui::IsMouseHoveringRect(part.min, part.max))
                tooltip_when_resting("saying.winner." + std::to_string(segment), part, true,
                                     say.session.model().files.target.decode(words_of(
                                         tree, winners[std::size_t(i)], *say.session.model().map().target())));
            const std::string words =
                say.text("say.beams.words", {std::to_string(tree.branches[std::size_t(winners[std::size_t(i)])].words)});
            if (text_width(faces().caption, words) < part.width() - px(4))
                draw_text_in(pen(), faces().caption, part, colours().ink, words,
                             Align::centre);
        }
        i = end, ++segment;
    }
    column.skip(px(4));
    column_text(column, faces().caption, colours().ink_soft,
                say.text(segment > 1 ? "say.beams.flips" : "say.beams.never_flips"));
    column.skip(px(8));
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
        const std::string sum = say.text("say.beams.score",
                                         {format_number(branch.sum, 4), std::to_string(branch.words),
                                          format_number(say.settings().length_penalty, 3),
                                          format_number(tree.score(answer, say.settings().length_penalty), 4)});
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

std::string fate_of(const SayContext& say, const Branch& branch) {
    const char* fate = branch.fate == Fate::kept    ? "say.beams.fate.kept"
                       : branch.fate == Fate::ended ? "say.beams.fate.ended"
                                                    : "say.beams.fate.pruned";
    return say.text(fate, {std::to_string(say.settings().width)});
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
    column_text(column, faces().mono_small, colours().ink,
                say.text("say.beams.sum",
                         {parent ? format_number(parent->sum, 4) : "0", format_number(branch.sum, 4),
                          format_number(std::exp(branch.log_probability), 3)}));
    column_text(column, faces().body, colours().ink_soft, fate_of(say, branch));
    column.skip(px(8));
    const std::array<Chip, 2> ways = {Chip{say.text("say.beams.matrices"), say.text("say.beams.matrices.tip")},
                                      Chip{say.text("say.beams.heads"), say.text("say.beams.heads.tip")}};
    if (const auto pressed = chips("saying.opened", ways, column))
        say.commands.emit(*pressed == 0 ? "room explore" : "room heads");
    column.skip(px(12));
}

void wider_is_worse(SayContext& say, PanelColumn& column) {
    column_line(column);
    column_heading(column, say.text("say.find.title"));
    column.skip(px(4));
    column_text(column, faces().body, colours().ink_soft, say.text("say.find.text"));
    column.skip(px(8));
    bool hasty = say.settings().is_hasty;
    ImGui::SetCursorScreenPos({column.left, column.y});
    if (toggle("saying.hasty", say.text("say.hasty"), hasty, say.text("say.hasty.tip")))
        say.commands.emit(hasty ? "say hasty on" : "say hasty off");
    column.skip(control_height() + px(6));
    const Trials* trials = say.session.experiment().trials();
    const bool is_it = trials && trials->kind == TrialKind::wider_is_worse, goes_on = is_it && !trials->is_over();
    const std::array<Chip, 1> find = {
        Chip{say.text(goes_on ? "say.trials.stop" : "say.find"), say.text("say.find.tip"), goes_on}};
    if (chips("saying.find", find, column)) say.commands.emit(goes_on ? "say stop" : "say find");
    column.skip(px(8));
    if (!is_it) return;
    column_text(column, faces().caption, colours().ink_soft,
                say.text(trials->is_hasty ? "say.find.done.hasty" : "say.find.done",
                         {std::to_string(trials->done), std::to_string(trials->sentences.size()),
                          std::to_string(trials->right_narrow), std::to_string(widest_beam),
                          std::to_string(trials->right_wide), std::to_string(trials->found.size())}));
    column.skip(px(8));
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

void beams_tree(SayContext& say, const ScreenRect& rect) {
    if (!say.saying.tree) return no_tree(say, rect);
    const BeamTree& tree = *say.saying.tree;
    const TreePlaces places = places_of(tree);
    const std::set<Index> winner = path_of(tree, say.saying.ranked.empty() ? -1 : say.saying.ranked.front()),
                          opened = path_of(tree, say.settings().opened);
    const Index columns = tree.steps;
    constexpr float to_sum = 5, to_ring = 14;
    const float bar = ImGui::GetStyle().ScrollbarSize, head = std::ceil(faces().caption.size * 1.8f);
    const float root = px(64), gap = px(40);
    // Each column as wide as what stands in it, and more where there is room.
    std::vector<float> begins(std::size_t(columns) + 1, 0.f);
    for (const Branch& branch : tree.branches) {
        float& width = begins[std::size_t(column_of(tree, branch)) + 1];
        width = std::max(width, text_width(faces().strong, say.label(branch.word)));
    }
    const float around = text_width(faces().mono_small, "−00.00") + px(to_sum + to_ring) + gap;
    for (std::size_t c = 1; c < begins.size(); ++c) begins[c] += begins[c - 1] + around;
    const float spare = std::max(0.f, rect.width() - root - bar - begins.back()) / float(std::max<Index>(columns, 1));
    for (std::size_t c = 1; c < begins.size(); ++c) begins[c] += std::min(spare, px(60)) * float(c);
    const auto begin_of = [&](Index column) { return begins[std::size_t(column)]; };
    const float least = std::ceil(faces().body.size * 1.35f);
    const float row = std::clamp((rect.height() - head - bar - px(8)) / float(places.rows), least, least * 2.2f);
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("saying.tree", {rect.width(), rect.height()}, false,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_HorizontalScrollbar);
    const float x0 = rect.min.x - ImGui::GetScrollX(), y0 = rect.min.y - ImGui::GetScrollY() + head;
    const auto place = [&](std::size_t i) {
        const Branch& branch = tree.branches[i];
        const Index column = column_of(tree, branch);
        return ScreenRect{{x0 + root + begin_of(column) + gap, y0 + places.y[i] * row},
                          {x0 + root + begin_of(column + 1), y0 + (places.y[i] + 1) * row}};
    };
    for (Index c = 0; c < columns; ++c) {
        const ScreenRect title{{x0 + root + begin_of(c) + gap, y0 - head}, {x0 + root + begin_of(c + 1), y0}};
        draw_text_in(pen(), faces().caption, title, colours().ink_faint,
                     say.text("say.beams.step", {std::to_string(tree.begun + c + 1)}));
        if (ImGui::IsMouseHoveringRect(title.min, title.max))
            tooltip_when_resting("saying.step." + std::to_string(c), title, true, pruning_of(say, c));
    }
    const std::string first =
        tree.begun > 0 ? say.label(say.settings().begun().back()) : say.label(say.saying.fed.back());
    draw_label(pen(), faces().strong, ScreenRect::at(x0, y0, root, row), colours().ink, first);
    const ImVec2 root_end{x0 + std::min(root, text_width(faces().strong, first) + px(6)), y0 + row / 2};
    const auto colour_of = [&](std::size_t i) {
        if (opened.contains(Index(i))) return colours().key;
        if (winner.contains(Index(i))) return colours().accent;
        return tree.branches[i].fate == Fate::pruned ? colours().ink_faint : colours().ink;
    };
    const auto face_of = [&](Index i) -> const Face& { return winner.contains(i) ? faces().strong : faces().body; };
    const auto end_of_text = [&](Index i) {
        const Branch& branch = tree.branches[std::size_t(i)];
        return text_width(face_of(i), say.label(branch.word)) + px(to_sum + 3)
               + text_width(faces().mono_small, sum_text(branch));
    };
    for (const bool is_first_plane : {true, false}) // what matters lies over what was pruned
        for (std::size_t i = 0; i < tree.branches.size(); ++i) {
            const Branch& branch = tree.branches[i];
            const bool stands_out = winner.contains(Index(i)) || opened.contains(Index(i));
            if (stands_out == is_first_plane) continue;
            const ScreenRect to = place(i);
            if (to.min.x - px(400) > rect.max.x || to.max.x < rect.min.x) continue;
            ImVec2 from = root_end;
            if (branch.parent >= 0) {
                const ScreenRect parent = place(std::size_t(branch.parent));
                from = {parent.min.x + std::min(parent.width(), end_of_text(branch.parent)), parent.centre().y};
            }
            const Colour colour = colour_of(i);
            draw_edge(from, to.min.x - gap, {to.min.x - px(3), to.centre().y}, std::exp(branch.log_probability),
                      with_alpha(colour, stands_out ? 0.9f : branch.fate == Fate::pruned ? 0.22f : 0.4f));
        }
    for (std::size_t i = 0; i < tree.branches.size(); ++i) {
        const Branch& branch = tree.branches[i];
        const ScreenRect there = place(i);
        if (there.cut_to(rect).empty()) continue;
        const std::string name = "saying.node." + std::to_string(i);
        const Pressable p = pressable(name.c_str(), there);
        if (p.hovered || Index(i) == say.settings().opened)
            pen().AddRectFilled({there.min.x - px(2), there.min.y}, there.max, colours().hovered, px(4));
        if (p.pressed) say.commands.emit("say open " + std::to_string(i));
        const Colour colour = colour_of(i);
        const std::string sum = sum_text(branch);
        const float number = text_width(faces().mono_small, sum) + px(4);
        const std::string word = say.label(branch.word);
        const Face& face = face_of(Index(i));
        const float text = text_width(face, word) + px(to_sum);
        draw_text_in(pen(), face, {there.min, {there.min.x + text, there.max.y}}, colour, word);
        draw_text_in(pen(), faces().mono_small,
                     {{there.min.x + text, there.min.y}, {there.min.x + text + number, there.max.y}},
                     branch.fate == Fate::pruned ? colours().ink_faint : colours().ink_soft, sum);
        if (branch.fate == Fate::ended)
            pen().AddCircle({there.min.x + text + number + px(5), there.centre().y}, px(4), colour, 16, px(2));
        if (p.hovered)
            tooltip_when_resting(name, there, true,
                                 say.text("say.beams.node.tip",
                                          {word, format_number(std::exp(branch.log_probability), 3),
                                           format_number(branch.sum, 4), fate_of(say, branch)}));
    }
    ImGui::SetCursorScreenPos({x0 + root + begin_of(columns), y0 + float(places.rows) * row});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
    ImGui::PopStyleVar();
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
