"""``python -m samekind``: the command."""

from samekind.app.cli import main

if __name__ == "__main__":
    main()
