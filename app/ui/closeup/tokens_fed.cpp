#include "app/ui/closeup/closeup_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr std::size_t most_bytes_shown = 10;
constexpr std::size_t most_tokens_shown = 2000;

std::string bytes_in_hex(const std::string& bytes, std::size_t most) {
    constexpr char hex[] = "0123456789ABCDEF";
    std::string text;
    for (std::size_t i = 0; i < std::min(bytes.size(), most); ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        text += (i > 0 ? " " : "");
        text += hex[byte >> 4];
        text += hex[byte & 0xF];
    }
    return bytes.size() > most ? text + " …" : text;
}

struct FedToken {
    std::string label, id, bytes, tip;
    Index word = -1; // of the text; −1: of none
    bool known = true, is_added = false, is_special = false;
    bool joins_next = false; // the next one is of the same word
    float width = 0;
};

FedToken fed_token(const CutPlace& place, const ModelInput& fed, std::size_t i,
                   const std::vector<Index>& words) {
    const Strings& s = place.strings();
    const Tokenizer& tokenizer = place.text.tokenizer;
    FedToken token;
    const TokenId id = fed.ids[i];
    token.label = token_label(tokenizer, id);
    token.id = std::to_string(id);
    token.is_added = fed.pieces[i] == ModelInput::added;
    token.is_special = tokenizer.vocabulary().is_special(id);
    const std::string bytes = token_bytes(tokenizer, id);
    token.bytes = bytes_in_hex(bytes, most_bytes_shown);
    token.tip = s.text("tokens.fed.tip", {token.label, token.id, bytes_in_hex(bytes, 64)});
    if (token.is_added) {
        token.tip +=
            "\n"
            + s.text(place.text.side == CutSide::target ? "tokens.fed.begins" : "tokens.fed.post_processor");
    } else {
        const auto piece = std::size_t(fed.pieces[i]);
        token.word = words[piece];
        token.known = place.text.cutting.pieces[piece].known;
        if (!token.known)
            token.tip += "\n" + s.text("tokens.fed.unknown", {place.text.cutting.pieces[piece].text});
        token.joins_next = token.word >= 0 && piece + 1 < words.size() && words[piece + 1] == token.word;
    }
    if (token.is_special && !token.is_added) token.tip += "\n" + s.text("tokens.fed.special");
    const float widest =
        std::max({text_width(faces().body, token.label), text_width(faces().mono_small, token.id),
                  text_width(faces().mono_small, token.bytes)});
    token.width = std::ceil(widest) + px(14);
    return token;
}

} // namespace

void draw_fed_tokens(PanelColumn& column, const CutPlace& place) {
    const TextCut& text = place.text;
    std::vector<Index> words(text.cutting.pieces.size(), -1); // of each piece
    for (Index w = 0; w < Index(text.words.size()); ++w)
        for (std::size_t i = 0; i < text.word(w).pieces; ++i) words[text.word(w).first_piece + i] = w;
    const ModelInput fed = text.fed();
    const Colours& c = colours();
    const float chip = faces().body.size + px(10), line = faces().mono_small.size * 1.35f;
    const float height = chip + 2 * line + px(10);
    float x = column.left;
    const std::size_t shown = std::min(fed.ids.size(), most_tokens_shown);
    for (std::size_t i = 0; i < shown; ++i) {
        const FedToken token = fed_token(place, fed, i, words);
        const float width = std::min(token.width, column.width());
        if (x > column.left && x + width > column.right) {
            x = column.left;
            column.skip(height + px(6));
        }
        const ScreenRect all = ScreenRect::at(x, column.y, width, height);
        const ScreenRect box = ScreenRect::at(x, column.y, width, chip);
        const bool present = token.word >= 0 && token.word == place.film.word;
        const float gap = token.joins_next ? px(3) : px(11);
        const std::string name = "tokens.piece." + std::to_string(i);
        if (ImGui::IsRectVisible(all.min, all.max)) {
            const Pressable p = pressable(name.c_str(), all);
            if (!token.is_added)
                pen().AddRectFilled(box.min, box.max,
                                    present     ? c.accent_soft
                                    : p.hovered ? c.hovered
                                                : c.raised,
                                    px(6));
            if (token.is_added || present)
                pen().AddRect(box.min, box.max, present ? c.accent : c.frame, px(6), 0, px(1));
            draw_label(pen(), faces().body, box.inset(px(2)),
                       !token.known                         ? c.warning
                       : token.is_added || token.is_special ? c.ink_soft
                       : present                            ? c.accent
                                                            : c.ink,
                       token.label, Align::centre);
            // One line under all tokens of a word.
            if (token.joins_next
                || (i > 0 && fed.pieces[i] > 0 && token.word >= 0
                    && words[std::size_t(fed.pieces[i]) - 1] == token.word))
                pen().AddLine({box.min.x, box.max.y + px(4)},
                              {box.max.x + (token.joins_next ? gap : 0), box.max.y + px(4)},
                              present ? c.accent : c.frame, px(2));
            const float y = box.max.y + px(7);
            draw_text_in(pen(), faces().mono_small, ScreenRect::at(x, y, width, line), c.ink_soft, token.id,
                         Align::centre);
            draw_text_in(pen(), faces().mono_small, ScreenRect::at(x, y + line, width, line), c.ink_faint,
                         token.bytes, Align::centre);
            tooltip_when_resting(name, all, p.hovered, token.tip);
            if (p.pressed && token.word >= 0)
                place.commands.emit("tokens word " + std::to_string(token.word));
        }
        x += width + gap;
    }
    column.skip(height + px(6));
    const Strings& s = place.strings();
    if (shown < fed.ids.size())
        column_text(column, faces().caption, c.ink_faint,
                    s.text("tokens.more", {std::to_string(fed.ids.size() - shown)}));
    const Index over = text.stream ? Index(text.cutting.pieces.size()) - text.stream->max_words() : 0;
    if (over > 0)
        column_text(
            column, faces().caption, c.warning,
            s.text("tokens.fed.too_many", {std::to_string(text.stream->max_words()), std::to_string(over)}));
    column_text(column, faces().caption, c.ink_faint, s.text("tokens.fed.legend"));
}

} // namespace headlight
