#!/usr/bin/env python3
"""Saving is one transaction: the program is stopped, and its disk fails, at every call that changes a file.

    python3 tests/scripts/check_saving.py HEADLIGHT FAILING_CALLS.so [--only NAME]

For each thing that is saved (a model, new, over another one and gone on with; a session, a picture, a trace, a race,
settings and what a window remembers) the call that fails is moved from the first to the last, once as a full disk, a
broken one, one that may not be written to, and once as a kill. After each, what is there is what was or what was to
be, byte for byte (what the program said decides which); it opens; and the next save leaves nothing beside it. Then:
kills at any time, disks of all sizes that are full (where tmpfs may be mounted), folders that vanish meanwhile. A few
of each in every run; all of them, more than 500 kills and 500 failures, with HEADLIGHT_SOAK=1.
"""

import argparse
import collections
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOAKS = "HEADLIGHT_SOAK" in os.environ
WAYS = ["kill", "ENOSPC", "EIO", "EACCES", "ENOSPC+", "EIO+"]
TINY = ["--d-model", "8", "--d-ff", "8", "--layers", "1", "--heads", "1", "--batch", "2", "--threads", "1"]
TRAIN = ["train", "--task", "copy", "--steps", "1", *TINY]
RACE = ["race", "--task", "recall", "--models", "rnn", "--distances", "2", "--rates", "0.01", "--seeds", "1",
        "--steps", "2", "--parameters", "2000", "--batch", "2"]


class Campaign:
    def __init__(self, program, library):
        self.program, self.library = program, library
        self.counts = collections.Counter()

    def environment(self, **more):
        return {**os.environ, "LC_ALL": "C", "HEADLIGHT_ASSETS": os.path.join(ROOT, "assets"), **more}

    def run(self, arguments, **more):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env=self.environment(**more))

    def run_on_disk(self, arguments, under, call=0, how="", **more):
        """With a disk that fails at a call below a folder."""
        return self.run(arguments, LD_PRELOAD=self.library, HEADLIGHT_DISK_UNDER=under, HEADLIGHT_DISK_CALL=str(call),
                        HEADLIGHT_DISK_HOW=how, **more)

    def calls_of(self, arguments, under, **more):
        with tempfile.NamedTemporaryFile() as file:
            done = self.run_on_disk(arguments, under, HEADLIGHT_DISK_COUNT=file.name, **more)
            assert done.returncode == 0, done.stderr
            return int(file.read())


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def digest(name, content):
    # How long each step took is never the same: of the story of a run only that it is there.
    told = os.path.basename(name) in ("run.json", "curves.safetensors")
    return hashlib.sha256(b"" if told else content).hexdigest()


def files_below(path):
    """Every file below a path, by name: what it holds; but for what a killed writer left, which is nobody's."""
    found = {}
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if name != ".headlight-staged"]
        for name in names:
            if name.startswith(".headlight") and name.endswith(".tmp"):
                continue
            whole = os.path.join(folder, name)
            with open(whole, "rb") as file:
                found[os.path.relpath(whole, path)] = digest(name, file.read())
    if os.path.isfile(path):
        with open(path, "rb") as file:
            found[""] = digest(path, file.read())
    return found


def leftovers(place):
    return [name for _, folders, names in os.walk(place) for name in folders + names if name.startswith(".headlight")]


class Saved:
    """Something that is saved into a folder of its own: `prepare` makes what was, `save` is the command."""

    def __init__(self, name, save, opened, prepare=None, what="m"):
        self.name, self.save, self.opened, self.prepare, self.what = name, save, opened, prepare, what


def things_to_save():
    def model(place):
        return os.path.join(place, "m")

    def trained(campaign, place):
        assert campaign.run([*TRAIN, "--out", model(place)]).returncode == 0

    def scripted(*lines):
        def save(place):
            script = os.path.join(os.path.dirname(place), "script.txt")
            with open(script, "w") as file:
                file.write("".join(line.replace("PLACE", place) + "\n" for line in lines))
            return ["render", "--script", script]
        return save

    def with_old(name, bytes_of=b"old\n"):
        def prepare(_, place):
            with open(os.path.join(place, name), "wb") as file:
                file.write(bytes_of)
        return prepare

    def opens_model(place):
        return ["translate", "--model", model(place), "abc"]

    def opens_session(place):
        return scripted("open PLACE/s.headlight")(place)

    # That a model opens shows nothing of a file beside it: whoever only reads has no old one to finish.
    def opens_nothing(_):
        return ["--version"]

    return [
        Saved("a new model", lambda place: [*TRAIN, "--out", model(place)], opens_model),
        Saved("a model over another one", lambda place: [*TRAIN, "--seed", "7", "--out", model(place)], opens_model,
              trained),
        Saved("a model that goes on", lambda place: ["train", "--from", model(place), "--steps", "1", "--threads", "1",
                                                     "--out", model(place)], opens_model, trained),
        Saved("a session", scripted("source the cat", "save PLACE/s.headlight"), opens_session,
              with_old("s.headlight", b"source the dog\n"), "s.headlight"),
        Saved("a picture", scripted("export encoder.0.self_attn.weights PLACE/w.png"), opens_nothing,
              with_old("w.png"), "w.png"),
        Saved("a screenshot", scripted("screenshot PLACE/w.png 320 240"), opens_nothing, with_old("w.png"), "w.png"),
        Saved("a trace", lambda place: ["trace", "--model", "copy", "--text", "1 2", "--out",
                                        os.path.join(place, "t.safetensors")], opens_nothing,
              with_old("t.safetensors"), "t.safetensors"),
        Saved("a race", lambda place: [*RACE, "--out", os.path.join(place, "r.jsonl")], opens_nothing, None,
              "r.jsonl"),
    ]


def check_call(campaign, saved, scratch, call, how, before, after):
    place = os.path.join(scratch, "place")
    shutil.copytree(before, place)
    campaign.counts["kills" if how == "kill" else "failures"] += 1
    where = f"{saved.name}: call {call} {how}"
    target = os.path.join(place, saved.what)
    was = files_below(os.path.join(before, saved.what))
    done = campaign.run_on_disk(saved.save(place), place, call, how)
    opened = campaign.run(saved.opened(place))
    now = files_below(target)
    if how == "kill":
        assert done.returncode in (-signal.SIGKILL, 0), f"{where}: status {done.returncode}: {done.stderr}"
        assert now in (was, after), \
            f"{where}: neither as it was nor as it was to be: {sorted(now)}"
    else:
        assert done.returncode in (0, 1, 2), f"{where}: status {done.returncode}: {done.stderr}"
        lines = done.stderr.splitlines()
        assert (done.returncode == 0) == (len(lines) == 0), f"{where}: status {done.returncode}, said: {lines}"
        if done.returncode != 0:
            assert len(lines) == 1 and place in lines[0], f"{where}: {lines}"
        # What a disk that works again opens is what was said of it.
        wanted = after if done.returncode == 0 else was
        if how.endswith("+"):
            assert now in (was, after) or not was, f"{where}: neither as it was nor as it was to be"
        else:
            assert now == wanted or not was and not now, f"{where}: {lines or 'done'}, and it is not so"
    if was or now == after:
        assert opened.returncode == 0, f"{where}: it does not open: {opened.stderr}"
    again = campaign.run(saved.save(place))
    assert again.returncode == 0, f"{where}: the next save: {again.stderr}"
    assert not leftovers(place), f"{where}: after the next save there are {leftovers(place)}"
    shutil.rmtree(place)


def check_calls(campaign, saved, scratch):
    before, place = os.path.join(scratch, "before"), os.path.join(scratch, "place")
    os.mkdir(before)
    if saved.prepare:
        saved.prepare(campaign, before)
    shutil.copytree(before, place)
    calls = campaign.calls_of(saved.save(place), place)
    after = files_below(os.path.join(place, saved.what))
    assert after and not leftovers(place), f"{saved.name}: {sorted(after)}, {leftovers(place)}"
    shutil.rmtree(place)
    for way in WAYS:
        chosen = range(1, calls + 1) if SOAKS else sorted(random.sample(range(1, calls + 1), 1))
        for call in chosen:
            check_call(campaign, saved, scratch, call, way, before, after)
    return calls


def check_kills_in_time(campaign, scratch):
    """kill -9 whenever it comes, while a training goes on and is saved again and again."""
    model = os.path.join(scratch, "m")
    train = ["train", "--from", model, "--steps", "1", "--threads", "1", "--out", model]
    assert campaign.run([*TRAIN, "--out", model]).returncode == 0
    begun = time.monotonic()
    assert campaign.run(train).returncode == 0
    usual = time.monotonic() - begun
    for _ in range(200 if SOAKS else 4):
        process = subprocess.Popen([campaign.program, *train], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=campaign.environment())
        time.sleep(random.uniform(0, 1.2 * usual))
        process.kill()
        process.wait()
        campaign.counts["kills"] += 1
        done = campaign.run(train)
        assert done.returncode == 0 and not done.stderr, done.stderr
        assert not leftovers(model), leftovers(model)


def check_full_disks(campaign, scratch):
    """A model is saved over another one on disks with less and less room."""
    disk = os.path.join(scratch, "disk")
    os.mkdir(disk)
    refused = 0
    for kilobytes in range(56, 200, 4) if SOAKS else (60, 92):
        mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", disk]
        if subprocess.run(mount, capture_output=True).returncode != 0:
            return print("no tmpfs may be mounted here: full disks are not tried")
        try:
            model = os.path.join(disk, "m")
            first = campaign.run([*TRAIN, "--out", model])
            was = files_below(model)
            second = campaign.run([*TRAIN, "--seed", "7", "--out", model])
            for done in (first, second):
                lines = done.stderr.splitlines()
                assert done.returncode in (0, 1) and len(lines) == done.returncode, f"{done.returncode}: {lines}"
                assert not lines or disk in lines[0] and "full" in lines[0], lines
                refused += done.returncode
                campaign.counts["failures"] += done.returncode
            assert not leftovers(disk), leftovers(disk)
            assert second.returncode == 0 or files_below(model) == was
            assert first.returncode != 0 or campaign.run(["translate", "--model", model, "a"]).returncode == 0
        finally:
            subprocess.run(["umount", disk], check=True)
    assert refused > 0


def check_vanishing(campaign, scratch):
    """The folder that a training is to be saved into is removed, or becomes a file, while it goes on."""
    model = os.path.join(scratch, "m")
    for becomes in ("nothing", "a file"):
        assert campaign.run([*TRAIN, "--out", model]).returncode == 0
        train = ["train", "--from", model, "--steps", "1000000", "--report-every", "1", "--threads", "1", "--out",
                 model]
        process = subprocess.Popen([campaign.program, *train], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=campaign.environment())
        process.stdout.readline()
        shutil.rmtree(model)
        if becomes == "a file":
            with open(model, "w") as file:
                file.write("a person's\n")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        lines = said.splitlines()
        assert len(lines) == 1 and model in lines[0], lines
        if becomes == "a file":
            assert process.returncode == 1, (process.returncode, lines)
            with open(model) as file:
                assert file.read() == "a person's\n"
            os.remove(model)
        else:  # what was learned is worth more than the folder's being gone
            assert process.returncode == 0, (process.returncode, lines)
            assert campaign.run(["translate", "--model", model, "a"]).returncode == 0
            assert not leftovers(model), leftovers(model)
            shutil.rmtree(model)
        campaign.counts["failures"] += 1


class Window:
    """The program's window on a display of its own, with a home of its own."""

    SCRIPT = ["source the cat was tired", "change head encoder.0.self_attn 1 silence", "train task copy",
              "train set d_model 16", "train set d_ff 16", "train set batch 8", "train set threads 1", "room train",
              "train pace all", "train start"]

    def __init__(self, campaign, display, home):
        self.campaign, self.display, self.home = campaign, display, home
        self.runs = os.path.join(home, "data", "headlight", "training")
        self.windows = os.path.join(home, "data", "headlight", "windows")

    def start(self, plain=False, **more):
        script = os.path.join(self.home, "script.txt")
        with open(script, "w") as file:
            file.write("".join(line + "\n" for line in self.SCRIPT))
        environment = self.campaign.environment(
            DISPLAY=self.display, HOME=self.home, XDG_CONFIG_HOME=os.path.join(self.home, "config"),
            XDG_DATA_HOME=os.path.join(self.home, "data"), LIBGL_ALWAYS_SOFTWARE="1", **more)
        arguments = [] if plain else ["--script", script]
        with open(os.path.join(self.home, "said.txt"), "w") as said:
            return subprocess.Popen([self.campaign.program, *arguments], env=environment, stdout=said, stderr=said,
                                    stdin=subprocess.DEVNULL)

    def catches(self, process, number):
        """Whether the signal would be a wish to stop, and not the end."""
        with open(f"/proc/{process.pid}/status") as file:
            caught = [line.split()[1] for line in file if line.startswith("SigCgt:")]
        return bool(caught) and bool(int(caught[0], 16) >> (number - 1) & 1)

    def said(self):
        with open(os.path.join(self.home, "said.txt")) as file:
            return file.read()

    def sessions(self):
        """What each window shows or showed, by file."""
        found = {}
        for folder, _, names in os.walk(self.windows):
            for name in names:
                if name.endswith(".headlight"):
                    with open(os.path.join(folder, name)) as file:
                        found[os.path.join(folder, name)] = file.read()
        return found

    def last_run(self):
        numbers = [int(name) for name in os.listdir(self.runs)] if os.path.isdir(self.runs) else []
        return os.path.join(self.runs, str(max(numbers))) if numbers else ""


def wait_for(condition, process=None, seconds=120):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end and (process is None or process.poll() is None):
        time.sleep(0.02)
    return condition()


def check_window(campaign, display, home, ages):
    """kill -9 while a model is trained in the window: what it showed and the run are found again."""
    window = Window(campaign, display, home)
    process = window.start()
    assert wait_for(lambda: os.path.exists(os.path.join(window.last_run(), "run.json")), process), window.said()
    time.sleep(random.uniform(0, 2))
    newest = max(os.stat(os.path.join(window.last_run(), name)).st_mtime for name in ("run.json", "model.safetensors"))
    ages.append(time.time() - newest)
    process.kill()
    process.wait()
    campaign.counts["kills"] += 1
    (session,) = window.sessions().values()
    assert "source the cat was tired" in session and "change head encoder.0.self_attn 1 silence" in session, session
    on = os.path.join(home, "on")
    done = campaign.run(["train", "--from", window.last_run(), "--steps", "1", "--threads", "1", "--out", on])
    assert done.returncode == 0, done.stderr
    shutil.rmtree(on)

    process = window.start(plain=True)  # which finds it again, in its own folder, and shows it
    wait_for(lambda: window.catches(process, signal.SIGTERM), process)
    wait_for(lambda: not any("starting" in names for _, _, names in os.walk(window.windows)), process)
    time.sleep(1)
    assert process.poll() is None, window.said()
    assert list(window.sessions().values()) == [session], window.sessions()
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 0, window.said()
    (closed,) = window.sessions().values()
    assert closed == session, window.sessions()
    assert not leftovers(home), leftovers(home)


def check_window_on_failing_disk(campaign, display, home):
    window = Window(campaign, display, home)
    how = random.choice(WAYS)
    process = window.start(LD_PRELOAD=campaign.library, HEADLIGHT_DISK_UNDER=home,
                           HEADLIGHT_DISK_CALL=str(random.randint(1, 400)), HEADLIGHT_DISK_HOW=how)
    time.sleep(random.uniform(2, 5))
    assert how == "kill" or process.poll() is None, (how, process.returncode, window.said())
    process.kill()
    process.wait()
    campaign.counts["kills" if how == "kill" else "failures"] += 1
    campaign.counts["kills"] += 1
    for name in os.listdir(window.runs) if os.path.isdir(window.runs) else []:
        run = os.path.join(window.runs, name)
        if os.path.exists(os.path.join(run, "run.json")) or os.path.exists(os.path.join(run, ".headlight-committed")):
            done = campaign.run(["translate", "--model", run, "a b"])
            assert done.returncode == 0, (how, done.stderr)
    process = window.start(plain=True)
    wait_for(lambda: window.catches(process, signal.SIGTERM), process)
    time.sleep(1)
    assert process.poll() is None, window.said()
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 0, window.said()
    assert not leftovers(home), (how, leftovers(home))


def check_windows(campaign, scratch):
    if not shutil.which("Xvfb"):
        return print("there is no Xvfb: windows are not tried")
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24"], pass_fds=[writing],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        display = ":" + os.read(reading, 20).decode().strip()
        ages = []
        for number in range(60 if SOAKS else 1):
            home = os.path.join(scratch, str(number))
            os.mkdir(home)
            check_window(campaign, display, home, ages)
            shutil.rmtree(home)
            os.mkdir(home)
            if SOAKS:
                check_window_on_failing_disk(campaign, display, home)
        ages.sort()
        print(f"the run had last been written {ages[len(ages) // 2]:.2f} s before a kill (median), {ages[-1]:.2f} s at most")
    finally:
        server.kill()
        server.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("library")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    campaign = Campaign(given.program, given.library)
    random.seed(int.from_bytes(os.urandom(4), "little") if SOAKS else 18)
    steps = [(saved.name, lambda scratch, saved=saved: check_calls(campaign, saved, scratch))
             for saved in things_to_save()]
    steps += [("kills at any time", lambda scratch: check_kills_in_time(campaign, scratch)),
              ("full disks", lambda scratch: check_full_disks(campaign, scratch)),
              ("folders that vanish", lambda scratch: check_vanishing(campaign, scratch)),
              ("windows", lambda scratch: check_windows(campaign, scratch))]
    for name, check in steps:
        if given.only not in name:
            continue
        with tempfile.TemporaryDirectory(prefix="headlight-saving-") as scratch:
            calls = check(scratch)
        print(name + (f": {calls} calls" if calls else ""), flush=True)
    print(f"{campaign.counts['kills']} kills and {campaign.counts['failures']} failures, "
          "each with what was or what was to be")


if __name__ == "__main__":
    main()
