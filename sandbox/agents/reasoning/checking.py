"""What of a model's answer, off the record, may stand beside what was concluded.

The guard judges sentences of a story, where a fragment says little. Here each answers a question: `Yes.` says what
was asked, and `For the barley.` says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from sandbox.agents.fusing.files import template
from sandbox.agents.guarding import Guard
from sandbox.agents.reasoning import cues
from sandbox.agents.reasoning.answering import Said, in_first_person
from sandbox.agents.reasoning.content import Content, share
from sandbox.agents.reasoning.cues import Kind
from sandbox.agents.reasoning.questions import Asked
from sandbox.agents.reasoning.synthesis import Answer, Grounded, Refusal
from sandbox.agents.reasoning.unknowing import TALK, Unknowing, plain, words_in
from sandbox.models.port import Request
from sandbox.story.ids import FactId
from sandbox.story.items import Language
from sandbox.story.known import KnownFact
from sandbox.story.telling.names import CODE
from sandbox.story.telling.sentences import spoken_sentences
from sandbox.story.view import CharacterView

_LEAST_SHOWN: Final = 0.5
"""Share of a sentence's own words that the request must hold: an answer rests on what was shown.

A fragment that names nobody, not even the speaker, must be of such words alone.
"""
_LEAST_ECHO: Final = 8
"""Characters from which a sentence may be one of the request's own."""
_NUMBER: Final = re.compile(r"(?<![A-Za-z0-9_-])[fF](\d{1,4})(?![A-Za-z0-9_-])")
_CITED: Final = re.compile(
    r"[\s,，(（\[]*(?:see |from |by |per |见|据)?(?<![A-Za-z0-9_-])[fF]\d{1,4}"
    r"(?:\s*(?:,|，|、|and|和|与)\s*[fF]\d{1,4})*[)）\]]*(?=\s*[.。!！]?\s*$)",
    re.IGNORECASE,
)
"""Numbers at the end of a sentence that say what it rests on."""
_UNSPACED: Final = re.compile(r"\s+([.,;:!?])")
"""What brackets leave behind that were taken out."""
_JOINTS: Final = re.compile(
    r"\b(?:and|see|from|by|per|fact|facts|no)\b|[和与见据]|事实", re.IGNORECASE
)
_AFFIRMS: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"^\W*(?:(?:yes|yea|yeah|aye|yep|indeed|certainly|surely|of course|naturally|exactly|quite so|just so|true|"
        r"right|correct|so|sir|madam|well|oh|that is|that's|it is|it was)\W*)*"
        r"(?:(?:he|she|it|they|i|we|you|that|there) (?:did|does|do|has|have|had|is|are|was|were|will|would|can|could)"
        r"(?: (?:indeed|so))?)?\W*$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        "^(?:是的?|对|没错|不错|嗯|的确|确实|当然|正是|可不是|就是|有的?|他是|她是|这样|如此|啊|呀|了|吧|"
        r"[^\w])+$"
    ),
}  # fmt: skip
"""A sentence that says what was asked, and nothing else."""
_AUXILIARY: Final = re.compile(
    r"^\W*(did|does|do|has|have|had|is|are|was|were|am|will|would|can|could|must)\b\s*", re.IGNORECASE
)  # fmt: skip
_ASKS_ZH: Final = re.compile(r"(?:[吗么呢吧]|没有?)?[?？]*\s*$|是不是|是否|有没有|难道")


@dataclass(frozen=True)
class Checking:
    """One answer, by the character of `view`, to one question."""

    view: CharacterView
    asked: Asked
    answer: Answer
    request: Request
    """What the model was shown."""
    numbered: Sequence[FactId]
    """The facts in it; `f1` is the first."""

    def checked(self, said: Said) -> tuple[Said, list[str]]:
        """What of an answer may stand, and the sentences that may not.

        Args:
            said: as the model gave it, without what the guard objects to.
        """
        kept, cut = list[str](), list[str]()
        for sentence in spoken_sentences(_UNSPACED.sub(r"\1", said.words)):
            resolved = self._resolved(sentence)
            stands = [one for one in resolved if one != sentence or self._stands(one)]
            kept += stands
            if not stands:
                cut.append(sentence)
        joint = "" if self.view.language == "zh" else " "
        return Said(joint.join(dict.fromkeys(kept)), self._bearing(said.relied_on)), cut

    # ── numbers ───────────────────────────────────────────────────────────────────────────────

    def _resolved(self, sentence: str) -> list[str]:
        """A sentence without numbers of facts: those alone are put in words, others fall with it."""
        numbers = [int(digits) for digits in _NUMBER.findall(sentence)]
        if not numbers:
            return [sentence]
        if not any(c.isalpha() for c in _JOINTS.sub("", _NUMBER.sub("", sentence))):
            shown = [self.numbered[n - 1] for n in numbers if 0 < n <= len(self.numbered)]
            known = self.view.known.pick(self._bearing(shown))
            return [in_first_person(self.view, fact) for fact in known]
        bare = _CITED.sub("", sentence)
        return [bare] if not _NUMBER.search(bare) and self._stands(bare) else []

    def _bearing(self, facts: Sequence[FactId]) -> tuple[FactId, ...]:
        """Those that bear on the question: what answers it, and what is about the same."""
        if isinstance(self.answer, Refusal):
            return ()
        support = {fact.handle for fact in self.answer.support}
        named = [entity for entity in self.asked.entities if entity != self.view.me]
        about = set(named or self.asked.entities)
        known = self.view.known.pick(dict.fromkeys(facts))
        return tuple(f.handle for f in known if f.handle in support or about & _ends(f))

    # ── what a sentence says ──────────────────────────────────────────────────────────────────

    def _stands(self, sentence: str) -> bool:
        match self.answer:
            case Refusal():
                return self._unknowing.is_all(sentence)
            case Grounded():
                if _AFFIRMS[self.view.language].match(sentence):
                    named = _codes(self.view, sentence)
                    return self._may_affirm or (bool(named) and named <= self._concluded_names)
                return self._unknowing.is_all(sentence) or self._is_shown(sentence)

    @cached_property
    def _unknowing(self) -> Unknowing:
        return Unknowing(self.view, self.asked)

    @cached_property
    def _may_affirm(self) -> bool:
        """Whether the guard would let the character say flatly what it is asked; `yes` is no name."""
        is_whether = self.asked.kind in (Kind.WHETHER, Kind.STATEMENT)
        return is_whether and all(
            Guard(self.view).check(one) is None for one in self._flat(self.asked.words)
        )

    def _flat(self, question: str) -> Iterator[str]:
        """A question as the sentence that answers it with yes."""
        bare = cues.unframed(question, self.view.language)
        if self.view.language == "zh":
            yield _ASKS_ZH.sub("", bare) + "。"
            return
        bare = re.sub(r"\byour\b", "my", re.sub(r"\byou\b", "I", bare.rstrip(" ?？.")))
        verb = _AUXILIARY.match(bare)
        rest = bare[verb.end() :] if verb else bare
        name = self.view.reading(()).named.pattern.search(rest)
        at = name.end() if name else 0
        yield f"{rest[:at]} {verb[1].lower() if verb else ''} {rest[at:]}.".replace(
            "  ", " "
        ).strip()

    def _is_shown(self, sentence: str) -> bool:
        """Whether it rests on what was shown, whom it names and most of its words, and is no order of ours."""
        bare = plain(sentence)
        if len(bare) >= _LEAST_ECHO and bare in _orders(self.view.language):
            return False
        named = _codes(self.view, sentence)
        language = self.view.language
        said = words_in(self._nameless(sentence), language) - TALK[language]
        if not named <= (self._shown_names if said else self._concluded_names):
            return False
        return not said or share(said, self._shown, language) >= (_LEAST_SHOWN if named else 1.0)

    @cached_property
    def _shown_texts(self) -> str:
        """What stands in the request, and how the character itself says the facts of it."""
        own = (self.view.voiced(fact) for fact in self.numbered)
        return "\n".join((*(message.content for message in self.request.messages), *own))

    @cached_property
    def _shown(self) -> Content:
        return words_in(self._shown_texts, self.view.language)

    @cached_property
    def _shown_names(self) -> frozenset[str]:
        return _codes(self.view, self._shown_texts)

    @cached_property
    def _concluded_names(self) -> frozenset[str]:
        """Whom and what the conclusion names: a name alone says that it is the answer."""
        assert isinstance(self.answer, Grounded)
        facts, code_of = self.answer.support, self.view.reading(()).named.code_of
        ends = frozenset(code_of[end] for fact in facts for end in _ends(fact) if end in code_of)
        texts = (*(fact.statement for fact in facts), *self.answer.at_hand)
        return ends.union(*(_codes(self.view, text) for text in texts))

    def _nameless(self, text: str) -> str:
        return self.view.reading(()).named.pattern.sub(" ", text)


@cache
def _orders(language: Language) -> str:
    """What a request says to a model, and not of a character."""
    return "\n".join(plain(template(language, step).template) for step in ("persona", "answer"))


def _ends(fact: KnownFact) -> set[str]:
    return {fact.subject, fact.object}


def _codes(view: CharacterView, text: str) -> frozenset[str]:
    """Whom and what a text names by any name of the world's; oneself, too."""
    return frozenset(re.findall(CODE, view.reading(()).coded(text, view.me)))
