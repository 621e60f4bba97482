"""English words as far as the reading of lines needs them: stems, kindred verbs, cues of mood."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


_IRREGULAR = """
am be|are be|is be|was be|were be|been be|being be|'m be|'re be|ate eat|began begin
begun begin|blew blow|blown blow|bore bear|borne bear|born bear|bought buy|broke break
broken break|brought bring|built build|burnt burn|came come|caught catch|chose choose
chosen choose|could can|did do|does do|done do|doing do|drank drink|drawn draw|drew draw
driven drive|drove drive|drunk drink|dying die|ends end|fallen fall|fed feed|fell fall
felt feel|fled flee|flew fly|forgot forget|forgotten forget|fought fight|found find
gave give|given give|going go|gone go|goes go|got get|gotten get|grew grow|grown grow
had have|has have|having have|'ve have|heard hear|held hold|hid hide|hidden hide|hung hang
kept keep|knew know|known know|laid lay|lain lie|lying lie|leapt leap|led lead|left leave
lent lend|lit light|lost lose|made make|meant mean|met meet|paid pay|ran run|rode ride
ridden ride|said say|sang sing|sank sink|sat sit|saw see|seen see|sent send|shaken shake
shook shake|shown show|shut shut|slept sleep|slid slide|smelt smell|sold sell|spent spend
spoke speak|spoken speak|spread spread|stole steal|stolen steal|stood stand|stuck stick
struck strike|stricken strike|sworn swear|swore swear|swept sweep|taken take|taught teach
thought think|threw throw|thrown throw|thrust thrust|told tell|took take|tore tear|torn tear
turnt turn|understood understand|went go|wept weep|woke wake|woken wake|won win|wore wear
worn wear|written write|wrote write|men man|women woman|pence penny|pennies penny|lies lie
ties tie|hooves hoof|note message|notes message|him he|his he's|her she|hers she|them they|their they's|theirs they
its it's
""".replace("\n", "|")
IRREGULAR: Final[Mapping[str, str]] = dict(
    (pair[0], pair[1]) for entry in _IRREGULAR.split("|") if len(pair := entry.split()) == 2
)

_KINDRED = """
take steal lift pinch filch nick swipe snatch grab pocket purloin rob thieve theft
hide conceal stash stow tuck bury secrete
kill murder slay stab poison strangle
die drown perish decease dead death
break smash shatter crack
blow douse extinguish quench snuff
wait await
fear dread afraid frighten terrify scare
owe debt behind arrear
money coin penny cash crown silver
bargain deal pact agree agreement terms compact
blame accuse fault
smell scent reek whiff stink smelt
trace sign mark stain smear
copy duplicate
dismiss sack expel discharge
write sign pen scribble
account book ledger accounts bookkeeper
date day
blank empty
husband spouse widow wife
cut slit slash snip
wet damp moisten
search look hunt rummage ransack
alone self
stair step steps upstairs
cellar cask
journey travel ride
marry wed wife
meet encounter met
love adore
see notice watch observe spot spy
give hand pass
burn fire
letter note message
paper document
key latch
sell vend
buy purchase
lie deceive
promise vow swear oath
send dispatch
bring fetch carry
"""

_STOP: Final = words_of("""
    'd 'll 's a about across after again ah all along already also although among an and any anybody
    anyone anything as at be because before between bit both but by can come could day do down each
    either even ever every everybody everything for from get go good got great have he he's her here
    herself himself his how i if in into it it's its itself just kind know last let like little long
    look lot madam make man many master may me might miss mistress more most much must my myself never
    no nobody nor not nothing now o of off oh old on once one only onto or our out over own quite rather
    round said same say see shall she she's should since sir so some somebody someone something sort
    still such tell than that the themselves then there these they they's thing think this those though
    three through till time to too two under until up upon us very way we well what whatever when where
    which while who whoever whom whose why will with would yes yet you your yourself
""")
"""Words that make no two sentences alike."""

DROPPED: Final = words_of("""
    a again all already also always an both certainly dear even ever good indeed just long now once only
    own plainly quite really simply since still surely the then these this those too truly very yes
""")
"""Words that may stand anywhere in a wording."""

SUBJECTS: Final = words_of("""
    anybody anyone everybody everyone he i it nobody people she somebody someone they we who whoever you
""")
"""A word that would be the subject of what follows, instead of what stands before it."""

PREPOSITIONS: Final = words_of("""
    at behind by down for from in inside into of on onto over through to under up upon with
""")

NEGATORS: Final = words_of("""
    cannot hardly n't neither never no nobody none nor not nothing nowhere scarcely without
""")


def _kin() -> dict[str, str]:
    groups = (line.split() for line in _KINDRED.strip().splitlines())
    kin = {_cut(word): _cut(group[0]) for group in groups for word in reversed(group)}
    return {word: first for word, first in kin.items() if word not in _STOP}  # `note` is not `not`


_ENDING = re.compile(r"(?<=[a-z]{3})(?:ies|ied|ing|edly|ed|es|e|s|ly|y)$")
_DOUBLED = re.compile(r"([bdfgmnprt])\1$")


def _cut(word: str) -> str:
    """`word` without the endings of inflection."""
    return _DOUBLED.sub(r"\1", _ENDING.sub("", word))


KIN: Final[Mapping[str, str]] = _kin()


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """One form for all inflections: `hid`, `hidden` and `hiding` are one word."""
    base = IRREGULAR.get(word, word)
    return base if base in _STOP or base in SUBJECTS or "'" in base else _cut(base)


@lru_cache(maxsize=8192)
def is_content(token: str) -> bool:
    """Whether a stem says what a sentence is about."""
    return token not in _STOP and len(token) > 1 and token[0].isalnum()


def kindred(token: str) -> str:
    """One stem for words of one meaning: `steal` for `take`."""
    return KIN.get(token, token)


_DESCRIBED = re.compile(
    r"\b(?P<before>a|an|the|this|that|these|those|my|your|his|her|its|our|their) (?P<word>[a-z]{3,}) "
    r"(?=(?P<noun>[a-z]{3,})\b)",
    re.IGNORECASE,
)
"""An article, a word, and another: the first of the two says what kind of thing the other is."""


def nouns_joined(text: str, verbs: frozenset[str]) -> str:
    """`text` with such words joined as look like a verb and are none: `the sign-lantern`.

    Args:
        text: names in it are in code already.
        verbs: stems of kindred words that would be taken for verbs.
    """

    def joined(match: re.Match[str]) -> str:
        word, noun = match["word"].casefold(), match["noun"].casefold()
        is_plain = stem(word) == word and kindred(word) in verbs
        if not is_plain or not _is_noun(noun):
            return match[0]
        return f"{match['before']} {match['word']}-"

    return _DESCRIBED.sub(joined, text)


def _is_noun(word: str) -> bool:
    """Whether a word may be a noun: it is of content, and in none of the forms that verbs alone have."""
    is_verb = word in IRREGULAR or word.endswith(("ed", "ing"))
    return is_content(stem(word)) and word not in PREPOSITIONS and not is_verb
