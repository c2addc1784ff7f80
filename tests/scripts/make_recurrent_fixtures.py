#!/usr/bin/env python3
"""Makes the folders recurrent_* of tests/data/pytorch: recurrent models with random weights, and what PyTorch
computes with them.

    OPENBLAS_NUM_THREADS=1 python3 tests/scripts/make_recurrent_fixtures.py

Each has training.safetensors, as make_pytorch_fixtures.py writes it: a padded batch, its logits, its loss, and
the gradient of every parameter; and besides ∂loss/∂h of every step of the last layer that writes, through all
later steps, as `state_gradient`. Of those that only write the sources are the beginnings, which they are given,
and the goals what follows them.
"""

import json
import os

import torch

from headlight_recurrent_torch import load_recurrent, make_recurrent
from headlight_torch import save_model, write_safetensors
from make_pytorch_fixtures import ENGLISH, OUT, PORTUGUESE, padded, randomise, tokenizer, write_json

SIZES = {"d_model": 6, "max_length": 9, "dropout": 0.1, "pad_id": 0, "bos_id": 1, "eos_id": 2, "unk_id": 3}
WRITERS = {"sources": [[5, 4, 3], [], [8]], "goals": [[10, 2], [9, 6, 7, 2], [4, 2]]}
READERS = {"sources": [[5, 4, 3, 10, 2], [8, 2], [4, 4, 9, 2]], "goals": [[6, 7, 2], [4, 9, 12, 2], [9, 2]]}

MODELS = {
    "recurrent_rnn": {"architecture": "rnn", "num_layers": 2, **WRITERS},
    "recurrent_lstm": {"architecture": "lstm", "num_layers": 2, **WRITERS},
    "recurrent_gru": {"architecture": "gru", "num_layers": 2, "label_smoothing": 0.1, **WRITERS},
    "recurrent_fixed": {"architecture": "rnn-fixed", "num_layers": 2, **READERS},
    "recurrent_attention": {"architecture": "rnn-attention", "num_layers": 1, "label_smoothing": 0.1, **READERS},
}


def make_folder(folder, choices, seed):
    config = {"architecture": choices["architecture"], **SIZES, "num_layers": choices["num_layers"]}
    reads = "encoder" in dir(make_recurrent({**config, "source_vocab_size": 5, "target_vocab_size": 5}))
    if reads:
        config["source_vocab_size"] = 4 + len(ENGLISH)
    config["target_vocab_size"] = 4 + len(PORTUGUESE if reads else ENGLISH)
    model = make_recurrent(config)
    randomise(model, torch.Generator().manual_seed(seed))
    if not reads:
        model.config.pop("source_vocab_size", None)
    for key in ("num_heads", "encoder_layers", "decoder_layers", "d_ff", "activation", "norm_position", "final_norm",
                "layer_norm_eps", "positional_encoding", "scale_embeddings"):
        model.config.pop(key, None)
    save_model(model, folder)
    if reads:
        write_json(os.path.join(folder, "tokenizer_source.json"), tokenizer(config, ENGLISH))
        write_json(os.path.join(folder, "tokenizer_target.json"), tokenizer(config, PORTUGUESE))
    else:
        write_json(os.path.join(folder, "tokenizer.json"), tokenizer(config, ENGLISH))


def total_state_gradient(model, fed, wanted, smoothing):
    """∂loss/∂h_t of the last layer, through all later steps: the last layer once more, one step at a time, so
    that each state is a leaf of its own."""
    layers, kind = model.rnn.num_layers, model.config["architecture"]
    x = model.target_embedding(fed)
    for i in range(layers - 1):
        x = one_layer(model, i)(x)[0]
    last, states, state = one_layer(model, layers - 1), [], None
    for t in range(fed.shape[1]):
        _, state = last(x[:, t:t + 1], state)
        hidden = state[0] if kind == "lstm" else state
        hidden.retain_grad()
        states.append(hidden)
    logits = model.generator(torch.stack([h[0] for h in states], 1))
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=model.config["pad_id"],
                                             label_smoothing=smoothing)
    loss.backward()
    return torch.stack([h.grad[0] for h in states], 1)


def one_layer(model, i):
    width = model.config["d_model"]
    layer = type(model.rnn)(width, width, 1, batch_first=True).double()
    layer.load_state_dict({name[:-1] + "0": p for name, p in model.rnn.state_dict().items()
                           if name.endswith(f"_l{i}")})
    return layer


def write_training(folder, choices):
    model = load_recurrent(folder).double()
    pad, bos = model.config["pad_id"], model.config["bos_id"]
    sources, goals = choices["sources"], choices["goals"]
    smoothing = choices.get("label_smoothing", 0.0)
    if hasattr(model, "rnn"):
        whole = [source + goal for source, goal in zip(sources, goals)]
        fed, wanted = (padded([[bos] + ids[:-1] for ids in whole], pad),), padded(whole, pad)
    else:
        fed = (padded(sources, pad), padded([[bos] + ids[:-1] for ids in goals], pad))
        wanted = padded(goals, pad)
    with torch.enable_grad():
        loss = model.loss(*fed, wanted, smoothing)
        loss.backward()
        tensors = {"logits": model(*fed), "loss": loss}
        tensors.update((f"gradient/{name}", p.grad.clone()) for name, p in model.named_parameters())
        if hasattr(model, "rnn"):
            tensors["state_gradient"] = total_state_gradient(model, fed[0], wanted, smoothing)
    write_safetensors(os.path.join(folder, "training.safetensors"),
                      {name: tensor.detach().float() for name, tensor in tensors.items()},
                      {"sources": json.dumps(sources), "goals": json.dumps(goals),
                       "label_smoothing": json.dumps(smoothing), "learning_rates": "[]"})


def main():
    torch.set_num_threads(1)
    for seed, (name, choices) in enumerate(MODELS.items(), start=41):
        folder = os.path.join(OUT, name)
        make_folder(folder, choices, seed)
        write_training(folder, choices)
        print(f"{name}: {sum(entry.stat().st_size for entry in os.scandir(folder)):,} bytes")


if __name__ == "__main__":
    main()
