"""What a person types, as a request. A slip is answered with one line, and the text stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sandbox.errors import SandboxError, nearest
from sandbox.story.commands import Command, Do, Go, Inject, Retake, Rewind, Say
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.viewpoint import Viewpoint
from sandbox.tui import words
from sandbox.tui.state import StoryState

Id = TypeVar("Id", bound=str)
Named = Sequence[tuple[Id, tuple[str, ...]]]


class PromptError(SandboxError):
    """What was typed cannot be carried out as it stands."""


@dataclass(frozen=True)
class ToTurn:
    turn: int


@dataclass(frozen=True)
class SeeAs:
    viewpoint: Viewpoint


@dataclass(frozen=True)
class SpeakAs:
    character: CharacterId | None


@dataclass(frozen=True)
class Plain:
    """A request without arguments: `help`, `quit`."""

    name: str


Request = Command | ToTurn | SeeAs | SpeakAs | Plain

USAGES = {
    "event": "/event TEXT",
    "say": "/say NAME: TEXT",
    "whisper": "/whisper NAME to NAME: TEXT",
    "do": "/do NAME: TEXT",
    "go": "/go NAME PLACE",
    "as": "/as NAME",
    "view": "/view NAME",
    "retake": "/retake",
    "rewind": "/rewind TURN",
    "turn": "/turn TURN",
    "help": "/help",
    "quit": "/quit",
}
"""How each command is written; `director` is a name for `/as` and `/view`."""
HELPS = {
    "event": "Something happens here. Plain text does the same while you are the director.",
    "say": "A character says it; `/say NAME to NAME: TEXT` says it to somebody.",
    "whisper": "A character whispers it to another.",
    "do": "A character does it: `/do Ann: opens the window`.",
    "go": "A character goes to a neighbouring place.",
    "as": "Plain text is then what this character says. `/as director` narrates again.",
    "view": "See as this character sees, or `/view director` for everything.",
    "retake": "Withdraw the last beat; its character decides again.",
    "rewind": "Withdraw everything after a turn.",
    "turn": "Go to a turn.",
    "help": "How to play.",
    "quit": "Close the save and leave.",
}
CHANGES = ("event", "say", "whisper", "do", "go", "as", "retake", "rewind")
"""Commands that a replay has no use for."""

_TO = re.compile(r"\s+to\s+|\s*(?:→|->|对)\s*", re.IGNORECASE)
_COLON = re.compile(r"\s*[:：]\s*")


@dataclass(frozen=True)
class Reader:
    """Reads what is typed with the names the viewpoint knows."""

    state: StoryState
    is_replay: bool = False

    def read(self, text: str) -> Request:
        """The request that `text` makes.

        Raises:
            PromptError: no such command, name or turn; says what would be right.
        """
        text = text.strip()
        if not text.startswith("/"):
            return self._spoken(text)
        name, _, rest = text[1:].partition(" ")
        if name not in USAGES:
            given = nearest(f"/{name}", [f"/{known}" for known in USAGES])
            raise PromptError(words.NO_COMMAND.format(name=f"/{name}", nearest=given))
        if self.is_replay and name in CHANGES:
            raise PromptError(words.READ_ONLY)
        return self._command(name, rest.strip())

    def _spoken(self, text: str) -> Request:
        if self.is_replay:
            raise PromptError(words.READ_ONLY)
        if self.state.speaking_as is None:
            return self._event(text)
        return Say(character=self.state.speaking_as, words=text)

    def _command(self, name: str, rest: str) -> Request:
        match name:
            case "event":
                return self._event(self._given(name, rest))
            case "say" | "whisper":
                return self._say(name, rest)
            case "do":
                head, text = self._headed(name, rest)
                return Do(character=self._actor(head), text=text)
            case "go":
                return self._go(rest)
            case "as" | "view":
                who = self._whose_eyes(self._given(name, rest), name)
                return SpeakAs(who) if name == "as" else SeeAs(who)
            case "rewind":
                return Rewind(turn=self._turn(rest))
            case "turn":
                return ToTurn(self._turn(rest))
            case "retake":
                return Retake()
            case _:
                return Plain(name)

    def _given(self, name: str, text: str) -> str:
        if not text:
            raise PromptError(words.USAGE.format(usage=USAGES[name]))
        return text

    def _headed(self, name: str, rest: str) -> tuple[str, str]:
        """What stands before the colon, and after it."""
        parts = _COLON.split(rest, maxsplit=1)
        if len(parts) < 2 or not all(parts):
            raise PromptError(words.USAGE.format(usage=USAGES[name]))
        return parts[0], parts[1]

    def _event(self, text: str) -> Inject:
        parts = _COLON.split(text, maxsplit=1)
        place = _found(parts[0], self.state.places()) if len(parts) == 2 and parts[1] else None
        where, what = (place, parts[1]) if place else (self.state.here, text)
        if where is None:
            raise PromptError(words.NO_PLACE_YET)
        return Inject(text=what, place=where)

    def _say(self, name: str, rest: str) -> Say:
        head, text = self._headed(name, rest)
        actor, *targets = _TO.split(head, maxsplit=1)
        if name == "whisper" and not targets:
            raise PromptError(words.USAGE.format(usage=USAGES[name]))
        to = tuple(self._person(target) for target in targets)
        return Say(character=self._actor(actor), words=text, to=to, whisper=name == "whisper")

    def _go(self, rest: str) -> Go:
        """A name, then a place; both may be of several words, so the longest name counts."""
        for head, tail in _splits(self._given("go", rest)):
            if who := _found(head, self.state.people()):
                self._check_actor(who)
                return Go(character=who, place=self._place(_without_to(tail)))
        head = rest.split()[0]
        if not _found(head, self.state.people()):
            raise self._no_person(head)
        raise PromptError(words.USAGE.format(usage=USAGES["go"]))

    # ── names ─────────────────────────────────────────────────────────────────────────────────

    def _person(self, name: str) -> CharacterId:
        if who := _found(name, self.state.people()):
            return who
        raise self._no_person(name)

    def _no_person(self, name: str) -> PromptError:
        return PromptError(
            words.NO_PERSON.format(name=name, nearest=_near(name, self.state.people()))
        )

    def _actor(self, name: str) -> CharacterId:
        who = self._person(name)
        self._check_actor(who)
        return who

    def _check_actor(self, who: CharacterId) -> None:
        """Through one character's eyes only that one acts: others would show what it cannot see."""
        eyes = self.state.viewpoint
        if eyes is not None and who != eyes:
            raise PromptError(words.ONLY_ITSELF.format(name=self.state.name(eyes)))

    def _place(self, name: str) -> PlaceId:
        if place := _found(name, self.state.places()):
            return place
        raise PromptError(
            words.NO_PLACE.format(name=name, nearest=_near(name, self.state.places()))
        )

    def _whose_eyes(self, name: str, command: str) -> CharacterId | None:
        if name.casefold() in ("director", words.DIRECTOR.casefold()):
            return None
        if command == "as":
            return self._actor(name)
        # Whoever leaves a viewpoint may name anybody; only suggestions come from what it knows.
        canon = self.state.world.canon
        everybody = [(c, (*canon.names[c], c)) for c in sorted(self.state.world.stage.place_of)]
        if who := _found(name, everybody):
            return who
        raise self._no_person(name)

    def _turn(self, text: str) -> int:
        if not text.isdecimal():
            raise PromptError(words.NO_TURN.format(text=text, last=self.state.turn))
        return int(text)


def _folded(name: str) -> str:
    return name.strip(" .,:;\"'“”。，：；「」").casefold().removeprefix("the ")


def _found(name: str, named: Named[Id]) -> Id | None:
    """Whom or what a name means: the whole name or, where only one has it, its first word."""
    wanted = _folded(name)
    for id_, names in named:
        if wanted and wanted in map(_folded, names):
            return id_
    first = {id_ for id_, names in named for n in names if wanted in _folded(n).split()}
    return first.pop() if len(first) == 1 else None


def _near(name: str, named: Named[Id]) -> str:
    """The nearest known name, as the world writes it."""
    known: dict[str, str] = {}
    for _, names in named:
        for one in names:
            known.setdefault(_folded(one), names[0])
    text = nearest(_folded(name), known)
    for folded, shown in known.items():
        text = text.replace(f"`{folded}`", f"`{shown}`")
    return text


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """A text cut in two at each space, the longest head first; Chinese names need no space."""
    pieces = text.split()
    for at in range(len(pieces) - 1, 0, -1):
        yield " ".join(pieces[:at]), " ".join(pieces[at:])


def _without_to(text: str) -> str:
    head, _, tail = text.partition(" ")
    return tail if head.casefold() == "to" and tail else text
