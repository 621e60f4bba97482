"""What a model thinks in its reply, apart from what it tells."""

import re

_NAMES = "think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad"
_TAG = re.compile(rf"[<\[◁](\s*/)?\s*(?:{_NAMES})\s*[>\]▷]", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<]{0,80}<\|message\|>")
"""Some models name the channel of each part: `analysis` is thinking, `final` is told."""


def after_thinking(text: str) -> tuple[str, str]:
    """What is told, and what may still be thinking: all after a tag that is never closed.

    What stands before a tag that only closes is thinking: the opening one is in the prompt of some
    models, and not in their reply.
    """
    told, unsure = list[str](), False
    text, past = _of_final_channel(text), 0
    for tag in _TAG.finditer(text):
        is_closing = bool(tag[1])
        if not unsure:
            told.append(text[past : tag.start()])
        if is_closing and not unsure:
            told.clear()
        past = tag.end() if is_closing or not unsure else past
        unsure = not is_closing
    if unsure:
        return "".join(told), text[past:]
    return "".join([*told, text[past:]]), ""


def _of_final_channel(text: str) -> str:
    parts = list(_CHANNEL.finditer(text))
    if not parts:
        return text
    last = parts[-1]
    return text[last.end() :] if last[1].lower() == "final" else ""
