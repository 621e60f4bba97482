"""Rehearsal decides: answer, weigh, tell, ask, look, search, pass on, move, idle, most pressing first."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from itertools import islice

from sandbox.agents.minds import DraftDropped, Drafted, Move, Situation
from sandbox.agents.rehearsal.notebook import Notebook
from sandbox.agents.rehearsal.talk import Talk
from sandbox.agents.rehearsal.walk import Walk
from sandbox.agents.rehearsal.weighing import Weighing
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
        view, trace = situation.view, situation.trace
        move = self.choose(view, situation.chance)
        trace.support = tuple(fact.statement for fact in view.known.pick(move.relied_on))
        if move.pattern in view.patterns:
            trace.pattern = view.patterns[move.pattern].situation
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
    walk = Walk(view, notebook, chance, talk)
    weighing = Weighing(view, notebook, chance, talk)
    if notebook.pending is not None:
        yield talk.answer
    if not talk.has_company:
        yield from (walk.suspect, walk.do, walk.search, walk.go, talk.idle)
        return
    if notebook.struck is not None:
        yield weighing.take_in
    waiting = notebook.awaiting is not None and talk.person(notebook.awaiting)
    if waiting and notebook.since_news < _STALE + 2:
        yield talk.idle
    yield talk.mislead
    if weighing.is_doubtful and chance.share("doubt") < _SAYS_SO:
        yield weighing.react
    if chance.share("sink in") < _pause(notebook.since_news) and talk.stock(_LITTLE + 1) <= _LITTLE:
        yield from (weighing.react, talk.idle)
    if chance.share("wish") < _WISHES_FIRST:
        yield talk.wish
    yield from _restless(notebook, chance, talk, walk)
    asking = [weighing.ask_another, talk.ask]
    telling = [talk.wish, talk.rumour, talk.pass_on]
    is_curious = chance.share("temper") < _CURIOUS and notebook.since_news < _STALE + 2
    yield from [*asking, *telling] if is_curious else [*telling, *asking]
    yield from (walk.do, walk.search, talk.follow_up, walk.go, talk.idle)


def _restless(notebook: Notebook, chance: Chance, talk: Talk, walk: Walk) -> Iterator[Option]:
    """What comes before talk where talk has led to nothing, or by whim."""
    if notebook.fruitless >= _ENOUGH or chance.share("restless") < _RESTLESS:
        yield from (walk.suspect, walk.do, walk.search, walk.go)
    if notebook.since_news >= _STALE:
        yield from (walk.do, walk.search, talk.pass_on)
    if notebook.since_news >= _STALE + 2:
        yield walk.go
    if chance.share("hands") < _HANDS_FIRST:
        yield from (walk.suspect, walk.do)


def _pause(since_news: int) -> float:
    """Share of decisions in which news just sinks in: told all at once, a story is over too soon."""
    return _PAUSES[since_news] if since_news < len(_PAUSES) else 0.0


_PAUSES = (0.8, 0.6, 0.3)
"""By beats since somebody last learned something."""
_LITTLE = 3
"""Pieces of news for those here, up to which a character has little to tell."""
_WISHES_FIRST = 0.7
"""Share in which what one wants others to know comes before all other talk."""
_SAYS_SO = 0.7
"""Share of doubtful tellings to which somebody says that it doubts them."""
_ENOUGH = 3
"""Questions of mine in a row that brought nothing, after which I try elsewhere."""
_STALE = 4
"""Beats without news after which a character looks for some."""
_RESTLESS = 0.2
"""Share of decisions in which somebody walks off though there is more to say."""
_CURIOUS = 0.85
"""Share in which asking comes before telling."""
_HANDS_FIRST = 0.3
"""Share in which things at hand come before people."""
