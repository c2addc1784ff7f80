#!/usr/bin/python3
"""Measures of the small GPT-2 of tests/data/families in PyTorch, computed from its weights and its trace in
another way than Headlight's: tests/data/measures/gpt2.safetensors.

Logit lens: ln_f and the output matrix over what passes after each layer (nostalgebraist 2020). Direct logit
attribution of a word against another at the last place: each head's writing, centred and divided by the
deviation of the last norm, scaled by γ, times the difference of the two output rows (TransformerLens,
ActivationCache). Head scores "mul" (TransformerLens, head_detector). Rollout (Abnar & Zuidema 2020).
Value-weighted attention (Kobayashi et al. 2020).

    make_measure_fixtures.py [FILE]
"""

import json
import pathlib
import sys

import torch

from headlight_torch import read_safetensors
from make_family_fixtures import write_safetensors

WORD, AGAINST = 3, 7


def measures(folder):
    config = json.loads((folder / "config.json").read_text())
    weights, _ = read_safetensors(folder / "model.safetensors")
    weights = {name.removeprefix("transformer."): tensor for name, tensor in weights.items()}
    trace, metadata = read_safetensors(folder / "expected.safetensors")
    ids = torch.tensor(json.loads(metadata["target_ids"]))
    heads, layers, d = config["n_head"], config["n_layer"], config["n_embd"]
    d_k, length = d // heads, len(ids)
    output = weights.get("lm_head.weight", weights["wte.weight"])
    gamma, beta = weights["ln_f.weight"], weights["ln_f.bias"]
    passages = [trace["decoder.embed.output"]] + [trace[f"decoder.{i}.output"] for i in range(layers)]
    result = {}

    for stop, x in enumerate(passages):
        logits = torch.nn.functional.layer_norm(x, (d,), gamma, beta, 1e-5) @ output.T
        result[f"lens.{stop}"] = logits.softmax(-1)

    x = passages[-1][-1]
    deviation = (x.var(unbiased=False) + 1e-5).sqrt()
    difference = output[WORD] - output[AGAINST]

    def attributed(part):
        return ((part - part.mean()) / deviation * gamma) @ difference

    known = attributed(passages[0][-1])
    tokens_before = {t: [s for s in range(t) if ids[s] == ids[t]] for t in range(length)}
    patterns = {"previous": torch.zeros(length, length), "duplicate": torch.zeros(length, length),
                "induction": torch.zeros(length, length)}
    for t in range(length):
        if t > 0:
            patterns["previous"][t, t - 1] = 1
        for s in tokens_before[t]:
            patterns["duplicate"][t, s] = 1
            patterns["induction"][t, s + 1] = 1
    rollout = torch.eye(length)
    for i in range(layers):
        place = f"decoder.{i}.self_attn"
        attention, v = trace[place + ".weights"], trace[place + ".v"]
        w_o = weights[f"h.{i}.attn.c_proj.weight"].reshape(heads, d_k, d)  # stored [in, out]
        written = torch.einsum("hts,hsk,hkd->htd", attention, v, w_o)
        result[place + ".heads"] = torch.stack([attributed(written[h, -1]) for h in range(heads)])
        carried = torch.einsum("hsk,hkd->hsd", v, w_o)
        result[place + ".weighted"] = attention * carried.norm(dim=-1)[:, None, :]
        for name, pattern in patterns.items():
            result[f"{place}.{name}_share"] = (attention * pattern).sum((1, 2)) / attention.sum((1, 2))
        rollout = (attention.mean(0) / 2 + torch.eye(length) / 2) @ rollout
        result[f"rollout.{i}"] = rollout.clone()
        # What is left of a layer is its feed-forward network and the biases.
        known = known + attributed(passages[i + 1][-1] - passages[i][-1])
    result["sum"] = (known + beta @ difference).reshape(1)
    return result


def main():
    data = pathlib.Path(__file__).resolve().parent.parent / "data"
    file = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else data / "measures/gpt2.safetensors"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_safetensors(file, measures(data / "families/gpt2"))


if __name__ == "__main__":
    main()
