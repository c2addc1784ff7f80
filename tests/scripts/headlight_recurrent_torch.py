"""Headlight's recurrent models in PyTorch: what there was before Transformers.

Beside headlight_torch.py, which has the Transformer, the folders and the tokenizers. Weights have the names and
layouts of torch.nn.RNN, LSTM and GRU.

    from headlight_recurrent_torch import load_recurrent
    from headlight_torch import load_tokenizers, save_model
    model = load_recurrent("recall-lstm")
    words, _ = load_tokenizers("recall-lstm")
    ids = torch.tensor([[model.config["bos_id"]] + words.encode("the clouds are in the")])
    print(words.decode([int(model(ids)[0, -1].argmax())]))          # the next word

Train on with `model.loss(…)` and hand back with `save_model(model, folder, tokenizers_from=…)`.
"""

import os

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

from headlight_torch import DEFAULTS, load_tokenizers, read_json, read_safetensors

MODULES = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU, "rnn-fixed": nn.GRU, "rnn-attention": nn.GRU}


class RecurrentWriter(nn.Module):
    """rnn, lstm, gru: fed `<s> tokens`; says at each position the word that comes next."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        d, words = config["d_model"], config["target_vocab_size"]
        layers, dropout = config["num_layers"], config["dropout"]
        self.target_embedding = nn.Embedding(words, d)
        self.dropout = nn.Dropout(dropout)
        self.rnn = MODULES[config["architecture"]](d, d, layers, batch_first=True,
                                                   dropout=dropout if layers > 1 else 0.0)
        self.generator = nn.Linear(d, words)

    def forward(self, target):
        """target [n, T], may end in padding → logits [n, T, vocabulary]"""
        hidden, _ = self.rnn(self.dropout(self.target_embedding(target)))
        return self.generator(hidden)

    def loss(self, target, goal, label_smoothing=0.0):
        """Mean cross-entropy over the goal tokens that are not padding: goal [n, T] is one word ahead."""
        return nn.functional.cross_entropy(self(target).flatten(0, 1), goal.flatten(),
                                           ignore_index=self.config["pad_id"], label_smoothing=label_smoothing)


class AdditiveAttention(nn.Module):
    """Bahdanau et al. 2014, §3.1: e_ij = vᵀ tanh(W_a s_{i−1} + U_a h_j)."""

    def __init__(self, hidden, width):
        super().__init__()
        self.query = nn.Linear(hidden, width, bias=False)   # W_a
        self.key = nn.Linear(hidden, width, bias=False)     # U_a
        self.energy = nn.Linear(width, 1, bias=False)       # vᵀ

    def forward(self, state, memory, forbidden):
        """state [n, H], memory [n, S, H], forbidden [n, S] → context [n, H], weights [n, S]"""
        scores = self.energy(torch.tanh(self.query(state)[:, None] + self.key(memory)))[:, :, 0]
        weights = scores.masked_fill(forbidden, float("-inf")).softmax(-1)
        return (weights[:, :, None] * memory).sum(1), weights


class RecurrentTranslator(nn.Module):
    """rnn-fixed, rnn-attention: a GRU reads `tokens </s>`, another, which begins with the state that the first
    ended with, is fed `<s> tokens`; with attention it reads [word; context] at each step."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        d, layers, dropout = config["d_model"], config["num_layers"], config["dropout"]
        self.attends = config["architecture"] == "rnn-attention"
        between = dropout if layers > 1 else 0.0
        self.source_embedding = nn.Embedding(config["source_vocab_size"], d)
        self.target_embedding = nn.Embedding(config["target_vocab_size"], d)
        self.dropout = nn.Dropout(dropout)
        self.encoder = nn.GRU(d, d, layers, batch_first=True, dropout=between)
        self.decoder = nn.GRU(2 * d if self.attends else d, d, layers, batch_first=True, dropout=between)
        if self.attends:
            self.attention = AdditiveAttention(d, d)
        self.generator = nn.Linear(d, config["target_vocab_size"])

    def encode(self, source):
        """source [n, S], may end in padding → memory [n, S, H], final states [layers, n, H]"""
        lengths = (source != self.config["pad_id"]).sum(1)
        embedded = self.dropout(self.source_embedding(source))
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        memory, _ = self.encoder(embedded)
        return memory, self.encoder(packed)[1]

    def forward(self, source, target):
        """→ logits [n, T, target vocabulary]"""
        memory, state = self.encode(source)
        embedded = self.dropout(self.target_embedding(target))
        if not self.attends:
            return self.generator(self.decoder(embedded, state)[0])
        outputs = []
        for t in range(target.shape[1]):
            context, _ = self.attention(state[0], memory, source == self.config["pad_id"])
            output, state = self.decoder(torch.cat([embedded[:, t], context], -1)[:, None], state)
            outputs.append(output)
        return self.generator(torch.cat(outputs, 1))

    def loss(self, source, target, goal, label_smoothing=0.0):
        return nn.functional.cross_entropy(self(source, target).flatten(0, 1), goal.flatten(),
                                           ignore_index=self.config["pad_id"], label_smoothing=label_smoothing)


def make_recurrent(config):
    config = {**DEFAULTS, "num_layers": 1, **config}
    if config["architecture"] not in MODULES:
        raise ValueError(f"architecture {config['architecture']!r} is not recurrent: see headlight_torch.py")
    reads = config["architecture"] in ("rnn-fixed", "rnn-attention")
    return (RecurrentTranslator if reads else RecurrentWriter)(config)


def load_recurrent(folder):
    """The model of a folder, on the CPU, in evaluation mode. Every name and shape must fit."""
    config = read_json(os.path.join(folder, "config.json"))
    for key, tokenizer in zip(("source_vocab_size", "target_vocab_size"), load_tokenizers(folder)):
        config[key] = config.get(key) or len(tokenizer.ids)
    model = make_recurrent(config)
    weights, _ = read_safetensors(os.path.join(folder, "model.safetensors"))
    model.load_state_dict(weights, strict=True)
    return model.eval()
