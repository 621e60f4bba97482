"""Text as it reads, whatever characters it is written with: for reading only, never for showing.

Letters of other alphabets that look like Latin ones, wide and styled letters, marks laid over letters, and characters
that nobody sees would hide a name from whoever looks for it. Punctuation stays: clauses are parted by it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from sandbox.story.text import CJK

_ALIKE: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухвкмнтһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαεικνορτυχıɑɡӏɩ",
    "ABESIJKMHOPCTYXaesijopcyxbkmhthdqwABEZHIKMNOPTYXaeiknoptuxiagli",
)
"""Cyrillic, Greek and other letters that pass for Latin ones."""
_PLAIN: Final = re.compile(rf"[\n\t -~{CJK}‘’“”–—…·、。《》「」『』，！？；：（）￥]*")
"""Text that has nothing to fold."""
_UNSEEN: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show as nothing."""
_PRIVATE: Final = "Co"


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """`text` in plain letters, with all punctuation as it stands."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(map(_folded, text)).translate(_ALIKE)


def _folded(character: str) -> str:
    """One character as it reads: nothing where it is not seen by itself."""
    category = unicodedata.category(character)
    if category in ("Cf", "Mn", "Me") or character in _UNSEEN:
        return ""
    if category == "Zs":
        return " "
    plain = unicodedata.normalize("NFKC", character)
    return plain if category != _PRIVATE and plain.isalnum() else character
