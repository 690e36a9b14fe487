"""The command: each subcommand parses, calls one function and prints one result."""

import shlex
import sys
from pathlib import Path

try:
    from samekind.app.cli import asking, clustering, models
    from samekind.app.cli.common import BAD_INPUT, Output, app, ended
    from samekind.paper import cli as paper
except ModuleNotFoundError as error:  # pragma: no cover - the library alone has no command
    sys.exit(
        f"samekind: the command needs the package {error.name}, which is not installed; "
        'run: pip install ".[app]" in the source folder'
    )

__all__ = ["app", "asking", "clustering", "main", "models", "paper"]


def main() -> None:
    """Entry point of the command ``samekind``."""
    sys.stdout, sys.stderr = output, _ = Output(sys.stdout), Output(sys.stderr)
    _refuse_a_file_as_command(sys.argv[1:])
    try:
        app()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
        raise SystemExit(ended(code, output)) from None


def _refuse_a_file_as_command(arguments: list[str]) -> None:
    """Say what was meant by ``samekind customers.csv``."""
    first = Path(*arguments[:1])
    if first.suffix and first.is_file():
        meant = shlex.join(["samekind", "cluster", *arguments])
        sys.stderr.write(
            f"samekind: {first} is a file, expected a command; did you mean: {meant}\n"
        )
        sys.exit(BAD_INPUT)
