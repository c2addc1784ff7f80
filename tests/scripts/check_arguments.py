#!/usr/bin/env python3
"""Whatever somebody writes after the program's name, it ends, and says why.

    python3 tests/scripts/check_arguments.py HEADLIGHT [--lists N] [--seed S] [--memory MEGABYTES]

Commands and options are those that --help tells, so that a new one is here by itself; values are what they ask for,
and what nobody would write: numbers out of every range, texts that are no UTF-8, folders for files, pipes, 100,000
characters. Of each list: status 0, 1 or 2 within 20 seconds (a training that has no end is stopped after some), one
line of a reason where it is not 0, in both languages, and no file beside what was asked for. Half of the lists
that draw nothing get so little memory that it runs out: that is a line, too. Some lists in every run; --lists 5000, or HEADLIGHT_SOAK=1,
all of them. A program under sanitizers takes --memory 0, because theirs is the address space, and --patience 120.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ASSETS = os.path.join(ROOT, "assets")
SOAKS = "HEADLIGHT_SOAK" in os.environ

NUMBERS = ["0", "1", "2", "3", "-1", "-0", "1.5", "0.5", "1e308", "-1e308", "1e-320", "nan", "inf", "0x10", "007", "+1",
           "4096", "65535", "65536", "2147483648", "9223372036854775807", "9223372036854775808", "1e999",
           "99999999999999999999", "1,2", "1, 2", ",", "1;2", "½", "٣"]
TEXTS = ["", " ", "a", "i am fine", "the animal did not cross the street", "?", "🐈", "e\u0301", "\udcff", "\udcc3",
         "a" * 100_000, "a b " * 3000, "\t", "line\nline", "\x1b[31m", "--", "-", "-h", "--help", "%s%n", "$HOME", "*",
         "'", '"', "[a,b]", "{}", "a=b", "--steps=3"]
NAMES = ["copy", "reverse", "en-pt", "sentiment", "next-word", "gloss", "recall", "translate-en-pt", "tiny", "small",
         "transformer", "rnn", "lstm", "gru", "rnn-attention", "words", "characters", "bpe", "post", "pre", "batch", "relu",
         "gelu", "sinusoidal", "learned", "none", "source", "target", "light", "dark", "en", "pt", "attention",
         "encoder.0.self_attn.weights", "output.logits", "card", "page", "canvas"]
LIKELY = {"--model": "copy", "--text": "a b c", "--task": "copy", "--preset": "tiny", "--out": "out", "--pairs": "pairs.tsv",
          "--script": "script", "--from": os.path.join(ASSETS, "models", "copy"), "--step": "output.logits"}
NEEDED = {"train": ["--task", "--out"], "translate": ["--model"], "trace": ["--model", "--text", "--out"],
          "evaluate": ["--model", "--pairs"], "tokenize": ["--model"], "export": ["--model", "--text", "--out"],
          "render": ["--script"], "race": ["--task", "--out"], "bench train": ["--preset"]}
# What a list ends with, because the last one counts: nobody waits for a training of its own length.
ENDINGS = {"train": ["--steps", "2"], "pairs": ["--drawn", "2"], "race": ["--steps", "2", "--seeds", "1"]}
SECONDS = {"bench train", "bench cost", "bench frame", "bench live", "bench day"}
ROUNDS = {"bench open", "bench decode"}


class Program:
    def __init__(self, path, patience):
        self.path, self.patience = os.path.abspath(path), patience

    def run(self, arguments, folder, memory):
        """Status, standard output and error; None for a status: it did not end."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))

        environment = {name: value for name, value in os.environ.items()
                       if name not in ("DISPLAY", "WAYLAND_DISPLAY", "HEADLIGHT_SOAK")}
        environment.update(LC_ALL="C", HOME=os.path.join(folder, "home"), HEADLIGHT_ASSETS=ASSETS)
        process = subprocess.Popen([self.path, *[os.fsencode(argument) for argument in arguments]], cwd=folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment, preexec_fn=limit)
        for share, then in ((0.4, signal.SIGINT), (0.6, signal.SIGKILL)):
            try:
                out, err = process.communicate(timeout=share * self.patience)
                was_stopped = share > 0.5 and process.returncode == -signal.SIGINT  # nothing was to be kept
                return "stopped" if was_stopped else process.returncode, out, err
            except subprocess.TimeoutExpired:
                process.send_signal(then)
        process.communicate()
        return None, b"", b""


def commands_of(program, folder):
    """Command → its options, each with what it calls its value, "" for none, by what --help tells."""
    found = {}

    def look(words):
        _, out, _ = program.run([*words, "--help"], folder, 0)
        text = out.decode()
        options = re.findall(r"^  (?:-\w,)?(--[\w-]+)( \S.*?)?(?:  |$)", text, re.M)
        found[" ".join(words)] = {name: value.strip() for name, value in options if name != "--help"}
        listed = text.split("\nCommands:\n")
        if len(listed) > 1:
            for word in re.findall(r"^  ([a-z]\S*)", listed[1].split("\n\n")[0], re.M):
                look([*words, word])

    look([])
    return found


class Writer:
    """Lists of arguments, the same for the same seed."""
    def __init__(self, commands, seed):
        self.commands, self.random = commands, random.Random(seed)
        self.files = ["missing", "folder", "empty", "noise", "pairs.tsv", "fifo", "/dev/null", "/dev/full", "/", ".", "..",
                      "folder/new", "empty/new", "/proc/self/mem", "x" * 300, os.path.join(ASSETS, "models", "copy"),
                      os.path.join(ASSETS, "lessons", "03-attention-without-parameters.en.md"),
                      os.path.join(ASSETS, "models", "copy", "model.safetensors"),
                      os.path.join(ASSETS, "models", "copy", "config.json"), "out", "out/model", "out.svg", "out.pdf", "script"]

    def fitting(self, name, metavar):
        """A value that somebody might have meant."""
        if "|" in metavar:
            return self.random.choice(metavar.split("|"))
        if name in LIKELY:
            return LIKELY[name]
        return {"N": "2", "K": "2", "F": "0.5", "S": "0.05", "DIR": "copy", "N,N,…": "2,3", "F,F,…": "0.01",
                "PATH": "output.logits"}.get(metavar, "out.svg" if metavar.startswith("FILE") else "a b")

    def value(self):
        kind = self.random.choice([NUMBERS, NUMBERS, TEXTS, NAMES, NAMES, self.files, self.files])
        return self.random.choice(kind)

    def list(self):
        r = self.random
        command = r.choice(list(self.commands))
        options = self.commands[command]
        words = command.split()
        if r.random() < 0.05:
            words = [r.choice([self.value(), *self.commands])]
        if options and r.random() < 0.7:  # what it cannot do without, mostly
            for name in NEEDED.get(command, []):
                words += [name, LIKELY[name]]
        for name in r.sample(sorted(options), min(len(options), r.randint(0, 7))):
            joins = r.random() < 0.2
            value = self.fitting(name, options[name]) if r.random() < 0.75 else self.value()
            if not options[name]:
                words.append(name)
            elif r.random() < 0.05:
                words.append(name)  # its value is missing
            else:
                words += [name + "=" + value] if joins else [name, value]
        for _ in range(r.choice([0, 0, 0, 0, 1, 3])):
            words.insert(r.randint(0, len(words)), r.choice([self.value(), "--" + r.choice(NAMES), "-x", "--", "--langauge"]))
        words += ENDINGS.get(command, [])
        words += ["--seconds", "0.05"] if command in SECONDS else ["--rounds", "1"] if command in ROUNDS else []
        return [word.replace("\0", "") for word in words]


def draws(arguments):
    """OpenGL without a graphics card does not survive that its memory runs out."""
    first = arguments[0] if arguments else ""
    return first not in ("train", "translate", "trace", "evaluate", "tokenize", "pairs", "race", "lesson")


def make_folder(place):
    os.makedirs(os.path.join(place, "folder"))
    os.makedirs(os.path.join(place, "home"))
    open(os.path.join(place, "empty"), "w").close()
    with open(os.path.join(place, "noise"), "wb") as file:
        file.write(random.Random(1).randbytes(5000))
    with open(os.path.join(place, "pairs.tsv"), "w") as file:
        file.writelines(f"{a} {b}\t{b} {a}\n" for a in "abcdefgh" for b in "ijklmnop")
    with open(os.path.join(place, "script"), "w") as file:
        file.write("model copy\nsource abc\nstep +1\n")
    os.mkfifo(os.path.join(place, "fifo"))


def fault_of(program, arguments, memory):
    """What is wrong with how it ended; "" when nothing is."""
    with tempfile.TemporaryDirectory() as outer:
        folder = os.path.join(outer, "here")
        make_folder(folder)
        status, out, err = program.run(arguments, folder, memory)
        if os.listdir(outer) != ["here"]:
            return "it wrote beside its folder", status
    if status is None:
        return f"it did not end in {program.patience:.0f} s", status
    text = err.decode(errors="replace")
    if status not in (0, 1, 2, "stopped") or "Sanitizer" in text or "runtime error" in text or "terminate called" in text:
        return f"it ended with {status}: {text[-4000:]}", status
    lines = text.splitlines()
    if status in (1, 2) and not (lines and lines[-1].startswith("headlight: ") and len(lines[-1]) < 5000):
        return f"it ended with {status} and no reason: {text[-400:]!r}", status
    if any("error." in line and re.search(r"\berror\.[a-z_]+$", line) for line in lines):
        return f"a sentence is missing: {text[-400:]!r}", status
    return "", status


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--lists", type=int, default=5000 if SOAKS else 120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=700, help="megabytes of address space of every second list")
    parser.add_argument("--patience", type=float, default=20, help="seconds until it hangs; in 40 %% of them it is to end by itself")
    asked = parser.parse_args()
    program = Program(asked.program, asked.patience)
    place = tempfile.mkdtemp()
    try:
        make_folder(os.path.join(place, "here"))
        writer = Writer(commands_of(program, os.path.join(place, "here")), asked.seed)
    finally:
        shutil.rmtree(place)
    assert len(writer.commands) > 10, writer.commands
    lists = [writer.list() for _ in range(asked.lists)]
    memories = [asked.memory if i % 2 and not draws(one) else 0 for i, one in enumerate(lists)]
    statuses, found = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for arguments, memory, (fault, status) in zip(
                lists, memories, pool.map(lambda a, m: fault_of(program, a, m), lists, memories)):
            statuses[status] += 1
            if fault:
                found += 1
                print([word if len(word) < 200 else word[:20] + f"… ({len(word)})" for word in arguments],
                      f"with {memory} MB:" if memory else ":", fault, flush=True)
    print(f"{asked.lists} lists of arguments:", ", ".join(f"{n} ended with {s}" for s, n in sorted(statuses.items(), key=str)))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
