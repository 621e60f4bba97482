"""Rehearsal decides: answer, comment, tell, ask, look, pass on, move, idle, in that order."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from itertools import islice

from sandbox.agents.minds import DraftDropped, Drafted, Move, Situation
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.agents.rehearsal.talk import Talk
from sandbox.agents.rehearsal.walk import doing, going
from sandbox.story.chance import Chance
from sandbox.story.ids import CharacterId
from sandbox.story.text import sentences
from sandbox.story.view import CharacterView

Option = Callable[[], Iterator[Move]]


class Rehearsal:
    """Plays a character without a model. Same view and chance, same move."""

    name = "rehearsal"

    def __init__(self) -> None:
        self._notebooks: dict[CharacterId, tuple[object, Notebook]] = {}

    async def decide(
        self, situation: Situation
    ) -> AsyncGenerator[Drafted | DraftDropped | Move, None]:
        """Yield what will be said, then the move."""
        move = self.choose(situation.view, situation.chance)
        for sentence in sentences(move.words):
            yield Drafted(sentence)
        yield move

    def choose(self, view: CharacterView, chance: Chance) -> Move:
        """The first move that fits; an empty one where nothing does."""
        notebook = self._notebook(view)
        for option in _options(view, notebook, chance):
            for move in islice(option(), 1):
                return move
        return Move()

    def _notebook(self, view: CharacterView) -> Notebook:
        """The character's notebook, begun anew when its past was rewound."""
        past, notebook = self._notebooks.get(view.me, (None, Notebook(view.me)))
        if past is not view.percepts or notebook.read > len(view.percepts):
            notebook = Notebook(view.me)
        self._notebooks[view.me] = (view.percepts, notebook)
        notebook.update(view)
        return notebook


def _options(view: CharacterView, notebook: Notebook, chance: Chance) -> Iterator[Option]:
    """What the character could do, most pressing first."""
    talk = Talk(view, notebook, chance)

    def do() -> Iterator[Move]:
        return doing(view, notebook, chance)

    def go() -> Iterator[Move]:
        return going(view, notebook, chance)

    if notebook.pending is not None:
        yield talk.answer
    if not talk.has_company:
        yield from (do, go, talk.idle)
        return
    if chance.share("sink in") < _pause(notebook.since_news) and talk.stock() <= _LITTLE:
        yield from (talk.react, talk.idle)
    yield talk.wish
    if notebook.fruitless >= _ENOUGH or chance.share("restless") < _RESTLESS:
        yield from (do, go)
    if notebook.since_news >= _STALE:
        yield from (do, talk.pass_on)
    if notebook.since_news >= _STALE + 2:
        yield go
    if chance.share("hands") < _HANDS_FIRST:
        yield do
    speaking = [talk.ask, talk.pass_on]
    yield from speaking if chance.share("temper") < _CURIOUS else speaking[::-1]
    yield from (do, talk.follow_up, go, talk.idle)


def _pause(since_news: int) -> float:
    """Share of decisions in which news just sinks in: told all at once, a story is over too soon."""
    return _PAUSES[since_news] if since_news < len(_PAUSES) else 0.0


_PAUSES = (0.8, 0.6, 0.3)
"""By beats since somebody last learned something."""
_LITTLE = 3
"""Pieces of news for those here, up to which a character has little to tell."""
_ENOUGH = 2
"""Questions of mine in a row that brought nothing, after which I try elsewhere."""
_STALE = 4
"""Beats without news after which a character looks for some."""
_RESTLESS = 0.2
"""Share of decisions in which somebody walks off though there is more to say."""
_CURIOUS = 0.5
"""Share in which asking comes before telling."""
_HANDS_FIRST = 0.3
"""Share in which things at hand come before people."""
