#!/usr/bin/env python3
"""Checks that a trace holds the numbers that PyTorch computes from the same weights.

    python3 tests/scripts/check_trace_with_pytorch.py DIR TRACE.safetensors

DIR is a model folder, TRACE what `headlight trace --model DIR … --out TRACE.safetensors` wrote. The weights
are loaded into torch.nn.Transformer (every name and shape must fit), the tokens are taken from the trace, and
every named value is computed again. The worst path is printed; exit status 1 when any value is further off
than 2e-4 of its largest magnitude, is missing, or when logits computed the way a user would differ by more
than 1e-4.
"""

import os
import sys

import torch

from headlight_torch import load_model, read_safetensors
from torch_values import check_against_torch, ids_from_metadata, load_double, values_of_pass, worst_difference

TOLERANCE = 2e-4
LOGITS_TOLERANCE = 1e-4


def differences(folder, trace_path):
    """[(difference, path)], worst first. A value that the trace does not have is infinitely far off."""
    trace, metadata = read_safetensors(trace_path)
    source, target = ids_from_metadata(folder, metadata)
    model = load_double(folder)
    expected = values_of_pass(model, source, target)
    check_against_torch(model, expected, source, target)
    found = [(worst_difference(trace[path], value) if path in trace else float("inf"), path)
             for path, value in expected.items()]
    # What a user computes: single precision, no gradients, and so PyTorch's fused path where it has one.
    with torch.no_grad():
        logits = load_model(folder)(source[None], target[None])[0]
    largest = max(1.0, logits.abs().max().item())  # batch norm by kept statistics does not hold them near 1
    as_user = ((logits - trace["output.logits"]).abs().max().item() / largest if "output.logits" in trace
               else float("inf"))
    return sorted(found, reverse=True), as_user, source, target


def main(arguments):
    if len(arguments) != 2:
        print("usage: check_trace_with_pytorch.py DIR TRACE.safetensors", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    folder, trace_path = arguments
    found, as_user, source, target = differences(folder, trace_path)
    bad = [(difference, path) for difference, path in found if not difference <= TOLERANCE]
    for difference, path in bad[:20]:
        print(f"{path}: {'missing or of another shape' if difference == float('inf') else f'{difference:.3g}'}")
    worst, path = found[0]
    good = not bad and as_user <= LOGITS_TOLERANCE
    print(f"{'agrees' if good else 'DISAGREES'}: {os.path.normpath(folder)}, source {len(source)}, "
          f"target {len(target)}, {len(found)} values; worst {path} {worst:.3g} relative; "
          f"logits of nn.Transformer in single precision {as_user:.3g} apart")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
