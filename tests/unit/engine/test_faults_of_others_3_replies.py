"""What other systems were caught at (DESIGN section 10, marked [3]): a model's reply, in whole stories."""

import json
from pathlib import Path

import pytest

from sandbox.story.events import EpisodeWritten, LineSpoken, Thought
from tests.closing import events_of, until_closed
from tests.mills import FINE, MILLS, Answered, Mill, Player, text_of
from tests.playing import begun, committed, playing, reply


@pytest.fixture(params=MILLS, ids=lambda mill: mill.language)
def mill(request: pytest.FixtureRequest) -> Mill:
    found = request.param
    assert isinstance(found, Mill)
    return found


# ── a reply that goes on to speak for others or for the user ──────────────────────────────────

GOES_ON = {
    "en": [
        "{fine}\nAnn: I took it.",
        "{fine} Ann: I took it.\nUser: And then?",
        "{fine} Ann nods and says, “It was me.”",
    ],
    "zh": [
        "{fine}\n阿禾：是我拿的。",
        "{fine}阿禾：是我拿的。\n用户：后来呢？",
        "{fine}阿禾点点头说：“是我。”",
    ],
}


@pytest.mark.parametrize("number", range(3))
async def test_a_reply_that_goes_on_to_speak_for_others_or_for_the_user_in_a_story(
    tmp_path: Path, mill: Mill, number: int
) -> None:
    """What is said is the speaker's own part; nothing of the rest is drafted, kept or perceived."""
    fine = FINE[mill.language]
    words = reply(GOES_ON[mill.language][number].format(fine=fine))
    told = await Answered(mill, words, words).play(tmp_path / "s")
    assert told.said == [fine]
    assert set(told.drafts) <= {fine}
    for part in ("took it", "And then", "It was me", "是我", "后来"):
        lines = [e.words for e in events_of(told.save, LineSpoken)]
        assert not [line for line in lines if part in line]
        assert not [r for r in told.model.asked.moves[3:] if part in text_of(r)]


# ── empty replies accepted ────────────────────────────────────────────────────────────────────

EMPTY = [
    "",
    " \n\t　",
    "{}",
    '{"words": ""}',
    '{"words": "　", "action": " ", "thought": "\\u200b"}',
    "<think>Hm.</think>",
    '{"words": "<think>Hm.</think>"}',
    "```json\n```",
    '{"to": ["Ann"], "whisper": true}',
]


@pytest.mark.parametrize("empty", EMPTY)
async def test_empty_replies_accepted(tmp_path: Path, mill: Mill, empty: str) -> None:
    """An empty reply is asked for once more; empty again, it is no beat, and a line says why."""
    told = await Answered(mill, empty, empty).play(tmp_path / "twice")
    assert committed(told.updates) == []
    (failure,) = told.failures
    assert len(failure) > 30
    assert "\n" not in failure
    if not empty:  # the model itself says that nothing came: there is nothing to mend
        return
    told = await Answered(mill, empty, reply(FINE[mill.language])).play(tmp_path / "once")
    assert (told.said, told.asked) == ([FINE[mill.language]], 2)


# ── `<think>` with only a closing tag ─────────────────────────────────────────────────────────

THOUGHT = {"en": "It was me who broke it.", "zh": "是我打碎的，不能说。"}


@pytest.mark.parametrize(
    ("form", "asked"),
    [
        ('{thought}</think>{{"words": "{fine}"}}', 1),
        ('{{"thought": "{thought}</think>", "words": "{fine}"}}', 2),
        ('{{"words": "{thought} So.</think>{fine}"}}', 2),
    ],
)
async def test_think_with_only_a_closing_tag_in_a_story(
    tmp_path: Path, mill: Mill, form: str, asked: int
) -> None:
    """All that stands before the tag is thinking: nobody hears it, and it is shown to nobody."""
    thought, fine = THOUGHT[mill.language], FINE[mill.language]
    reply_ = form.format(thought=thought, fine=fine)
    told = await Answered(mill, reply_, reply(fine)).play(tmp_path / "s")
    assert (told.said, told.asked) == ([fine], asked)
    assert thought not in "".join(told.drafts)
    assert not [e for e in events_of(told.save, Thought) if thought in e.text]
    assert thought not in told.remembers(mill.hider)
    assert thought not in told.save.journal_path.read_text("utf-8")
    assert not [r for r in told.model.asked.moves if thought in text_of(r)]


# ── text cut at a colon ───────────────────────────────────────────────────────────────────────

COLONS = {
    "en": "Listen: there is one thing: nobody sleeps here: not I, at any rate.",
    "zh": "听我说：有一件事：这里谁也没睡：反正我没睡。",
}


@pytest.mark.parametrize("form", ["object", "mended", "lines"])
async def test_text_cut_at_a_colon(tmp_path: Path, mill: Mill, form: str) -> None:
    """A line with colons is said, heard and shown whole, however the reply is written."""
    line = COLONS[mill.language]
    forms = {
        "object": reply(line, whisper=False),
        "mended": f'{{words: "{line}", whisper: false}}',
        "lines": f"Thought: So.\nWords: {line}\nWhisper: false\n",
    }
    told = await Answered(mill, forms[form]).play(tmp_path / "s")
    assert told.said == [line]
    assert line in told.remembers(mill.hider)
    later = [r for r in told.model.asked.moves if mill.owner_of(r) == mill.hider]
    assert later
    assert line in text_of(later[-1])


async def test_text_cut_at_a_colon_in_what_is_kept_of_a_scene(tmp_path: Path, mill: Mill) -> None:
    kept = COLONS[mill.language]
    told = json.dumps({"summary": kept, "feelings": "", "pattern": {}}, ensure_ascii=False)
    model = Player(mill, kept=lambda _: told)
    save = begun(tmp_path / "s", mill.world, model=model.name)
    async with playing(save, model) as session:
        await until_closed(session)
    assert {e.text for e in events_of(save, EpisodeWritten)} == {kept}


# ── "b)" not understood ───────────────────────────────────────────────────────────────────────

MARKED = {
    "en": ["b) the yard", "(b) the yard", "B. the yard", "2) the yard", "② the yard"],
    "zh": ["b）院子", "（二）院子", "乙）院子", "乙、院子", "2、院子", "②院子"],
}


@pytest.mark.parametrize("number", range(6))
async def test_b_not_understood(tmp_path: Path, mill: Mill, number: int) -> None:
    """An answer as if there had been a list is what stands behind its mark."""
    marked = MARKED[mill.language][number % len(MARKED[mill.language])]
    to = marked.replace(mill.yard_name, mill.names[mill.hider])
    words = reply(FINE[mill.language], to=[to], go=marked)
    told = await Answered(mill, words).play(tmp_path / "s")
    assert told.asked == 1
    (line,) = [e for e in events_of(told.save, LineSpoken) if e.words == FINE[mill.language]]
    assert line.targets == (mill.hider,)
    assert told.kinds[-2:] == ["left", "entered"]


@pytest.mark.parametrize("bare", ["b)", "B", "乙）", '{"go": "b)"}', '{"to": "b)"}'])
async def test_b_not_understood_without_its_list(tmp_path: Path, mill: Mill, bare: str) -> None:
    """A mark alone is no move: it is asked for once more, and never a crash or a line."""
    told = await Answered(mill, bare, bare).play(tmp_path / "s")
    assert (len(told.failures), told.asked) == (1, 2)
    assert not [e for e in events_of(told.save, LineSpoken) if "b)" in e.words or "乙" in e.words]
