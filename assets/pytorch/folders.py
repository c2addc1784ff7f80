"""Folders that Headlight opens: a model, and a run of training with its curves and its kept moments.

    config.json, model.safetensors, tokenizer*.json   the newest model: headlight --model FOLDER
    training.json                                     its task: headlight train --from FOLDER --out …
    run.json, curves.safetensors                      what was chosen, judged, and every step's loss
    timeline.safetensors                              the weights of the kept moments, and Adam's moments of the newest

In the window: room Train, File, Open a run; or the command `train open FOLDER`.
"""

import json
import math
import os
import shutil
import struct

import torch

from model import make_model

GO_ALONG = ("tokenizer.json", "tokenizer_source.json", "tokenizer_target.json", "training.json")


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        file.write("\n")


# --- safetensors: eight bytes with the length of a JSON header, the header, the numbers ----------------------------

DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


def read_safetensors(path):
    """name → tensor, in single precision"""
    with open(path, "rb") as file:
        length, = struct.unpack("<Q", file.read(8))
        header, numbers = json.loads(file.read(length)), bytearray(file.read())
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        dtype = DTYPES[entry["dtype"]]
        flat = torch.frombuffer(numbers[begin:end], dtype=dtype) if end > begin else torch.empty(0, dtype=dtype)
        tensors[name] = flat.reshape(entry["shape"]).float()
    return tensors


def write_safetensors(path, tensors):
    """name → tensor, written in single precision"""
    header, parts, offset = {}, [], 0
    for name, tensor in tensors.items():
        parts.append(tensor.detach().float().cpu().contiguous().numpy().tobytes())
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [offset, offset + len(parts[-1])]}
        offset += len(parts[-1])
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # the numbers begin at a multiple of eight
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.writelines(parts)


# --- models ---------------------------------------------------------------------------------------------------------


def load_model(folder):
    """The model of a folder, to be asked (`eval`): every name and every shape must fit."""
    model = make_model(read_json(os.path.join(folder, "config.json")))
    model.load_state_dict(read_safetensors(os.path.join(folder, "model.safetensors")), strict=True)
    return model.eval()


def save_model(model, folder, made_from):
    """Writes a folder that `headlight --model` opens."""
    os.makedirs(folder, exist_ok=True)
    write_json(os.path.join(folder, "config.json"), model.config)
    write_safetensors(os.path.join(folder, "model.safetensors"), model.state_dict())
    for name in GO_ALONG:
        if os.path.exists(os.path.join(made_from, name)):
            shutil.copyfile(os.path.join(made_from, name), os.path.join(folder, name))


# --- all weights as one row of numbers, as a timeline keeps them -----------------------------------------------------


def in_order(model):
    """Names of what is learned, then of the statistics that batch norm keeps."""
    learned = dict(model.named_parameters())
    return list(learned) + [name for name in model.state_dict() if name not in learned]


def flat(model, of):
    """One row of numbers: of each name of the model what `of` has, and zeros where it has nothing."""
    state = model.state_dict()
    return torch.cat([of.get(name, torch.zeros_like(state[name])).detach().flatten().cpu() for name in in_order(model)])


def unflat(model, row):
    """name → tensor, of such a row"""
    state, at, tensors = model.state_dict(), 0, {}
    for name in in_order(model):
        tensors[name] = row[at:at + state[name].numel()].reshape(state[name].shape).clone()
        at += state[name].numel()
    return tensors


# --- runs -----------------------------------------------------------------------------------------------------------


class Run:
    """What has happened so far. One process writes it; all of them go on from it."""

    def __init__(self, folder):
        """The run of a folder as it was saved, or as `headlight export` prepared it: step 0, no curves."""
        if not os.path.exists(folder) and os.path.exists(folder + ".old"):
            folder += ".old"  # the power failed between the two renames of save()
        self.folder = folder
        self.facts = read_json(os.path.join(folder, "run.json"))
        curves = read_safetensors(os.path.join(folder, "curves.safetensors"))
        self.curves = {name: curves[name].tolist() for name in ("loss", "gradient_norm", "learning_rate")}
        self.timeline = read_safetensors(os.path.join(folder, "timeline.safetensors"))

    @property
    def step(self):
        return self.facts["step"]

    def load(self, model, optimizer):
        """Weights and Adam's moments as they were after the last step."""
        model.load_state_dict(unflat(model, self.timeline[f"{self.step}.weights"]))
        if f"{self.step}.m" not in self.timeline:
            return
        m, v = (unflat(model, self.timeline[f"{self.step}.{part}"]) for part in "mv")
        for name, weight in model.named_parameters():
            optimizer.state[weight] = {"step": torch.tensor(float(self.step)), "exp_avg": m[name].to(weight.device),
                                       "exp_avg_sq": v[name].to(weight.device)}

    def begin(self, model):
        """Forgets all moments but that of these weights, at step 0: the run of a new model."""
        self.timeline = {"0.weights": flat(model, model.state_dict())}

    def is_set_to(self, **settings):
        self.facts["settings"].update((name, f"{value:g}") for name, value in settings.items())

    def is_of_own_pairs(self, path, training, held_out):
        if self.facts["task"] not in ("sentiment", "next-word"):  # which a person's own file leaves what they are
            self.facts["task"] = "pairs"
        self.facts.update(pairs=path, training_pairs=len(training), held_out=held_out[:64])

    def add_steps(self, losses, norms, rates):
        for name, values in zip(("loss", "gradient_norm", "learning_rate"), (losses, norms, rates)):
            self.curves[name] += values
        self.facts["step"] += len(losses)

    def judge(self, loss, token_accuracy, exact_match, seconds):
        """Of the held-out pairs, as the model is now."""
        self.facts["seconds"] = seconds
        loss = loss if math.isfinite(loss) else None  # JSON has no word for a loss without end
        self.facts["judged"].append([self.step, seconds, loss, token_accuracy, exact_match])

    def keep(self, model, optimizer, most=60):
        """Keeps this moment for the time machine. When there are too many, every second goes."""
        self.timeline = {name: row for name, row in self.timeline.items() if name.endswith(".weights")}
        steps = sorted(int(name.split(".")[0]) for name in self.timeline)
        if len(steps) >= most:
            for step in steps[1::2]:
                del self.timeline[f"{step}.weights"]
        self.timeline[f"{self.step}.weights"] = flat(model, model.state_dict())
        if not optimizer.state:
            return  # Adam has not begun
        moments = {name: optimizer.state[weight] for name, weight in model.named_parameters()}
        for part, torchs in (("m", "exp_avg"), ("v", "exp_avg_sq")):
            self.timeline[f"{self.step}.{part}"] = flat(model, {name: of[torchs] for name, of in moments.items()})

    def save(self, folder, model, made_from):
        """Whole or not at all: into a new folder, which then takes the old one's name."""
        new, old = folder + ".new", folder + ".old"
        shutil.rmtree(new, ignore_errors=True)
        save_model(model, new, made_from)
        write_json(os.path.join(new, "run.json"), self.facts)
        write_safetensors(os.path.join(new, "curves.safetensors"),
                          {name: torch.tensor(values) for name, values in self.curves.items()})
        write_safetensors(os.path.join(new, "timeline.safetensors"), self.timeline)
        shutil.rmtree(old, ignore_errors=True)
        if os.path.exists(folder):
            os.rename(folder, old)
        os.rename(new, folder)
        shutil.rmtree(old, ignore_errors=True)
