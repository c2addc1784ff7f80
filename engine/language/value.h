// What a slot of a rule has drawn, and how it is said: forms that agree, on either side.
#pragma once

#include "engine/language/sentence_grammar.h"

#include <optional>
#include <string>

namespace headlight::language {

enum class Language { english, portuguese };

// What others agree with.
struct Agreement {
    int person = 3; // 1, 2, 3
    bool plural = false, portuguese_plural = false, feminine = false;
    bool is_human = true; // he and she, not it

    std::size_t portuguese_person() const { // eu, você/ele, nós, vocês/eles
        return person == 1 ? (portuguese_plural ? 2 : 0) : (portuguese_plural ? 3 : 1);
    }
    std::size_t portuguese_form() const { return 2 * std::size_t(portuguese_plural) + std::size_t(feminine); }
};

// Text with what only the subject will decide: forms and pronouns are marked until they are resolved.
namespace mark {
std::string forms(const std::array<std::string, 4>& forms); // of adjectives, by Agreement::portuguese_form
inline constexpr char reflexive = '\x05';                   // me, se, nos
inline constexpr char ones = '\x04';                        // one's: my, your, his
bool is_marked(std::string_view text);
std::string resolved(const std::string& text, const Agreement& subject);
} // namespace mark

struct Value {
    std::string english, portuguese; // of a verb: what follows it
    std::string english_before, portuguese_before, clitic;
    const Verb* verb = nullptr;
    const Adjective* adjective = nullptr;
    const Noun* noun = nullptr;
    std::array<std::string, 4> portuguese_forms; // of words that agree: numbers
    Agreement agreement;
    std::uint64_t features = 0;
    std::optional<std::size_t> leaf; // class of the noun that it is
    bool is_phrase = false;          // its noun is not all of it: the old school
};

// In this form, agreeing with `with` (nothing: what is marked stays marked).
std::string said(const Value& value, Language language, Form form, const Agreement* with,
                 const Conjugation& to_be, const Conjugation& estar);
// Written out in a rule: am/is/are, o|a/os|as, posso/pode/podemos/podem.
std::string form_written(const std::vector<std::vector<std::string>>& forms, Language language,
                         const Agreement* with);

void append_words(std::string& text, std::string_view more); // with a blank between

} // namespace headlight::language
