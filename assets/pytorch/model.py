"""The Transformer of Vaswani et al. 2017, "Attention Is All You Need", in torch.nn and nothing else.

Read it from top to bottom: attention (§3.2), what stands around it in a layer (§3.1, §3.3), embeddings and positions
(§3.4, §3.5), then three models of these parts. Weights have the names and layouts of torch.nn.Transformer, so that a
file of either opens in the other. Shapes are written behind the lines:

    n    sequences of a batch          d      d_model, the width of the model
    T    positions that ask            h      heads
    S    positions that are asked      d_k    d / h, the width of a head
"""

import math

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    """Multi-head attention: in each head, softmax(Q Kᵀ / √d_k) V."""

    def __init__(self, d_model, heads):
        super().__init__()
        self.heads = heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * d_model, d_model))  # one under another: W_Q, W_K, W_V
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * d_model))
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x, y, forbidden):
        """x [n, T, d] asks and y [n, S, d] is asked. `forbidden`, of a shape that fits [n, h, T, S], is true where a
        position must not look. → [n, T, d]"""
        (w_q, w_k, w_v), (b_q, b_k, b_v) = self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3)
        q = self.in_heads(F.linear(x, w_q, b_q))                            # [n, h, T, d_k]
        k = self.in_heads(F.linear(y, w_k, b_k))                            # [n, h, S, d_k]
        v = self.in_heads(F.linear(y, w_v, b_v))                            # [n, h, S, d_k]
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[3])              # [n, h, T, S]
        weights = scores.masked_fill(forbidden, -math.inf).softmax(3)       # each row adds up to 1
        concat = (weights @ v).transpose(1, 2).flatten(2)                   # [n, T, d]: head beside head
        return self.out_proj(concat)

    def in_heads(self, x):
        """[n, T, d] → [n, h, T, d_k]: head 0 has the first d_k columns, head 1 the next."""
        return x.unflatten(2, (self.heads, -1)).transpose(1, 2)


class BatchNorm(nn.BatchNorm1d):
    """Batch norm in the place of layer norm: each column over all positions of all sequences. For comparison only;
    Transformers do better without."""

    def __init__(self, d_model, eps):
        super().__init__(d_model, eps=eps)
        self.num_batches_tracked = None  # counts for an average that is not taken here

    def forward(self, x):
        return super().forward(x.flatten(0, 1)).unflatten(0, x.shape[:2])

    def _load_from_state_dict(self, *arguments):
        nn.Module._load_from_state_dict(self, *arguments)  # BatchNorm1d's own would want the count


def make_norm(config):
    norm = BatchNorm if config["norm"] == "batch" else nn.LayerNorm
    return norm(config["d_model"], eps=config["layer_norm_eps"])


class Layer(nn.Module):
    """Self-attention, attention to an encoder's output where there is one to read, and a feed-forward network, each
    with a residual connection around it."""

    def __init__(self, config, reads_encoder=False):
        super().__init__()
        d_model, heads = config["d_model"], config["num_heads"]
        self.self_attn = Attention(d_model, heads)
        if reads_encoder:
            self.multihead_attn = Attention(d_model, heads)
        self.linear1 = nn.Linear(d_model, config["d_ff"])
        self.linear2 = nn.Linear(config["d_ff"], d_model)
        self.norm1, self.norm2 = make_norm(config), make_norm(config)
        if reads_encoder:
            self.norm3 = make_norm(config)
        self.reads_encoder = reads_encoder
        self.norm_comes_first = config["norm_position"] == "pre"
        self.activation = {"relu": F.relu, "gelu": F.gelu}[config["activation"]]
        self.dropout = nn.Dropout(config["dropout"])

    def forward(self, x, forbidden, memory=None, forbidden_in_memory=None):
        """x [n, T, d], memory [n, S, d] → [n, T, d]"""
        x = self.residual(x, self.norm1, lambda x: self.self_attn(x, x, forbidden))
        if self.reads_encoder:
            x = self.residual(x, self.norm2, lambda x: self.multihead_attn(x, memory, forbidden_in_memory))
        return self.residual(x, self.norm3 if self.reads_encoder else self.norm2, self.feed_forward)

    def residual(self, x, norm, sublayer):
        if self.norm_comes_first:
            return x + self.dropout(sublayer(norm(x)))
        return norm(x + self.dropout(sublayer(x)))

    def feed_forward(self, x):
        return self.linear2(self.activation(self.linear1(x)))


class Stack(nn.Module):
    """Layers one after another, and perhaps a last norm."""

    def __init__(self, config, layers, reads_encoder=False):
        super().__init__()
        self.layers = nn.ModuleList(Layer(config, reads_encoder) for _ in range(layers))
        if config["final_norm"]:
            self.norm = make_norm(config)

    def forward(self, x, *what_else):
        for layer in self.layers:
            x = layer(x, *what_else)
        return self.norm(x) if hasattr(self, "norm") else x


def sinusoidal_positions(length, d_model):
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos(the same): [T, d]"""
    pos = torch.arange(length, dtype=torch.float64)[:, None]
    column = torch.arange(d_model, dtype=torch.float64)
    angle = pos / 10000 ** (2 * (column // 2) / d_model)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


class Model(nn.Module):
    """What the three models have in common: embeddings, and a loss."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.dropout = nn.Dropout(config["dropout"])

    def make_embeddings(self, *sides):
        """A side is "source" or "target": what is read, and what is written."""
        config = self.config
        for side in sides:
            setattr(self, side + "_embedding", nn.Embedding(config[side + "_vocab_size"], config["d_model"]))
        if config["positional_encoding"] == "learned":
            for side in sides:
                setattr(self, side + "_positions", nn.Embedding(config["max_length"], config["d_model"]))

    def embed(self, side, ids):
        """Rows of the table, × √d, plus the positions: ids [n, T] → [n, T, d]"""
        config, length = self.config, ids.shape[1]
        x = getattr(self, side + "_embedding")(ids)
        if config["scale_embeddings"]:
            x = x * math.sqrt(config["d_model"])
        if config["positional_encoding"] == "learned":
            x = x + getattr(self, side + "_positions").weight[:length]
        if config["positional_encoding"] == "sinusoidal":
            x = x + sinusoidal_positions(length, config["d_model"]).to(x)
        return self.dropout(x)

    def padding(self, ids):
        """True where a key is padding: ids [n, S] → [n, 1, 1, S]"""
        return (ids == self.config["pad_id"])[:, None, None, :]

    def not_yet(self, ids):
        """True where a key comes later than the query, or is padding: ids [n, T] → [n, 1, T, T]"""
        length = ids.shape[1]
        later = torch.ones(length, length, dtype=torch.bool, device=ids.device).triu(1)
        return later | self.padding(ids)

    def loss(self, logits, goal, label_smoothing=0.0):
        """Mean cross-entropy of the goals that are not padding: logits [n, T, words], goal [n, T]."""
        of_classes = self.config.get("head") == "classes"  # a class may have the number that padding has
        return F.cross_entropy(logits.flatten(0, 1).float(), goal.flatten(), label_smoothing=label_smoothing,
                               ignore_index=-100 if of_classes else self.config["pad_id"])

    # One matrix under several names (§3.4; Press & Wolf 2017): files and optimizers know the first of them.
    tied = ()

    def tie(self, first, *others):
        """tie("source_embedding", "generator"): both have the weight of the first."""
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

    @torch.no_grad()
    def initialise(self, generator):
        """New weights: Glorot's for matrices, N(0, 1/d) for embeddings, as Headlight begins too. The generator belongs
        to the processor, so that every machine and every process begins with the same numbers."""
        for name, weight in self.named_parameters():
            new = torch.empty(weight.shape)
            if name.endswith("_embedding.weight"):
                new.normal_(0, self.config["d_model"] ** -0.5, generator=generator)
            elif name.endswith("_positions.weight"):
                new.normal_(0, 0.02, generator=generator)
            elif weight.dim() == 1:
                new.fill_(1 if "norm" in name and name.endswith("weight") else 0)
            else:
                out, into = weight.shape
                bound = math.sqrt(6 / (into + (out // 3 if name.endswith("in_proj_weight") else out)))
                new.uniform_(-bound, bound, generator=generator)
            weight.copy_(new)


class EncoderDecoder(Model):
    """Reads one sequence and writes another: the paper's own."""

    def __init__(self, config):
        super().__init__(config)
        self.make_embeddings("source", "target")
        self.transformer = nn.ModuleDict({
            "encoder": Stack(config, config["encoder_layers"]),
            "decoder": Stack(config, config["decoder_layers"], reads_encoder=True)})
        self.generator = nn.Linear(config["d_model"], config["target_vocab_size"])
        if config["tie_embeddings"]:
            self.tie("source_embedding", "target_embedding", "generator")

    def forward(self, source, target):
        """source [n, S] is fed as `tokens </s>`, target [n, T] as `<s> tokens`. → logits [n, T, words]"""
        padding = self.padding(source)
        memory = self.transformer["encoder"](self.embed("source", source), padding)
        x = self.transformer["decoder"](self.embed("target", target), self.not_yet(target), memory, padding)
        return self.generator(x)


class EncoderOnly(Model):
    """Reads, and says a word for each that it reads, or one class for all (Devlin et al. 2018)."""

    def __init__(self, config):
        super().__init__(config)
        self.make_embeddings("source")
        self.encoder = Stack(config, config["encoder_layers"])
        if config["head"] == "classes":
            self.classifier = nn.Linear(config["d_model"], len(config["labels"]))
        else:
            self.generator = nn.Linear(config["d_model"], config["target_vocab_size"])

    def forward(self, source):
        """source [n, S] is fed as `tokens </s>`. → logits [n, S, words], or [n, 1, classes]"""
        x = self.encoder(self.embed("source", source), self.padding(source))
        if self.config["head"] == "tokens":
            return self.generator(x)
        is_word = (source != self.config["pad_id"])[:, :, None].to(x)
        mean = (x * is_word).sum(1, keepdim=True) / is_word.sum(1, keepdim=True)  # [n, 1, d]
        return self.classifier(mean)


class DecoderOnly(Model):
    """Writes on, each word from those before it (Radford et al. 2018)."""

    def __init__(self, config):
        super().__init__(config)
        self.make_embeddings("target")
        self.decoder = Stack(config, config["decoder_layers"])
        self.generator = nn.Linear(config["d_model"], config["target_vocab_size"])
        if config["tie_embeddings"]:
            self.tie("target_embedding", "generator")

    def forward(self, target):
        """target [n, T] is fed as `<s> tokens`. → logits [n, T, words]"""
        return self.generator(self.decoder(self.embed("target", target), self.not_yet(target)))


DEFAULTS = {  # what config.json may leave out: the paper's
    "architecture": "encoder-decoder", "activation": "relu", "norm_position": "post", "norm": "layer",
    "final_norm": False, "layer_norm_eps": 1e-5, "positional_encoding": "sinusoidal", "scale_embeddings": True,
    "tie_embeddings": False, "dropout": 0.1, "max_length": 64, "pad_id": 0, "bos_id": 1, "eos_id": 2, "unk_id": 3,
    "head": "tokens",
}


def make_model(config):
    """The model that a config.json describes, without its weights."""
    config = {**DEFAULTS, **config}
    kinds = {"encoder-decoder": EncoderDecoder, "encoder-only": EncoderOnly, "decoder-only": DecoderOnly}
    return kinds[config["architecture"]](config)
