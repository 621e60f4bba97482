"""A whole session as a state machine: whatever is done in whatever order, everything stays in step."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Coroutine
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sandbox.engine.auditing import memory_problems
from sandbox.engine.branching import branch, branch_edited
from sandbox.engine.session import Session
from sandbox.errors import StageError
from sandbox.storage.saves import Save
from sandbox.story.claims import Claim
from sandbox.story.commands import Command, Do, Edit, Go, Inject, Retake, Retract, Rewind, Say
from sandbox.story.events import LineSpoken, Thought, Whispered
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId, PlaceId, PredicateId
from sandbox.story.view import CharacterView
from sandbox.story.withdrawing import surviving
from tests.playing import assert_verifies, begun, one_round, opened, world_of
from tests.property import invariants

PEOPLE = st.sampled_from([CharacterId(who) for who in ("ann", "ben", "cy")])
PLACES = st.sampled_from([PlaceId(place) for place in ("hall", "yard")])
WORDS = ("Hush.", "The key is gone.", "别说话。", "Ben broke the cup.")
BROKE = Claim(subject="cup", predicate=PredicateId("broken_by"), object="ben", said=WORDS[3])
T = TypeVar("T")


class SessionMachine(RuleBasedStateMachine):
    """Plays one save in rehearsal, with a store in the process."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp())
        self.loop = asyncio.new_event_loop()
        self.branches = 0
        self.journal = b""
        """As it was last seen: nothing of it may be cut or changed."""

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(asyncio.wait_for(work, 30))

    @initialize(seed=st.integers(1, 3))
    def begin(self, seed: int) -> None:
        self.save: Save = begun(self.folder / "story", seed=seed)
        self.wait(self._open())

    async def _open(self) -> None:
        self.session: Session = opened(self.save)
        self.session.start()

    @property
    def turn(self) -> int:
        return self.session.world.turn

    # ── what can be done ──────────────────────────────────────────────────────────────────────

    async def _order(self, command: Command) -> bool:
        """Carry it out. Returns False where it was refused, and then nothing has changed."""
        before = self.save.journal_path.read_bytes(), self.save.cassette_path.read_bytes()
        try:
            self.session.command(command)
        except StageError:
            now = self.save.journal_path.read_bytes(), self.save.cassette_path.read_bytes()
        else:
            return True
        assert now == before
        return False

    @rule(limit=st.sampled_from([None, None, 1]))
    def advance(self, limit: int | None) -> None:
        self.wait(one_round(self.session, limit))

    @rule(who=PEOPLE, to=PEOPLE, words=st.sampled_from(WORDS), whisper=st.booleans())
    def say(self, who: CharacterId, to: CharacterId, words: str, whisper: bool) -> None:
        tells = (BROKE,) if words == BROKE.said else ()
        said = Say(character=who, words=words, to=(to,), whisper=whisper, tells=tells)
        self.wait(self._order(said))

    @rule(who=PEOPLE)
    def do(self, who: CharacterId) -> None:
        self.wait(self._order(Do(character=who, text="coughs at Cy Dorn")))

    @rule(who=PEOPLE, place=PLACES)
    def go(self, who: CharacterId, place: PlaceId) -> None:
        self.wait(self._order(Go(character=who, place=place)))

    @rule(place=st.none() | PLACES)
    def inject(self, place: PlaceId | None) -> None:
        self.wait(self._order(Inject(text="A bell rings.", place=place)))

    @precondition(lambda self: self.turn > 0)
    @rule(at=st.floats(0, 0.999))
    def retract(self, at: float) -> None:
        turn = 1 + int(at * self.turn)
        if self.wait(self._order(Retract(turn=turn))):
            events = [h.event for b in self.session.world.beats if b.turn == turn for h in b.events]
            assert not [e for e in events if isinstance(e, LineSpoken | Whispered | Thought)]

    @precondition(lambda self: self.turn > 0)
    @rule(at=st.floats(0, 0.999), words=st.sampled_from(WORDS), keep=st.sampled_from([True, False]))
    def edit(self, at: float, words: str, keep: bool) -> None:
        turn, now = 1 + int(at * self.turn), self.turn
        if self.wait(self._order(Edit(turn=turn, words=words, keep=keep))):
            assert self.turn == (now if keep else turn)

    @precondition(lambda self: self.turn > 1)
    @rule(back=st.integers(1, 3))
    def rewind(self, back: int) -> None:
        turn = max(0, self.turn - back)
        kept = [b for b in surviving(self.session.beats) if b.is_story and b.turn <= turn]
        before = invariants.everything(world_of(self.save, kept))
        if self.wait(self._order(Rewind(turn=turn))):
            assert invariants.everything(self.session.world) == before

    @rule()
    def retake(self) -> None:
        self.wait(self._order(Retake()))

    @rule()
    def close_and_reopen(self) -> None:
        before = invariants.everything(self.session.world)
        self.wait(self.session.close())
        self.wait(self._open())
        assert invariants.everything(self.session.world) == before

    @rule(at=st.floats(0, 0.999), words=st.none() | st.sampled_from(WORDS))
    def branch(self, at: float, words: str | None) -> None:
        """A branch is its source up to a turn, whatever was taken back in between."""
        turn, self.branches = int(at * (self.turn + 1)), self.branches + 1
        folder = self.folder / f"branch-{self.branches}"
        kept = [b for b in surviving(self.save.read().beats) if b.is_story and b.turn <= turn]
        if words is None:
            own = branch(self.save, turn, folder)
            wanted = invariants.everything(world_of(self.save, kept))
            assert invariants.everything(world_of(own)) == wanted
        else:
            try:
                own = branch_edited(self.save, turn, words, folder)
            except (StageError, ValueError):
                assert not folder.exists()
                return
            world = world_of(own)
            assert list(world.beats[:-1]) == kept[:-1]
            assert world.turn == turn
        self.wait(assert_verifies(own))

    # ── what holds after every step ───────────────────────────────────────────────────────────

    @invariant()
    def nothing_is_cut_from_the_journal(self) -> None:
        if hasattr(self, "session"):
            text = self.save.journal_path.read_bytes()
            assert text.startswith(self.journal)
            self.journal = text

    @invariant()
    def a_world_opened_anew_is_the_live_one(self) -> None:
        if hasattr(self, "session"):
            anew = fold(self.session.canon, self.save.manifest.start, self.save.read().beats).world
            assert invariants.everything(anew) == invariants.everything(self.session.world)

    @invariant()
    def turns_run_up_along_the_story(self) -> None:
        if hasattr(self, "session"):
            turns = [beat.turn for beat in self.session.world.beats]
            assert turns == sorted(set(turns))
            assert self.turn == (turns[-1] if turns else 0)

    @invariant()
    def witnesses_follow_the_rules(self) -> None:
        if not hasattr(self, "session"):
            return
        for beat in self.session.world.beats:
            for happened in beat.events:
                event, full = happened.event, invariants.full(happened)
                actor = getattr(event, "actor", None)
                assert actor is None or actor in full
                if isinstance(event, Thought):
                    assert full == {actor}
                if isinstance(event, Whispered):
                    assert full <= {event.actor, *event.targets}

    @invariant()
    def what_is_known_comes_from_grants_alone(self) -> None:
        if not hasattr(self, "session"):
            return
        world = self.session.world
        story = {beat.seq: beat for beat in world.beats}
        for who, held in world.grants.items():
            assert {f.handle for f in CharacterView(world, who).known} == set(held)
            for grants in held.values():
                for grant in grants:
                    if (beat := grant.because.beat) is not None:
                        assert story[beat.seq] is beat
                        assert who in invariants.full(beat.events[grant.because.index])

    @invariant()
    def memory_is_what_a_rebuild_would_be(self) -> None:
        if hasattr(self, "session"):
            world = self.session.world
            asked = self.session.keeper._asked(lambda store: list(memory_problems(store, world)))

            async def problems() -> list[str]:
                return await asked

            assert self.wait(problems()) == []

    def teardown(self) -> None:
        try:
            if hasattr(self, "session"):
                self.wait(self.session.close())
                self.wait(assert_verifies(self.save))
        finally:
            self.loop.close()
            shutil.rmtree(self.folder, ignore_errors=True)


SessionMachine.TestCase.settings = settings(
    max_examples=30,
    stateful_step_count=12,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
TestSessions = SessionMachine.TestCase
