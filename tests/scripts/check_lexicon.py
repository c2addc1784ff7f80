#!/usr/bin/env python3
"""Reads assets/lexicon by the rules of its README.md and says FILE:LINE: what where something is wrong.

    check_lexicon.py [FOLDER]     check it, print figures
    check_lexicon.py --forms      print every entry with the forms derived from it
    check_lexicon.py --unknown    print only words that the spelling dictionaries do not know

Spelling is checked with hunspell and its dictionaries en_US and pt_BR where they are installed.
"""
import collections
import pathlib
import re
import shutil
import subprocess
import sys

POS = {"nouns": "noun", "verbs": "verb", "auxiliaries": "auxiliary", "adjectives": "adjective", "adverbs": "adverb",
       "pronouns": "pronoun", "determiners": "determiner", "prepositions": "preposition",
       "conjunctions": "conjunction", "questions": "question", "numbers": "number", "names": "name",
       "interjections": "interjection", "contractions": "contraction"}
FEATURES = {
    "noun": {"uncountable", "countable", "plural", "in", "at", "on", "no article", "foreign", "masculine", "feminine"},
    "verb": {"apart", "impersonal", "state", "subjunctive", "foreign"},
    "auxiliary": {"state"},
    "adjective": {"ser", "estar", "before", "more", "absolute", "invariant", "foreign"},
    "adverb": {"front", "middle", "end", "foreign"},
    "pronoun": {"singular", "plural", "masculine", "feminine", "first", "second", "third"},
    "determiner": {"singular", "plural", "masculine", "feminine", "first", "second", "third", "uncountable"},
    "preposition": set(),
    "conjunction": {"subjunctive", "future subjunctive"},
    "question": set(),
    "number": set(),
    "name": {"masculine", "feminine", "foreign"},
    "interjection": {"foreign"},
    "contraction": set(),
}
SPECIAL = {"do": "do", "to do": "do", "doing": "do", "that": "that", "how": "how", "say": "say", "number": "number", "any": "any"}
WEIGHTS = {"rare", "*", "**", "***"}
PREPOSITIONS = {"de", "do", "da", "dos", "das", "a", "à", "ao", "aos", "às", "em", "no", "na", "nos", "nas", "com",
                "sem", "para", "por", "pelo", "pela", "sobre", "entre", "contra", "e", "que", "debaixo"}
VOWELS = "aeiouáéíóúâêôãõàü"
ACCENTS = "áéíóúâêôãõ"

mistakes = []
entries = []
classes_at = {}                 # class: where it is first used in a heading
joined = {}                     # class of classes: (where, members)
frame_uses = []                 # (where, class)
ambiguous = []                  # (where, language, word, pos, sense, context words)
patterns = []                   # (ending, verbs or None, rows, where)
verbs_written = {}              # infinitive: rows
figures = collections.Counter()


def mistake(where, what):
    mistakes.append(f"{where}: {what}")


class Entry:
    def __init__(self, where, pos, cls, frame, features, english, arrow, portuguese, weight):
        self.where, self.pos, self.cls, self.frame, self.arrow = where, pos, cls, frame, arrow
        self.weight = weight
        self.en, self.en_features = take_features(english)
        self.pt, self.pt_features = take_features(portuguese)
        self.features = features
        self.comparative = ""
        for f in list(self.pt_features):
            if f.startswith("comparative "):
                self.comparative = f.split(" ", 1)[1]
                self.pt_features.discard(f)
        self.figure = None
        if pos == "number":
            for f in list(self.en_features):
                self.figure = f
                self.en_features.discard(f)
        for f in self.features | self.en_features | self.pt_features:
            if f not in FEATURES[pos]:
                mistake(where, f"no such feature of a {pos}: {f}")

    def has(self, side, feature):
        own = self.en_features if side == "en" else self.pt_features
        if feature == "uncountable" and "countable" in own:
            return False
        return feature in own or feature in self.features


def take_features(text):
    """'boat (plural)' -> 'boat', {'plural'}"""
    found = set()
    for inside in re.findall(r"\(([^()]*)\)", text):
        found |= {f.strip() for f in inside.split(",") if f.strip()}
    text = re.sub(r"\s*\([^()]*\)", "", text)
    return re.sub(r"\s+", " ", text).strip(), found


def take_weight(text):
    m = re.search(r"\s+(rare|\*{1,3})$", text)
    return (text[:m.start()], m.group(1)) if m else (text, "")


def lines_of(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        where = f"{path.name}:{number}"
        if "\t" in line:
            mistake(where, "a tab")
        line = line.split("#")[0].rstrip()
        if line:
            yield where, line


# --- Forms ------------------------------------------------------------------------------------------------------

def english_plural(word):
    words = word.split(" ")
    at = len(words) - 1
    for i, w in enumerate(words):
        if w in ("of", "in") and i > 0:
            at = i - 1
            break
    w = words[at]
    if re.search(r"(s|x|z|ch|sh)$", w):
        w += "es"
    elif re.search(r"[^aeiou]y$", w):
        w = w[:-1] + "ies"
    else:
        w += "s"
    words[at] = w
    return " ".join(words)


def syllables(word):
    word = re.sub(r"(?<=[^aeiouy])e$", "", word) if len(re.findall(r"[aeiouy]+", word)) > 1 else word
    return len(re.findall(r"[aeiouy]+", re.sub(r"^y", "", word)))


def doubles(word):
    return bool(re.search(r"(?:^|[^aeiou]|qu)[aeiouy][^aeiouwxy]$", word)) and syllables(word) == 1


def english_verb(word, written):
    """base -> past, participle, ing, s; written: the forms given after slashes"""
    if word.endswith("e"):
        past = word + "d"
    elif re.search(r"[^aeiou]y$", word):
        past = word[:-1] + "ied"
    elif doubles(word):
        past = word + word[-1] + "ed"
    else:
        past = word + "ed"
    if word.endswith("ie"):
        ing = word[:-2] + "ying"
    elif word.endswith("e") and not re.search(r"(ee|oe|ye)$", word) and len(word) > 2:
        ing = word[:-1] + "ing"
    elif doubles(word):
        ing = word + word[-1] + "ing"
    else:
        ing = word + "ing"
    s = english_plural(word)
    if word.endswith("o"):
        s = word + "es"
    forms = [past, past, ing, s]
    if len(written) == 1:
        forms[0] = forms[1] = written[0]
    else:
        for i, f in enumerate(written):
            forms[i] = f
    return forms


def english_degrees(word, more):
    if more or " " in word or "-" in word:
        return None
    if syllables(word) == 1:
        stem = word[:-1] if word.endswith("e") else word + word[-1] if doubles(word) else word
        if re.search(r"[^aeiou]y$", word):
            stem = word[:-1] + "i"
        return [stem + "er", stem + "est"]
    if re.search(r"[^aeiou]y$", word) and syllables(word) == 2:
        return [word[:-1] + "ier", word[:-1] + "iest"]
    return None


def plural_of_word(w):
    accent = any(c in ACCENTS for c in w)
    if w.endswith("ão"):
        return w[:-2] + "ões"
    if w.endswith("m"):
        return w[:-1] + "ns"
    if w[-1] in "rz":
        return w + "es"
    m = re.search(r"[êáí]s$", w)
    if m:
        return w[:-2] + {"ê": "eses", "á": "ases", "í": "íses"}[w[-2]]
    if w[-1] in "sx":
        return w
    if w.endswith("al"):
        return w[:-1] + "is"
    if w.endswith("el"):
        return w[:-2] + ("eis" if accent else "éis")
    if w.endswith("ol"):
        return w[:-2] + ("ois" if accent else "óis")
    if w.endswith("ul"):
        return w[:-1] + "is"
    if w.endswith("il"):
        return w[:-2] + ("eis" if accent else "is")
    return w + "s"


def portuguese_plural(phrase):
    words = phrase.split(" ")
    out = []
    for i, w in enumerate(words):
        if w in PREPOSITIONS and i > 0:
            return " ".join(out + words[i:])
        out.append(plural_of_word(w))
    return " ".join(out)


def portuguese_adjective(e):
    """-> [masculine, feminine, masculine plural, feminine plural]"""
    text = e.pt
    if e.has("pt", "invariant") or text.split(" ")[0] in PREPOSITIONS:
        return [text] * 4
    singular, _, plural = text.partition("/")
    sing = singular.split("|")
    if len(sing) == 1:
        sing.append(sing[0][:-1] + "a" if sing[0].endswith("o") else sing[0])
    plur = plural.split("|") if plural else [adjective_plural(s) for s in sing]
    if len(plur) == 1:
        plur.append(plur[0])
    if len(sing) != 2 or len(plur) != 2:
        mistake(e.where, "forms are written masculine|feminine/masculines|feminines")
        return [text] * 4
    return sing + plur


def adjective_plural(phrase):
    words = phrase.split(" ")
    for i, w in enumerate(words):
        if w in PREPOSITIONS and i > 0:
            return " ".join([plural_of_word(words[0])] + words[1:])
    return " ".join(words[:-1] + [plural_of_word(words[-1])])


TENSES = ["present", "preterite", "imperfect", "future", "subjunctive", "gerund", "participle"]
SIZES = {"present": 4, "preterite": 4, "imperfect": 4, "subjunctive": 4, "future": 1, "gerund": 1, "participle": 1}


def conjugate(infinitive):
    """-> {tense: [forms]} or None"""
    fits = [(len(end), verbs is not None, end, rows) for end, verbs, rows, _ in patterns
            if infinitive.endswith(end) and (verbs is None or infinitive in verbs)]
    fits.sort(key=lambda f: (f[0], f[1]), reverse=True)
    out, depth = {}, {}
    if infinitive in verbs_written:
        for tense, forms in verbs_written[infinitive].items():
            out[tense] = forms
            depth[tense] = 99
    for n, _, end, rows in fits:
        stem = infinitive[:len(infinitive) - len(end)]
        for tense, forms in rows.items():
            if tense not in out:
                out[tense] = [re.sub(r"(^|/)-", lambda m: m.group(1) + stem, f) for f in forms]
                depth[tense] = n
    if "future" not in out:
        out["future"] = [infinitive]
    if any(t not in out for t in ("present", "preterite", "imperfect", "gerund", "participle")):
        return None
    if "subjunctive" not in out or depth["subjunctive"] < depth["present"]:
        stem = out["present"][0][:-1]
        out["subjunctive"] = [stem + x for x in (("e", "e", "emos", "em") if infinitive.endswith("ar")
                                                  else ("a", "a", "amos", "am"))]
    third = out["preterite"][3]
    stem = third[:-3]
    last = stem[-1]
    open_e = "ê" if out["preterite"][1].endswith("eu") and infinitive != "dar" else "é"
    accent = {"a": "á", "e": open_e, "i": "í", "í": "í", "o": "ô"}[last]
    out["past subjunctive"] = [stem + "sse", stem + "sse", stem[:-1] + accent + "ssemos", stem + "ssem"]
    base = third[:-2]
    plain = base[:-2] + "ir" if base.endswith("ír") else base
    out["future subjunctive"] = [plain, plain, plain + "mos", base + "em"]
    f = out["future"][0]
    out["future"] = [f + "ei", f + "á", f + "emos", f + "ão"]
    out["conditional"] = [f + "ia", f + "ia", f + "íamos", f + "iam"]
    out["imperative"] = out.pop("imperative", [out["subjunctive"][1]])
    out["participle"] = out["participle"][0].split("/")
    return out


# --- Reading -----------------------------------------------------------------------------------------------------

def read_conjugations(path):
    rows = None
    for where, line in lines_of(path):
        if line.startswith("pattern "):
            ending, _, verbs = line[8:].partition(":")
            ending = ending.strip()
            if not ending.startswith("-"):
                mistake(where, "a pattern begins with -")
            rows = {}
            patterns.append((ending[1:], set(verbs.split()) or None, rows, where))
            for v in verbs.split():
                if not v.endswith(ending[1:]):
                    mistake(where, f"{v} does not end in {ending}")
        elif line.startswith("verb "):
            rows = {}
            if line[5:] in verbs_written:
                mistake(where, f"{line[5:]} stands twice")
            verbs_written[line[5:]] = rows
        elif line.startswith("  ") and rows is not None:
            tense, *forms = line.split()
            if tense not in SIZES:
                mistake(where, f"no such tense: {tense}")
            elif len(forms) != SIZES[tense]:
                mistake(where, f"{tense} has {len(forms)} forms, not {SIZES[tense]}")
            else:
                rows[tense] = forms
        else:
            mistake(where, "neither a heading nor forms")


def read_classes(path):
    for where, line in lines_of(path):
        name, colon, members = line.strip().partition(":")
        if not colon:
            mistake(where, "expected class: member, member")
            continue
        if name in joined:
            mistake(where, f"class {name} stands twice")
        joined[name.strip()] = (where, [m.strip() for m in members.split(",") if m.strip()])


def read_ambiguous(path):
    language = word = None
    for where, line in lines_of(path):
        if not line.startswith(" "):
            language, _, word = line.partition(" ")
            if language not in ("english", "portuguese") or not word:
                mistake(where, "a heading here is english WORD or portuguese WORD")
            if any(a[1] == language and a[2] == word for a in ambiguous):
                mistake(where, f"{word} stands twice")
            continue
        m = re.match(r"^\s+(\w+) = ([^:]+?) : (.+)$", line)
        if not m or m.group(1) not in POS.values():
            mistake(where, "expected   part of speech = translation : words that decide")
            continue
        ambiguous.append((where, language, word, m.group(1), m.group(2),
                          [w.strip() for w in m.group(3).split(",")]))


def read_entries(path):
    heading = None
    for where, line in lines_of(path):
        if not line.startswith(" "):
            text, weight = take_weight(line)
            frame = re.findall(r"\[([^\]]*)\]", text)
            text = re.sub(r"\s*\[[^\]]*\]", "", text)
            text, features = take_features(text)
            words = text.split()
            if words[0] not in POS:
                mistake(where, f"no such part of speech: {words[0]}")
                heading = None
                continue
            if len(words) > 2:
                mistake(where, "a heading names a part of speech and one class")
            pos = POS[words[0]]
            cls = words[1] if len(words) > 1 else ""
            if pos in ("noun", "name") and not cls:
                mistake(where, "this heading needs a class")
            if pos in ("noun", "name") and cls:
                classes_at.setdefault(cls, where)
            for inside in frame:
                for c in inside.split(","):
                    frame_uses.append((where, c.strip()))
            for f in features:
                if f not in FEATURES[pos]:
                    mistake(where, f"no such feature of a {pos}: {f}")
            heading = (pos, cls, frame, features & FEATURES[pos], weight)
            continue
        if heading is None:
            mistake(where, "an entry without a heading")
            continue
        pos, cls, frame, features, weight = heading
        text, own = take_weight(line.strip())
        m = re.match(r"^(.+?) (=>|<=|=) (.+)$", text)
        if pos == "name" and not m:
            for name in text.split(","):
                entries.append(Entry(where, pos, cls, frame, features, name.strip(), "=", name.strip(), own or weight))
            continue
        if not m:
            mistake(where, "expected English = Portuguese")
            continue
        if "=" in m.group(3).replace("=>", ""):
            mistake(where, "two signs = in a line")
        entries.append(Entry(where, pos, cls, frame, features, m.group(1), m.group(2), m.group(3), own or weight))


# --- Checking -----------------------------------------------------------------------------------------------------

spell = {"en": collections.defaultdict(list), "pt": collections.defaultdict(list)}
forms_out = []
english_irregular = collections.defaultdict(list)
english_bases = collections.defaultdict(list)


def say_forms(e, en, pt):
    forms_out.append(f"{e.where}: {e.pos}: {' '.join(en)} = {' '.join(pt)}")


def look_up(e, side, *texts):
    if e.has(side, "foreign"):
        return
    for t in texts:
        for w in re.findall(r"[^\W\d_]+(?:[-'’.][^\W\d_]+)*", t):
            spell[side][w].append(e.where)


def slots_of(text):
    return [s.strip() for s in re.findall(r"\[([^\]]*)\]", text)]


def without_slots(text):
    return re.sub(r"\s+", " ", re.sub(r"\[[^\]]*\]", "", text)).strip()


def check_slots(e):
    kinds = []
    for side in (e.en, e.pt):
        found = []
        for inside in slots_of(side):
            option = inside.endswith("?")
            names = [n.strip() for n in inside.rstrip("?").split(",")]
            for n in names:
                if n not in SPECIAL:
                    frame_uses.append((e.where, n))
            found.append((tuple(sorted(SPECIAL.get(n, n) for n in names)), option))
        kinds.append(sorted(found))
    if kinds[0] != kinds[1]:
        mistake(e.where, f"the two sides take different things: {slots_of(e.en)} and {slots_of(e.pt)}")


def check_noun(e):
    """-> English head, Portuguese head"""
    en = e.en.split("/")
    if len(en) > 2:
        mistake(e.where, "an English noun has one plural")
    single = en[0]
    shown = single
    if single.startswith("the "):
        shown = single[4:]
    en_forms = [single]
    if e.has("en", "plural"):
        pass
    elif not e.has("en", "uncountable") and e.pos == "noun" and (len(en) > 1 or not e.has("en", "foreign")):
        en_forms.append(en[1] if len(en) > 1 else english_plural(shown))
        if len(en) > 1 and en[1] == english_plural(shown):
            mistake(e.where, f"the plural {en[1]} is regular")
    elif len(en) > 1:
        mistake(e.where, "an uncountable noun with a plural")
    look_up(e, "en", *en_forms)
    singular, _, plural = e.pt.partition("/")
    parts = [p.strip() for p in singular.split("|")]
    plurals = [p.strip() for p in plural.split("|")] if plural else []
    if len(parts) == 2 and parts[0] in ("o", "os"):
        parts[0] = parts[0] + " " + parts[1].partition(" ")[2]
    if len(plurals) == 2 and plurals[0] == "os":
        plurals[0] = "os " + plurals[1].partition(" ")[2]
    pt_forms = []
    heads = []
    no_article = e.has("pt", "no article") or e.has("pt", "masculine") or e.has("pt", "feminine")
    for i, part in enumerate(parts):
        article, _, rest = part.partition(" ")
        if article not in ("o", "a", "os", "as") or not rest:
            if no_article and len(parts) == 1:
                heads.append(part)
                pt_forms.append(part)
                continue
            mistake(e.where, f"an article is missing: {part}")
            heads.append(part)
            continue
        if len(parts) == 2 and article[0] != "oa"[i]:
            mistake(e.where, "masculine|feminine, in this order")
        heads.append(rest)
        pt_forms.append(part)
        if article in ("o", "a") and (plurals or not (e.has("pt", "uncountable") or e.has("pt", "foreign"))):
            if plurals:
                p = plurals[i] if i < len(plurals) else plurals[0]
                if p.partition(" ")[0] not in ("os", "as"):
                    mistake(e.where, f"an article is missing: {p}")
                elif p[0] != article[0]:
                    mistake(e.where, f"the plural has another gender: {p}")
                if p.partition(" ")[2] == portuguese_plural(rest) and len(plurals) == 1 and "-" not in rest:
                    mistake(e.where, f"the plural {p} is regular")
                pt_forms.append(p)
            else:
                if "-" in rest.split(" ")[0]:
                    mistake(e.where, f"write the plural of {rest}")
                pt_forms.append(article + "s " + portuguese_plural(rest))
        elif plurals and article in ("o", "a"):
            mistake(e.where, "an uncountable noun with a plural")
    look_up(e, "pt", *pt_forms)
    say_forms(e, en_forms, pt_forms)
    return shown, heads


def check_verb(e):
    en = without_slots(e.en)
    text = e.en
    if text.startswith("["):
        if not e.pt.startswith("["):
            mistake(e.where, "the subject stands first on both sides")
        text = text.partition("]")[2].strip()
    first, _, rest = text.partition(" ")
    base, *written = first.split("/")
    if written:
        english_irregular[base].append((written, e))
    english_bases[base].append(e)
    head = " ".join([base] + ([without_slots(rest)] if without_slots(rest) else []))
    look_up(e, "en", base, without_slots(rest))
    ptext = e.pt.partition("]")[2].strip() if e.pt.startswith("[") else e.pt
    ptext = without_slots(ptext)
    infinitive, _, prest = ptext.partition(" ")
    bare = infinitive[:-3] if infinitive.endswith("-se") else infinitive
    if not re.search(r"([aei]r|[pô]or|pôr)$", bare):
        mistake(e.where, f"not an infinitive: {infinitive}")
    else:
        forms = conjugate(bare)
        if forms is None:
            mistake(e.where, f"no conjugation fits {bare}")
        else:
            if "impersonal" in e.features | e.pt_features:
                kept = [f[1] if len(f) == 4 else f[0] for f in forms.values()]
            else:
                kept = [f for t in forms.values() for f in t]
            look_up(e, "pt", bare, prest, *kept)
            say_forms(e, [base], [bare, *(x for t in forms.values() for x in t)])
    check_slots(e)
    return head, [ptext]


def check_adjective(e):
    en = without_slots(e.en)
    degrees = en.split("/")
    if len(degrees) not in (1, 3):
        mistake(e.where, "degrees are written good/better/best")
    en_forms = list(degrees)
    if len(degrees) == 1 and not e.has("en", "absolute") and e.pos == "adjective":
        en_forms += english_degrees(en, e.has("en", "more")) or []
    look_up(e, "en", *en_forms)
    pt = without_slots(e.pt)
    prep = ""
    m = re.search(r"^(\S+) (com|de|em|por|para|a)$", pt)
    if m and "[" in e.pt:
        pt, prep = m.group(1), m.group(2)
    saved, e.pt = e.pt, pt
    pt_forms = portuguese_adjective(e)
    e.pt = saved
    look_up(e, "pt", *pt_forms, e.comparative, prep)
    say_forms(e, en_forms, pt_forms)
    check_slots(e)
    return degrees[0], [pt_forms[0] + (" " + prep if prep else "")]


def check_other(e):
    en, pt = without_slots(e.en), without_slots(e.pt)
    look_up(e, "pt" if e.cls == "portuguese" else "en", en)
    look_up(e, "en" if e.cls == "english" else "pt", pt, e.comparative)
    check_slots(e)
    head = re.split(r"[|/]", pt)[0]
    say_forms(e, [en], [pt])
    return en.split("/")[0].split("|")[0], [head]


def check_english_verbs():
    for base, used in english_bases.items():
        written = english_irregular.get(base, [])
        different = [w for i, (w, e) in enumerate(written) if w not in [v for v, _ in written[:i]]]
        if len(different) > 1 and len(written) != len(used):
            for e in used:
                if not any(e is w[1] for w in written):
                    mistake(e.where, f"there are two verbs {base}: write the forms of this one, too")
        for forms, e in written:
            if forms == english_verb(base, [])[:len(forms)]:
                mistake(e.where, f"the forms of {base} are regular")
        for forms in different or [[]]:
            derived = [] if base == "be" else english_verb(base, forms)
            for f in derived:
                look_up(used[0], "en", f)
            forms_out.append(f"{used[0].where}: english verb: {base} {' '.join(derived)}")


def check_duplicates():
    seen = {}
    for e in entries:
        if e.pos in ("contraction",):
            continue
        sides = []
        if e.arrow in ("=", "=>"):
            sides.append("en")
        if e.arrow in ("=", "<="):
            sides.append("pt")
        for side in sides:
            if e.pos in ("verb", "auxiliary"):
                text = e.en if side == "en" else e.pt
                text = re.sub(r"/[^\[]*(?=\[|$)" if e.pos == "auxiliary" else r"/\S+", "", text)
                key = (side, e.pos, "impersonal" in e.features | e.en_features, re.sub(r"\s*\[", " [", text).strip())
            else:
                word = e.en_head if side == "en" else e.pt_heads[0]
                kind = ""
                if e.pos in ("determiner", "pronoun"):
                    kind = sorted(e.en_features if side == "en" else e.en_features | e.pt_features)
                elif e.pos == "preposition":
                    kind = slots_of(e.en if side == "en" else e.pt)
                key = (side, e.pos, e.cls, str(kind), word)
            if key in seen:
                mistake(e.where, f"{key[-1]} stands in {seen[key]}, too, in the same part of speech and class")
            else:
                seen[key] = e.where
    lines = {}
    for e in entries:
        key = (e.pos, e.cls, e.en, e.pt)
        if key in lines:
            mistake(e.where, f"the same as {lines[key]}")
        lines[key] = e.where


def check_classes():
    for name, (where, members) in joined.items():
        if name in classes_at:
            mistake(where, f"{name} is a heading in {classes_at[name]} and joins classes here")
        if len(set(members)) != len(members):
            mistake(where, "a member stands twice")
        for m in members:
            if m not in classes_at and m not in joined:
                mistake(where, f"no such class: {m}")
    for where, c in frame_uses:
        c = c.rstrip("?")
        if c not in classes_at and c not in joined and c not in SPECIAL:
            mistake(where, f"no such class: {c}")

    def inside(name, path=()):
        if name in path:
            mistake(joined[name][0], f"class {name} contains itself")
            return set()
        if name not in joined:
            return {name}
        return set().union(*(inside(m, path + (name,)) for m in joined[name][1]))
    reach = set()
    for name in joined:
        reach |= inside(name)
    for c, where in classes_at.items():
        if c not in reach:
            mistake(where, f"class {c} belongs to no class in classes.txt")


def check_ambiguous():
    words = {"english": set(), "portuguese": set()}
    senses = set()
    for e in entries:
        words["english"].add(e.en_head)
        words["english"] |= {w for f in e.en.split("/") for w in [without_slots(f)]}
        words["portuguese"] |= set(e.pt_heads)
        if e.pos == "verb":
            words["english"].add(e.en_head.split(" ")[0])
            words["portuguese"].add(e.pt_heads[0].split(" ")[0])
        for p in e.pt_heads:
            senses.add((e.pos, e.en_head, p))
            if e.pos == "verb":
                senses.add((e.pos, e.en_head.split(" ")[0], p.split(" ")[0]))
                senses.add((e.pos, e.en_head, p.split(" ")[0]))
    marked = {}
    for where, language, word, pos, sense, context in ambiguous:
        marked.setdefault((language, word), []).append(where)
        plain = re.sub(r"^(o|a|os|as) ", "", re.split(r"[|]", sense)[-1])
        found = (pos, word, plain) in senses if language == "english" else (pos, plain, word) in senses
        if not found and pos == "verb":
            english, portuguese = (word, plain) if language == "english" else (plain, word)
            found = (pos, english.split(" ")[0], portuguese.split(" ")[0]) in senses
        if not found:
            mistake(where, f"the lexicon has no {pos} {word} = {sense}")
        for w in context:
            if w not in words[language]:
                mistake(where, f"not in the lexicon: {w}")
    for (language, word), at in marked.items():
        if len(at) < 2:
            mistake(at[0], f"{word} has only one meaning here")
    meanings = {"english": collections.defaultdict(dict), "portuguese": collections.defaultdict(dict)}
    for e in entries:
        if e.pos != "noun":
            continue
        if e.arrow in ("=", "=>"):
            meanings["english"][e.en_head].setdefault(e.pt_heads[-1], e.where)
        if e.arrow in ("=", "<="):
            for p in set(e.pt_heads[:1]):
                meanings["portuguese"][p].setdefault(e.en_head, e.where)
    for language, by_word in meanings.items():
        for word, found in by_word.items():
            if len(found) > 1 and (language, word) not in marked:
                mistake(list(found.values())[-1], f"{language} {word} stands for {' and '.join(found)}: "
                        "write in ambiguous.txt what decides")
    figures["ambiguous words"] = len(marked)


def hunspell(dictionary, words):
    if not words or shutil.which("hunspell") is None:
        return None
    asked = subprocess.run(["hunspell", "-d", dictionary, "-l"], input="\n".join(words) + "\n", text=True,
                           capture_output=True, encoding="utf-8")
    if asked.returncode != 0:
        return None
    return set(asked.stdout.split("\n")) & set(words)


def check_spelling():
    english = hunspell("en_US", sorted(spell["en"]))
    portuguese = hunspell("pt_BR", sorted(spell["pt"]))
    if english is None:
        print("spelling of English: skipped (no hunspell, or no dictionary en_US)")
    else:
        for w in sorted(english):
            mistake(spell["en"][w][0], f"not an English word: {w}")
    if portuguese is None:
        print("spelling of Portuguese: skipped (no hunspell, or no dictionary pt_BR)")
    else:
        also_english = hunspell("en_US", sorted(portuguese)) if portuguese else set()
        for w in sorted(portuguese):
            kind = "an English word" if also_english is not None and w not in also_english else "not a Portuguese word"
            mistake(spell["pt"][w][0], f"{kind}: {w}")


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    folders = [a for a in sys.argv[1:] if not a.startswith("--")]
    folder = pathlib.Path(folders[0]) if folders else pathlib.Path(__file__).parents[2] / "assets" / "lexicon"
    for path in sorted(folder.glob("*.txt")):
        reader = {"conjugations.txt": read_conjugations, "classes.txt": read_classes,
                  "ambiguous.txt": read_ambiguous}.get(path.name, read_entries)
        reader(path)
    checkers = {"noun": check_noun, "verb": check_verb, "auxiliary": check_other, "adjective": check_adjective}
    for e in entries:
        e.en_head, e.pt_heads = checkers.get(e.pos, check_other)(e)
    check_english_verbs()
    check_duplicates()
    check_classes()
    check_ambiguous()
    check_spelling()
    used = {re.split(r"\s", without_slots(e.pt))[0].replace("-se", "") for e in entries if e.pos in ("verb", "auxiliary")}
    for v in verbs_written:
        if v not in used:
            mistake("conjugations.txt", f"no verb of the lexicon is {v}")
    for ending, verbs, rows, where in patterns:
        for v in sorted(verbs or ()):
            if v not in used:
                mistake(where, f"no verb of the lexicon is {v}")
    if "--forms" in options:
        print("\n".join(forms_out))
    for m in mistakes:
        if "--unknown" not in options or " word: " in m:
            print(m)
    en, pt = collections.defaultdict(set), collections.defaultdict(set)
    for e in entries:
        if e.pos == "contraction":
            continue
        en[e.pos].add(e.en_head)
        pt[e.pos] |= {e.pt_heads[0]}
    print(f"{'':14}{'English':>9}{'Portuguese':>12}")
    for pos in sorted(en, key=lambda p: -len(en[p])):
        print(f"{pos:14}{len(en[pos]):9}{len(pt[pos]):12}")
    print(f"{'lemmas':14}{sum(map(len, en.values())):9}{sum(map(len, pt.values())):12}")
    print(f"{'without names':14}{sum(len(v) for k, v in en.items() if k != 'name'):9}"
          f"{sum(len(v) for k, v in pt.items() if k != 'name'):12}")
    print(f"{len(entries)} entries, {len(classes_at)} classes of nouns, {len(joined)} that join classes, "
          f"{figures['ambiguous words']} ambiguous words, "
          f"{len(verbs_written)} verbs and {len(patterns)} patterns in conjugations.txt")
    if mistakes:
        print(f"{len(mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
