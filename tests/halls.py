"""Three people in one hall, in two languages: Ann, Ben, and a visitor whose name Ben does not know."""

from sandbox.story.predicates import built_in
from tests.property.scenes import Told
from tests.property.strategies import small_canon

_NAMES = {"ann": "王安娜", "ben": "李本", "cy": "沈先生"}


def english_hall() -> Told:
    told = Told()
    told.walk("cy", "hall")
    return told


def chinese_hall() -> Told:
    canon = small_canon()
    people = [
        c.model_dump(by_alias=True) | {"name": _NAMES.get(c.id, "某"), "known_as": "那位客人"}
        for c in canon.characters
    ]
    places = [p.model_dump() | {"name": {"yard": "院子"}.get(p.id, p.name)} for p in canon.places]
    zh = small_canon(
        characters=people,
        places=places,
        language="zh",
        facts=[],
        things=[],
        predicates=built_in("zh"),
    )
    told = Told(canon=zh)
    told.walk("cy", "hall")
    return told
