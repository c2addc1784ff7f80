#!/usr/bin/env python3
"""Holds the stories (assets/stories/*.txt) to their rules and prints their figures.

    python3 tests/scripts/check_stories.py [FOLDER] [--tidy] [--show N]

Rules, each an error with file and line:
  - english-*.txt and portuguese-*.txt: a story is a title line "# Title", then paragraphs, one a line,
    blank lines between them and between stories
  - a story has 60 to 150 words without its title, and at least two paragraphs
  - no title twice in a language, no paragraph of more than four words twice, no story twice
  - quotation marks come in pairs (English: straight ones; Portuguese: also a dash at a line's beginning)
  - at most 3 % of the stories of a language are near another (half of their word triples are the same)
  - at least 400 stories in English, 150 in Portuguese
  - spelled as the dictionaries have it, but for names and the words of allowed.txt and the names of the lexicon
    (needs the program hunspell with en_US and pt_BR; else this rule is skipped, and it says so)
  - openings-*.txt, in English: behind a line "# theme" a text a line, of 20 to 50 words; straight quotation
    marks, in pairs; a full stop; none twice; spelled likewise; at least 10,000
  - recombined.txt: 20 of each kind of drawn story keep the length and the quotation marks

--tidy writes the files anew, with the blank lines where they belong. Exit status 0: no error.
"""
import argparse
import collections
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
SHORTEST, LONGEST, NEAR_LIMIT = 60, 150, 0.03
SHORTEST_OPENING, LONGEST_OPENING, OPENINGS = 20, 50, 10_000
ATLEAST = {"english": 400, "portuguese": 150}
DICTIONARY = {"english": "en_US", "portuguese": "pt_BR"}


def tidy(path):
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    path.write_text("\n\n".join(line for line in lines if line) + "\n", encoding="utf-8")


def read(path):
    """The stories of a file: (line number, title, paragraphs)."""
    stories = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            stories.append((number, line[1:].strip(), []))
        elif line.strip():
            if not stories:
                yield number, None, [line]
                return
            stories[-1][2].append(line)
    yield from stories


def words(text):
    return [w.lower() for w in WORD.findall(text)]


def length(paragraphs):
    return sum(len(re.findall(r"\w+(?:['’-]\w+)*", p)) for p in paragraphs)


def triples(paragraphs):
    w = words(" ".join(paragraphs))
    return set(zip(w, w[1:], w[2:]))


def quotes_in_pairs(paragraphs):
    return all(p.count('"') % 2 == 0 for p in paragraphs)


def allowed(folder):
    """The words of allowed.txt and the names of the lexicon, in lower case."""
    found = set()
    for path in (folder / "allowed.txt", folder.parent / "lexicon" / "names.txt"):
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                if not line.lstrip().startswith(("#", "names")):
                    found.update(words(line))
    return found


def known(word, may):
    return all(re.sub("['’]s$", "", w) in may for w in words(word))


def misspelled(text, dictionary):
    run = subprocess.run(["hunspell", "-d", dictionary, "-i", "utf-8", "-l"], input=text, text=True,
                         encoding="utf-8", capture_output=True, check=False)
    return None if run.returncode else collections.Counter(run.stdout.split())


def check_openings(folder, may, wrong, errors):
    seen, texts = {}, []
    for path in sorted(folder.glob("openings-*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("#") and number == 1:
                continue
            if line != line.strip() or not line or line.startswith("#"):
                wrong(path, number, "a text a line, behind the first line with the theme")
                continue
            if not SHORTEST_OPENING <= length([line]) <= LONGEST_OPENING:
                wrong(path, number, f"{length([line])} words, not {SHORTEST_OPENING} to {LONGEST_OPENING}: {line}")
            if not quotes_in_pairs([line]) or re.search("[“”‘’—–…]", line):
                wrong(path, number, f"quotation marks: straight, in pairs; no long dashes: {line}")
            if line[-1] not in '.!?"':
                wrong(path, number, f"no full stop: {line}")
            if line in seen:
                wrong(path, number, f"stands at {seen[line]} already: {line}")
            seen[line] = f"{path.name}:{number}"
            texts.append(line)
    if len(texts) < OPENINGS:
        errors.append(f"openings: {len(texts)}, not {OPENINGS}")
    if shutil.which("hunspell"):
        for word, times in (misspelled("\n".join(texts), "en_US") or collections.Counter()).most_common():
            if not known(word, may):
                errors.append(f"openings: not in the dictionary or allowed.txt: {word} ({times} times)")
    begun = len({tuple(words(text)[:3]) for text in texts})
    print(f"openings: {len(texts)}, {sum(map(lambda text: length([text]), texts))} words, {begun} begin differently")


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("folder", nargs="?", default=HERE.parent.parent / "assets" / "stories", type=pathlib.Path)
    ask.add_argument("--tidy", action="store_true")
    ask.add_argument("--show", type=int, default=20)
    given = ask.parse_args()
    errors = []

    def wrong(path, line, what):
        errors.append(f"{path.name}:{line}: {what}")

    may = allowed(given.folder)
    for language, atleast in ATLEAST.items():
        everything, titles, seen = [], {}, {}
        for path in sorted(given.folder.glob(language + "-*.txt")):
            if given.tidy:
                tidy(path)
            raw = path.read_text(encoding="utf-8").splitlines()
            for number, line in enumerate(raw, 1):
                if line != line.strip() or "  " in line or "\t" in line:
                    wrong(path, number, "blanks too many")
                if number > 1 and bool(line) == bool(raw[number - 2]):
                    wrong(path, number, "between two paragraphs stands one blank line (--tidy does it)")
            for number, title, paragraphs in read(path):
                if title is None:
                    wrong(path, number, "text before the first title")
                    continue
                if title.lower() in titles:
                    wrong(path, number, f"title stands at {titles[title.lower()]} already: {title}")
                titles[title.lower()] = f"{path.name}:{number}"
                count = length(paragraphs)
                if not SHORTEST <= count <= LONGEST:
                    wrong(path, number, f"{count} words, not {SHORTEST} to {LONGEST}: {title}")
                if len(paragraphs) < 2:
                    wrong(path, number, f"a single paragraph: {title}")
                if not quotes_in_pairs(paragraphs):
                    wrong(path, number, f"a quotation mark is missing: {title}")
                for paragraph in paragraphs:
                    if len(words(paragraph)) > 4:
                        if paragraph in seen:
                            wrong(path, number, f"the paragraph stands in {seen[paragraph]} already: {paragraph}")
                        seen[paragraph] = title
                    if paragraph[-1] not in ".!?:\"…":
                        wrong(path, number, f"no full stop: {paragraph}")
                everything.append((path, number, title, paragraphs))
        if len(everything) < atleast:
            errors.append(f"{language}: {len(everything)} stories, not {atleast}")
        if not everything:
            continue

        sets = [triples(s[3]) for s in everything]
        where = collections.defaultdict(list)
        for index, found in enumerate(sets):
            for triple in found:
                where[triple].append(index)
        near = []
        for index, found in enumerate(sets):
            shared = collections.Counter(i for t in found for i in where[t] if i < index)
            near += [(i, index) for i, n in shared.items() if n > 0.5 * min(len(found), len(sets[i]))]
        if len(near) > NEAR_LIMIT * len(everything):
            for a, b in near[:given.show]:
                wrong(everything[b][0], everything[b][1], f"near {everything[a][2]}: {everything[b][2]}")

        if not shutil.which("hunspell"):
            print("hunspell is not installed: spelling not looked at")
        else:
            text = "\n".join([s[2] for s in everything] + [p for s in everything for p in s[3]])
            found = misspelled(text, DICTIONARY[language])
            if found is None:
                print(f"hunspell has no {DICTIONARY[language]}: spelling not looked at")
            else:
                for word, times in found.most_common():
                    if not known(word, may):
                        errors.append(f"{language}: not in the dictionary or allowed.txt: {word} ({times} times)")

        counts = [length(s[3]) for s in everything]
        vocabulary = collections.Counter(w for s in everything for p in s[3] for w in words(p))
        total = sum(vocabulary.values())
        rare = sum(n for n in vocabulary.values() if n < 3)
        talk = sum(any('"' in p or p.startswith("—") for p in s[3]) for s in everything)
        print(f"{language}: {len(everything)} stories in {len(set(s[0] for s in everything))} files, {total} words, "
              f"{min(counts)} to {max(counts)} (median {statistics.median(counts):.0f}) a story")
        print(f"  {len(vocabulary)} different words, {100 * rare / total:.1f} % of the text is words that occur "
              f"once or twice; {talk} stories with talk; {len(near)} near another")

    check_openings(given.folder, may, wrong, errors)

    grammar = given.folder / "recombined.txt"
    if grammar.exists():
        import draw_stories
        try:
            drawn = draw_stories.Grammar(grammar)
        except draw_stories.Mistake as mistake:
            errors.append(str(mistake))
        else:
            texts = set()
            for name in drawn.skeletons:
                for seed in range(20):
                    story = drawn.draw(f"{name} {seed}", name)
                    title, *paragraphs = [line for line in story.split("\n") if line]
                    texts.add(story)
                    count = length(paragraphs)
                    if not SHORTEST <= count <= LONGEST:
                        errors.append(f"{grammar.name}: story {name} drawn with {count} words")
                        break
                    if not quotes_in_pairs(paragraphs) or "{" in story or "  " in story:
                        errors.append(f"{grammar.name}: story {name}: quotation marks, braces or blanks:\n{story}")
                        break
            if shutil.which("hunspell"):
                for word, times in (misspelled("\n".join(sorted(texts)), "en_US") or {}).items():
                    if not known(word, may):
                        errors.append(f"{grammar.name}: not in the dictionary or allowed.txt: {word}")
            print(f"recombined: {len(drawn.skeletons)} skeletons, {len(drawn.lists)} lists of "
                  f"{sum(map(len, drawn.lists.values()))} entries; of {20 * len(drawn.skeletons)} drawn stories "
                  f"{len(texts)} are different")

    for error in errors:
        print(error, file=sys.stderr)
    print(f"{len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
