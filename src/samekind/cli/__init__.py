"""The command: each subcommand parses, calls one function and prints one result."""

import sys

try:
    from samekind.cli import clustering, experiments
    from samekind.cli.common import app
except ImportError as error:  # pragma: no cover - the library alone has no command
    sys.exit(f'the samekind command needs an extra ({error.name}): pip install "samekind[app]"')

__all__ = ["app", "clustering", "experiments", "main"]


def main() -> None:
    """Entry point of the command ``samekind``."""
    app()
