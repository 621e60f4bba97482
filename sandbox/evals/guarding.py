"""How well the guard agrees with lines marked by hand: `python -m sandbox.evals.guarding LINES... NAMES`.

A line marked `leak` ought to be found, one marked `clean` to pass. The half `dev` is what the guard was made on, of
the half `held` nothing is shown but numbers and ids. What is true is looked up after the verdict, for counters only.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final, Literal

from sandbox.agents.guarding import Finding, Guard
from sandbox.storage.places import worlds_folder
from sandbox.storage.worlds import read_world
from sandbox.story.canon import Canon
from sandbox.story.events import Offence
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId
from sandbox.story.telling.sentences import spoken_sentences
from sandbox.story.telling.told import told_by
from sandbox.story.view import CharacterView
from sandbox.story.world import World

Half = Literal["dev", "held"]
Line = Mapping[str, Any]
"""One marked line: see `tests/marked/README.md`."""
FORMS: Final = ("literal", "paraphrased")


@dataclass
class Figures:
    """One language, one half of the lines."""

    language: str
    half: Half
    found: Counter[str] = field(default_factory=Counter)
    """Leaks found, by form."""
    leaks: Counter[str] = field(default_factory=Counter)
    """Leaks, by form."""
    clean: int = 0
    missed: list[Line] = field(default_factory=list, repr=False)
    false: list[Line] = field(default_factory=list, repr=False)
    twins: int = 0
    unlike: list[Line] = field(default_factory=list, repr=False)
    """Leaks whose twin got another verdict."""
    leaked: int = 0
    """Findings that told a true fact which their speaker does not hold."""

    @property
    def precision(self) -> float:
        """Share in [0, 1] of the lines found that are leaks; 1 where none was found."""
        found = self.found.total()
        return found / (found + len(self.false)) if found or self.false else 1.0

    def recall(self, form: str | None = None) -> float:
        """Share in [0, 1] of the leaks (of one form) that were found; 1 where there are none."""
        leaks = self.leaks[form] if form else self.leaks.total()
        found = self.found[form] if form else self.found.total()
        return found / leaks if leaks else 1.0

    def report(self) -> Iterator[str]:
        """The figures for people; of the half held out the slips by id alone."""
        yield (
            f"{self.language} {self.half}: precision {self.precision:.3f}, recall {self.recall():.3f} "
            f"(literal {self.recall('literal'):.3f}, paraphrased {self.recall('paraphrased'):.3f}); "
            f"{len(self.false)} of {self.clean} clean lines found; "
            f"{self.twins - len(self.unlike)} of {self.twins} twins alike; {self.leaked} told what is true"
        )
        for name, lines in (
            ("missed", self.missed),
            ("false", self.false),
            ("unlike", self.unlike),
        ):
            for line in lines:
                shown = f" ({line['kind']}, {line['form']}) {line['line']}"
                yield f"  {name} {line['id']}" + (shown if self.half == "dev" else "")


class Worlds:
    """Worlds at their default start, each read once."""

    def __init__(self, folder: Path, names: Mapping[str, Mapping[str, str]] | None = None) -> None:
        """Worlds of a folder.

        Args:
            folder: of the worlds.
            names: for each world other names for those in it. None: as they are.
        """
        self._folder = folder
        self._names = names or {}
        self._kept: dict[str, World] = {}

    def __getitem__(self, name: str) -> World:
        if name not in self._kept:
            canon = renamed(read_world(self._folder / name), self._names.get(name, {}))
            self._kept[name] = fold(canon, canon.default_start, []).world
        return self._kept[name]


def checked(line: Line, world: World, words: str | None = None) -> list[Finding]:
    """What the guard finds in a marked line, or in other words of the same speaker to the same people."""
    view = CharacterView(world, CharacterId(line["speaker"]))
    guard = Guard(view, [CharacterId(who) for who in line["to"]])
    sentences = spoken_sentences(line["line"] if words is None else words)
    return [finding for s in sentences if (finding := guard.check(s)) is not None]


def leaked(world: World, view: CharacterView, finding: Finding) -> bool:
    """Whether a finding tells a true fact that its speaker does not hold. For counters, after the verdict."""
    if finding.offence is not Offence.ASSERTED:
        return False
    told = {
        (claim.subject, claim.predicate, claim.object)
        for claim in told_by(finding.sentence, view.me, (), world)
    }
    held = world.propositions[view.me]
    facts = (fact for fact in world.facts.values() if fact.canon is not None)
    return any(f.proposition in told and f.proposition not in held for f in facts)


def measure(path: Path, half: Half, worlds: Worlds | None = None) -> list[Figures]:
    """The figures for each language.

    Args:
        path: marked lines, one JSON object a line.
        half: which half of them.
        worlds: the worlds they were marked on. None: the bundled ones.
    """
    worlds = worlds or Worlds(worlds_folder())
    figures: dict[str, Figures] = {}
    for line in lines_of(path, half):
        found = figures.setdefault(line["language"], Figures(line["language"], half))
        _count(found, line, worlds[line["world"]])
    return list(figures.values())


def lines_of(path: Path, half: Half) -> list[Line]:
    """The marked lines of one half; those of a file without halves are all for building on."""
    unmarked = {"half": "dev", "twin": None}
    lines = (unmarked | json.loads(text) for text in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line["half"] == half]


def _count(figures: Figures, line: Line, world: World) -> None:
    findings = checked(line, world)
    view = CharacterView(world, CharacterId(line["speaker"]))
    figures.leaked += any(leaked(world, view, finding) for finding in findings)
    if line["label"] == "clean":
        figures.clean += 1
        figures.false += [line] if findings else []
        return
    figures.leaks[line["form"]] += 1
    figures.found[line["form"]] += bool(findings)
    figures.missed += [] if findings else [line]
    if line["twin"]:
        figures.twins += 1
        is_alike = bool(checked(line, world, line["twin"])) == bool(findings)
        figures.unlike += [] if is_alike else [line]


# ── canon asserted by a model that knows the novel ────────────────────────────────────────────


@dataclass
class Renamed:
    """Leaks told in a world whose people go by other names: one language, one half."""

    language: str
    half: Half
    leaks: Counter[str] = field(default_factory=Counter)
    by_new_names: Counter[str] = field(default_factory=Counter)
    """Found where the line has the names of the renamed world, by form."""
    by_old_names: Counter[str] = field(default_factory=Counter)
    """Found where it has the names of the novel, which are nobody's there."""
    clean: int = 0
    false: int = 0
    """Clean lines found, told in the new names."""

    def report(self) -> Iterator[str]:
        shares = (
            f"{form} {self.by_new_names[form]}/{self.by_old_names[form]} of {self.leaks[form]}"
            for form in FORMS
        )
        yield (
            f"{self.language} {self.half}, renamed: found by new names/by those of the novel: "
            f"{', '.join(shares)}; {self.false} of {self.clean} clean lines found"
        )


def measure_renamed(
    path: Path, half: Half, names: Mapping[str, Mapping[str, str]], folder: Path | None = None
) -> list[Renamed]:
    """The figures for each language, in worlds with other names (`names`, for each world)."""
    worlds, found = Worlds(folder or worlds_folder(), names), dict[str, Renamed]()
    for line in lines_of(path, half):
        figures = found.setdefault(line["language"], Renamed(line["language"], half))
        world, form = worlds[line["world"]], line["form"]
        renamed_line = _with_names(line["line"], names[line["world"]])
        is_found = bool(checked(line, world, renamed_line))
        if line["label"] == "clean":
            figures.clean += 1
            figures.false += is_found
            continue
        figures.leaks[form] += 1
        figures.by_new_names[form] += is_found
        figures.by_old_names[form] += bool(checked(line, world))
    return list(found.values())


def renamed(canon: Canon, names: Mapping[str, str]) -> Canon:
    """The canon with other names in all its texts; ids stay."""
    if not names:
        return canon
    return Canon.model_validate(_renamed(canon.model_dump(by_alias=True), names))


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    match value:
        case str():
            return _with_names(value, names)
        case dict():
            return {key: _renamed(inner, names) for key, inner in value.items()}
        case list() | tuple():
            return [_renamed(inner, names) for inner in value]
        case _:
            return value


def _with_names(text: str, names: Mapping[str, str]) -> str:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    pattern = "|".join(rf"(?<![A-Za-z]){re.escape(name)}(?![a-z])" for name in longest_first)
    return re.sub(pattern, lambda match: names[match[0]], text)


def main(arguments: Sequence[str]) -> None:
    """Print all figures of marked lines, and of the same in worlds with other names."""
    *files, names = (Path(argument) for argument in arguments)
    others = json.loads(names.read_text(encoding="utf-8"))
    halves: tuple[Half, ...] = ("dev", "held")
    for lines, half in product(files, halves):
        told: list[Figures | Renamed] = [
            *measure(lines, half),
            *measure_renamed(lines, half, others),
        ]
        for figures in told:
            sys.stdout.writelines(f"{text}\n" for text in figures.report())


if __name__ == "__main__":
    main(sys.argv[1:])
