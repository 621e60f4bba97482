"""Highlights: what was worth telling, found beat by beat from who knows and believes what (DESIGN section 8).

They compare minds with one another and with what is true, so they are for readers and the director
alone; no character's view holds any of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sandbox.story.beats import Beat, Happened
from sandbox.story.beliefs import believed
from sandbox.story.canon import Canon
from sandbox.story.claims import Claim
from sandbox.story.events import Announced, LineSpoken, MessageRead, Whispered
from sandbox.story.evidence import Topic
from sandbox.story.facts import Fact, Grant, Mode, Proposition, fact_of_claim
from sandbox.story.fold import Fold, surviving
from sandbox.story.ids import CharacterId, FactId, PredicateId, SceneId, ThreadId
from sandbox.story.predicates import HELD_BY, LOCATED_IN
from sandbox.story.routes import Route
from sandbox.story.threads import thread_state
from sandbox.story.world import Gained, World

_KNOWING = (Mode.NARRATED, Mode.CLAIMED)


class HighlightKind(StrEnum):
    SECRET_OUT = "secret_out"
    """A secret reached somebody new."""
    LIE_BELIEVED = "lie_believed"
    """Somebody believes what its teller does not."""
    BELIEF_CORRECTED = "belief_corrected"
    """Somebody's false belief gave way to a true one."""
    RUMOUR = "rumour"
    """Told by one who was told."""
    THREAD_TURNED = "thread_turned"
    """A thread came into another state."""


_ORDER = {kind: number for number, kind in enumerate(HighlightKind)}


@dataclass(frozen=True)
class Highlight:
    """One thing worth telling."""

    kind: HighlightKind
    turn: int
    seq: int
    who: CharacterId | None = None
    """Who learned or came to believe it. None: a thread turned."""
    fact: FactId | None = None
    """What it is about, as `World.facts` holds it."""
    teller: CharacterId | None = None
    """From whom; None where nobody told it."""
    was: str = ""
    """The belief given up, or the state a thread was in."""
    thread: ThreadId | None = None
    state: str = ""
    """The state a thread came into."""


def highlights_of(canon: Canon, start: SceneId, beats: Iterable[Beat]) -> list[Highlight]:
    """The highlights of a story, in order.

    Args:
        canon: the world as written.
        start: the start point.
        beats: every journal line; withdrawn ones have no highlights.
    """
    finder = HighlightFinder(Fold(canon, start))
    return [highlight for beat in surviving(beats) for highlight in finder.take(beat)]


class HighlightFinder:
    """Follows a story beat by beat, so that it sees each beat's world before and after."""

    def __init__(self, folding: Fold) -> None:
        """`folding`: the story so far. The finder owns it from now on."""
        self._fold = folding
        world = self.world
        self._threads = {t: thread_state(world, t) for t in world.canon.threads_by_id}
        self._held = {
            (who, topic): believed(world, (who,), *topic)
            for topic, evidence in world.evidence.items()
            if _is_functional(world, topic)
            for who in frozenset[CharacterId]().union(*(e.learners for e in evidence))
        }

    @property
    def world(self) -> World:
        """The world after the last beat taken."""
        return self._fold.world

    def take(self, beat: Beat) -> list[Highlight]:
        """Apply the next beat of the story; what it brought."""
        gained, spoken = self._fold.apply(beat), list(_claims(beat))
        found = [*_secrets(self.world, beat, gained), *_rumours(self.world, beat, gained)]
        found += self._beliefs(beat, gained, spoken)
        if gained.grants or spoken:
            found += self._turned(beat)
        # In one order, whether the beat was read from a journal or has just been made.
        return sorted(found, key=lambda h: (_ORDER[h.kind], h.thread or h.who or "", h.fact or ""))

    def _turned(self, beat: Beat) -> Iterator[Highlight]:
        for thread, was in self._threads.items():
            now = thread_state(self.world, thread)
            if now != was:
                self._threads[thread] = now
                kind = HighlightKind.THREAD_TURNED
                yield Highlight(kind, beat.turn, beat.seq, was=was, thread=thread, state=now)

    def _beliefs(
        self, beat: Beat, gained: Gained, spoken: Sequence[tuple[Happened, Claim]]
    ) -> Iterator[Highlight]:
        """Lies that were believed and false beliefs that went, among those the beat touched."""
        touched = dict.fromkeys((who, _topic(fact)) for who, fact, _ in gained.grants)
        for happened, claim in spoken:
            topic = (claim.subject, claim.predicate)
            touched |= dict.fromkeys((who, topic) for who in happened.heard_in_full())
        for who, topic in touched:
            if not _is_functional(self.world, topic):
                continue
            was = self._held.get((who, topic))
            now = self._held[who, topic] = believed(self.world, (who,), *topic)
            if now is not None and now != was:
                yield from self._changed(beat, who, topic, was, now, spoken)

    def _changed(
        self,
        beat: Beat,
        who: CharacterId,
        topic: Topic,
        was: str | None,
        now: str,
        spoken: Sequence[tuple[Happened, Claim]],
    ) -> Iterator[Highlight]:
        if (lie := _lie(self.world, who, topic, now, spoken)) is not None:
            teller, fact = lie
            kind = HighlightKind.LIE_BELIEVED
            yield Highlight(kind, beat.turn, beat.seq, who, fact, teller, was or "")
        elif was is not None and _is_worth_telling(self.world, topic):
            learned = _saying(self.world, who, (*topic, now))
            if learned is not None and true_value(self.world, topic) == now:
                kind = HighlightKind.BELIEF_CORRECTED
                source = self.world.grants[who][learned][-1].teller
                yield Highlight(kind, beat.turn, beat.seq, who, learned, source, was)


# ── what a beat said and taught ───────────────────────────────────────────────────────────────


def _claims(beat: Beat) -> Iterator[tuple[Happened, Claim]]:
    for happened in beat.events:
        if isinstance(happened.event, LineSpoken | Whispered | MessageRead | Announced):
            yield from ((happened, claim) for claim in happened.event.tells)


def _topic(fact: Fact) -> Topic:
    return fact.subject, fact.predicate


def _secrets(world: World, beat: Beat, gained: Gained) -> Iterator[Highlight]:
    """Secrets whose learner held nothing before that says the same."""
    for who, fact, grant in gained.grants:
        secret = _secret_said(world, fact)
        if secret is not None and _is_first(world, who, fact):
            kind = HighlightKind.SECRET_OUT
            yield Highlight(kind, beat.turn, beat.seq, who, secret, grant.teller)


def _secret_said(world: World, fact: Fact) -> FactId | None:
    """The secret of the canon that a fact says."""
    return _secrets_by_what_they_say(world).get(fact.proposition)


def _secrets_by_what_they_say(world: World) -> dict[Proposition, FactId]:
    kept: dict[Proposition, FactId] | None = world.memo.get("secrets")
    if kept is None:
        facts = world.facts.items()
        secrets = {f.proposition: id_ for id_, f in facts if f.canon is not None and f.canon.secret}
        kept = world.memo["secrets"] = secrets
    return kept


def _is_first(world: World, who: CharacterId, fact: Fact) -> bool:
    """Whether a fact is the first its holder holds that says this."""
    held = world.propositions[who].get(fact.proposition, ())
    sure = [id_ for id_ in held if world.facts[id_].mode in _KNOWING]
    return sure[:1] == [fact.id]


def _rumours(world: World, beat: Beat, gained: Gained) -> Iterator[Highlight]:
    """What reached somebody new by one who has it from another."""
    for who, fact, grant in gained.grants:
        teller = grant.teller
        if teller is None or grant.route is not Route.TOLD or fact.mode is not Mode.CLAIMED:
            continue
        if _is_first(world, who, fact) and _was_told(world, teller, fact.proposition):
            kind = HighlightKind.RUMOUR
            yield Highlight(kind, beat.turn, beat.seq, who, fact.id, teller)


def _was_told(world: World, who: CharacterId, said: Proposition) -> bool:
    """Whether somebody holds something by hearsay alone."""
    held = world.propositions.get(who, {}).get(said, ())
    grants: list[Grant] = [grant for id_ in held for grant in world.grants[who][id_]]
    return bool(grants) and all(grant.route is Route.TOLD for grant in grants)


# ── lies and truth ────────────────────────────────────────────────────────────────────────────


def _lie(
    world: World,
    who: CharacterId,
    topic: Topic,
    now: str,
    spoken: Sequence[tuple[Happened, Claim]],
) -> tuple[CharacterId, FactId] | None:
    """Who told `who` what it believes now and itself believes something else, and the claim."""
    for happened, claim in spoken:
        event = happened.event
        teller = getattr(event, "sender", None) or getattr(event, "actor", None)
        said = (claim.subject, claim.predicate, claim.object)
        if teller in (None, who) or claim.mode != "claimed" or said != (*topic, now):
            continue
        own = believed(world, (CharacterId(str(teller)),), *topic)
        if own not in (None, now) and who in happened.heard_in_full():
            return CharacterId(str(teller)), fact_of_claim(claim).id
    return None


def _is_functional(world: World, topic: Topic) -> bool:
    predicate = world.canon.predicates.get(topic[1])
    return predicate is not None and predicate.functional


def _is_worth_telling(world: World, topic: Topic) -> bool:
    """Where a person is changes with every step."""
    subject, predicate = topic
    return predicate not in (LOCATED_IN, HELD_BY) or subject in world.canon.things_by_id


def true_value(world: World, topic: Topic) -> str | None:
    """What is true of a functional (subject, predicate), as the engine holds it; None: nothing is.

    The object of the last fact that the canon holds of it; of what changes in play, of the last
    that a rule made. For the director alone.
    """
    seen = [e for e in world.evidence.get(topic, ()) if e.fact.mode is Mode.NARRATED]
    in_play = [e.fact.object for e in seen if e.source.beat is not None]
    if in_play and world.canon.predicates[topic[1]].changes:
        return in_play[-1]
    canon = [f.object for f in world.facts.values() if f.canon is not None and _topic(f) == topic]
    values = canon or in_play
    return values[-1] if values else None


def _saying(world: World, who: CharacterId, said: tuple[str, PredicateId, str]) -> FactId | None:
    """The fact by which somebody latest came to hold what is said."""
    held = world.propositions[who].get(said, ())
    return held[-1] if held else None
