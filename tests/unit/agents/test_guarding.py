"""The guard on drafted moves: speaking for others, thinking aloud, unknown names, and the table of DESIGN 10 [3]."""

from dataclasses import replace

import pytest

from sandbox.agents.guarding import Finding, Guard, findings, passed, retry_text, without
from sandbox.agents.minds import Move
from sandbox.story.events import Offence
from sandbox.story.ids import CharacterId
from sandbox.story.telling.sentences import spoken_sentences
from tests.houses import view, world
from tests.property.scenes import Told, says

MARA, TOBIN, INES = CharacterId("mara"), CharacterId("tobin"), CharacterId("ines")
LIAO, DU = CharacterId("meng_liao"), CharacterId("du_shuisheng")


def offences(language: str, who: str, words: str, *to: str, thought: str = "") -> list[Offence]:
    guard = Guard(view(language, who), [CharacterId(one) for one in to], thought)
    found = (guard.check(sentence) for sentence in spoken_sentences(words))
    return [finding.offence for finding in found if finding is not None]


# ── speaking and acting for others ────────────────────────────────────────────────────────────

FOR_OTHERS = [
    ("en", "Mara: I never touched it."),
    ("en", "Well, then. Mara: I never touched it."),
    ("en", "**Mara**: I never touched it."),
    ("en", "User: What do we do now?"),
    ("en", 'Mara nods and says, "Very well."'),
    ("en", 'Mara smiles at me and whispers: "Come to the cellar."'),
    ("en", "With a sigh Mara takes the cup, sets it down and looks away."),
    ("en", "Mara nods slowly."),
    ("en", 'Mara nodded and said, "It was me."'),
    ("en", "You nod and hand me the key."),
    ("en", 'Old Hobb shakes his head and mutters, "Not tonight."'),
    ("zh", "杜伯：这事我认了。"),
    ("zh", "杜伯点点头说：“好。”"),
    ("zh", "方邮差叹了口气，低下头，半天没有话。"),
    ("zh", "老艄公笑了笑，转身拿起竹篙。他摇摇头。"),
    ("zh", "旁白：雨越下越大。"),
    ("zh", "用户：我们走吧。"),
]


@pytest.mark.parametrize(("language", "words"), FOR_OTHERS)
def test_a_reply_that_goes_on_to_speak_for_others_or_for_the_user(
    language: str, words: str
) -> None:
    who = "ines" if language == "en" else "xiao_man"
    assert Offence.SPEAKS_FOR in offences(language, who, words)


OF_OTHERS = [
    ("en", "Mara told me that the mare is in the stable."),
    ("en", "Mara says she has no beds left."),
    ("en", "Sit down, Mara, and put that cup away."),
    ("en", "Osric goes through the lodger's things every chance he gets."),
    ("en", "I take the cup, drink and set it down."),
    ("en", "If Mara nods and says yes, I will go."),
    ("zh", "杜伯昨夜跟我说，水要涨。"),
    ("zh", "那天杜伯点点头，说：“好。”"),
    ("zh", "我点点头，说：“好。”"),
    ("zh", "杜伯，您坐下歇歇。"),
]


@pytest.mark.parametrize(("language", "words"), OF_OTHERS)
def test_telling_of_others_is_not_speaking_for_them(language: str, words: str) -> None:
    who = "ines" if language == "en" else "xiao_man"
    assert Offence.SPEAKS_FOR not in offences(language, who, words)


DEEDS = [
    ("en", "Tobin takes the key and leaves", True),
    ("en", "hands over the cup, and Tobin drinks it", True),
    ("en", "gives the key to Tobin, who puts it away", True),
    ("en", "takes the key and leaves", False),
    ("en", "hands the key to Tobin and looks away", False),
    ("en", "watches Tobin go", False),
    ("en", "waits until Tobin looks up", False),
    ("en", "wipes Tobin's cup", False),
    ("zh", "方邮差接过信，点点头", True),
    ("zh", "把信递过去，方邮差接过来收好", True),
    ("zh", "把信递给方邮差", False),
    ("zh", "看着方邮差走远", False),
    ("zh", "方邮差的碗空了，添上茶", False),
]


@pytest.mark.parametrize(("language", "action", "is_found"), DEEDS)
def test_a_deed_that_has_somebody_else_act_is_found(
    language: str, action: str, is_found: bool
) -> None:
    who = view(language, "mara" if language == "en" else "meng_liao")
    found = findings(who, Move(action=action))
    assert [f.offence for f in found] == ([Offence.SPEAKS_FOR] if is_found else [])


# ── thinking where it is heard ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("<think>He knows.</think> Good evening.", "Good evening."),
        ("He knows. I must be careful.</think> Good evening.", "Good evening."),
        ("Good evening. <think>He knows. I must be careful.", "Good evening."),
        ("<thinking>He knows.</thinking> Good evening.", "Good evening."),
        ("Good evening.", "Good evening."),
    ],
    ids=["both tags", "`<think>` with only a closing tag", "only opened", "other tag", "none"],
)
def test_think_with_only_a_closing_tag(words: str, left: str) -> None:
    mara = view("en", "mara")
    move = Move(words=words)
    found = findings(mara, move)
    assert {finding.offence for finding in found} <= {Offence.THINKING}
    assert bool(found) == (words != left)
    assert without(move, found, mara).words == left


THOUGHT = "He has the packet in his coat and thinks that nobody saw him take it."
THOUGHT_ZH = "他把那样东西藏在怀里，还当没有人看见。"


@pytest.mark.parametrize(
    ("language", "thought", "words", "is_found"),
    [
        ("en", THOUGHT, THOUGHT, True),
        ("en", THOUGHT, "He thinks that nobody saw him take it.", True),
        ("en", THOUGHT, "Good evening to you, and mind the step.", False),
        ("en", "Yes.", "Yes.", False),
        ("zh", THOUGHT_ZH, "他把那样东西藏在怀里，还当没有人看见。", True),
        ("zh", THOUGHT_ZH, "你藏在怀里，还当没有人看见？", True),
        ("zh", THOUGHT_ZH, "天不早了，歇着吧。", False),
        ("en", "", "Inner monologue: he must not notice.", True),
        ("en", "", "(Thinking: he must not notice.) Sit down.", True),
        ("en", "", "I think to myself: he must not notice.", True),
        ("en", "", "I was thinking of my supper.", False),
        ("en", "", "There is nothing here. (If she looks at my sleeve I am done for.)", True),
        ("en", "", "(softly) Sit down.", False),
        ("zh", "", "（内心独白：不能叫他看出来。）坐吧。", True),
        ("zh", "", "我心想：不能叫他看出来。", True),
        ("zh", "", "我心里想着今晚的饭。", False),
        ("zh", "", "好茶，好茶。（她若是掀开衬布，我便完了。）", True),
        ("zh", "", "（小声）坐吧。", False),
    ],
)
def test_the_thought_of_a_move_is_not_said(
    language: str, thought: str, words: str, is_found: bool
) -> None:
    who = "mara" if language == "en" else "meng_liao"
    found = offences(language, who, words, thought=thought)
    assert (Offence.THOUGHT_SPOKEN in found) == is_found


# ── names ─────────────────────────────────────────────────────────────────────────────────────

NAMES = [
    ("en", "ines", "I must speak with Lucan Vane.", True),
    ("en", "ines", "I must speak with Bartholomew Fisk.", True),
    ("en", "ines", "I must speak with my cousin Alfred before Monday.", True),
    ("en", "ines", "The name on it was L. Vane, and no more.", False),
    ("en", "osric", "I must speak with Lucan Vane.", False),
    ("en", "ines", "I must speak with Mistress Quill, or with Tobin Reed.", False),
    ("en", "ines", "Good Lord, it will be Christmas before the water falls.", False),
    ("en", "vane", "My name is Edmund Hale.", False),
    ("zh", "fang_xu", "我去把小满叫来。", True),
    ("zh", "fang_xu", "我去找周掌柜。", True),
    ("zh", "fang_xu", "那人名叫赵德海，是个贩盐的。", True),
    ("zh", "meng_liao", "我去把小满叫来。", False),
    ("zh", "fang_xu", "我去找杜师傅和孟掌柜。", False),
    ("zh", "shen_jingzhai", "在下名叫贺子安。", False),
]


@pytest.mark.parametrize(("language", "who", "words", "is_found"), NAMES)
def test_mention_matching_that_never_fires_for_chinese_names(
    language: str, who: str, words: str, is_found: bool
) -> None:
    assert (Offence.UNKNOWN_NAME in offences(language, who, words)) == is_found


# ── what is asserted ──────────────────────────────────────────────────────────────────────────

ASSERTED = [
    ("en", "ines", "The packet is hidden in the old lantern.", True),
    ("en", "ines", "The packet is hidden in the flour crock.", True),
    ("en", "ines", "I know that the packet is hidden in the old lantern.", True),
    ("en", "mara", "The packet is hidden in the old lantern.", False),
    ("en", "mara", "The packet is hidden in the stable.", False),
    ("en", "ines", "Perhaps the packet is hidden in the old lantern.", False),
    ("en", "ines", "Is the packet hidden in the old lantern?", False),
    ("en", "ines", "If the packet is hidden in the old lantern, I am ruined.", False),
    ("en", "ines", "I don't know who hid the packet.", False),
    ("en", "ines", "Hide the packet in the old lantern.", False),
    ("en", "ines", "The packet is not hidden in the old lantern.", False),
    ("en", "ines", "Whoever took the packet is still in this house.", False),
    ("en", "ines", "Osric drew out the bridge money.", True),
    ("en", "ines", "By what Mara says, Osric took the bridge money.", True),
    ("en", "piers", "By what Mara says, Osric took the bridge money.", False),
    ("en", "ines", "Another log on that, Tobin, then the small kettle for the lodger.", False),
    ("en", "vane", "I am in your debt for that.", False),
    ("zh", "fang_xu", "铜铃是杜师傅动的。", True),
    ("zh", "fang_xu", "铜铃是老何动的。", True),
    ("zh", "fang_xu", "听孟掌柜说，铜铃是杜师傅动的。", True),
    ("zh", "du_shuisheng", "铜铃是老何动的。", False),
    ("zh", "fang_xu", "也许铜铃是杜师傅动的。", False),
    ("zh", "fang_xu", "铜铃是谁动的？", False),
    ("zh", "fang_xu", "要是铜铃是杜师傅动的，我也不说出去。", False),
    ("zh", "fang_xu", "我不知道铜铃是谁动的。", False),
    ("zh", "du_shuisheng", "莫叫这位先生听见。", False),
    ("zh", "fang_xu", "切莫让孟掌柜知道铜铃的事。", False),
    ("zh", "fang_xu", "莫非铜铃是杜师傅动的，这渡口早没了指望？", False),
]


@pytest.mark.parametrize(("language", "who", "words", "is_found"), ASSERTED)
def test_what_is_held_from_no_source_is_not_flatly_asserted(
    language: str, who: str, words: str, is_found: bool
) -> None:
    assert (Offence.ASSERTED in offences(language, who, words)) == is_found


SMALL_TALK = {
    "en": """
        Sit down by the fire, Tobin, and get warm.
        The soup is hot, and there is bread in the kitchen.
        You look pale, lad.
        Nobody leaves this house tonight.
        I will look in the cellar myself.
        This is my house, and I will not be spoken to like that.
        I don't trust the lodger.
        It's a foul night to be out on the moor.
        We should ask Ines about the bag.
        The river is loud tonight.
        Osric, you have not touched your cider.
        If Ines carried it, Ines may answer for it.
        My husband would have known what to do.
        The old clerk likes his comforts.
        A packet like that does not walk out of a bag by itself.
        Tobin, take the lantern down to the cellar and look behind the casks.
        You have mud on your boots, Ines, and straw on your cloak.
    """,
    "zh": """
        坐下烤烤火，喝碗热茶吧。
        杜伯，您慢些走，地上滑。
        方邮差淋了一夜雨，脸色不大好。
        谁拿了铜铃，自己站出来。
        我去船屋看看，你在这里等着。
        渡口没了铃，对岸的人怎么叫船？
        茶棚里的柴不多了。
        老艄公在这渡口撑了一辈子船。
        我弟弟的事，不劳外人操心。
        不管是谁动的船，今天都得说清楚。
    """,
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_small_talk_passes(language: str) -> None:
    who = "mara" if language == "en" else "meng_liao"
    lines = [line.strip() for line in SMALL_TALK[language].strip().splitlines()]
    assert {line: found for line in lines if (found := offences(language, who, line))} == {}


def test_a_pronoun_is_read_by_the_sentence_before() -> None:
    assert offences(
        "en", "ines", "I had the packet in my bag. It is hidden in the old lantern."
    ) == [Offence.ASSERTED]


# ── what becomes of a finding ─────────────────────────────────────────────────────────────────


def test_the_sentences_found_are_cut_and_what_is_told_follows_from_the_rest() -> None:
    mara = view("en", "mara")
    words = "Hester came by the moor track. Osric took the bridge money. Sit down."
    move = Move(words=words, to=(INES,), tells=mara.told_in(words, [INES]))
    found = findings(mara, move)
    assert found == [Finding(Offence.ASSERTED, "Osric took the bridge money.")]
    left = without(move, found, mara)
    assert left.words == "Hester came by the moor track. Sit down."
    assert left.tells == mara.told_in(left.words, [INES])
    assert {claim.subject for claim in left.tells} == {"hester"}


def test_a_move_without_findings_stays_as_it_is() -> None:
    mara = view("en", "mara")
    move = Move(words="Sit down.  Have some cider.", action="pours cider", to=(INES,))
    assert findings(mara, move) == []
    assert without(move, [], mara) == move


def test_a_deed_found_is_cut_with_what_it_looks_at() -> None:
    mara = view("en", "mara")
    move = Move(words="Sit down.", action="Tobin takes the lamp and leaves", searches=True)
    left = without(move, findings(mara, move), mara)
    assert left == replace(move, action="", searches=False)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_retry_quotes_the_characters_own_sentences_and_nothing_else_of_the_world(
    language: str,
) -> None:
    who = view(language, "ines" if language == "en" else "fang_xu")
    said = "SENTENCE ONE", "SENTENCE TWO"
    found = [Finding(Offence.ASSERTED, said[0]), Finding(Offence.SPEAKS_FOR, said[1])]
    text = retry_text(who, found)
    assert all(text.count(sentence) == 1 for sentence in said)
    names = {name for names in world(language).canon.names.values() for name in names}
    assert not any(name in text for name in names)
    only = retry_text(who, found[:1])
    assert said[1] not in only
    assert len(only) < len(text)


def test_a_planner_that_saw_the_secret_paraphrasing_it() -> None:
    """A summary that holds somebody else's secret loses that sentence, and no other."""
    hester = view("en", "hester")
    secret = "Mara shut the packet up in the old lantern."
    kept = "I came down off the moor after ten with a lame horse."
    text = f"{kept} {secret} I was tired."
    assert passed(hester, text) == f"{kept} I was tired."
    assert passed(view("en", "mara"), secret) == secret


@pytest.mark.parametrize(
    ("language", "who", "kept", "secret"),
    [
        ("en", "vane", "I sat by the wall and said little.", "Osric took the bridge money."),
        ("zh", "fang_xu", "我站在渡口，没有说话。", "铜铃是杜师傅动的。"),
    ],
)
def test_discarded_text_living_on_in_summaries(
    language: str, who: str, kept: str, secret: str
) -> None:
    joint = "" if language == "zh" else " "
    assert passed(view(language, who), f"<think>x</think>{kept}{joint}{secret}") == kept
    assert passed(view(language, who), f"note to self</think> {kept}") == kept


def test_what_was_heard_in_play_is_held() -> None:
    said = "Osric took the bridge money."
    assert offences("en", "ines", said) == [Offence.ASSERTED]
    claim = {"subject": "bridge_fund", "predicate": "taken_by", "object": "osric", "said": said}
    line = says("mara", said, "ines", tells=[claim])
    story = Told(line, canon=world("en").canon, start=world("en").start)
    assert Guard(story.view("ines")).check(said) is None
    assert Guard(story.view("tobin")).check(said) is not None
