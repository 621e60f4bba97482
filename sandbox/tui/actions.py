"""Every action a key can start: the bindings, the palette and the help page are made from this one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from gettext import gettext as _
from typing import Literal

from textual.binding import Binding

from sandbox.errors import nearest
from sandbox.tui import words


@dataclass(frozen=True)
class Action:
    """Something a person can do with one key."""

    id: str
    """Stable: users name it in `[keys]` of settings.toml."""
    method: str
    """The app's method, without `action_`."""
    noun: str
    """What it concerns; palette entries begin with it."""
    title: str
    help: str
    key: str
    """Several are parted by commas."""
    show: bool = False
    """Whether the footer shows it."""
    short: str = ""
    """What the footer calls it; empty: the title."""
    only_in: Literal["", "play", "replay"] = ""
    """Empty: in both."""

    def binding(self) -> Binding:
        return Binding(
            self.key,
            self.method,
            self.short or self.title,
            tooltip=self.help,
            id=self.id,
            show=self.show,
            # From the prompt and every other screen; and before the next key of a fast typist.
            priority=self.id in ("quit", "palette", "prompt", "command"),
        )


ACTIONS: tuple[Action, ...] = (
    Action(
        "next-beat",
        "next_beat",
        _("story"),
        _("Next beat"),
        _("One character acts or speaks; in a replay, one turn on."),
        "space,n",
        True,
        _("Next"),
    ),
    Action(
        "play",
        "play",
        _("story"),
        _("Play or pause"),
        _("Let the story play on by itself, or pause it."),
        "p",
        True,
        _("Play"),
    ),
    Action(
        "stop",
        "stop",
        _("story"),
        _("Stop"),
        _(
            "Clear the prompt; stop the beat in progress, of which nothing is recorded; leave the prompt."
        ),
        "escape",
    ),
    Action(
        "retake",
        "retake",
        _("story"),
        _("Retake"),
        _("Withdraw the last beat; its character decides again."),
        "r",
        True,
        only_in="play",
    ),
    Action(
        "rewind",
        "rewind",
        _("story"),
        _("Rewind to line"),
        _("Withdraw everything after the chosen line's turn. Asks first."),
        "u",
        True,
        _("Rewind"),
        only_in="play",
    ),
    Action(
        "edit",
        "edit",
        _("line"),
        _("Edit line"),
        _("Give the chosen line other words. Asks whether what followed stays."),
        "e",
        only_in="play",
    ),
    Action(
        "retract",
        "retract",
        _("line"),
        _("Retract line"),
        _("Withdraw the chosen line's turn and keep what followed. Asks first."),
        "x",
        only_in="play",
    ),
    Action(
        "earlier",
        "earlier",
        _("replay"),
        _("Earlier turn"),
        _("In a replay: one turn back."),
        "left_square_bracket",
        True,
        _("Earlier"),
        only_in="replay",
    ),
    Action(
        "later",
        "later",
        _("replay"),
        _("Later turn"),
        _("In a replay: one turn on."),
        "right_square_bracket",
        True,
        _("Later"),
        only_in="replay",
    ),
    Action(
        "jump",
        "jump",
        _("story"),
        _("Jump to turn"),
        _("Go to a turn by its number."),
        "g",
    ),
    Action(
        "line-up",
        "line_up",
        _("line"),
        _("Line above"),
        _("Choose the line above."),
        "alt+up,k",
    ),
    Action(
        "line-down",
        "line_down",
        _("line"),
        _("Line below"),
        _("Choose the line below."),
        "alt+down,j",
    ),
    Action(
        "follow",
        "follow",
        _("line"),
        _("Follow the story"),
        _("Choose no line and go to the end, where new ones come."),
        "f",
    ),
    Action(
        "next-character",
        "next_character",
        _("cast"),
        _("Next character"),
        _("Choose the next character of the cast, for the inspector."),
        "c",
    ),
    Action(
        "inspector",
        "inspector",
        _("view"),
        _("Inspector"),
        _("Who perceived the chosen line; mind, facts and patterns of the chosen character."),
        "i",
        True,
        _("Inspect"),
    ),
    Action(
        "viewpoint",
        "viewpoint",
        _("view"),
        _("Next viewpoint"),
        _("Director, then each character: only what that one perceived is shown."),
        "v",
        True,
        _("View"),
    ),
    Action(
        "highlights",
        "highlights",
        _("story"),
        _("Highlights"),
        _(
            "What was worth telling so far: secrets out, lies believed, threads turned. Director only."
        ),
        "h",
    ),
    Action("tab-line", "tab('line')", _("view"), _("Inspect line"), _("Who perceived it."), "1"),
    Action("tab-mind", "tab('mind')", _("view"), _("Inspect mind"), _("Who it is."), "2"),
    Action("tab-facts", "tab('facts')", _("view"), _("Inspect facts"), _("What it knows."), "3"),
    Action(
        "tab-matrix", "tab('matrix')", _("view"), _("Inspect matrix"), _("Who knows what."), "4"
    ),
    Action(
        "tab-patterns",
        "tab('patterns')",
        _("view"),
        _("Inspect patterns"),
        _("How it speaks and acts."),
        "5",
    ),
    Action(
        "tab-trace",
        "tab('trace')",
        _("view"),
        _("Inspect trace"),
        _("How the chosen line came about: what came to mind, what was sent, what the guard said."),
        "6",
    ),
    Action(
        "who-knows",
        "who_knows",
        _("view"),
        _("Who knows"),
        _("Who knows what the line taught, and who thinks who does; again: the next fact."),
        "w",
    ),
    Action(
        "prompt",
        "prompt('')",
        _("prompt"),
        _("Write"),
        _("Go to the prompt."),
        "enter",
    ),
    Action(
        "command",
        "prompt('/')",
        _("prompt"),
        _("Command"),
        _("Go to the prompt and begin a command."),
        "slash",
    ),
    Action(
        "help",
        "help",
        _("help"),
        _("Help"),
        _("How to play, keys, commands, how to connect a model."),
        "f1",
        True,
    ),
    Action(
        "palette",
        "command_palette",
        _("help"),
        _("Palette"),
        _("Find an action by its name."),
        "ctrl+p",
        True,
    ),
    Action("quit", "quit", _("help"), _("Quit"), _("Close the save and leave."), "ctrl+q", True),
)
BY_METHOD: Mapping[str, Action] = {action.method.partition("(")[0]: action for action in ACTIONS}


def key_problems(keys: Mapping[str, str]) -> list[str]:
    """What is wrong with `[keys]` of the settings: actions there are not, a key given twice."""
    ids = [action.id for action in ACTIONS]
    unknown = [
        words.NO_ACTION.format(id=id_, nearest=nearest(id_, ids)) for id_ in keys if id_ not in ids
    ]
    return unknown + list(_given_twice(keys))


def _given_twice(keys: Mapping[str, str]) -> Iterator[str]:
    owner: dict[str, str] = {}
    for action in ACTIONS:
        for key in keys.get(action.id, action.key).split(","):
            other = owner.setdefault(key.strip(), action.id)
            if other != action.id:
                yield words.TWICE.format(key=key.strip(), a=other, b=action.id)


def key_shown(action: Action, keys: Mapping[str, str]) -> str:
    """An action's keys as people write them."""
    names = {"escape": "esc", "left_square_bracket": "[", "right_square_bracket": "]", "slash": "/"}
    given = keys.get(action.id, action.key).split(",")
    return ", ".join(names.get(key.strip(), key.strip()).replace("ctrl+", "^") for key in given)
