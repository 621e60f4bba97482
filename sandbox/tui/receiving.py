"""What a session reports, shown: drafts, lines, what went wrong, and who is spoken to."""

from __future__ import annotations

from sandbox.engine.session import PERSON, Session
from sandbox.engine.updates import (
    BeatBegan,
    BeatCommitted,
    BeatFailed,
    BeatPassed,
    DirectionRefused,
    DraftArrived,
    DraftWithdrawn,
    SceneConsolidating,
    Update,
)
from sandbox.errors import ModelUnavailableError
from sandbox.settings import Settings
from sandbox.story.beats import Beat, Detail, Happened
from sandbox.story.events import GuardFound, LineSpoken, Whispered
from sandbox.story.ids import CharacterId
from sandbox.story.percepts import taken_by
from sandbox.tui import words
from sandbox.tui.actions import BY_METHOD
from sandbox.tui.app import StoryApp
from sandbox.tui.called import in_names
from sandbox.tui.state import StoryState
from sandbox.tui.status import Status


class SessionApp(StoryApp):
    """Shows the updates of a session. When they come is filled in."""

    def __init__(self, session: Session, settings: Settings, connect_hint: str = "") -> None:
        super().__init__(StoryState(session.world), settings, connect_hint)
        self.session = session
        self.is_playing = False
        self.is_busy = False
        self._deciding = ""
        self._told: set[str] = set()
        """What went wrong in this round and has been said: an endpoint fails every scene alike."""

    def _begin_round(self) -> None:
        self._told.clear()

    def status(self) -> Status:
        casting, cost = self.session.casting, self.session.totals.together
        names = sorted({casting.default.name, *(mind.name for mind in casting.others.values())})
        tokens = cost.prompt_tokens + cost.output_tokens
        return Status(tuple(names), cost.calls, tokens, cost.is_estimated, self._activity())

    def _activity(self) -> str:
        """What goes on; whose beat it is, only the director is told."""
        if self.is_busy and self._deciding and self.story.viewpoint is None:
            return words.BUSY_WITH.format(name=self._deciding)
        if self.is_playing:
            return words.PLAYING
        return words.BUSY if self.is_busy else ""

    # ── updates ───────────────────────────────────────────────────────────────────────────────

    def _take(self, update: Update) -> bool:
        """Show an update. False where the story had better pause."""
        match update:
            case BeatBegan():
                self._deciding = self.story.world.names(None)(update.character)
                self.redraw_title()
            case DraftArrived():
                self._draft(update.character, update.text)
            case DraftWithdrawn():
                began = update.character in self.story.drafts
                why = words.WITHDRAWN if began else words.ASKED_AGAIN
                self._undraft(update.character, why, update.reason)
            case BeatPassed():
                self._undraft(update.character, words.PASSED)
            case BeatCommitted():
                self._committed(update)
            case SceneConsolidating():
                self._consolidating(update)
            case DirectionRefused():
                self._refused_direction(update)
            case BeatFailed():
                self._beat_failed(update)
                return False
        return True

    def _draft(self, who: CharacterId, text: str) -> None:
        self.story.draft(who, text)
        if self.story.viewpoint is None:
            self.redraw_drafts()

    def _undraft(self, who: CharacterId, why: str, reason: str = "") -> None:
        self.story.drafts.pop(who, None)
        if self.story.viewpoint is None:
            self.hint(why.format(name=self.story.name(who), reason=reason))
            self.redraw_drafts()

    def _committed(self, update: BeatCommitted) -> None:
        beat = update.beat
        if beat.withdrawn_seqs:
            self.story.take_back(self.session.world, beat.withdrawn_seqs)
            self.redraw()
            return
        self.story.drafts.pop(CharacterId(beat.mind), None)
        self._show_findings(beat)
        if update.trace is not None:
            self.story.keep_trace(beat, update.trace)
        if self.is_playing and beat.mind != PERSON:
            self._wait_for_person(beat)
        if added := self.story.add(beat):
            self.redraw_added(added)
        else:
            self.redraw_drafts()

    def _show_findings(self, beat: Beat) -> None:
        """What the guard says of a line that a person wrote; it stands all the same."""
        for happened in beat.events:
            found = happened.event
            is_mine = isinstance(found, GuardFound) and self.story.viewpoint in (None, found.owner)
            if isinstance(found, GuardFound) and is_mine and found.outcome == "shown":
                what = words.OFFENCES[found.offence].format(name=self.story.name(found.owner))
                text = words.FOUND_IN_LINE.format(what=what, sentence=found.sentence)
                self.notice(text, self.title)

    def _wait_for_person(self, beat: Beat) -> None:
        """Pause where a character that the person plays is spoken to."""
        for happened in beat.events:
            event = happened.event
            if isinstance(event, LineSpoken | Whispered):
                for who in event.targets:
                    # Whoever did not take it in is not told that it was spoken to.
                    is_heard = happened.witnesses.get(who) is Detail.FULL
                    if who in self.session.casting.held and who != event.actor and is_heard:
                        self.is_playing = False
                        self.notice(self._addressed(who, event.actor, happened), self.title)
                        return

    def _addressed(self, who: CharacterId, speaker: CharacterId, happened: Happened) -> str:
        """By whom is for the director and, as it takes the speaker, for whoever is spoken to."""
        if self.story.viewpoint not in (None, who):
            return words.ADDRESSED_UNSEEN
        if self.story.viewpoint is not None:
            speaker = CharacterId(taken_by(happened, who).get(speaker, speaker))
        name = self.story.name(who)
        said = words.ADDRESSED.format(name=name, speaker=self.story.name(speaker))
        return said if self.story.speaking_as == who else said + words.SAYS_AS.format(name=name)

    def _consolidating(self, update: SceneConsolidating) -> None:
        """Who was where is the director's to know; others see the story wait."""
        if self.story.viewpoint is None:
            self.hint(words.CONSOLIDATING.format(count=len(update.owners)))

    def _refused_direction(self, update: DirectionRefused) -> None:
        """The story goes on; what was wanted is the director's to know."""
        if self.story.viewpoint is None:
            self.hint(in_names(str(update.error), self.story), is_wrong=True)

    def _beat_failed(self, update: BeatFailed) -> None:
        """The endpoint's troubles are everybody's; others may name what a viewpoint must not see."""
        is_open = isinstance(update.error, ModelUnavailableError) or self.story.viewpoint in (
            None,
            update.character,
        )
        self._failed("next_beat", str(update.error) if is_open else words.FAILED_UNSEEN)

    def _failed(self, method: str, problem: str) -> None:
        self.is_playing = False
        self.hint("")
        problem = in_names(problem, self.story)
        if problem in self._told:
            return
        self._told.add(problem)
        self.notice(f"{problem}\n{words.STORY_STANDS}", BY_METHOD[method].title, severity="error")
