#!/usr/bin/env python3
"""Trains a model folder on in PyTorch and hands it back.

    python3 tests/scripts/train_in_pytorch.py DIR OUT --pairs FILE.tsv [--steps N] [--batch N] [--rate R] [--seed N]

DIR is a model folder; OUT is made, and `headlight --model OUT` opens it. A line of FILE is a source, a tab,
and a target. Every hundredth step prints the loss. PyTorch drops not only what the paper drops (the output of
each sublayer, the embeddings) but attention weights and hidden units too, so that dropout bites a little
harder here.
"""

import argparse
import random

import torch

from headlight_torch import load_model, load_tokenizers, save_model


def read_pairs(path, config, tokenizers):
    """[(source, goal)], ids that end in </s>."""
    def encode(text, tokenizer):
        return tokenizer.encode(text) + [config["eos_id"]]
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if line.strip()]
    return [tuple(encode(text, tokenizer) for text, tokenizer in zip(line, tokenizers)) for line in lines]


def make_batch(pairs, config):
    """(source, target, goal), each padded to its longest; the target is the goal shifted right behind <s>."""
    def padded(sequences):
        length = max(map(len, sequences))
        return torch.tensor([ids + [config["pad_id"]] * (length - len(ids)) for ids in sequences])
    sources, goals = zip(*pairs)
    return padded(sources), padded([[config["bos_id"]] + goal[:-1] for goal in goals]), padded(goals)


def train_on(model, pairs, steps, batch_size=16, rate=1e-3, seed=1, report=lambda step, loss: None):
    torch.manual_seed(seed)
    draw = random.Random(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98), eps=1e-9)
    model.train()
    for step in range(1, steps + 1):
        source, target, goal = make_batch(draw.choices(pairs, k=batch_size), model.config)
        optimizer.zero_grad()
        loss = model.loss(source, target, goal)
        loss.backward()
        optimizer.step()
        report(step, loss.item())
    model.eval()


def main():
    parser = argparse.ArgumentParser(description="Trains a model folder on in PyTorch and hands it back.")
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--pairs", required=True)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    model = load_model(options.folder)
    pairs = read_pairs(options.pairs, model.config, load_tokenizers(options.folder))

    def report(step, loss):
        if step % 100 == 0 or step == options.steps:
            print(f"step {step}  loss {loss:.4f}", flush=True)

    train_on(model, pairs, options.steps, options.batch, options.rate, options.seed, report)
    save_model(model, options.out, tokenizers_from=options.folder)


if __name__ == "__main__":
    main()
