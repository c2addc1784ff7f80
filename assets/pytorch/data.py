"""Sentence pairs: read, cut into tokens, and put into batches as a model is fed."""

import json
import os
import re
import unicodedata

import torch

from folders import read_json


# --- files ----------------------------------------------------------------------------------------------------------


def read_pairs(path):
    """[(source, target)]: of FILE.tsv a line is `source TAB target`, of FILE.jsonl `["source", "target"]`."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip()]
    if path.endswith(".jsonl"):
        return [tuple(json.loads(line)) for line in lines]
    pairs = [tuple(line.split("\t")) for line in lines]
    for number, pair in enumerate(pairs, start=1):
        if len(pair) != 2:
            raise SystemExit(f"{path}:{number}: not `source TAB target`")
    return pairs


# --- tokens ---------------------------------------------------------------------------------------------------------


class Tokenizer:
    """A tokenizer.json as Headlight writes it: whole words, characters, or byte pairs. For any other file there is
    `tokenizers.Tokenizer.from_file` of Hugging Face."""

    def __init__(self, path):
        file = read_json(path)
        self.model, self.normalizer, self.splitter = file["model"], file["normalizer"], file["pre_tokenizer"]
        self.ids = dict(self.model["vocab"])  # token → id
        self.ids.update((added["content"], added["id"]) for added in file["added_tokens"])
        self.tokens = {id: token for token, id in self.ids.items()}
        self.special = {added["id"] for added in file["added_tokens"] if added["special"]}
        self.by_bytes = self.model["type"] == "BPE"
        if self.by_bytes:
            pairs = (merge.split(" ") if isinstance(merge, str) else merge for merge in self.model["merges"])
            self.rank = {tuple(pair): rank for rank, pair in enumerate(pairs)}
        prepended = [step["prepend"] for step in self.normalizing() if step["type"] == "Prepend"]
        self.before = "".join(prepended)  # what the text itself does not have
        self.joined_by = "" if (file.get("decoder") or {}).get("type") == "Fuse" else " "

    def encode(self, text):
        """Ids of the text's tokens, without <s> and </s>."""
        pieces = self.split(self.normalize(text))
        if self.by_bytes:
            pieces = [token for piece in pieces for token in self.merge(piece)]
        unknown = self.ids.get(self.model.get("unk_token"))
        return [self.ids.get(piece, unknown) for piece in pieces]

    def decode(self, ids):
        tokens = [self.tokens[id] for id in ids if id not in self.special]
        if not self.by_bytes:
            return self.joined_by.join(tokens)
        byte_of = {sign: byte for byte, sign in BYTE_SIGNS.items()}
        text = bytes(byte_of[sign] for sign in "".join(tokens)).decode("utf-8", errors="replace")
        return text.removeprefix(self.before)

    def normalizing(self):
        return (self.normalizer or {}).get("normalizers", [self.normalizer] if self.normalizer else [])

    def normalize(self, text):
        for step in self.normalizing():
            if step["type"] == "NFC":
                text = unicodedata.normalize("NFC", text)
            if step["type"] == "Lowercase":
                text = text.lower()
            if step["type"] == "Replace":
                text = text.replace(step["pattern"]["String"], step["content"])
            if step["type"] == "Prepend" and text:
                text = step["prepend"] + text
        return text

    def split(self, text):
        if self.by_bytes:  # GPT-2's words, each with the blank before it, and their bytes as visible signs
            words = re.findall(r"'(?:[stmd]|re|ve|ll)| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+", text)
            return ["".join(BYTE_SIGNS[byte] for byte in word.encode()) for word in words]
        if self.splitter["type"] == "WhitespaceSplit":
            return text.split()
        return re.findall(self.splitter["pattern"]["Regex"], text)

    def merge(self, piece):
        """Byte pairs: again and again the two neighbours that were merged earliest when the merges were learnt."""
        parts = list(piece)
        while len(parts) > 1:
            ranks = [self.rank.get(pair, len(self.rank)) for pair in zip(parts, parts[1:])]
            first = min(ranks)
            if first == len(self.rank):
                break
            at = ranks.index(first)
            parts[at:at + 2] = [parts[at] + parts[at + 1]]
        return parts


def byte_signs():
    """byte → a letter that can be seen: itself where it can, else one of those from 256 on (as GPT-2 has it)"""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return {**{byte: chr(byte) for byte in seen}, **{byte: chr(256 + i) for i, byte in enumerate(hidden)}}


BYTE_SIGNS = byte_signs()


def load_tokenizers(folder):
    """(of what is read, of what is written): the same twice where one serves both"""
    shared = os.path.join(folder, "tokenizer.json")
    if os.path.exists(shared):
        return (Tokenizer(shared),) * 2
    return tuple(Tokenizer(os.path.join(folder, f"tokenizer_{side}.json")) for side in ("source", "target"))


# --- pairs as ids ---------------------------------------------------------------------------------------------------


def encode(pairs, config, tokenizers, task):
    """[(source, goal, given)]: ids to read, ids to say, and how many of these are only a given beginning. What is too
    long for the model is left out."""
    read, write = tokenizers
    architecture, eos = config["architecture"], [config["eos_id"]]
    end = eos if task["target_ends"] else []
    encoded = []
    for source, target in pairs:
        if architecture == "decoder-only":  # goes on with the source
            beginning = read.encode(source)
            pair = [], beginning + write.encode(target) + end, len(beginning)
        elif config.get("head") == "classes":
            pair = read.encode(source) + eos, [config["labels"].index(target)], 0
        else:
            pair = read.encode(source) + eos, write.encode(target) + end, 0
            if architecture == "encoder-only" and len(pair[0]) != len(pair[1]):
                raise SystemExit(f"{source!r} is read in {len(pair[0])} tokens and answered in {len(pair[1])}: a word "
                                 "that is cut into pieces has one answer; `headlight train` knows which")
        if max(len(pair[0]), len(pair[1])) <= config["max_length"]:
            encoded.append(pair)
    return encoded


def make_batch(pairs, config, task, device):
    """(what the model is fed, goal [n, T], counts [n, T], is_answer [n, T]). The goal is padding where it has no part
    in the loss; `counts` is true where a token is judged, `is_answer` where it is no given beginning."""
    pad, architecture = config["pad_id"], config["architecture"]

    def rows(sequences, filler=pad):
        longest = max(map(len, sequences))
        return torch.tensor([list(ids) + [filler] * (longest - len(ids)) for ids in sequences], device=device)

    sources, goals, givens = zip(*pairs)
    is_answer = rows([[False] * given + [True] * (len(goal) - given) for goal, given in zip(goals, givens)], False)
    counts = rows([[True] * len(goal) for goal in goals], False) if task["beginning_counts"] else is_answer
    goal = rows(goals)
    if architecture == "encoder-only":
        return (rows(sources),), goal, counts, is_answer
    target = rows([[config["bos_id"], *goal[:-1]] for goal in goals])  # one behind: teacher forcing
    goal = goal.masked_fill(~counts, pad)
    fed = (target,) if architecture == "decoder-only" else (rows(sources), target)
    return fed, goal, counts, is_answer
