#include "app/ui/asking/asked.h"
#include "app/ui/closeup/closeup_parts.h"
#include "app/ui/closeup/closeups.h"
#include "app/ui/closeup/frame.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/token_strip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace headlight {

namespace {

struct ShownMatrix {
    const Node* node = nullptr;
    const char* formula = "";
    bool of_queries = true; // its rows are the queries
};

// Where there is no room for names, formulas are the titles.
float draw_short_title(const ScreenRect& rect, const ShownMatrix& shown) {
    const FormulaStyle style{MathSize::small, colours().ink};
    const FormulaExtent extent = measure_formula(shown.formula, style);
    draw_formula(pen(), {rect.min.x, rect.min.y + extent.ascent}, shown.formula, style);
    return faces().caption.size * 1.4f;
}

void draw(ScreenRect rect, const WordView& view, const ShownMatrix& shown, bool cramped, bool legend) {
    const Node& node = *shown.node;
    const std::string title = value_name(view.session, node); // the head is said once
    const bool short_title = cramped || text_width(faces().strong, title) > rect.width();
    if (short_title) rect.min.y += draw_short_title(rect, shown);
    ValueView value;
    const Index head = view.place_in(node);
    make_value_view(value, view.session, node, head, "word.matrix." + node.name);
    value.view.title = title;
    value.view.show_legend = legend;
    value.view.show_title = !short_title;
    const std::array<int, 1> lit{int(view.token)};
    if (shown.of_queries) value.view.lit_rows = lit;
    const std::optional<NamedCell>& held = view.session.view().asking.held;
    if (held && held->path == node.path && held->cell.batch == head)
        value.view.selected = MatrixCell{int(held->cell.row), int(held->cell.column)};
    const HeatmapResult result = heatmap(value.view, rect);
    if (result.clicked)
        view.commands.emit(select_command({node.path, {head, result.clicked->row, result.clicked->column}}));
}

// Side by side; in equal parts, or what has a column a word in wider ones.
void draw_row(const ScreenRect& rect, const WordView& view, const std::vector<ShownMatrix>& matrices,
              bool cramped, bool legend = false) {
    const float gap = px(22);
    const auto share_of = [&](const ShownMatrix& shown) {
        return legend && shown.node && shown.node->axes.columns.kind == Axis::Kind::positions ? 2.f : 1.f;
    };
    float shares = 0;
    for (const ShownMatrix& shown : matrices) shares += share_of(shown);
    const float part = (rect.width() - gap * float(matrices.size() - 1)) / shares;
    float x = rect.min.x;
    for (const ShownMatrix& shown : matrices) {
        const float width = part * share_of(shown);
        if (shown.node) draw({{x, rect.min.y}, {x + width, rect.max.y}}, view, shown, cramped, legend);
        x += width + gap;
    }
}

// What this step is made of, and what it makes: large enough for words and axes where all are not.
void matrices_of_stage(const ScreenRect& rect, const WordView& view) {
    const FollowedAttention& a = view.attention;
    const ShownMatrix q{a.q, "\\color{query}{Q}"}, k{a.k, "\\color{key}{K}", false},
        v{a.v, "\\color{value}{V}", false}, scores{a.scores, "\\color{query}{Q}\\,\\color{key}{K}^T"},
        scaled{a.scaled, "÷ \\sqrt{d_k}"}, masked{a.masked, "+ M"}, weights{a.weights, "A"},
        sum{a.heads, "A\\,\\color{value}{V}"};
    const auto shown = [&]() -> std::vector<ShownMatrix> {
        switch (view.stage) {
        case WordStage::vectors:
            return {q, k, v};
        case WordStage::scores:
            return {q, k, scores};
        case WordStage::scaled:
            return {scores, scaled};
        case WordStage::masked:
            return {scaled, masked};
        case WordStage::weights:
            return {view.has_mask ? masked : scaled, weights};
        case WordStage::weighted:
            return {weights, v};
        case WordStage::sum:
            return {weights, v, sum};
        }
        return {};
    };
    draw_row(rect, view, shown(), true, true);
}

} // namespace

void word_as_matrices(const ScreenRect& rect, const WordView& view) {
    const FollowedAttention& a = view.attention;
    if (theme().presents() && (rect.height() < px(360) || rect.width() < px(620)))
        return matrices_of_stage(rect, view);
    const float gap = px(14), half = std::floor((rect.height() - gap) / 2);
    const bool cramped = rect.height() < px(230);
    const ShownMatrix vectors[] = {
        {a.q, "\\color{query}{Q}"}, {a.k, "\\color{key}{K}", false}, {a.v, "\\color{value}{V}", false}};
    draw_row({rect.min, {rect.max.x, rect.min.y + half}}, view, {std::begin(vectors), std::end(vectors)},
             cramped);
    // What comes later keeps its place.
    const auto once = [&](WordStage stage, const Node* node, const char* formula) {
        return ShownMatrix{view.shows(stage) ? node : nullptr, formula};
    };
    std::vector<ShownMatrix> rest{once(WordStage::scores, a.scores, "\\color{query}{Q}\\,\\color{key}{K}^T"),
                                  once(WordStage::scaled, a.scaled, "÷ \\sqrt{d_k}")};
    if (view.has_mask) rest.push_back(once(WordStage::masked, a.masked, "+ M"));
    rest.push_back(once(WordStage::weights, a.weights, "A"));
    rest.push_back(once(WordStage::sum, a.heads, "A\\,\\color{value}{V}"));
    draw_row({{rect.min.x, rect.max.y - half}, rect.max}, view, rest, cramped);
}

namespace {

const char* name_of(WordStage stage) {
    switch (stage) {
    case WordStage::vectors:
        return "vectors";
    case WordStage::scores:
        return "scores";
    case WordStage::scaled:
        return "scaled";
    case WordStage::masked:
        return "masked";
    case WordStage::weights:
        return "weights";
    case WordStage::weighted:
        return "weighted";
    case WordStage::sum:
        return "sum";
    }
    return "";
}

// "Encoder · layer 1 · Self-attention · head 1"
std::string place_of(const WordView& view) {
    const LoadedModel& model = view.session.model();
    const Index step = model.step_of(view.attention.scores->path);
    const std::string place =
        step < 0 ? view.attention.path : step_place(view.session, model.story[std::size_t(step)]);
    return place + " · " + view.session.strings().text("story.head_number", {std::to_string(view.head + 1)});
}

// The tokens that have a query: one of them is followed.
void choose_token(PanelColumn& column, const WordView& view) {
    std::vector<TokenChip> tokens;
    for (const std::string& query : view.queries) tokens.push_back({.text = query});
    ImGui::SetCursorScreenPos({column.left, column.y});
    float width = 0; // about
    for (const std::string& query : view.queries) width += text_width(faces().body, query) + px(28);
    const bool scrolls = width > column.width();
    const float height = faces().body.size + px(scrolls ? 30 : 18);
    ImGui::BeginChild("word.tokens", {column.width(), height}, false,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar
                          | ImGuiWindowFlags_NoScrollWithMouse);
    const TokenStripResult result = token_strip({.name = "word.token",
                                                 .tokens = tokens,
                                                 .selected = int(view.token),
                                                 .show_ids = false,
                                                 .wrap = false});
    ImGui::EndChild();
    if (result.clicked) view.commands.emit("word " + std::to_string(*result.clicked));
    column.skip(height);
}

// Buttons, the steps as chips, and the head.
void controls(PanelColumn& column, const WordView& view) {
    const Session& session = view.session;
    const Strings& s = session.strings();
    const FollowedWord& word = session.view().close_ups.word;
    PlayButtons buttons{"word", "word step -1", "word step +1", word.playing};
    buttons.can_go_back = view.stage != WordStage::vectors;
    buttons.can_go_on = view.stage != WordStage::sum;
    const float x = play_buttons({column.left, column.y}, buttons, session, view.commands) + px(8);
    const std::array<std::string, 2> forms{s.text("closeups.word.words"), s.text("closeups.word.matrices")};
    int form = word.as_matrices ? 1 : 0;
    ImGui::SetCursorScreenPos({x, column.y});
    const float end = x + segmented_width(forms);
    if (segmented("word.form", forms, form, s.text("closeups.word.form.tip")))
        view.commands.emit(form == 1 ? "word matrices" : "word words");
    closeup_heads({column.right, column.y}, session, {view.head, view.attention.q->value.batch()},
                  column.right - end - px(10), view.commands);
    column.skip(control_height() + px(8));

    const std::vector<WordStage> stages = stages_of(view.attention);
    std::vector<Chip> chips_of_stages;
    int number = 0;
    for (const WordStage stage : stages) {
        const std::string key = std::string("closeups.word.stage.") + name_of(stage);
        const std::string counted = stage == WordStage::masked ? "" : std::to_string(++number) + "  ";
        chips_of_stages.push_back({counted + s.text(key), {}, stage == view.stage});
    }
    if (const auto pressed = column_chips(column, "word.stage", chips_of_stages)) {
        const auto present = std::find(stages.begin(), stages.end(), view.stage) - stages.begin();
        const long by = *pressed - present;
        if (by != 0) view.commands.emit("word step " + std::string(by > 0 ? "+" : "") + std::to_string(by));
    }
}

// The same where there is no room for more than one line: the token by arrows, the other form by one button.
void cramped_controls(PanelColumn& column, const WordView& view) {
    const Session& session = view.session;
    const Strings& s = session.strings();
    const FollowedWord& word = session.view().close_ups.word;
    PlayButtons play{"word", "word step -1", "word step +1", word.playing};
    play.can_go_back = view.stage != WordStage::vectors;
    play.can_go_on = view.stage != WordStage::sum;
    float x = play_buttons({column.left, column.y}, play, session, view.commands) + px(4);
    x = up_down_buttons({x, column.y},
                        {"word", "word previous", "word next", s.text("closeups.word.up.tip"),
                         s.text("closeups.word.down.tip"), view.token > 0,
                         view.token + 1 < Index(view.queries.size())},
                        view.commands);
    const float close = close_button({column.right, column.y}, session, view.commands) + px(8);
    const std::string& other =
        s.text(word.as_matrices ? "closeups.word.words.short" : "closeups.word.matrices");
    const float width = button_width(other);
    ImGui::SetCursorScreenPos({column.right - close - width, column.y});
    if (button("word.form", other, {.tooltip = s.text("closeups.word.form.tip")}))
        view.commands.emit(word.as_matrices ? "word words" : "word matrices");
    const ScreenRect room{{x + px(4), column.y},
                          {column.right - close - width - px(8), column.y + control_height()}};
    const std::string& token = view.queries[std::size_t(view.token)];
    if (text_width(faces().body, token) <= room.width()) // else it stands before its query alone
        draw_text_in(pen(), faces().body, room, colours().accent, token);
    column.skip(control_height() + px(6));
}

// What happens in this step, in a room that does not change from one to the next.
void words(PanelColumn& column, const WordView& view, bool cramped) {
    const Face& face = cramped ? faces().caption : faces().body;
    const Strings& s = view.session.strings();
    const Index d_k = view.attention.q->value.columns();
    const double root = std::sqrt(double(d_k));
    const std::string equals = (root == std::floor(root) ? "= " : "≈ ") + short_number(root);
    const auto said = [&](WordStage stage) {
        return s.text(std::string("closeups.word.say.") + name_of(stage),
                      {view.queries[std::size_t(view.token)], std::to_string(d_k), equals});
    };
    float room = 0;
    for (const WordStage stage : stages_of(view.attention))
        room = std::max(room, wrapped_height(face, said(stage), column.width()));
    draw_wrapped(pen(), face, {column.left, column.y}, column.width(), colours().ink_soft, said(view.stage));
    column.skip(room + px(8));
}

} // namespace

void word_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model() || rect.empty()) return;
    const Strings& s = session.strings();
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    const std::optional<FollowedAttention> attention = followed_attention(session);
    if (!attention) {
        closeup_heading(column, session, s.text("closeups.word.none"), {}, commands);
        return;
    }
    const std::vector<WordStage> stages = stages_of(*attention);
    WordView view{session,
                  commands,
                  *attention,
                  present_stage(session, *attention),
                  std::find(stages.begin(), stages.end(), WordStage::masked) != stages.end(),
                  followed_head(session, *attention),
                  followed_token(session, *attention),
                  value_labels(session, *attention->q).rows,
                  value_labels(session, *attention->k).rows};
    const bool cramped = is_cramped(rect);
    if (cramped) {
        cramped_controls(column, view);
    } else {
        closeup_heading(column, session,
                        s.text("closeups.word.title", {view.queries[std::size_t(view.token)]}),
                        place_of(view), commands);
        choose_token(column, view);
        controls(column, view);
    }
    words(column, view, cramped);
    const ScreenRect body{{rect.min.x, column.y}, rect.max};
    if (session.view().close_ups.word.as_matrices)
        word_as_matrices(body, view);
    else
        word_by_word(body, view);
}

} // namespace headlight
