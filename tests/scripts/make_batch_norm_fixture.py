#!/usr/bin/env python3
"""Makes tests/data/pytorch/batch_norm.safetensors: what torch.nn.BatchNorm1d computes of 2 sequences of 5 rows,
in training and afterwards, with the gradients of Σ w·y and the running statistics.

    OPENBLAS_NUM_THREADS=1 python3 tests/scripts/make_batch_norm_fixture.py
"""

import os

import torch

from headlight_torch import write_safetensors
from make_pytorch_fixtures import OUT


def main():
    torch.manual_seed(51)
    d = 4
    norm = torch.nn.BatchNorm1d(d).double()
    with torch.no_grad():
        norm.weight.copy_(1 + 0.3 * torch.randn(d))
        norm.bias.copy_(0.3 * torch.randn(d))
    x = (2 * torch.randn(2, 5, d) + torch.arange(float(d))).double().requires_grad_()
    w = torch.randn(2, 5, d).double()
    tensors = {"x": x, "w": w, "gamma": norm.weight, "beta": norm.bias}
    for name in ("training", "evaluation"):
        norm.train(name == "training")
        x.grad = norm.weight.grad = norm.bias.grad = None
        y = norm(x.flatten(0, 1)).unflatten(0, (2, 5))
        (w * y).sum().backward()
        tensors[name + "/y"] = y
        tensors.update({f"{name}/gradient/{of}": g.grad.clone()
                        for of, g in (("x", x), ("gamma", norm.weight), ("beta", norm.bias))})
        tensors[name + "/running_mean"], tensors[name + "/running_var"] = (
            norm.running_mean.clone(), norm.running_var.clone())
    write_safetensors(os.path.join(OUT, "batch_norm.safetensors"),
                      {name: tensor.detach().float() for name, tensor in tensors.items()}, {})


if __name__ == "__main__":
    main()
