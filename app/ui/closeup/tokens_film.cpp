#include "app/ui/closeup/closeup_parts.h"

#include "engine/text/unicode.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

std::string in_quotes(const std::string& text) { return "“" + text + "”"; }

// --- byte-pair encoding ---------------------------------------------------------------------------------

std::string symbol_label(const CutPlace& place, const BpeSymbol& symbol) {
    if (!symbol.known || symbol.id == no_token) return place.part(symbol.begin, symbol.end);
    return token_label(place.text.tokenizer, symbol.id);
}

// What stands between two symbols: the merge's place in the table (the first is 1), or the piece's score.
std::string rank_label(const Bpe& bpe, const Bpe::Candidate& candidate) {
    if (candidate.result == no_token) return "–";
    return bpe.of_scores() ? format_number(-candidate.rank, 4) : format_whole(long(candidate.rank) + 1);
}

void draw_symbol(const ScreenRect& rect, const std::string& label, bool lit, bool fresh, bool known) {
    const Colours& c = colours();
    pen().AddRectFilled(rect.min, rect.max, lit ? c.accent_soft : c.raised, px(6));
    if (lit || fresh)
        pen().AddRect(rect.min, rect.max, lit ? c.accent : c.frame, px(6), 0, px(lit ? 2.f : 1.f));
    draw_label(pen(), faces().strong, rect.inset(px(2)),
               !known ? c.warning
               : lit  ? c.accent
                      : c.ink,
               label, Align::centre);
}

// --- characters as columns, and bars over them ----------------------------------------------------------

struct CharacterColumns {
    float left, width;
    std::size_t count;

    float edge(std::size_t at) const { return left + width * float(at); }
};

void draw_characters(PanelColumn& column, const CutPlace& place, const CharacterColumns& columns) {
    const ScreenRect line = column.take(faces().strong.size * 1.5f);
    for (std::size_t i = 0; i < columns.count; ++i) {
        const ScreenRect cell{{columns.edge(i), line.min.y}, {columns.edge(i + 1), line.max.y}};
        if (!ImGui::IsRectVisible(cell.min, cell.max)) continue;
        draw_label(pen(), faces().strong, cell, colours().ink, place.part(i, i + 1), Align::centre);
    }
}

// A word that is wider than the column scrolls from side to side, what is at work in sight.
class WideWord {
public:
    WideWord(PanelColumn& column, float width, float height, float keep) : column_(column), height_(height) {
        scrolls_ = width > column.width() + 1;
        if (!scrolls_) return;
        ImGui::SetCursorScreenPos({column.left, column.y});
        ImGui::BeginChild("cut.wide", {column.width(), height + ImGui::GetStyle().ScrollbarSize}, false,
                          ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground
                              | ImGuiWindowFlags_NoScrollWithMouse);
        float& kept = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("keep"), -1);
        if (kept != keep) ImGui::SetScrollX(std::max(0.f, keep - column.width() / 2));
        kept = keep;
        inner = {ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().x + width,
                 ImGui::GetCursorScreenPos().y};
        ImGui::Dummy({width, height});
    }
    ~WideWord() {
        if (scrolls_) ImGui::EndChild();
        column_.skip(height_ + (scrolls_ ? ImGui::GetStyle().ScrollbarSize : 0));
    }
    WideWord(const WideWord&) = delete;
    WideWord& operator=(const WideWord&) = delete;
    PanelColumn& content(PanelColumn& plain) { return scrolls_ ? inner : plain; }

    PanelColumn inner;

private:
    PanelColumn& column_;
    float height_;
    bool scrolls_;
};

void told_below(PanelColumn& column, const std::string& text) {
    column.skip(px(6));
    column_text(column, faces().body, colours().ink_soft, text);
}

// --- unigram ----------------------------------------------------------------------------------------------

// Bars that cover the same characters stand below one another.
std::vector<std::size_t> lanes_of(const UnigramFilm& film) {
    std::vector<std::uint32_t> ends; // of each lane
    std::vector<std::size_t> lanes;
    for (const UnigramFilm::Candidate& candidate : film.candidates) {
        std::size_t lane = 0;
        while (lane < ends.size() && ends[lane] > candidate.begin) ++lane;
        if (lane == ends.size()) ends.push_back(0);
        ends[lane] = candidate.end;
        lanes.push_back(lane);
    }
    return lanes;
}

std::string unigram_saying(const CutPlace& place, const UnigramFilm& film) {
    const Strings& s = place.strings();
    const auto moment = std::uint32_t(place.film.moment);
    const auto number = [](double x) { return format_number(x, 4); };
    if (moment == 0) return s.text("tokens.unigram.begin", {format_whole(film.candidates.size())});
    if (moment < film.best_sum.size()) {
        std::size_t ways = 0;
        const UnigramFilm::Candidate* best = nullptr;
        for (const UnigramFilm::Candidate& candidate : film.candidates) {
            if (candidate.end != moment) continue;
            ++ways;
            if (candidate.is_best) best = &candidate;
        }
        if (!best) return {};
        return s.text(ways == 1 ? "tokens.unigram.only" : "tokens.unigram.best",
                      {in_quotes(place.part(0, moment)), format_whole(ways),
                       in_quotes(place.part(best->begin, best->end)), number(film.best_sum[best->begin]),
                       number(best->score), number(best->sum)});
    }
    std::string sum;
    for (const UnigramFilm::Candidate& candidate : film.candidates)
        if (candidate.on_path) {
            const std::string score = number(candidate.score);
            sum += (sum.empty() ? "" : " + ")
                   + (candidate.score < 0 && !sum.empty() ? "(" + score + ")" : score);
        }
    return s.text("tokens.unigram.end", {sum, number(film.best_sum.back())});
}

void draw_candidate(const CutPlace& place, const UnigramFilm& film, const UnigramFilm::Candidate& candidate,
                    const ScreenRect& bar) {
    const Colours& c = colours();
    const auto moment = std::uint32_t(place.film.moment);
    const bool over = moment >= film.best_sum.size(), at_work = !over && candidate.end == moment;
    const bool chosen = over ? candidate.on_path : at_work && candidate.is_best;
    const bool kept = !over && candidate.end < moment && candidate.is_best;
    const bool is_soft = !chosen && !at_work && !kept && moment > 0;
    pen().AddRectFilled(bar.min, bar.max, chosen ? c.accent_soft : is_soft ? c.card : c.raised, px(5));
    pen().AddRect(bar.min, bar.max,
                  chosen            ? c.accent
                  : at_work || kept ? c.frame
                                    : c.line,
                  px(5), 0, px(chosen ? 2.f : 1.f));
    const Colour ink = chosen ? c.accent : at_work || kept || moment == 0 ? c.ink : c.ink_faint;
    const float middle = bar.min.y + faces().caption.size * 1.25f;
    const std::string label = candidate.known && candidate.id != no_token
                                  ? token_label(place.text.tokenizer, candidate.id)
                                  : place.part(candidate.begin, candidate.end);
    draw_label(pen(), faces().caption, {{bar.min.x + px(2), bar.min.y + px(2)}, {bar.max.x - px(2), middle}},
               candidate.known ? ink : c.warning, label, Align::centre);
    draw_text_in(pen(), faces().mono_small, {{bar.min.x + 1, middle}, {bar.max.x - 1, bar.max.y - px(2)}},
                 ink, format_number(candidate.score, 3), Align::centre);
}

} // namespace

std::string CutPlace::part(std::size_t begin, std::size_t end) const {
    const CutWord& cut = word();
    return part_label(text.tokenizer, std::string_view(cut.text).substr(cut.starts[begin],
                                                                        cut.starts[end] - cut.starts[begin]));
}

void draw_bpe_film(PanelColumn& column, const CutPlace& place, const BpeFilm& film) {
    const Strings& s = place.strings();
    const Tokenizer& tokenizer = place.text.tokenizer;
    const Bpe& bpe = std::get<Bpe>(tokenizer.parts().model);
    const auto moment = std::size_t(place.film.moment);
    const std::vector<BpeSymbol> symbols = film.symbols_after(moment);
    const ModelWord word{code_points(place.word().text)};
    const std::vector<Bpe::Candidate> pairs = bpe.candidates(word, tokenizer.vocabulary(), symbols);
    const BpeFilm::Merge* next = moment < film.merges.size() ? &film.merges[moment] : nullptr;
    const BpeFilm::Merge* last = moment > 0 ? &film.merges[moment - 1] : nullptr;
    const float height = faces().strong.size * 1.9f, below = faces().mono_small.size * 1.6f;
    float x = column.left;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const std::string label = symbol_label(place, symbols[i]);
        const float width = std::max(px(30), std::ceil(text_width(faces().strong, label)) + px(18));
        const std::string rank = i < pairs.size() ? rank_label(bpe, pairs[i]) : "";
        const float gap = std::max(px(16), std::ceil(text_width(faces().mono_small, rank)) + px(8));
        if (x > column.left && x + width > column.right) {
            x = column.left;
            column.skip(height + below);
        }
        const bool is_lit = next && (i == next->left || i == next->left + 1);
        const ScreenRect rect = ScreenRect::at(x, column.y, std::min(width, column.width()), height);
        draw_symbol(rect, label, is_lit, last && i == last->left, symbols[i].known);
        widgets().record("tokens.symbol." + std::to_string(i), rect);
        x += rect.width();
        if (i < pairs.size()) {
            const bool is_next = next && i == next->left;
            draw_text_in(pen(), faces().mono_small, ScreenRect::at(x, column.y, gap, height),
                         is_next                       ? colours().accent
                         : pairs[i].result == no_token ? colours().ink_faint
                                                       : colours().ink_soft,
                         rank, Align::centre);
        }
        x += gap;
    }
    column.skip(height + px(4));
    const std::string all = format_whole(bpe.merges().size());
    const auto mergeable = std::count_if(pairs.begin(), pairs.end(),
                                         [](const Bpe::Candidate& pair) { return pair.result != no_token; });
    if (film.whole)
        told_below(column, s.text("tokens.bpe.whole"));
    else if (next)
        told_below(column, s.text(bpe.of_scores() ? "tokens.bpe.next_score" : "tokens.bpe.next",
                                  {std::to_string(mergeable), std::to_string(pairs.size()),
                                   in_quotes(symbol_label(place, symbols[next->left])),
                                   in_quotes(symbol_label(place, symbols[next->left + 1])),
                                   in_quotes(token_label(tokenizer, next->result)),
                                   bpe.of_scores() ? format_number(-next->rank, 4)
                                                   : format_whole(long(next->rank) + 1),
                                   all}));
    else if (symbols.size() <= 1)
        told_below(column, s.text("tokens.bpe.one"));
    else
        told_below(column, s.text("tokens.bpe.end", {std::to_string(symbols.size())}));
}

void draw_word_piece_film(PanelColumn& column, const CutPlace& place, const WordPieceFilm& film) {
    const Strings& s = place.strings();
    const std::size_t count = place.word().starts.size() - 1;
    if (film.too_long) {
        const auto& model = std::get<WordPiece>(place.text.tokenizer.parts().model);
        told_below(column, s.text("tokens.wordpiece.too_long",
                                  {std::to_string(count), std::to_string(model.longest_word)}));
        return;
    }
    const auto moment = std::size_t(place.film.moment);
    const WordPieceFilm::Attempt* now = moment > 0 ? &film.attempts[moment - 1] : nullptr;
    // The beginnings tried at this place, the last of them; the room is that of the most that there will be.
    std::size_t most_rows = 1, tried = 0;
    for (std::size_t i = 0; i < film.attempts.size(); ++i) {
        tried = i > 0 && film.attempts[i].begin == film.attempts[i - 1].begin ? tried + 1 : 1;
        most_rows = std::max(most_rows, std::min<std::size_t>(tried, 8));
    }
    std::vector<const WordPieceFilm::Attempt*> rows;
    for (std::size_t i = 0; now && i < moment; ++i)
        if (film.attempts[i].begin == now->begin) rows.push_back(&film.attempts[i]);
    if (rows.size() > most_rows) rows.erase(rows.begin(), rows.end() - most_rows);
    const float row = faces().caption.size * 1.6f, top = faces().strong.size * 1.5f;
    const float width = std::clamp(column.width() * 0.6f / float(count), px(20), px(34));
    const float words = px(230); // beside the bars
    {
        WideWord wide(column, width * float(count) + words, top + row * float(most_rows),
                      now ? width * float(now->begin) : 0);
        PanelColumn inner = wide.content(column);
        const CharacterColumns columns{inner.left, width, count};
        for (std::size_t i = 0; i < moment; ++i) // what was found before
            if (film.attempts[i].found)
                pen().AddRectFilled({columns.edge(film.attempts[i].begin) + 1, inner.y},
                                    {columns.edge(film.attempts[i].end) - 1, inner.y + top},
                                    colours().accent_soft, px(5));
        draw_characters(inner, place, columns);
        for (const WordPieceFilm::Attempt* attempt : rows) {
            const ScreenRect line = inner.take(row);
            const ScreenRect bar{{columns.edge(attempt->begin) + 1, line.min.y + px(3)},
                                 {columns.edge(attempt->end) - 1, line.max.y - px(3)}};
            const bool present = attempt == now;
            if (attempt->found) pen().AddRectFilled(bar.min, bar.max, colours().accent, px(4));
            pen().AddRect(bar.min, bar.max, attempt->found ? colours().accent : colours().frame, px(4), 0,
                          px(present ? 2.f : 1.f));
            const std::string text =
                s.text(attempt->found ? "tokens.wordpiece.found" : "tokens.wordpiece.not_found",
                       {in_quotes(attempt->piece)});
            draw_label(pen(), faces().caption,
                       {{columns.edge(count) + px(12), line.min.y},
                        {std::max(inner.right, columns.edge(count) + words), line.max.y}},
                       present ? attempt->found ? colours().accent : colours().ink : colours().ink_soft,
                       text);
        }
    }
    const bool failed = !film.attempts.empty() && moment == film.attempts.size() && !now->found;
    if (!now)
        told_below(column, s.text("tokens.wordpiece.begin"));
    else if (failed)
        told_below(column, s.text("tokens.wordpiece.unknown", {in_quotes(place.part(0, count))}));
    else if (moment == film.attempts.size())
        told_below(column, s.text("tokens.wordpiece.end"));
    else if (now->found)
        told_below(column, s.text("tokens.wordpiece.on", {in_quotes(now->piece)}));
    else
        told_below(column, s.text("tokens.wordpiece.shorter", {in_quotes(now->piece)}));
}

void draw_unigram_film(PanelColumn& column, const CutPlace& place, const UnigramFilm& film) {
    const std::size_t count = place.word().starts.size() - 1;
    const std::vector<std::size_t> lanes = lanes_of(film);
    const std::size_t lane_count = lanes.empty() ? 0 : *std::max_element(lanes.begin(), lanes.end()) + 1;
    const float number = std::ceil(text_width(faces().mono_small, "−00.00")) + px(8);
    const float lane = faces().caption.size * 1.25f + faces().mono_small.size * 1.5f + px(6);
    const float top = faces().strong.size * 1.5f, sums = faces().mono_small.size * 1.7f;
    const float margin = number / 2; // for the sums at the ends
    const float width =
        std::clamp((column.width() - 2 * margin) / float(std::max<std::size_t>(1, count)), number, px(96));
    const auto moment = std::size_t(place.film.moment);
    {
        WideWord wide(column, width * float(count) + 2 * margin,
                      top + sums + lane * float(lane_count) + px(4),
                      margin + width * float(std::min(moment, count)));
        PanelColumn inner = wide.content(column);
        const CharacterColumns columns{inner.left + margin, width, count};
        draw_characters(inner, place, columns);
        const float y = inner.take(sums).min.y, end = inner.y + lane * float(lane_count);
        for (std::size_t at = 0; at < film.best_sum.size(); ++at) {
            const bool known = at <= moment, present = at == std::min(moment, count) && moment > 0;
            pen().AddLine({columns.edge(at), y + sums - px(2)}, {columns.edge(at), end},
                          with_alpha(present ? colours().accent : colours().line, present ? 0.9f : 0.6f));
            if (!known) continue;
            draw_text_in(pen(), faces().mono_small,
                         ScreenRect::at(columns.edge(at) - number / 2, y, number, sums - px(2)),
                         present ? colours().accent : colours().ink_soft,
                         at == 0 ? "0" : format_number(film.best_sum[at], 4), Align::centre);
        }
        for (std::size_t i = 0; i < film.candidates.size(); ++i) {
            const UnigramFilm::Candidate& candidate = film.candidates[i];
            const float bar_top = inner.y + lane * float(lanes[i]);
            const ScreenRect bar{{columns.edge(candidate.begin) + px(2), bar_top + px(2)},
                                 {columns.edge(candidate.end) - px(2), bar_top + lane - px(2)}};
            if (ImGui::IsRectVisible(bar.min, bar.max)) draw_candidate(place, film, candidate, bar);
        }
    }
    told_below(column, unigram_saying(place, film));
}

void draw_look_up(PanelColumn& column, const CutPlace& place, const LookUpFilm& film) {
    const Strings& s = place.strings();
    const CutWord& word = place.word();
    const Tokenizer& tokenizer = place.text.tokenizer;
    const Piece& piece = place.text.cutting.pieces[word.first_piece];
    const std::string label = part_label(tokenizer, word.text), id = std::to_string(piece.id);
    const std::string size = format_whole(tokenizer.vocabulary().size());
    std::string said;
    if (!piece.known) {
        said =
            s.text("tokens.lookup.unknown", {in_quotes(label), size, token_label(tokenizer, piece.id), id});
        std::string near;
        for (const std::string& known : tokenizer.nearest(word.text, 3))
            near += (near.empty() ? "" : ", ") + in_quotes(known);
        if (!near.empty()) said += " " + s.text("tokens.lookup.near", {near});
    } else if (film.lowercased) {
        said = s.text("tokens.lookup.lowercased",
                      {in_quotes(label), in_quotes(token_label(tokenizer, piece.id)), id});
    } else {
        said = s.text(tokenizer.is_characters() ? "tokens.lookup.character" : "tokens.lookup.word",
                      {in_quotes(label), size, id});
    }
    column_text(column, faces().body, colours().ink_soft, said);
}

} // namespace headlight
