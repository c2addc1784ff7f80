#!/usr/bin/env python3
"""Holds the READMEs, CONTRIBUTING.md and CHANGELOG.md to what is there.

    python3 tests/scripts/check_documents.py

Rules, each an error with file and line:
  - a link that is no web address leads to a file, and to a heading of it where it names one
  - a file that is named in code (`app/ui/window/host.cpp`, or seen from the document's own folder) is there; names
    with a placeholder (NAME, XX, STRINGS, *, …) are left alone
  - README.md has at most 9,000 characters
  - a walk through the code that says how many files it is has so many

Exit status 0: no error.
"""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = [TOP / "README.md", TOP / "CONTRIBUTING.md", TOP / "CHANGELOG.md",
             *(TOP / folder / "README.md" for folder in ("app", "engine", "tests", "third_party", "assets")),
             *sorted((TOP / "assets").glob("*/README*.md"))]
LONGEST_README = 9000  # characters
FILE = re.compile(r"[\w.-]+(?:/[\w.-]+)*\.(?:h|cpp|frag|vert|py|sh|cmake|md|txt|json|tsv|js|in)")
PLACEHOLDER = re.compile(r"NAME|XX|NN|STRINGS|FILE|[*…]")
# What the program writes, or an example of it, is no file of ours.
WRITTEN = re.compile(r"^(my-|something|[^/]*\.(json|tsv|txt|py|jsonl)$)")
NUMBERS = {"Fifteen": 15, "Sixteen": 16, "Seventeen": 17, "Eighteen": 18, "Nineteen": 19, "Twenty": 20,
           "Twenty-one": 21, "Twenty-two": 22, "Twenty-three": 23, "Twenty-four": 24}

mistakes = []


def mistake(document, line, text):
    mistakes.append(f"{document.relative_to(TOP)}:{line}: {text}")


def anchors(document):
    heads = re.findall(r"^#+ (.*)$", document.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def check_link(document, line, target):
    if re.match(r"[a-z]+:", target):
        return
    path, _, anchor = target.partition("#")
    there = (document.parent / path).resolve() if path else document
    if not there.exists():
        mistake(document, line, f"there is no {target}")
    elif anchor and anchor not in anchors(there):
        mistake(document, line, f"{path or 'it'} has no heading #{anchor}")


def check_file(document, line, name):
    if PLACEHOLDER.search(name) or not FILE.fullmatch(name) or WRITTEN.match(name):
        return
    places = (TOP, document.parent, document.parent.parent)
    if any((place / name).exists() for place in places):
        return
    # “`heads_parts.h`” is one of that name, wherever its folder is.
    tops = (TOP / top for top in ("app", "engine", "tests", "third_party", "package", "assets"))
    if "/" not in name and any(any(top.rglob(name)) for top in tops):
        return
    mistake(document, line, f"there is no file {name}")


def check_walk(document, text):
    for head in re.finditer(r"^## .*, all the way$", text, re.M):
        part = text[head.end():].split("\n## ")[0]
        said = re.search(r"\b(" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + r") files\b", part)
        steps = re.findall(r"(?:^|→ )(\d+)\. `", part, re.M)
        line = text[:head.start()].count("\n") + 1
        if not said:
            mistake(document, line, "the walk does not say how many files it is")
        elif [int(step) for step in steps] != list(range(1, NUMBERS[said[1]] + 1)):
            mistake(document, line, f"the walk says {said[1]} files, and has {len(steps)}")


for document in DOCUMENTS:
    text = document.read_text()
    if document == TOP / "README.md" and len(text) > LONGEST_README:
        mistake(document, 1, f"{len(text)} characters, more than {LONGEST_README}")
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        is_code = is_code != line.startswith("```")
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if not is_code:
                check_link(document, number, target)
        for name in re.findall(r"`([^`\s]+)`", line):
            check_file(document, number, name)
    check_walk(document, text)

print(*mistakes, sep="\n") if mistakes else None
print(f"{len(DOCUMENTS)} documents, {len(mistakes)} errors")
sys.exit(1 if mistakes else 0)
