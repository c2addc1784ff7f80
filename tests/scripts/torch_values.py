"""Every named value of a forward pass, in PyTorch: the reference that Headlight's numbers are held against.

`values_of_pass` computes a pass one step at a time from the weights of the model, under the paths by which
Headlight knows its values ("decoder.1.cross_attn.scores"). That this is what torch.nn.Transformer computes is
not believed but checked: `values_inside_torch` listens to the modules of nn.Transformer while they run, and
`check_against_torch` compares.
"""

import json
import math

import torch

from headlight_torch import load_model, load_tokenizers


def attention(values, path, layer, queries_from, keys_from, forbidden):
    """Multi-head attention, step by step; `forbidden` [T, S] is true where a query must not look at a key."""
    heads, d_k = layer.num_heads, layer.head_dim

    def project(x, which):  # W_Q, W_K, W_V lie one under another
        rows = slice(which * layer.embed_dim, (which + 1) * layer.embed_dim)
        y = x @ layer.in_proj_weight[rows].T + layer.in_proj_bias[rows]
        return y.reshape(len(x), heads, d_k).transpose(0, 1)  # head h has columns h·d_k …

    q = values[path + ".q"] = project(queries_from, 0)
    k = values[path + ".k"] = project(keys_from, 1)
    v = values[path + ".v"] = project(keys_from, 2)
    scores = values[path + ".scores"] = q @ k.transpose(1, 2)
    scaled = values[path + ".scaled"] = scores / math.sqrt(d_k)
    masked = values[path + ".masked"] = scaled.masked_fill(forbidden, -math.inf)
    weights = values[path + ".weights"] = masked.softmax(-1)
    outputs = values[path + ".heads"] = weights @ v
    concat = values[path + ".concat"] = outputs.transpose(0, 1).reshape(len(queries_from), heads * d_k)
    values[path + ".output"] = concat @ layer.out_proj.weight.T + layer.out_proj.bias
    return values[path + ".output"]


def layer_norm(x, norm):
    """Or batch norm in its place, by the statistics that training kept."""
    if getattr(norm, "running_mean", None) is not None:
        return (x - norm.running_mean) / (norm.running_var + norm.eps).sqrt() * norm.weight + norm.bias
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.square().mean(-1, keepdim=True) + norm.eps).sqrt() * norm.weight + norm.bias


def feed_forward(values, path, layer, x, activation):
    hidden = values[path + ".hidden"] = x @ layer.linear1.weight.T + layer.linear1.bias
    if activation == "relu":
        activated = hidden.clamp(min=0)
    else:
        activated = hidden * 0.5 * (1 + torch.erf(hidden / math.sqrt(2)))
    values[path + ".activated"] = activated
    values[path + ".output"] = activated @ layer.linear2.weight.T + layer.linear2.bias
    return values[path + ".output"]


def embed(values, path, model, side, ids):
    x = values[path + ".tokens"] = getattr(model, side + "_embedding").weight[ids]
    if model.config["scale_embeddings"]:
        x = values[path + ".scaled"] = x * math.sqrt(model.config["d_model"])
    positions = model.positions(side, len(ids))
    if positions is not None:
        values[path + ".positions"] = positions
        x = x + positions
    values[path + ".output"] = x
    return x


def values_of_pass(model, source, target):
    """path → value, in the order of computation. source and target are ids as they are fed, [S] and [T]."""
    config, values = model.config, {}
    source_padding = (source == config["pad_id"])[None, :]
    look_ahead = torch.ones(len(target), len(target), dtype=torch.bool).triu(1)
    target_forbidden = look_ahead | (target == config["pad_id"])[None, :]

    def sublayer(path, layer, number, x, f):
        """Post-norm: LayerNorm(x + f(x)); pre-norm: x + f(LayerNorm(x)). The names are the same."""
        add, norm, weights = f"{path}.add{number}", f"{path}.norm{number}", getattr(layer, f"norm{number}")
        if config["norm_position"] == "pre":
            values[norm] = layer_norm(x, weights)
            values[add] = x + f(values[norm])
            return values[add]
        values[add] = x + f(x)
        values[norm] = layer_norm(values[add], weights)
        return values[norm]

    x = embed(values, "encoder.embed", model, "source", source)
    for i, layer in enumerate(model.transformer.encoder.layers):
        path = f"encoder.{i}"
        x = sublayer(path, layer, 1, x, lambda y: attention(
            values, path + ".self_attn", layer.self_attn, y, y, source_padding))
        x = sublayer(path, layer, 2, x, lambda y: feed_forward(
            values, path + ".ffn", layer, y, config["activation"]))
    memory = values["encoder.output"] = layer_norm(
        x, model.transformer.encoder.norm) if config["final_norm"] else x

    x = embed(values, "decoder.embed", model, "target", target)
    for i, layer in enumerate(model.transformer.decoder.layers):
        path = f"decoder.{i}"
        x = sublayer(path, layer, 1, x, lambda y: attention(
            values, path + ".self_attn", layer.self_attn, y, y, target_forbidden))
        x = sublayer(path, layer, 2, x, lambda y: attention(
            values, path + ".cross_attn", layer.multihead_attn, y, memory, source_padding))
        x = sublayer(path, layer, 3, x, lambda y: feed_forward(
            values, path + ".ffn", layer, y, config["activation"]))
    x = values["decoder.output"] = layer_norm(x, model.transformer.decoder.norm) if config["final_norm"] else x

    logits = values["output.logits"] = x @ model.generator.weight.T + model.generator.bias
    values["output.probabilities"] = logits.softmax(-1)
    return {path: value.detach() for path, value in values.items()}


def values_inside_torch(model, source, target):
    """path → value, as the modules of nn.Transformer themselves compute them, and the logits."""
    heard, hooks = {}, []

    def listen(module, path):
        def hear(_module, _inputs, output):
            heard[path] = (output[0] if isinstance(output, tuple) else output)[0].detach()
        hooks.append(module.register_forward_hook(hear))

    for stack, attentions in (("encoder", {"self_attn": "self_attn"}),
                              ("decoder", {"self_attn": "self_attn", "multihead_attn": "cross_attn"})):
        modules = getattr(model.transformer, stack)
        listen(modules, f"{stack}.output")
        for i, layer in enumerate(modules.layers):
            for theirs, ours in attentions.items():
                listen(getattr(layer, theirs), f"{stack}.{i}.{ours}.output")
            for number in range(1, len(attentions) + 2):
                listen(getattr(layer, f"norm{number}"), f"{stack}.{i}.norm{number}")
            listen(layer.linear1, f"{stack}.{i}.ffn.hidden")
            listen(layer.linear2, f"{stack}.{i}.ffn.output")
    listen(model.generator, "output.logits")
    with torch.enable_grad():  # without gradients PyTorch may take a fused path that calls no submodule
        model.eval()(source[None], target[None])
    for hook in hooks:
        hook.remove()
    return heard


def worst_difference(ours, theirs):
    """The largest difference, relative to the largest finite magnitude of `theirs`; infinite when shapes, NaNs
    or the places of −∞ differ."""
    if ours.shape != theirs.shape:
        return math.inf
    ours, theirs = ours.double(), theirs.double()
    finite = theirs.isfinite()
    if not torch.equal(finite, ours.isfinite()) or not torch.equal(ours[~finite], theirs[~finite]):
        return math.inf
    if not finite.any():
        return 0.0
    largest = theirs[finite].abs().max().item()
    difference = (ours[finite] - theirs[finite]).abs().max().item()
    return difference / largest if largest > 0 else (math.inf if difference > 0 else 0.0)


def check_against_torch(model, values, source, target, tolerance=1e-10):
    """Raises when the step-by-step values are not those of nn.Transformer; the model must be in double."""
    heard = values_inside_torch(model, source, target)
    layers = model.config["encoder_layers"] * 5 + model.config["decoder_layers"] * 7
    assert len(heard) == layers + 3, f"nn.Transformer let {len(heard)} values be heard"
    for path, theirs in heard.items():
        difference = worst_difference(values[path], theirs)
        if not difference <= tolerance:
            raise AssertionError(f"{path} is not what nn.Transformer computes: {difference:.3g} relative")


def token_metadata(folder, source, target):
    """The two arrays of tokens, as `headlight trace` writes them."""
    sides = zip(("source_tokens", "target_tokens"), load_tokenizers(folder), (source, target))
    return {key: json.dumps([tokenizer.tokens[int(id)] for id in ids], ensure_ascii=False)
            for key, tokenizer, ids in sides}


def ids_from_metadata(folder, metadata):
    return [torch.tensor([tokenizer.ids[token] for token in json.loads(metadata[key])])
            for key, tokenizer in zip(("source_tokens", "target_tokens"), load_tokenizers(folder))]


def load_double(folder):
    return load_model(folder).double()
