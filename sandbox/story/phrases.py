"""The words events are put into, English and Chinese."""

from __future__ import annotations

from typing import Final, Literal

from sandbox.story.items import Language

WORDS: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "said": '{actor} said: "{words}"',
        "said_to": '{actor} said to {targets}: "{words}"',
        "said_that": "{actor} was talking, and the words did not reach me.",
        "said_that_reader": "{actor} is talking, and the words do not get through.",
        "next_door": "From next door: ",
        "whispered": '{actor} whispered to {targets}: "{words}"',
        "whispered_that": "{actor} whispered to {targets}.",
        "murmured": '{actor} said under the breath: "{words}"',
        "murmured_that": "{actor} murmured something.",
        "thought": "{actor} thought: {text}",
        "acted": "{actor} {text}.",
        "acted_own": "I {text}.",
        "acted_own_third": "What I did: {actor} {text}.",
        "failed": "{actor} tried {text}, in vain.",
        "mood": "{actor} felt {mood}.",
        "entered": "{actor} came into {place}.",
        "entered_from": "{actor} came into {place} from {origin}.",
        "left": "{actor} left {place}.",
        "left_to": "{actor} left {place} for {goal}.",
        "travelled": "{actor} travelled from {origin} to {goal}.",
        "thing_state": "{thing}: {state}.",
        "thing_holder": "{thing} went to {holder}.",
        "thing_place": "{thing} was put in {place}.",
        "door": "The way between {a} and {b}: {door}.",
        "died": "{actor} died.",
        "fell_asleep": "{actor} fell asleep.",
        "woke": "{actor} woke up.",
        "hid": "{actor} hid.",
        "found": "{actor} was found.",
        "rose": "{actor} walked again.",
        "distracted": "{actor} was lost in thought.",
        "attentive": "{actor} was attentive again.",
        "deafened": "{actor} could not hear any more.",
        "hearing": "{actor} could hear again.",
        "blinded": "{actor} could not see any more.",
        "seeing": "{actor} could see again.",
        "acted_that": "{actor} was busy with something, and it was not to be seen with what.",
        "came_or_went_that": "Somebody came or went.",
        "thing_that": "Something was moved.",
        "thing_inside": "{thing} was put in {container}.",
        "thing_found": "{actor} found {thing}.",
        "spied": "{actor} listened and looked in on {place}, unnoticed.",
        "spied_no_more": "{actor} stopped spying.",
        "disguised": "{actor} was dressed up as {other}.",
        "undisguised": "{actor} took off the disguise.",
        "joined": "{actor} joined {group}.",
        "resigned": "{actor} left {group} for good.",
        "announced": 'It was announced: "{words}"',
        "announced_by": '{actor} announced: "{words}"',
        "sent": '{actor} sent {target} a message: "{words}"',
        "sent_that": "{actor} sent a message.",
        "read": '{actor} read a message from {sender}: "{words}"',
        "read_that": "{actor} read a message.",
        "inferred": "{actor} concluded: {text}",
        "inferred_own": "I concluded: {text}",
        "opened": "I was in {place}.",
        "opened_with": "I was in {place}, with {others}.",
        "closed": "That was all in {place}.",
        "and": ", ",
        "me": "me",
        "I": "I",
        "nobody": "nobody in particular",
    },
    "zh": {
        "said": "{actor}说：“{words}”",
        "said_to": "{actor}对{targets}说：“{words}”",
        "said_that": "{actor}在说话，说些什么我没听明白。",
        "said_that_reader": "{actor}在说话，听不明白说些什么。",
        "next_door": "隔壁传来：",
        "whispered": "{actor}悄声对{targets}说：“{words}”",
        "whispered_that": "{actor}对{targets}耳语了几句。",
        "murmured": "{actor}低声自语：“{words}”",
        "murmured_that": "{actor}低声咕哝了一句。",
        "thought": "{actor}心想：{text}",
        "acted": "{actor}{text}。",
        "acted_own": "我{text}。",
        "acted_own_third": "我{text}。",
        "failed": "{actor}想要{text}，没有做成。",
        "mood": "{actor}心里{mood}。",
        "entered": "{actor}进了{place}。",
        "entered_from": "{actor}从{origin}进了{place}。",
        "left": "{actor}离开了{place}。",
        "left_to": "{actor}离开{place}，往{goal}去了。",
        "travelled": "{actor}从{origin}到了{goal}。",
        "thing_state": "{thing}：{state}。",
        "thing_holder": "{thing}到了{holder}手里。",
        "thing_place": "{thing}放到了{place}。",
        "door": "{a}与{b}之间的门：{door}。",
        "died": "{actor}死了。",
        "fell_asleep": "{actor}睡着了。",
        "woke": "{actor}醒了。",
        "hid": "{actor}躲了起来。",
        "found": "{actor}被发现了。",
        "rose": "{actor}又起来了。",
        "distracted": "{actor}走了神。",
        "attentive": "{actor}回过神来。",
        "deafened": "{actor}听不见了。",
        "hearing": "{actor}又听得见了。",
        "blinded": "{actor}看不见了。",
        "seeing": "{actor}又看得见了。",
        "acted_that": "{actor}在忙着什么，看不真切。",
        "came_or_went_that": "有人进出。",
        "thing_that": "有什么东西被挪动了。",
        "thing_inside": "{thing}放进了{container}。",
        "thing_found": "{actor}找到了{thing}。",
        "spied": "{actor}躲在暗处窥听{place}里的动静。",
        "spied_no_more": "{actor}不再窥听了。",
        "disguised": "{actor}扮成了{other}。",
        "undisguised": "{actor}卸下了装扮。",
        "joined": "{actor}入了{group}。",
        "resigned": "{actor}退出了{group}。",
        "announced": "有通告：“{words}”",
        "announced_by": "{actor}宣布：“{words}”",
        "sent": "{actor}给{target}捎去一封信：“{words}”",
        "sent_that": "{actor}捎出去一封信。",
        "read": "{actor}读了{sender}的信：“{words}”",
        "read_that": "{actor}读着一封信。",
        "inferred": "{actor}心里断定：{text}",
        "inferred_own": "我断定：{text}",
        "opened": "我在{place}。",
        "opened_with": "我在{place}，在场的还有{others}。",
        "closed": "{place}里的这一段到此为止。",
        "and": "、",
        "me": "我",
        "I": "我",
        "nobody": "大家",
    },
}
_ATTEMPTS: Final[dict[Language, dict[str, str]]] = {
    "en": {"go": "to go to {x}", "say": "to speak to {x}", "act": "to use {x}"},
    "zh": {"go": "去{x}", "say": "跟{x}说话", "act": "动一动{x}"},
}
_STATES: Final[dict[Language, tuple[str, str]]] = {
    "en": ("asleep", "dead"),
    "zh": ("睡着了", "死了"),
}
DOORS: Final[dict[Language, dict[str, str]]] = {
    "en": {"none": "open", "open": "open", "shut": "shut", "locked": "locked"},
    "zh": {"none": "敞着", "open": "开着", "shut": "关着", "locked": "锁着"},
}


_KINDS: Final[dict[str, str]] = {
    "friend": "朋友",
    "kin": "亲人",
    "employer": "东家",
    "servant": "下人",
    "rival": "对头",
    "stranger": "生人",
    "lover": "恋人",
}


def kind_in_words(language: Language, kind: str) -> str:
    """What somebody is to another, where the world has no text for it."""
    return _KINDS[kind] if language == "zh" else kind


_REPORTS: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        '{who} told me: "{said}"',
        '"{said}" Those were the words of {who}.',
        'I have it from {who}: "{said}"',
    ),
    "zh": ("{who}跟我说过：“{said}”", "“{said}”这是{who}的原话。", "我听{who}讲过：“{said}”"),
}


def reported(language: Language, who: str, said: str, choice: int) -> str:
    """Somebody's sentence as another passes it on."""
    report = _REPORTS[language][choice % len(_REPORTS[language])].format(who=who, said=said)
    return report[:1].upper() + report[1:]


_ASKS_WHERE: Final[dict[Language, tuple[str, ...]]] = {
    "en": ("where ", "from where ", "in what place "),
    "zh": ("哪里", "哪儿", "什么地方"),
}
_ASKS_WHO: Final[dict[Language, tuple[str, ...]]] = {
    "en": ("who ", "whom ", "whose ", "with whom ", "to whom ", "from whom "),
    "zh": ("谁", "哪位", "哪一位", "哪个人"),
}


def asked_after(language: Language, question: str) -> Literal["person", "place", "other"]:
    """What a question asks for, by its question word: English puts it first, Chinese anywhere."""
    said = question.casefold()

    def has(marks: tuple[str, ...]) -> bool:
        return any(m in said if language == "zh" else said.startswith(m) for m in marks)

    if has(_ASKS_WHO[language]):
        return "person"
    return "place" if has(_ASKS_WHERE[language]) else "other"


_SOURCED: Final[dict[Language, tuple[str, ...]]] = {
    "en": ("{who} has it that {said}.", "{said}, or so {who} says.", "By what {who} says, {said}."),
    "zh": ("听{who}说，{said}。", "{said}，这话是{who}讲的。", "照{who}的说法，{said}。"),
}


def sourced(language: Language, who: str, said: str, choice: int) -> str:
    """What somebody says to be so, in another's words, with whom it comes from."""
    form = _SOURCED[language][choice % len(_SOURCED[language])]
    told = form.format(who=who, said=said.rstrip(".。"))
    return told[:1].upper() + told[1:]


def search_in_words(language: Language, place: str) -> str:
    """What somebody does who searches a place, without the subject."""
    return f"在{place}四下里翻找" if language == "zh" else f"searches {place}"


def attempt_in_words(language: Language, act: str, about: str) -> str:
    """What somebody tried who could not: `go`, `say` or `act`."""
    return _ATTEMPTS[language][act].format(x=about)


def state_in_words(language: Language, dead: bool) -> str:
    """What somebody looks like who is dead or asleep."""
    return _STATES[language][dead]


def sentence(text: str) -> str:
    """`text` with a capital first letter and no doubled full stop."""
    text = text.replace("..", ".").replace("。。", "。").replace("！。", "！").replace("!.", "!")
    return text[:1].upper() + text[1:]
