"""Which sentences say no more than that their speaker does not know.

Where nothing known answers a question, a model's answer may claim nothing in its stead: not by a name, not by
`yes` or `he did`, not by a word that the question did not have. So what may stand is told by what it is, and not
by what it leaves out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from sandbox.agents.reasoning.content import Content, content_of
from sandbox.agents.reasoning.questions import Asked
from sandbox.agents.rehearsal.phrases import IGNORANCE
from sandbox.story.items import Language
from sandbox.story.people import Occasion
from sandbox.story.telling.names import CODE
from sandbox.story.telling.sentences import clauses, spoken_sentences
from sandbox.story.view import CharacterView

_CONTRACTED: Final = re.compile(r"n['’]t\b|(?<=\bcan)not\b", re.IGNORECASE)
_NOT: Final = r"(?:not|never|hardly|scarcely|barely)"
_KNOW: Final = (
    r"(?:know|knew|known|say|tell|hear|heard|learn(?:ed|t)?|remember|recall|see|saw|seen|guess|answer"
    r"|ask(?:ed)?)"
)
_CUES: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        rf"\bi\b(?: \w+)?(?: {_NOT}) (?:\w+ ){{0,2}}?{_KNOW}(?: you)?\b"
        r"|\bi (?:\w+ )?(?:know|knew|heard|saw) (?:nothing|no more|little|neither|not)\b"
        r"|\bi have (?:heard|seen|learned) (?:nothing|no more|little)\b"
        r"|\b(?:nobody|no one|none|no man|no soul) (?:(?:has|have|ever|had) )*(?:told|tells|tell|said|says) "
        r"(?:it )?(?:to )?(?:me|us)\b|\bi was (?:never|not) told\b"
        r"|\bno (?:idea|notion|knowing)\b|\bnot the (?:least|faintest|slightest) (?:idea|notion)\b"
        r"|\bbeyond me\b|\bmore than i (?:know|can say|could say|can tell)\b|\bi wish i knew\b"
        r"|\bnot for me to say\b|\bi am (?:not sure|not certain|ignorant)\b|\bnone of my business\b"
        r"|\b(?:who|god|heaven|lord|goodness) knows\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        "(?:不|没|未|哪里?|怎么?(?:会|能)?|怎)(?:曾|大|太|会|能)?(?:知道|知|晓得|清楚|明白|认得|认识|记得|听说|听过|听见|见过|"
        "看见|打听)|说不(?:上|好|准|清|出)|答不(?:上|出)|记不(?:得|清)|一无所知|不得而知|无从得知|不敢(?:说|讲)|没数|"
        "(?:没有?人|谁也没|谁都没)[^，。]{0,4}(?:告诉|说起|提起|讲|跟|同)"
    ),
}
"""A clause in which its speaker says that it does not know."""
_REST: Final = re.compile(
    r"^\W*(?:$|(?:whether|if|why|who|whom|whose|what|when|where|how|which|of|about|for|a|any|anything|aught|"
    r"that|it|so|this|you|me|him|her|them)\b)",
    re.IGNORECASE,
)
"""How an English clause goes on after that: with what is not known, and not with what is so."""
_OPEN: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"^\W*(?:(?:or|and|nor) )?(?:whether|if|why|who|whom|whose|what|when|where|how|which|of|about|as to)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile("(?:谁|什么|哪|怎|为何|为啥|几|多少|是不是|有没有|是否)(?!.*[都也])"),
}
"""A clause of what is not known, beside one that says so."""
_THIRD: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"\b(?:he|she|it|they|him|her|his|hers|its|their|them|there)\b", re.IGNORECASE
    ),
    "zh": re.compile("[他她它]|那里|那儿"),
}
_YES: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"\b(?:yes|yea|yeah|aye|yep|indeed|certainly|surely|of course|naturally|exactly|right|true|correct|no|nay|nope)"
        r"\b(?! (?:idea|notion|knowing|more|one|man|soul|such)\b)",
        re.IGNORECASE,
    ),
    "zh": re.compile("是的|没错|不错|的确|当然|对[，。！啊呀]|对$|正是|就是|嗯|可不|(?<!是)不是"),
}
TALK: Final[dict[Language, Content]] = {
    "en": content_of(
        "know tell say ask answer question speak hear learn remember recall see guess idea notion matter "
        "business sorry forgive pardon excuse regret afraid please sir madam friend stranger honest honestly "
        "god heaven lord goodness wonder strange odd wish help nothing anything aught word story reason "
        "else other wrong certain sure least faintest slightest beg apologise trouble beyond whether swear",
        "en",
    ),
    "zh": content_of(
        "知道晓得清楚明白认得认识记得听说听过听见见过看见打听说上好准清出答得一无所从敢讲数告诉提起跟同问话回答抱歉对不起对不住"
        "见谅恕怪请客官先生姑娘别人旁人谁什么去为何怎么哪里事情缘故没有人也真实在只是想弄明白倒这那件个",
        "zh",
    ),
}
"""What talk of knowing and not knowing is made of."""
_POLITE: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"\b(?:sorry|forgive|pardon|excuse|regret|apolog\w+|beg)\b"
        r"|\bask (?:me )?(?:somebody|someone|another|anyone) ?\w*"
        r"|\bwhy (?:do|would|should|did) you ask\b|\byou (?:ask|must ask|had better ask|might ask) ",
        re.IGNORECASE,
    ),
    "zh": re.compile("抱歉|对不[起住]|见谅|恕|[问请]教?(?:别|旁)人|(?:为什么|干嘛|何必|怎么)[来要会]?问|别问|莫问"),
}  # fmt: skip
_OPENER: Final = re.compile(
    r"^\W*(?:(?:well|ah|oh|alas|but|and|now|sir|madam|friend|eh|hm+)\W*)+$|^\W*[唉哎呀啊嗨喏哦呃这个那个嘛]+\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Unknowing:
    """Judges sentences of one answer to one question."""

    view: CharacterView
    asked: Asked

    def is_all(self, sentence: str) -> bool:
        """Whether a sentence claims nothing of the world: it says that it is not known, or asks pardon."""
        if plain(sentence) in self._own_lines:
            return True
        parts = clauses(_CONTRACTED.sub(" not", sentence))
        is_said = any(_CUES[self.view.language].search(part) for part in parts)
        return any(map(str.isalpha, sentence)) and all(
            self._is_harmless(part, is_said=is_said) for part in parts
        )

    def _is_harmless(self, clause: str, *, is_said: bool) -> bool:
        """Whether a clause claims nothing; `is_said`: one of its sentence says that it is not known."""
        language = self.view.language
        if _OPENER.match(clause):
            return True
        if _YES[language].search(clause) or not self._names(clause) <= self._asked_names:
            return False
        said, cue = words_in(self._nameless(clause), language), _CUES[language].search(clause)
        if cue is not None or (is_said and _OPEN[language].search(clause)):
            goes_on = cue is None or language == "zh" or _REST.match(clause[cue.end() :])
            return bool(goes_on) and said <= self._allowed
        is_of_others = self._names(clause) or _THIRD[language].search(clause)
        is_polite = _POLITE[language].search(clause) is not None
        return is_polite and not is_of_others and said <= TALK[language]

    def _names(self, text: str) -> frozenset[str]:
        """Whom and what a text names by any name of the world's, the speaker itself left out."""
        coded = self.view.reading(()).coded(text, self.view.me)
        own = self.view.reading(()).named.code_of[self.view.me]
        return frozenset(re.findall(CODE, coded)) - {own}

    def _nameless(self, text: str) -> str:
        return self.view.reading(()).named.pattern.sub(" ", text)

    @cached_property
    def _asked_names(self) -> frozenset[str]:
        return self._names(self.asked.words)

    @cached_property
    def _allowed(self) -> Content:
        """Words of the question and of talk about knowing."""
        language = self.view.language
        return words_in(self._nameless(self.asked.words), language) | TALK[language]

    @cached_property
    def _own_lines(self) -> frozenset[str]:
        """What it says anyhow when it does not know."""
        own = (p for p in self.view.patterns.values() if Occasion.NOT_KNOWING in p.occasions)
        lines = [line for pattern in own for line in self.view.samples(pattern)]
        whole = (*lines, *IGNORANCE[self.view.language])
        return frozenset(plain(s) for line in whole for s in (line, *spoken_sentences(line)))


def words_in(text: str, language: Language) -> Content:
    """Words of content; of Chinese its characters, whatever they stand beside."""
    found = content_of(text, language)
    return frozenset(word for word in found if len(word) == 1) if language == "zh" else found


def plain(text: str) -> str:
    """A text by its words alone, for comparing."""
    return re.sub(r"[\W_]+", " ", text).casefold().strip()
