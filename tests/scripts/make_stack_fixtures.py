#!/usr/bin/env python3
"""Makes the folders stack_* of tests/data/pytorch: models of one stack with random weights, and what PyTorch
computes with them.

    OPENBLAS_NUM_THREADS=1 python3 tests/scripts/make_stack_fixtures.py

Each has training.safetensors, as make_pytorch_fixtures.py writes it: a padded batch, its logits, its loss, and
the gradient of every parameter. Of a decoder alone the sources are the beginnings, which it is given, and the
goals what follows them; of classes a goal is one number.
"""

import json
import os

import torch

from headlight_stack_torch import load_stack, make_stack
from headlight_torch import save_model, write_safetensors
from make_pytorch_fixtures import ENGLISH, OUT, PORTUGUESE, padded, randomise, tokenizer, write_json

SIZES = {"d_model": 12, "num_heads": 3, "encoder_layers": 2, "decoder_layers": 2, "d_ff": 14, "max_length": 9,
         "pad_id": 0, "bos_id": 1, "eos_id": 2, "unk_id": 3}

MODELS = {
    "stack_encoder_tokens": {"architecture": "encoder-only", "head": "tokens", "label_smoothing": 0.1,
                             "sources": [[5, 4, 3, 10, 2], [8, 2], [4, 4, 9, 2]],
                             "goals": [[6, 7, 12, 3, 2], [4, 2], [9, 10, 4, 2]]},
    "stack_encoder_classes": {"architecture": "encoder-only", "head": "classes", "norm_position": "pre",
                              "labels": ["bad", "fair", "good"], "final_norm": True, "activation": "gelu",
                              "positional_encoding": "learned",
                              "sources": [[5, 4, 3, 10, 2], [8, 2], [4, 4, 9, 2]], "goals": [[0], [2], [1]]},
    "stack_decoder": {"architecture": "decoder-only", "final_norm": True,
                      "sources": [[5, 4, 3], [], [8]], "goals": [[10, 2], [9, 6, 7, 2], [4, 2]]},
}


def make_folder(folder, choices, seed):
    keys = ("architecture", "head", "labels", "norm_position", "final_norm", "activation", "positional_encoding")
    config = {**SIZES, **{key: choices[key] for key in keys if key in choices}}
    one = choices["architecture"] == "decoder-only" or choices.get("head") == "classes"
    config["source_vocab_size"] = 4 + len(ENGLISH)
    config["target_vocab_size"] = 4 + len(ENGLISH if one else PORTUGUESE)
    model = make_stack(config)
    randomise(model, torch.Generator().manual_seed(seed))
    save_model(model, folder)
    if one:
        write_json(os.path.join(folder, "tokenizer.json"), tokenizer(config, ENGLISH))
    else:
        write_json(os.path.join(folder, "tokenizer_source.json"), tokenizer(config, ENGLISH))
        write_json(os.path.join(folder, "tokenizer_target.json"), tokenizer(config, PORTUGUESE))


def write_training(folder, choices):
    model = load_stack(folder).double()
    pad, bos = model.config["pad_id"], model.config["bos_id"]
    sources, goals = choices["sources"], choices["goals"]
    if choices["architecture"] == "decoder-only":
        whole = [source + goal for source, goal in zip(sources, goals)]
        fed, wanted = padded([[bos] + ids[:-1] for ids in whole], pad), padded(whole, pad)
    else:
        fed, wanted = padded(sources, pad), padded(goals, pad)
    smoothing = choices.get("label_smoothing", 0.0)
    with torch.enable_grad():
        loss = model.loss(fed, wanted, smoothing)
        loss.backward()
    tensors = {"logits": model(fed), "loss": loss}
    tensors.update((f"gradient/{name}", p.grad) for name, p in model.named_parameters())
    write_safetensors(os.path.join(folder, "training.safetensors"),
                      {name: tensor.float() for name, tensor in tensors.items()},
                      {"sources": json.dumps(sources), "goals": json.dumps(goals),
                       "label_smoothing": json.dumps(smoothing), "learning_rates": "[]"})


def main():
    torch.set_num_threads(1)
    for seed, (name, choices) in enumerate(MODELS.items(), start=21):
        folder = os.path.join(OUT, name)
        make_folder(folder, choices, seed)
        write_training(folder, choices)
        print(f"{name}: {sum(entry.stat().st_size for entry in os.scandir(folder)):,} bytes")


if __name__ == "__main__":
    main()
