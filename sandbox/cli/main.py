"""Arguments of every command, and what becomes of errors."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from sandbox import __version__
from sandbox.cli.ask_arguments import add_questions
from sandbox.errors import Exit, SandboxError

DEFAULT_WORLD = "lantern_inn"

_EPILOG = """\
examples:
  sandbox play                              open the default world in the terminal
  sandbox play jiangcun_duchuan --seed 7    another world, another story
  sandbox run --beats 50 --json             play 50 beats headless, as JSON lines
  sandbox run story.yaml                    run a script and check what it expects
  sandbox replay my-story --verify          play it again from its cassette, compare
  sandbox branch my-story --at 12 --name what-if
  sandbox ask my-story why hobb lantern_dark   how he knows it, back to the source
  sandbox ask my-story as mara "Who took the packet?"   off the record, in her own words

connect a model (any OpenAI-compatible endpoint):
  export SANDBOX_MODEL_NAME=qwen3:8b
  export SANDBOX_MODEL_BASE_URL=http://127.0.0.1:11434/v1
  export SANDBOX_MODEL_API_KEY=...          only if the endpoint asks for one

exit codes: 0 done · 1 story, save, world or model · 2 usage or settings ·
3 endpoint, worth another try · 130 interrupted
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One clear line, and exit code 2."""
        self.exit(Exit.USAGE, f"sandbox: {message}. `{self.prog} --help` shows how.\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="sandbox",
        description="A story sandbox: characters who remember only what they witnessed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"story-sandbox {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    _play_and_run(commands)
    _saves(commands)
    _changes(commands)
    _ask(commands)
    _checks(commands)
    return parser


if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[_Parser]


def _add(commands: Commands, name: str, help_: str, example: str) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=help_,
        description=help_[:1].upper() + help_[1:] + ".",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _story_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=int, help="seed of chance for a new story (default 1)")
    command.add_argument("--start", metavar="SCENE", help="canon scene after which it begins")
    command.add_argument("--save", metavar="NAME", help="name of the new save")
    command.add_argument(
        "--mind",
        action="append",
        default=[],
        metavar="[WHO=]KIND",
        help="rehearsal, model or person; for one character: --mind mara=person",
    )
    command.add_argument(
        "--deep",
        action="store_true",
        help="in a new story: characters question their memory before they move (2 to 4 requests)",
    )


def _play_and_run(commands: Commands) -> None:
    play = _add(
        commands,
        "play",
        "open a story in the terminal",
        "sandbox play lantern_inn --seed 3 --as mara",
    )
    play.add_argument("what", nargs="?", metavar="WORLD|SAVE", help="name or path")
    play.add_argument("--as", dest="viewpoint", metavar="WHO", help="see it as one character does")
    _story_options(play)
    run = _add(
        commands,
        "run",
        "play headless, or run a script",
        "sandbox run lantern_inn --beats 50 --seed 3 --save night --json",
    )
    run.add_argument("what", nargs="?", metavar="WORLD|SAVE|SCRIPT", help="name or path")
    run.add_argument("--beats", type=int, metavar="N", help="beats to play (default 24)")
    run.add_argument("--as", dest="viewpoint", metavar="WHO", help="print what one character has")
    shown = run.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print beats as JSON lines")
    shown.add_argument("--text", action="store_true", help="print a transcript (default)")
    run.add_argument(
        "--trace", action="store_true", help="print how each move of a model came about"
    )
    _story_options(run)


def _saves(commands: Commands) -> None:
    replay = _add(
        commands,
        "replay",
        "look at a save turn by turn, or verify it",
        "sandbox replay night --verify",
    )
    replay.add_argument("save", metavar="SAVE")
    replay.add_argument("--verify", action="store_true", help="play it again and compare journals")
    replay.add_argument(
        "--as", dest="viewpoint", metavar="WHO", help="see it as one character does"
    )
    replay.add_argument("--at", type=int, metavar="TURN", help="turn to open at")
    branch = _add(
        commands,
        "branch",
        "begin a save of its own from a turn of another",
        "sandbox branch night --at 12 --name what-if",
    )
    branch.add_argument("save", metavar="SAVE")
    branch.add_argument("--at", type=int, metavar="TURN", help="last turn of the copy")
    branch.add_argument("--name", metavar="NAME", help="name of the new save")
    branch.add_argument(
        "--salvage", metavar="NAME", help="new save up to the last good line of a damaged journal"
    )
    _add(commands, "saves", "list the saves", "sandbox saves")


def _changes(commands: Commands) -> None:
    retract = _add(
        commands,
        "retract",
        "withdraw one earlier turn of a save, and keep what followed",
        "sandbox retract night --at 7",
    )
    edit = _add(
        commands,
        "edit",
        "change the words of an earlier line; what followed stays, or a branch begins there",
        'sandbox edit night --at 7 --words "Not now." --keep',
    )
    for command in (retract, edit):
        command.add_argument("save", metavar="SAVE")
        command.add_argument("--at", type=int, metavar="TURN", required=True)
    edit.add_argument("--words", metavar="TEXT", required=True, help="what the line says instead")
    followed = edit.add_mutually_exclusive_group(required=True)
    followed.add_argument("--keep", action="store_true", help="what followed stays")
    followed.add_argument("--branch", metavar="NAME", help="a new save up to the changed line")


def _ask(commands: Commands) -> None:
    ask = _add(
        commands,
        "ask",
        "ask a save who knows what, or one of its characters, also while it is being played",
        "sandbox ask night --at 12 why hobb lantern_dark\n"
        '  sandbox ask night as mara "Who took the packet?"',
    )
    add_questions(ask, _Parser)


def _checks(commands: Commands) -> None:
    check = _add(
        commands,
        "check",
        "report every problem in settings, worlds and saves",
        "sandbox check worlds/lantern_inn",
    )
    check.add_argument("what", nargs="?", metavar="WORLD|SAVE", help="default: all bundled worlds")
    _add(commands, "where", "print every path and setting in use", "sandbox where")
    _evals(commands)
    bench = _add(commands, "bench", "measure this program here", "sandbox bench --beats 300")
    bench.add_argument(
        "--beats",
        type=int,
        default=80,
        metavar="N",
        help="length of each story (default: %(default)s; all parts then take about 5 minutes)",
    )
    bench.add_argument(
        "--only", action="append", metavar="PART", help="measure this part; may be repeated"
    )
    bench.add_argument(
        "--marked",
        default="tests/marked",
        metavar="FOLDER",
        help="questions marked by hand, for recall (default: %(default)s)",
    )
    bench.add_argument(
        "--large",
        action="store_true",
        help="`crowd` with 1,000 and 5,000 memories for each of its twenty people as well, not only "
        "with 100: takes some 10 minutes more",
    )
    bench.add_argument("--json", action="store_true", help="print one JSON object")


def _evals(commands: Commands) -> None:
    suites = commands.add_parser("eval", help="score this program on public suites")
    suite = suites.add_subparsers(dest="suite", metavar="SUITE", required=True)
    knowledge = suite.add_parser(
        "knowledge",
        help="who perceived what, who knows and believes what: event lists with known answers",
        description="Replay event lists through the engine, check witnesses and answer questions.",
    )
    knowledge.add_argument("files", nargs="+", metavar="FILE", help="JSON lines, one item each")
    knowledge.add_argument(
        "--on-entering",
        choices=("all", "open", "nothing"),
        default="nothing",
        help="what all there see when somebody enters",
    )
    knowledge.add_argument(
        "--claims", choices=("place", "everywhere"), default="place", help="who hears what is said"
    )
    knowledge.add_argument(
        "--trust",
        choices=("none", "all", "later-leavers"),
        default="all",
        help="whose claims are believed",
    )
    knowledge.add_argument("--json", action="store_true", help="print one JSON object a file")


_MODULES = {
    "play": "sandbox.cli.playing",
    "run": "sandbox.cli.running",
    "replay": "sandbox.cli.saving",
    "branch": "sandbox.cli.saving",
    "saves": "sandbox.cli.saving",
    "retract": "sandbox.cli.editing",
    "edit": "sandbox.cli.editing",
    "ask": "sandbox.cli.asking",
    "check": "sandbox.cli.checking",
    "where": "sandbox.cli.checking",
    "bench": "sandbox.cli.benching",
    "eval": "sandbox.cli.evaluating",
}

_FUNCTIONS = {"eval": "evaluate"}
"""Functions that may not bear the name of their command."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns its exit code; a `SandboxError` is told in plain words."""
    parser = _parser()
    try:
        arguments = parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    if arguments.command is None:
        parser.print_help()
        return Exit.OK
    try:
        module = import_module(_MODULES[arguments.command])
        function = _FUNCTIONS.get(arguments.command, arguments.command)
        code = int(getattr(module, function)(arguments))
        sys.stdout.flush()  # at exit it would be too late to catch that nobody reads any more
        return code
    except SandboxError as error:
        print(f"sandbox: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("sandbox: interrupted; what had happened is saved.", file=sys.stderr)
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has enough of it; nothing more can be told there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
