"""A ten-beat story, byte for byte: the forms that saves and transcripts have today.

After a change that is meant: `python -m tests.golden.test_golden` writes the files anew; read the difference.
"""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sandbox.engine.replay import verify
from sandbox.storage.places import clone_root
from sandbox.storage.saves import Save, load_save
from sandbox.story.commands import Inject, Say
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId, PlaceId
from sandbox.story.viewpoint import transcript
from tests.playing import begun, play_on

HERE = Path(__file__).parent


async def told(folder: Path) -> Save:
    """Ten beats of the tiny world, with a person's hand in it."""
    save = begun(folder, seed=4)
    bell = Inject(text="A bell rings.", place=PlaceId("hall"))
    say = Say(character=CharacterId("ann"), words="Who rang?", to=(CharacterId("ben"),))
    await play_on(save, 3, bell, 2, say, 5)
    return save


def transcript_of(save: Save) -> str:
    """The transcript as the director has it, and as Ben has it."""
    world = fold(save.canon(), save.manifest.start, save.read().beats).world
    parts = []
    for viewpoint in (None, CharacterId("ben")):
        parts.append(f"# {viewpoint or 'director'}\n")
        for line in transcript(world, viewpoint):
            heard = ", ".join(f"{h.name} ({h.detail})" for h in line.heard)
            parts.append(f"- {line.turn} {line.look} {line.speaker}: {line.text} [{heard}]")
        parts.append("")
    return "\n".join(parts)


async def test_the_golden_story_comes_out_the_same(tmp_path: Path) -> None:
    save = await told(tmp_path / "golden")
    assert save.journal_path.read_text("utf-8") == (HERE / "journal.jsonl").read_text("utf-8")
    assert transcript_of(save) == (HERE / "transcript.md").read_text("utf-8")


async def test_the_example_save_is_whole_and_plays_again() -> None:
    root = clone_root()
    if root is None:
        pytest.skip("installed without its example save")
    save = load_save(root / "saves" / "lantern-example")
    verdict = await verify(save)
    assert verdict.is_same, verdict.problem
    assert verdict.lines >= 30
    assert verdict.notes == []


async def _write() -> None:
    with TemporaryDirectory() as folder:
        save = await told(Path(folder) / "golden")
        (HERE / "journal.jsonl").write_text(save.journal_path.read_text("utf-8"), "utf-8")
        (HERE / "transcript.md").write_text(transcript_of(save), "utf-8")


if __name__ == "__main__":
    asyncio.run(_write())
