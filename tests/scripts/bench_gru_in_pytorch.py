#!/usr/bin/env python3
"""How fast PyTorch trains what `headlight bench train --preset gru` trains: a GRU of width 128 between an
embedding and a softmax over 64 words, 64 sequences of 32 tokens a step, cross-entropy over every position, Adam.

    OPENBLAS_NUM_THREADS=1 python3 tests/scripts/bench_gru_in_pytorch.py [THREADS] [SECONDS]
"""

import sys
import time

import torch

from headlight_recurrent_torch import make_recurrent

BATCH, LENGTH = 64, 32


def main(arguments):
    threads = int(arguments[0]) if arguments else 1
    seconds = float(arguments[1]) if len(arguments) > 1 else 10.0
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    model = make_recurrent({"architecture": "gru", "d_model": 128, "num_layers": 1, "dropout": 0.0,
                            "target_vocab_size": 64, "pad_id": 0}).train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9)

    def step():
        ids = torch.randint(3, 64, (BATCH, LENGTH + 1))
        optimizer.zero_grad(set_to_none=True)
        model.loss(ids[:, :-1], ids[:, 1:]).backward()
        optimizer.step()

    for _ in range(3):
        step()
    began, steps, cpu = time.monotonic(), 0, time.process_time()
    while time.monotonic() - began < seconds:
        step()
        steps += 1
    elapsed = time.monotonic() - began
    params = sum(p.numel() for p in model.parameters())
    print(f"cpu_ms/step={1e3 * (time.process_time() - cpu) / steps:.2f}", end=" ")
    print(f"pytorch threads={threads} steps/s={steps / elapsed:.2f} tokens/s={steps * BATCH * LENGTH / elapsed:.0f} "
          f"params={params}")


if __name__ == "__main__":
    main(sys.argv[1:])
