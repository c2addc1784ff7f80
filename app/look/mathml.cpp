#include "app/look/mathml.h"

#include "app/look/typeset.h"
#include "engine/inspect/numbers.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace headlight {
namespace {

constexpr int deepest = 32; // what is nested deeper is written as it is

bool is_letter_of_tex(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit_of_tex(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string escaped_for_markup(std::string_view text) {
    std::string escaped;
    for (const char c : text)
        escaped += c == '<'   ? "&lt;"
                   : c == '>' ? "&gt;"
                   : c == '&' ? "&amp;"
                   : c == '"' ? "&quot;"
                              : std::string(1, c);
    return escaped;
}

std::string element(std::string_view name, const std::string& inside, std::string_view with = {}) {
    std::string text = "<" + std::string(name);
    if (!with.empty()) text += " " + std::string(with);
    return text + ">" + inside + "</" + std::string(name) + ">";
}
std::string words(std::string_view name, std::string_view text, std::string_view with = {}) {
    return element(name, escaped_for_markup(text), with);
}
std::string grouped(const std::string& inside) { return element("mrow", inside); }

class MarkupWriter {
public:
    explicit MarkupWriter(std::string_view tex) : rest_(tex) {}

    std::string whole() {
        std::string all = row("");
        while (!rest_.empty()) { // a closing brace too many
            all += words("mo", rest_.substr(0, 1));
            rest_.remove_prefix(1);
            all += row("");
        }
        return all;
    }

private:
    struct Atom {
        std::string text;
        bool limits = false;
    };

    void skip_spaces() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
    }
    bool is_at(std::string_view name) const {
        return rest_.size() > name.size() && rest_.front() == '\\' && rest_.substr(1, name.size()) == name
               && (rest_.size() == name.size() + 1 || !is_letter_of_tex(rest_[name.size() + 1]));
    }
    std::string_view take(std::size_t length) {
        const std::string_view taken = rest_.substr(0, length);
        rest_.remove_prefix(taken.size());
        return taken;
    }
    std::string_view take_command() {
        rest_.remove_prefix(1);
        std::size_t length = 0;
        while (length < rest_.size() && is_letter_of_tex(rest_[length])) ++length;
        return take(std::max<std::size_t>(length, 1));
    }
    std::string_view take_raw_group() {
        skip_spaces();
        int open = 0;
        for (std::size_t i = 0; i < rest_.size() && rest_.front() == '{'; ++i) {
            if (rest_[i] == '\\')
                ++i;
            else if (rest_[i] == '{')
                ++open;
            else if (rest_[i] == '}' && --open == 0) {
                const std::string_view inside = rest_.substr(1, i - 1);
                rest_.remove_prefix(i + 1);
                return inside;
            }
        }
        return {};
    }

    std::string row(std::string_view end) {
        std::string all;
        for (skip_spaces(); !rest_.empty() && rest_.front() != '}'; skip_spaces()) {
            if (!end.empty() && is_at(end)) break;
            all += with_scripts(atom());
        }
        return all;
    }

    // What a command or a script acts upon: a group in braces, or one atom.
    std::string argument() {
        skip_spaces();
        if (rest_.empty()) return grouped("");
        if (rest_.front() != '{' || nesting_ >= deepest) return grouped(atom().text);
        take(1);
        ++nesting_;
        const std::string inside = row("");
        --nesting_;
        take(1); // its closing brace
        return grouped(inside);
    }

    Atom atom() {
        const char first = rest_.front();
        if (first == '{' && nesting_ < deepest) return {argument()};
        if (first == '\\' && rest_.size() > 1) return command();
        if (first == '_' || first == '^') return {grouped("")}; // a script on nothing
        if (first == '\'') return take(1), Atom{words("mo", "′")};
        std::size_t length = 1;
        if (is_digit_of_tex(first)) {
            while (length < rest_.size()
                   && (is_digit_of_tex(rest_[length])
                       || (rest_[length] == '.' && length + 1 < rest_.size()
                           && is_digit_of_tex(rest_[length + 1]))))
                ++length;
            std::string number(take(length)); // as the language writes it
            if (const auto point = number.find('.'); point != number.npos)
                number.replace(point, 1, utf8(std::u32string(1, number_signs().decimal)));
            return {words("mn", number)};
        }
        if (is_letter_of_tex(first)) return {words("mi", take(1))};
        const char* end = rest_.data();
        const char32_t character = next_character(end, rest_.data() + rest_.size());
        const std::string_view itself = take(std::size_t(end - rest_.data()));
        if (const std::optional<MathSymbol> known = symbol_of_character(character)) return symbol(*known);
        return {words("mi", itself)};
    }

    static Atom symbol(const MathSymbol& sign) {
        if (sign.kind == MathClass::large_operator)
            return {words("mo", sign.text, "largeop=\"true\""), sign.text != "∫"};
        if (sign.kind != MathClass::ordinary) return {words("mo", sign.text, "stretchy=\"false\"")};
        return {sign.letter == MathSymbol::Letter::italic ? words("mi", sign.text)
                                                          : words("mi", sign.text, "mathvariant=\"normal\"")};
    }

    std::string delimiter() {
        skip_spaces();
        if (rest_.empty()) return {};
        std::string_view sign;
        if (rest_.front() == '\\' && rest_.size() > 1) {
            const std::optional<MathSymbol> known = symbol_of_command(take_command());
            if (known) sign = known->text;
        } else {
            sign = take(1);
        }
        return sign.empty() || sign == "." ? std::string() : words("mo", sign, "stretchy=\"true\"");
    }

    Atom fenced() {
        std::string all = delimiter();
        ++nesting_;
        all += row("right");
        --nesting_;
        if (is_at("right")) take_command(), all += delimiter();
        return {grouped(all)};
    }

    Atom root() {
        std::string degree;
        if (const std::size_t end = rest_.find(']'); rest_.starts_with("[") && end != rest_.npos) {
            degree = grouped(MarkupWriter(rest_.substr(1, end - 1)).whole());
            take(end + 1);
        }
        const std::string inside = argument();
        return {degree.empty() ? element("msqrt", inside) : element("mroot", inside + degree)};
    }

    Atom command() {
        const std::string_view before = rest_, name = take_command();
        const auto is = [&](std::initializer_list<std::string_view> names) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        if (nesting_ >= deepest) return {words("mtext", before.substr(0, name.size() + 1))};
        if (name == "frac") {
            const std::string above = argument();
            return {element("mfrac", above + argument())};
        }
        if (name == "sqrt") return root();
        if (is({"color", "textcolor"})) {
            const std::string_view colour = take_raw_group();
            return {element("mrow", argument(), "class=\"ink-" + escaped_for_markup(colour) + "\"")};
        }
        if (is({"mathbf", "boldsymbol"})) return {element("mrow", argument(), "class=\"bold\"")};
        if (name == "mathit") return {argument()};
        if (is({"mathrm", "text", "operatorname"})) {
            skip_spaces();
            if (!rest_.starts_with("{")) return {argument()};
            return {words("mtext", take_raw_group())};
        }
        if (name == "mathbb") {
            const std::string_view letter = take_raw_group();
            return {words("mi", letter == "R" ? "ℝ" : letter == "N" ? "ℕ" : letter)};
        }
        if (name == "left") return fenced();
        if (is_function(name) || is_function_with_limits(name))
            return {words("mi", name, "mathvariant=\"normal\""), is_function_with_limits(name)};
        if (is({"hat", "bar", "tilde", "dot"})) {
            const std::string_view sign = name == "hat"     ? "^"
                                          : name == "bar"   ? "¯"
                                          : name == "tilde" ? "~"
                                                            : "˙";
            return {element("mover", argument() + words("mo", sign), "accent=\"true\"")};
        }
        if (is({",", ";", " ", "quad", "qquad"})) {
            const std::string_view em = name == ","      ? "0.17em"
                                        : name == ";"    ? "0.28em"
                                        : name == " "    ? "0.33em"
                                        : name == "quad" ? "1em"
                                                         : "2em";
            return {"<mspace width=\"" + std::string(em) + "\"></mspace>"};
        }
        if (name == "!") return {};
        if (const std::optional<MathSymbol> known = symbol_of_command(name)) return symbol(*known);
        return {words("mtext", before.substr(0, name.size() + 1))};
    }

    std::string with_scripts(Atom base) {
        std::string raised, lowered;
        ++nesting_;
        for (skip_spaces(); !rest_.empty() && (rest_.front() == '_' || rest_.front() == '^'); skip_spaces()) {
            std::string& side = rest_.front() == '^' ? raised : lowered;
            if (!side.empty()) break; // x^a^b: the second begins anew
            take(1);
            side = argument();
        }
        --nesting_;
        if (raised.empty() && lowered.empty()) return base.text;
        if (base.text.empty()) base.text = grouped("");
        if (raised.empty()) return element(base.limits ? "munder" : "msub", base.text + lowered);
        if (lowered.empty()) return element(base.limits ? "mover" : "msup", base.text + raised);
        return element(base.limits ? "munderover" : "msubsup", base.text + lowered + raised);
    }

    std::string_view rest_;
    int nesting_ = 0;
};

} // namespace

std::string mathml(std::string_view tex, bool displayed) {
    return element("math", MarkupWriter(tex).whole(), displayed ? "display=\"block\"" : "");
}

} // namespace headlight
