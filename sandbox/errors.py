"""What can go wrong, told to people as *place: what is wrong. What would be right*."""

from collections.abc import Iterable
from difflib import get_close_matches
from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of the command line."""

    OK = 0
    STORY = 1
    """A story, save, world, script or model error."""
    USAGE = 2
    """Wrong arguments or settings."""
    ENDPOINT = 3
    """The endpoint failed in a way that is worth another try."""
    INTERRUPTED = 130


class SandboxError(Exception):
    """Whatever a person can read and mend. Anything else that is raised is a bug."""

    exit_code = Exit.STORY


class UsageError(SandboxError):
    """The command line asks for something that is not there."""

    exit_code = Exit.USAGE


class SettingsError(SandboxError):
    """A setting or `SANDBOX_*` variable is unknown or has a value that does not fit."""

    exit_code = Exit.USAGE


class WorldFileError(SandboxError):
    """Files under `worlds/` cannot be read as a world; holds every problem found."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class StageError(SandboxError):
    """An event cannot happen on this stage: a dead speaker, a door that is not there."""


class BoundaryError(SandboxError):
    """Something outside a character's knowledge boundary was asked of its view."""


class SaveError(SandboxError):
    """A save cannot be read, written or opened."""


class JournalError(SaveError):
    """A journal line is damaged; says which."""


class CassetteError(SaveError):
    """The cassette does not hold what the replay needs."""


class MemoryStoreError(SandboxError):
    """A memory store refused: the same id with another text, or a folder it cannot write."""


class ScriptError(SandboxError):
    """A script file is wrong, or one of its expectations failed."""


class ModelError(SandboxError):
    """The model answered, but not with anything that can be used."""


class ModelUnavailableError(ModelError):
    """The endpoint refused, timed out or broke off."""

    exit_code = Exit.ENDPOINT

    def __init__(
        self, message: str, *, retry_after_s: float | None = None, transient: bool = True
    ) -> None:
        self.retry_after_s = retry_after_s
        """Seconds the endpoint asked us to wait; None where it said nothing."""
        self.exit_code = Exit.ENDPOINT if transient else Exit.STORY
        self.transient = transient
        """Whether the same request may succeed a moment later."""
        super().__init__(message)


_PLAIN = {
    "missing": "is missing",
    "tuple_type": 'has to be a list: `["…"]`',
    "list_type": 'has to be a list: `["…"]`',
    "frozen_set_type": 'has to be a list: `["…"]`',
    "dict_type": "has to be a table: `{ … }`",
    "mapping_type": "has to be a table: `{ … }`",
    "model_type": "has to be a table: `{ … }`",
    "model_attributes_type": "has to be a table: `{ … }`",
    "string_type": "has to be text in quotes",
    "string_too_short": "is empty",
    "too_short": "is empty; it needs at least one entry",
    "int_type": "has to be a whole number",
    "int_parsing": "has to be a whole number",
    "float_parsing": "has to be a number",
    "bool_parsing": "has to be true or false",
}
_FORMS = {
    r"^\d{1,3}:\d{2}$": "has to be hours and minutes, like `21:40`",
    r"^[a-z][a-z0-9_]{0,39}$": "has to be a lower-case id, like `old_mill`",
}


def in_plain_words(kind: str, message: str, pattern: str = "") -> str:
    """What is wrong with a value, without the words of the library that found it.

    Args:
        kind: the library's name for the problem, `"string_type"`.
        message: its own words, used where we have none.
        pattern: the regular expression that a text does not fit.
    """
    return _FORMS.get(pattern) or _PLAIN.get(kind) or message.removeprefix("Value error, ")


def nearest(name: str, known: Iterable[str]) -> str:
    """` Did you mean `x`?` for the nearest known name, or an empty string."""
    match = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" Did you mean `{match[0]}`?" if match else ""
