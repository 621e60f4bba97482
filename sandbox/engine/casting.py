"""Who plays whom: a mind for each character."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sandbox.agents.minds import Mind
from sandbox.agents.rehearsal import Rehearsal
from sandbox.errors import UsageError, nearest
from sandbox.storage.saves import Manifest
from sandbox.story.ids import CharacterId

KINDS = ("rehearsal", "model", "person")


@dataclass
class Casting:
    """The minds of a story."""

    default: Mind
    others: Mapping[CharacterId, Mind] = field(default_factory=dict)
    held: frozenset[CharacterId] = frozenset()
    """Characters a person plays."""

    def mind_of(self, who: CharacterId) -> Mind:
        return self.others.get(who, self.default)


def casting_of(manifest: Manifest) -> Casting:
    """The minds a save names.

    Raises:
        UsageError: a kind of mind is unknown.
    """
    minds = {kind: _mind(kind, manifest) for kind in {manifest.mind, *manifest.minds.values()}}
    played = {CharacterId(who): kind for who, kind in manifest.minds.items()}
    return Casting(
        minds[manifest.mind],
        {who: minds[kind] for who, kind in played.items()},
        frozenset(who for who, kind in played.items() if kind == "person"),
    )


def _mind(kind: str, manifest: Manifest) -> Mind:
    if kind in ("rehearsal", "person"):
        return Rehearsal()
    if kind == "model":
        from sandbox.agents.fusing import Limits
        from sandbox.agents.language import LanguageMind
        from sandbox.agents.thinking import Reach

        story = manifest.story
        return LanguageMind(
            name=manifest.model,
            limits=Limits(
                max_tokens=manifest.max_tokens,
                prompt_tokens=manifest.prompt_tokens,
                temperature=manifest.temperature,
                percepts=story.percepts,
            ),
            reach=Reach(story.percepts, story.recalled, story.deep),
        )
    raise UsageError(f"no mind `{kind}`.{nearest(kind, KINDS)} There are: {', '.join(KINDS)}.")
