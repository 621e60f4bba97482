"""`sandbox ask SAVE as CHARACTER` over a canary story, as a person types it, against who may hold what."""

import asyncio
import io
import json
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field

import pytest

from sandbox.cli.main import main
from tests.property.canary import Tracker, surviving_until
from tests.property.canary_mint import out_of_ids
from tests.property.canary_plan import ID_OF, Json
from tests.property.canary_watch import Watch

_WORDS = {"en": "Who is {}, and why?", "zh": "{}是谁？为什么？"}
_JSON = frozenset({"--json"})
_NAMED = 6
"""Names in a question: those the character holds that come first, and last."""
_EACH = 9
"""Of all that have names, each so many is asked about."""


@dataclass
class Asks:
    """Questions to every character at turns of a story."""

    watch: Watch
    answers: list[Json] = field(default_factory=list)
    """What was printed as JSON."""

    async def at(self, turn: int, *flags: str) -> None:
        """Put a question to everybody as of after a turn; what it is given is checked."""
        then, sides = (self._tracker(turn, structured=both) for both in (False, True))
        for who in self._everybody():
            await self._at(turn, who, self._known_to(then, who), then, sides, *flags)

    async def about_anybody(self, turn: int, *flags: str) -> None:
        """The same about all there are, by names that who is asked may never have heard."""
        then, sides = (self._tracker(turn, structured=both) for both in (False, True))
        names = self.watch.world.names
        for who in self._everybody():
            for tracker in (then, sides):  # what stands in the question is no leak
                tracker.held[who] |= set[str]().union(*names.values())
            for about in sorted(names)[::_EACH]:
                await self._at(turn, who, sorted(names[about]), then, sides, *flags)

    async def in_words(self, turn: int, who: str, *flags: str) -> None:
        """The first, printed for people."""
        then, sides = (self._tracker(turn, structured=both) for both in (False, True))
        text = await self._asked(turn, who, self._known_to(then, who), *flags)
        sides.check(who, text, f"printed as of turn {turn}")
        self._check_requests(then, who, turn)

    async def _at(
        self, turn: int, who: str, about: Sequence[str], then: Tracker, sides: Tracker, *flags: str
    ) -> None:
        answer = json.loads(await self._asked(turn, who, about, "--json", *flags))
        assert answer.pop("character") == ID_OF[who]  # it is what was typed
        text = json.dumps(answer, ensure_ascii=False)
        sides.check(who, text, f"in its answer as of turn {turn}")
        self.answers.append(answer)
        self._check_requests(then, who, turn)

    def _everybody(self) -> list[str]:
        return sorted(out_of_ids(id_) for id_ in self.watch.story.percepts)

    def _check_requests(self, then: Tracker, who: str, turn: int) -> None:
        for asked in self.watch.arrived:
            assert asked.who == who
            then.check(who, asked.text, f"in a request (`{asked.kind}`) as of turn {turn}")
        self.watch.arrived.clear()

    def _tracker(self, turn: int, *, structured: bool) -> Tracker:
        watch = self.watch
        tracker = Tracker(watch.world, watch.start, structured=structured)
        tracker.follow(surviving_until(watch.journal(), turn))
        return tracker

    def _known_to(self, then: Tracker, who: str) -> list[str]:
        """Some of the names that somebody has heard."""
        names = set[str]().union(*self.watch.world.names.values())
        known = sorted(then.held[who] & names)
        return [*known[:_NAMED], *known[-_NAMED:]]

    async def _asked(self, turn: int, who: str, about: Sequence[str], *flags: str) -> str:
        """What is printed. The program has an event loop of its own, so it runs beside ours."""
        words = _WORDS[self.watch.world.language].format(" ".join(about))
        head = ["ask", self.watch.save.name, "--at", str(turn), *_JSON.intersection(flags)]
        last = [flag for flag in flags if flag not in _JSON]
        return await asyncio.to_thread(_printed, [*head, "as", ID_OF[who], words, *last])


def connect(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program find the save, and the model where one plays."""
    monkeypatch.setenv("SANDBOX_SAVES", str(watch.save.folder.parent))
    if (model := watch.settings.model).name:
        monkeypatch.setenv("SANDBOX_MODEL_NAME", model.name)
        monkeypatch.setenv("SANDBOX_MODEL_BASE_URL", model.base_url)


def disconnect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the model away: answers are composed."""
    monkeypatch.delenv("SANDBOX_MODEL_NAME")


def _printed(argv: list[str]) -> str:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(argv)
    assert code == 0, err.getvalue()
    return out.getvalue()
