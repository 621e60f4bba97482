"""Words by which something is told, and the edges of what they tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from sandbox.story.items import Language
from sandbox.story.telling.english import words_of


def _forms(verbs: str) -> Iterator[str]:
    """As deeds and memories have them: "writes", "writing"."""
    for verb in sorted(words_of(verbs)):
        stem = verb.removesuffix("e")
        yield from (
            verb,
            f"{verb}s",
            f"{verb}es",
            f"{stem}ing",
            f"{stem}{stem[-1]}ing",
            f"{stem}ed",
        )
        if verb.endswith("y"):
            yield from (f"{stem[:-1]}ies", f"{stem[:-1]}ied")


_SAYING: Final = (
    "write scrawl scribble sign spell scratch chalk carve draw sketch mouth trace note jot inscribe etch engrave paint"
    " mime signal gesture indicate signify read recite show prove reveal say tell whisper mutter murmur mumble"
    " explain swear announce declare confirm admit confess hint claim cry shout sing report recall remember"
    " realise realize know think believe notice see find discover learn understand recognise recognize hear"
    " suspect wonder ask imagine depict portray record document testify insist accuse blame denounce copy uncover"
    " expose nod warn beg demand pray repeat"
)
_SAYING_ZH: Final = (
    r"[写刻画签念读说道喊叫问答讲骂唱][道着下上出了完]?|比划[着出]?|示意|表示|暗示|证明|指明|标[着明出]|记[着下起得]|想[起到着]"
    r"|回想|知道|晓得|明白|发现|发觉|看[见出到]|瞧[见出]|听[见说到]|认出|告诉(?:[我他她你它]们?|大家|众人|别人|人)?|报[告出]|宣布|承认|供出|揭[发穿露出]"
    r"|认定|断定|确信|感到|打听|疑心|怀疑|猜[到想]|以为|相信|觉得|得知|查[出到明]|找[出到]|点头|指认|控诉|抄[着下写]|描[着出]|拼[着出]|模仿|学着"
)
_PAST: Final = (
    "wrote drew spelt read showed said told swore cried sang knew thought saw found learnt understood heard begged felt"
    " sure certain convinced afraid sorry"
)
TELLING: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        rf"\b(?:{'|'.join(_forms(_SAYING))}|{'|'.join(sorted(words_of(_PAST)))}"
        r"|acts? out|acting out|holds? up|makes? (?:it )?(?:clear|plain))\b"
    ),
    "zh": re.compile(_SAYING_ZH),
}
REPORT: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"[\"“”?？]|\b(?:said|ask(?:ed|s)|told|tells|answer(?:ed|s)|repl(?:ied|ies)|whisper(?:ed|s)|wonder(?:ed|s)?"
        r"|thought|suspect(?:ed|s)?|guess(?:ed|es)?|claim(?:ed|s)|declared|swore|insist(?:ed|s)|spoke|talked|heard"
        r"|according to|call(?:ed|s)|warn(?:ed|s)|mention(?:ed|s)|admitted|confessed|announced|hinted)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"[“”「」『』?？]|说|问|答|道|讲|听|告诉|提起|念叨|猜|疑|以为|打听|承认|嚷|喊|报"
    ),
}
KNOWING: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"\bI (?:\w+ )?(?:know|knew|learn\w*|realis\w+|realiz\w+|understood|understand|found out|discovered"
        r"|remember\w*|recall\w*|saw|am sure|was sure|felt sure|feel sure"
        r"|am certain|was certain)\b(?! (?:no|not|nothing)\b)"
    ),
    "zh": re.compile(
        r"我(?:这才|终于|心里|总算|已经|早就|都|也)*(?:知道|晓得|明白|认定|断定|确信|想起|记得|看清|发现)"
    ),
}
"""What its teller came to know is flatly said."""
_WORDS: Final = (
    "that because since who whom whose which where wherever why how what whether if as while when although though"
    " until till before after lest given"
)
EDGES: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"[,.;:!?()\[\]\"“”«»—]|--|(?<!\w)['‘](?=\w)|(?<=[\w.!?,])['’](?!\w)"
        rf"|\b(?:and|but|then|or|{'|'.join(_WORDS.split())})\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"[，,。；;：:！!？?“”「」『』\"（）()—…]|因为|由于|既然|所以|原来|而且|就是因为"
    ),
}
OPENERS: Final[dict[Language, frozenset[str]]] = {
    "en": words_of(_WORDS) | frozenset(":\"“«([‘'") | {"--", "—"},
    "zh": frozenset('：:“「『"（(—') | {"因为", "由于", "既然", "所以", "原来", "就是因为"},
}
"""Edges behind which something is told, whatever stood before them."""
OWN: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(r"^(?:(?:\w+ly|also|again|once|still|even) )*[a-z]+(?:s|ing)\b(?<!'s)(?! ?')"),
    "zh": re.compile(
        r"^(?!.*是)(?![^，。]{2,4}[客者])(?:然后|接着|随后|又|再|便|就|才|一边|一面|赶紧|双手|伸手|半天|慢慢|轻轻|悄悄|默默|[^，。]{1,6}地)*"
        r"(?:[把将向朝往对给跟替从在到去来叫让看查翻摸拿取放走坐站蹲推拉开关拨掀抽凑擦吹点倒喝吃端捧扶抱背抖解系绑划撑烧"
        r"煮洗扫拍敲按压塞收递交接还数算摇晃转回低抬仰俯弯伸缩咬吐咳笑哭叹哼退靠躺跪爬跳跑追躲等听闻尝试找搜挖抠刮剪切"
        r"劈砍打踢踩捡摘戴披穿脱带提举握捏搓揉捻挂搭盖揭合折叠卷包扎拧]|一[^，。]{1,3}一)"
    ),
}
"""A clause that goes on with what the doer does."""
BESIDE: Final[dict[Language, re.Pattern[str]]] = {
    "en": re.compile(
        r"^(?:(?:a|one|both|with|her|his|its|the) )*(?:head|hands?|fingers?|eyes?|chin|elbows?|arms?"
        r"|shoulders?|back|face|lips?|knees?|foot|feet)\b"
    ),
    "zh": re.compile(r"^(?:双[手眼脚]|[侧低抬仰歪]着?头)"),
}
"""How the doer holds itself."""
WHITHER: Final = re.compile(r"^(?:to|towards?|into)\b")
"""Goes on with what is done, where something is done."""
NOUN: Final = re.compile(
    r"\b(?:the|an?|this|her|his|its|their|some|any|no|of|\w+['’]s)\s+(?:[\w-]+\s+){1,4}$",
    re.IGNORECASE,
)
