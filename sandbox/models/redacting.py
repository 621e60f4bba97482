"""A reply without the key: an endpoint that echoes its request's headers must not put it in a save."""

from collections.abc import Iterator

from sandbox.models.port import Chunk

_INSTEAD = "…"
_LEAST_CHARS = 8
"""A shorter key (`none`, `ollama`) is no secret, and may well be a word of the story."""


class Redacting:
    """Takes one key out of a stream of chunks, wherever it is cut in pieces."""

    def __init__(self, key: str) -> None:
        self._key = key if len(key) >= _LEAST_CHARS else ""
        self._held: dict[str, str] = {}
        """By channel: the end of what came, where it may be the beginning of the key."""

    def of(self, chunk: Chunk) -> Iterator[Chunk]:
        """The chunk, with what was held back before it; its own end may be held back instead."""
        if not self._key:
            yield chunk
            return
        text = (self._held.pop(chunk.kind, "") + chunk.text).replace(self._key, _INSTEAD)
        if kept := self._begun(text):
            self._held[chunk.kind] = text[-kept:]
            text = text[:-kept]
        if text:
            yield Chunk(text, chunk.kind)

    def rest(self) -> Iterator[Chunk]:
        """What is still held back once nothing more will come."""
        held, self._held = self._held, {}
        for kind, text in held.items():
            yield Chunk(text, "reasoning" if kind == "reasoning" else "reply")

    def _begun(self, text: str) -> int:
        """How many characters at the end of `text` may be the beginning of the key."""
        lengths = range(min(len(self._key) - 1, len(text)), 0, -1)
        return next((n for n in lengths if self._key.startswith(text[-n:])), 0)
