#!/usr/bin/env python3
"""Checks the program against PyTorch on recurrent models, there and back.

    python3 tests/scripts/check_recurrent_with_pytorch.py HEADLIGHT [DIR …]

There: `headlight trace` of each folder, the logits compared with PyTorch's, and the states of each step by their
own names. And back: each is trained on in PyTorch for a few steps and saved; the program must open it and compute
the new weights' logits. Without DIR the folders are recurrent_* of tests/data/pytorch. Exit status 77 where there
is no PyTorch.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

try:
    import torch
except ImportError:
    print("skipped: PyTorch is not installed for", sys.executable)
    sys.exit(77)

from headlight_recurrent_torch import load_recurrent
from headlight_torch import load_tokenizers, read_safetensors, save_model

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOLERANCE = 1e-4


def words_of(tokenizer):
    return [word for word in tokenizer.ids if not word.startswith("<") and word.strip()]


def trace(program, folder, scratch, text, target):
    """(values, ids as they were fed: those read, if any, and those written)"""
    out = os.path.join(scratch, "trace.safetensors")
    result = subprocess.run([program, "trace", "--model", folder, "--text", text, "--target", target, "--out", out],
                            capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(f"{folder}: exit status {result.returncode}: {result.stderr.strip()}")
    values, metadata = read_safetensors(out)
    fed = [torch.tensor([ids]) for ids in (json.loads(metadata.get(side + "_ids", "[]"))
                                           for side in ("source", "target")) if ids]
    return values, fed


def check_logits(program, folder, scratch, text, target):
    values, fed = trace(program, folder, scratch, text, target)
    model = load_recurrent(folder)
    with torch.no_grad():
        theirs = model(*fed)[0]
        if hasattr(model, "rnn"):
            hidden = model.rnn(model.target_embedding(fed[0]))[0][0]
            last = model.config["num_layers"] - 1
            for t, state in enumerate(hidden):
                off = (values[f"rnn.{last}.{t}.hidden"] - state).abs().max().item()
                assert off <= TOLERANCE, f"{folder}: rnn.{last}.{t}.hidden is {off:.3g} off"
    difference = (values["output.logits"] - theirs).abs().max().item()
    if not difference <= TOLERANCE:
        raise AssertionError(f"{folder}: logits of {text!r} are {difference:.3g} off")
    return difference, fed


def check_folder(program, folder, scratch):
    source, target = (words_of(tokenizer) for tokenizer in load_tokenizers(folder))
    text, answer = " ".join((source * 3)[:3] + ["zzyzx"]), " ".join((target * 4)[1:4])
    worst, fed = check_logits(program, folder, scratch, text, answer)
    model = load_recurrent(folder).train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9)
    for _ in range(5):
        optimizer.zero_grad()
        model.loss(*fed, torch.ones_like(fed[-1])).backward()
        optimizer.step()
    back = os.path.join(scratch, "back")
    save_model(model.eval(), back, tokenizers_from=folder)
    worst = max(worst, check_logits(program, back, scratch, text, answer)[0])
    for name in os.listdir(back):
        os.remove(os.path.join(back, name))
    print(f"agrees: {os.path.relpath(folder, ROOT)}, there and back; worst {worst:.3g}")


def main(arguments):
    if not arguments:
        print("usage: check_recurrent_with_pytorch.py HEADLIGHT [DIR …]", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    program, *folders = arguments
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for folder in folders or sorted(glob.glob(os.path.join(ROOT, "tests/data/pytorch/recurrent_*"))):
            try:
                check_folder(program, folder, scratch)
            except AssertionError as error:
                failed += 1
                print(f"DISAGREES: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
