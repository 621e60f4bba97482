"""Arguments of `sandbox ask`: a save, a turn, and one of its questions."""

from __future__ import annotations

import argparse

QUESTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("who-knows", "who knows a fact, by which way, from whom and since when", ("fact",)),
    ("knows", "what a character knows, in its own wording", ("character", "about?")),
    ("why", "how a character came to know a fact, back to the source", ("character", "fact")),
    ("believes", "what A thinks that B thinks … of a subject and predicate", ("words+",)),
    ("would-learn", "what a line would teach a character", ("character", "line")),
    ("state", "how the author's questions stand", ("thread?",)),
    ("as", "a question as one character would, off the record", ("character", "asked")),
)
"""Each question with the words it takes: `?` one that may be left out, `+` several."""

_HELPS = {
    "fact": "a fact's id, or subject/predicate/object",
    "line": "a turn, `12`; or turn and number of the event in it from 0, `12.1`",
    "asked": "a question in words: it is answered from what the character knows",
}
_SHOWN = {"words": "CHARACTER… SUBJECT PREDICATE", "asked": "WORDS"}


def add_questions(ask: argparse.ArgumentParser, parser: type[argparse.ArgumentParser]) -> None:
    """Add all that can be asked; `parser` is made for each question."""
    ask.add_argument("save", metavar="SAVE")
    ask.add_argument("--at", type=int, metavar="TURN", help="as it stood after this turn")
    ask.add_argument("--json", action="store_true", help="print one JSON object")
    questions = ask.add_subparsers(
        dest="question", metavar="QUESTION", required=True, parser_class=parser
    )
    for name, help_, takes in QUESTIONS:
        question = questions.add_parser(name, help=help_, description=f"Answer {help_}.")
        for word in takes:
            _add_word(question, word)
        _add_options(question, name)


def _add_word(question: argparse.ArgumentParser, word: str) -> None:
    several = {"?": "?", "+": "+"}.get(word[-1])
    name = word.rstrip("?+")
    shown = _SHOWN.get(name, name.upper())
    question.add_argument(name, nargs=several, metavar=shown, help=_HELPS.get(name))


def _add_options(question: argparse.ArgumentParser, name: str) -> None:
    # As before the question; what is not given here leaves what was given there.
    unset = argparse.SUPPRESS
    question.add_argument("--at", type=int, metavar="TURN", default=unset, help=unset)
    question.add_argument("--json", action="store_true", default=unset, help=unset)
    match name:
        case "who-knows":
            question.add_argument("--nested", action="store_true", help="and who thinks who knows")
        case "would-learn":
            question.add_argument("--by", metavar="SPEAKER", help="LINE is words said by SPEAKER")
        case "as":
            question.add_argument(
                "--deep",
                action="store_true",
                help="with a model: the character questions its own memory first",
            )
            question.add_argument(
                "--trace", action="store_true", help="print how the answer came about"
            )
