"""How a stage direction sounds: verbs of the stage, Chinese phrases of gesture."""

from typing import Final

from sandbox.story.telling.english import words_of

STRONG: Final = words_of(
    "nods shrugs sighs smiles grins smirks frowns laughs chuckles giggles blushes swallows gasps"
    " winces flinches "
    "shivers hesitates pauses mutters murmurs whispers glances blinks sobs weeps gulps snorts"
    " scowls bows curtsies "
    "kneels stammers stutters groans gestures beckons"
)
"""Alone a gesture, where nothing else is told of somebody."""
STAGE: Final = STRONG | words_of(
    "turns looks stares leans steps walks goes comes stands sits rises takes puts sets picks"
    " lifts opens closes "
    "shuts hands gives pulls pushes grabs reaches holds drops raises lowers shakes wipes ties"
    " kisses embraces hugs "
    "forgives says replies answers shouts cries asks adds admits confesses agrees tells thinks"
    " realises realizes "
    "decides owns leaves runs follows hurries crosses climbs slips throws catches slams pours"
    " drinks eats moves "
    "watches stops starts begins falls draws touches strokes clears folds tears reads points"
    " bites breaks lets"
)
"""What a script has people do. Two of one person are a stage direction."""
PAST: Final = words_of(
    "nodded shrugged sighed smiled grinned frowned laughed chuckled blushed swallowed gasped"
    " winced flinched hesitated "
    "paused turned leaned stood rose bowed knelt"
)
SAYING: Final = words_of(
    "says said replies replied answers answered whispers whispered mutters muttered murmurs"
    " murmured shouts "
    "shouted cries cried asks asked adds added"
)
HABITUAL: Final = (
    r"\b(?:every|each|always|never|often|sometimes|usually|whenever|when|if|until|till|unless"
    r"|before"
    r"|nightly|daily|(?:by|from) what)\b"
)
"""Tells what somebody does as a rule, or may do."""

GESTURES_ZH: Final = (
    r"点了?点头|点头|摇了?摇头|摇头|叹了?一?口气|叹息|笑了笑|笑着|微微一笑|冷笑|苦笑|皱了?皱眉|皱起眉|抬起头|抬头|低下头|低头"
    r"|转过?身|摸了?摸|拍了?拍|搓了?搓|跪倒|跪下|跪在地上|听了这话|听罢|听完|听到这里|眼泪(?:就|便|也)?(?:下来|流|掉|涌)|红了脸|脸一红"
    r"|红了眼|愣了|怔了?住|咬了?咬牙|咬着牙|站起身|站起来|坐下来|走过来|走上前|凑过来|伸出手|接过|递过来|拉住我|握住我|抱住我|磕了.{0,2}头"
    r"|沉默了|停了停|顿了顿|哼了一声|嗯了一声|答应了一声|把什么都(?:跟|对|和)我"
)
SAYS_ZH: Final = r"(?:说道?|答道?|问道?|喊道?|叫道|回道|笑道|叹道|应道|低声道|道)[：:，,]?[“「『\"]"
PAST_ZH: Final = (
    r"昨夜|昨晚|昨天|昨儿|昨日|前夜|前天|那天|那年|那夜|那晚|当时|当初|刚才|方才|早上|今早|前年|去年|从前|以前|小时候|每次|每回|总是|老是|常常|"
    r"要是|如果|等|若"
)
"""Tells of what was, or of what is as a rule."""
STAGE_ZH: Final = (
    rf"{GESTURES_ZH}|拿起|拿走|放下|走|跑|说|答|问|喊|哭|笑|接|递|推|拉|开|关|坐|站|起身"
    r"|转|看|瞪|抓|扔|收|取|掏|交"
)
"""What somebody is made to do in a deed of another's."""
