// What a card hides until it was predicted.
#include "app/lessons/player.h"

#include "engine/inspect/given_away.h"
#include "engine/inspect/region_cells.h"

#include <algorithm>

namespace headlight {

namespace {

// The cells that a card's own words point to.
class Pointed {
public:
    explicit Pointed(const LessonCard& card) {
        for (const LessonBlock& block : card.blocks) take(block);
        for (const LessonPrediction& p : card.predictions) {
            for (const LessonBlock& block : p.question) take(block);
            for (const LessonChoice& choice : p.choices) take(choice.text);
        }
    }
    bool has(const std::string& path, Cell cell) const {
        return std::find(cells_.begin(), cells_.end(), NamedCell{path, cell}) != cells_.end();
    }
    bool has_some_of(const std::string& path, const Region& region) const {
        return std::any_of(cells_.begin(), cells_.end(), [&](const NamedCell& one) {
            return one.path == path && region.contains(one.cell);
        });
    }

private:
    void take(const LessonText& text) {
        for (const LessonSpan& span : text)
            if (span.link == LessonSpan::Link::cell)
                if (const Result<Expectation> cell = read_expectation("expect " + span.target + " 0 0"))
                    cells_.push_back({cell->path, cell->cell});
    }
    void take(const LessonBlock& block) {
        take(block.text);
        for (const LessonText& cell : block.cells) take(cell);
    }

    std::vector<NamedCell> cells_;
};

class Covering {
public:
    Covering(const LessonCard& card, const Session& session) : pointed_(card), session_(session) {}

    void number(const std::string& path, Cell cell) {
        cover.cells.push_back({path, cell}); // even of a value that is not there yet
        if (const Node* node = session_.find(path); node && exists({path, cell}, *node->graph))
            take(given_away(*node, cell));
    }

    // Which of these cells of a row is the largest.
    void order(const std::string& path, Index batch, Index row, const std::vector<Index>& columns) {
        const Node* node = session_.find(path);
        const bool is_there = node && std::all_of(columns.begin(), columns.end(), [&](Index column) {
                                  return exists({path, {batch, row, column}}, *node->graph);
                              });
        if (is_there) take(order_given_away(*node, batch, row, columns));
    }

    void largest(const std::string& path, Cell row) {
        cover.cells.push_back({path, {row.batch, row.row, -1}});
        const Node* node = session_.find(path);
        std::vector<Index> columns;
        for (Index i = 0; node && i < node->value.columns(); ++i) columns.push_back(i);
        if (!columns.empty()) order(path, row.batch, row.row, columns);
    }

    void all_of(const std::string& path) {
        const Node* node = session_.find(path);
        for (Index i = 0; i < (node ? node->value.batch() : 1); ++i) add({path, {i, -1, -1}});
    }

    Cover cover;

private:
    void take(const std::vector<GivenAway>& found) {
        for (const GivenAway& one : found) {
            const std::string& path = one.node->path;
            if (!pointed_.has_some_of(path, one.region)) {
                add({path, {one.region.batch, one.region.row, one.region.column}});
                continue;
            }
            for_each_cell(one.region, one.node->shape(), [&](Cell cell) {
                if (!pointed_.has(path, cell)) add({path, cell});
            });
        }
    }
    void add(const NamedCell& cell) {
        if (std::find(cover.cells.begin(), cover.cells.end(), cell) == cover.cells.end())
            cover.cells.push_back(cell);
    }

    Pointed pointed_;
    const Session& session_;
};

void cover_condition(Covering& covering, const Expectation& e) {
    if (e.kind == Expectation::Kind::said) covering.cover.words = true;
    if (e.kind != Expectation::Kind::expect && e.kind != Expectation::Kind::larger) return;
    covering.number(e.path, e.cell);
    if (e.kind != Expectation::Kind::larger) return;
    covering.number(e.other_path, e.other_cell);
    if (e.path == e.other_path && e.cell.batch == e.other_cell.batch && e.cell.row == e.other_cell.row)
        covering.order(e.path, e.cell.batch, e.cell.row, {e.cell.column, e.other_cell.column});
}

} // namespace

Cover cover_of(const LessonCard& card, const std::function<bool(std::size_t)>& is_open,
               const Session& session) {
    Covering covering(card, session);
    for (std::size_t i = 0; i < card.predictions.size(); ++i) {
        if (!is_open(i)) continue;
        const LessonPrediction& p = card.predictions[i];
        covering.cover.picture = covering.cover.picture || p.covered;
        for (const std::string& path : p.covers) covering.all_of(path);
        if (p.kind == LessonPrediction::Kind::number) covering.number(p.cell.path, p.cell.cell);
        if (p.kind == LessonPrediction::Kind::cell) covering.largest(p.cell.path, p.cell.cell);
        for (const LessonChoice& choice : p.choices)
            if (choice.right_if) cover_condition(covering, *choice.right_if);
    }
    return std::move(covering.cover);
}

} // namespace headlight
