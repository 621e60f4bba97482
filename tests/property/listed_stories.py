"""Strategies: event lists of every type, mark and claim that do not contradict themselves."""

from typing import Any

from hypothesis import strategies as st

from sandbox.evals.knowledge.moment import Switches
from tests.slow_lists import SlowReplay

CAST = ("Ann", "Anna B.", "小红", "小红花")
PLACES = ("hall", "厨房")
OBJECTS = ("key", "信")
BOXES = ("jar", "抽屉")
TOPICS = ("the fire", "婚事")
LABELS = ("tea", "糖")

switches = st.builds(
    Switches,
    on_entering=st.sampled_from(("all", "open", "nothing")),
    claims=st.sampled_from(("place", "everywhere")),
    trust=st.sampled_from(("none", "all", "later-leavers")),
)
TYPES = (
    "enter", "enter", "enter", "join", "at", "exit", "leave", "say", "say", "aside", "whisper",
    "whisper", "object_at", "container_at", "move_object", "move_object", "carry_object",
    "see_label", "open", "close", "business", "wait", "noise", "dies",
)  # fmt: skip


class Writer:
    """Writes a list that does not contradict itself, event by event, against the slow replay."""

    def __init__(self, draw: st.DrawFn, chosen: Switches) -> None:
        self.draw = draw
        self.slow = SlowReplay(CAST, chosen.on_entering, chosen.claims, chosen.trust)
        self.events: list[dict[str, Any]] = []

    def __repr__(self) -> str:
        return "\n".join(map(str, self.events))

    def pick(self, options: Any) -> Any:
        return self.draw(st.sampled_from(sorted(options)))

    def some(self, options: Any, at_least: int = 0) -> list[str]:
        chosen: list[str] = self.draw(
            st.lists(st.sampled_from(sorted(options)), unique=True, min_size=at_least, max_size=2)
            if options
            else st.just([])
        )
        return chosen

    def write(self) -> None:
        kind = self.draw(st.sampled_from(TYPES))
        event = self._event(kind)
        if event is None:
            return
        event |= {"i": len(self.events), "text": f"event {len(self.events)}"}
        self._mark(event)
        self.slow.play(event)
        event["present"] = sorted(
            (self.slow.heard[-1] - set(event.get("secret_witnesses", ())))
            | (set(event.get("distracted", ())) & self.slow.there(event["place"]))
        )
        self.events.append(event)

    def _event(self, kind: str) -> dict[str, Any] | None:
        if kind in ("enter", "join", "at"):
            return self._coming(kind)
        alive = [w for w in CAST if self.slow.at[w] and w not in self.slow.dead]
        if kind in ("object_at", "container_at"):
            return self._put(kind, None, self.pick(PLACES))
        if not alive:
            return None
        actor = self.pick(alive)
        place = self.slow.at[actor]
        event: dict[str, Any] = {"type": kind, "actor": actor, "place": place}
        match kind:
            case "say":
                return event | self._told()
            case "aside":
                others = self.some(self.slow.there(place) - {actor})
                return (
                    event
                    | self._told()
                    | {"type": "say", "aside": True, "heard_by": [actor, *others]}
                )
            case "whisper":
                return event | self._told() | {"targets": self.some(set(CAST) - {actor}, 1)}
            case "move_object":
                return self._put(kind, actor, place)
            case "carry_object":
                return event | {"object": self.pick(OBJECTS), "to_place": self.pick(PLACES)}
            case "see_label":
                return event | {"object": self.pick(OBJECTS), "label": self.pick(LABELS)}
            case "open":
                return event | {"object": self.pick(OBJECTS), "content": self.pick(LABELS)}
            case "exit" | "leave" | "dies" | "close" | "business" | "wait" | "noise":
                return event
            case _:
                raise AssertionError(kind)

    def _coming(self, kind: str) -> dict[str, Any]:
        place, who = self.pick(PLACES), self.pick(CAST)
        origin = self.slow.at[who] if who not in self.slow.dead else None
        event = {"type": kind, "actor": who, "place": place}
        here = self.slow.at[who]
        if who in self.slow.dead and here not in (None, place):
            event["from_place"] = here
        return event | ({"from_place": origin} if origin not in (None, place) else {})

    def _put(self, kind: str, actor: str | None, place: Any) -> dict[str, Any]:
        event = {"type": kind, "actor": actor, "place": place}
        if kind == "container_at":
            return event | {"container": self.pick(BOXES)}
        in_box = self.draw(st.booleans())
        return (
            event
            | {"object": self.pick(OBJECTS)}
            | ({"container": self.pick(BOXES)} if in_box else {})
        )

    def _told(self) -> dict[str, Any]:
        if self.draw(st.booleans()):
            return {"topic": self.pick(TOPICS)}
        return {"object": self.pick(OBJECTS), "container": self.pick(BOXES)}

    def _mark(self, event: dict[str, Any]) -> None:
        everywhere = event["type"] == "say" and self.slow.claims == "everywhere"
        if "heard_by" in event or everywhere or self.draw(st.integers(0, 3)):
            return
        others = set(CAST) - {event["actor"], *event.get("targets", ())} - self.slow.dead
        secret = self.some(others - self.slow.there(event["place"]))
        missed = self.some((others | set(event.get("targets", ()))) - set(secret) - self.slow.dead)
        event |= {"secret_witnesses": secret, "distracted": missed}


@st.composite
def written(draw: st.DrawFn) -> tuple[Switches, Writer]:
    chosen = draw(switches)
    writer = Writer(draw, chosen)
    for _ in range(draw(st.integers(1, 16))):
        writer.write()
    return chosen, writer
