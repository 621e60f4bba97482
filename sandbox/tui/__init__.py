"""The terminal UI. Nothing of textual is loaded before one of these is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.engine.playback import Playback
    from sandbox.engine.session import Session
    from sandbox.settings import Settings
    from sandbox.story.ids import CharacterId


def play(
    session: Session,
    settings: Settings,
    *,
    viewpoint: CharacterId | None = None,
    connect_hint: str = "",
) -> int:
    """Play a story on screen until the person leaves. Starts the session and closes it.

    Args:
        session: opened, not started.
        settings: pace, theme and keys.
        viewpoint: through whose eyes it is shown at first. None: the director's.
        connect_hint: what the help page says about connecting a model; empty: how to do it.

    Returns:
        The exit code.

    Raises:
        MemoryStoreError: memory could not be written at the end; the journal has everything.
    """
    from sandbox.tui.playing import PlayApp

    app = PlayApp(session, settings, connect_hint)
    app.begin_as(viewpoint)
    app.run()
    if app.closing_error is not None:
        raise app.closing_error
    return app.return_code or 0


def watch(playback: Playback, settings: Settings, *, viewpoint: CharacterId | None = None) -> int:
    """Show a save turn by turn, read-only, until the person leaves.

    Returns:
        The exit code.
    """
    from sandbox.tui.watching import WatchApp

    app = WatchApp(playback, settings)
    app.begin_as(viewpoint)
    app.run()
    return app.return_code or 0


__all__ = ["play", "watch"]
