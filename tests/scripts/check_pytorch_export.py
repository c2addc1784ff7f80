#!/usr/bin/env python3
"""Checks what `headlight export --pytorch` writes.

    python3 tests/scripts/check_pytorch_export.py HEADLIGHT

The exported model.py is given the exported weights of every Transformer that ships or lies in tests/data/pytorch, and
must compute the logits of `headlight trace`. Two processes then train the exported copy task; a training that stopped
half-way and went on must end with the same bits as one that did not, and Headlight must open it as a run. Exit status
77 where there is no PyTorch.
"""

import glob
import json
import os
import socket
import subprocess
import sys
import tempfile

try:
    import torch
except ImportError:
    print("skipped: PyTorch is not installed for", sys.executable)
    sys.exit(77)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "assets", "pytorch"))
TOLERANCE = 1e-5  # of the largest logit; PyTorch in double precision, so that all of it is Headlight's

from data import load_tokenizers  # noqa: E402
from folders import load_model, read_json, read_safetensors, save_model  # noqa: E402


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(arguments)}: exit status {done.returncode}: {done.stderr.strip()}"
    return done.stdout


def traced(program, folder, scratch, text):
    """(logits, ids of each stream as they were fed)"""
    path = os.path.join(scratch, "trace.safetensors")
    run(program, "trace", "--model", folder, "--text", text, "--out", path)
    with open(path, "rb") as file:
        metadata = json.loads(file.read(int.from_bytes(file.read(8), "little")))["__metadata__"]
    fed = [json.loads(metadata[key]) for key in ("source_ids", "target_ids") if key in metadata]
    return read_safetensors(path)["output.logits"], fed


def check_logits(program, folder, scratch):
    out = os.path.join(scratch, os.path.basename(folder))
    run(program, "export", "--pytorch", folder, "--out", out)
    exported = os.path.join(out, "model")
    for name in ("model.py", "train.py", "data.py", "folders.py"):
        with open(os.path.join(out, name)) as mine, open(os.path.join(ROOT, "assets", "pytorch", name)) as theirs:
            assert mine.read() == theirs.read(), f"{folder}: another {name}"
    model, tokenizers = load_model(exported), load_tokenizers(exported)
    in_file = [name for name in read_safetensors(os.path.join(exported, "model.safetensors"))]
    assert list(model.state_dict()) == in_file, f"{folder}: weights in another order than a timeline has them"

    words = [word for word in tokenizers[0].ids if not word.startswith("<") and word.strip()]
    text = " ".join((words * 3)[:3] + ["zzyzx"])
    ours, fed = traced(program, folder, scratch, text)
    architecture = model.config["architecture"]
    if architecture != "decoder-only":
        assert fed[0] == tokenizers[0].encode(text) + [model.config["eos_id"]], f"{folder}: other tokens"
    if len(fed) == 2:
        fed = {"encoder-only": fed[:1], "decoder-only": fed[1:]}.get(architecture, fed)
    with torch.no_grad():
        theirs = model.double()(*(torch.tensor([ids]) for ids in fed))[0]
    difference = ((ours.double() - theirs).abs().max() / theirs.abs().max()).item()
    assert ours.shape == theirs.shape and difference <= TOLERANCE, f"{folder}: logits are {difference:.3g} of the largest off"

    model.float()  # and back: a folder that train.py writes is the same model
    save_model(model, out + "-back", exported)
    back, _ = traced(program, out + "-back", scratch, text)
    assert torch.equal(back, ours), f"{folder}: not the same when it came back"
    print(f"agrees: {os.path.relpath(folder, ROOT)}, worst logit {difference:.3g} of the largest")


def is_transformer(folder):
    config = os.path.join(folder, "config.json")
    kinds = ("encoder-decoder", "encoder-only", "decoder-only")
    return os.path.exists(config) and read_json(config).get("architecture", kinds[0]) in kinds


def train(folder, out, steps, processes=2):
    """As torchrun starts them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, os.path.join(folder, "train.py"), "--out", out, "--steps", str(steps), "--batch", "16",
               "--judge-every", "10", "--save-every", "10", "--until-exact", "0"]
    team = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={
        **os.environ, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": str(processes),
        "RANK": str(rank), "LOCAL_RANK": str(rank)}) for rank in range(processes)]
    said = [process.communicate() for process in team]
    for process, (_, errors) in zip(team, said):
        assert process.returncode == 0, errors
    return [json.loads(line) for line in said[0][0].splitlines()]


def check_training(program, scratch):
    folder, straight, stopped = (os.path.join(scratch, name) for name in ("to-train", "straight", "stopped"))
    run(program, "export", "--pytorch", "copy", "--out", folder)
    for name, most in (("training.jsonl", 2000), ("held_out.jsonl", 40)):
        path = os.path.join(folder, "data", name)
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()[:most]
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
    lines = train(folder, straight, 40)
    assert [line["step"] for line in lines] == [0, 10, 20, 30, 40]
    assert lines[-1]["held_out_loss"] < lines[0]["held_out_loss"]
    train(folder, stopped, 20)
    train(folder, stopped, 40)
    for name in ("model", "curves", "timeline"):
        one, other = (read_safetensors(os.path.join(path, name + ".safetensors")) for path in (straight, stopped))
        assert list(one) == list(other) and all(torch.equal(one[key], other[key]) for key in one), \
            f"{name}.safetensors: other numbers after the training stopped and went on"
    script = os.path.join(scratch, "open.txt")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"train open {straight}\nwait 5\nmoment 20\n")
    run(program, "render", "--script", script)
    run(program, "train", "--from", straight, "--steps", "5", "--out", os.path.join(scratch, "further"))
    print("agrees: two processes train, stop and go on; Headlight opens the run and goes on with it")


def main(arguments):
    if len(arguments) != 1:
        print("usage: check_pytorch_export.py HEADLIGHT", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        checks = [lambda folder=folder: check_logits(arguments[0], folder, scratch)
                  for room in ("tests/data/pytorch", "assets/models")
                  for folder in sorted(glob.glob(os.path.join(ROOT, room, "*"))) if is_transformer(folder)]
        for check in [*checks, lambda: check_training(arguments[0], scratch)]:
            try:
                check()
            except AssertionError as error:
                failed += 1
                print("DISAGREES:", error)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
