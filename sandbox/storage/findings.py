"""What a check of a world finds, and the commonest of it: a name that leads nowhere."""

from collections.abc import Callable, Collection, Iterable, Iterator

from sandbox.errors import nearest

Locate = Callable[[str, str, str], str]
"""(section, dotted key, problem) to one line for people."""
Finding = tuple[str, str, str]
"""Section, dotted key, problem."""


def missing(
    section: str, key: str, kind: str, names: Iterable[str | None], known: Collection[str]
) -> Iterator[Finding]:
    """A finding for each of `names` that is none of `known`; None is no name."""
    for name in names:
        if name is not None and name not in known:
            yield section, key, f"no {kind} `{name}` in this world.{nearest(name, known)}"
