"""A run in a process of its own, so that its peak memory and its threads are its own.

A script that is started with ``--one RUN`` makes that one run and prints its row; see ``asked``.
The process that starts it holds no data: Linux counts the memory of the parent at the start
among the peak of the child.
"""

import json
import os
import resource
import subprocess
import sys

from rows import Row

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def in_own_process(script: str, run: Row, *, threads: int = 1, limit: float | None = None) -> Row:
    """The row that ``script --one RUN`` prints; an error where it fails or takes too long."""
    command = [sys.executable, script, "--one", json.dumps(run)]
    environment = os.environ | dict.fromkeys(THREADS, str(threads))
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=limit
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"stopped after {limit:.0f} s") from None
    if done.returncode:
        words = done.stderr.strip().splitlines() or ["nothing said"]
        raise RuntimeError(f"ended with code {done.returncode}: {words[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def asked() -> Row | None:
    """The run that this process was started for, if it was."""
    return json.loads(sys.argv[2]) if sys.argv[1:2] == ["--one"] else None


def peak_mb() -> float:
    """The most memory that this process has held so far, pages of mapped files included."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
