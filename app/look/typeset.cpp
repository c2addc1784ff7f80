#include "app/look/typeset.h"

#include "app/look/typeset.h"
#include "engine/inspect/numbers.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {
namespace {

constexpr int deepest_nesting = 32; // what is nested deeper is shown as it was written

enum class Letters { variables, roman, italic, bold, blackboard };

// How things are set at one place of a formula.
struct Setting {
    int size = 1;    // index of the style's three sizes
    int depth = 0;   // 0: limits stand above and below, fractions keep their size
    int nesting = 0; // of braces
    bool in_script = false;
    Letters letters = Letters::variables;
    Colour colour = 0;

    Setting script() const {
        Setting smaller = *this;
        smaller.size = std::max(size - 1, 0);
        ++smaller.depth;
        smaller.in_script = true;
        return smaller;
    }
};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_figure(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string decimal_sign() { return utf8(std::u32string(1, number_signs().decimal)); }
bool is_decimal_sign(char c) { return c == '.' || std::string_view(&c, 1) == decimal_sign(); }

class Parser {
public:
    Parser(std::string_view tex, const MathStyle& style) : rest_(tex), style_(style) {}

    MathBox whole(const Setting& setting) {
        MathBox box = row(setting, "");
        while (!rest_.empty()) { // a closing brace too many
            box.append(text_box(face(setting, Letters::roman), rest_.substr(0, 1), setting.colour));
            rest_.remove_prefix(1);
            box.append(row(setting, ""));
        }
        return box;
    }

private:
    struct Atom {
        MathBox box;
        MathClass kind = MathClass::ordinary;
        bool limits = false;
    };

    const Face& face(const Setting& setting, Letters letters) const {
        const auto size = std::size_t(setting.size);
        switch (letters) {
        case Letters::italic:
            return style_.faces.italic[size];
        case Letters::bold:
            return style_.faces.bold[size];
        default:
            return style_.faces.roman[size];
        }
    }
    MathMetrics metrics(const Setting& setting) const { return metrics_of(face(setting, Letters::roman)); }

    void skip_spaces() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
    }
    bool at_command(std::string_view name) const {
        return rest_.size() > name.size() && rest_.front() == '\\' && rest_.substr(1, name.size()) == name
               && (rest_.size() == name.size() + 1 || !is_letter(rest_[name.size() + 1]));
    }
    // The name behind a backslash: letters, or one other character.
    std::string_view take_command() {
        rest_.remove_prefix(1);
        std::size_t length = 0;
        while (length < rest_.size() && is_letter(rest_[length])) ++length;
        length = std::min(std::max(length, std::size_t(1)), rest_.size());
        const std::string_view name = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return name;
    }
    // The text between braces as it is, or nothing where none begin.
    std::optional<std::string_view> take_raw_group() {
        skip_spaces();
        if (rest_.empty() || rest_.front() != '{') return std::nullopt;
        int open = 0;
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            if (rest_[i] == '\\') {
                ++i;
                continue;
            }
            if (rest_[i] == '{') ++open;
            if (rest_[i] == '}' && --open == 0) {
                const std::string_view inside = rest_.substr(1, i - 1);
                rest_.remove_prefix(i + 1);
                return inside;
            }
        }
        return std::nullopt;
    }

    MathBox row(const Setting& setting, std::string_view end_command);
    MathBox argument(const Setting& setting);
    std::optional<Atom> atom(const Setting& setting);
    Atom command(const Setting& setting);
    Atom symbol(const Setting& setting, const MathSymbol& symbol);
    Atom fenced(const Setting& setting);
    Atom scripts(const Setting& setting, Atom base);
    MathBox letters_box(const Setting& setting, std::string_view text);

    std::string_view rest_;
    const MathStyle& style_;
};

// Atoms side by side until a closing brace, the end, or \right.
MathBox Parser::row(const Setting& setting, std::string_view end_command) {
    MathBox box;
    const float eighteenth = metrics(setting).em / 18;
    std::optional<MathClass> before;
    for (;;) {
        skip_spaces();
        if (rest_.empty() || rest_.front() == '}') break;
        if (!end_command.empty() && at_command(end_command)) break;
        std::optional<Atom> next = atom(setting);
        if (!next) break;
        // A sign with nothing to its left that it could join is a sign of its own: −x.
        if (next->kind == MathClass::binary
            && (!before || *before == MathClass::binary || *before == MathClass::relation
                || *before == MathClass::opening || *before == MathClass::punctuation
                || *before == MathClass::large_operator))
            next->kind = MathClass::ordinary;
        const int space = before ? space_between(*before, next->kind, setting.in_script) : 0;
        before = next->kind;
        box.append(std::move(next->box), float(space) * eighteenth);
    }
    return box;
}

// What a command or a script acts upon: a group in braces, or one atom.
MathBox Parser::argument(const Setting& setting) {
    skip_spaces();
    if (rest_.empty()) return {};
    if (rest_.front() == '{' && setting.nesting < deepest_nesting) {
        rest_.remove_prefix(1);
        Setting inside = setting;
        ++inside.nesting;
        MathBox box = row(inside, "");
        if (!rest_.empty()) rest_.remove_prefix(1); // its closing brace
        return box;
    }
    if (rest_.front() == '\\') return command(setting).box;
    const char* end = rest_.data();
    next_character(end, rest_.data() + rest_.size());
    Parser one(rest_.substr(0, std::size_t(end - rest_.data())), style_);
    rest_.remove_prefix(std::size_t(end - rest_.data()));
    auto only = one.atom(setting);
    return only ? std::move(only->box) : MathBox{};
}

MathBox Parser::letters_box(const Setting& setting, std::string_view text) {
    return text_box(face(setting, setting.letters == Letters::variables ? Letters::italic : setting.letters),
                    text, setting.colour);
}

std::optional<Parser::Atom> Parser::atom(const Setting& setting) {
    skip_spaces();
    if (rest_.empty()) return std::nullopt;
    const char first = rest_.front();
    Atom found;
    if (first == '{' && setting.nesting < deepest_nesting) {
        found.box = argument(setting);
    } else if (first == '\\') {
        if (rest_.size() == 1) {
            found.box = text_box(face(setting, Letters::roman), rest_, setting.colour);
            rest_ = {};
        } else
            found = command(setting);
    } else if (first == '_' || first == '^') {
        return scripts(setting, found); // a script on nothing
    } else if (first == '\'') {
        rest_.remove_prefix(1);
        found.box = text_box(face(setting, Letters::roman), "′", setting.colour);
    } else if (is_figure(first)) {
        std::size_t length = 1;
        while (length < rest_.size()
               && (is_figure(rest_[length])
                   || (is_decimal_sign(rest_[length]) && length + 1 < rest_.size()
                       && is_figure(rest_[length + 1]))))
            ++length;
        const Letters letters = setting.letters == Letters::bold ? Letters::bold : Letters::roman;
        std::string number(rest_.substr(0, length)); // "0.5", as it is written in the language spoken
        if (const auto point = number.find('.'); point != number.npos)
            number.replace(point, 1, decimal_sign());
        found.box = text_box(face(setting, letters), number, setting.colour);
        rest_.remove_prefix(length);
    } else if (is_letter(first)) {
        // Roman letters are words and stay together; variables stand for themselves.
        std::size_t length = 1;
        if (setting.letters != Letters::variables)
            while (length < rest_.size() && is_letter(rest_[length])) ++length;
        found.box = letters_box(setting, rest_.substr(0, length));
        rest_.remove_prefix(length);
    } else {
        const char* end = rest_.data();
        const char32_t character = next_character(end, rest_.data() + rest_.size());
        const std::string_view itself = rest_.substr(0, std::size_t(end - rest_.data()));
        rest_.remove_prefix(itself.size());
        if (const auto known = symbol_of_character(character))
            found = symbol(setting, *known);
        else
            found.box = text_box(face(setting, Letters::roman), itself, setting.colour);
    }
    return scripts(setting, std::move(found));
}

Parser::Atom Parser::symbol(const Setting& setting, const MathSymbol& sign) {
    Atom found;
    found.kind = sign.kind;
    if (sign.kind == MathClass::large_operator) {
        const auto size = std::size_t(setting.size);
        const Face& face_of_sign =
            setting.depth == 0 ? style_.faces.operators[size] : style_.faces.roman[size];
        found.box = operator_box(face_of_sign, sign.text, metrics(setting), setting.colour);
        found.limits = setting.depth == 0 && sign.text != "∫";
    } else {
        const bool slanted = sign.letter == MathSymbol::Letter::italic && setting.letters != Letters::bold;
        const Letters letters = slanted                            ? Letters::italic
                                : setting.letters == Letters::bold ? Letters::bold
                                                                   : Letters::roman;
        found.box = text_box(face(setting, letters), sign.text, setting.colour);
    }
    return found;
}

// What stands between \left and \right, with delimiters as tall as it is.
Parser::Atom Parser::fenced(const Setting& setting) {
    const auto take_delimiter = [this]() -> std::string_view {
        skip_spaces();
        if (rest_.empty()) return "";
        if (rest_.front() == '\\' && rest_.size() > 1) {
            const auto known = symbol_of_command(take_command());
            return known ? known->text : "";
        }
        const std::string_view delimiter = rest_.substr(0, 1);
        rest_.remove_prefix(1);
        return delimiter == "." ? "" : delimiter;
    };
    const std::string_view open = take_delimiter();
    Setting inside = setting;
    ++inside.nesting;
    MathBox content = row(inside, "right");
    std::string_view close;
    if (at_command("right")) {
        take_command();
        close = take_delimiter();
    }
    std::vector<Face> faces{face(setting, Letters::roman)};
    for (auto size = std::size_t(setting.size); size < 3; ++size)
        faces.push_back(style_.faces.operators[size]);
    const MathMetrics measures = metrics(setting);
    const float up = content.ascent, down = content.descent;
    Atom found;
    found.kind = MathClass::inner;
    if (!open.empty()) found.box = delimiter_box(faces, open, up, down, measures, setting.colour);
    found.box.append(std::move(content), open.empty() ? 0 : measures.em * 0.04f);
    if (!close.empty())
        found.box.append(delimiter_box(faces, close, up, down, measures, setting.colour),
                         measures.em * 0.04f);
    return found;
}

Parser::Atom Parser::command(const Setting& setting) {
    const std::string_view before = rest_;
    const std::string_view name = take_command();
    const MathMetrics measures = metrics(setting);
    Atom found;
    const auto with_letters = [&](Letters letters) {
        Setting changed = setting;
        changed.letters = letters;
        return changed;
    };
    if (setting.nesting >= deepest_nesting) {
        found.box =
            text_box(face(setting, Letters::roman), before.substr(0, name.size() + 1), setting.colour);
    } else if (name == "frac") {
        Setting part = setting.depth == 0 ? setting : setting.script();
        part.depth = setting.depth + 1;
        ++part.nesting;
        MathBox above = argument(part);
        found.box = fraction_box(std::move(above), argument(part), measures, setting.colour);
        found.kind = MathClass::inner;
    } else if (name == "sqrt") {
        std::optional<MathBox> degree;
        if (!rest_.empty() && rest_.front() == '[') {
            const std::size_t end = rest_.find(']');
            if (end != std::string_view::npos) {
                degree = Parser(rest_.substr(1, end - 1), style_).whole(setting.script().script());
                rest_.remove_prefix(end + 1);
            }
        }
        Setting inside = setting;
        ++inside.nesting;
        found.box = root_box(argument(inside), degree ? &*degree : nullptr, measures, setting.colour);
    } else if (name == "color" || name == "textcolor") {
        Setting coloured = setting;
        if (const auto colour_name = take_raw_group()) coloured.colour = style_.colour_named(*colour_name);
        ++coloured.nesting;
        found.box = argument(coloured);
    } else if (name == "mathbf" || name == "boldsymbol") {
        found.box = argument(with_letters(Letters::bold));
    } else if (name == "mathit") {
        found.box = argument(with_letters(Letters::italic));
    } else if (name == "mathrm" || name == "text" || name == "operatorname") {
        // As it is, with its spaces.
        const auto words = take_raw_group();
        if (words)
            found.box = text_box(face(setting, Letters::roman), *words, setting.colour);
        else
            found.box = argument(with_letters(Letters::roman));
        if (name == "operatorname") found.kind = MathClass::large_operator;
    } else if (name == "mathbb") {
        const auto letter = take_raw_group();
        const std::string_view shown = letter == "R" ? "ℝ" : letter == "N" ? "ℕ" : letter.value_or("");
        found.box = text_box(face(setting, Letters::roman), shown, setting.colour);
    } else if (name == "left") {
        found = fenced(setting);
    } else if (is_function(name) || is_function_with_limits(name)) {
        found.box = text_box(face(setting, Letters::roman), name, setting.colour);
        found.kind = MathClass::large_operator;
        found.limits = setting.depth == 0 && is_function_with_limits(name);
    } else if (name == "hat" || name == "bar" || name == "tilde" || name == "dot") {
        const std::string_view accent = name == "hat"     ? "ˆ"
                                        : name == "bar"   ? "¯"
                                        : name == "tilde" ? "˜"
                                                          : "˙";
        Setting inside = setting;
        ++inside.nesting;
        const MathBox mark = text_box(face(setting, Letters::roman), accent, setting.colour);
        found.box = accent_box(argument(inside), mark, measures);
    } else if (name == "," || name == ";" || name == "!" || name == " " || name == "quad"
               || name == "qquad") {
        const float eighteenths = name == ","      ? 3
                                  : name == ";"    ? 5
                                  : name == "!"    ? -3
                                  : name == " "    ? 6
                                  : name == "quad" ? 18
                                                   : 36;
        found.box = space_box(measures.em * eighteenths / 18);
    } else if (const auto known = symbol_of_command(name)) {
        found = symbol(setting, *known);
    } else {
        found.box =
            text_box(face(setting, Letters::roman), before.substr(0, name.size() + 1), setting.colour);
    }
    return found;
}

Parser::Atom Parser::scripts(const Setting& setting, Atom base) {
    std::optional<MathBox> raised, lowered;
    Setting script = setting.script();
    ++script.nesting;
    for (;;) {
        skip_spaces();
        if (rest_.empty() || (rest_.front() != '_' && rest_.front() != '^')) break;
        std::optional<MathBox>& side = rest_.front() == '^' ? raised : lowered;
        if (side) break; // x^a^b: the second begins anew
        rest_.remove_prefix(1);
        side = argument(script);
    }
    if (!raised && !lowered) return base;
    const MathBox *up = raised ? &*raised : nullptr, *down = lowered ? &*lowered : nullptr;
    base.box = base.limits ? limits_box(std::move(base.box), up, down, metrics(setting))
                           : script_box(std::move(base.box), up, down, metrics(setting));
    return base;
}

} // namespace

MathBox typeset(std::string_view tex, const MathStyle& style, int size) {
    Setting setting;
    setting.size = size;
    return Parser(tex, style).whole(setting);
}

} // namespace headlight
