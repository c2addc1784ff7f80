// On which scale a sweep is told, and what its numbers then say.
#include "app/ui/rooms/heads/sweep_scale.h"

#include <cmath>
#include <optional>

namespace headlight {

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
