"""Settings: command line > `SANDBOX_*` > `settings.toml` > default. A slip is an error, never ignored."""

import os
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Self

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator

from sandbox.errors import SettingsError, in_plain_words, nearest

PREFIX = "SANDBOX_"
FILE_VARIABLE = "SANDBOX_SETTINGS"
"""Names another settings file."""

LEAST_PROMPT_TOKENS = 500
"""The smallest prompt in which a move can still be asked for."""


class _Region(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelSettings(_Region):
    """How to reach a language model. Without a name the cast plays in rehearsal."""

    name: str = ""
    """Model name as the endpoint knows it, e.g. `qwen3:8b`. Empty: rehearsal, no model."""
    base_url: str = "http://127.0.0.1:11434/v1"
    """An OpenAI-compatible endpoint."""
    api_key: SecretStr | None = None
    """Sent as a bearer token. Never written to a save, a cassette or a log."""
    temperature: float = Field(default=0.8, ge=0, le=2)
    max_tokens: int = Field(default=600, ge=16, le=32_000)
    """Most output tokens for one move."""
    prompt_tokens: int = Field(default=2000, ge=LEAST_PROMPT_TOKENS, le=200_000)
    """Budget of one request's prompt, in tokens."""
    context_tokens: int | None = Field(default=None, ge=516)
    """What the model can hold, prompt and reply together, in tokens. None: more than both of them."""
    first_token_timeout_s: float = Field(default=120.0, gt=0)
    """Seconds to wait for the first chunk. A slow local model may need all of it."""
    gap_timeout_s: float = Field(default=60.0, gt=0)
    """Seconds to wait between two chunks."""
    reply_timeout_s: float = Field(default=600.0, gt=0)
    """Seconds that one reply may take in all: a model that never stops is stopped then."""
    repeats: int = Field(default=3, ge=0, le=10)
    """Transport repeats after a 429, a 5xx or a cut stream."""

    @model_validator(mode="after")
    def _holds_a_prompt(self) -> Self:
        if self.prompt_budget < LEAST_PROMPT_TOKENS:
            raise ValueError(
                f"`context_tokens` {self.context_tokens} less `max_tokens` {self.max_tokens} leaves "
                f"{self.prompt_budget} for a prompt, and it needs {LEAST_PROMPT_TOKENS}"
            )
        return self

    @property
    def prompt_budget(self) -> int:
        """Tokens that a prompt may have, by its own budget and by what the model can hold."""
        if self.context_tokens is None:
            return self.prompt_tokens
        return min(self.prompt_tokens, self.context_tokens - self.max_tokens)


class SummarySettings(_Region):
    """Another model for what is written when a scene closes. Without a name the cast's own does it."""

    name: str = ""
    """Model name as its endpoint knows it. Empty: the same model as plays the characters."""
    base_url: str = ""
    """An OpenAI-compatible endpoint. Empty: that of the characters, with their key."""
    api_key: SecretStr | None = None
    """Sent as a bearer token. Never written to a save, a cassette or a log."""

    def beside(self, model: ModelSettings) -> ModelSettings:
        """How to reach it; what is not set here is as for the characters.

        Their key goes to their own endpoint and to no other.
        """
        key = self.api_key or (None if self.base_url else model.api_key)
        given = {"name": self.name, "base_url": self.base_url}
        update = {name: value for name, value in given.items() if value}
        return model.model_copy(update=update | {"api_key": key})


class StorySettings(_Region):
    """What shapes a story; written into each save."""

    scene_beats: int = Field(default=12, ge=2, le=200)
    """Beats after which a scene closes."""
    percepts: int = Field(default=24, ge=4, le=400)
    """Most recent percepts a mind is shown."""
    recalled: int = Field(default=6, ge=0, le=50)
    """Memories recalled for a move."""
    deep: bool = False
    """Whether a character may put questions to itself before it moves: up to two more requests."""
    director: bool = True
    """Whether a director fires prepared events and brings people together. False: only a person does."""


class ScreenSettings(_Region):
    """What shapes only the screen; not written into saves."""

    theme: str = "textual-dark"
    beats_per_minute: int = Field(default=40, ge=1, le=6000)
    """Pace of `play`, so that a person can read along."""


class Settings(_Region):
    """Everything that can be set."""

    model: ModelSettings = ModelSettings()
    summaries: SummarySettings = SummarySettings()
    story: StorySettings = StorySettings()
    screen: ScreenSettings = ScreenSettings()
    keys: dict[str, str] = {}
    """Key for an action id, e.g. `step = "n"`."""
    saves: Path | None = None
    """Folder for saves. None: `saves/` in a clone, else the user's data folder."""


def _region_of(name: str) -> type[_Region] | None:
    kind = Settings.model_fields[name].annotation
    return kind if isinstance(kind, type) and issubclass(kind, _Region) else None


@cache
def variables() -> dict[str, tuple[str, ...]]:
    """Every `SANDBOX_*` variable with the setting it names: `SANDBOX_MODEL_NAME` is `model.name`."""
    known: dict[str, tuple[str, ...]] = {}
    for name in Settings.model_fields:
        if region := _region_of(name):
            for field in region.model_fields:
                known[f"{PREFIX}{name}_{field}".upper()] = (name, field)
        elif name != "keys":
            known[f"{PREFIX}{name}".upper()] = (name,)
    return known


def check_variables(names: Iterable[str]) -> list[str]:
    """A line for each misspelt `SANDBOX_*` variable; they would be passed over in silence."""
    known = [*variables(), FILE_VARIABLE]
    return [
        f"environment: unknown variable `{name}`.{nearest(name, known)} `sandbox where` lists them."
        for name in names
        if name.startswith(PREFIX) and name not in known
    ]


def settings_file(environ: Mapping[str, str]) -> Path:
    """The settings file in use: `SANDBOX_SETTINGS`, else in the user's config folder."""
    if named := environ.get(FILE_VARIABLE):
        return Path(named)
    return Path(platformdirs.user_config_dir("story-sandbox")) / "settings.toml"


def load(environ: Mapping[str, str] = os.environ, **overrides: dict[str, Any]) -> Settings:
    """The settings in force.

    Args:
        environ: the process environment.
        overrides: values from the command line, by region: `model={"name": "qwen3"}`.

    Raises:
        SettingsError: a file, variable or value is wrong; one line for each problem.
    """
    path = settings_file(environ)
    problems = check_variables(environ)
    values = _from_file(path, required=FILE_VARIABLE in environ, problems=problems)
    for variable, (*above, field) in variables().items():
        if variable in environ:
            _region(values, above)[field] = environ[variable]
    for name, given in overrides.items():
        values.setdefault(name, {}).update({k: v for k, v in given.items() if v is not None})
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        problems += [_problem_line(path, environ, item) for item in error.errors()]
    if problems:
        raise SettingsError("\n".join(problems))
    return settings


def _region(values: dict[str, Any], above: list[str]) -> dict[str, Any]:
    for name in above:
        values = values.setdefault(name, {})
    return values


def _from_file(path: Path, required: bool, problems: list[str]) -> dict[str, Any]:
    if not path.exists():
        if required:
            problems.append(f"environment: `{FILE_VARIABLE}` names {path}, which is not there.")
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        problems.append(f"{path}: cannot be read as TOML: {error}")
        return {}


def _problem_line(path: Path, environ: Mapping[str, str], item: Any) -> str:
    where = tuple(str(part) for part in item["loc"])
    variable = next((v for v, key in variables().items() if key == where and v in environ), None)
    place = f"environment: `{variable}`" if variable else f"{path}: `{'.'.join(where)}`"
    if item["type"] != "extra_forbidden":
        return f"{place}: {in_plain_words(item['type'], item['msg'])}."
    region = _region_of(where[0]) if where[0] in Settings.model_fields else None
    known = region.model_fields if region and len(where) > 1 else Settings.model_fields
    return f"{place}: no such setting.{nearest(where[-1], known)}"
