"""docs/world-format.md names every key that an author may write."""

import re
from pathlib import Path

import pytest

from sandbox.story import canon, people, plot
from sandbox.story.items import Item
from sandbox.story.ways import Link

TEXT = (Path(__file__).parents[2] / "docs/world-format.md").read_text(encoding="utf-8")
RECORDS = (
    canon.Canon, canon.Place, canon.Thing, canon.Entity, canon.Predicate, canon.Telling,
    canon.Sharing, canon.CanonFact, canon.Roster, canon.CanonScene, people.Want, people.Wish,
    people.Keep, people.Relation, people.Disguise, people.Character, people.Membership,
    people.Organisation, people.Pattern, plot.Held, plot.Condition, plot.ThreadState,
    plot.Thread, plot.ThingSet, plot.DoorSet, plot.Prepared, Link,
)  # fmt: skip
_UNWRITTEN = {
    canon.Canon: {"characters", "organisations", "facts", "predicates", "patterns", "scenes"},
    canon.CanonScene: {"narrative"},
}
"""What stands in a file or a folder of its own, or under the head of a scene."""


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_the_docs_name_every_key_of_a_world(record: type[Item]) -> None:
    keys = {field.alias or name for name, field in record.model_fields.items()}
    keys -= _UNWRITTEN.get(record, set()) | {"id"}
    assert {key for key in keys if not is_named(key)} == set()


def is_named(key: str) -> bool:
    """Whether a key stands in code: by itself, with a value, or among others between braces."""
    return bool(re.search(rf"`{key}`|\b{key} = |[{{,] {key}[,\s]|\[\[?(?:\w+\.)*{key}\b", TEXT))
