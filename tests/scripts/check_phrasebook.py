#!/usr/bin/env python3
"""Holds the phrasebook (assets/phrasebook/*.tsv) to its rules and prints its figures.

    python3 tests/scripts/check_phrasebook.py [FOLDER] [--show N]

Rules, each an error with file and line:
  - a line has two or three columns, none empty, no blanks at the ends; the third is ">" or "<"
  - no pair stands twice; no English sentence twice among the lines read from English to
    Portuguese (no mark, or ">"), no Portuguese one twice among those read the other way
    (no mark, or "<")
  - both sides end in the same punctuation mark, and both begin in a capital or neither does
  - both sides are spelled as the dictionaries have it, but for the words of allowed.txt
    (needs the program hunspell with en_US and pt_BR; else this rule is skipped, and it says so);
    so an English word on the Portuguese side is found
  - at most 3 % of the lines are near another: English sentences that differ by one word
    whose Portuguese differs by one word or none

Exit status 0: no error. --show N prints N near lines (20 unless told).
"""
import argparse
import collections
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import unicodedata

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
CLOSERS = "\"'”’)"
NEAR_LIMIT = 0.03


def words(sentence):
    return [w.lower() for w in WORD.findall(sentence)]


def tokens(sentence):
    return re.findall(r"\w+(?:['’-]\w+)*", sentence.lower())


def last_mark(sentence):
    bare = sentence.rstrip(CLOSERS)
    return bare[-1] if bare and not bare[-1].isalnum() else ""


def first_is_capital(sentence):
    for c in sentence:
        if c.isalpha():
            return c.isupper()
        if c.isdigit():
            return True
    return True


def read_allowed(path):
    """Sections [english], [portuguese], [both]; one or more words a line; # begins a comment."""
    allowed = {"english": set(), "portuguese": set()}
    sections = ()
    if not path.exists():
        return allowed
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            name = line.strip("[]")
            sections = ("english", "portuguese") if name == "both" else (name,)
            for s in sections:
                if s not in allowed:
                    sys.exit(f"{path.name}: no section of the name [{name}]")
        else:
            for s in sections:
                allowed[s].update(w.lower() for w in line.split())
    return allowed


def has_hunspell():
    if not shutil.which("hunspell"):
        return False
    out = subprocess.run(["hunspell", "-D"], input="", capture_output=True, text=True)
    listed = out.stdout + out.stderr
    return all(re.search(rf"/{name}\b", listed) for name in ("en_US", "pt_BR"))


def misspelled(found, language):
    run = subprocess.run(["hunspell", "-i", "utf-8", "-d", language, "-l"],
                         input="\n".join(sorted(found)) + "\n",
                         capture_output=True, text=True, encoding="utf-8")
    return {w.strip() for w in run.stdout.splitlines()}


def near_lines(pairs):
    """Lines whose English becomes another line's by one word changed, left out or put in,
    while the Portuguese does so too or is the same."""
    def keys(tok):
        for i in range(len(tok)):
            yield tuple(tok[:i]) + ("*",) + tuple(tok[i + 1:])
        for i in range(len(tok) + 1):
            yield tuple(tok[:i]) + ("*",) + tuple(tok[i:])

    by_english = collections.defaultdict(list)
    for n, p in enumerate(pairs):
        for k in set(keys(p["en_tok"])):
            by_english[k].append(n)
    found = {}
    for group in by_english.values():
        if len(group) < 2:
            continue
        for a in group:
            for b in group:
                if a >= b or b in found:
                    continue
                pa, pb = pairs[a], pairs[b]
                # A word put in on one side and another put in on the other is two changes.
                if abs(len(pa["en_tok"]) - len(pb["en_tok"])) > 1 or pa["en_tok"] == pb["en_tok"]:
                    continue
                if min(len(pa["en_tok"]), len(pb["en_tok"])) < 3:
                    continue  # "Me too." and "You too." are idioms, not a template
                if pa["pt_tok"] == pb["pt_tok"] and (pa["mark"] or pb["mark"]):
                    continue  # a marked second way of saying the same
                if pa["pt_tok"] == pb["pt_tok"] or set(keys(pa["pt_tok"])) & set(keys(pb["pt_tok"])):
                    found[b] = a
    return found


def main():
    arguments = argparse.ArgumentParser()
    root = pathlib.Path(__file__).resolve().parents[2]
    arguments.add_argument("folder", nargs="?", default=root / "assets" / "phrasebook")
    arguments.add_argument("--show", type=int, default=20)
    given = arguments.parse_args()
    folder = pathlib.Path(given.folder)
    files = sorted(folder.glob("*.tsv"))
    if not files:
        sys.exit(f"{folder}: no .tsv file")

    errors = []
    pairs = []
    for path in files:
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            where = f"{path.name}:{number}"
            if not line.strip() or line.startswith("#"):
                continue
            columns = line.split("\t")
            if len(columns) not in (2, 3):
                errors.append(f"{where}: {len(columns)} columns, not two or three")
                continue
            mark = columns[2] if len(columns) == 3 else ""
            if mark not in ("", "<", ">") or (len(columns) == 3 and not mark):
                errors.append(f"{where}: the third column is '{mark}', neither < nor >")
                continue
            english, portuguese = columns[:2]
            for side in (english, portuguese):
                if not side.strip() or side != side.strip() or "  " in side:
                    errors.append(f"{where}: an empty side, or blanks too many")
                if unicodedata.normalize("NFC", side) != side:
                    errors.append(f"{where}: letters and accents apart (not NFC)")
                if re.search("[‘’“”]", side):
                    errors.append(f"{where}: curly quotation marks or apostrophes; write ' and \"")
            if last_mark(english) != last_mark(portuguese):
                errors.append(f"{where}: ends in '{last_mark(english)}' and '{last_mark(portuguese)}': {english} | {portuguese}")
            if first_is_capital(english) != first_is_capital(portuguese):
                errors.append(f"{where}: one side begins in a capital, the other does not: {english} | {portuguese}")
            pairs.append({"where": where, "theme": path.stem, "en": english, "pt": portuguese, "mark": mark,
                          "en_tok": tokens(english), "pt_tok": tokens(portuguese)})

    seen_pair, seen_english, seen_portuguese = {}, {}, {}
    for p in pairs:
        pair = (tuple(p["en_tok"]), last_mark(p["en"]), tuple(p["pt_tok"]))
        if pair in seen_pair:
            errors.append(f"{p['where']}: this pair stands in {seen_pair[pair]}: {p['en']}")
            continue
        seen_pair[pair] = p["where"]
        if p["mark"] != "<":
            key = (tuple(p["en_tok"]), last_mark(p["en"]))
            if key in seen_english:
                errors.append(f"{p['where']}: this English stands in {seen_english[key]}, mark one '<': {p['en']}")
            else:
                seen_english[key] = p["where"]
        if p["mark"] != ">":
            key = (tuple(p["pt_tok"]), last_mark(p["pt"]))
            if key in seen_portuguese:
                errors.append(f"{p['where']}: this Portuguese stands in {seen_portuguese[key]}, mark one '>': {p['pt']}")
            else:
                seen_portuguese[key] = p["where"]

    allowed = read_allowed(folder / "allowed.txt")
    if has_hunspell():
        for side, name, language in (("en", "english", "en_US"), ("pt", "portuguese", "pt_BR")):
            found = collections.defaultdict(list)
            for p in pairs:
                for w in WORD.findall(p[side]):
                    found[w].append(p)
            # A word is wrong if it is unknown as it stands, in small letters and with a capital.
            unknown = misspelled({form(w) for w in found for form in (str, str.lower, str.capitalize)}, language)
            for w in sorted(found):
                if {w, w.lower(), w.capitalize()} <= unknown and w.lower() not in allowed[name]:
                    p = found[w][0]
                    errors.append(f"{p['where']}: '{w}' is no {name} word (in allowed.txt? {len(found[w])} times): {p[side]}")
    else:
        print("spelling: skipped (hunspell with en_US and pt_BR is not there)")

    near = near_lines(pairs)
    share = len(near) / max(1, len(pairs))
    if share > NEAR_LIMIT:
        errors.append(f"{len(near)} lines ({100 * share:.1f} %) are near another; at most {100 * NEAR_LIMIT:.0f} %")

    themes = collections.Counter(p["theme"] for p in pairs)
    print(f"pairs: {len(pairs)} in {len(themes)} themes; both ways {sum(not p['mark'] for p in pairs)}, "
          f"> {sum(p['mark'] == '>' for p in pairs)}, < {sum(p['mark'] == '<' for p in pairs)}")
    for side, name in (("en", "English"), ("pt", "Portuguese")):
        count = collections.Counter(w for p in pairs for w in words(p[side]))
        lengths = [len(p[side + "_tok"]) for p in pairs]
        print(f"{name}: {len(count)} distinct words, {sum(count.values())} in all; "
              f"once {sum(c == 1 for c in count.values())}, three times or more {sum(c >= 3 for c in count.values())}; "
              f"words a sentence: median {statistics.median(lengths):g}, mean {statistics.mean(lengths):.1f}, "
              f"longest {max(lengths)}")
    ends = collections.Counter(last_mark(p["en"]) for p in pairs)
    print("ends: " + ", ".join(f"'{m}' {c}" for m, c in ends.most_common()))
    print("themes: " + ", ".join(f"{t} {c}" for t, c in sorted(themes.items())))
    print(f"near another: {len(near)} ({100 * share:.1f} %)")
    for b, a in list(sorted(near.items()))[:given.show]:
        print(f"  {pairs[b]['where']} {pairs[b]['en']} | near {pairs[a]['where']} {pairs[a]['en']}")
    for e in errors:
        print(e)
    print(f"errors: {len(errors)}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
