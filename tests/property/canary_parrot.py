"""A parrot: a model that repeats in every field of its replies the tokens it was shown."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.property.canary_mint import TOKEN, tokens
from tests.property.canary_plan import Json
from tests.property.canary_world import CanaryWorld

_ASKS = {"probe": '"enough"', "episode": '"summary"', "answer": '"relied_on"'}
"""What the form of a reply has that is shown with what is asked; a move's stands in who one is."""


@dataclass(frozen=True)
class Asking:
    """One request that came in."""

    who: str
    kind: str
    """`move`, `probe`, `episode` or `answer`; the second attempt at a move `guarded`, where its words
    were objected to, or `unread`."""
    text: str
    told: str = ""
    """What the second attempt adds to the first."""
    own: frozenset[str] = frozenset()
    """Tokens of the reply that was not taken."""


def whose(world: CanaryWorld, body: Json) -> str:
    """Whose request it is: the first line names the character."""
    first = TOKEN.search(body["messages"][0]["content"])
    assert first is not None
    return next(who for who in world.plan.cast if first[0] in world.names[who])


@dataclass
class Parrot:
    """Repeats in every field of its replies the tokens it was shown, in ever new order.

    What it answers hangs on the seed, on whose request it is, on how many that one sent before and
    on what stands in it: never on the order in which the requests of one round happen to arrive.
    """

    world: CanaryWorld
    seed: int = 1
    sent: Counter[str] = field(default_factory=Counter[str])
    """Requests so far by whose they were."""
    kinds: Counter[str] = field(default_factory=Counter[str])
    """The same by kind."""
    garbage_every: int = 11
    """Each so many replies are no JSON at all, so that the retry is seen too."""
    _last: dict[str, str] = field(default_factory=dict[str, str])
    """The last reply of each to a move."""

    def asked(self, body: Json) -> Asking:
        """What a request is; it is counted."""
        who, messages = whose(self.world, body), body["messages"]
        text = "\n".join(message["content"] for message in messages)
        made = Asking(who, _kind(messages[1]["content"]), text)
        if len(messages) > 2:
            last = self._last[who]
            kind = "unread" if _is_garbage(last) else "guarded"
            own = frozenset(tokens(last))
            made = Asking(who, kind, text, messages[2]["content"], own)
        self.sent[who] += 1
        self.kinds[made.kind] += 1
        return made

    def reply(self, asked: Asking) -> Json | str:
        """What it answers to a request."""
        # Seven is prime to all steps: no two characters go through their tokens alike.
        turn = self.seed + self.sent[asked.who] + 7 * list(self.world.plan.cast).index(asked.who)
        seen = sorted(tokens(asked.text))
        reply: Json | str = f"no JSON {' '.join(seen)}"
        if turn % self.garbage_every or asked.told:
            some = _picker(seen, turn)
            reply = _FORMS.get(asked.kind, _move)(some, turn, asked.text)
        if asked.kind not in _FORMS:
            self._last[asked.who] = str(reply)
        return reply


_Picker = Callable[[int, int], str]


def _picker(seen: list[str], turn: int) -> _Picker:
    def some(number: int, step: int) -> str:
        return " ".join(seen[(turn * step + n * 7) % len(seen)] for n in range(number))

    return some


def _kind(asked: str) -> str:
    return next((kind for kind, key in _ASKS.items() if key in asked), "move")


def _is_garbage(reply: str) -> bool:
    return reply.startswith("no JSON")


def _move(some: _Picker, turn: int, shown: str) -> Json:
    rows = ("Who is|在场的人", "Things|手边", "Ways out|出路")
    people, things, ways = (_row(shown, row) for row in rows)
    other = people[turn % len(people)] if people else some(1, 3)
    # Every seventh time somebody else is given a line: the guard objects.
    script = f"\n{other}: {some(3, 13)}." if turn % 7 == 0 else ""
    return {
        "thought": f"I mean {some(6, 5)}",
        "action": "" if turn % 4 == 0 else f"shows {some(3, 3)}",
        "words": f"Take {some(4, 11)}. And {some(4, 13)}!{script}",
        "to": people[turn % len(people) :][:1] if people else [],
        "whisper": turn % 3 == 0 and bool(people),
        "examine": things[turn % len(things)] if things and turn % 4 == 0 else "",
        "go": ways[turn % len(ways)] if ways and turn % 5 == 0 else "",
        "mood": some(2, 17),
        "relied_on": ["f1", "f2", some(1, 47)],
    }


def _probe(some: _Picker, turn: int, shown: str) -> Json:
    asks = [f"Who is {some(1, 3)}?", f"Why {some(2, 5)}?", f"Where is {some(1, 11)}?"]
    return {"enough": turn % 5 == 0, "ask": asks}


def _episode(some: _Picker, turn: int, shown: str) -> Json:
    return {
        "summary": f"I keep {some(5, 19)}.",
        "feelings": f"I feel {some(2, 23)}.",
        "pattern": {
            "situation": f"When {some(3, 29)} comes up.",
            "manner": f"I say {some(3, 31)}.",
            "mood_before": some(1, 37),
            "mood_after": some(1, 41),
            "sample": some(2, 43),
        },
    }


def _answer(some: _Picker, turn: int, shown: str) -> Json:
    return {"words": f"It is {some(4, 11)}. I say {some(3, 13)}.", "relied_on": ["f1", some(1, 3)]}


_FORMS: dict[str, Callable[[_Picker, int, str], Json]] = {
    "probe": _probe,
    "episode": _episode,
    "answer": _answer,
}


def _row(shown: str, row: str) -> list[str]:
    """The first token of each item in a line of the prompt: what its things are called."""
    found = re.search(rf"^(?:{row})[^:：]*[:：] ?(.*)$", shown, re.MULTILINE)
    items = re.split("; |；", found[1]) if found else []
    return [t[0] for item in items if (t := TOKEN.search(item))]
