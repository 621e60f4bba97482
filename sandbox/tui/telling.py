"""The transcript as blocks: who says what and, under it, who took it in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandbox.story.beats import Detail
from sandbox.story.viewpoint import Heard, Look, Shown, missed_by
from sandbox.tui import words
from sandbox.tui.page import Block, Paragraph, Span, Style, block, para, shown_clock
from sandbox.tui.state import StoryState, key_of

_NAMED = 3
"""Names of those who missed a line that are listed; of more, the number."""


def line_blocks(
    state: StoryState, lines: Sequence[Shown], before: Shown | None = None
) -> Iterator[Block]:
    """Blocks for lines that follow `before`; the director is told where a line plays when that changes."""
    for line in lines:
        yield _line(state, line, _meanwhile(state, line, before))
        before = line


def draft_blocks(state: StoryState) -> list[Block]:
    """What is about to be said, marked as a draft; for the director alone."""
    if state.viewpoint is not None:
        return []
    return [
        block(
            para(
                Span(f"{state.name(who).upper()} ", "speaker"),
                Span(f"{words.DRAFT} ", "dim"),
                Span(text, "draft"),
            )
        )
        for who, text in state.drafts.items()
    ]


def empty_blocks(state: StoryState) -> list[Block]:
    """What stands where no line is yet."""
    if state.viewpoint is not None:
        return [block(para(Span(words.EMPTY_AS.format(name=state.name(state.viewpoint)), "dim")))]
    canon = state.world.canon
    blurb = [para(Span(canon.blurb)), para(Span(""))] if canon.blurb else []
    hints = (words.EMPTY_STORY, words.EMPTY_STORY_HINT)
    return [block(*blurb, *(para(Span(hint, "dim"), hang=0) for hint in hints))]


def _meanwhile(state: StoryState, line: Shown, before: Shown | None) -> str:
    """The place of a line in another scene than the line before it."""
    if line.scene is None or line.look is Look.SCENE or line.scene not in state.scenes:
        return ""
    if before is None or before.scene == line.scene:
        return ""
    return words.MEANWHILE.format(place=state.scenes[line.scene][0])


def _line(state: StoryState, line: Shown, place: str) -> Block:
    if line.look is Look.SCENE:
        return block(_scene(state, line), key=key_of(line))
    if line.look is Look.SPEECH:
        under = para(Span(_took_in(state, line), "heard"), indent=2)
        rows = [_speech(line, place), *([] if _is_unheeded(state, line) else [under])]
        return block(*rows, key=key_of(line))
    return block(_deed(state, line, place), key=key_of(line))


def _scene(state: StoryState, line: Shown) -> Paragraph:
    clock = shown_clock(line.clock)
    if line.scene is not None and line.scene in state.scenes:
        number = state.scenes[line.scene][1]
        text = words.SCENE.format(number=number, place=line.text, clock=clock)
    else:
        text = words.SCENE_SEEN.format(place=line.text, clock=clock)
    return para(Span(f"── {text} ", "scene"), fill="─")


def _speech(line: Shown, place: str) -> Paragraph:
    manner = ""
    if line.targets:
        way = words.WHISPERS_TO if line.whispered else words.TO
        manner = way.format(names=words.JOIN.join(line.targets))
    if line.next_door:
        manner += words.NEXT_DOOR
    speaker = Span(line.speaker.upper(), "speaker")
    return para(Span(place, "dim"), speaker, Span(f"{manner}  ", "dim"), line.text)


def _deed(state: StoryState, line: Shown, place: str) -> Paragraph:
    if line.look is Look.THOUGHT:
        private = Span(words.PRIVATE, "dim")
        return para(Span(place, "dim"), Span(line.text, "thought"), tail=private)
    look: Style = "narration" if line.look is Look.NARRATION else "deed"
    took_in = None if _is_unheeded(state, line) else Span(_took_in(state, line), "heard")
    return para(Span(place, "dim"), Span(line.text, look), tail=took_in)


def _is_unheeded(state: StoryState, line: Shown) -> bool:
    """Whether there is nothing to say about others: a character noticed nobody, or took in a part."""
    return state.viewpoint is not None and not line.heard


def _took_in(state: StoryState, line: Shown) -> str:
    """Who took a line in and, for the director, who did not."""
    full = [h for h in line.heard if h.detail is Detail.FULL and not h.from_next_door]
    door = [h for h in line.heard if h.detail is Detail.FULL and h.from_next_door]
    part = [h for h in line.heard if h.detail is Detail.THAT]
    first = words.HEARD if line.look is Look.SPEECH else words.SAW
    groups = [first.format(names=_listed(full) or words.NOBODY)]
    groups += [words.OVERHEARD.format(names=_listed(door))] if door else []
    groups += [_part(line).format(names=_listed(part))] if part else []
    return words.GROUPS.join(groups + _missed(state, line))


def _part(line: Shown) -> str:
    return words.WITHOUT_WORDS if line.look is Look.SPEECH else words.ONLY_THAT


def _listed(heard: Sequence[Heard]) -> str:
    return words.JOIN.join(h.name for h in heard)


def _missed(state: StoryState, line: Shown) -> list[str]:
    """Who could not hear words: the boundary. Of deeds the inspector tells."""
    if state.viewpoint is not None or line.look is not Look.SPEECH:
        return []
    missed = missed_by(state.world, state.happened(key_of(line)))
    if not missed:
        return []
    if len(missed) > _NAMED:
        return [words.MISSED_MANY.format(count=len(missed))]
    return [words.MISSED.format(names=words.JOIN.join(state.name(who) for who in missed))]
