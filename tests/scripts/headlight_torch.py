"""Headlight's model folders in PyTorch: load one, compute logits, train on, hand it back.

A folder holds `config.json`, `model.safetensors` and one tokenizer file (`tokenizer.json`) or two
(`tokenizer_source.json`, `tokenizer_target.json`). The weights have the names and layouts of
`torch.nn.Transformer.state_dict()`, so that this file is little more than a `torch.nn.Transformer` between
two embedding tables and a linear layer. It needs PyTorch 1.10 or later, and nothing else.

Load a model and ask it for logits:

    from headlight_torch import load_model, load_tokenizers
    model = load_model("my-model")
    english, portuguese = load_tokenizers("my-model")
    source = torch.tensor([english.encode("the animal was tired") + [model.config["eos_id"]]])
    target = torch.tensor([[model.config["bos_id"]] + portuguese.encode("o animal")])
    with torch.no_grad():
        logits = model(source, target)                          # [1, 3, target vocabulary]
        print(portuguese.decode(model.greedy(source)))

Train it on, with padded batches of ids (`goal` is the target one step ahead: it ends in </s>):

    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9)
    for source, target, goal in batches:
        optimizer.zero_grad()
        model.loss(source, target, goal, label_smoothing=0.1).backward()
        optimizer.step()

Hand it back; Headlight opens the new folder like any of its own:

    save_model(model, "my-model-2", tokenizers_from="my-model")
"""

import json
import math
import os
import re
import shutil
import struct
import unicodedata

import torch
from torch import nn

DEFAULTS = {  # what config.json may leave out: Vaswani et al. 2017
    "architecture": "encoder-decoder", "d_model": 64, "num_heads": 4, "encoder_layers": 2, "decoder_layers": 2,
    "d_ff": 256, "activation": "relu", "norm_position": "post", "norm": "layer", "final_norm": False, "layer_norm_eps": 1e-5,
    "positional_encoding": "sinusoidal", "scale_embeddings": True, "tie_embeddings": False, "dropout": 0.1,
    "max_length": 64,
    "source_vocab_size": 0, "target_vocab_size": 0, "pad_id": 0, "bos_id": 1, "eos_id": 2, "unk_id": 3,
}
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_source.json", "tokenizer_target.json")


# --- the model -----------------------------------------------------------------------------------------------


def sinusoidal_positions(length, d_model):
    """PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(same): [length, d_model] in double."""
    position = torch.arange(length, dtype=torch.float64)[:, None]
    column = torch.arange(d_model, dtype=torch.float64)[None, :]
    angle = position / 10000 ** (2 * torch.div(column, 2, rounding_mode="floor") / d_model)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


class BatchNormOverRows(nn.BatchNorm1d):
    """nn.BatchNorm1d of all rows of all sequences [n, T, d], padding among them. That steps are counted serves
    only an average that is not used here: the count is not kept."""

    def __init__(self, d_model, eps):
        super().__init__(d_model, eps=eps)
        self.num_batches_tracked = None

    def forward(self, x):
        return super().forward(x.flatten(0, 1)).unflatten(0, x.shape[:2])

    def _load_from_state_dict(self, *arguments):
        nn.Module._load_from_state_dict(self, *arguments)  # BatchNorm's own would add the count


class Tied(nn.Module):
    """A module in which one matrix may have several names (§3.4; Press & Wolf 2017): files know the first."""

    tied = ()

    def tie(self, first, *others):
        for other in others:
            getattr(self, other).weight = getattr(self, first).weight
        self.tied = tuple((other + ".weight", first + ".weight") for other in others)

    def state_dict(self, *arguments, **options):
        state = super().state_dict(*arguments, **options)
        for other, _ in self.tied:
            state.pop(options.get("prefix", "") + other)
        return state

    def load_state_dict(self, state, *arguments, **options):
        others = {other: state[first] for other, first in self.tied if other not in state}
        return super().load_state_dict({**state, **others}, *arguments, **options)


class HeadlightTransformer(Tied):
    """The encoder-decoder Transformer of Vaswani et al. 2017, as config.json describes it."""

    def __init__(self, config):
        super().__init__()
        self.config = config = {**DEFAULTS, **config}
        if config["architecture"] != "encoder-decoder":
            raise ValueError(f"architecture {config['architecture']!r} is not encoder-decoder")
        d_model = config["d_model"]
        self.source_embedding = nn.Embedding(config["source_vocab_size"], d_model)
        self.target_embedding = nn.Embedding(config["target_vocab_size"], d_model)
        if config["positional_encoding"] == "learned":
            self.source_positions = nn.Embedding(config["max_length"], d_model)
            self.target_positions = nn.Embedding(config["max_length"], d_model)
        self.transformer = nn.Transformer(
            d_model=d_model, nhead=config["num_heads"], num_encoder_layers=config["encoder_layers"],
            num_decoder_layers=config["decoder_layers"], dim_feedforward=config["d_ff"],
            dropout=config["dropout"], activation=config["activation"], layer_norm_eps=config["layer_norm_eps"],
            batch_first=True, norm_first=config["norm_position"] == "pre")
        encoder, decoder = self.transformer.encoder, self.transformer.decoder
        if not config["final_norm"]:  # nn.Transformer always makes them; the paper has none
            encoder.norm = decoder.norm = None
        # Nested tensors cut the rows of padding off in evaluation; the masks here are as long as the source.
        encoder.enable_nested_tensor = encoder.use_nested_tensor = False
        if config["norm"] == "batch":
            for stack in (encoder, decoder):
                for layer in stack.layers:
                    layer.activation_relu_or_gelu = 0  # else evaluation takes a short cut through layer norm
                for module in [*stack.layers, stack]:
                    for name in ("norm", "norm1", "norm2", "norm3"):
                        if getattr(module, name, None) is not None:
                            setattr(module, name, BatchNormOverRows(d_model, config["layer_norm_eps"]))
        self.embedding_dropout = nn.Dropout(config["dropout"])
        self.generator = nn.Linear(d_model, config["target_vocab_size"])
        if config["tie_embeddings"]:
            self.tie("source_embedding", "target_embedding", "generator")

    def positions(self, side, length):
        """What is added to the embeddings of `side` ("source" or "target"): [length, d_model], or None."""
        kind = self.config["positional_encoding"]
        if kind == "none":
            return None
        if kind == "learned":
            return getattr(self, side + "_positions").weight[:length]
        return sinusoidal_positions(length, self.config["d_model"]).to(self.generator.weight)

    def embed(self, side, ids):
        """Rows of the embedding table, × √d_model, plus the positions: ids [n, T] → [n, T, d_model]."""
        x = getattr(self, side + "_embedding")(ids)
        if self.config["scale_embeddings"]:
            x = x * math.sqrt(self.config["d_model"])
        positions = self.positions(side, ids.shape[1])
        return self.embedding_dropout(x if positions is None else x + positions)

    def forward(self, source, target):
        """source [n, S] fed as `tokens </s>`, target [n, T] fed as `<s> tokens`; both may end in padding.
        → logits [n, T, target vocabulary]"""
        length = target.shape[1]
        padding = source == self.config["pad_id"]  # masks are true where attention is not allowed
        look_ahead = torch.ones(length, length, dtype=torch.bool, device=target.device).triu(1)
        decoded = self.transformer(
            self.embed("source", source), self.embed("target", target), tgt_mask=look_ahead,
            src_key_padding_mask=padding, memory_key_padding_mask=padding,
            tgt_key_padding_mask=target == self.config["pad_id"])
        return self.generator(decoded)

    def loss(self, source, target, goal, label_smoothing=0.0):
        """Mean cross-entropy over the goal tokens that are not padding; goal [n, T] is `tokens </s>`."""
        return nn.functional.cross_entropy(
            self(source, target).flatten(0, 1), goal.flatten(), ignore_index=self.config["pad_id"],
            label_smoothing=label_smoothing)

    @torch.no_grad()
    def greedy(self, source):
        """The model's own answer to one source [1, S]: the likeliest token, again and again, until </s>."""
        answer = [self.config["bos_id"]]
        while len(answer) < self.config["max_length"]:
            target = torch.tensor([answer], device=source.device)
            answer.append(int(self(source, target)[0, -1].argmax()))
            if answer[-1] == self.config["eos_id"]:
                return answer[1:-1]
        return answer[1:]


# --- folders -------------------------------------------------------------------------------------------------


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def tokenizer_paths(folder):
    """(source, target): the same path twice when one tokenizer serves both."""
    shared, source, target = (os.path.join(folder, name) for name in TOKENIZER_FILES)
    return (shared, shared) if os.path.exists(shared) else (source, target)


def load_tokenizers(folder):
    """(source, target)"""
    source, target = tokenizer_paths(folder)
    return Tokenizer(source), Tokenizer(target)


def load_model(folder):
    """The model of a folder, on the CPU, in evaluation mode. Every name and shape must fit."""
    config = {**DEFAULTS, **read_json(os.path.join(folder, "config.json"))}
    for key, tokenizer in zip(("source_vocab_size", "target_vocab_size"), load_tokenizers(folder)):
        config[key] = config[key] or len(tokenizer.ids)
    model = HeadlightTransformer(config)
    weights, _ = read_safetensors(os.path.join(folder, "model.safetensors"))
    model.load_state_dict(weights, strict=True)
    return model.eval()


def save_model(model, folder, tokenizers_from=None, dtype=torch.float32):
    """Writes config.json and model.safetensors (as float32, or float16 or bfloat16 to halve the file), and
    copies the tokenizers of another folder."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(model.config, file, indent=2)
        file.write("\n")
    weights = {name: weight.detach().cpu().to(dtype) for name, weight in model.state_dict().items()}
    write_safetensors(os.path.join(folder, "model.safetensors"), weights, {"format": "pt"})
    if tokenizers_from is not None:
        for path in set(tokenizer_paths(tokenizers_from)):
            shutil.copyfile(path, os.path.join(folder, os.path.basename(path)))


# --- tokenizers ----------------------------------------------------------------------------------------------


class Tokenizer:
    """A tokenizer file as Headlight writes them: whole words, or characters. For any other file, and wherever
    that package is installed, `tokenizers.Tokenizer.from_file` of the Hugging Face library does the same."""

    def __init__(self, path):
        self.file = read_json(path)
        self.ids = dict(self.file["model"]["vocab"])  # token → id
        self.ids.update((added["content"], added["id"]) for added in self.file.get("added_tokens", []))
        self.tokens = {id: token for token, id in self.ids.items()}
        self.special = {added["id"] for added in self.file.get("added_tokens", []) if added["special"]}

    def encode(self, text):
        """Ids of the text's tokens, without <s> and </s>; special tokens are not looked for in the text."""
        unknown = self.ids[self.file["model"]["unk_token"]]
        return [self.ids.get(token, unknown) for token in self.split(self.normalize(text))]

    def decode(self, ids):
        glue = "" if (self.file.get("decoder") or {}).get("type") == "Fuse" else " "
        return glue.join(self.tokens[id] for id in ids if id not in self.special)

    def normalize(self, text):
        step = self.file.get("normalizer") or {"type": "Sequence", "normalizers": []}
        for step in step["normalizers"] if step["type"] == "Sequence" else [step]:
            if step["type"] in ("NFC", "NFD", "NFKC", "NFKD"):
                text = unicodedata.normalize(step["type"], text)
            elif step["type"] == "Lowercase":
                text = text.lower()
            elif step["type"] == "Replace" and "String" in step["pattern"]:
                text = text.replace(step["pattern"]["String"], step["content"])
            else:
                raise NotImplementedError(f"normalizer {step}: use the `tokenizers` package")
        return text

    def split(self, text):
        step = self.file.get("pre_tokenizer") or {"type": "none"}
        if step["type"] == "WhitespaceSplit":
            return text.split()
        # The tokens are what the pattern matches, and what is between words is dropped.
        if step["type"] == "Split" and (step["behavior"], step["invert"]) in (("Removed", True),
                                                                            ("Isolated", False)):
            return re.findall(step["pattern"]["Regex"], text)
        raise NotImplementedError(f"pre_tokenizer {step}: use the `tokenizers` package")


# --- safetensors ---------------------------------------------------------------------------------------------
# Eight bytes with the length of a JSON header, the header, the numbers. `safetensors.torch.load_file` and
# `save_file` do the same, where that package is installed.

DTYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
          "I64": torch.int64, "I32": torch.int32, "U8": torch.uint8, "BOOL": torch.bool}


def read_safetensors(path):
    """(name → tensor, metadata: name → text)"""
    with open(path, "rb") as file:
        header_size, = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(header_size))
        data = file.read()
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        dtype = DTYPES[entry["dtype"]]
        numbers = torch.frombuffer(bytearray(data[begin:end]), dtype=dtype) if end > begin else torch.empty(
            0, dtype=dtype)
        tensors[name] = numbers.reshape(entry["shape"])
    return tensors, metadata


def write_safetensors(path, tensors, metadata=None):
    names_of_dtypes = {dtype: name for name, dtype in DTYPES.items()}
    header, parts, offset = {}, [], 0
    if metadata:
        header["__metadata__"] = metadata
    for name, tensor in tensors.items():
        flat = tensor.detach().cpu().contiguous().reshape(-1)
        as_bytes = (flat.view(torch.int16) if flat.dtype == torch.bfloat16 else flat).numpy().tobytes()
        header[name] = {"dtype": names_of_dtypes[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [offset, offset + len(as_bytes)]}
        parts.append(as_bytes)
        offset += len(as_bytes)
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # the numbers begin at a multiple of eight
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.writelines(parts)
