#include "app/ui/rooms/heads/measure_parts.h"
#include "app/session/training/training_view.h"
#include "app/session/value_names.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/changes/changes.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace headlight {

namespace {

constexpr std::size_t words_to_choose = 5;

float caption_width(const Strings& s) {
    float width = 0;
    for (const char* caption : {"measures.place", "measures.word", "measures.against"})
        width = std::max(width, std::ceil(text_width(faces().caption, s.text(caption))));
    return width + px(14);
}

// Chips behind what they are for.
std::optional<int> captioned_chips(const std::string& caption, float width, std::string_view name,
                                   std::span<const Chip> choices, PanelColumn& column) {
    PanelColumn behind{column.left + width, column.right, column.y};
    draw_text_in(pen(), faces().caption,
                 ScreenRect::at(column.left, column.y, width, faces().caption.size + px(11)),
                 colours().ink_faint, caption);
    const std::optional<int> pressed = chips(name, choices, behind);
    column.y = behind.y + px(6);
    return pressed;
}

// The most probable words of a row of what is said, and those that are chosen already.
std::vector<TokenId> best_words(const Session& session, const SweepTarget& target) {
    const Tensor& said = said_by(session.model().map())->value;
    std::vector<TokenId> all(std::size_t(said.columns()));
    std::iota(all.begin(), all.end(), 0);
    const std::size_t count = std::min(words_to_choose, all.size());
    const Real* row = said.row(0, target.row);
    std::partial_sort(all.begin(), all.begin() + std::ptrdiff_t(count), all.end(),
                      [&](TokenId a, TokenId b) { return row[a] > row[b]; });
    all.resize(count);
    for (const TokenId chosen : {target.word, target.against.value_or(target.word)})
        if (std::find(all.begin(), all.end(), chosen) == all.end()) all.push_back(chosen);
    return all;
}

// "layer 2 · Self-attention": all parts are of one stack, which need not be said each time.
std::string place_in_stack(const Session& session, const std::string& path) {
    constexpr std::string_view between = "  ·  ";
    const std::string place = place_words(session, path);
    const std::size_t end = place.find(between);
    return end == place.npos ? place : place.substr(end + between.size());
}

std::string share_name(const Session& session, const AttributedPart& part, Index head) {
    const Strings& s = session.strings();
    using Kind = AttributedPart::Kind;
    const std::string place = place_in_stack(session, part.value->path);
    const auto at = [&](const char* key) {
        return place.empty() ? s.text(key) : s.text(key) + "  ·  " + place;
    };
    switch (part.kind) {
    case Kind::embedding:
        return s.text("measures.part.embedding");
    case Kind::positions:
        return s.text("measures.part.positions");
    case Kind::heads:
        return s.text("story.head_number", {std::to_string(head + 1)}) + "  ·  " + place;
    case Kind::attention_bias:
        return at("measures.part.attention_bias");
    case Kind::feed_forward:
        return place.empty() ? s.text("measures.part.feed_forward") : place;
    case Kind::shift:
        return at("measures.part.shift");
    case Kind::bias:
        return s.text("measures.part.bias");
    case Kind::change:
        return at("measures.part.change");
    case Kind::other:
        break;
    }
    return value_name(session, *part.value);
}

// The held number at every kept moment of the run that is shown.
void over_training(const ScreenRect& rect, const Session& session, const NamedCell& held,
                   CommandSink& commands) {
    const Strings& s = session.strings();
    PanelColumn column{rect.min.x, rect.max.x, rect.min.y};
    const auto& [batch, row, cell_column] = held.cell;
    const std::optional<OverTime>& shown = session.training().over_time;
    const bool is_here = shown && shown->wanted().path == held.path && shown->wanted().cell == held.cell;
    if (column_chip(column, "measure.over_time",
                    {s.text("measures.over_time"), s.text("measures.over_time.tip"), is_here}))
        commands.emit(is_here ? std::string("over_time off")
                              : "over_time " + held.path + " " + std::to_string(batch) + " "
                                    + std::to_string(row) + " " + std::to_string(cell_column));
    if (!is_here) return;
    over_time_plot({{rect.min.x, column.y}, rect.max}, session, commands);
}

} // namespace

void over_time_plot(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const OverTime& shown = *session.training().over_time;
    std::vector<float> x, y;
    for (const auto& [step, numbers] : shown.values())
        if (!numbers.empty()) {
            x.push_back(float(step));
            y.push_back(float(numbers.front()));
        }
    const Node* node = session.find(shown.wanted().path);
    const std::string name = node ? value_name(session, *node) : shown.wanted().path;
    const std::vector<PlotSeries> series = {{name, y, x, colours().probability}};
    const PlotView view{.name = "measure.plot",
                        .x_axis = session.strings().text("learn.axis.step"),
                        .series = series,
                        .marker_x = float(session.training().step)};
    const PlotResult result = plot(view, rect);
    if (result.clicked_x)
        commands.emit("moment " + std::to_string(std::max(0L, std::lround(*result.clicked_x))));
}

MeasurePage with_asking_side(const ScreenRect& rect) {
    if (rect.width() < px(640)) return {rect, {}};
    const float side = std::clamp(rect.width() * 0.34f, px(280), px(420)), gap = px(20);
    return {{rect.min, {rect.max.x - side - gap, rect.max.y}}, {{rect.max.x - side, rect.min.y}, rect.max}};
}

std::string word_said(const Session& session, TokenId word) {
    if (session.view().teaching.cover.words) return "?";
    return said_label(session.model().files, session.model().map(), word);
}

std::string target_words(const Session& session, const SweepTarget& target) {
    const std::string word = word_said(session, target.word);
    return target.against ? word + " − " + word_said(session, *target.against) : word;
}

void choose_target(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const SweepTarget target = session.attributed();
    const Node& said = *said_by(session.model().map());
    const std::vector<std::string> places = axis_labels(session, said, true);
    const std::vector<TokenId>& chosen = session.sentence().chosen_ids;
    const float captions = caption_width(s);
    if (said.value.rows() > 1) {
        std::vector<Chip> choices;
        for (Index row = 0; row < said.value.rows(); ++row)
            choices.push_back({place_label(places, row), {}, row == target.row});
        if (const auto pressed =
                captioned_chips(s.text("measures.place"), captions, "target.place", choices, column)) {
            const std::size_t row = std::size_t(*pressed);
            const TokenId word = row < chosen.size() ? chosen[row] : target.word;
            commands.emit(attribute_command({Index(row), word, {}}));
        }
    }
    const std::vector<TokenId> best = best_words(session, target);
    std::vector<Chip> words, others = {{s.text("measures.against.none"), {}, !target.against}};
    std::vector<TokenId> other_words = {-1};
    for (const TokenId word : best) {
        words.push_back({word_said(session, word), {}, word == target.word});
        if (word == target.word) continue;
        others.push_back({word_said(session, word), {}, target.against == word});
        other_words.push_back(word);
    }
    if (const auto pressed =
            captioned_chips(s.text("measures.word"), captions, "target.word", words, column)) {
        SweepTarget next{target.row, best[std::size_t(*pressed)], target.against};
        if (next.against == next.word) next.against.reset();
        commands.emit(attribute_command(next));
    }
    if (const auto pressed =
            captioned_chips(s.text("measures.against"), captions, "target.against", others, column)) {
        SweepTarget next{target.row, target.word, {}};
        if (*pressed > 0) next.against = other_words[std::size_t(*pressed)];
        commands.emit(attribute_command(next));
    }
    column.skip(px(8));
}

std::vector<ShownShare> shown_shares(const Session& session) {
    std::vector<ShownShare> shares;
    const Attribution* attribution = session.attribution();
    if (!attribution) return shares;
    const ModelMap& map = session.model().map();
    for (const AttributedPart& part : attribution->parts) {
        const bool is_heads = part.kind == AttributedPart::Kind::heads;
        for (Index head = 0; head < part.share->value.batch(); ++head)
            shares.push_back({{part.share->path, {head, 0, 0}},
                              share_name(session, part, head),
                              double(part.share->value(head, 0, 0)),
                              is_heads ? map.attention_of(*part.value) : nullptr,
                              is_heads ? head : -1});
    }
    return shares;
}

void ask_at_side(const ScreenRect& side, float top, const Session& session, CommandSink& commands,
                 const std::optional<NamedCell>& pointed) {
    if (side.empty() || side.max.y - top < px(80)) return;
    const std::optional<NamedCell>& held = session.view().asking.held;
    const bool trains = session.training().shown && held && is_measure(held->path);
    const float bottom = side.max.y - (trains ? std::min(px(210), (side.max.y - top) / 2) : 0);
    (void)asking_panel({{side.min.x, top}, {side.max.x, bottom}}, session, commands, pointed);
    if (trains) over_training({{side.min.x, bottom + px(6)}, side.max}, session, *held, commands);
}

// On which scale a sweep is told, and what its numbers then say.

std::string scale_key(SweepMeasure measure) { return "board.sweep." + std::string(name_of(measure)); }

std::string probability_words(double probability, double log_odds) {
    return share_text(probability, 1 / (1 + std::exp(log_odds)));
}

std::string foil_words(const Session& session, const SessionSweep& done, SweepMeasure measure) {
    if (!done.sweep.target().against) return {};
    const std::string foil =
        said_label(session.model().files, session.model().map(), *done.sweep.target().against);
    return session.strings().text(
        measure == SweepMeasure::logit ? "board.sweep.foil" : "board.sweep.foil.unused", {done.word, foil});
}

namespace {

// Of patched positions: m = logit(right) − logit(wrong) in this run and in the other, where the numbers come
// from.
struct PatchedRuns {
    double corrupted = 0, clean = 0;
    // The share of their difference that a change of m is; none where they hardly differ.
    std::optional<double> share_of(double change) const {
        return normalised_effect(corrupted + change, corrupted, clean);
    }
};

std::optional<PatchedRuns> patched_runs(const Session& session, const SessionSweep& done) {
    const SweepTarget& target = done.sweep.target();
    const Graph* second = session.what_if().second_graph();
    if (done.kind != SweepKind::patch || !target.against || !second) return {};
    const Tensor& logits = second->find(session.model().map().output.values->path)->value;
    if (target.row >= logits.rows()) return {};
    return PatchedRuns{done.sweep.baseline(SweepMeasure::logit),
                       double(logits(0, target.row, target.word))
                           - double(logits(0, target.row, *target.against))};
}

// What a path does to m: its relative effect is (m_patched − m_original) / m_original (Wang et al. 2022).
PathEffect path_effect(const SessionSweep& done, double change) {
    const double original = done.sweep.baseline(SweepMeasure::logit);
    return {original, original + change};
}

bool are_shares_of_path(const SessionSweep& done, SweepMeasure measure) {
    return done.kind == SweepKind::paths && measure == SweepMeasure::logit && path_effect(done, 0).relative();
}

bool are_shares(const Session& session, const SessionSweep& done, SweepMeasure measure) {
    const std::optional<PatchedRuns> runs = patched_runs(session, done);
    return are_shares_of_path(done, measure) || (measure == SweepMeasure::logit && runs && runs->share_of(0));
}

} // namespace

KeptTensor shown_changes(const Session& session, const SessionSweep& done, SweepMeasure measure) {
    KeptTensor changes = done.sweep.changes(measure);
    if (are_shares_of_path(done, measure))
        for (Real& change : changes.numbers) change = Real(*path_effect(done, double(change)).relative());
    const std::optional<PatchedRuns> runs = patched_runs(session, done);
    if (measure != SweepMeasure::logit || !runs || !runs->share_of(0)) return changes;
    for (Real& change : changes.numbers)
        if (!std::isnan(change)) change = Real(*runs->share_of(double(change)));
    return changes;
}

std::string scale_name(const Session& session, const SessionSweep& done, SweepMeasure measure) {
    return session.strings().text(are_shares(session, done, measure) ? "board.sweep.logit_share"
                                                                     : scale_key(measure));
}

void scale_words(PanelColumn& column, const Session& session, const SessionSweep& done,
                 SweepMeasure measure) {
    const Strings& s = session.strings();
    const std::optional<PatchedRuns> runs = patched_runs(session, done);
    std::string words =
        s.text(scale_key(measure) + ".legend", {format_number(done.sweep.baseline(measure), 4)});
    if (const std::optional<TokenId>& foil = done.sweep.target().against;
        foil && measure == SweepMeasure::logit)
        words = s.text("board.sweep.logit.legend.foil",
                       {format_number(done.sweep.baseline(measure), 4), done.word,
                        said_label(session.model().files, session.model().map(), *foil)});
    if (measure == SweepMeasure::logit && runs)
        words = s.text(runs->share_of(0) ? "board.sweep.share" : "board.sweep.share.none",
                       {format_number(runs->corrupted, 3), format_number(runs->clean, 3)});
    if (are_shares_of_path(done, measure))
        words = s.text("board.sweep.paths.share", {format_number(done.sweep.baseline(measure), 3)});
    column_text(column, faces().caption, colours().ink_faint, words);
}

} // namespace headlight
