#include "engine/language/value.h"

namespace headlight::language {

namespace {

constexpr char forms_mark = '\x02', form_end = '\x03';

std::string english_be(const Agreement& with, bool past) {
    if (past) return with.plural || with.person == 2 ? "were" : "was";
    if (with.plural || with.person == 2) return "are";
    return with.person == 1 ? "am" : "is";
}

std::string english_do(const Agreement& with, bool past) {
    if (past) return "did";
    return with.plural || with.person != 3 ? "do" : "does";
}

constexpr Agreement nobody;

std::string english_finite(const Value& value, bool past, const Agreement& with) {
    const EnglishVerb& verb = value.verb->english;
    if (value.verb->is_be) return english_be(with, past);
    if (past) return verb.past;
    return with.plural || with.person != 3 ? verb.base : verb.s;
}

std::string english_verb_said(const Value& value, Form form, const Agreement* agreement) {
    const Agreement& with = agreement != nullptr ? *agreement : nobody;
    const EnglishVerb& verb = value.verb->english;
    const bool be = value.verb->is_be;
    std::string said = value.english_before;
    switch (form) {
    case Form::present: append_words(said, english_finite(value, false, with)); break;
    case Form::past: append_words(said, english_finite(value, true, with)); break;
    case Form::ing: append_words(said, verb.ing); break;
    case Form::participle: append_words(said, verb.participle); break;
    case Form::not_present:
    case Form::not_past: {
        const bool past = form == Form::not_past;
        append_words(said, be ? english_be(with, past) + " not" : english_do(with, past) + " not " + verb.base);
        break;
    }
    case Form::ask_present: return be ? english_be(with, false) : english_do(with, false);
    case Form::ask_past: return be ? english_be(with, true) : english_do(with, true);
    case Form::asked:
        if (!be) append_words(said, verb.base);
        break;
    default: append_words(said, verb.base);
    }
    append_words(said, value.english);
    return said;
}

// “vê-lo”: behind an infinitive, o and a begin with l, and its r goes.
std::string with_pronoun_behind(const std::string& infinitive, const std::string& pronoun) {
    std::string stem = infinitive.substr(0, infinitive.size() - 1);
    if (infinitive.ends_with("ôr")) return stem + "-l" + pronoun;
    const char vowel = stem.back();
    const bool after_vowel = stem.size() > 1 && (stem[stem.size() - 2] == 'u' || stem[stem.size() - 2] == 'a');
    if (vowel == 'a') stem.replace(stem.size() - 1, 1, "á");
    if (vowel == 'e') stem.replace(stem.size() - 1, 1, "ê");
    if (vowel == 'i' && after_vowel && !stem.ends_with("gui") && !stem.ends_with("qui"))
        stem.replace(stem.size() - 1, 1, "í");
    if (vowel == 'o') stem.replace(stem.size() - 1, 1, "ô");
    return stem + "-l" + pronoun;
}

bool is_third_person(const std::string& pronoun) {
    return pronoun == "o" || pronoun == "a" || pronoun == "os" || pronoun == "as";
}

std::string portuguese_verb_said(const Value& value, Form form, const Agreement* agreement) {
    const Conjugation& verb = value.verb->portuguese;
    const std::size_t person = (agreement != nullptr ? *agreement : nobody).portuguese_person();
    const std::string& clitic = value.clitic;
    const bool behind = is_third_person(clitic);
    std::string finite, joined; // joined: with the pronoun behind
    switch (form) {
    case Form::present: finite = verb.in(Tense::present, person); break;
    case Form::past: finite = verb.in(Tense::preterite, person); break;
    case Form::imperfect: finite = verb.in(Tense::imperfect, person); break;
    case Form::subjunctive: finite = verb.in(Tense::subjunctive, person); break;
    case Form::past_subjunctive: finite = verb.in(Tense::past_subjunctive, person); break;
    case Form::future_subjunctive: finite = verb.in(Tense::future_subjunctive, person); break;
    case Form::conditional: finite = verb.in(Tense::conditional, person); break;
    case Form::imperative:
        finite = verb.imperative;
        if (behind) joined = finite + "-" + clitic;
        break;
    case Form::gerund:
        finite = verb.gerund;
        if (behind) joined = finite + "-" + clitic;
        break;
    case Form::participle: finite = verb.participles.front(); break;
    default:
        finite = verb.infinitive;
        if (behind) joined = with_pronoun_behind(finite, clitic);
    }
    std::string said = value.portuguese_before;
    if (joined.empty()) append_words(said, clitic);
    append_words(said, joined.empty() ? finite : joined);
    append_words(said, value.portuguese);
    return said;
}

std::string portuguese_adjective_said(const Value& value, Form form, const Agreement* with, const Conjugation& ser,
                                      const Conjugation& estar) {
    const Adjective& adjective = *value.adjective;
    const Conjugation& copula = adjective.is_estar ? estar : ser;
    const std::size_t person = (with != nullptr ? *with : nobody).portuguese_person();
    switch (form) {
    case Form::is: return copula.in(Tense::present, person);
    case Form::was: return copula.in(Tense::imperfect, person);
    case Form::to_be: return copula.infinitive;
    case Form::be_subjunctive: return copula.in(Tense::subjunctive, person);
    case Form::front:
        if (!adjective.stands_before) return {};
        break;
    case Form::behind:
        if (adjective.stands_before) return {};
        break;
    default: break;
    }
    std::array<std::string, 4> forms = adjective.portuguese;
    const std::string& own = adjective.portuguese_comparative;
    if (form == Form::superlative_front && own.empty()) return {}; // a melhor escola, a escola mais antiga
    if (form == Form::superlative_behind && !own.empty()) return {};
    if (form == Form::comparative || form == Form::superlative || form == Form::superlative_front
        || form == Form::superlative_behind) {
        for (std::size_t i = 0; i < 4; ++i)
            forms[i] = own.empty() ? "mais " + forms[i] : own + (i > 1 ? "es" : "");
    }
    std::string said = with != nullptr ? forms[with->portuguese_form()] : mark::forms(forms);
    append_words(said, value.portuguese);
    return said;
}

std::string english_pronoun(Form form, const Agreement& of) {
    const std::size_t kind = form == Form::subject_pronoun ? 0 : form == Form::object_pronoun ? 1 : 2;
    constexpr std::string_view i[] = {"I", "me", "my"}, you[] = {"you", "you", "your"}, we[] = {"we", "us", "our"},
                               he[] = {"he", "him", "his"}, she[] = {"she", "her", "her"}, it[] = {"it", "it", "its"},
                               they[] = {"they", "them", "their"};
    if (of.person == 1) return std::string((of.plural ? we : i)[kind]);
    if (of.person == 2) return std::string(you[kind]);
    if (of.plural) return std::string(they[kind]);
    if (!of.is_human) return std::string(it[kind]);
    return std::string((of.feminine ? she : he)[kind]);
}

} // namespace

void append_words(std::string& text, std::string_view more) {
    if (more.empty()) return;
    if (!text.empty()) text += ' ';
    text += more;
}

std::string mark::forms(const std::array<std::string, 4>& forms) {
    std::string marked(1, forms_mark);
    for (const std::string& form : forms) marked += form + form_end;
    return marked + forms_mark;
}

bool mark::is_marked(std::string_view text) { return text.find_first_of("\x02\x04\x05") != std::string_view::npos; }

std::string mark::resolved(const std::string& text, const Agreement& subject) {
    if (!is_marked(text)) return text;
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char letter = text[at];
        if (letter == reflexive) {
            constexpr std::string_view pronouns[] = {"me", "se", "nos", "se"};
            plain += pronouns[subject.portuguese_person()];
        } else if (letter == ones) {
            plain += english_pronoun(Form::possessive, subject);
        } else if (letter == forms_mark) {
            const std::size_t end = text.find(forms_mark, at + 1);
            std::size_t begin = at + 1;
            for (std::size_t form = 0; form < subject.portuguese_form(); ++form) begin = text.find(form_end, begin) + 1;
            plain += text.substr(begin, text.find(form_end, begin) - begin);
            at = end;
        } else {
            plain += letter;
        }
    }
    return plain;
}

std::string said(const Value& value, Language language, Form form, const Agreement* with, const Conjugation& ser,
                 const Conjugation& estar) {
    const bool english = language == Language::english;
    std::string text;
    if (english
        && (form == Form::subject_pronoun || form == Form::object_pronoun || form == Form::possessive))
        return english_pronoun(form, value.agreement);
    if (value.verb != nullptr) {
        text = english ? english_verb_said(value, form, with) : portuguese_verb_said(value, form, with);
    } else if (value.adjective != nullptr) {
        if (!english) {
            text = portuguese_adjective_said(value, form, with, ser, estar);
        } else {
            text = form == Form::comparative   ? value.adjective->comparative
                   : form == Form::superlative ? value.adjective->superlative
                                               : value.adjective->english;
            append_words(text, value.english);
        }
    } else if (form == Form::article && value.noun != nullptr) {
        constexpr std::string_view articles[] = {"o", "a", "os", "as"};
        if (english) return value.noun->english_article || value.noun->has_the || value.is_phrase ? "the" : "";
        return value.noun->portuguese_article || value.is_phrase ? std::string(articles[value.agreement.portuguese_form()]) : "";
    } else if (form == Form::place && value.noun != nullptr) {
        return value.noun->preposition.empty() ? "in" : value.noun->preposition;
    } else if (value.noun != nullptr && with != nullptr && !value.is_phrase) { // a doctor, um médico: it agrees with someone
        const Noun& noun = *value.noun;
        text = english ? (with->plural && !noun.plural.empty() ? noun.plural : noun.singular)
                       : noun.portuguese[with->portuguese_form()];
        if (text.empty()) text = english ? value.english : value.portuguese;
    } else if (!english && with != nullptr && !value.portuguese_forms[0].empty()) {
        text = value.portuguese_forms[with->portuguese_form()];
    } else {
        text = english ? value.english : value.portuguese;
    }
    return with != nullptr ? mark::resolved(text, *with) : text;
}

std::string form_written(const std::vector<std::vector<std::string>>& forms, Language language,
                         const Agreement* with) {
    if (with == nullptr) { // only adjectives' forms wait for a subject
        const auto at = [&](std::size_t number, std::size_t gender) {
            const std::vector<std::string>& part = forms[std::min(number, forms.size() - 1)];
            return part[std::min(gender, part.size() - 1)];
        };
        return mark::forms({at(0, 0), at(0, 1), at(1, 0), at(1, 1)});
    }
    std::size_t number = 0;
    if (language == Language::english) {
        const bool others = with->plural || with->person == 2;
        if (forms.size() == 3)
            number = others ? 2 : with->person == 1 ? 0 : 1;
        else if (forms.size() == 2)
            number = with->plural;
    } else {
        number = forms.size() == 4   ? with->portuguese_person()
                 : forms.size() == 2 ? std::size_t(with->portuguese_plural)
                                     : 0;
    }
    const std::vector<std::string>& part = forms[number];
    return part[part.size() > 1 ? std::size_t(with->feminine) : 0];
}

} // namespace headlight::language
