"""Who and what a sentence names: names, aliases, `I` and `you`, and pronouns that refer back.

A sentence is put into code: each name becomes one character of Unicode's private use, so that wordings and
statements can be compared whatever their people are called.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from sandbox.story.canon import Canon
from sandbox.story.ids import PredicateId
from sandbox.story.telling.english import stem, words_of
from sandbox.story.text import CJK

_FIRST = 0xF0000
_STRANGERS = 0x100000
"""A name whose bearer its speaker does not know stands for the name alone."""
CODE: Final = "[\U000f0000-\U0010fffd]"
SUBJECT: Final = "\U0010fffc"
OBJECT: Final = "\U0010fffd"
"""Where subject and object stand in a wording."""
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_DETERMINERS = r"(?:the|that|this|my|your|his|her|our|their)"

_HEADLESS = words_of("case hand room house dark way man woman one place thing side end")
_MOST_ADJECTIVES = 2
_LETTER = rf"[^\W{CJK}]"
_BEFORE = rf"(?<!{_LETTER})(?<!{_LETTER}-)"
_AFTER = rf"(?!{_LETTER}|-{_LETTER})"

Kind = Literal["character", "place", "thing", "entity", "organisation"]


@dataclass(frozen=True)
class Named:
    """Everything a world has names for. Made once for a canon."""

    canon: Canon

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        kinds: dict[str, Kind] = {}
        kinds |= {item.id: "entity" for item in self.canon.entities}
        kinds |= {item.id: "organisation" for item in self.canon.organisations}
        kinds |= {item.id: "thing" for item in self.canon.things}
        kinds |= {item.id: "place" for item in self.canon.places}
        kinds |= {item.id: "character" for item in self.canon.characters}
        return kinds

    @cached_property
    def code_of(self) -> Mapping[str, str]:
        return {id_: chr(_FIRST + number) for number, id_ in enumerate(sorted(self.kinds))}

    @cached_property
    def id_of(self) -> Mapping[str, str]:
        return {code: id_ for id_, code in self.code_of.items()}

    def unknown(self, person: str) -> str:
        """The code of a person's name for who does not know whose it is."""
        return stranger_of(self.code_of[person])

    @cached_property
    def persons(self) -> frozenset[str]:
        """Characters, and entities that the world's facts treat as somebody."""
        found = {id_ for id_, kind in self.kinds.items() if kind == "character"}
        for fact in self.canon.facts:
            predicate = self.canon.predicates[fact.predicate]
            if predicate.subject == "character" or fact.predicate in _OF_PERSONS:
                found.add(fact.subject)
            if predicate.object == "character":
                found.add(fact.object)
        return frozenset(found)

    @cached_property
    def sexes(self) -> Mapping[str, str]:
        """`m` or `f`, as far as the looks of a character say it."""
        found = {}
        for person in self.canon.characters:
            looks = " ".join(text.text for text in person.public)
            words = [sex for sex, cue in _SEX_CUES.items() if cue.search(looks)]
            if len(words) == 1:
                found[person.id] = words[0]
        return found

    @cached_property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Names by id, what strangers call a person with them."""
        called: dict[str, tuple[str, ...]] = dict(self.canon.names)
        for person in self.canon.characters:
            called[person.id] += tuple(text.text for text in person.known_as)
        return called

    @cached_property
    def proper(self) -> Mapping[str, frozenset[str]]:
        """For each character whose name not everybody knows, the names that give it away."""
        return {
            person.id: frozenset(_key(name) for name in (person.name, *person.aliases))
            for person in self.canon.characters
            if person.name_known_to is not None
        }

    @cached_property
    def by_name(self) -> Mapping[str, str]:
        """Id by name, without its article; the first of two that share one."""
        found: dict[str, str] = {}
        for id_, names in self.names.items():
            for name in names:
                found.setdefault(_key(name), id_)
        for head, id_ in self._heads.items():
            found.setdefault(head, id_)
        return found

    @cached_property
    def _heads(self) -> Mapping[str, str]:
        """The last word (in Chinese: character) of names, where only one entity has it."""
        heads = {
            (head, id_)
            for id_, names in self.names.items()
            for name in names
            for head in _head(name)
            if not (_is_han(name) and (id_ in self.persons or self.kinds[id_] == "place"))
        }
        shared = Counter(head for head, _ in heads)
        return {head: id_ for head, id_ in heads if shared[head] == 1 and self._is_of(head, id_)}

    def _is_of(self, head: str, id_: str) -> bool:
        """Whether no other name, and no free text, has that word: "the post" may be the mail."""
        if _is_han(head):
            return True
        others = [name for other, names in self.names.items() if other != id_ for name in names]
        others += [fact.object for fact in self.canon.facts]
        return not any(re.search(rf"\b{re.escape(head)}\b", text.casefold()) for text in others)

    @cached_property
    def possessives(self) -> Mapping[tuple[str, str], str]:
        """Id by (owner, noun), for names like `Mara's husband`."""
        owners = {_key(name): id_ for id_, names in self.names.items() for name in names}
        found = {}
        for id_, names in self.names.items():
            for name in names:
                owner, _, noun = name.replace("’", "'").partition("'s ")
                if noun and _key(owner) in owners:
                    found[owners[_key(owner)], noun.casefold()] = id_
        return found

    @cached_property
    def owned(self) -> Sequence[tuple[str, str]]:
        """What is named by its owner, as English code has it, with its own code."""
        return [
            (f"{self.code_of[owner]} 's {' '.join(map(stem, noun.split()))}", self.code_of[id_])
            for (owner, noun), id_ in self.possessives.items()
        ]

    def id_called(self, written: str) -> str:
        """Whose name it is that `pattern` found."""
        key = _key(written)
        return self.by_name.get(key) or self.by_name[key.split(" ")[-1]]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Every name, the longest first. What stands at its edges is asked once, which is much faster."""
        names = {_key_as_written(n) for called in self.names.values() for n in called}
        ordered = sorted(names, key=lambda name: (-len(name), name))
        heads = sorted((h for h in self._heads if h not in names), key=lambda h: (-len(h), h))
        words = "|".join(_in_any_case(name) for name in ordered if not _is_han(name))
        nouns = "|".join(map(re.escape, (head for head in heads if not _is_han(head))))
        ways = [re.escape(name) for name in ordered if _is_han(name)]
        ways += [_headed(head) for head in heads if _is_han(head)]
        either = words + (rf"|(?i:{_DETERMINERS} (?:{nouns}))" if nouns else "")
        if either.strip("|"):
            ways.append(rf"{_BEFORE}(?:{either.strip('|')}){_AFTER}")
        return re.compile("|".join(ways) or r"(?!)")

    def fits(self, id_: str, predicate: PredicateId, role: Literal["s", "o"]) -> bool:
        """Whether an entity can be subject (`s`) or object (`o`) of a predicate."""
        own, found = self.kinds[id_], self.canon.predicates[predicate]
        kind, other = found.subject, found.object
        if role == "o":
            kind, other = other, kind
        if kind == "any":
            # What a person does to a place or a person may be a way of speaking, "took the stairs",
            # unless the world itself speaks so.
            is_plain = other != "character" and (predicate, role) not in _ROLES
            fitting = own in ("thing", "entity") or (predicate, role, own) in self._in_use
            return is_plain or fitting or (predicate, role) not in self._used
        if own == "entity":  # a world may list a person only spoken of, or a thing out of reach
            return kind != "text" and (kind != "character" or id_ not in self._handled)
        return own == kind or (kind == "entity" and own == "thing")

    @cached_property
    def _handled(self) -> frozenset[str]:
        """Entities that the world's facts treat as something: somebody did something with it."""
        by_somebody = {p.id for p in self.canon.predicates.values() if p.object == "character"}
        found = {fact.subject for fact in self.canon.facts if fact.predicate in by_somebody}
        return frozenset(found - self.persons)

    @cached_property
    def _used(self) -> frozenset[tuple[PredicateId, str]]:
        """Predicates and roles of which the world shows what kinds stand in them."""
        return frozenset((predicate, role) for predicate, role, kind in self._in_use if kind)

    @cached_property
    def _in_use(self) -> frozenset[tuple[PredicateId, str, str]]:
        """Which kinds the world's facts have as subject and object of which predicates."""
        found = set(_ALWAYS)
        for fact in self.canon.facts:
            for role, id_ in (("s", fact.subject), ("o", fact.object)):
                kind = "character" if id_ in self.persons else self.kinds.get(id_, "")
                inverse = self.canon.predicates[fact.predicate].inverse
                found.add((fact.predicate, role, kind))
                if inverse is not None:
                    found.add((inverse, "o" if role == "s" else "s", kind))
        return frozenset(found)


_OF_PERSONS = frozenset({PredicateId("alive"), PredicateId("is_named")})
_ALWAYS = (
    (PredicateId("located_in"), "s", "character"),
    (PredicateId("located_in"), "o", "place"),
    (PredicateId("held_by"), "s", "thing"),
    (PredicateId("held_by"), "o", "character"),
    (PredicateId("alive"), "s", "character"),
    (PredicateId("is_named"), "s", "character"),
)
_ROLES = frozenset((predicate, role) for predicate, role, _ in _ALWAYS)
_SEX_CUES = {
    "f": re.compile(
        r"\b(?:woman|girl|lady|widow|maid|wife|mother|she|her)\b|妇|女|姑娘|她|丫头|大娘"
    ),
    "m": re.compile(
        r"\b(?:man|boy|lad|gentleman|husband|father|he|his)\b|男|汉子|老头|小伙|后生|艄公"
    ),
}


def stranger_of(code: str) -> str:
    """The code of a name for who does not know whose it is."""
    return chr(ord(code) - _FIRST + _STRANGERS)


def _key_as_written(name: str) -> str:
    return _ARTICLE.sub("", name.replace("’", "'"))


def _key(name: str) -> str:
    return _key_as_written(name).casefold()


def _is_han(text: str) -> bool:
    return re.search(rf"[{CJK}]", text) is not None


def _head(name: str) -> Iterable[str]:
    if _is_han(name):
        return [name[-1]] if len(name) > 1 else []
    words = _ARTICLE.sub("", name).split()
    plain = len(words) > 1 and len(words) <= _MOST_ADJECTIVES + 1 and name == name.lower()
    head = words[-1]
    return (
        [head] if plain and head.isalpha() and head not in _HEADLESS and "of" not in words else []
    )


def _in_any_case(name: str) -> str:
    """A name that is a noun may begin a sentence."""
    return f"(?i:{re.escape(name)})" if name == name.lower() else re.escape(name)


def _headed(head: str) -> str:
    """A Chinese name cut down to one character counts only where something points at it."""
    pointed = rf"(?<=[的那这条只封艘盏把根班趟]){head}(?![头家夫屋工票费舱队长主子])"
    return rf"{pointed}|(?<![{CJK}]){head}(?=[是在被给叫让也都还就已早不没]|$)"


@dataclass
class Salience:
    """What was named before, the latest sentence first."""

    named: list[list[str]] = field(default_factory=list)

    def add(self, ids: Sequence[str]) -> None:
        if ids:
            self.named.insert(0, list(dict.fromkeys(ids)))

    def find(self, here: Sequence[str], wanted: Iterable[str]) -> str | None:
        """The one referred to: the first named of this sentence, else of the one or two before."""
        among = set(wanted)
        for ids in (here, *self.named[:2]):
            if fitting := [id_ for id_ in ids if id_ in among]:
                return fitting[0]
        return None
