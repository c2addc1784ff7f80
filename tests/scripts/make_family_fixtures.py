#!/usr/bin/python3
"""Small random folders of GPT-2, BERT, DistilBERT, Llama, Qwen2 and Marian, with what they compute.

Each family's forward pass is written here once more, in plain PyTorch and from the papers and the published
layouts alone; the weights are random. A folder has config.json, its weights in one or two safetensors files,
and expected.safetensors: every attention weight, q, k and v of every head, the output of every layer and the
logits, under the names of a trace, with the ids that were fed.

    make_family_fixtures.py [FOLDER]        writes tests/data/families, or another folder
    make_family_fixtures.py --gpt2 FOLDER     a random GPT-2 of 124 million parameters, to be measured with
    make_family_fixtures.py --smollm2 FOLDER  the same of SmolLM2's 135 million
    make_family_fixtures.py --llama FOLDER    the same of Llama 3.2 1B's shape, 2.5 GB in BF16
"""
import json
import math
import pathlib
import shutil
import sys

import torch

# --- safetensors, written by hand: the library is not everywhere ------------------------------------------------

DTYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64",
          torch.uint8: "U8", torch.bool: "BOOL"}


def write_safetensors(path, tensors, metadata=None):
    header, data, place = {}, [], 0
    if metadata:
        header["__metadata__"] = metadata
    for name, tensor in tensors.items():
        tensor = tensor.detach().contiguous()
        raw = tensor.reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""
        header[name] = {"dtype": DTYPES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [place, place + len(raw)]}
        data.append(raw)
        place += len(raw)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for raw in data:
            file.write(raw)


# --- what all have in common --------------------------------------------------------------------------------------

ACTIVATIONS = {
    "gelu": lambda x: 0.5 * x * (1 + torch.erf(x / math.sqrt(2))),
    "gelu_new": lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
    "relu": torch.relu,
    "silu": lambda x: x * torch.sigmoid(x),
    "swish": lambda x: x * torch.sigmoid(x),
}


class Weights(dict):
    """Random weights by name, rounded to the precision that the file has."""

    def __init__(self, dtype, seed):
        super().__init__()
        self.dtype, self.random = dtype, torch.Generator().manual_seed(seed)

    def new(self, name, *shape, scale=0.4, around=0.0):
        value = around + scale * torch.randn(*shape, generator=self.random)
        self[name] = value.to(self.dtype).float()
        return self[name]

    def linear(self, name, out, inner, bias=True, transposed=False):
        self.new(name + ".weight", *((inner, out) if transposed else (out, inner)))
        if bias:
            self.new(name + ".bias", out)

    def norm(self, name, width):
        self.new(name + ".weight", width, around=1.0)
        self.new(name + ".bias", width)


def layer_norm(w, name, x, eps):
    mean = x.mean(-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + eps) * w[name + ".weight"] + w[name + ".bias"]


def linear(w, name, x):
    y = x @ w[name + ".weight"].T
    return y + w[name + ".bias"] if name + ".bias" in w else y


def heads_of(x, heads):  # [T, heads·d_k] → [heads, T, d_k]
    return x.view(x.shape[0], heads, -1).transpose(0, 1)


def attend(record, path, q, k, v, mask, divisor, rotation=None):
    """q [H, T, d_k], k and v [KV, S, d_k] → [T, H·d_k]."""
    record[path + ".q"], record[path + ".k"], record[path + ".v"] = q, k, v
    if rotation is not None:
        q, k = rotate(q, rotation), rotate(k, rotation)
        record[path + ".q_rotated"], record[path + ".k_rotated"] = q, k
    group = q.shape[0] // k.shape[0]
    k, v = k.repeat_interleave(group, 0), v.repeat_interleave(group, 0)
    scores = q @ k.transpose(1, 2) / divisor + mask
    weights = torch.softmax(scores, -1)
    record[path + ".weights"] = weights
    return (weights @ v).transpose(0, 1).reshape(q.shape[1], -1)


def causal(length):
    return torch.full((length, length), -math.inf).triu(1)


def hide_padding(ids, pad):
    return torch.where(torch.tensor(ids) == pad, -math.inf, 0.0)[None, :]


def rotate(x, frequencies):
    angles = torch.arange(x.shape[1])[:, None] * frequencies[None, :]
    cos, sin = (torch.cat([part, part], -1).float() for part in (angles.cos(), angles.sin()))
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


def frequencies_of(config, d_k):
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    theta = rope.get("rope_theta", config.get("rope_theta", 10000.0))
    f = 1.0 / theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind == "linear":
        f = f / rope["factor"]
    if kind == "llama3":
        low, high, factor = rope["low_freq_factor"], rope["high_freq_factor"], rope["factor"]
        length = rope["original_max_position_embeddings"]
        wavelength = 2 * math.pi / f
        smooth = (length / wavelength - low) / (high - low)
        between = (1 - smooth) * f / factor + smooth * f
        f = torch.where(wavelength > length / low, f / factor, torch.where(wavelength < length / high, f, between))
    return f


# --- the families -------------------------------------------------------------------------------------------------

def gpt2(c, w, ids, record):
    d, heads = c["n_embd"], c["n_head"]
    f = c.get("n_inner") or 4 * d
    w.new("wte.weight", c["vocab_size"], d)
    w.new("wpe.weight", c["n_positions"], d)
    for i in range(c["n_layer"]):
        w.norm(f"h.{i}.ln_1", d)
        w.linear(f"h.{i}.attn.c_attn", 3 * d, d, transposed=True)
        w.linear(f"h.{i}.attn.c_proj", d, d, transposed=True)
        w.norm(f"h.{i}.ln_2", d)
        w.linear(f"h.{i}.mlp.c_fc", f, d, transposed=True)
        w.linear(f"h.{i}.mlp.c_proj", d, f, transposed=True)
    w.norm("ln_f", d)
    if not c.get("tie_word_embeddings", True):
        w.new("lm_head.weight", c["vocab_size"], d)

    conv1d = lambda name, x: x @ w[name + ".weight"] + w[name + ".bias"]
    eps = c.get("layer_norm_epsilon", 1e-5)
    activation = ACTIVATIONS[c.get("activation_function", "gelu_new")]
    x = w["wte.weight"][ids] + w["wpe.weight"][: len(ids)]
    record["decoder.embed.output"] = x
    for i in range(c["n_layer"]):
        q, k, v = conv1d(f"h.{i}.attn.c_attn", layer_norm(w, f"h.{i}.ln_1", x, eps)).split(d, -1)
        divisor = math.sqrt(d // heads) if c.get("scale_attn_weights", True) else 1.0
        if c.get("scale_attn_by_inverse_layer_idx", False):
            divisor *= i + 1
        a = attend(record, f"decoder.{i}.self_attn", heads_of(q, heads), heads_of(k, heads), heads_of(v, heads),
                   causal(len(ids)), divisor)
        x = x + conv1d(f"h.{i}.attn.c_proj", a)
        m = activation(conv1d(f"h.{i}.mlp.c_fc", layer_norm(w, f"h.{i}.ln_2", x, eps)))
        x = x + conv1d(f"h.{i}.mlp.c_proj", m)
        record[f"decoder.{i}.output"] = x
    x = layer_norm(w, "ln_f", x, eps)
    record["decoder.output"] = x
    record["output.logits"] = x @ w["lm_head.weight" if "lm_head.weight" in w else "wte.weight"].T


def rms_norm(w, name, x, eps):
    return w[name + ".weight"] * x / torch.sqrt((x ** 2).mean(-1, keepdim=True) + eps)


def llama(c, w, ids, record):
    d, heads, f = c["hidden_size"], c["num_attention_heads"], c["intermediate_size"]
    groups, d_k = c.get("num_key_value_heads", heads), c.get("head_dim") or d // heads
    qwen = c["model_type"] == "qwen2"
    bias = qwen or c.get("attention_bias", False)
    w.new("model.embed_tokens.weight", c["vocab_size"], d)
    for i in range(c["num_hidden_layers"]):
        at = f"model.layers.{i}"
        w.new(at + ".input_layernorm.weight", d, around=1.0)
        w.new(at + ".post_attention_layernorm.weight", d, around=1.0)
        w.linear(at + ".self_attn.q_proj", heads * d_k, d, bias)
        w.linear(at + ".self_attn.k_proj", groups * d_k, d, bias)
        w.linear(at + ".self_attn.v_proj", groups * d_k, d, bias)
        w.linear(at + ".self_attn.o_proj", d, heads * d_k, bias and not qwen)
        for name, out, inner in (("gate_proj", f, d), ("up_proj", f, d), ("down_proj", d, f)):
            w.linear(f"{at}.mlp.{name}", out, inner, c.get("mlp_bias", False))
    w.new("model.norm.weight", d, around=1.0)
    if not c.get("tie_word_embeddings", False):
        w.new("lm_head.weight", c["vocab_size"], d)

    eps, rotation = c.get("rms_norm_eps", 1e-6), frequencies_of(c, d_k)
    x = w["model.embed_tokens.weight"][ids]
    for i in range(c["num_hidden_layers"]):
        at = f"model.layers.{i}"
        n = rms_norm(w, at + ".input_layernorm", x, eps)
        q, k, v = (heads_of(linear(w, f"{at}.self_attn.{p}_proj", n), h)
                   for p, h in (("q", heads), ("k", groups), ("v", groups)))
        a = attend(record, f"decoder.{i}.self_attn", q, k, v, causal(len(ids)), math.sqrt(d_k), rotation)
        x = x + linear(w, at + ".self_attn.o_proj", a)
        m = rms_norm(w, at + ".post_attention_layernorm", x, eps)
        gate = linear(w, at + ".mlp.gate_proj", m)
        record[f"decoder.{i}.ffn.gate"] = gate
        record[f"decoder.{i}.ffn.product"] = ACTIVATIONS["silu"](gate) * linear(w, at + ".mlp.up_proj", m)
        x = x + linear(w, at + ".mlp.down_proj", record[f"decoder.{i}.ffn.product"])
        record[f"decoder.{i}.output"] = x
    x = rms_norm(w, "model.norm", x, eps)
    record["decoder.output"] = x
    record["output.logits"] = x @ w["lm_head.weight" if "lm_head.weight" in w else "model.embed_tokens.weight"].T


BERT_NAMES = dict(base="bert", norm="LayerNorm", layer="encoder.layer", q="attention.self.query",
                  k="attention.self.key", v="attention.self.value", o="attention.output.dense",
                  norm1="attention.output.LayerNorm", first="intermediate.dense", second="output.dense",
                  norm2="output.LayerNorm", heads="num_attention_heads", layers="num_hidden_layers",
                  d="hidden_size", f="intermediate_size", act="hidden_act")
DISTILBERT_NAMES = dict(base="distilbert", norm="LayerNorm", layer="transformer.layer", q="attention.q_lin",
                        k="attention.k_lin", v="attention.v_lin", o="attention.out_lin", norm1="sa_layer_norm",
                        first="ffn.lin1", second="ffn.lin2", norm2="output_layer_norm", heads="n_heads",
                        layers="n_layers", d="dim", f="hidden_dim", act="activation")


def bert(c, w, ids, record, types):
    distil = c["model_type"] == "distilbert"
    n = DISTILBERT_NAMES if distil else BERT_NAMES
    d, f, base = c[n["d"]], c[n["f"]], n["base"] + "."
    architecture = c["architectures"][0]
    emb = base + "embeddings."
    w.new(emb + "word_embeddings.weight", c["vocab_size"], d)
    w.new(emb + "position_embeddings.weight", c["max_position_embeddings"], d)
    if not distil:
        w.new(emb + "token_type_embeddings.weight", c.get("type_vocab_size", 2), d)
    w.norm(emb + "LayerNorm", d)
    for i in range(c[n["layers"]]):
        at = f"{base}{n['layer']}.{i}."
        for part in "qkvo":
            w.linear(at + n[part], d, d)
        w.norm(at + n["norm1"], d)
        w.linear(at + n["first"], f, d)
        w.linear(at + n["second"], d, f)
        w.norm(at + n["norm2"], d)

    eps, activation = (1e-12 if distil else c.get("layer_norm_eps", 1e-12)), ACTIVATIONS[c.get(n["act"], "gelu")]
    x = w[emb + "word_embeddings.weight"][ids]
    if not distil:
        record["encoder.embed.types"] = w[emb + "token_type_embeddings.weight"][types]
        x = x + record["encoder.embed.types"]
    x = x + w[emb + "position_embeddings.weight"][: len(ids)]
    record["encoder.embed.sum"] = x
    x = layer_norm(w, emb + "LayerNorm", x, eps)
    record["encoder.embed.output"] = x
    for i in range(c[n["layers"]]):
        at = f"{base}{n['layer']}.{i}."
        q, k, v = (heads_of(linear(w, at + n[part], x), c[n["heads"]]) for part in "qkv")
        a = attend(record, f"encoder.{i}.self_attn", q, k, v, hide_padding(ids, c.get("pad_token_id", 0)),
                   math.sqrt(d // c[n["heads"]]))
        x = layer_norm(w, at + n["norm1"], x + linear(w, at + n["o"], a), eps)
        x = layer_norm(w, at + n["norm2"],
                       x + linear(w, at + n["second"], activation(linear(w, at + n["first"], x))), eps)
        record[f"encoder.{i}.output"] = x
    record["encoder.output"] = x

    if architecture.endswith("ForSequenceClassification"):
        labels = len(c.get("id2label", {0: 0, 1: 0}))
        pooler = "pre_classifier" if distil else base + "pooler.dense"
        w.linear(pooler, d, d)
        w.linear("classifier", labels, d)
        pooled = linear(w, pooler, x[:1])
        record["output.pooled"] = torch.relu(pooled) if distil else torch.tanh(pooled)
        record["output.logits"] = linear(w, "classifier", record["output.pooled"])
    elif architecture.endswith("MaskedLM") or architecture.endswith("PreTraining"):
        dense, norm, bias = (("vocab_transform", "vocab_layer_norm", "vocab_projector.bias") if distil else
                             ("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm",
                              "cls.predictions.bias"))
        w.linear(dense, d, d)
        w.norm(norm, d)
        w.new(bias, c["vocab_size"])
        record["output.transformed"] = layer_norm(w, norm, activation(linear(w, dense, x)), eps)
        record["output.logits"] = record["output.transformed"] @ w[emb + "word_embeddings.weight"].T + w[bias]


def marian_positions(length, d):
    sines = (d + 1) // 2
    angles = torch.arange(length)[:, None] / 10000 ** (2 * torch.arange(sines)[None, :] / d)
    return torch.cat([angles.sin(), angles.cos()[:, : d - sines]], -1).float()


def marian(c, w, source, target, record):
    d, shared = c["d_model"], c.get("share_encoder_decoder_embeddings", True)
    tables = {side: "model.shared.weight" if shared else f"model.{side}.embed_tokens.weight"
              for side in ("encoder", "decoder")}
    for side in ("encoder", "decoder"):
        if tables[side] not in w:
            words = c["vocab_size"] if side == "encoder" else c.get("decoder_vocab_size", c["vocab_size"])
            w.new(tables[side], words, d)[c["pad_token_id"]] = 0
        for i in range(c[side + "_layers"]):
            at, f = f"model.{side}.layers.{i}.", c[side + "_ffn_dim"]
            for name in ("self_attn",) + (("encoder_attn",) if side == "decoder" else ()):
                for part in ("q_proj", "k_proj", "v_proj", "out_proj"):
                    w.linear(f"{at}{name}.{part}", d, d)
                w.norm(f"{at}{name}_layer_norm", d)
            w.linear(at + "fc1", f, d)
            w.linear(at + "fc2", d, f)
            w.norm(at + "final_layer_norm", d)
        if c.get("stored_positions"):
            w[f"model.{side}.embed_positions.weight"] = marian_positions(c["max_position_embeddings"], d)
    w.new("final_logits_bias", 1, w[tables["decoder"]].shape[0])

    scale = math.sqrt(d) if c.get("scale_embedding", False) else 1.0
    activation, eps = ACTIVATIONS[c.get("activation_function", "gelu")], 1e-5

    def sublayer(x, memory, at, name, path, mask, heads):
        q = heads_of(linear(w, f"{at}{name}.q_proj", x), heads)
        k, v = (heads_of(linear(w, f"{at}{name}.{p}_proj", memory), heads) for p in "kv")
        a = attend(record, path, q, k, v, mask, math.sqrt(d // heads))
        return layer_norm(w, f"{at}{name}_layer_norm", x + linear(w, f"{at}{name}.out_proj", a), eps)

    def network(x, at):
        return layer_norm(w, at + "final_layer_norm",
                          x + linear(w, at + "fc2", activation(linear(w, at + "fc1", x))), eps)

    padding = hide_padding(source, c["pad_token_id"])
    memory = w[tables["encoder"]][source] * scale + marian_positions(len(source), d)
    record["encoder.embed.output"] = memory
    for i in range(c["encoder_layers"]):
        at = f"model.encoder.layers.{i}."
        memory = sublayer(memory, memory, at, "self_attn", f"encoder.{i}.self_attn", padding,
                          c["encoder_attention_heads"])
        memory = network(memory, at)
        record[f"encoder.{i}.output"] = memory
    x = w[tables["decoder"]][target] * scale + marian_positions(len(target), d)
    for i in range(c["decoder_layers"]):
        at, heads = f"model.decoder.layers.{i}.", c["decoder_attention_heads"]
        x = sublayer(x, x, at, "self_attn", f"decoder.{i}.self_attn", causal(len(target)), heads)
        x = sublayer(x, memory, at, "encoder_attn", f"decoder.{i}.cross_attn", padding, heads)
        x = network(x, at)
        record[f"decoder.{i}.output"] = x
    record["output.logits"] = x @ w[tables["decoder"]].T + w["final_logits_bias"]


# --- the folders --------------------------------------------------------------------------------------------------

GPT2 = dict(model_type="gpt2", architectures=["GPT2LMHeadModel"], n_layer=2, n_head=2, n_embd=8, n_positions=12,
            vocab_size=11, bos_token_id=10, eos_token_id=10)
LLAMA = dict(model_type="llama", architectures=["LlamaForCausalLM"], num_hidden_layers=2, num_attention_heads=4,
             hidden_size=12, intermediate_size=10, vocab_size=11, max_position_embeddings=32, eos_token_id=[2, 3])
BERT = dict(model_type="bert", num_hidden_layers=2, num_attention_heads=2, hidden_size=8, intermediate_size=10,
            max_position_embeddings=12, vocab_size=11)
DISTIL = dict(model_type="distilbert", n_layers=2, n_heads=2, dim=8, hidden_dim=10, max_position_embeddings=12,
              vocab_size=11)
MARIAN = dict(model_type="marian", architectures=["MarianMTModel"], encoder_layers=2, decoder_layers=2, d_model=8,
              encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=10, decoder_ffn_dim=12,
              vocab_size=11, pad_token_id=10, decoder_start_token_id=10, eos_token_id=0, max_position_embeddings=16,
              activation_function="swish", scale_embedding=True, max_length=12)

OLD_LLAMA3 = dict(type="llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
                  original_max_position_embeddings=16)

# name: config, and how it is stored: dtype, prefix ("" takes the family's away), shards, gamma, stray, tied_as
FOLDERS = {
    "gpt2": (GPT2, dict(stray=True)),
    "gpt2_untied_f16_prefix": (dict(GPT2, tie_word_embeddings=False, n_inner=12, activation_function="relu",
                                    scale_attn_by_inverse_layer_idx=True, torch_dtype="float16"),
                               dict(dtype=torch.float16, prefix="transformer.")),
    "gpt2_two_shards": (dict(GPT2, n_layer=3, n_head=4, activation_function="quick_gelu",
                             scale_attn_weights=False), dict(shards=2, tied_as="lm_head.weight")),
    "llama_grouped": (dict(LLAMA, num_attention_heads=8, num_key_value_heads=2, hidden_size=16,
                           tie_word_embeddings=True, rope_theta=100000.0), dict(tied_as="lm_head.weight")),
    "llama_wide_heads_bf16": (dict(LLAMA, num_key_value_heads=2, head_dim=4, attention_bias=True, mlp_bias=True,
                                   dtype="bfloat16", rope_scaling=OLD_LLAMA3, rms_norm_eps=1e-5),
                              dict(dtype=torch.bfloat16, stray=True)),
    "llama_new_spelling": (dict(LLAMA, hidden_size=8, head_dim=6,
                                rope_parameters=dict(rope_type="linear", factor=2.0, rope_theta=500.0)),
                           dict(shards=2, without="model.")),
    "qwen2": (dict(LLAMA, model_type="qwen2", architectures=["Qwen2ForCausalLM"], num_key_value_heads=1,
                   hidden_size=8, tie_word_embeddings=True, use_sliding_window=False, rope_theta=1e6), {}),
    "bert_classes": (dict(BERT, architectures=["BertForSequenceClassification"],
                          id2label={"0": "sad", "1": "calm", "2": "glad"}), dict(gamma=True, stray=True)),
    "bert_masked": (dict(BERT, architectures=["BertForMaskedLM"], hidden_act="relu"),
                    dict(tied_as="cls.predictions.decoder.weight", stray=True)),
    "bert_plain": (dict(BERT, architectures=["BertModel"], type_vocab_size=3), dict(without="bert.")),
    "distilbert_classes": (dict(DISTIL, architectures=["DistilBertForSequenceClassification"],
                                id2label={"0": "NEGATIVE", "1": "POSITIVE"}), {}),
    "distilbert_masked_f16": (dict(DISTIL, architectures=["DistilBertForMaskedLM"]),
                              dict(dtype=torch.float16, tied_as="vocab_projector.weight")),
    "marian": (MARIAN, dict(tied_as="lm_head.weight", stray_copy=True)),
    "marian_two_tables": (dict(MARIAN, share_encoder_decoder_embeddings=False, decoder_vocab_size=12,
                               activation_function="relu", scale_embedding=False, stored_positions=True, d_model=6),
                          {}),
}
IDS = [3, 1, 4, 1, 5, 9, 2]
SOURCE, TARGET = [3, 1, 4, 1, 0, 10, 10], [10, 2, 7, 1, 8]  # the last two of the source are padding
BERT_IDS, TYPES = [3, 1, 4, 1, 5, 0, 0], [0, 0, 0, 1, 1, 0, 0]
EMBEDDINGS = {"gpt2": "wte.weight", "llama": "model.embed_tokens.weight", "qwen2": "model.embed_tokens.weight",
              "bert": "bert.embeddings.word_embeddings.weight",
              "distilbert": "distilbert.embeddings.word_embeddings.weight", "marian": "model.shared.weight"}


def compute(config, weights):
    record, kind = {}, config["model_type"]
    metadata = {}
    if kind == "gpt2":
        gpt2(config, weights, IDS, record)
    elif kind in ("llama", "qwen2"):
        llama(config, weights, IDS, record)
    elif kind == "marian":
        marian(config, weights, SOURCE, TARGET, record)
        metadata = {"source_ids": json.dumps(SOURCE), "target_ids": json.dumps(TARGET)}
    else:
        bert(config, weights, BERT_IDS, record, TYPES)
        metadata = {"source_ids": json.dumps(BERT_IDS), "token_type_ids": json.dumps(TYPES)}
    return record, metadata or {"target_ids": json.dumps(IDS)}


def as_stored(config, weights, how):
    """The weights under the names and with the strays that such files have."""
    dtype, kind = how.get("dtype", torch.float32), config["model_type"]
    stored = {}
    for name, value in weights.items():
        if "without" in how and name.startswith(how["without"]):
            name = name[len(how["without"]):]
        if "prefix" in how and not name.startswith("lm_head"):
            name = how["prefix"] + name
        if how.get("gamma") and "LayerNorm" in name:
            name = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
        stored[name] = value.to(dtype)
    if "tied_as" in how:
        table = EMBEDDINGS[kind]
        stored[how["tied_as"]] = stored[table].clone()
        if kind == "marian":  # one tensor, under any name
            del stored[table]
    if how.get("stray_copy"):
        stored["model.decoder.embed_tokens.weight"] = stored["lm_head.weight"].clone()
    if how.get("stray"):
        strays = {"gpt2": {"h.0.attn.bias": torch.ones(1, 1, 4, 4, dtype=torch.bool),
                           "h.0.attn.masked_bias": torch.tensor(-1e4)},
                  "llama": {"model.layers.0.self_attn.rotary_emb.inv_freq": torch.rand(2)},
                  "bert": {"bert.embeddings.position_ids": torch.arange(12)[None],
                           "cls.seq_relationship.weight": torch.rand(2, 8)}}
        stored.update(strays[kind])
    return stored


def write_folder(folder, config, how, seed):
    folder.mkdir(parents=True)
    weights = Weights(how.get("dtype", torch.float32), seed)
    record, metadata = compute(config, weights)
    stored = as_stored(config, weights, how)
    told = {key: value for key, value in config.items() if key != "stored_positions"}
    (folder / "config.json").write_text(json.dumps(told, indent=1) + "\n")
    if how.get("shards", 1) == 1:
        write_safetensors(folder / "model.safetensors", stored, {"format": "pt"})
    else:
        places, names = {}, list(stored)
        for number in range(2):
            file = f"model-0000{number + 1}-of-00002.safetensors"
            mine = names[number::2]
            write_safetensors(folder / file, {name: stored[name] for name in mine})
            places.update({name: file for name in mine})
        size = sum(t.numel() * t.element_size() for t in stored.values())
        (folder / "model.safetensors.index.json").write_text(
            json.dumps({"metadata": {"total_size": size}, "weight_map": places}, indent=1) + "\n")
    write_safetensors(folder / "expected.safetensors", {name: x.float() for name, x in record.items()}, metadata)


def write_large_gpt2(folder):
    folder.mkdir(parents=True, exist_ok=True)
    config = dict(model_type="gpt2", architectures=["GPT2LMHeadModel"])
    d, f, random = 768, 3072, torch.Generator().manual_seed(1)
    new = lambda *shape: 0.02 * torch.randn(*shape, generator=random)
    weights = {"wte.weight": new(50257, d), "wpe.weight": new(1024, d), "ln_f.weight": torch.ones(d),
               "ln_f.bias": torch.zeros(d)}
    for i in range(12):
        at = f"h.{i}."
        weights[at + "attn.bias"] = torch.ones(1, 1, 1024, 1024)
        for norm in ("ln_1", "ln_2"):
            weights[at + norm + ".weight"], weights[at + norm + ".bias"] = torch.ones(d), torch.zeros(d)
        for name, a, b in (("attn.c_attn", d, 3 * d), ("attn.c_proj", d, d), ("mlp.c_fc", d, f), ("mlp.c_proj", f, d)):
            weights[at + name + ".weight"], weights[at + name + ".bias"] = new(a, b), new(b)
    (folder / "config.json").write_text(json.dumps(config))
    write_safetensors(folder / "model.safetensors", weights, {"format": "pt"})


# Their published config.json, as far as it says sizes.
SMOLLM2 = dict(model_type="llama", architectures=["LlamaForCausalLM"], hidden_size=576, intermediate_size=1536,
               num_hidden_layers=30, num_attention_heads=9, num_key_value_heads=3, vocab_size=49152,
               max_position_embeddings=8192, rms_norm_eps=1e-5, rope_theta=100000.0, tie_word_embeddings=True,
               hidden_act="silu", bos_token_id=0, eos_token_id=0)
LLAMA_1B = dict(SMOLLM2, hidden_size=2048, intermediate_size=8192, num_hidden_layers=16, num_attention_heads=32,
                num_key_value_heads=8, head_dim=64, vocab_size=128256, max_position_embeddings=131072,
                rope_theta=500000.0, bos_token_id=128000, eos_token_id=128001)


def write_large_llama(folder, config):
    folder.mkdir(parents=True, exist_ok=True)
    random = torch.Generator().manual_seed(1)
    new = lambda *shape: (0.02 * torch.randn(*shape, generator=random)).bfloat16()
    d, f, heads = config["hidden_size"], config["intermediate_size"], config["num_attention_heads"]
    keys = d // heads * config["num_key_value_heads"]
    weights = {"model.embed_tokens.weight": new(config["vocab_size"], d), "model.norm.weight": torch.ones(d).bfloat16()}
    for i in range(config["num_hidden_layers"]):
        at = f"model.layers.{i}."
        for norm in ("input_layernorm", "post_attention_layernorm"):
            weights[at + norm + ".weight"] = torch.ones(d).bfloat16()
        for name, rows, columns in (("self_attn.q_proj", d, d), ("self_attn.k_proj", keys, d),
                                    ("self_attn.v_proj", keys, d), ("self_attn.o_proj", d, d),
                                    ("mlp.gate_proj", f, d), ("mlp.up_proj", f, d), ("mlp.down_proj", d, f)):
            weights[at + name + ".weight"] = new(rows, columns)
    (folder / "config.json").write_text(json.dumps(config))
    write_safetensors(folder / "model.safetensors", weights, {"format": "pt"})


LARGE = {"--gpt2": write_large_gpt2, "--smollm2": lambda folder: write_large_llama(folder, SMOLLM2),
         "--llama": lambda folder: write_large_llama(folder, LLAMA_1B)}

if __name__ == "__main__":
    torch.set_num_threads(1)
    if sys.argv[1:2] and sys.argv[1] in LARGE:
        LARGE[sys.argv[1]](pathlib.Path(sys.argv[2]))
        sys.exit()
    root = pathlib.Path(__file__).parent.parent / "data" / "families"
    if len(sys.argv) > 1:
        root = pathlib.Path(sys.argv[1])
    shutil.rmtree(root, ignore_errors=True)
    for seed, (name, (config, how)) in enumerate(FOLDERS.items()):
        write_folder(root / name, config, how, seed)
