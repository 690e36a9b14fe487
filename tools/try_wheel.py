"""Install a wheel into a fresh environment, away from the sources, and use it as a stranger would.

python tools/try_wheel.py dist/samekind-0.1.0-py3-none-any.whl [examples/plot_digits.py ...]

With the three libraries of the core alone: the quick start, as the wheel's own README has it. With
the extras of the command: the demo, the help of every command, and the examples that are named.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from venv import EnvBuilder

QUICK_START = """
import re
from importlib.metadata import metadata
exec(re.search(r"```python\\n(.*?)```", metadata("samekind").get_payload(), re.S).group(1))
"""
COMMANDS = ("cluster", "ask", "predict", "explain", "methods")


def main(wheel: Path, examples: list[Path]) -> None:
    """Stop at the first thing that fails."""
    with tempfile.TemporaryDirectory(prefix="samekind-wheel-") as name:
        folder = Path(name)
        EnvBuilder(with_pip=True).create(folder / "env")
        python = folder / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

        def run(*arguments: str | Path) -> None:
            sys.stderr.write(f"$ python {' '.join(str(part).strip() for part in arguments)}\n")
            environment = clean | {"MPLBACKEND": "agg"}
            subprocess.run([python, *arguments], cwd=folder, env=environment, check=True)

        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        run(*pip, str(wheel))
        run("-I", "-c", QUICK_START)
        run(*pip, f"{wheel}[app,ask]")
        run("-m", "samekind", "demo", "--out", "demo")
        for command in COMMANDS:
            run("-m", "samekind", command, "--help")
        for example in examples:
            run(example)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), [Path(name).resolve() for name in sys.argv[2:]])
