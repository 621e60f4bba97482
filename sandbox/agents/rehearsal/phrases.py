"""Phrases rehearsal falls back on where a world's own patterns have none, in both languages."""

from typing import Final

from sandbox.story.items import Language

ASK_ABOUT: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        "And {x}? You must have noticed something there.",
        "Tell me whatever you can about {x}.",
        "I keep coming back to {x}. What have you seen?",
        "{x}: does that mean anything to you?",
        "Help me with {x}, if you can.",
        "Has anybody spoken to you of {x} lately?",
        "Start from the beginning. What happened with {x}?",
        "There is more behind {x} than people let on, is there not?",
    ),
    "zh": (
        "{x}的事，你总该留意到什么吧？",
        "说说看，你对{x}知道多少？",
        "我总想着{x}，你见过什么没有？",
        "提起{x}，你心里可有数？",
        "帮我理一理，{x}究竟怎么回事？",
        "近来有没有人跟你讲过{x}？",
        "从头讲起吧，{x}那边出了什么事？",
        "{x}背后怕是另有文章，你说呢？",
    ),
}
CONFIRM: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        "{who} gave me an answer to this, and I would not swear by it. {q}",
        "Do not think of what {who} says, only of what you know. {q}",
        "I heard one thing from {who}; now I should like to hear it from you. {q}",
        "You are more to be believed than {who}. {q}",
        "{who} has told me a tale that I cannot swallow whole. {q}",
        "Between ourselves, I put little weight on the word of {who}. {q}",
    ),
    "zh": (
        "{who}给过我一个说法，我不敢全信。{q}",
        "先别管{who}怎么讲，只说你晓得的：{q}",
        "{who}的话我只听进去一半，另一半想问你。{q}",
        "你的话比{who}的靠得住。{q}",
        "{who}跟我讲了一通，我心里存着疑。{q}",
        "背着{who}问你一句实话：{q}",
    ),
}
"""`{who}` told it; `{q}` is the question."""
RECONCILE: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        "{a} tells me one thing and {b} another. {q}",
        "What {a} says and what {b} says cannot both be so. {q}",
        "I have two answers, one from {a} and one from {b}, and they do not agree. {q}",
        "Either {a} is mistaken or {b} is. {q}",
    ),
    "zh": (
        "{a}是一个说法，{b}又是一个说法。{q}",
        "{a}讲的跟{b}讲的对不上号。{q}",
        "一件事两样话，{a}一样，{b}一样。{q}",
        "不是{a}弄错了，就是{b}弄错了。{q}",
    ),
}
DOUBT: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        "So you say. I shall believe it when I hear it from somebody else.",
        "Forgive me if I do not take your word for that.",
        "That is a thing I would want to see for myself first.",
        "You tell it very smoothly, and I am not sure that I believe you.",
        "Perhaps it is so, and perhaps it only suits you that I should think it.",
        "I have been told a good many things lately, and not all of them were so.",
    ),
    "zh": (
        "这是你的说法，我可没有全信。",
        "话是从你嘴里出来的，我得再掂量掂量。",
        "信不信由我，等我亲眼见了再说。",
        "你讲得太顺溜，我反倒不敢信。",
        "真有这样的事？只怕是你盼着我这么想。",
        "这句话，我先记着，不当真。",
    ),
}
ASK_ELSEWHERE: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        "I cannot tell you that. {who} might.",
        "You would do better to ask {who}.",
        "If anybody knows that, I should think it is {who}.",
        "That is a question for {who}, not for me.",
        "Try {who}; I have nothing to give you on it.",
        "I know no more of it than you do. Have you asked {who}?",
    ),
    "zh": (
        "这我答不上来，{who}兴许知道。",
        "你不如去问{who}。",
        "要说谁晓得，我看只有{who}。",
        "这话该问{who}，问我没有用。",
        "我知道的不比你多，问过{who}没有？",
        "去{who}那里打听打听吧，我这里没有。",
    ),
}
"""For who does not know and has an idea who does."""
IGNORANCE: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        "I do not know.",
        "That I cannot tell you.",
        "I wish I knew it myself.",
        "Nobody ever told me.",
        "I have no idea, and I will not make one up.",
        "You know as much about it as I do.",
    ),
    "zh": (
        "我不知道。",
        "这个我说不上来。",
        "我也想弄明白呢。",
        "没有人跟我讲过。",
        "我不晓得，也不敢乱猜。",
        "你知道多少，我也就知道多少。",
    ),
}
"""Fits every question."""
LOOK: Final[dict[Language, tuple[str, str]]] = {
    "en": ("looks closely at {x}", "look closely at {x}"),
    "zh": ("仔细看了看{x}", "仔细看了看{x}"),
}
SEARCH: Final[dict[Language, tuple[tuple[str, str], ...]]] = {
    "en": (
        ("searches {x} from one end to the other", "search {x} from one end to the other"),
        ("goes over {x} a yard at a time", "go over {x} a yard at a time"),
        (
            "turns over whatever will turn in {x}, and puts it back",
            "turn over whatever will turn in {x}, and put it back",
        ),
        ("feels along every ledge of {x}", "feel along every ledge of {x}"),
    ),
    "zh": (
        ("把{x}从头到尾搜了一遍", "把{x}从头到尾搜了一遍"),
        ("在{x}四下里翻找", "在{x}四下里翻找"),
        ("弯着腰，一寸一寸地查看{x}", "弯着腰，一寸一寸地查看{x}"),
        ("把{x}的角角落落都摸了一遍", "把{x}的角角落落都摸了一遍"),
    ),
}
SILENCE: Final[dict[Language, tuple[str, str]]] = {
    "en": ("gives no answer", "give no answer"),
    "zh": ("没有作声", "没有作声"),
}
JOIN: Final[dict[Language, str]] = {"en": " ", "zh": ""}
QUESTION_MARKS: Final = "?？"
QUOTES: Final = '"“'
"""What opens a sentence quoted from another."""
