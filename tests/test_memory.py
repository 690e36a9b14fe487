import subprocess
import sys

import pytest

from samekind import _memory as memory
from samekind._memory import available_memory, require_memory


@pytest.fixture
def machine(tmp_path):
    """A machine with 8 GB left, and a folder for what a container says."""
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 16000000 kB\nMemAvailable: 8000000 kB\n")
    cgroup = tmp_path / "cgroup"
    (cgroup / "memory").mkdir(parents=True)
    return cgroup, meminfo


def test_without_a_container_the_machine_counts(machine):
    assert available_memory(*machine) == 8000000 * 1024


@pytest.mark.parametrize(
    ("limit", "used"),
    [
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ],
)
def test_a_smaller_container_counts(machine, limit, used):
    cgroup, _ = machine
    (cgroup / limit).write_text("3000\n")
    (cgroup / used).write_text("1000\n")
    assert available_memory(*machine) == 2000


def test_files_kept_in_memory_for_speed_are_not_used_memory(machine):
    cgroup, _ = machine
    (cgroup / "memory.max").write_text("8000\n")
    (cgroup / "memory.current").write_text("7900\n")
    (cgroup / "memory.stat").write_text("anon 1200\ninactive_file 6500\n")
    assert available_memory(*machine) == 6600


def test_a_container_without_a_limit_does_not_count(machine):
    cgroup, _ = machine
    (cgroup / "memory.max").write_text("max\n")
    (cgroup / "memory.current").write_text("1000\n")
    assert available_memory(*machine) == 8000000 * 1024


LIMITED = """
import resource
from samekind._memory import available_memory
resource.setrlimit(resource.RLIMIT_AS, (4 * 10**9, resource.RLIM_INFINITY))
print(available_memory())
"""


def test_a_limit_of_the_process_counts():
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True)
    assert 0 < int(done.stdout) < 4 * 10**9


def test_where_nothing_is_told_nothing_is_refused(tmp_path, monkeypatch):
    monkeypatch.delattr(memory.os, "sysconf")
    assert available_memory(tmp_path / "no", tmp_path / "no") is None
    monkeypatch.setattr(memory, "available_memory", lambda: None)
    require_memory(10**18, None, "anything")


def test_what_does_not_fit_is_refused_with_both_numbers(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 2_000_000_000)
    with pytest.raises(MemoryError, match=r"fit needs about 3.0 GB, only 2.0 GB are left"):
        require_memory(3_000_000_000, None, "fit")
    require_memory(3_000_000_000, 4e9, "fit")
