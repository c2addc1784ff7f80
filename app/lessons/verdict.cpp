#include "app/lessons/verdict.h"

#include "app/session/value_names.h"
#include "engine/inspect/numbers.h"

#include <cmath>

namespace headlight {

namespace {

double value_at(const LessonPrediction& p, Index column, const Session& session) {
    LessonPrediction there = p;
    there.cell.cell.column = column;
    const Result<double> value = column < 0 ? Result<double>(NAN) : number_asked(there, session);
    return value ? *value : NAN; // the model is another by now
}

Verdict verdict_of_number(const LessonPrediction& p, const LessonAnswer& a, const Session& session) {
    using How = Verdict::How;
    const Strings& s = session.strings();
    const NamedCell where{p.cell.path, p.cell.cell};
    // Token ids are whole, and are names rather than amounts.
    const Node* node = session.find(p.cell.path);
    const bool is_whole = node && node->is(ValueKind::tokens) && a.truth == std::floor(a.truth)
                          && (std::isnan(a.number) || a.number == std::floor(a.number));
    const auto told = [&](double number, int digits) {
        return is_whole ? format_whole(Index(number)) : format_number(number, digits);
    };
    const std::string truth = told(a.truth, 3);
    if (std::isnan(a.number)) return {How::told, s.text("teach.it_is", {truth}), where};
    if (a.is_right && told(a.number, 3) == truth)
        return {How::right, s.text("teach.number.exact", {truth}), where};
    return {a.is_right ? How::right : How::wrong,
            s.text(a.is_right ? "teach.number.right" : "teach.number.wrong",
                   {told(a.number, 3), truth, told(std::abs(a.number - a.truth), 2)}),
            where};
}

Verdict verdict_of_cell(const LessonPrediction& p, const LessonAnswer& a, const Session& session) {
    using How = Verdict::How;
    const Strings& s = session.strings();
    NamedCell where{p.cell.path, p.cell.cell};
    where.cell.column = a.right_column;
    const std::string right = label_of_column(p, a.right_column, session);
    if (a.column < 0) return {How::told, s.text("teach.cell.is", {right}), where};
    if (a.is_right) return {How::right, s.text("teach.cell.right", {"", right}), where};
    const double pointed = value_at(p, a.column, session), largest = value_at(p, a.right_column, session);
    return {
        How::wrong,
        s.text("teach.cell.wrong", {label_of_column(p, a.column, session), right, format_number(pointed, 3),
                                    format_number(largest, 3), format_number(largest - pointed, 2)}),
        where};
}

} // namespace

Verdict verdict_of(const LessonPrediction& p, const LessonAnswer& a, const Session& session) {
    return p.kind == LessonPrediction::Kind::cell ? verdict_of_cell(p, a, session)
                                                  : verdict_of_number(p, a, session);
}

std::string label_of_column(const LessonPrediction& p, Index column, const Session& session) {
    const Node* node = session.find(p.cell.path);
    if (!node || column < 0) return {};
    const std::vector<std::string> labels = axis_labels(session, *node, false);
    return std::size_t(column) < labels.size() ? "“" + labels[std::size_t(column)] + "”"
                                               : std::to_string(column + 1);
}

} // namespace headlight
