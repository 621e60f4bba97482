"""What a deed tells is judged as a line is, and what its doer plainly does passes."""

import re
from pathlib import Path

import pytest

from sandbox.agents.guarding import findings, without
from sandbox.agents.guarding.deeds import parts_of
from sandbox.agents.minds import Move
from sandbox.story.events import Offence
from sandbox.story.ids import FactId, ThingId
from sandbox.story.items import Language
from tests.houses import view, world

MARKED = Path(__file__).parents[2] / "marked"


def offences(language: str, who: str, action: str) -> list[Offence]:
    return [found.offence for found in findings(view(language, who), Move(action=action))]


# ── what deeds tell ───────────────────────────────────────────────────────────────────────────

FRAMES = {
    "en": [
        "writes on the slate that {f}",
        'holds up a note that says "{F}"',
        "reads in the guest book that {f}",
        "nods slowly, because {f}",
        "mouths {f}",
        "points at the door and signs that {f}",
        "looks at the paper which proves that {f}",
        "sits down (as {f})",
        "sits down. {F}",
        "wonders whether {f}",
    ],
    "zh": [
        "在石板上写道：{F}",
        "在地上写着“{F}”",
        "写下{F}，然后把纸折好",
        "比划着说{F}",
        "点点头，因为{F}",
        "看着门口，心里明白{F}",
        "指着墙上的字，念道{F}",
        "用手指在桌上刻{F}",
        "坐下，原来{F}",
        "举起一张纸，上面写着{F}",
        "翻开账簿，看到{F}",
        "坐下（{F}）",
        "坐下。{F}",
        "叹口气，既然{F}",
    ],
}
MOST_PASSING = 0.05
"""Share of the facts unknown to a speaker that pass: some it nearly knows, some say too little."""


MOST_FOUND = 0.02
"""Share of the facts that somebody holds and may not write: where it writes of itself as of another."""


def unknown(language: str) -> list[tuple[str, str]]:
    """Everybody with the statements of all facts that it does not hold, in the language's own order."""
    found: list[tuple[str, str]] = []
    for who in sorted(world(language).grants):
        own = view(language, who)
        facts = [f for f in world(language).canon.facts if own.held(FactId(f.id)) is None]
        found += [(who, fact.statement.rstrip(".。")) for fact in facts]
    return found


def within(statement: str, language: str) -> str:
    """The statement as it stands in the middle of a sentence."""
    names = {
        w for all_ in world(language).canon.names.values() for name in all_ for w in name.split()
    }
    first = re.split(r"\W", statement)[0]
    is_name = first in names - {"The", "A"}
    return statement if language == "zh" or is_name else statement[:1].lower() + statement[1:]


@pytest.mark.parametrize(
    ("language", "frame"), [(language, frame) for language in FRAMES for frame in FRAMES[language]]
)
def test_what_somebody_does_not_hold_is_not_told_by_a_deed(language: str, frame: str) -> None:
    all_ = unknown(language)
    passing = [
        (who, said)
        for who, said in all_
        if not offences(language, who, frame.format(F=said, f=within(said, language)))
    ]
    assert len(all_) > 100
    assert len(passing) < MOST_PASSING * len(all_), passing


@pytest.mark.parametrize(
    ("language", "frame"), [(language, frames[0]) for language, frames in FRAMES.items()]
)
def test_what_somebody_holds_it_may_write_down(language: str, frame: str) -> None:
    found, tried = list[str](), 0
    for who in sorted(world(language).grants):
        own = view(language, who)
        for fact in world(language).canon.facts:
            if own.held(FactId(fact.id)) is not None:
                said, tried = fact.statement.rstrip(".。"), tried + 1
                deed = frame.format(F=said, f=within(said, language))
                found += [deed for _ in offences(language, who, deed)]
    assert len(found) <= MOST_FOUND * tried, found


# ── what is plainly done ──────────────────────────────────────────────────────────────────────

HERE = {"en": ("ines", "mara", "osric"), "zh": ("meng_liao", "du_shuisheng", "xiao_man")}
"""People before whom, and with whom, the plain deeds are done."""
MISTAKEN = {
    ("zh", "在沈敬斋对面坐下"),
}
"""Whose name is used, they do not know."""


def plain(language: str) -> list[str]:
    return (MARKED / f"plain_deeds_{language}.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_somebody_plainly_does_passes(language: str) -> None:
    assert len(plain(language)) == 60
    found = {
        (language, deed)
        for who in HERE[language]
        for deed in plain(language)
        if offences(language, who, deed)
    }
    assert found <= MISTAKEN


PREPARED = [
    ("en", "hobb", "flood_post"),
    ("en", "hester", "dispatch_case"),
    ("zh", "du_shuisheng", "lansheng"),
]


@pytest.mark.parametrize(("language", "who", "thing"), PREPARED)
def test_the_worlds_own_words_for_looking_at_something_pass(
    language: str, who: str, thing: str
) -> None:
    text, _ = view(language, who).examining(ThingId(thing))
    assert text
    assert findings(view(language, who), Move(action=text, examines=ThingId(thing))) == []


def test_words_that_only_look_like_those_are_judged() -> None:
    text, _ = view("en", "hester").examining(ThingId("dispatch_case"))
    other = Move(action=text or "", examines=ThingId("hoof_knife"))
    assert [found.offence for found in findings(view("en", "hester"), other)] == [Offence.ASSERTED]


# ── names, and what becomes of it ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "who", "action"),
    [
        ("en", "ines", "writes a letter to Bartholomew Fisk"),
        ("en", "ines", "looks at the door of Lucan Vane"),
        ("zh", "fang_xu", "拉住小满的袖子"),
        ("zh", "fang_xu", "在纸上写：去找周掌柜"),
    ],
)
def test_a_name_that_somebody_does_not_know_is_no_more_known_in_a_deed(
    language: str, who: str, action: str
) -> None:
    assert offences(language, who, action) == [Offence.UNKNOWN_NAME]


def test_a_deed_that_tells_is_cut_whole() -> None:
    ines = view("en", "ines")
    move = Move(words="Good evening.", action="mouths that the packet is in the old lantern")
    assert without(move, findings(ines, move), ines) == Move(words="Good evening.")


PARTS: list[tuple[Language, str, list[str]]] = [
    ("en", "takes that lantern to the cellar and lights it", []),
    ("en", "hands the key to Tobin and looks away", []),
    ("en", "writes that it is late, and nods", ["it is late"]),
    ("en", 'holds up a note: "It is late" and sits', ["a note, It is late, sits"]),
    ("en", "looks at the paper that Osric forged", ["Osric forged"]),
    ("en", "goes out, because it is late", ["it is late"]),
    ("zh", "把信递给方邮差", []),
    ("zh", "在石板上写道：天晚了，然后把石板放下", ["天晚了"]),
    ("zh", "点点头，因为天晚了", ["天晚了"]),
    ("zh", "弯着腰，一寸一寸地查看龙王庙", []),
]


@pytest.mark.parametrize(("language", "action", "told"), PARTS)
def test_what_a_deed_tells_stands_apart_from_what_is_done(
    language: Language, action: str, told: list[str]
) -> None:
    assert [part.text for part in parts_of(action, language) if part.is_told] == told
