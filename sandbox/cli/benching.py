"""`sandbox bench`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from sandbox.cli.main import DEFAULT_WORLD
from sandbox.errors import Exit, UsageError, nearest
from sandbox.storage.places import find_world


def bench(arguments: argparse.Namespace) -> int:
    """Measure this program on this machine."""
    from sandbox.evals.bench import PARTS, measure
    from sandbox.evals.crowded import LARGE_SIZES, SIZES

    if arguments.beats < 1:
        raise UsageError(f"--beats {arguments.beats}: has to be at least 1.")
    for part in arguments.only or ():
        if part not in PARTS:
            problem = f"--only {part}: there is no such part.{nearest(part, PARTS)}"
            raise UsageError(f"{problem} There are: {', '.join(PARTS)}.")
    world, parts = find_world(DEFAULT_WORLD), arguments.only or PARTS
    crowds = LARGE_SIZES if arguments.large else SIZES
    figures: dict[str, Any] = {}
    for measured in measure(world, arguments.beats, Path(arguments.marked), parts, crowds):
        figures |= measured
        for name, figure in () if arguments.json else measured.items():
            print(f"{name:<44} {figure:>12,}", flush=True)
    if arguments.json:
        print(json.dumps(figures))
    return Exit.OK
