#!/usr/bin/python3
"""Writing words with torch.nn.Transformer's own weights and a key-value cache written by hand, and by recomputing
everything: what `headlight bench decode` stands beside.

Greedy, batch of one, the encoder once (with the cache) or at every word (without). The cached decoder multiplies one
row at a time; keys and values of the source are projected once. Checked: both ways say the same words.

    decode_in_pytorch.py tiny|small|paper THREADS [WORDS [ROUNDS]]
"""

import sys
import time

import torch
import torch.nn.functional as F

SIZES = {"tiny": (64, 4, 2, 256, 32), "small": (128, 8, 2, 512, 64), "paper": (512, 8, 6, 2048, 1000)}


class Translator(torch.nn.Module):
    def __init__(self, d, heads, layers, d_ff, vocabulary, longest):
        super().__init__()
        self.source = torch.nn.Embedding(vocabulary, d)
        self.target = torch.nn.Embedding(vocabulary, d)
        self.transformer = torch.nn.Transformer(d, heads, layers, layers, d_ff, dropout=0.0, batch_first=True)
        self.generator = torch.nn.Linear(d, vocabulary)
        codes = torch.zeros(longest, d)
        angles = torch.arange(longest).unsqueeze(1) * torch.exp(torch.arange(0, d, 2) * (-9.210340371976184 / d))
        codes[:, 0::2], codes[:, 1::2] = torch.sin(angles), torch.cos(angles)
        self.register_buffer("codes", codes)
        self.d = d

    def embed(self, table, ids, first=0):
        return table(ids) * self.d ** 0.5 + self.codes[first:first + ids.size(1)]

    def encode(self, source):
        return self.transformer.encoder(self.embed(self.source, source))

    def whole(self, source, fed):
        mask = torch.nn.Transformer.generate_square_subsequent_mask(fed.size(1))
        y = self.transformer.decoder(self.embed(self.target, fed), self.encode(source), tgt_mask=mask)
        return self.generator(y[:, -1])


def project(attention, x, first, count):
    """Rows first·d … (first + count)·d of in_proj, as heads."""
    d = attention.embed_dim
    w, b = attention.in_proj_weight[first * d:(first + count) * d], attention.in_proj_bias[first * d:(first + count) * d]
    y = F.linear(x, w, b)
    return [part.view(1, -1, attention.num_heads, attention.head_dim).transpose(1, 2) for part in y.split(d, -1)]


def attend(attention, q, k, v):
    y = F.scaled_dot_product_attention(q, k, v) if hasattr(F, "scaled_dot_product_attention") else \
        torch.softmax(q @ k.transpose(2, 3) / attention.head_dim ** 0.5, -1) @ v
    return attention.out_proj(y.transpose(1, 2).reshape(1, -1, attention.embed_dim))


def write_cached(model, source, words):
    memory = model.encode(source)
    layers = model.transformer.decoder.layers
    of_source = [project(layer.multihead_attn, memory, 1, 2) for layer in layers]
    kept = [None] * len(layers)
    token, said = torch.ones(1, 1, dtype=torch.long), []
    for t in range(words):
        x = model.embed(model.target, token, t)
        for i, layer in enumerate(layers):
            q, k, v = project(layer.self_attn, x, 0, 3)
            if kept[i] is not None:
                k, v = torch.cat([kept[i][0], k], 2), torch.cat([kept[i][1], v], 2)
            kept[i] = (k, v)
            x = layer.norm1(x + attend(layer.self_attn, q, k, v))
            x = layer.norm2(x + attend(layer.multihead_attn, project(layer.multihead_attn, x, 0, 1)[0], *of_source[i]))
            x = layer.norm3(x + layer.linear2(F.relu(layer.linear1(x))))
        token = model.generator(model.transformer.decoder.norm(x))[:, -1].argmax(-1, keepdim=True)
        said.append(int(token))
    return said


def write_anew(model, source, words):
    fed = torch.ones(1, 1, dtype=torch.long)
    for _ in range(words):
        fed = torch.cat([fed, model.whole(source, fed).argmax(-1, keepdim=True)], 1)
    return fed[0, 1:].tolist()


def main():
    sizes, threads = SIZES[sys.argv[1]], int(sys.argv[2])
    words, rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 64, int(sys.argv[4]) if len(sys.argv) > 4 else 5
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = Translator(*sizes, words + 1).eval()
    source = torch.randint(3, sizes[-1], (1, words))
    with torch.inference_mode():
        assert write_cached(model, source, words) == write_anew(model, source, words)
        seconds = {write_cached: [], write_anew: []}
        for _ in range(rounds):
            for write, times in seconds.items():
                begin = time.perf_counter()
                write(model, source, words)
                times.append(time.perf_counter() - begin)
    for write, times in seconds.items():
        times.sort()
        print(f"{write.__name__} seconds={times[len(times) // 2]:.4f} best={times[0]:.4f}")


if __name__ == "__main__":
    main()
