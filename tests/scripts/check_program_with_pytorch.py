#!/usr/bin/env python3
"""Checks the program against PyTorch, there and back.

    python3 tests/scripts/check_program_with_pytorch.py HEADLIGHT [DIR …]

There: `headlight trace` of each model folder, with the model's own answer (which must be PyTorch's), with a
given target, and with padding; every value is compared with PyTorch's. And back: each folder is trained on in
PyTorch for a few steps and saved in single and in half precision; the program must open it and compute the
new weights' values. Without DIR the folders are those of tests/data/pytorch and assets/models, and two deeper
models with an even number of heads, for which PyTorch has a fused path of its own. Exit status 77 where there
is no PyTorch.
"""

import glob
import os
import subprocess
import sys
import tempfile

try:
    import torch
except ImportError:
    print("skipped: PyTorch is not installed for", sys.executable)
    sys.exit(77)

from check_trace_with_pytorch import LOGITS_TOLERANCE, TOLERANCE, differences
from headlight_torch import load_model, load_tokenizers, read_json, read_safetensors, save_model
from make_pytorch_fixtures import make_folder
from torch_values import ids_from_metadata
from train_in_pytorch import train_on

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DEEP = {"d_model": 64, "num_heads": 8, "encoder_layers": 6, "decoder_layers": 6, "d_ff": 256, "max_length": 48}


def words_of(vocabulary):
    """Tokens that stand for something typed. Joined by spaces they may be cut differently, which does no harm:
    the trace says what was fed."""
    return [word for word in vocabulary if not word.startswith("<") and word.strip()]


def run(program, *arguments):
    result = subprocess.run([program, *arguments], capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(arguments)}: exit status {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def check_trace(program, folder, scratch, *options):
    """(worst difference, its path, tokens of the source)"""
    trace = os.path.join(scratch, "trace.safetensors")
    run(program, "trace", "--model", folder, "--out", trace, *options)
    found, as_user, source, _ = differences(folder, trace)
    worst, path = found[0]
    if not worst <= TOLERANCE or not as_user <= LOGITS_TOLERANCE:
        raise AssertionError(f"{folder} {' '.join(options)}: {path} is {worst:.3g} off, "
                             f"logits in single precision {as_user:.3g}")
    return worst, path, source


def check_greedy(program, folder, scratch, text):
    """Without a target the decoder is fed the model's own answer: PyTorch's too."""
    trace = os.path.join(scratch, "trace.safetensors")
    run(program, "trace", "--model", folder, "--text", text, "--out", trace)
    _, metadata = read_safetensors(trace)
    source, fed = (ids.tolist() for ids in ids_from_metadata(folder, metadata))
    model = load_model(folder)
    try:
        expected = load_tokenizers(folder)[0].encode(text) + [model.config["eos_id"]]
        assert source == expected, f"{folder}: {text!r}: fed {source}, its tokens are {expected}"
    except NotImplementedError:  # byte pairs: held against the `tokenizers` package in tests/data/tokenizers
        pass
    answer = model.greedy(torch.tensor([source]))
    assert fed == [model.config["bos_id"]] + answer, f"{folder}: {text!r}: fed {fed}, PyTorch says {answer}"


def check_folder(program, folder, scratch):
    source_words, target_words = (tokenizer.ids for tokenizer in load_tokenizers(folder))
    config = load_model(folder).config
    words, answers = words_of(source_words), words_of(target_words)
    text = " ".join((words * 3)[:3] + ["zzyzx"])
    target = " ".join((answers * 4)[1:5])
    results = [check_trace(program, folder, scratch, "--text", text),
               check_trace(program, folder, scratch, "--text", text, "--target", target),
               check_trace(program, folder, scratch, "--text", text, "--target", target, "--pad-to",
                           str(min(config["max_length"], 40)))]
    assert config["pad_id"] in results[2][2], f"{folder}: --pad-to did not pad"
    check_greedy(program, folder, scratch, text)

    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        model = load_model(folder)
        ids = [[vocabulary[word] for word in sample] + [config["eos_id"]] for vocabulary, sample in
               ((source_words, (words * 3)[:3]), (target_words, (answers * 4)[1:5]))]
        train_on(model, [tuple(ids)], steps=5, batch_size=2)
        back = os.path.join(scratch, "back")
        save_model(model, back, tokenizers_from=folder, dtype=dtype)
        results.append(check_trace(program, back, scratch, "--text", text, "--target", target))
        for name in os.listdir(back):
            os.remove(os.path.join(back, name))
    worst, path, _ = max(results, key=lambda result: result[0])
    print(f"agrees: {os.path.normpath(folder)}, there and back; worst {path} {worst:.3g}")


def all_folders(scratch):
    deep_post, deep_pre = (os.path.join(scratch, name) for name in ("deep_post", "deep_pre"))
    make_folder(deep_post, {"sizes": DEEP}, seed=1)
    make_folder(deep_pre, {"sizes": DEEP, "norm_position": "pre", "activation": "gelu", "final_norm": True}, seed=2)
    stored = [path for room in ("tests/data/pytorch", "assets/models")
              for path in glob.glob(os.path.join(ROOT, room, "*")) if is_encoder_decoder(path)]
    return sorted(stored) + [deep_post, deep_pre]


def is_encoder_decoder(folder):
    config = os.path.join(folder, "config.json")
    return os.path.exists(config) and read_json(config).get("architecture", "encoder-decoder") == "encoder-decoder"


def main(arguments):
    if not arguments:
        print("usage: check_program_with_pytorch.py HEADLIGHT [DIR …]", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    program, *folders = arguments
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for folder in folders or all_folders(scratch):
            try:
                check_folder(program, folder, scratch)
            except AssertionError as error:
                failed += 1
                print(f"DISAGREES: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
