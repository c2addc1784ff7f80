#!/usr/bin/env python3
"""Draws stories from the skeletons of assets/stories/recombined.txt, whose head explains the notation.

    python3 tests/scripts/draw_stories.py [N] [--seed S] [--story NAME] [--grammar FILE]

Prints N stories (10 unless told), each a title line "# Title" and paragraphs, no two alike: the same form as the
files beside the grammar. The same seed draws the same stories. A mistake in the grammar is told with its line.
"""
import argparse
import pathlib
import random
import re
import sys

GRAMMAR = pathlib.Path(__file__).resolve().parent.parent.parent / "assets" / "stories" / "recombined.txt"
PRONOUNS = {"he": ("he", "him", "his", "himself"), "she": ("she", "her", "her", "herself"),
            "it": ("it", "it", "its", "itself")}
FORMS = {form: place for place, form in enumerate(PRONOUNS["he"])}
ARTICLE = re.compile(r"^(?:an?|the|some) ")
SLOT = re.compile(r"\{([^{}]*)\}")
CHOICE = re.compile(r"\[([^\[\]]*)\]")


class Mistake(Exception):
    pass


class Entry:
    def __init__(self, text, pronoun, columns):
        self.text, self.pronoun, self.columns = text, pronoun, columns


class Grammar:
    def __init__(self, path=GRAMMAR):
        self.path = path
        self.lists, self.skeletons, self.lines = {}, {}, {}
        entries = skeleton = None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            if not line.startswith(" "):
                head = re.fullmatch(r"list (\w+)(?: \((he|she|it)\))?((?: \| \w+)*)", line)
                if head:
                    name, pronoun, columns = head.groups()
                    self.new(name, self.lists, number)
                    pronoun, columns = pronoun or "it", columns.split(" | ")[1:]
                    entries, skeleton = self.lists.setdefault(name, []), None
                elif re.fullmatch(r"story [\w-]+", line):
                    name = line.split()[1]
                    self.new(name, self.skeletons, number)
                    entries, skeleton = None, self.skeletons.setdefault(name, [])
                else:
                    raise Mistake(f"{path.name}:{number}: neither 'list name' nor 'story name': {line}")
            elif skeleton is not None:
                skeleton.append((number, line.strip()))
            elif entries is not None:
                self.entry(entries, line.strip(), pronoun, columns, number)
            else:
                raise Mistake(f"{path.name}:{number}: belongs to no list and no story")
        for name in self.skeletons:             # every slot is looked at once, so that a mistake shows at once
            for seed in range(8):
                self.draw(seed, name)

    def new(self, name, among, number):
        if name in among:
            raise Mistake(f"{self.path.name}:{number}: {name} stands twice")

    def entry(self, entries, line, pronoun, columns, number):
        if line.startswith("+ "):
            if line[2:] not in self.lists:
                raise Mistake(f"{self.path.name}:{number}: no list {line[2:]} before this line")
            entries += self.lists[line[2:]]
            return
        text, *cells = [cell.strip() for cell in line.split(" | ")]
        if len(cells) != len(columns):
            raise Mistake(f"{self.path.name}:{number}: {len(cells)} columns, not {len(columns)}: {line}")
        own = re.fullmatch(r"(.*) \((he|she|it)\)", text)
        if own:
            text, pronoun = own.groups()
        entries.append(Entry(text, pronoun, dict(zip(columns, cells))))

    def draw(self, seed, name=None):
        chance = random.Random(seed)
        if name is None:
            name = chance.choice(sorted(self.skeletons))
        elif name not in self.skeletons:
            raise Mistake(f"{self.path.name}: no story {name}")
        bound = {}
        # First come all slots that draw, also those behind the first use of their pronoun.
        for number, line in self.skeletons[name]:
            for inside in SLOT.findall(line):
                if "=" in inside:
                    self.bind(inside, bound, chance, number)
        filled = [self.fill(line, bound, chance, number) for number, line in self.skeletons[name]]
        return "# " + filled[0] + "\n\n" + "\n\n".join(filled[1:]) + "\n"

    def bind(self, inside, bound, chance, number):
        left, name = inside.split("=")
        name = name.lower()
        key = left.split(".")
        key = (key[0] if len(key) == 2 and key[0].lower() not in ("the", "bare") else key[-1]).lower()
        if name not in self.lists:
            raise Mistake(f"{self.path.name}:{number}: no list {name}")
        taken = [e.text for e in bound.values()]
        free = [e for e in self.lists[name] if e.text not in taken]
        if key not in bound:
            bound[key] = chance.choice(free)

    def fill(self, line, bound, chance, number):
        while CHOICE.search(line):
            line = CHOICE.sub(lambda m: chance.choice(m[1].split("|")), line, count=1)
        for _ in range(3):                      # an entry may itself hold slots
            if not SLOT.search(line):
                break
            line = SLOT.sub(lambda m: self.say(m[1], bound, number), line)
        # A sentence begins with a capital letter, whatever was drawn there.
        return re.sub(r'(^"?|[.!?]"? "?)([a-z])', self.raise_first, line) if number else line

    @staticmethod
    def raise_first(match):
        # After a question or exclamation inside talk, the sentence goes on: '"Why?" asked Tom.'
        if '" ' in match[1] and not match[1].endswith('"'):
            return match[0]
        return match[1] + match[2].upper()

    def say(self, inside, bound, number):
        left, _, listed = inside.partition("=")
        big = left[:1].isupper() or listed[:1].isupper()
        parts = left.lower().split(".")

        def of(key):
            if key not in bound:
                raise Mistake(f"{self.path.name}:{number}: nothing was drawn for {{{inside}}}")
            return bound[key]

        if len(parts) == 1 and parts[0] in FORMS and parts[0] not in bound:
            persons = [e for e in bound.values() if e.pronoun != "it"]
            if not persons:
                raise Mistake(f"{self.path.name}:{number}: nobody for {{{inside}}}")
            said = PRONOUNS[persons[0].pronoun][FORMS[parts[0]]]
        elif len(parts) == 1:
            said = of(parts[0]).text
        elif len(parts) == 2 and parts[0] in FORMS:
            said = PRONOUNS[of(parts[1]).pronoun][FORMS[parts[0]]]
        elif len(parts) == 2 and parts[1] in FORMS:
            said = PRONOUNS[of(parts[0]).pronoun][FORMS[parts[1]]]
        elif len(parts) == 2 and parts[0] == "bare":
            said = ARTICLE.sub("", of(parts[1]).text)
        elif len(parts) == 2 and parts[0] == "the":
            said = ARTICLE.sub("the ", of(parts[1]).text)
        elif len(parts) == 2 and parts[1] in of(parts[0]).columns:
            said = of(parts[0]).columns[parts[1]]
        else:
            raise Mistake(f"{self.path.name}:{number}: what is {{{inside}}}?")
        return said[:1].upper() + said[1:] if big else said


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("count", nargs="?", type=int, default=10)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--story")
    ask.add_argument("--grammar", type=pathlib.Path, default=GRAMMAR)
    given = ask.parse_args()
    try:
        grammar = Grammar(given.grammar)
        seen, tries = set(), 0
        while len(seen) < given.count and tries < 100 * given.count:
            story = grammar.draw(f"{given.seed} {tries}", given.story)
            tries += 1
            if story not in seen:
                if seen:
                    print()
                print(story, end="")
                seen.add(story)
    except Mistake as mistake:
        print(mistake, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
