#!/usr/bin/python3
"""What a next word is drawn from, in PyTorch: tests/data/sampling/distributions.safetensors.

For each case the logits of twelve words and, for some temperature, k and p, the probabilities that are left:
softmax(z / temperature), of these the k greatest (torch.topk), of what is left, scaled to a sum of 1, the fewest
whose sum reaches p (torch.sort and torch.cumsum), scaled again. Settings are a row [temperature, k, p]; k = 0: all.

    make_sampling_fixtures.py [FILE]
"""

import pathlib
import sys

import torch

from make_family_fixtures import write_safetensors

SETTINGS = [(1, 0, 1), (0.5, 0, 1), (2, 0, 1), (1, 1, 1), (1, 3, 1), (1.3, 5, 1), (1, 0, 0.5), (1, 0, 0.9),
            (0.7, 0, 0.95), (1.7, 6, 0.8), (0.4, 4, 0.6), (3, 0, 0.99)]


def left_of(logits, temperature, k, p):
    probabilities = torch.softmax(logits / temperature, -1)
    if k > 0:
        smallest = torch.topk(probabilities, k).values[-1]
        probabilities = torch.where(probabilities >= smallest, probabilities, 0)
        probabilities = probabilities / probabilities.sum()
    if p < 1:
        values, order = torch.sort(probabilities, descending=True)
        before = torch.cumsum(values, -1) - values
        probabilities = probabilities.clone()
        probabilities[order[before >= p]] = 0
        probabilities = probabilities / probabilities.sum()
    return probabilities


def main():
    here = pathlib.Path(__file__).resolve().parent
    file = pathlib.Path(sys.argv[1] if len(sys.argv) > 1
                        else here.parent / "data" / "sampling" / "distributions.safetensors")
    file.parent.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(14)
    logits = torch.randn(len(SETTINGS), 12) * 2
    left = torch.stack([left_of(z.double(), *setting) for z, setting in zip(logits, SETTINGS)])
    write_safetensors(file, {"logits": logits, "settings": torch.tensor(SETTINGS), "probabilities": left.float()})


if __name__ == "__main__":
    main()
