"""Writing files so that nothing acknowledged is lost."""

import os
from contextlib import suppress
from pathlib import Path

from sandbox.errors import SaveError


def write_whole(path: Path, text: str) -> None:
    """Replace a file whole: a crash leaves the old or the new one, never half of one.

    Raises:
        SaveError: the folder cannot be written.
    """
    beside = path.with_name(path.name + ".new")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise SaveError(f"{path}: cannot be written: {error.strerror or error}.") from error


def sync_folder(folder: Path) -> None:
    """Make names in `folder` durable; a platform that cannot open folders does it by itself."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Appender:
    """A file of lines that only grows; each line is on disk before `append` or `sync` returns."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = path.open("ab", buffering=0)
            self._good = self._file.tell()
        except OSError as error:
            raise SaveError(f"{path}: cannot be opened for writing: {error.strerror}.") from error
        self._is_torn = False
        self._is_dirty = False

    def append(self, *lines: str, sync: bool = True) -> None:
        """Write `lines`, each with a line feed, and sync once; without `sync`, leave that for later.

        Raises:
            SaveError: the disk refused. Nothing of the lines counts, and nothing is ever written
                behind what it may have left of them.
        """
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            self._mend()
            self._is_torn = True
            self._write(data)
            if sync:
                os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._mend()
            raise SaveError(f"{self._path}: cannot be written: {error.strerror}.") from error
        self._is_torn = False
        self._is_dirty = not sync
        self._good += len(data)

    def sync(self) -> None:
        """Make sure that everything appended is on disk.

        Raises:
            SaveError: the disk refused.
        """
        if not self._is_dirty:
            return
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise SaveError(f"{self._path}: cannot be written: {error.strerror}.") from error
        self._is_dirty = False

    def _write(self, data: bytes) -> None:
        """All of `data`: a disk that fills up takes a part first, and complains at the next."""
        left = memoryview(data)
        while left:
            left = left[self._file.write(left) :]

    def _mend(self) -> None:
        """Cut off what a failed write left."""
        if self._is_torn:
            os.ftruncate(self._file.fileno(), self._good)
            self._is_torn = False

    def close(self) -> None:
        self._file.close()
