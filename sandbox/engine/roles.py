"""Which model does what in a story: one plays the characters, another may write what they keep."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.errors import SettingsError, UsageError
from sandbox.models.faults import Faults, Role, bare
from sandbox.models.retrying import Retrying
from sandbox.settings import ModelSettings, Settings
from sandbox.storage.saves import Manifest

_SUMMARY_STEPS = "episode"
"""Steps that begin so are what is written at scene close; all others are of a move."""


@dataclass(frozen=True)
class Models:
    """The models of a story."""

    characters: Retrying
    summaries: Retrying | None = None
    """None: the characters' model does that too."""

    def of(self, step: str) -> Retrying:
        """The model for a step of the cassette: `move`, `probe:1`, `episode:2`."""
        if self.summaries is not None and step.startswith(_SUMMARY_STEPS):
            return self.summaries
        return self.characters

    async def aclose(self) -> None:
        try:
            await self.characters.aclose()
        finally:
            if self.summaries is not None:
                await self.summaries.aclose()


def role_problems(settings: Settings) -> list[str]:
    """A line for each model that is set and cannot be used as it is set. Nothing is asked of it."""
    problems = []
    if settings.summaries.name and not settings.model.name:
        problems.append(
            "settings: `summaries.name` is set, and no model plays that could need it. "
            "Set `model.name` too, or leave both empty for rehearsal."
        )
    beside = settings.summaries.beside(settings.model)
    reached: list[tuple[Role, ModelSettings]] = [("MODEL", settings.model), ("SUMMARIES", beside)]
    for role, model in reached:
        try:
            Faults(model, role)
        except SettingsError as error:
            problems.append(f"settings: {error}")
    return list(dict.fromkeys(problems))


def roles_in_words(settings: Settings) -> str:
    """Who would play, and who would write summaries, in a new story."""
    model, summaries = settings.model, settings.summaries
    if not model.name:
        return "rehearsal, no model"
    beside = summaries.beside(model)
    second = f"{beside.name} at {bare(beside.base_url)}" if summaries.name else "the same"
    return f"characters: {model.name} at {bare(model.base_url)} · summaries: {second}"


def models_of(manifest: Manifest, settings: Settings) -> Models | None:
    """The models a save names, as the settings reach them; None where only rehearsal and people play.

    Raises:
        UsageError: it plays with a model, and none is connected.
        SettingsError: an address or a key cannot be used.
    """
    if manifest.mind != "model" and "model" not in manifest.minds.values():
        return None
    if not settings.model.name:
        raise UsageError(
            f"this save plays with the model `{manifest.model}`, and none is connected. Set "
            f"`SANDBOX_MODEL_NAME` (and `SANDBOX_MODEL_BASE_URL`); `sandbox where` shows what is set."
        )
    from sandbox.models.endpoint import EndpointModel

    repeats = settings.model.repeats
    named = {"name": manifest.model, "temperature": manifest.temperature}
    characters = Retrying(EndpointModel(settings.model.model_copy(update=named)), repeats)
    if not manifest.summaries:
        return Models(characters)
    beside = settings.summaries.beside(settings.model)
    chosen = beside.model_copy(update={"name": manifest.summaries})
    return Models(characters, Retrying(EndpointModel(chosen, "SUMMARIES"), repeats))
