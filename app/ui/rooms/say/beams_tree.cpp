// What stands beside the tree of beams: its rule, what is opened, who wins at which length penalty, the
// answers, and where a wider beam is worse.
#include "app/ui/rooms/say/say_parts.h"
#include "engine/text/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace headlight {

namespace {

using Branch = BeamTree::Branch;
using Fate = BeamTree::Fate;

// What stands under the penalty: for each of its values, which answer wins.
void winners_strip(SayContext& say, PanelColumn& column) {
    constexpr int steps = 150;
    constexpr double most = 3;
    const BeamTree& tree = *say.generation.tree;
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
            winners[std::size_t(i)] == (say.generation.ranked.empty() ? -1 : say.generation.ranked.front());
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
std::string divisor_text(const Branch& branch, const GenerationSettings& settings) {
    const double penalty = settings.length_penalty;
    if (penalty == 0) return "1";
    return format_whole(branch.words) + (penalty == 1 ? "" : "^" + exact_text(penalty));
}

void answers_list(SayContext& say, PanelColumn& column) {
    const BeamTree& tree = *say.generation.tree;
    column_caption(column, say.text("say.beams.answers"));
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(most, say.generation.ranked.size()); ++i) {
        const Index answer = say.generation.ranked[i];
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
    if (say.generation.ranked.size() > most)
        column_text(column, faces().caption, colours().ink_soft,
                    say.text("say.beams.more", {std::to_string(say.generation.ranked.size() - most)}));
    column.skip(px(6));
}

std::string words_up_to(const SayContext& say, Index branch) {
    std::string words;
    for (const Index b : say.generation.tree->path(branch))
        words += (words.empty() ? "" : " ") + say.label(say.generation.tree->branches[std::size_t(b)].word);
    return words;
}

void opened_branch(SayContext& say, PanelColumn& column) {
    const Index opened = say.settings().opened;
    const BeamTree& tree = *say.generation.tree;
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
    if (say.generation.tree) {
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

// Beams as a tree, from left to right: edges as wide as the word is probable, what was pruned in grey, the
// way of the answer that wins in colour.

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

std::string sum_text(const Branch& branch) { return std::string(trim(format_fixed(branch.sum, 2))); }

// Level as far as the column of `from` goes, so that it crosses no word of that.
void draw_edge(ImVec2 from, float column_end, ImVec2 to, double p, Colour colour) {
    const float start = std::max(from.x, column_end), middle = (start + to.x) / 2,
                thick = px(1) + px(6) * float(p);
    if (start > from.x) pen().AddLine(from, {start + 1, from.y}, colour, thick);
    pen().AddBezierCubic({start, from.y}, {middle, from.y}, {middle, to.y}, to, colour, thick);
}

// What happened at a step: how many there were to choose from, and between which sums the cut was made.
std::string pruning_of(const SayContext& say, Index column) {
    const BeamTree& tree = *say.generation.tree;
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
                    {format_whole(went_on), format_whole(words), format_whole(went_on * words),
                     std::to_string(say.settings().width), last ? format_number(last->sum, 4) : "–",
                     next ? format_number(next->sum, 4) : "–"});
}

void no_tree(SayContext& say, const ScreenRect& rect) {
    PanelColumn column{rect.min.x, rect.min.x + std::min(rect.width(), px(520)), rect.min.y};
    column_heading(column, say.text("say.beams.none.title"));
    column.skip(px(8));
    column_paragraph(column, say.text("say.beams.none"));
    if (ControlRow(column).button("saying.search.0", say.text("say.beams.search"),
                                  {.tooltip = say.text("say.method.beam.tip"), .kind = ButtonKind::primary}))
        say.commands.emit("say beam");
}

// Where everything of the tree stands, in a child window that scrolls, and how it is drawn there.
class TreeView {
public:
    TreeView(SayContext& say, const ScreenRect& rect)
        : say_(say),
          tree_(*say.generation.tree),
          rect_(rect),
          places_(places_of(tree_)),
          winner_(path_of(tree_, say.generation.ranked.empty() ? -1 : say.generation.ranked.front())),
          opened_(path_of(tree_, say.settings().opened)) {
        place_columns();
        const float least = std::ceil(faces().body.size * 1.35f),
                    free = rect.height() - head_ - scrollbar_ - px(8);
        row_ = std::clamp(free / float(places_.rows), least, least * 2.2f);
    }

    void draw() {
        x0_ = rect_.min.x - ImGui::GetScrollX();
        y0_ = rect_.min.y - ImGui::GetScrollY() + head_;
        draw_titles();
        draw_root();
        for (const bool stands_out : {false, true}) // what matters lies over what was pruned
            for (std::size_t i = 0; i < tree_.branches.size(); ++i)
                if (stands_out == (winner_.contains(Index(i)) || opened_.contains(Index(i))))
                    draw_edge_to(i, stands_out);
        for (std::size_t i = 0; i < tree_.branches.size(); ++i) draw_branch(i);
        ImGui::SetCursorScreenPos({x0_ + root_ + begins_.back(), y0_ + float(places_.rows) * row_});
        ImGui::Dummy({1, 1});
    }

private:
    const Branch& branch(std::size_t i) const { return tree_.branches[i]; }

    // Each column as wide as what stands in it, and more where there is room.
    void place_columns() {
        begins_.assign(std::size_t(tree_.steps) + 1, 0.f);
        for (const Branch& one : tree_.branches) {
            float& width = begins_[std::size_t(column_of(tree_, one)) + 1];
            width = std::max(width, text_width(faces().strong, say_.label(one.word)));
        }
        const float around = text_width(faces().mono_small, "−00.00") + px(19) + gap_; // sum, ring, edges
        for (std::size_t c = 1; c < begins_.size(); ++c) begins_[c] += begins_[c - 1] + around;
        const float free = std::max(0.f, rect_.width() - root_ - scrollbar_ - begins_.back()),
                    each = std::min(free / float(std::max<Index>(tree_.steps, 1)), px(60));
        for (std::size_t c = 1; c < begins_.size(); ++c) begins_[c] += each * float(c);
    }

    ScreenRect column_at(Index column, float top, float height) const {
        return {{x0_ + root_ + begins_[std::size_t(column)] + gap_, top},
                {x0_ + root_ + begins_[std::size_t(column) + 1], top + height}};
    }
    ScreenRect place(std::size_t i) const {
        return column_at(column_of(tree_, branch(i)), y0_ + places_.y[i] * row_, row_);
    }
    const Face& face_of(std::size_t i) const {
        return winner_.contains(Index(i)) ? faces().strong : faces().body;
    }
    Colour colour_of(std::size_t i) const {
        if (opened_.contains(Index(i))) return colours().key;
        if (winner_.contains(Index(i))) return colours().accent;
        return branch(i).fate == Fate::pruned ? colours().ink_faint : colours().ink;
    }
    float word_width(std::size_t i) const {
        return text_width(face_of(i), say_.label(branch(i).word)) + px(5);
    }
    static float sum_width(const Branch& of) { return text_width(faces().mono_small, sum_text(of)) + px(4); }

    void draw_titles() {
        for (Index c = 0; c < tree_.steps; ++c) {
            const ScreenRect title = column_at(c, y0_ - head_, head_);
            draw_text_in(pen(), faces().caption, title, colours().ink_faint,
                         say_.text("say.beams.step", {std::to_string(tree_.begun + c + 1)}));
            if (ImGui::IsMouseHoveringRect(title.min, title.max))
                tooltip_when_resting("saying.step." + std::to_string(c), title, true, pruning_of(say_, c));
        }
    }

    void draw_root() {
        const TokenId word = tree_.begun > 0 ? say_.settings().begun().back() : say_.generation.fed.back();
        const std::string first = say_.label(word);
        draw_label(pen(), faces().strong, ScreenRect::at(x0_, y0_, root_, row_), colours().ink, first);
        root_end_ = {x0_ + std::min(root_, text_width(faces().strong, first) + px(6)), y0_ + row_ / 2};
    }

    void draw_edge_to(std::size_t i, bool stands_out) {
        const ScreenRect to = place(i);
        if (to.min.x - px(400) > rect_.max.x || to.max.x < rect_.min.x) return;
        ImVec2 from = root_end_;
        if (const Index parent = branch(i).parent; parent >= 0) {
            const ScreenRect there = place(std::size_t(parent));
            const float text = word_width(std::size_t(parent)) + sum_width(branch(std::size_t(parent)));
            from = {there.min.x + std::min(there.width(), text), there.centre().y};
        }
        const float strength = stands_out ? 0.9f : branch(i).fate == Fate::pruned ? 0.22f : 0.4f;
        draw_edge(from, to.min.x - gap_, {to.min.x - px(3), to.centre().y},
                  std::exp(branch(i).log_probability), with_alpha(colour_of(i), strength));
    }

    void draw_branch(std::size_t i) {
        const Branch& one = branch(i);
        const ScreenRect there = place(i);
        if (there.cut_to(rect_).empty()) return;
        const std::string name = "saying.node." + std::to_string(i), word = say_.label(one.word);
        const Pressable p = pressable(name.c_str(), there);
        if (p.hovered || Index(i) == say_.settings().opened)
            pen().AddRectFilled({there.min.x - px(2), there.min.y}, there.max, colours().hovered, px(4));
        if (p.pressed) say_.commands.emit("say open " + std::to_string(i));
        const float text = there.min.x + word_width(i), number = text + sum_width(one);
        draw_text_in(pen(), face_of(i), {there.min, {text, there.max.y}}, colour_of(i), word);
        draw_text_in(pen(), faces().mono_small, {{text, there.min.y}, {number, there.max.y}},
                     one.fate == Fate::pruned ? colours().ink_faint : colours().ink_soft, sum_text(one));
        if (one.fate == Fate::ended)
            pen().AddCircle({number + px(5), there.centre().y}, px(4), colour_of(i), 16, px(2));
        if (!p.hovered) return;
        tooltip_when_resting(
            name, there, true,
            say_.text("say.beams.node.tip", {word, format_number(std::exp(one.log_probability), 3),
                                             format_number(one.sum, 4), fate_of(say_, one)}));
    }

    SayContext& say_;
    const BeamTree& tree_;
    const ScreenRect rect_;
    const TreePlaces places_;
    const std::set<Index> winner_, opened_; // branches of these ways
    const float root_ = px(64), gap_ = px(40), scrollbar_ = ImGui::GetStyle().ScrollbarSize,
                head_ = std::ceil(faces().caption.size * 1.8f);
    std::vector<float> begins_; // of the columns, and where the last one ends
    float row_ = 0, x0_ = 0, y0_ = 0;
    ImVec2 root_end_;
};

} // namespace

void beams_tree(SayContext& say, const ScreenRect& rect) {
    if (!say.generation.tree) return no_tree(say, rect);
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("saying.tree", {rect.width(), rect.height()}, false,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_HorizontalScrollbar);
    TreeView(say, rect).draw();
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

} // namespace headlight
