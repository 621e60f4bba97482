"""How English says that something is guessed, asked, wished, ordered or disavowed."""

import re

from sandbox.story.telling.english import words_of

HARMLESS = re.compile(
    r"\bif (?:you must know|you please|you like|you ask me|i may(?: say so)?|i recall|"
    r"memory serves|truth be told)\b"
    r"|\bno doubt about it\b|\bnot only\b|\bno (?:sooner|less)\b|\bi(?:'d| would) swear\b|"
    r"\bas if to\b",
    re.IGNORECASE,
)
"""Turns of phrase that look like a condition or a denial and are none."""

GUESS = re.compile(
    r"\bi (?:do )?(?:\w+ly )?(?:think|believe|suppose|reckon|fancy|suspect|guess|"
    r"imagine|expect|dare ?say|presume|gather|"
    r"assume)\b(?! of| about)|\bi(?:'m| am) (?:\w+ )?(?:guessing|inclined to|thinking)\b|"
    r"\bi(?:'d| would| will|'ll) (?:\w+ )?"
    r"(?:wager|bet|say|guess|hazard|lay)\b|\bperhaps\b|\bmaybe\b|\bpossibly\b|"
    r"\bprobably\b|\bpresumably\b|\blikel(?:y|ier)\b|"
    r"\bmust(?:'ve| have| be| surely)\b|\b(?:may|might|could)(?: well)?(?:'ve|"
    r" have| be)\b|\b(?:no doubt|doubtless)\b|"
    r"\bseems?\b|\bappears? to\b|\blike as not\b|\bten to one\b|\bmy (?:guess|"
    r"notion|suspicion|belief)\b|"
    r"\b(?:unless|if) i(?:'m| am) (?:\w+ )?mistaken\b|\blooks? (?:to me )?(?:as (?:if|"
    r"though)|like)\b|\bto my mind\b|"
    r"\bfor all i know\b|\b(?:should|would)(?:n't| not) (?:be (?:\w+ )?(?:surprised|"
    r"astonished)|wonder) (?:if|to)\b|"
    r"\bit strikes me\b|\bi(?:'ve| have) (?:a|half a|the) (?:notion|feeling|mind|"
    r"suspicion|fancy)\b|\bi have an idea\b|"
    r"\bone (?:might|may) (?:suppose|think|guess)\b|\bin my opinion\b|\bi wonder if (?:it )?(?:wasn't|"
    r"isn't)\b|"
    r"\bi(?:'d| would) not put it past\b",
    re.IGNORECASE,
)
"""Offered as a guess."""

CONDITION = re.compile(
    r"\bif\b|\bunless\b|\bwhether\b|\blest\b|\bin case\b|\bsuppos(?:e|ing)\b|\bprovided\b|"
    r"\bwish(?:es|ed)?\b|\bhop(?:e|ing)\b|"
    r"\bwould (?:that|to (?:heaven|god))\b|\bi wonder\b|\bimagine\b|\bas (?:if|"
    r"though)\b|\bpretend\w*\b|\bdream(?:t|ed)? that\b|"
    r"\bwere\s+(?:i|you|he|she|they|we|\w+|[\U000f0000-\U0010fffd])\s+to\b|^[^\w\U000f0000-\U0010fffd]*(?:had|were)\s+(?:i|you|he|she|they|we|[\U000f0000-\U0010fffd])\s+\w+|"
    r"\b(?:ask(?:s|ed)?|asking)\b (?:\w+ ){0,2}(?:who|where|"
    r"what|how|why)\b",
    re.IGNORECASE,
)
"""The whole of it is not said to be so: a condition, a wish, a question put as a statement."""

MODAL = re.compile(
    r"\bwould\b|\b(?:he|she|it|they|we|i|you|who|that)'d (?!been\b|had\b|better\b)(?!\w+(?:ed|"
    r"en|wn)\b)(?=\w)|\bshould\b|\bshall we\b|"
    r"\blet(?:'s| us)\b|\bought to\b|\bwant(?:s|ed)? (?:\w+ ){0,3}to\b|\b(?:might|"
    r"could|may) (?!(?:well )?(?:have|be)\b)\w+|"
    r"\b(?:tell (?:me|us)|i (?:do not |don't |did not |didn't )?(?:know|see|say)|"
    r"find out) (?:who|where|what|which|how|why)\b|"
    r"\b(?:going|about|meant|mean|ready|like|try|trying|afraid) to\b",
    re.IGNORECASE,
)
"""A clause of what might be, or is wanted."""

DISAVOWED = re.compile(
    r"\b(?:i|we|you|one|nobody|anybody)\b(?: \w+)?(?: not|n't| never| cannot| hardly|"
    r" refuse to| no longer)(?: \w+){0,2} (?:believe|think|"
    r"suppose|say|saying|claim|mean|imagine|accept|suspect|swear|prove|tell|know|"
    r"certain|sure|true)\b|(?:\bnot|n't|\bnever) (?:believe|"
    r"think|suppose|accept)\b|\bnobody (?:can |could |will |would )?(?:say|believe|"
    r"know|prove)\w*\b|\bdoubt(?:s|ed)? (?:that|it|if)\b|"
    r"\bi doubt\b|\b(?:deny|denies|denied) (?:that|having|ever)\b|\bit(?:'s| is| was) (?:a lie|false|"
    r"untrue|nonsense|absurd)\b|\bnonsense\b|"
    r"\bit (?:isn't|is not|wasn't|was not) (?:true|so)\b|\bfar from\b|\b(?:anybody|"
    r"anyone) (?:but|except)\b|\bunlikely\b|"
    r"\bimpossible\b|\b(?:the )?(?:notion|idea|rumour|lie) that\b",
    re.IGNORECASE,
)
"""The speaker does not stand for what follows."""

VERBS = words_of(
    """
    ask be blow bring call come consider count do don't fetch find forget get give go hand have help hide hold hush
    keep kindly leave let light listen look make mind move never open pass please pray promise put read remember run
    say search see send show shut sit stand stop suppose swear take tell think try turn wait watch write
    """
)
"""Verbs that an order may begin with."""
ORDER = re.compile(
    r"^[^\w\U000f0000-\U0010fffd]*"
    r"(?:(?:and|so|now|then|come|oh|well|but|just|here|there|always|never|please|kindly|pray|do)[, ]+)*"
    rf"(?:{'|'.join(sorted(VERBS))})\b(?! (?:is|was|are|were)\b)",
    re.IGNORECASE,
)
"""A clause that begins as an order does: with the bare verb."""
