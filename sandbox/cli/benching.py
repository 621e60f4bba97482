"""`sandbox bench`."""

from __future__ import annotations

import argparse
import json

from sandbox.cli.main import DEFAULT_WORLD
from sandbox.errors import Exit, UsageError
from sandbox.storage.places import find_world


def bench(arguments: argparse.Namespace) -> int:
    """Measure this program on this machine."""
    from sandbox.evals.bench import measure

    if arguments.beats < 1:
        raise UsageError(f"--beats {arguments.beats}: has to be at least 1.")
    figures = measure(find_world(DEFAULT_WORLD), arguments.beats)
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:<40} {figure:>12,}")
    return Exit.OK
