"""The command line: parse, print, nothing else. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import sys


def main() -> None:
    """Run `ludus`; a mistake of the user is one line and exit code 2."""
    from ludus.core import LudusError

    from .commands import app

    try:
        app()
    except LudusError as error:
        print(f"ludus: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # `ludus … | head`
        sys.stderr.close()
        sys.exit(0)
