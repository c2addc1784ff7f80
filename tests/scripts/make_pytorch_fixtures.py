#!/usr/bin/env python3
"""Makes tests/data/pytorch: model folders with random weights, and what PyTorch computes with them.

    OPENBLAS_NUM_THREADS=1 python3 tests/scripts/make_pytorch_fixtures.py

Each folder is a model that Headlight opens, with
  values.safetensors    every named value of one forward pass over a padded source, in the form of
                        `headlight trace`; the metadata has the tokens as they are fed
  training.safetensors  (small models) a padded batch: its logits, loss, and the gradient of every parameter
                        ("gradient/NAME"); the metadata has the batch. With learning rates, also every
                        parameter after each step of Adam ("adam.STEP/NAME"). Batch norm is in training:
                        its running statistics afterwards are "running/NAME", and the logits of the same
                        batch by them "evaluation/logits"
PyTorch computes in double precision, so that the whole tolerance of the tests belongs to Headlight.
"""

import json
import os

import torch

from headlight_torch import DEFAULTS, HeadlightTransformer, save_model, write_safetensors
from torch_values import check_against_torch, load_double, token_metadata, values_of_pass

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "data", "pytorch")
ENGLISH = ["the", "animal", "was", "too", "tired", "wide", "street"]
PORTUGUESE = ["o", "animal", "estava", "cansado", "demais", "rua", "a", "larga", "ração"]

# Sizes that are multiples of nothing a processor likes. A width of 15 also ends its sinusoids on a sine.
LARGE = {"d_model": 48, "num_heads": 3, "encoder_layers": 3, "decoder_layers": 2, "d_ff": 80, "max_length": 9}
SMALL = {"d_model": 15, "num_heads": 3, "encoder_layers": 2, "decoder_layers": 1, "d_ff": 22, "max_length": 9}
RATES = [3e-3, 1e-2, 2e-3]  # one for each step of Adam

MODELS = {
    "paper": {"sizes": LARGE},
    "modern": {"sizes": LARGE, "norm_position": "pre", "activation": "gelu", "final_norm": True,
               "positional_encoding": "learned", "scale_embeddings": False, "layer_norm_eps": 1e-6,
               "dtype": torch.float16},
    "small_post_gelu_final_norm": {"sizes": SMALL, "activation": "gelu", "final_norm": True,
                                   "scale_embeddings": False, "label_smoothing": 0.1, "rates": RATES},
    "small_pre_relu_no_positions": {"sizes": SMALL, "norm_position": "pre", "positional_encoding": "none",
                                    "dtype": torch.bfloat16},
    "small_pre_gelu_learned": {"sizes": SMALL, "norm_position": "pre", "activation": "gelu", "final_norm": True,
                               "positional_encoding": "learned", "label_smoothing": 0.2,
                               "shared_tokenizer": True, "pad_id": 3, "bos_id": 0, "eos_id": 1, "unk_id": 2},
    "small_post_relu_sinusoidal": {"sizes": SMALL, "layer_norm_eps": 1e-3},
    "small_batch_norm": {"sizes": SMALL, "norm": "batch", "final_norm": True, "dropout": 0.0},
}


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        file.write("\n")


def special_ids(config):
    return [config[key] for key in ("bos_id", "eos_id", "pad_id", "unk_id")]


def tokenizer(config, words):
    """A tokenizer file of the Hugging Face library: whole words between white space. The special tokens are
    ids 0 to 3, in the order of the config."""
    special = [token for _, token in sorted(zip(special_ids(config), ["<s>", "</s>", "<pad>", "<unk>"]))]
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": id, "content": token, "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": True} for id, token in enumerate(special)],
        "normalizer": None, "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {token: id for id, token in enumerate(special + words)},
                  "unk_token": "<unk>"}}


def randomise(model, generator):
    """Every parameter, also those that a new model has at 0 or 1: a bias that is left out must be missed."""
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
        if "norm" in name and name.endswith("weight"):
            values = 1 + 0.3 * noise
        elif parameter.dim() == 1:
            values = 0.3 * noise
        elif "embedding" in name or "positions" in name:
            values = 0.4 * noise
        else:
            values = 1.3 * noise / parameter.shape[1] ** 0.5
        parameter.data.copy_(values)


def padded(sequences, pad):
    length = max(map(len, sequences))
    return torch.tensor([sequence + [pad] * (length - len(sequence)) for sequence in sequences])


def make_folder(folder, choices, seed):
    config = {**DEFAULTS, **choices["sizes"], **{key: choices[key] for key in DEFAULTS if key in choices}}
    shared = choices.get("shared_tokenizer", False)
    source_words, target_words = (ENGLISH, ENGLISH) if shared else (ENGLISH, PORTUGUESE)
    config["source_vocab_size"] = 4 + len(source_words)
    config["target_vocab_size"] = 4 + len(target_words)
    model = HeadlightTransformer(config)
    randomise(model, torch.Generator().manual_seed(seed))
    save_model(model, folder, dtype=choices.get("dtype", torch.float32))
    if shared:
        write_json(os.path.join(folder, "tokenizer.json"), tokenizer(config, source_words))
    else:
        write_json(os.path.join(folder, "tokenizer_source.json"), tokenizer(config, source_words))
        write_json(os.path.join(folder, "tokenizer_target.json"), tokenizer(config, target_words))


def write_values(folder, model):
    bos, eos, pad, unk = special_ids(model.config)
    source = torch.tensor([5, 4, unk, 10, eos, pad, pad])
    target = torch.tensor([bos, 4, 9, 7, 7])
    values = values_of_pass(model, source, target)
    check_against_torch(model, values, source, target)
    write_safetensors(os.path.join(folder, "values.safetensors"),
                      {path: value.float() for path, value in values.items()},
                      token_metadata(folder, source, target))


def write_training(folder, model, label_smoothing, rates):
    bos, eos, pad, unk = special_ids(model.config)
    sources = [[5, 4, unk, 10, eos], [8, eos], [4, 4, 9, eos]]
    goals = [[6, eos], [7, 10, 4, unk, 8, eos], [4, 9, eos]]
    source, goal = padded(sources, pad), padded(goals, pad)
    target = padded([[bos] + ids[:-1] for ids in goals], pad)
    batch_norm = model.config["norm"] == "batch"
    model.train(batch_norm)  # else no dropout

    tensors = {}
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    for step in range(max(1, len(rates))):
        optimizer.zero_grad()
        loss = model.loss(source, target, goal, label_smoothing)
        loss.backward()
        if step == 0:
            if batch_norm:
                tensors.update((f"running/{name}", kept.clone()) for name, kept in model.named_buffers())
                tensors["evaluation/logits"] = model.eval()(source, target)
                model.train()
            tensors["logits"] = model(source, target)
            tensors["loss"] = loss
            tensors.update((f"gradient/{name}", p.grad.clone()) for name, p in model.named_parameters())
        if rates:
            optimizer.param_groups[0]["lr"] = rates[step]
            optimizer.step()
            tensors.update((f"adam.{step + 1}/{name}", p.clone()) for name, p in model.named_parameters())
    write_safetensors(os.path.join(folder, "training.safetensors"),
                      {name: tensor.float() for name, tensor in tensors.items()},
                      {"sources": json.dumps(sources), "goals": json.dumps(goals),
                       "label_smoothing": json.dumps(label_smoothing), "learning_rates": json.dumps(rates)})


def main():
    torch.set_num_threads(1)
    total = 0
    for seed, (name, choices) in enumerate(MODELS.items(), start=1):
        folder = os.path.join(OUT, name)
        make_folder(folder, choices, seed)
        if choices.get("norm") != "batch":
            write_values(folder, load_double(folder))
        if choices["sizes"] is SMALL:
            write_training(folder, load_double(folder), choices.get("label_smoothing", 0.0),
                           choices.get("rates", []))
        size = sum(entry.stat().st_size for entry in os.scandir(folder))
        total += size
        print(f"{name}: {size:,} bytes")
    print(f"{total:,} bytes in all")


if __name__ == "__main__":
    main()
