"""Words by which somebody is meant who has a name: "the landlady", 老板娘."""

import re
from typing import Final

from sandbox.story.items import Language

PEOPLE_ZH: Final = (
    "老板娘|[^，。]?家?后生|小?姑娘|小?丫头|老人家|老头子?|老?艄公|先生|掌柜|伙计|师爷|东家"
    "|爷爷|伯伯|大娘|邮差|客人|兄弟|姐妹|姐弟|兄妹|[哥姐]"
)
"""Who may be the subject of a Chinese sentence without a name."""
_ROLES: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"(?<!\S)(?:(?:gentleman|missu|hostes|landlad|landlord|doctor|teller|clerk|agent"
        r"|magistrat|parson|"
        r"bishop|widow|mistress|pedlar|lodger|miller|constable|lawyer|banker)(?: |$)(?!\|)(?:'s )?)"
    ),
    "zh": re.compile(rf"{PEOPLE_ZH}|令弟|令尊|令堂|弟弟|长工|米商|那人"),
}


def roles_in(coded: str, language: Language) -> int:
    """How many such words a text in code holds."""
    return len(_ROLES[language].findall(coded))
