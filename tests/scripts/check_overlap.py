#!/usr/bin/env python3
"""Holds the data that models are trained on apart from the sentences that they are asked in trials.

    python3 tests/scripts/check_overlap.py [--add FILE.tsv COLUMN ...]

tests/data/asked_sentences.txt has a hash of each asked sentence (without case and marks), not the sentence, so
that nobody who writes data reads it. No line of the phrasebook or of the opinions, and no paragraph of a story,
may be one of them, nor any grammar's whole line; no opening may begin as one does that a model is to go on with.
--add writes the hashes of a column (from 0) of a file into it.

Exit status 0: none stands there.
"""
import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASKED = ROOT / "tests/data/asked_sentences.txt"


def digest(sentence):
    words = re.sub(r"\s+", " ", re.sub(r"[^\w\s]", " ", sentence.lower().replace("-", " "))).strip()
    return hashlib.sha256(words.encode()).hexdigest()[:16] if words else None


SHORTEST, LONGEST = 4, 14  # words of a beginning that is asked


def beginnings(line):
    words = line.split()
    for count in range(SHORTEST, min(LONGEST, len(words)) + 1):
        yield " ".join(words[:count])


def add(file, column):
    asked = set(ASKED.read_text().split()) if ASKED.exists() else set()
    for line in open(file, encoding="utf-8"):
        columns = line.rstrip("\n").split("\t")
        if column < len(columns):
            asked.add(digest(columns[column]))
    asked.discard(None)
    ASKED.write_text("\n".join(sorted(asked)) + "\n")


def main():
    if sys.argv[1:2] == ["--add"]:
        for file, column in zip(sys.argv[2::2], sys.argv[3::2]):
            add(file, int(column))
        return 0
    asked = set(ASKED.read_text().split())
    faults = lines = 0
    for folder in ("phrasebook", "opinions", "stories", "lexicon", "grammars"):
        for file in sorted((ROOT / "assets" / folder).glob("*.t*")):
            for number, line in enumerate(open(file, encoding="utf-8"), 1):
                lines += 1
                texts = beginnings(line) if file.name.startswith("openings-") else line.rstrip("\n").split("\t")[:2]
                for text in texts:
                    if digest(text) in asked:
                        print(f"{file.relative_to(ROOT)}:{number}: is asked in trials: take it out")
                        faults += 1
    print(f"lines: {lines}, asked sentences: {len(asked)}, errors: {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
