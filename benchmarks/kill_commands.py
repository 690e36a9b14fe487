"""Whole commands, killed at steps of the system: are results old or new as a whole afterwards?

``python benchmarks/kill_commands.py [--most N] [--seed S] [COMMAND ...]`` needs strace (Linux).
A command runs once to the end under strace, which counts its steps of each kind: folders and files
made, linked, renamed and removed, writes, and files brought to the disk. Then it is run again for
N of these steps at random, or for all if N is 0, and killed there. Commands run in copies of this
process (fork), which has imported all they need, so that every step is one of the command and a
run takes a fraction of a second. A folder counts as

- old: every file byte for byte as before,
- new: every file as the command makes it without a kill (a report may state other seconds),
- mixed or lost: anything else.

At the end the command runs without a kill over what the killed ones have left: only its folder
may remain. Two writers: while a command is held up at its first rename, another one into the same
folder has to be refused, with exit code 2 and a sentence, and the first has to end well.
"""

import argparse
import hashlib
import importlib
import os
import pkgutil
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import samekind as package
from samekind.app import cli, demo
from samekind.paper.experiments import read_rows
from samekind.paper.experiments.rows import ARCHIVE, FILE

STEPS = (
    *("rename", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat"),
    *("fsync", "write", "pwrite64", "ftruncate"),
)
LEFT = ".*.tmp"  # half-written files of killed runs, which the next run removes
HELD_UP = 3_000_000  # microseconds
CLUSTER = ["-k", "2", "--method", "sc", "--out", "out"]


@dataclass(frozen=True)
class Command:
    """What is run, and what is there before it."""

    words: list[str]
    before: Callable[[Path], object]


def samekind(folder: Path, *words: str, strace: list[str] | None = None) -> int:
    """The exit code of a command in a folder; below 0 if a signal has ended it."""
    child = started(folder, *words, strace=strace)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def started(
    folder: Path, *words: str, strace: list[str] | None = None, said: Path = Path(os.devnull)
) -> int:
    """The process of a command, perhaps watched by strace; ``said``: file for what it prints."""
    child = os.fork()
    if child == 0:
        _become(folder, words, said, wait=strace is not None)
    if strace is not None:
        os.waitpid(child, os.WUNTRACED)
        subprocess.Popen([*strace, "-q", "-p", str(child)], stderr=subprocess.DEVNULL)
        while "TracerPid:\t0\n" in Path(f"/proc/{child}/status").read_text():
            time.sleep(0.002)
        os.kill(child, signal.SIGCONT)
    return child


def _become(folder: Path, words: Sequence[str], said: Path, *, wait: bool) -> None:
    """Run a command in this process and end it."""
    code = 1
    try:
        os.chdir(folder)
        file = os.open(said, os.O_WRONLY | os.O_CREAT)
        os.dup2(file, 1)
        os.dup2(file, 2)
        sys.argv = ["samekind", *words]
        if wait:
            os.kill(os.getpid(), signal.SIGSTOP)
        cli.main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    finally:
        sys.stdout.flush()
        os._exit(code)


def small_demo() -> None:
    """One hundred digits in place of all data of the demo: it writes the same files."""
    every = demo._data
    demo.N_DIGITS, source = 100, demo.REPORTED[0]
    demo.KNOWN = {demo.REPORTED[1]: demo.KNOWN[demo.REPORTED[1]]}
    demo._data = lambda n_trials: {source: every(n_trials)[source]}


def import_all() -> None:
    """Import what commands import when they need it."""
    for module in pkgutil.walk_packages(package.__path__, "samekind."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def tables(folder: Path) -> None:
    """Two tables of the same size."""
    for name, seed in (("a", 0), ("b", 1)):
        X = np.random.default_rng(seed).standard_normal((60, 4))
        X[::2] += 5
        lines = [",".join(map(str, row)) for row in X.tolist()]
        (folder / f"{name}.csv").write_text("\n".join(["p,q,r,s", *lines]) + "\n")


def clustered(folder: Path) -> None:
    tables(folder)
    samekind(folder, "cluster", "a.csv", *CLUSTER)
    (folder / "out" / "notes.txt").write_text("mine")


def reported(folder: Path) -> None:
    """A report, and rows that came after it."""
    options = ["--datasets", "digits", "--methods", "sc,sl", "--out", "out"]
    samekind(folder, "reproduce", "table2", *options, "--repeats", "1")
    report = folder / "out" / "report.html"
    kept = {path: path.read_bytes() for path in (report, report.with_name("tables.md"))}
    samekind(folder, "reproduce", "table2", *options, "--repeats", "2")
    for path, content in kept.items():
        path.write_bytes(content)


REPRODUCE = ["reproduce", "table2", "--datasets", "digits", "--methods", "sc", "--out", "out"]
COMMANDS = {
    "cluster": Command(["cluster", "b.csv", *CLUSTER], clustered),
    "cluster, first": Command(["cluster", "b.csv", *CLUSTER], tables),
    "demo": Command(
        ["demo", "--trials", "1", "--seed", "1", "--out", "out"],
        lambda folder: samekind(folder, "demo", "--trials", "1", "--out", "out"),
    ),
    "report": Command(["report", "out"], reported),
    "reproduce": Command(
        [*REPRODUCE, "--repeats", "2"],
        lambda folder: samekind(folder, *REPRODUCE, "--repeats", "1"),
    ),
}


def state(folder: Path) -> dict[str, bytes]:
    """The content of every file, without rows, which have rules of their own."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted((folder / "out").rglob("*"))
        if path.is_file() and path.name not in (FILE, ARCHIVE) and not path.match(LEFT)
    }


def plain(name: str, content: bytes) -> str:
    """A file without what changes from one run to the next."""
    if name.endswith((".html", ".md", ".svg")):
        content = re.sub(rb"\d[\d.,:TZ+-]*", b"0", content)
    elif name.endswith(".skops"):  # an archive, whose members have a time, and numbers for names
        with zipfile.ZipFile(BytesIO(content)) as archive:
            content = repr(sorted(_member(archive, one) for one in archive.infolist())).encode()
    return hashlib.sha256(content).hexdigest()


def _member(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> tuple[str, str]:
    """Kind and content of a part of a model: text without numbers, or the size of an array."""
    if one.filename.endswith(".json"):
        text = re.sub(r"[0-9a-f]{64}", "", archive.read(one).decode())  # the model's own checksum
        return "json", re.sub(r"\d[\d.e+-]*", "0", text)
    return one.filename[-4:], str(one.file_size)


def verdict(found: dict[str, bytes], before: dict[str, bytes], after: dict[str, bytes]) -> str:
    if found == before:
        return "old"
    same = found.keys() == after.keys()
    if same and all(plain(n, found[n]) == plain(n, after[n]) for n in found):
        # All files have to be of this run, those that are unlike in any two runs among them.
        stale = [name for name in found if found[name] == before.get(name) != after[name]]
        return "mixed" if stale else "new"
    return "lost" if found.keys() < after.keys() else "mixed"


def unlike(found: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """Files that are there once only, or have other contents than those of a whole run."""
    return [
        name
        for name in sorted(found | after)
        if name not in found
        or name not in after
        or plain(name, found[name]) != plain(name, after[name])
    ]


def n_rows(folder: Path) -> int:
    return len(read_rows(folder / "out").rows)


def counted(folder: Path, words: list[str]) -> Counter[str]:
    """How often a command takes each step."""
    log = folder / "log"
    samekind(folder, *words, strace=["strace", "-o", str(log), "-e", f"trace={','.join(STEPS)}"])
    while "+++" not in log.read_text():
        time.sleep(0.01)  # strace writes on
    steps = Counter(re.findall(r"^(\w+)\(", log.read_text(), re.M))
    log.unlink()
    return steps


def kills(command: Command, most: int, rng: random.Random) -> Counter[str]:
    """Verdicts on the folders of a command that was killed again and again."""
    seen: Counter[str] = Counter()
    with TemporaryDirectory() as above:
        before, whole, folder = (Path(above) / name for name in ("before", "whole", "run"))
        before.mkdir()
        command.before(before)
        shutil.copytree(before, whole)
        steps = counted(whole, command.words)
        old, new, rows = state(before), state(whole), n_rows(before)
        points = [(name, at) for name, n in steps.items() for at in range(1, n + 1)]
        chosen = points if not most or most >= len(points) else rng.sample(points, most)
        seen["steps"] = len(points)
        for name, at in chosen:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(before, folder)
            inject = f"{name}:signal=KILL:when={at}"
            strace = ["strace", "-o", "/dev/null", "-e", f"trace={name}", "-e", f"inject={inject}"]
            ended = samekind(folder, *command.words, strace=strace)
            found = verdict(state(folder), old, new)
            lost = n_rows(folder) < rows
            seen["killed" if ended < 0 or ended > 128 else "came to its end"] += 1
            seen[found] += 1
            seen["rows lost"] += lost
            if found in ("mixed", "lost") or lost:
                odd = unlike(state(folder), new)
                print(f"  {name} {at}: {found}{', rows lost' if lost else ''}; {odd}", flush=True)
        samekind(folder, *command.words)
        listed = {path.name for path in folder.iterdir()} - {path.name for path in before.iterdir()}
        seen["left over"] = len(listed - {"out"}) + len(list((folder / "out").rglob(LEFT)))
    return seen


def two_writers(command: Command) -> str:
    """What becomes of a second writer."""
    with TemporaryDirectory() as above:
        folder = Path(above)
        command.before(folder)
        held = ",".join(name for name in STEPS if name.startswith("rename"))
        strace = ["strace", "-o", "/dev/null", "-e", f"trace={held}"]
        strace += ["-e", f"inject={held}:delay_enter={HELD_UP}:when=1"]
        first = started(folder, *command.words, strace=strace)
        said, refused = folder / "said", -1
        for _ in range(20):  # until the first has the folder
            time.sleep(0.3)
            refused = os.waitstatus_to_exitcode(
                os.waitpid(started(folder, *command.words, said=said), 0)[1]
            )
            if refused == 2:
                break
        ended = os.waitstatus_to_exitcode(os.waitpid(first, 0)[1])
        sentence = said.read_text().strip().splitlines()[-1:]
        verdict = "one refused" if sorted((refused, ended)) == [0, 2] else "wrong"
        return f"two writers, {verdict}: exit codes {ended} and {refused}, {sentence}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commands", nargs="*", default=list(COMMANDS))
    parser.add_argument("--most", type=int, default=0, help="kills for each command; 0: all steps")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    bad = 0
    import_all()
    small_demo()
    for name in options.commands:
        seen = kills(COMMANDS[name], options.most, rng)
        bad += seen["mixed"] + seen["lost"] + seen["rows lost"] + seen["left over"]
        print(f"{name}: " + ", ".join(f"{what} {n}" for what, n in seen.items()), flush=True)
        print(f"{name}: {two_writers(COMMANDS[name])}", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
