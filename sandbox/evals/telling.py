"""How well the computing of what a line tells agrees with lines marked by hand.

The odd lines are those the rules were made on; the even ones are held out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId, PredicateId
from sandbox.story.telling.told import told_by
from sandbox.story.world import World

Half = Literal["odd", "even"]
Told = tuple[str, PredicateId, str, str]
"""(subject, predicate, object, mode)."""

_REASONS: Final = {
    "known": "no wording of the predicate matches, and too little is shared with the fact's sentences",
    "unknown": "no wording of the predicate matches, and its speaker does not hold the fact",
    "mode": "taken in another mode",
    "false": "matches a wording, or a fact of the speaker's, that the marker did not see told",
}


@dataclass(frozen=True)
class Slip:
    """A claim missed, or one too many."""

    line: str
    """Id of the marked line."""
    words: str
    told: Told
    reason: str


@dataclass
class Figures:
    """One language, one half of the lines."""

    language: str
    half: Half
    lines: int = 0
    right: int = 0
    missed: list[Slip] = field(default_factory=list)
    false: list[Slip] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Share in [0, 1] of what was computed that the marks have too; 1 where nothing was."""
        computed = self.right + len(self.false)
        return self.right / computed if computed else 1.0

    @property
    def recall(self) -> float:
        """Share in [0, 1] of the marks that was computed; 1 where there are none."""
        marked = self.right + len(self.missed)
        return self.right / marked if marked else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, in [0, 1]."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def report(self) -> Iterator[str]:
        """The figures and every slip, for people."""
        yield (
            f"{self.language} {self.half}: {self.lines} lines, precision {self.precision:.3f}, "
            f"recall {self.recall:.3f}, F1 {self.f1:.3f} "
            f"({self.right} right, {len(self.missed)} missed, {len(self.false)} false)"
        )
        for kind, slips in (("missed", self.missed), ("false", self.false)):
            for slip in slips:
                yield f"  {kind} {slip.line} {slip.told}: {slip.reason}\n    {slip.words}"


def measure(path: Path, half: Half = "odd", worlds: Path | None = None) -> list[Figures]:
    """The figures for each language.

    Args:
        path: marked lines, one JSON object a line.
        half: lines with odd or with even number.
        worlds: the folder of the worlds the lines were marked on. None: `worlds` beside `path`.
    """
    reader = _Worlds(worlds or path.parent / "worlds")
    found: dict[str, Figures] = {}
    for text in path.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        language, _, number = line["id"].partition("-")
        if int(number) % 2 == (half == "odd"):
            figures = found.setdefault(language, Figures(language, half))
            _count(figures, line, reader.world(line["world"]))
    return list(found.values())


@dataclass
class _Worlds:
    folder: Path
    _kept: dict[str, World] = field(default_factory=dict)

    def world(self, name: str) -> World:
        if name not in self._kept:
            canon = read_world(self.folder / name)
            self._kept[name] = fold(canon, canon.default_start, []).world
        return self._kept[name]


def _count(figures: Figures, line: dict[str, Any], world: World) -> None:
    canon = world.canon
    speaker, to = CharacterId(line["speaker"]), [CharacterId(who) for who in line["to"]]
    claims = [c.model_dump() for c in told_by(line["words"], speaker, to, world)]
    computed = _as_told(claims, canon)
    marked = _as_told(line["tells"], canon)
    figures.lines += 1
    figures.right += len(marked & computed)
    for told in sorted(marked - computed):
        reason = _REASONS[_why_missed(told, computed, speaker, world)]
        figures.missed.append(Slip(line["id"], line["words"], told, reason))
    for told in sorted(computed - marked):
        figures.false.append(Slip(line["id"], line["words"], told, _REASONS["false"]))


def _as_told(claims: Sequence[dict[str, Any]], canon: Canon) -> set[Told]:
    """What is claimed or supposed; of an inverse pair one form. The marks leave denials out."""
    found: set[Told] = set()
    for claim in claims:
        said = (claim["subject"], PredicateId(claim["predicate"]), claim["object"])
        inverse = canon.predicates[said[1]].inverse
        if inverse is not None:
            said = min(said, (said[2], inverse, said[0]))
        if claim["mode"] != "denied":
            found.add((*said, claim["mode"]))
    return found


def _why_missed(told: Told, computed: set[Told], speaker: CharacterId, world: World) -> str:
    if any(other[:3] == told[:3] for other in computed):
        return "mode"
    inverse = world.canon.predicates[told[1]].inverse
    turned = (told[2], inverse, told[0]) if inverse else told[:3]
    held = world.propositions[speaker]
    return "known" if told[:3] in held or turned in held else "unknown"
