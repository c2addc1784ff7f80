"""Headlight's models of one stack in PyTorch: an encoder that judges, a decoder that writes on.

Beside headlight_torch.py, which has the encoder-decoder, the folders and the tokenizers. The weights have the
names and layouts of `torch.nn.TransformerEncoder`: a decoder that has nothing to read is that module too, under
the mask that hides what is yet to come.

    from headlight_stack_torch import load_stack
    from headlight_torch import load_tokenizers, save_model
    model = load_stack("gloss")
    english, portuguese = load_tokenizers("gloss")
    ids = torch.tensor([english.encode("the animal was tired") + [model.config["eos_id"]]])
    print(portuguese.decode(model(ids)[0].argmax(-1).tolist()))     # a word for each word

    model = load_stack("sentiment")
    print(model.config["labels"][int(model(ids)[0, 0].argmax())])   # one class for all

    model = load_stack("next-word")
    ids = torch.tensor([[model.config["bos_id"]] + words.encode("the clouds are in the")])
    print(words.decode([int(model(ids)[0, -1].argmax())]))          # the next word

Train on with `model.loss(ids, goal)` and hand back with `save_model(model, folder, tokenizers_from=…)`.
"""

import math
import os

import torch
from torch import nn

from headlight_torch import DEFAULTS, Tied, load_tokenizers, read_json, read_safetensors, sinusoidal_positions


class HeadlightStack(Tied):
    """What both have in common: an embedding table, positions, and layers of self-attention."""

    def __init__(self, config, side, layers):
        super().__init__()
        self.config = config
        d_model, self.side = config["d_model"], side
        setattr(self, side + "_embedding", nn.Embedding(config[side + "_vocab_size"], d_model))
        if config["positional_encoding"] == "learned":
            setattr(self, side + "_positions", nn.Embedding(config["max_length"], d_model))
        self.embedding_dropout = nn.Dropout(config["dropout"])
        self.pad_id = config["pad_id"]
        self.layers_of = layers

    def stack(self):
        """nn.TransformerEncoder with the layers that config.json asks for."""
        config = self.config
        layer = nn.TransformerEncoderLayer(
            config["d_model"], config["num_heads"], config["d_ff"], config["dropout"], config["activation"],
            config["layer_norm_eps"], batch_first=True, norm_first=config["norm_position"] == "pre")
        norm = nn.LayerNorm(config["d_model"], config["layer_norm_eps"]) if config["final_norm"] else None
        return nn.TransformerEncoder(layer, self.layers_of, norm, enable_nested_tensor=False)

    def embed(self, ids):
        """Rows of the embedding table, × √d_model, plus the positions: ids [n, T] → [n, T, d_model]."""
        config, length = self.config, ids.shape[1]
        x = getattr(self, self.side + "_embedding")(ids)
        if config["scale_embeddings"]:
            x = x * math.sqrt(config["d_model"])
        if config["positional_encoding"] == "learned":
            x = x + getattr(self, self.side + "_positions").weight[:length]
        if config["positional_encoding"] == "sinusoidal":
            x = x + sinusoidal_positions(length, config["d_model"]).to(x)
        return self.embedding_dropout(x)


class HeadlightEncoder(HeadlightStack):
    """Reads `tokens </s>`; says a word for each of them, or one class for the mean of all."""

    def __init__(self, config):
        super().__init__(config, "source", config["encoder_layers"])
        self.encoder = self.stack()
        if config["head"] == "classes":
            self.classifier = nn.Linear(config["d_model"], len(config["labels"]))
        else:
            self.generator = nn.Linear(config["d_model"], config["target_vocab_size"])

    def forward(self, source):
        """source [n, T], may end in padding → logits [n, T, target vocabulary], or [n, 1, classes]"""
        padding = source == self.pad_id  # true where attention is not allowed
        x = self.encoder(self.embed(source), src_key_padding_mask=padding)
        if self.config["head"] == "tokens":
            return self.generator(x)
        words = (~padding).to(x)[:, :, None]
        return self.classifier((x * words).sum(1, keepdim=True) / words.sum(1, keepdim=True))

    def loss(self, source, goal, label_smoothing=0.0):
        """Mean cross-entropy; goal [n, T] of words, where padding does not count, or [n, 1] of classes."""
        ignored = -100 if self.config["head"] == "classes" else self.pad_id
        return nn.functional.cross_entropy(self(source).flatten(0, 1), goal.flatten(), ignore_index=ignored,
                                           label_smoothing=label_smoothing)


class HeadlightDecoder(HeadlightStack):
    """Fed `<s> tokens`; says at each position the word that comes next."""

    def __init__(self, config):
        super().__init__(config, "target", config["decoder_layers"])
        self.decoder = self.stack()
        self.generator = nn.Linear(config["d_model"], config["target_vocab_size"])
        if config["tie_embeddings"]:
            self.tie("target_embedding", "generator")

    def forward(self, target):
        """target [n, T], may end in padding → logits [n, T, vocabulary]"""
        length = target.shape[1]
        look_ahead = torch.ones(length, length, dtype=torch.bool, device=target.device).triu(1)
        return self.generator(self.decoder(self.embed(target), mask=look_ahead,
                                           src_key_padding_mask=target == self.pad_id))

    def loss(self, target, goal, label_smoothing=0.0):
        """Mean cross-entropy over the goal tokens that are not padding: goal [n, T] is one word ahead."""
        return nn.functional.cross_entropy(self(target).flatten(0, 1), goal.flatten(),
                                           ignore_index=self.pad_id, label_smoothing=label_smoothing)


def make_stack(config):
    config = {**DEFAULTS, "head": "tokens", **config}
    if config["architecture"] == "encoder-only":
        return HeadlightEncoder(config)
    if config["architecture"] == "decoder-only":
        return HeadlightDecoder(config)
    raise ValueError(f"architecture {config['architecture']!r} is not one stack alone: see headlight_torch.py")


def load_stack(folder):
    """The model of a folder, on the CPU, in evaluation mode. Every name and shape must fit."""
    config = read_json(os.path.join(folder, "config.json"))
    for key, tokenizer in zip(("source_vocab_size", "target_vocab_size"), load_tokenizers(folder)):
        config[key] = config.get(key) or len(tokenizer.ids)
    model = make_stack(config)
    weights, _ = read_safetensors(os.path.join(folder, "model.safetensors"))
    model.load_state_dict(weights, strict=True)
    return model.eval()
