#!/usr/bin/env python3
"""Trains the model of this folder, on one processor, on several, or on several machines with GPUs.

    torchrun --nproc_per_node=2 train.py --out run          two processes on this machine
    python3 train.py --out run                              one
    torchrun --nnodes=4 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=HOST:29500 train.py --out run

Begins with new weights (`--from model`: with those of the folder `model`), or, when `run` is there already, goes on
where it stopped. `run` is a folder that Headlight opens: in the room Train as a run, with its curves and its kept
moments, and anywhere else as a model. `--help` has the rest.
"""

import argparse
import itertools
import json
import math
import os
import random
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from data import encode, load_tokenizers, make_batch, read_pairs
from folders import Run, load_model, read_json
from model import make_model

HERE = os.path.dirname(os.path.abspath(__file__))


def read_options(settings):
    """What was chosen in Headlight is the default."""
    parser = argparse.ArgumentParser(description="Trains the model of this folder.")
    add = parser.add_argument
    add("--out", default="run", help="the run's folder; one that is there goes on")
    add("--from", dest="start", default="random", choices=("random", "model"), help="where new weights begin")
    add("--sizes", nargs="*", default=[], metavar="KEY=VALUE", help="of a new model, as config.json has them: "
        "d_model=512 num_heads=8 encoder_layers=6 decoder_layers=6 d_ff=2048")
    add("--pairs", help="own pairs: FILE.tsv, a line each, source TAB target; a tenth of them is held out")
    add("--steps", type=int, default=int(settings["steps"]), help="in all, from the first")
    add("--until-exact", type=float, default=float(settings["goal"]),
        help="ends when this share of the held-out pairs is exactly right; 0: only --steps ends")
    add("--batch", type=int, default=int(settings["batch"]), help="pairs of a step, of all processes together")
    add("--learning-rate", type=float, default=float(settings["learning_rate"]), help="at its highest")
    add("--warmup", type=int, default=int(settings["warmup"]), help="steps until it is; 0: constant")
    add("--label-smoothing", type=float, default=float(settings["label_smoothing"]))
    add("--clip", type=float, default=float(settings["clip"]), help="largest norm of the gradient; 0: any")
    add("--seed", type=int, default=int(settings["seed"]))
    add("--judge-every", type=int, default=100, help="steps between two looks at the held-out pairs")
    add("--save-every", type=int, default=500, help="steps between two checkpoints")
    return parser.parse_args()


# --- several processes -----------------------------------------------------------------------------------------------


class Team:
    """The processes that train together; each has its share of every batch."""

    def __init__(self):
        self.rank, self.size = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
        self.device = torch.device("cpu")
        if torch.cuda.is_available():
            self.device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
            torch.cuda.set_device(self.device)
        if self.size > 1:
            dist.init_process_group("nccl" if self.device.type == "cuda" else "gloo")

    @property
    def leads(self):
        return self.rank == 0

    def share(self, things):
        return things[self.rank::self.size]

    def sum(self, numbers):
        """Added up over all processes, each of which then has the sum."""
        total = torch.as_tensor(numbers, dtype=torch.float64, device=self.device)
        if self.size > 1:
            dist.all_reduce(total)
        return total.tolist()

    def wait(self):
        if self.size > 1:
            dist.barrier()

    def wrap(self, model):
        """The same model, whose gradients are the mean over all processes as soon as they are there."""
        if self.size == 1:
            return model
        return DistributedDataParallel(model, device_ids=[self.device] if self.device.type == "cuda" else None)


# --- one step --------------------------------------------------------------------------------------------------------


def rate_of_step(step, peak, warmup):
    """§5.3: rises for `warmup` steps, then falls with 1/√step."""
    return peak * min(step / warmup, math.sqrt(warmup / step)) if warmup > 0 else peak


class Trainer:
    def __init__(self, model, options, task, team):
        self.options, self.task, self.team = options, task, team
        self.model, self.parallel = model, team.wrap(model)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=options.learning_rate, betas=(0.9, 0.98), eps=1e-9)
        # On a GPU products are computed in 16 bits. bfloat16 reaches as far as float32; where there is only float16,
        # the loss is scaled so that small gradients are not lost.
        self.on_gpu = team.device.type == "cuda"
        needs_scale = self.on_gpu and not torch.cuda.is_bf16_supported()
        self.half = torch.float16 if needs_scale else torch.bfloat16
        self.scaler = torch.cuda.amp.GradScaler(enabled=needs_scale)

    def forward(self, pairs, parallel):
        """→ (logits, goal, counts, is_answer)"""
        fed, *rest = make_batch(pairs, self.model.config, self.task, self.team.device)
        with torch.autocast(self.team.device.type, dtype=self.half, enabled=self.on_gpu):
            return parallel(*fed), *rest

    def step(self, number, pairs):
        """→ (loss of this process's share, norm of the gradient, learning rate)"""
        options, share = self.options, max(1, self.options.batch // self.team.size)
        draw = random.Random(f"{options.seed} {number} {self.team.rank}")  # so a run that stopped goes on alike
        torch.manual_seed(draw.getrandbits(63))                            # of dropout
        rate = rate_of_step(number, options.learning_rate, options.warmup)
        self.optimizer.param_groups[0]["lr"] = rate

        self.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        logits, goal, _, _ = self.forward(draw.choices(pairs, k=share), self.parallel)
        loss = self.model.loss(logits, goal, options.label_smoothing)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), options.clip or math.inf)
        self.scaler.step(self.optimizer)  # not taken when a gradient has overflowed
        self.scaler.update()
        return loss.detach(), norm.detach(), rate

    @torch.no_grad()
    def judge(self, pairs, at_once=64):
        """Of the held-out pairs: (loss, token accuracy, exact match). One pass with the goal fed tells all: when each
        token is the likeliest after the goal's own beginning, the model would write the goal, and only then. Of the
        accuracy </s> is no part."""
        self.model.eval()
        loss = tokens = words = right = exact = 0
        mine = self.team.share(pairs)
        for at in range(0, len(mine), at_once):
            logits, goal, counts, is_answer = self.forward(mine[at:at + at_once], self.model)
            said = logits.argmax(2)
            is_right = said == goal
            if self.model.config["head"] != "classes":  # <unk> may stand for any word
                is_right &= said != self.model.config["unk_id"]
            loss += self.model.loss(logits, goal).item() * int(counts.sum())
            tokens += int(counts.sum())
            is_word = counts if self.model.config["head"] == "classes" else counts & (goal != self.model.config["eos_id"])
            words += int(is_word.sum())
            right += int((is_right & is_word).sum())
            exact += int((is_right | ~is_answer).all(1).sum())
        loss, tokens, words, right, exact = self.team.sum([loss, tokens, words, right, exact])
        return loss / max(1, tokens), right / max(1, words), exact / max(1, len(pairs))


# --- a run -----------------------------------------------------------------------------------------------------------


def parsed(size):
    """"d_model=512" → ("d_model", 512)"""
    key, value = size.split("=", 1)
    try:
        return key, json.loads(value)  # a number, true or false
    except ValueError:
        return key, value  # a word


def prepare_model(options, run, is_new, device):
    """The model, not yet with the weights of a run that goes on. Every process makes the same."""
    if not is_new:
        return make_model(read_json(os.path.join(run.folder, "config.json"))).to(device)
    model = load_model(os.path.join(HERE, "model"))
    if options.start == "random":
        model = make_model({**model.config, **dict(map(parsed, options.sizes))})
        model.initialise(torch.Generator().manual_seed(options.seed))
    run.begin(model)
    return model.to(device)


def prepare_pairs(options, model, run):
    """(task, pairs to train on, pairs that are held out), as ids"""
    task = read_json(os.path.join(HERE, "data", "task.json"))
    tokenizers = load_tokenizers(os.path.join(HERE, "model"))
    if options.pairs:
        pairs = read_pairs(options.pairs)
        random.Random(0).shuffle(pairs)
        held_out = max(1, len(pairs) // 10)
        training, held_out = pairs[held_out:] or pairs, pairs[:held_out]
        run.is_of_own_pairs(os.path.abspath(options.pairs), training, held_out)
    else:
        training, held_out = (read_pairs(os.path.join(HERE, "data", name)) for name in
                              ("training.jsonl", "held_out.jsonl"))
    training, held_out = (encode(pairs, model.config, tokenizers, task) for pairs in (training, held_out))
    if not training or not held_out:
        raise SystemExit("no pair is short enough for this model, or there are none")
    return task, training, held_out


def main():
    prepared = os.path.join(HERE, "model")
    options = read_options(read_json(os.path.join(prepared, "run.json"))["settings"])
    team = Team()
    is_new = not os.path.exists(options.out) and not os.path.exists(options.out + ".old")
    team.wait()  # until all have looked
    run = Run(prepared if is_new else options.out)
    model = prepare_model(options, run, is_new, team.device)
    task, training, held_out = prepare_pairs(options, model, run)
    run.is_set_to(batch=options.batch, learning_rate=options.learning_rate, warmup=options.warmup, clip=options.clip,
                  label_smoothing=options.label_smoothing, seed=options.seed, steps=options.steps,
                  goal=options.until_exact)
    trainer = Trainer(model, options, task, team)
    run.load(model, trainer.optimizer)

    began, seconds_before, since = time.monotonic(), run.facts["seconds"], []
    for number in itertools.count(run.step + 1):
        is_last = number > options.steps
        if is_last or (number - 1) % options.judge_every == 0:
            if not note(run, since, team):
                raise SystemExit(f"the loss was not finite before step {number}; {options.out} is as it was saved last")
            judged = trainer.judge(held_out)
            is_last = is_last or 0 < options.until_exact <= judged[2]
            if not run.facts["judged"] or run.facts["judged"][-1][0] < run.step:
                run.judge(*judged, seconds_before + time.monotonic() - began)
            run.keep(model, trainer.optimizer)
            if team.leads:
                report(run, judged, time.monotonic() - began)
                if is_last or run.step % options.save_every < options.judge_every:
                    run.save(options.out, model, prepared)
        if is_last:
            break
        since.append(trainer.step(number, training))
    team.wait()  # until it is saved
    if team.size > 1:
        dist.destroy_process_group()


def note(run, since, team):
    """Takes up the steps since the last look. False when a loss was not finite."""
    losses = [total / team.size for total in team.sum([float(loss) for loss, _, _ in since])]
    norms = [float(norm) for _, norm, _ in since]
    norms = [norm if math.isfinite(norm) else 0.0 for norm in norms]  # overflowed in 16 bits: no step was taken
    run.add_steps(losses, norms, [rate for _, _, rate in since])
    since.clear()
    return all(map(math.isfinite, losses))


def report(run, judged, seconds):
    """One line of JSON, as `headlight train` prints it."""
    loss, token_accuracy, exact_match = judged
    print(json.dumps({"step": run.step, "loss": run.curves["loss"][-1] if run.curves["loss"] else loss,
                      "held_out_loss": loss, "token_accuracy": token_accuracy, "exact_match": exact_match,
                      "seconds": round(seconds, 2)}), flush=True)


if __name__ == "__main__":
    main()
