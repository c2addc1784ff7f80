#!/usr/bin/env python3
"""Holds the opinions (assets/opinions/*.tsv) to their rules and prints their figures.

    python3 tests/scripts/check_opinions.py [FOLDER] [--show N]

Rules, each an error with file and line:
  - a line is text<TAB>positive or text<TAB>negative, without blanks at the ends or two in a row
  - 4 to 25 words; a capital first, a full stop, question or exclamation mark last
  - no text twice, however it is written, and none under both labels
  - labels balanced: 45 to 55 % positive in each file; at least 900 lines in English, 600 in Portuguese
  - at most 3 % near-duplicates: two lines of one label that differ by one word. Two of different labels that
    differ by one word are minimal pairs; they are wanted, and counted
  - a count of words does not suffice: at most 90 % right, when each tenth is judged by the words of the others
  - spelled as the dictionaries have it, but for the words of allowed.txt (needs the program hunspell with en_US and
    pt_BR; else this rule is skipped, and it says so)

Exit status 0: no error. --show N prints N near-duplicates (20 unless told).
"""
import argparse
import collections
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
LABELS = ("positive", "negative")
FILES = {"english.tsv": (900, "en_US"), "portuguese.tsv": (600, "pt_BR")}
SHORTEST, LONGEST, NEAR_LIMIT, COUNTING_LIMIT = 4, 25, 0.03, 0.90


def words(text):
    return [w.lower() for w in WORD.findall(text)]


def tokens(text):
    return re.findall(r"\w+(?:['’-]\w+)*", text.lower())


def one_word_apart(texts):
    """Pairs of texts of which one becomes the other by changing, adding or taking away one word."""
    found, seen = set(), collections.defaultdict(list)
    split = [tuple(tokens(t)) for t in texts]
    for index, text in enumerate(split):
        for place in range(len(text)):
            seen[(text[:place], text[place + 1:], "changed")].append(index)
        seen[(text, "whole")].append(index)
    for index, text in enumerate(split):
        for place in range(len(text)):
            for other in seen[(text[:place], text[place + 1:], "changed")]:
                if other < index:
                    found.add((other, index))
            for other in seen.get((text[:place] + text[place + 1:], "whole"), ()):
                found.add((min(other, index), max(other, index)))
    return sorted(found)


def counting_words(rows):
    """How many are right when one counts words: naive Bayes on tenths of the file, each learnt from the others."""
    right = 0
    for tenth in range(10):
        counts = {label: collections.Counter() for label in LABELS}
        for index, (_, text, label) in enumerate(rows):
            if 10 * index // len(rows) != tenth:
                counts[label].update(set(tokens(text)))
        for index, (_, text, label) in enumerate(rows):
            if 10 * index // len(rows) == tenth:
                score = sum(math.log((counts["positive"][w] + 1) / (counts["negative"][w] + 1))
                            for w in set(tokens(text)))
                right += (score > 0) == (label == "positive")
    return right / len(rows)


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", nargs="?", type=pathlib.Path,
                     default=pathlib.Path(__file__).resolve().parent.parent.parent / "assets" / "opinions")
    ask.add_argument("--show", type=int, default=20)
    given = ask.parse_args()
    errors = []
    extra = given.folder / "allowed.txt"
    may = set()
    if extra.exists():
        for line in extra.read_text(encoding="utf-8").splitlines():
            may.update(words(line) if not line.startswith("#") else ())

    for name, (atleast, dictionary) in FILES.items():
        rows, seen = [], {}

        def wrong(number, what):
            errors.append(f"{name}:{number}: {what}")

        for number, line in enumerate((given.folder / name).read_text(encoding="utf-8").splitlines(), 1):
            columns = line.split("\t")
            if len(columns) != 2 or columns[1] not in LABELS:
                wrong(number, f"not text<TAB>positive or negative: {line}")
                continue
            text, label = columns
            if text != text.strip() or "  " in text:
                wrong(number, f"blanks too many: {text}")
            if not SHORTEST <= len(tokens(text)) <= LONGEST:
                wrong(number, f"{len(tokens(text))} words, not {SHORTEST} to {LONGEST}: {text}")
            if not text[:1].isupper() or text[-1:] not in ".!?":
                wrong(number, f"no capital or no full stop: {text}")
            key = tuple(tokens(text))
            if key in seen:
                wrong(number, f"stands in line {seen[key]} already: {text}")
            seen[key] = number
            rows.append((number, text, label))

        if len(rows) < atleast:
            errors.append(f"{name}: {len(rows)} lines, not {atleast}")
        if not rows:
            continue
        positive = sum(label == "positive" for _, _, label in rows)
        if not 0.45 <= positive / len(rows) <= 0.55:
            errors.append(f"{name}: {positive} of {len(rows)} are positive")
        counts = [len(tokens(text)) for _, text, _ in rows]

        apart = one_word_apart([text for _, text, _ in rows])
        near = [(a, b) for a, b in apart if rows[a][2] == rows[b][2]]
        pairs = len(apart) - len(near)
        if len(near) > NEAR_LIMIT * len(rows):
            for a, b in near[:given.show]:
                wrong(rows[b][0], f"near line {rows[a][0]}: {rows[b][1]}")

        counted = counting_words(rows)
        if counted > COUNTING_LIMIT:
            errors.append(f"{name}: counting words is {100 * counted:.0f} % right")

        if not shutil.which("hunspell"):
            print("hunspell is not installed: spelling not looked at")
        else:
            run = subprocess.run(["hunspell", "-d", dictionary, "-i", "utf-8", "-l"],
                                 input="\n".join(text for _, text, _ in rows), text=True, encoding="utf-8",
                                 capture_output=True, check=False)
            if run.returncode:
                print(f"hunspell has no {dictionary}: spelling not looked at")
            else:
                for word, times in collections.Counter(run.stdout.split()).most_common():
                    if not all(w in may for w in words(word)):
                        errors.append(f"{name}: not in the dictionary or allowed.txt: {word} ({times} times)")

        vocabulary = collections.Counter(w for _, text, _ in rows for w in words(text))
        no = re.compile(r"\b(?:not|no|never|nothing|nobody|neither|nor|none|hardly|without|\w+n['’]t|"
                        r"não|nem|nunca|nada|ninguém|nenhum|nenhuma|sem|mal)\b", re.I)
        but = re.compile(r"\b(?:but|although|though|yet|in spite|mas|embora|apesar|mesmo)\b", re.I)
        print(f"{name}: {len(rows)} lines, {positive} positive, {min(counts)} to {max(counts)} words (median "
              f"{statistics.median(counts):.0f}), {len(vocabulary)} different words")
        print(f"  {sum(bool(no.search(t)) for _, t, _ in rows)} with a negation, "
              f"{sum(bool(but.search(t)) for _, t, _ in rows)} with a contrast, {pairs} minimal pairs, "
              f"{len(near)} near-duplicates; counting words is {100 * counted:.0f} % right")

    for error in errors:
        print(error, file=sys.stderr)
    print(f"{len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
