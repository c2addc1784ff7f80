#!/usr/bin/env python3
"""Makes the files beside it: what PyTorch computes with models that are shipped. `headlight --check` computes the same
on the machine at hand and compares.

    OPENBLAS_NUM_THREADS=1 python3 assets/reference/make_reference.py        (in the source tree)

NAME.safetensors belongs to the model assets/models/NAME: values of one forward pass by the paths under which Headlight
knows them, and in the metadata the ids as they are fed (`source_ids`, `target_ids`) and the sentence. PyTorch computes
in double precision, so that the whole tolerance belongs to Headlight. Run it again when a model was trained anew.
"""

import json
import os
import sys

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "..", "models")
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "scripts"))

from headlight_stack_torch import load_stack  # noqa: E402
from headlight_torch import load_tokenizers, write_safetensors  # noqa: E402
from torch_values import check_against_torch, load_double, values_of_pass  # noqa: E402

TRANSLATION = "translate-en-pt"
SENTENCE = "The animal didn't cross the street because it was too tired"


def write(name, text, values, ids):
    metadata = {"text": text, **{side + "_ids": json.dumps(fed.tolist()) for side, fed in ids.items()}}
    path = os.path.join(HERE, name + ".safetensors")
    write_safetensors(path, {key: value.float() for key, value in values.items()}, metadata)
    print(f"{name}: {len(values)} values, {sum(value.numel() for value in values.values()):,} numbers, "
          f"{os.path.getsize(path):,} bytes")


def translation():
    """The logits and every attention's weights, while the model's own answer is fed."""
    folder = os.path.join(MODELS, TRANSLATION)
    model, (english, _) = load_double(folder), load_tokenizers(folder)
    source = torch.tensor(english.encode(SENTENCE) + [model.config["eos_id"]])
    target = torch.tensor([model.config["bos_id"]] + model.greedy(source[None]))
    values = values_of_pass(model, source, target)
    check_against_torch(model, values, source, target)
    kept = {path: value for path, value in values.items()
            if path == "output.logits" or path.endswith("_attn.weights")}
    write(TRANSLATION, SENTENCE, kept, {"source": source, "target": target})


@torch.no_grad()
def one_stack(name, text):
    """The logits of an encoder or a decoder alone."""
    folder = os.path.join(MODELS, name)
    model, (words, _) = load_stack(folder).double(), load_tokenizers(folder)
    writes = model.config["architecture"] == "decoder-only"
    bos, eos = [model.config["bos_id"]], [model.config["eos_id"]]
    ids = torch.tensor(bos + words.encode(text) if writes else words.encode(text) + eos)
    write(name, text, {"output.logits": model(ids[None])[0]}, {"target" if writes else "source": ids})


if __name__ == "__main__":
    torch.set_num_threads(1)
    translation()
    one_stack("sentiment", "The film was not boring")
    one_stack("next-word", "I grew up in Germany, so I speak fluent")
