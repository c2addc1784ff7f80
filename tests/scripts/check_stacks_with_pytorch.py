#!/usr/bin/env python3
"""Checks the program against PyTorch on models of one stack, there and back.

    python3 tests/scripts/check_stacks_with_pytorch.py HEADLIGHT [DIR …]

There: `headlight trace` of each folder, the logits compared with PyTorch's. And back: each is trained on in
PyTorch for a few steps and saved; the program must open it and compute the new weights' logits. Without DIR the
folders are stack_* of tests/data/pytorch and the shipped models of one stack. Exit status 77 where there is no
PyTorch.
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

from headlight_stack_torch import load_stack
from headlight_torch import load_tokenizers, read_json, read_safetensors, save_model

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOLERANCE = 1e-4


def trace(program, folder, scratch, text):
    """(values, ids as they were fed)"""
    out = os.path.join(scratch, "trace.safetensors")
    result = subprocess.run([program, "trace", "--model", folder, "--text", text, "--out", out],
                            capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(f"{folder}: exit status {result.returncode}: {result.stderr.strip()}")
    values, metadata = read_safetensors(out)
    writes = read_json(os.path.join(folder, "config.json"))["architecture"] == "decoder-only"
    tokens = json.loads(metadata["target_tokens" if writes else "source_tokens"])
    return values, torch.tensor([[load_tokenizers(folder)[0].ids[token] for token in tokens]])


def check_logits(program, folder, scratch, text):
    values, ids = trace(program, folder, scratch, text)
    with torch.no_grad():
        theirs = load_stack(folder)(ids)[0]
    difference = (values["output.logits"] - theirs).abs().max().item()
    if not difference <= TOLERANCE:
        raise AssertionError(f"{folder}: logits of {text!r} are {difference:.3g} off")
    return difference, ids


def check_folder(program, folder, scratch):
    words = [word for word in load_tokenizers(folder)[0].ids if not word.startswith("<") and word.strip()]
    text = " ".join((words * 3)[:3] + ["zzyzx"])
    worst, ids = check_logits(program, folder, scratch, text)

    model = load_stack(folder).train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9)
    for _ in range(5):
        optimizer.zero_grad()
        model.loss(ids, torch.ones(model(ids).shape[:2], dtype=torch.long)).backward()
        optimizer.step()
    back = os.path.join(scratch, "back")
    save_model(model.eval(), back, tokenizers_from=folder)
    worst = max(worst, check_logits(program, back, scratch, text)[0])
    for name in os.listdir(back):
        os.remove(os.path.join(back, name))
    print(f"agrees: {os.path.relpath(folder, ROOT)}, there and back; worst {worst:.3g}")


def is_one_stack(folder):
    config = os.path.join(folder, "config.json")
    return os.path.exists(config) and read_json(config).get("architecture") in ("encoder-only", "decoder-only")


def main(arguments):
    if not arguments:
        print("usage: check_stacks_with_pytorch.py HEADLIGHT [DIR …]", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    program, *folders = arguments
    stored = [path for room in ("tests/data/pytorch", "assets/models")
              for path in sorted(glob.glob(os.path.join(ROOT, room, "*"))) if is_one_stack(path)]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for folder in folders or stored:
            try:
                check_folder(program, folder, scratch)
            except AssertionError as error:
                failed += 1
                print(f"DISAGREES: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
