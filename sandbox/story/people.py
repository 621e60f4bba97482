"""Characters as a world writes them: what they are, want, hide, and how they behave in which situation."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from sandbox.story.ids import CharacterId, FactId, PlaceId, PredicateId
from sandbox.story.items import Name, Slug, Spanned, Text, TimedTexts


class Want(Spanned):
    """Something a character would like to find out."""

    question: Text
    subject: Name
    predicate: PredicateId


class Wish(Spanned):
    """A fact a character wants others to learn."""

    fact: FactId
    to: tuple[CharacterId, ...] = ()
    """Whom; empty: anybody."""
    because: Text | None = None


class Keep(Spanned):
    """A fact a character wants to hide. A motive: it may still slip."""

    fact: FactId
    unless: tuple[CharacterId, ...] = ()
    """Those it may be told to."""
    because: Text


class Relation(Spanned):
    to: CharacterId
    kind: Literal["friend", "kin", "employer", "servant", "rival", "stranger", "lover"] = "friend"
    text: Text | None = None


class Disguise(Spanned):
    """Somebody goes about as somebody else."""

    seen_as: Name
    """Id of the entity or character others take it for."""
    seen_through_by: tuple[CharacterId, ...] = ()


class Character(Spanned):
    id: Slug
    name: Name
    aliases: tuple[Name, ...] = ()
    name_known_to: tuple[CharacterId, ...] | None = None
    """Who knows its name at the start. None: everybody."""
    known_as: TimedTexts = ()
    """What those call it who do not know its name: "the lodger"."""
    public: TimedTexts = ()
    """What anybody sees."""
    private: TimedTexts = ()
    """What it alone knows of itself."""
    conduct: TimedTexts = ()
    """Rules of conduct: how it goes about things, in second person."""
    goals: TimedTexts = ()
    mood: TimedTexts = ()
    home: PlaceId
    """Where it is before the first canon scene."""
    wants: tuple[Want, ...] = ()
    wishes: tuple[Wish, ...] = ()
    keeps: tuple[Keep, ...] = ()
    relations: tuple[Relation, ...] = ()
    trust: Mapping[CharacterId, Annotated[float, Field(ge=0, le=1)]] = {}
    """How far it believes others, as a share in [0, 1]; 1 where nothing is said. From 0.5 on it believes."""
    deaf: bool = False
    blind: bool = False
    impairment_known_to: tuple[CharacterId, ...] | None = None
    """Who knows that it is deaf or blind. None: everybody."""
    languages: tuple[Name, ...] = ()
    """What it speaks and understands beside the tongue all share."""
    disguise: Disguise | None = None
    gestures: TimedTexts = ()
    """Small things it does, without the subject: "wipes the counter"."""


class Membership(Spanned):
    """Who belongs to an organisation, and for how long."""

    who: CharacterId


def _as_members(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        return value
    return tuple({"who": item} if isinstance(item, str) else item for item in value)


class Organisation(Spanned):
    """A group whose members share what is shared with it."""

    id: Slug
    name: Name
    aliases: tuple[Name, ...] = ()
    members: Annotated[tuple[Membership, ...], BeforeValidator(_as_members)] = ()
    """A plain string is a member for good."""
    briefs_newcomers: bool = False
    """Whether who joins later learns what was shared before."""


class Occasion(StrEnum):
    """The kinds of situation a pattern can answer to."""

    ASKING = "asking"
    TELLING = "telling"
    ANSWERING = "answering"
    NOT_KNOWING = "not_knowing"
    KEEPING = "keeping"
    SEARCHING = "searching"
    LEARNING = "learning"
    DOUBTING = "doubting"
    """Told something by somebody it does not believe."""
    IDLE = "idle"


class Pattern(Spanned):
    """A situation-bound way of speaking and acting (personality memory; ReverieMem, section 3.3)."""

    id: Slug
    owner: CharacterId
    situation: Text
    """When it applies, in words."""
    occasions: tuple[Occasion, ...] = Field(min_length=1)
    mood_before: Text | None = None
    mood_after: Text | None = None
    manner: Text
    """How I then speak and act, first person."""
    samples: TimedTexts = ()
    """Lines from canon."""
    lead_ins: TimedTexts = ()
    """Openings it puts before a sentence, whole in themselves: "Listen, and keep your voice down." """
