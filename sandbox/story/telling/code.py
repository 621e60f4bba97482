"""Sentences in code: stems (in Chinese: characters) with one private character for each entity named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

from sandbox.story.telling import english
from sandbox.story.telling.english import words_of
from sandbox.story.telling.names import CODE, Named, Salience
from sandbox.story.telling.same import Same

_SPACE_AND_STOPS = re.compile(r"[\s。！？.!?]")
_PUNCTUATION = re.compile(r"[,;:，；：、—…]+|--+|\s-\s")
_TOKEN = re.compile(rf"{CODE}|\||[^\W_]+(?:-[^\W_]+)*|'[a-z]+")
_NOT = re.compile(r"n't\b", re.IGNORECASE)
_CAN_NOT = re.compile(r"\bca not\b|\bcannot\b", re.IGNORECASE)
_WILL_NOT = re.compile(r"\bwo not\b", re.IGNORECASE)
_SHORT = re.compile(r"(?<=[\w\U000f0000-\U0010fffd])'(s|m|re|ve|d|ll)\b", re.IGNORECASE)
_SUBORDINATE = frozenset({"when", "while", "where", "before", "after", "until", "till", "as"})
_AND = frozenset({"and", "but", "because", "so", "since", "though"})
_RELATIVE = re.compile(rf"({CODE}) (?:who|that|which) ")
_EXPLETIVE = re.compile(
    r"\b(it) (?=(?:be|'s) (?:not )?(?:to )?[\U000f0000-\U0010fffd](?: who| that| which| [\U000f0000-\U0010fffd]))"
)
_ON_WHICH = re.compile(
    r"\b(?:the|that) (night|day|morning|evening|afternoon|hour|moment|minute|time|year|week|winter|summer)"
    rf"(?=\s+(?:{CODE}|(?:I|you|he|she|it|they|we)\b))",
    re.IGNORECASE,
)
"""Begins another clause: `the night Jory was carried in`."""
_ADDRESS: Final = words_of(
    "master mistress sir madam my dear lady lad miss old friend good boy girl poor 's"
)
_ME = re.compile(r"我(?!们)|俺(?!们)|老汉(?!们)")
_YOU = re.compile(r"[你您](?!们)")
_BACK = re.compile(r"([他她](?!们)|[它其](?!们|实|中|他|余)|那里|那儿|那边)")
_I = frozenset({"i", "me", "my", "mine", "myself"})
_THOU = frozenset({"you", "your", "yours", "yourself"})
_HE: Final = {"he": "m", "he's": "m", "himself": "m", "she": "f", "she's": "f", "herself": "f"}
_THEY = frozenset({"they", "they's", "themselves"})
_IT = frozenset({"it", "it's", "itself"})
_OWN = frozenset({"my", "mine", "your", "yours", "he's", "she's", "they's", "it's"})


@dataclass
class Coder:
    """Puts what one person says to another into code."""

    named: Named
    speaker: str
    addressee: str | None = None
    """None: nobody, or several."""
    strangers: frozenset[str] = frozenset()
    """Whose name the speaker does not know."""
    salience: Salience = field(default_factory=Salience)
    _here: list[str] = field(default_factory=list)

    _clause: int = 0
    """How much of `_here` was named before the clause at hand."""

    def begin_sentence(self) -> None:
        """What was named up to here is from now on the sentence before."""
        self.salience.add(self._here)
        self._here, self._clause = [], 0

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Reads a part of this sentence as if nothing of it had been named; afterwards all of it is."""
        here, clause = self._here, self._clause
        self._here, self._clause = [], 0
        yield
        self._here, self._clause = here, clause

    @cached_property
    def _is_chinese(self) -> bool:
        return self.named.canon.language == "zh"

    @property
    def topic(self) -> str | None:
        """Code of what the sentence before was about, for one that leaves its subject out."""
        found = self.salience.find([], set(self.named.kinds) - {self.speaker})
        return self.named.code_of[found] if found else None

    def marked(self, text: str) -> str:
        """Text with its names in code and all else as it stands: a name may look like a word."""
        return self.named.pattern.sub(self._named, text.replace("’", "'"))

    def code(self, text: str) -> str:
        """All of a text in code."""
        return self.code_marked(self.marked(text))

    def code_marked(self, named: str) -> str:
        """A clause whose names are marked, in code. Who is only called by name is left out."""
        self._clause = len(self._here)
        coded = self._chinese(named) if self._is_chinese else self._english(named)
        return "" if self._is_address(coded) else coded

    def _named(self, match: re.Match[str]) -> str:
        id_ = self.named.id_called(match[0])
        if id_ in self.strangers and match[0].casefold() in self.named.proper.get(id_, ()):
            return f" {self.named.unknown(id_)} "
        code = self.named.code_of[id_]
        return code if self._is_chinese else f" {code} "

    def _is_address(self, coded: str) -> bool:
        if self.addressee is None:
            return False
        others = coded.replace(self.named.code_of[self.addressee], " ")
        if others == coded:
            return False
        return not others.strip() or set(others.split()) <= _ADDRESS

    def _refer(self, wanted: set[str]) -> str | None:
        """The code of the one among `wanted` that was named before, and not in the same clause."""
        out = {self.speaker, self.addressee or "", *self._here[self._clause :]}
        found = self.salience.find(self._here, wanted - out)
        return self.named.code_of[found] if found else None

    def _note(self, text: str) -> None:
        for character in text:
            if (id_ := self.named.id_of.get(character)) is not None:
                self._here.append(id_)

    # ── English ───────────────────────────────────────────────────────────────────────────────

    def _english(self, text: str) -> str:
        text = _SHORT.sub(r" '\1", _NOT.sub(" not", _PUNCTUATION.sub(" | ", text)))
        text = _CAN_NOT.sub("can not", _WILL_NOT.sub("will not", text))
        text = english.nouns_joined(
            _ON_WHICH.sub(r"\1 when", text), _worded(Same(self.named.canon))
        )
        stems = [english.stem(t.casefold()) for t in _TOKEN.findall(text)]
        coded = " ".join(t for token in self._spared(stems) for t in self._person(token))
        return self._owned(_RELATIVE.sub(r"\1 ", coded))

    def _spared(self, stems: list[str]) -> Iterator[str]:
        joined = _EXPLETIVE.sub("", " ".join(stems))
        for token in joined.split(" "):
            if token == "|" or token in _AND or token in _SUBORDINATE:
                self._clause = len(self._here)
            if token and token not in english.DROPPED:
                yield "&" if token in _AND else token

    def _person(self, token: str) -> Iterator[str]:
        if token in _OWN:
            self._clause = len(self._here)  # whose it is may be who does it
        code = self._code_of_word(token)
        if code is None:
            self._note(token)
            yield token
            return
        self._note(code)
        yield code
        if token in _OWN:
            yield "'s"

    def _code_of_word(self, token: str) -> str | None:
        if token in _I:
            return self.named.code_of.get(self.speaker)
        if token in _THOU:
            return self.named.code_of[self.addressee] if self.addressee else None
        persons = self.named.persons
        if token in _HE:
            other = "f" if _HE[token] == "m" else "m"
            fitting = {p for p in persons if self.named.sexes.get(p) != other}
            return self._refer(fitting) or self._refer(self._entities)
        if token in _THEY:
            return self._refer({*persons, *self._entities})
        return self._refer(set(self.named.kinds) - persons) if token in _IT else None

    @cached_property
    def _entities(self) -> set[str]:
        return {id_ for id_, kind in self.named.kinds.items() if kind == "entity"}

    def _owned(self, coded: str) -> str:
        """`Mara 's husband` as whom that names."""
        for own, code in self.named.owned:
            if own in coded:
                coded = coded.replace(own, code)
                self._note(code)
        return coded

    # ── Chinese ───────────────────────────────────────────────────────────────────────────────

    def _chinese(self, text: str) -> str:
        text = _PUNCTUATION.sub("|", _SPACE_AND_STOPS.sub("", text))
        if (own := self.named.code_of.get(self.speaker)) is not None:
            text = _ME.sub(own, text)
        if self.addressee is not None:
            text = _YOU.sub(self.named.code_of[self.addressee], text)
        found = []
        for part in _BACK.split(text):
            code = self._back(part) if _BACK.fullmatch(part) else None
            self._note(code or part)
            found.append(code or part)
        return "".join(found)

    def _back(self, word: str) -> str | None:
        persons = self.named.persons
        if word in "他她":
            other = "f" if word == "他" else "m"
            fitting = {p for p in persons if self.named.sexes.get(p) != other}
            return self._refer(fitting) or self._refer(self._entities - persons)
        if word in "它其":
            return self._refer(set(self.named.kinds) - persons)
        places = {id_ for id_, kind in self.named.kinds.items() if kind == "place"}
        return self._refer(places) or self._refer(self._entities - persons)


@lru_cache(maxsize=8)
def _worded(same: Same) -> frozenset[str]:
    """Stems of what the English wordings of a canon's predicates say, one for all of one meaning."""
    texts = (text for p in same.canon.predicates.values() for text in p.wordings)
    stems = (english.stem(word) for text in texts for word in _TOKEN.findall(text.casefold()))
    return frozenset(english.kindred(stem) for stem in stems if english.is_content(stem))
