"""What holds in every test: no network but loopback, no settings and no home but the test's own."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from sandbox.models.dialects import OF_THIS_PROCESS

_OWN = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "NO_COLOR")
_LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(autouse=True)
def _settings_and_home_of_its_own(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [*_OWN, *(name for name in os.environ if name.startswith("SANDBOX_"))]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(_home(tmp_path_factory)))


def _home(factory: pytest.TempPathFactory) -> Path:
    home = factory.getbasetemp() / "home"
    home.mkdir(exist_ok=True)
    return home


@pytest.fixture(autouse=True)
def _no_endpoint_is_remembered() -> None:
    """The port of an endpoint may be that of one in an earlier test."""
    OF_THIS_PROCESS.forget()


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chroma, wordllama and openai are all able to call home: here it would fail the test."""
    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, _on_loopback(getattr(socket.socket, name)))
    monkeypatch.setattr(socket, "getaddrinfo", _of_loopback(socket.getaddrinfo))


def _on_loopback(connect: Any) -> Any:
    def connected(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _check(address[0])
        return connect(self, address)

    return connected


def _of_loopback(getaddrinfo: Any) -> Any:
    def found(host: Any, *args: Any, **kwargs: Any) -> Any:
        _check(host)
        return getaddrinfo(host, *args, **kwargs)

    return found


def _check(host: Any) -> None:
    name = host.decode() if isinstance(host, bytes) else str(host or "localhost")
    assert name.startswith(_LOOPBACK), f"a test reached for the network: {name}"
