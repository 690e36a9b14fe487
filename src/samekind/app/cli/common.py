"""What all commands share: the app, its exit codes, progress, and how bad input ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console

from samekind._version import __version__

BAD_INPUT = 2
INCOMPLETE = 3
# Packages that are imported once a command runs, and the extra that installs them.
EXTRAS = dict.fromkeys(("matplotlib", "jinja2", "pandas", "pyarrow", "skops", "skrub"), "app")
EXTRAS |= dict.fromkeys(("joblib", "pooch"), "paper")
EXTRAS |= dict.fromkeys(("starlette", "uvicorn"), "ask")
EXTRAS |= dict.fromkeys(("dask", "distributed"), "dask")

app = typer.Typer(
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    help="Semi-supervised clustering from a few pairs, same kind or different, or a few labels.",
    epilog="Exit codes: 0 done; 2 input or options that cannot be used, nothing written; "
    "3 done and written, but the labels should not be used or some runs failed.",
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"samekind {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Options before the subcommand."""


class Output:
    """Standard output or error, at which printing cannot fail.

    What is printed tells of files that are written by then: a pipe that nobody reads, a full disk
    or a name that is no text must not turn that into an error of the input.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = open(os.devnull, "w") if stream is None else stream  # noqa: SIM115
        self._stream.reconfigure(errors="backslashreplace")
        self.problem: OSError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, or lose the text."""
        with self._noted():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Hand on what was written."""
        with self._noted():
            self._stream.flush()

    @contextmanager
    def _noted(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.problem = self.problem or error
            # Else Python tries once more at its end, and fails.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


def ended(code: int, output: Output) -> int:
    """The exit code, with a sentence where what was to be printed is lost.

    A pipe that is closed from the other side is how its reader says that it has enough.
    """
    output.flush()
    if output.problem is None or isinstance(output.problem, BrokenPipeError):
        return code
    reason = output.problem.strerror
    typer.echo(f"samekind: done, but the output could not be printed ({reason})", err=True)
    return code or INCOMPLETE


@contextmanager
def bad_input_ends() -> Iterator[None]:
    """End with one sentence and exit code 2 where input or options cannot be used."""
    try:
        yield
    except (ValueError, MemoryError, OSError) as error:
        typer.echo(f"samekind: {error}", err=True)
        raise typer.Exit(BAD_INPUT) from None
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:  # a mistake of ours
            raise
        typer.echo(
            f"samekind: this needs the package {error.name}, which is not installed; "
            f'run: pip install ".[{EXTRAS[error.name]}]" in the source folder',
            err=True,
        )
        raise typer.Exit(BAD_INPUT) from None


def console(*, stderr: bool = False) -> Console:
    """Prints texts as they are: names of files may look like markup."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


@contextmanager
def bar(silent: bool, *, time_left: bool = False) -> Iterator[Any]:
    """A progress bar on standard error; the function it gives takes a text and a share.

    It moves to and fro until a share is known.
    """
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    error = console(stderr=True)
    times = (
        (TimeRemainingColumn(), TextColumn("left", markup=False))
        if time_left
        else (TimeElapsedColumn(),)
    )
    columns = TextColumn("{task.description}", markup=False), BarColumn(), *times
    hidden = silent or not error.is_terminal
    with Progress(*columns, console=error, transient=True, disable=hidden) as progress:
        task = progress.add_task("starting", total=None)

        def report(text: str, share: float | None = None) -> None:
            total = None if share is None else 1.0  # None: as before
            progress.update(task, description=text, completed=share, total=total)

        yield report
