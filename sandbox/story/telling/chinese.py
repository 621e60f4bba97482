"""Chinese words as far as the reading of lines needs them: kindred characters and cues of mood."""

import re
from typing import Final

_KINDRED = """
系 拴 绑 捆 扎 缚
看 瞧 瞅 望 瞄 见 念 读 睹
撞 啃 磕 碰
逃 跑 溜 奔
放 搁 撂 压 塞
藏 匿 掖
拿 取 偷 窃 盗
拆 抽 启
死 亡 殁
杀 害 弑
晃 亮 闪 点
欠 赊
扣 结
绳 缆
弟 兄
撑 划 驾 摇
说 讲 道 告
怕 惧 惮
走 去 往
夜 晚
浸 浇 泡 淋 湿
裁 撤 废 停
"""
_PHRASES = """
银元 大洋 块钱 银洋 光洋
遇上 得了 患了 患上 害了 碰上 赶上 摊上 遭了 染上 落下 遭到 有了
留下 撂下 搁下 丢下 放下 剩下 留有 留着
挪到 搬到 移到 拖到 撑到 跑到 弄到 牵到 拴到 系到 停到 挪去 挪在 拴在 挪至
系成 打成 结成 捆成 绑成 扎成 打的是 系的是 打着 系着 扎的是 打了 系了
出现 亮起 闪过 冒出 亮过 有过 现出 升起
不在 没在
丢失 不见 丢了 不翼而飞
欠着 欠了 欠下 该着 赊着
夜里 夜间 晚上 半夜 夜半 子时 三更
瞧不见 看不见 看不清 认不清 不能视物 瞎
自己 亲手 亲自
早上 一早 天亮 清早 今早 早晨
姐弟 弟弟 兄弟
对面 对岸 江对面
没忍住 没有忍住 忍不住
死了 过世 去世 不在世 没了命 归了西
"""
AGENT_VERBS: Final = "动碰拿取偷摘拆翻撕盗抽挪解"
"""What somebody does who has had a hand on a thing."""
_STOP = frozenset(
    "的了过着是在就也都还才又很太最更把被给叫让将对跟和与同及或而且但可却所以因为如果不没无未别我你您他她它们咱俺"
    "这那哪什么怎谁几多少个只条封块根张件些点儿里头上下中内外来去到从向往于之其此啊呀呢吗嘛吧哦唉哎嘿呗啦一二三两"
    "有要会能该得地大小好人家说道话事时候天年月日今昨明前后再已经曾正刚方便等像样般真实老汉您们自己"
)
FILLERS: Final = re.compile(
    r"已经|曾经|确实|的确|其实|分明|明明|竟然|居然|如今|现在|眼下|此刻|这会儿|刚才|方才|早就|一直|原来|"
    r"[了过着的就也都还才又竟早便已曾倒可真正刚]"
)
"""What may stand anywhere in a wording."""

HAN: Final = r"\u3400-\u4dbf\u4e00-\u9fff"
_CHARS = {
    ord(other): group.split()[0] for group in _KINDRED.split("\n") for other in group.split()[1:]
}
_LONG = {other: group.split()[0] for group in _PHRASES.split("\n") for other in group.split()}
_LONGER = re.compile("|".join(sorted(_LONG, key=lambda word: (-len(word), word))))


def phrases_evened(text: str) -> str:
    """`text` with one phrase for all of one meaning."""
    return _LONGER.sub(lambda match: _LONG[match[0]], text)


def characters_evened(text: str) -> str:
    """`text` with one character for all of one meaning; for comparing, not for reading."""
    return phrases_evened(text).translate(_CHARS)


def is_content(character: str) -> bool:
    """Whether a character says what a sentence is about."""
    return character not in _STOP


GUESS = re.compile(
    r"也许|或许|恐怕|八成|大概|大约摸|约莫|多半|可能|说不定|没准|保不齐|十有八九|十之八九|怕是|怕不是|想必|想来|估计|估摸|"
    r"我(?:只是|也就|也|就|总)?(?:猜|看(?![了到见过着完清一看])|想(?![起到要去法])|觉得|寻思|琢磨|疑心|怀疑|估)|依我(?:看|说)|照我(?:看|说)|在我看来|似乎|好像|像是|仿佛|"
    r"看样子|看来|兴许|指不定|备不住|大抵|料想|该是|应该|应当是|老汉(?:猜|看|想|寻思)|不是.{1,6}就是|吧[。！…”]*$"
)
"""Offered as a guess."""

ASKED = re.compile(r"[?？]|[吗么][。！…”]*$")
"""Put as a question, whole."""

OPEN = re.compile(
    r"谁|哪(?!怕)|什么|怎么|怎样|怎会|几时|何时|何人|何处|多少|为何|为啥|啥|吗$|是不是|有没有|是否|可曾|可有|难道|莫非|莫不是|"
    r"难不成|([^\W\d_])(?:没|不)\1|过没有$"
)
"""A clause with a gap in it, or that asks whether, says nothing of what it asks for."""

UNREAL = re.compile(
    r"要是|要不是|如果|假如|假使|倘若|倘使|若是|若(?=[我你您他她是有能])|万一|除非|只要|一旦|的话(?=[，,、])|即使|即便|就算|就是.{1,12}也|哪怕|但愿|"
    r"恨不得|恨不能|巴不得|希望|盼(?:着|望)|最好|早知|本该|本来?(?:可以|应该)|不如|何不|宁可|宁愿|譬如|好比|听凭|"
    r"看看(?:是不是|有没有|是谁)|等到?(?=.{1,12}再)|省得|免得|以防|想(?:要)?(?=把|让|叫|请)|打算|准备|正要|差点|险些"
)
"""Not said to be so: a condition or a wish."""

DISAVOWED = re.compile(
    r"不(?:相?信|认为|觉得|以为|见得|可能|承认)|未必|不至于|不会是|不该是|(?:怎么|哪里?|岂)(?:会|能|可能|敢|是)|谁说|胡说|瞎说|瞎话|"
    r"没这回事|没有的事|(?:没|不曾)(?:说|讲)|假的|谣言|冤枉|不敢(?:说|断)|说不准|说不好|不好说|不晓得|不清楚|不知"
)
"""The speaker does not stand for it."""

ORDER = re.compile(
    r"^[^\w\U000f0000-\U0010fffd]*(?:(?:你|您|你们|咱们?|大家)(?:可|快|先|也|就|得|要|千万|都)*(?=去|来|把|给|别|莫|让|拿|帮|替|坐|放|瞧|听|尝|歇))"
    r"|^[^\w\U000f0000-\U0010fffd]*(?:请|劳驾|麻烦|烦|快|别(?![人处的家样提])|切?莫(?![非名不大若如测逆])|切?勿(?!忘我)|休[要提想]|不要|不许|务必|千万|赶紧|赶快|且|先|让我)"
    r"|务必|(?:你|您)(?:可)?(?:得|要|该)(?!了)"
)
"""A clause that wants something done."""

BARE_ORDER = re.compile(
    rf"^[^\w\U000f0000-\U0010fffd]*(?:把|将|给我|替我|帮我|拿|尝尝|瞧瞧|听听|坐|歇|去[{HAN}])(?!.*的$)"
)
"""The same at the beginning of a sentence, where no subject went before."""

NEGATORS = re.compile(
    r"(?<!没)不(?!过|光|但|仅|止|只|愧|料|想|巧|瞒|管|论|住|好意思)|没(?!收住|忍住|料|想到|法|辙|准|错|少)|未(?!免|婚)|并非|从未|无(?!论|非|意|端)|"
    r"别(?=[人]?没)|甭"
)
ASIDES = re.compile(
    r"我(?:就|可)?(?:敢(?:说|担保|打赌)|(?:跟|对|和)[你您]说|告诉[你您])|不瞒[你您]说|(?:说实话|老实说|实话说)[，,]?"
)
"""What is said only to be believed."""

OTHER = re.compile(
    rf"不是([^，,。；]{{1,6}}?)([{AGENT_VERBS}][^，,。；]{{0,3}}的)[，,]是([^，,。；]{{1,6}})(?=[。！，,；]|$)"
)
"""`不是甲动的，是乙`: what the second did is left out."""
CONTRAST = re.compile(
    r"(?:并)?不是[^，,。；]{1,12}[，,](?:倒|而|却)?(?=(?:就|偏|正)?(?:是|在|被|叫|给))"
)
"""`不是甲，是乙`: the first half is only what the second is set against."""
