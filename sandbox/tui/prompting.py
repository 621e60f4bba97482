"""What a person types, as a request. A slip is answered with one line, and the text stays."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sandbox.errors import SandboxError, nearest
from sandbox.story.commands import Command, Do, Edit, Fire, Go, Inject, Retake, Retract, Rewind, Say
from sandbox.story.ids import CharacterId, PlaceId, PreparedId
from sandbox.story.viewpoint import Viewpoint
from sandbox.tui import words
from sandbox.tui.called import found, listed, near_or_all, nearest_name, splits, without_to
from sandbox.tui.state import StoryState
from sandbox.tui.stating import NotStated, searching, stated


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
    "event": "/event [PLACE:] TEXT",
    "fire": "/fire ID",
    "say": "/say [NAME:] TEXT",
    "whisper": "/whisper [NAME to] NAME: TEXT",
    "do": "/do [NAME:] TEXT",
    "search": "/search [NAME]",
    "go": "/go [NAME] PLACE",
    "as": "/as NAME",
    "view": "/view NAME",
    "retake": "/retake",
    "rewind": "/rewind TURN",
    "retract": "/retract TURN",
    "edit": "/edit TURN: TEXT",
    "turn": "/turn TURN",
    "help": "/help",
    "quit": "/quit",
}
"""How each command is written; `director` is a name for `/as` and `/view`.

A name in brackets may be left out where it is your own: through a character's eyes, or after `/as`.
"""
HELPS = {
    "event": "Something happens there, or here. Plain text does the same while you are the director.",
    "fire": "One of the world's prepared events happens; tab lists them. For the director.",
    "say": "A character says it; `/say NAME to NAME: TEXT` says it to somebody. Your own name may go. "
    "`TEXT =key clock` tells the fact of the speaker's with those words in it.",
    "whisper": "A character whispers it to another.",
    "do": "A character does it: `/do Ann: opens the window`.",
    "search": "A character searches the place it is in, and finds what is hidden there.",
    "go": "A character goes to a place, through those between.",
    "as": "Plain text is then what this character says. `/as director` narrates again.",
    "view": "See as this character sees, or `/view director` for everything.",
    "retake": "Withdraw the last beat; its character decides again.",
    "rewind": "Withdraw everything after a turn.",
    "retract": "Withdraw what happened in a turn, and keep what followed.",
    "edit": "Give the line of a turn other words. Asks whether what followed stays.",
    "turn": "Go to a turn.",
    "help": "How to play.",
    "quit": "Close the save and leave.",
}
CHANGES = tuple(name for name in USAGES if name not in ("view", "turn", "help", "quit"))
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
        return self._line(self.state.speaking_as, text)

    def _command(self, name: str, rest: str) -> Request:
        match name:
            case "event":
                return self._event(self._given(name, rest))
            case "fire":
                # What an author prepared is known to the director alone, and so are its ids.
                if self.state.viewpoint is not None:
                    raise PromptError(words.ONLY_DIRECTOR)
                return Fire(prepared=PreparedId(self._given(name, rest)))
            case "say" | "whisper":
                return self._say(name, rest)
            case "do":
                head, text = self._headed(name, rest)
                return Do(character=self._actor(head) if head else self._own(name), text=text)
            case "search":
                return searching(self.state, self._actor(rest) if rest else self._own(name))
            case "go":
                return self._go(rest)
            case "as" | "view":
                who = self._whose_eyes(self._given(name, rest), name)
                return SpeakAs(who) if name == "as" else SeeAs(who)
            case "rewind":
                return Rewind(turn=self._turn(rest))
            case "retract":
                return Retract(turn=self._past_turn(rest))
            case "edit":
                turn, *changed = _COLON.split(rest, maxsplit=1)
                return Edit(turn=self._past_turn(turn), words=self._given(name, "".join(changed)))
            case "turn":
                return ToTurn(self._turn(rest))
            case "retake":
                return Retake()
            case _:
                return Plain(name)

    def _given(self, name: str, text: str) -> str:
        if not text:
            raise self._usage(name)
        return text

    def _headed(self, name: str, rest: str) -> tuple[str, str]:
        """What stands before the colon, and after it."""
        parts = _COLON.split(rest, maxsplit=1)
        if len(parts) < 2 and self.state.own and name != "whisper":
            parts = ["", rest]
        if len(parts) < 2 or not parts[1]:
            raise self._usage(name)
        return parts[0], parts[1]

    def _usage(self, name: str) -> PromptError:
        usage = USAGES[name]
        if self.state.own is None and name != "event":
            usage = usage.replace("[", "").replace("]", "")
        return PromptError(words.USAGE.format(usage=usage))

    def _own(self, name: str) -> CharacterId:
        """Who acts where nobody is named."""
        if (own := self.state.own) is None:
            raise self._usage(name)
        return own

    def _event(self, text: str) -> Inject:
        parts = _COLON.split(text, maxsplit=1)
        place = found(parts[0], self.state.places()) if len(parts) == 2 and parts[1] else None
        where, what = (place, parts[1]) if place else (self.state.here, text)
        if where is None:
            raise PromptError(words.NO_PLACE_YET)
        return Inject(text=what, place=where)

    def _say(self, name: str, rest: str) -> Say:
        head, text = self._headed(name, rest)
        actor, *targets = _TO.split(f" {head}", maxsplit=1)
        if name == "whisper" and not targets and self.state.own:
            actor, targets = "", [head]
        who = self._actor(actor) if actor.strip() else self._own(name)
        to = tuple(self._person(target) for target in targets)
        if name == "whisper" and (not to or to == (who,)):
            raise self._usage(name)
        return self._line(who, text, to, whisper=name == "whisper")

    def _line(
        self,
        who: CharacterId,
        text: str,
        to: tuple[CharacterId, ...] = (),
        *,
        whisper: bool = False,
    ) -> Say:
        try:
            said, tells = stated(self.state.world, who, text)
        except NotStated as error:
            raise PromptError(str(error)) from None
        return Say(character=who, words=said, to=to, whisper=whisper, tells=tells or None)

    def _go(self, rest: str) -> Go:
        """A name, then a place; both may be of several words, so the longest name counts."""
        own, places = self.state.own, self.state.places()
        if own and (place := found(without_to(self._given("go", rest)), places)):
            return Go(character=own, place=place)
        for head, tail in splits(self._given("go", rest)):
            if who := found(head, self.state.people()):
                self._check_actor(who)
                return Go(character=who, place=self._goal(who, without_to(tail)))
        return self._no_goer(rest)

    def _no_goer(self, rest: str) -> Go:
        """Say whether it is the name or the place that is wrong."""
        is_to_a_place = any(found(without_to(t), self.state.places()) for _, t in splits(rest))
        head = rest.split()[0]
        if (own := self.state.own) and not is_to_a_place and not found(rest, self.state.people()):
            self._goal(own, without_to(rest))
        if not found(head, self.state.people()):
            self._check_actor(None)
            raise self._no_person(head)
        raise self._usage("go")

    # ── names ─────────────────────────────────────────────────────────────────────────────────

    def _person(self, name: str) -> CharacterId:
        if who := found(name, self.state.people()):
            return who
        raise self._no_person(name)

    def _no_person(self, name: str) -> PromptError:
        others = near_or_all(name.strip(), self.state.people())
        return PromptError(words.NO_PERSON.format(name=name.strip(), nearest=others))

    def _actor(self, name: str) -> CharacterId:
        self._check_actor(found(name, self.state.people()))
        return self._person(name)

    def _check_actor(self, who: CharacterId | None) -> None:
        """Through one character's eyes only that one acts: others would show what it cannot see."""
        eyes = self.state.viewpoint
        if eyes is not None and who != eyes:
            raise PromptError(words.ONLY_ITSELF.format(name=self.state.name(eyes)))

    def _goal(self, who: CharacterId, name: str) -> PlaceId:
        """The place that somebody is to go to."""
        places = self.state.places()
        if place := found(name, places):
            return place
        if near := nearest_name(name, places):
            nearest = words.DID_YOU_MEAN.format(name=near)
            raise PromptError(words.NO_PLACE.format(name=name, nearest=nearest))
        ways = self.state.ways_of(who)
        nearest = words.WAYS_ARE.format(names=listed(ways)) if ways else words.NO_WAYS
        here = self.state.name(self.state.world.stage.place_of[who])
        raise PromptError(words.NO_WAY_TO.format(here=here, name=name, nearest=nearest))

    def _whose_eyes(self, name: str, command: str) -> CharacterId | None:
        if name.casefold() in ("director", words.DIRECTOR.casefold()):
            return None
        if command == "as":
            return self._actor(name)
        # Whoever leaves a viewpoint may name anybody; only suggestions come from what it knows.
        canon = self.state.world.canon
        everybody = [(c, (*canon.names[c], c)) for c in sorted(self.state.world.stage.place_of)]
        if who := found(name, everybody):
            return who
        raise self._no_person(name)

    def _turn(self, text: str) -> int:
        if not text.isdecimal():
            raise PromptError(words.NO_TURN.format(text=text, last=self.state.turn))
        return int(text)

    def _past_turn(self, text: str) -> int:
        """A turn of which a line is shown; through one character's eyes a line of its own."""
        turn, eyes = self._turn(text), self.state.viewpoint
        lines = [line for line in self.state.lines if line.turn == turn]
        if not lines:
            raise PromptError(words.NOT_SHOWN.format(turn=turn))
        if eyes is not None and eyes not in [line.speaker_id for line in lines]:
            raise PromptError(words.ONLY_ITSELF.format(name=self.state.name(eyes)))
        return turn
