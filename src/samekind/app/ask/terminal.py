"""The same dialogue line by line, in a terminal."""

from collections.abc import Callable
from typing import Any

from samekind.app.ask.dialogue import Dialogue

HELP = (
    "1 to 6: the same kind as that one · 0: none of these · u: unsure · z: undo · "
    "d: doubts · f: finish · q: leave (answers are kept) · ?: help"
)


def talk(dialogue: Dialogue, read: Callable[[str], str], write: Callable[[str], None]) -> bool:
    """Ask until the person finishes (True) or leaves (False).

    Parameters
    ----------
    dialogue : Dialogue
    read : callable
        Gives a line, like ``input``; raises EOFError at the end.
    write : callable
        Takes a line.
    """
    write(HELP)
    while True:
        state = dialogue.state()
        ask = state["ask"]
        if ask is None:
            write("Nothing is left to ask.")
            return True
        write("")
        write(f"[{state['progress']['sentence']}]")
        write("Which of these is the same kind as")
        _show(write, "  ", ask["sample"])
        for place, thing in enumerate(ask["beside"], 1):
            _show(write, f"  {place}: ", thing)
        try:
            key = read("> ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            return False
        if key in ("f", "q"):
            return key == "f"
        try:
            _do(dialogue, state, key, write)
        except ValueError as error:
            write(str(error))


def _do(dialogue: Dialogue, state: dict[str, Any], key: str, write: Callable[[str], None]) -> None:
    ask = state["ask"]
    if key.isdecimal() and int(key) <= len(ask["beside"]):
        dialogue.answer(ask["id"], int(key) - 1 if int(key) else None)
    elif key == "u":
        dialogue.unsure(ask["id"])
    elif key == "z":
        if state["last"] is None:
            write("There is nothing to undo.")
        else:
            dialogue.undo(state["last"])
    elif key == "d":
        for doubt in dialogue.doubts()[:5]:
            sample, names = doubt["sample"]["name"], [one["name"] for one in doubt["beside"]]
            said = f"{sample} beside {', '.join(names)}: {doubt['said']}"
            write(f"answer {doubt['seq']}: {_plain(said)}")
        write("Look at these again; on the page they can be changed.")
    else:
        write(HELP)


def _show(write: Callable[[str], None], before: str, thing: dict[str, Any]) -> None:
    write(f"{before}{_plain(thing['name'])}")
    if "text" in thing:
        write(f"{' ' * len(before)}{_plain(thing['text'])[:500]}")
    for name, value in thing.get("cells", []):
        write(f"{' ' * len(before)}{_plain(name)} = {_plain(value)}")


def _plain(text: str) -> str:
    """Without characters by which a text could steer the terminal."""
    return "".join(one if one.isprintable() else " " for one in text)
