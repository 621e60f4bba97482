"""`sandbox eval`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from sandbox.errors import Exit
from sandbox.evals.knowledge.scoring import Score


def evaluate(arguments: argparse.Namespace) -> int:
    """Replay event lists with known answers, one JSON object or one paragraph for each file."""
    from sandbox.evals.knowledge.moment import Switches
    from sandbox.evals.knowledge.scoring import score_file

    switches = Switches(arguments.on_entering, arguments.claims, arguments.trust)
    code = Exit.OK
    for name in arguments.files:
        try:
            score = score_file(Path(name), switches)
        except (OSError, ValueError) as error:  # a name with a null character is a ValueError
            why = getattr(error, "strerror", None) or error
            print(f"sandbox: {name!a}: cannot be read: {why}.", file=sys.stderr)
            code = Exit.USAGE
            continue
        print(json.dumps(score.as_json(), ensure_ascii=False) if arguments.json else _told(score))
        for problem in [*score.problems, *score.refusals]:
            print(f"sandbox: {problem}", file=sys.stderr)
        if code == Exit.OK and not score.is_whole:
            code = Exit.STORY
    return code


def _told(score: Score) -> str:
    lines = [
        f"{score.file}: {score.items} items, {score.events} events"
        f" ({score.as_json()['events_per_second']:,} a second)",
        f"  witnesses  {_share(score.witnessed_correct, score.witnessed)}",
        f"  questions  {_share(score.correct, score.questions)}",
    ]
    lines += [
        f"    {op:<16} {_share(tally.correct, tally.questions)}"
        for op, tally in sorted(score.by_op.items())
    ]
    if score.unknown:
        lines.append(f"  unknown    {score.unknown} types or ops, skipped")
    if score.refusals:
        lines.append(f"  refused    {len(score.refusals)} events that the stage does not allow")
    if score.wrong:
        lines.append(f"  wrong      {', '.join(score.wrong[:10])}")
    return "\n".join(lines)


def _share(correct: int, whole: int) -> str:
    return f"{correct} of {whole}" + (f" ({correct / whole:.2%})" if whole else "")
