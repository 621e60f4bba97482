"""Words that look like names, and what looks like a name."""

import re
from typing import Final

from sandbox.story.telling.chinese import HAN
from sandbox.story.telling.english import words_of

ORDINARY: Final = words_of(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August
    September October November December Christmas Easter Michaelmas Martinmas Candlemas Lammas Whitsun Lent
    Advent Sabbath Midsummer Shrovetide Day Eve God Lord Lord's Heaven Heavens Hell Christ Jesus Bible Scripture
    Gospel Providence Devil Satan Almighty Fate Fortune Death I I'm I'd I've I'll I’m I’d I’ve I’ll Mister
    Mistress Master Mr Mr. Mrs Mrs. Miss Ms Messrs Sir Madam Madame Ma'am Doctor Dr Lady Dame Captain Colonel
    Major Sergeant Corporal Lieutenant Admiral General Father Mother Brother Sister Uncle Aunt Grandfather
    Grandmother Granny Grandad Papa Mama Mamma Dad Daddy Mum Mummy Reverend Parson Vicar Bishop Inspector
    Constable Magistrate Judge Justice Professor Saint St King Queen Prince Princess Duke Duchess Earl Count
    Countess Baron Majesty Highness Honour Honor Lordship Ladyship Excellency Parliament Crown Church State
    English England French France Latin Greek Dutch German Spanish Irish Scots Scottish Welsh Roman Italian
    Russian Turkish Indian Chinese Christian Turk Jew Inn House Street Road Lane Bridge River Hall Court Bank
    Post Office North South East West Oh Ah Yes No Well Good Goodness Lad Lass
    """
)
"""Have a capital without being anybody's name."""

OF_ONESELF: Final = re.compile(
    r"\b[Mm]y (?:\w+ )?(?:name|people|family|folk)\b|\b[Cc]all(?:s|ed)? me\b|\bI(?:'m| am) (?=[A-Z])"
    r"|\bfor a name\b"
    r"|(?:我|在下|小可|鄙人|老汉|老朽|小的|小女子|老身)(?:就|正|便|本|原)?(?:是|叫|姓|名叫|名唤|名字|本名|真名|免贵|贱姓)"
)
"""Speaks of one's own name."""

_SURNAMES: Final = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴"
    "夏钟汪田任姜范石姚谭廖邹熊金陆郝孔崔康毛邱秦江史顾侯邵孟龙万段钱汤尹黎易武乔贺赖龚文庞樊殷施陶洪翟安颜倪严"
    "牛温芦季俞章鲁葛伍韦申尤毕聂焦柳邢路岳齐梅莫庄辛管祝左涂谷祁耿牟卜路詹关苗凌费纪靳盛童欧甄项曲游阳裴席卫"
    "查屈鲍覃霍翁隋植甘景薄单包司柏宁柯阮桂闵解柴华车房饶"
)
_TITLES: Final = (
    "先生|姑娘|师傅|掌柜|账房|老板娘?|大娘|大婶|婶子?|大嫂|嫂子?|太太|夫人|少爷|小姐|公子|邮差|大夫|郎中|县长|镇长"
    "|师爷|主任|科长|局长|经理|秀才|举人|大哥|大叔|大爷|老爷|东家|道长|和尚|班头|捕头|队长|家"
)
TITLED: Final = re.compile(rf"([{_SURNAMES}])({_TITLES})(?![{HAN}]?[儿女]子)")
"""A surname with a title: a known one is anybody's of that surname."""
NAMED_SO: Final = re.compile(
    r"(?:名叫|叫做|叫作|唤作|名唤|真名(?:是|叫)?|本名(?:是|叫)?|大名(?:是|叫)?|名字(?:是|叫|就是)|姓名是|叫)"
    rf"([{_SURNAMES}][{HAN}]{{1,2}}?)(?=[，。！；、,.!;”」]|是|的|$)"
)
"""A surname with a given name, where somebody is said to be called so."""
