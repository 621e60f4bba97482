"""What an endpoint can do wrong, in one line each: what is wrong, and what would be right."""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from sandbox.errors import ModelError, ModelUnavailableError, SettingsError
from sandbox.models.hints import asked_wait_s
from sandbox.settings import ModelSettings

if TYPE_CHECKING:
    import openai

Role = Literal["MODEL", "SUMMARIES"]
"""Whose settings an endpoint has, as in `SANDBOX_MODEL_NAME`."""
_QUOTE_CHARS = 200
_OF_SHAPE = re.compile(r"response_format|json_schema|json_object|grammar|stream_options")


class Faults:
    """Makes the errors of one endpoint. Foreign text goes through `_quote`, without the key.

    Raises:
        SettingsError: the address or the key cannot be used for HTTP at all.
    """

    def __init__(self, settings: ModelSettings, role: Role = "MODEL") -> None:
        self.key = settings.api_key.get_secret_value().strip() if settings.api_key else ""
        self._name, self._address, self._key = (
            f"`SANDBOX_{role}_{field}`" for field in ("NAME", "BASE_URL", "API_KEY")
        )
        self._model = settings.name
        self.place = bare(settings.base_url, self._address)
        if not (self.key.isascii() and self.key.isprintable()):
            # Checked here: HTTP libraries quote the header that they refuse.
            raise SettingsError(f"{self._key} holds characters that no key has. Copy it once more.")

    def unusable(self, what: str) -> ModelError:
        return ModelError(f"{self.place}: {what}")

    def unavailable(self, what: str) -> ModelUnavailableError:
        return ModelUnavailableError(f"{self.place}: {what}")

    def unreachable(self, error: BaseException) -> ModelUnavailableError:
        reason = self._quote(_innermost(error))
        return self.unavailable(
            f"cannot be reached ({reason}). Is the server running? {self._address} names another."
        )

    def slow(self, settings: ModelSettings, *, first: bool) -> ModelUnavailableError:
        if first:
            what, wait_s, name = "nothing", settings.first_token_timeout_s, "FIRST_TOKEN"
        else:
            what, wait_s, name = "nothing more", settings.gap_timeout_s, "GAP"
        return self.unavailable(
            f"{what} came for {wait_s:g} s. `SANDBOX_MODEL_{name}_TIMEOUT_S` sets how long to wait."
        )

    def endless(self, settings: ModelSettings) -> ModelError:
        return self.unusable(
            f"the reply had not ended after {settings.reply_timeout_s:g} s and was stopped. "
            "`SANDBOX_MODEL_REPLY_TIMEOUT_S` sets how long one may take."
        )

    def cut(self) -> ModelUnavailableError:
        return self.unavailable("the reply broke off in the middle. It may come whole if repeated.")

    def too_large(self, limit_bytes: int) -> ModelError:
        return self.unusable(
            f"the reply is larger than {limit_bytes} bytes and was stopped. "
            f"It does not heed `SANDBOX_MODEL_MAX_TOKENS`; {self._name} names another model."
        )

    def nothing(self) -> ModelError:
        return self.unusable(
            f"answered 200 with nothing in it. {self._address} must name an OpenAI-compatible endpoint."
        )

    def no_content(self, finish: str, *, thought: bool) -> ModelError:
        if thought and finish == "length":
            return self.unusable(
                "the model spent every token on thinking. Raise `SANDBOX_MODEL_MAX_TOKENS`."
            )
        ended = f" (it ended with `{self._quote(finish)}`)" if finish else ""
        return self.unusable(f"the reply has no content{ended}. {self._name} names another model.")

    def no_completion(self, data: bytes) -> ModelError:
        text = data.decode(errors="replace")
        if text.lstrip().startswith("<"):
            return self.unusable(
                f"answered with a web page, not a reply. {self._address} usually ends in `/v1`."
            )
        return self.unusable(
            f"sent what is no chat completion: `{self._quote(text)}`. "
            f"{self._address} must name an OpenAI-compatible endpoint."
        )

    def reported(self, problem: Any) -> ModelUnavailableError:
        """An error that the endpoint sent inside a stream that began well."""
        code = problem.get("code") if isinstance(problem, Mapping) else None
        transient = not isinstance(code, int) or code in (408, 429) or code >= 500
        return ModelUnavailableError(
            f"{self.place}: gave up during the reply{self._said(problem)}.",
            transient=transient,
            retry_after_s=asked_wait_s({}, problem),
        )

    def status(self, error: "openai.APIStatusError") -> ModelUnavailableError:
        code = error.status_code
        return ModelUnavailableError(
            f"{self.place}: {self._status_text(code, error.body)}",
            transient=code in (408, 429) or code >= 500,
            retry_after_s=asked_wait_s(error.response.headers, error.body),
        )

    def _status_text(self, code: int, body: object) -> str:
        said = self._said(body)
        match code:
            # Not quoted: some endpoints repeat part of the key that they refuse.
            case 401 | 403 if self.key:
                return f"refused the key ({code}). {self._key} must hold one that is valid there."
            case 401 | 403:
                return f"wants a key ({code}). Put one in {self._key}."
            case 404 if "model" in said.lower():
                return f"knows no model `{self._model}` (404). {self._name} names another."
            case 404:
                return f"has no chat completions (404). {self._address} usually ends in `/v1`."
            case 429:
                return f"too many requests (429){said}. Wait, or play with fewer characters."
            case _ if code >= 500:
                return f"failed ({code}){said}. The same request may succeed a moment later."
            case _:
                return f"refused the request ({code}){said}. `SANDBOX_MODEL_*` set what is sent."

    def _said(self, body: object) -> str:
        words = self._quote(_words(body))
        return f': "{words}"' if words else ""

    def _quote(self, text: str) -> str:
        """Foreign text on one line, without the key and of bearable length."""
        line = " ".join(text.split())
        if self.key:
            line = line.replace(self.key, "…")
        line = "".join(c for c in line if c.isprintable()).rstrip(".")
        return line if len(line) <= _QUOTE_CHARS else line[: _QUOTE_CHARS - 1] + "…"


def complaint_of(error: "openai.APIStatusError") -> str:
    """The refusal in lower case if it may be about an optional part of the request, else empty."""
    complaint = json.dumps(error.body, default=str).lower()
    if error.status_code in (404, 501):
        return complaint if re.search("response_format|support", complaint) else ""
    if error.status_code == 500:  # local servers whose grammar breaks on a schema
        return complaint if _OF_SHAPE.search(complaint) else ""
    return complaint if error.status_code in (400, 422) else ""


def bare(address: str, variable: str = "`SANDBOX_MODEL_BASE_URL`") -> str:
    """The address without user, password and query, which may hold secrets.

    Args:
        address: as it is set.
        variable: what to name where it is no address.

    Raises:
        SettingsError: it is no http address.
    """
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = None
    if not usable:
        raise SettingsError(
            f"{variable} is no http address. It should be like `http://127.0.0.1:11434/v1`."
        )
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"


def _innermost(error: BaseException) -> str:
    """The first cause: the libraries above it say no more than `Connection error`."""
    while below := error.__cause__ or _carried(error):
        error = below
    if isinstance(error, ConnectionRefusedError):
        return "connection refused"
    if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
        return "no connection in time"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _carried(error: BaseException) -> BaseException | None:
    """The cause where httpcore hides it: in the arguments; of a group, its first member."""
    carried = error.exceptions if isinstance(error, BaseExceptionGroup) else error.args
    return next((item for item in carried if isinstance(item, BaseException)), None)


def _words(body: object) -> str:
    """The sentence in an error body, of whatever shape; empty for web pages."""
    match body:
        case {"error": inner} | {"message": inner} | {"detail": inner} | [inner, *_]:
            return _words(inner)
        case str() if not body.lstrip().startswith("<"):
            return body
        case _:
            return ""
