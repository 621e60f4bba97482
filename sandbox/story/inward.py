"""Events of one mind: what it concludes and keeps of what it lived through. Its owner is the only witness."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from sandbox.story.claims import Claim
from sandbox.story.ids import CharacterId, EventId, SceneId
from sandbox.story.items import Text
from sandbox.story.people import Occasion


class _Inward(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    owner: CharacterId
    rests_on: tuple[EventId, ...]
    """What it was made of. It is withdrawn, whole, with any of that."""


class BeliefInferred(_Inward):
    """Somebody concludes something of its own."""

    kind: Literal["belief_inferred"] = "belief_inferred"
    belief: Claim


class EpisodeWritten(_Inward):
    """A first-person summary of a closed scene, in its owner's voice."""

    kind: Literal["episode_written"] = "episode_written"
    scene: SceneId
    part: int = 1
    """A long scene is summarised in parts, from 1."""
    text: str


class PatternGrown(_Inward):
    """A way of speaking and acting that somebody took on in play, bound to a situation."""

    kind: Literal["pattern_grown"] = "pattern_grown"
    situation: Text
    """When it applies, in words."""
    occasions: tuple[Occasion, ...] = ()
    """Kinds of situation it answers to. Empty: only the words tell."""
    mood_before: Text | None = None
    mood_after: Text | None = None
    manner: Text
    """How I then speak and act, first person."""
    samples: tuple[Text, ...] = ()
    """Lines of its owner's own, word for word. Empty: it has said nothing so far."""
