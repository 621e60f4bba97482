"""What other systems were caught at (DESIGN section 10, marked [3]): a secret that gets about, in whole stories.

Replies are in `test_faults_of_others_3_replies.py`, what may not end a run in `…_3_runs.py`. Elsewhere, and
not here again: "lore, vectors and summaries that bypass the filter" (`agents/test_fusing.py`,
`test_consolidating.py`), "the summariser overflowing" (`agents/test_summarising.py`), "tokens of
Chinese undercounted threefold" (`story/test_tokens.py`, `agents/test_fusing_budgets.py`). Which test is
named after which fault: `test_faults_of_others_3_named.py`.
"""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

from sandbox.agents.fusing import Limits
from sandbox.agents.reasoning.synthesis import Grounded
from sandbox.engine.off_record import OffRecord, Voice, answered
from sandbox.engine.roles import Models
from sandbox.engine.scheduler import due_scenes
from sandbox.engine.session import Session
from sandbox.engine.updates import BeatFailed, DraftArrived
from sandbox.memory.in_process import InProcessStore
from sandbox.models.retrying import Retrying
from sandbox.settings import Settings, StorySettings
from sandbox.story.commands import Command, Edit, Go, Inject, Retract, Rewind, Stage
from sandbox.story.commands import Say as SaidByAPerson
from sandbox.story.events import EpisodeWritten, GuardFound, LineSpoken, StateTurned
from sandbox.story.ids import CharacterId, FactId
from sandbox.story.known import KnownFacts
from sandbox.story.world import World
from tests.closing import events_of, summary, until_closed
from tests.mills import AN_HOUR, MILL, MILL_ZH, MILLS, Mill, Player, text_of
from tests.playing import (
    PATIENCE_S,
    Letters,
    act,
    assert_verifies,
    begun,
    committed,
    no_wait,
    one_round,
    playing,
    reply,
)

DEEP = Settings(story=StorySettings(scene_beats=6, deep=True))
LIMITS = Limits(max_tokens=300, prompt_tokens=2000, temperature=0.8, percepts=8)


@pytest.fixture(params=MILLS, ids=lambda mill: mill.language)
def mill(request: pytest.FixtureRequest) -> Mill:
    found = request.param
    assert isinstance(found, Mill)
    return found


async def asked_as(world: World, who: CharacterId, words: str, model: Player) -> OffRecord:
    models = Models(Retrying(model, 0, no_wait))
    return await answered(
        world, who, words, Voice(LIMITS, 6, models), InProcessStore(Letters()), deep=True
    )


# ── a planner that saw the secret paraphrasing it ─────────────────────────────────────────────

PARAPHRASED = {
    "en": ("Was it put away where the flour sacks are?", "I tell you, the key lies in the chest."),
    "zh": ("是不是收在存面粉的地方了？", "磨坊的钥匙放在那只木箱里。"),
}
"""What a model that has read the book asks in a character's name, and says."""


async def test_a_planner_that_saw_the_secret_paraphrasing_it_step_by_step(
    tmp_path: Path, mill: Mill
) -> None:
    """The steps before a move hold only what its character knows; its paraphrase is cut."""
    question, leak = PARAPHRASED[mill.language]
    probes = f'{{"enough": false, "ask": ["{question}", "{leak}"]}}'
    model = Player(mill, always=reply(leak), probes=probes)
    save = begun(tmp_path / "s", mill.world, settings=DEEP, model=model.name)
    async with playing(save, model) as session:
        await act(session, mill.called(), 10)
        known = {who: KnownFacts(session.world, who) for who in mill.names}
    unknown = {
        who: [f.statement for f in save.canon().facts if FactId(f.id) not in known[who]]
        for who in mill.names
    }
    assert mill.secret in unknown[mill.other]
    assert len(model.asked.probes) >= 6
    for request in model.asked.all:
        owner = mill.owner_of(request)
        assert not [said for said in unknown[owner] if said in text_of(request)]
        assert question not in text_of(request), "what one asks itself goes to nobody"
    owners = {mill.owner_of(request) for request in model.asked.probes}
    assert owners == set(mill.names), "everybody questions its own memory"
    _asked_again_then_cut(mill, model, leak)
    outcomes = [(e.owner, e.outcome) for e in events_of(save, GuardFound) if e.sentence == leak]
    assert outcomes[:2] == [(mill.other, "retried"), (mill.other, "cut")]
    assert not [e for e in events_of(save, LineSpoken) if leak in e.words]
    assert not [e for e in events_of(save, EpisodeWritten) if leak in e.text]
    await assert_verifies(save)


def _asked_again_then_cut(mill: Mill, model: Player, leak: str) -> None:
    """Of each two requests for a move the second quotes the sentence of the first's reply, no more."""
    moves = model.moves_of(mill.other)
    assert len(moves) >= 4
    for first, second in zip(moves[::2], moves[1::2], strict=True):
        assert leak not in text_of(first)
        assert second.messages[:-1] == first.messages
        assert leak in second.messages[-1].content
        assert mill.secret not in second.messages[-1].content


# ── discarded text living on ──────────────────────────────────────────────────────────────────

CRIED = {"en": ("quicksilver", "Somebody cries: {}!"), "zh": ("水银", "有人高喊：{}！")}
INSTEAD = {"en": "Somebody cries: wolf!", "zh": "有人高喊：狼来了！"}
WHAT = {"en": "What did somebody cry?", "zh": "有人喊了什么？"}


@pytest.mark.parametrize("how", ["rewind", "retract", "edit"])
async def test_discarded_text_living_on_in_prompts_and_answers(
    tmp_path: Path, mill: Mill, how: str
) -> None:
    """Neither the next requests for moves and summaries nor an answer off the record hold it."""
    word, cry = CRIED[mill.language]
    model = Player(mill, kept=lambda _: summary(cry.format(word)))
    save = begun(tmp_path / "s", mill.world, model=model.name)
    async with playing(save, model) as session:
        await one_round(session)
        session.command(Inject(text=cry.format(word)))
        turn = session.world.turn
        await until_closed(session)
        await act(session, 2)
        assert word in "".join(map(text_of, model.requests)), "it was in prompts before"
        found = await asked_as(session.world, mill.other, WHAT[mill.language], model)
        assert word in "".join(map(text_of, found.trace.requests))
        commands: dict[str, Command] = {
            "rewind": Rewind(turn=turn - 1),
            "retract": Retract(turn=turn),
            "edit": Edit(turn=turn, words=INSTEAD[mill.language]),
        }
        session.command(commands[how])
        before = len(model.requests)
        model.kept = lambda _: summary("")
        await act(session, 8)
        await asked_as(session.world, mill.other, WHAT[mill.language], model)
    later = model.requests[before:]
    assert len(later) > 8
    assert not [request for request in later if word in text_of(request)]
    await assert_verifies(save)


# ── mention matching that never fires for Chinese names ───────────────────────────────────────

CUP = {
    MILL.language: ("Ann, the blue cup was broken by Ben.", "Who broke the blue cup?"),
    MILL_ZH.language: ("阿禾，青花杯是小墨打碎的。", "青花杯是谁打碎的？"),
}


async def test_mention_matching_that_never_fires_for_chinese_names_in_a_line_and_a_question(
    tmp_path: Path, mill: Mill
) -> None:
    """Who is named amid a model's sentence is told of, and found again by whoever is asked."""
    line, question = CUP[mill.language]
    model = Player(mill, reply(line, to=[mill.names[mill.hider]]))
    save = begun(tmp_path / "s", mill.world, settings=AN_HOUR, model=model.name)
    async with playing(save, model) as session:
        before = await asked_as(session.world, mill.hider, question, model)
        assert not isinstance(before.answer, Grounded)
        await act(session, mill.called(), 1)
        (said,) = [e for e in events_of(save, LineSpoken) if e.words == line]
        assert [claim.object for claim in said.tells] == [mill.other]
        after = await asked_as(session.world, mill.hider, question, model)
        assert isinstance(after.answer, Grounded)
        assert {fact.object for fact in after.answer.support} == {mill.other}
        nobody = await asked_as(session.world, mill.third, question, model)
        assert not isinstance(nobody.answer, Grounded)


# ── the dismissed still answering ─────────────────────────────────────────────────────────────

OLD = {
    "en": ("An old word, that nobody is to hear. ", "Never."),
    "zh": ("这是一句旧话。", "算了。"),
}


def dismissal(mill: Mill, how: str) -> Command:
    """What takes somebody out of a scene, or out of a model's hands."""
    if how == "left":
        return Go(character=mill.other, place=mill.yard)
    if how == "taken over":
        return SaidByAPerson(character=mill.other, words=mill.fillers[0], to=(mill.hider,))
    turned = StateTurned.model_validate({"actor": mill.other, "state": how})
    return Stage(events=(turned,))


@pytest.mark.parametrize("how", ["left", "died", "fell_asleep"])
async def test_the_dismissed_still_answering(tmp_path: Path, mill: Mill, how: str) -> None:
    """Who was spoken to and is no longer there is not asked for an answer, and gives none."""
    model = Player(mill)
    save = begun(tmp_path / "s", mill.world, settings=AN_HOUR, model=model.name)
    async with playing(save, model) as session:
        kitchen = session.world.stage.place_of[mill.other]
        await act(session, mill.called())
        assert (kitchen, mill.other) in _due(session)
        await act(session, dismissal(mill, how))
        for _ in range(4):
            assert (kitchen, mill.other) not in _due(session)
            await act(session, 1)
        assert session.world.stage.place_of[mill.other] == (mill.yard if how == "left" else kitchen)
    said = [e for e in events_of(save, LineSpoken) if e.actor == mill.other]
    assert len(model.moves_of(mill.other)) == len(said)
    assert (len(said) > 0) is (how == "left"), "in the yard it speaks to who is there"
    await assert_verifies(save)


def _due(session: Session) -> list[tuple[str, str]]:
    return [(due.place, due.actor) for due in due_scenes(session.world, session.casting.held)]


@pytest.mark.parametrize("how", ["left", "died", "fell_asleep", "taken over"])
async def test_the_dismissed_still_answering_with_an_old_draft(
    tmp_path: Path, mill: Mill, how: str
) -> None:
    """A draft that was begun before is no beat afterwards, though the model ends it."""
    begins, ends = OLD[mill.language]
    gate, words = asyncio.Event(), reply(begins + ends)
    at = words.index(ends) + 1
    model = Player(mill, [words[:at], gate, words[at:]])
    save = begun(tmp_path / "s", mill.world, settings=AN_HOUR, model=model.name)
    async with asyncio.timeout(PATIENCE_S), playing(save, model) as session:
        await act(session, mill.called())
        async with aclosing(session.advance(1)) as updates:
            draft = await anext(u async for u in updates if isinstance(u, DraftArrived))
        assert (draft.character, draft.text) == (mill.other, begins.strip())
        gate.set()
        await act(session, dismissal(mill, how))
        asked = len(model.moves_of(mill.other))
        played = committed(await one_round(session, 1))
        assert mill.other not in [beat.mind for beat in played]
        if how in ("died", "fell_asleep"):
            await act(session, 3)
            assert len(model.moves_of(mill.other)) == asked == 1
    assert begins.strip() not in save.journal_path.read_text(encoding="utf-8")
    assert model.abandoned == 1
    await assert_verifies(save)


async def test_the_dismissed_still_answering_for_a_person_who_plays_them(
    tmp_path: Path, mill: Mill
) -> None:
    """A model is never asked for a move of whom a person plays, however often they are spoken to."""
    model = Player(mill, always=reply(OLD[mill.language][0]))
    minds: dict[str, str] = {mill.other: "person"}
    save = begun(tmp_path / "s", mill.world, settings=AN_HOUR, model=model.name, minds=minds)
    async with playing(save, model) as session:
        for _ in range(3):
            updates = await one_round(session)
            assert not [u for u in updates if isinstance(u, BeatFailed)]
            await act(session, mill.called())
    assert model.asked.moves
    assert not model.moves_of(mill.other)
    assert not [e for e in events_of(save, LineSpoken) if e.actor == mill.other]
