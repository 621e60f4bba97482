"""Slips in organisations, containers, disguises, threads and prepared events, each told with its place."""

import shutil
import tomllib
from pathlib import Path

import jsonschema
import pytest

from sandbox.cli.main import main
from sandbox.errors import WorldFileError
from sandbox.storage.places import worlds_folder
from sandbox.storage.schemas import schemas
from sandbox.storage.worlds import read_world
from sandbox.story.closable import unclosable
from sandbox.story.findable import unfindable
from tests.plotting import PLOT, PLOT_ZH

WORLDS = [PLOT, PLOT_ZH, *sorted(p.parent for p in worlds_folder().glob("*/plot.toml"))]


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A copy of the mill, to break."""
    return Path(shutil.copytree(PLOT, tmp_path / "mill"))


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def _problems(world: Path) -> list[str]:
    try:
        read_world(world)
    except WorldFileError as error:
        return list(error.problems)
    return []


@pytest.mark.parametrize("world", [PLOT, PLOT_ZH])
def test_the_worlds_with_a_plot_have_no_problems(world: Path) -> None:
    assert _problems(world) == []
    assert unclosable(read_world(world)) == []
    assert unfindable(read_world(world)) == []


SLIPS = [
    # organisations
    ("organisations.toml", '"ann"', '"anne"', "`guild.members`: no character `anne` in this world. Did you mean `ann`?"),
    ("organisations.toml", 'from = "supper"', 'from = "super"', "`guild.members.1`: no canon scene `super` in this world. Did you mean `supper`?"),
    ("organisations.toml", 'briefs_newcomers = true', 'briefs_newcomers = true\nuntil = "dinner"', "`guild`: no canon scene `dinner`"),
    ("organisations.toml", "[guild]", "[mill]", "`mill`: is the id of one of the entities too. Ids are unique."),
    ("facts.toml", 'organisation = "guild"', 'organisation = "gild"', "`debt.shared`: no organisation `gild` in this world. Did you mean `guild`?"),
    ("facts.toml", 'organisation = "guild", scene = "supper"', 'organisation = "guild", scene = "supperr"', "`debt.shared`: no canon scene `supperr`"),
    ("facts.toml", 'shared = [{ organisation = "guild", scene = "supper" }]', 'scene = "supper"\nshared = [{ organisation = "guild" }]', "`debt.shared`: shared before the first scene, and it came about in `supper` only."),
    # things
    ("places.toml", 'inside = "box"', 'inside = "bax"', "`key.inside`: no thing `bax` in this world. Did you mean `box`?"),
    ("places.toml", 'inside = "box"', 'inside = "box"\nplace = "kitchen"', "`key`: needs exactly one of `place`, `holder` and `inside`."),
    ("places.toml", 'inside = "box"\n', "", "`key`: needs exactly one of `place`, `holder` and `inside`."),
    ("places.toml", 'name = "the chest"\nplace = "kitchen"', 'name = "the chest"\ninside = "key"', "`chest.inside`: `chest` is inside itself. Put one of them in a place."),
    ("places.toml", 'name = "the chest"\nplace = "kitchen"', 'name = "the chest"\ninside = "chest"', "`chest.inside`: `chest` is inside itself."),
    # people
    ("cast.toml", 'impairment_known_to = ["ann"]', 'impairment_known_to = ["anne"]', "`cy.impairment_known_to`: no character `anne` in this world. Did you mean `ann`?"),
    ("cast.toml", 'seen_as = "pedlar"', 'seen_as = "pedlor"', "`cy.disguise.seen_as`: no character or entity `pedlor` in this world. Did you mean `pedlar`?"),
    ("cast.toml", 'seen_as = "pedlar"', 'seen_as = "cy"', "`cy.disguise.seen_as`: is the character itself, so no disguise."),
    ("cast.toml", 'seen_through_by = ["ann", "ben"]', 'seen_through_by = ["ben", "zed"]', "`cy.disguise.seen_through_by`: no character `zed`"),
    # threads
    ("plot.toml", 'who = "cy", knows = "cup_broken"', 'who = "cyy", knows = "cup_broken"', "`threads.cup.states.known.when`: no character `cyy` in this world. Did you mean `cy`?"),
    ("plot.toml", 'who = "cy", knows = "cup_broken"', 'who = "cy", knows = "cup_brokn"', "`threads.cup.states.known.when`: no fact `cup_brokn` in this world. Did you mean `cup_broken`?"),
    ("plot.toml", 'predicate = "broken_by"', 'predicate = "brokn_by"', "`threads.cup.states.misled.when`: no predicate `brokn_by` in this world. Did you mean `broken_by`?"),
    ("plot.toml", 'subject = "cup"', 'subject = "cupp"', "`threads.cup.states.misled.when`: nothing in this world is called `cupp`. Did you mean `cup`?"),
    ("plot.toml", 'id = "misled"', 'id = "open"', "`threads.cup.states.open`: `open` is what a thread is while no state of it holds."),
    ("plot.toml", 'id = "misled"', 'id = "known"', "`threads.cup.states.known`: is the id of two states. Give each its own."),
    ("plot.toml", 'who = "cy", knows = "cup_broken"', 'who = "cy", knows = "cup_broken", lacks = "debt"', "give exactly one of `knows`, `lacks` and `believes`"),
    ("plot.toml", "[threads.key]", "[thread.key]", "`thread`"),
    # prepared events
    ("plot.toml", 'place = "yard"', 'place = "yord"', "`prepared.owl.place`: no place `yord` in this world. Did you mean `yard`?"),
    ("plot.toml", 'reveals = ["bell_cracked"]', 'reveals = ["bell"]', "`prepared.bell_cracks.reveals`: no fact `bell` in this world."),
    ("plot.toml", 'lacks = "bell_cracked"', 'lacks = "bell_crackd"', "`prepared.bell_cracks.when`: no fact `bell_crackd` in this world. Did you mean `bell_cracked`?"),
    ("plot.toml", 'thing = "lamp"', 'thing = "lomp"', "`prepared.bell_cracks.things`: no thing `lomp` in this world. Did you mean `lamp`?"),
    ("plot.toml", 'thing = "lamp", state = "swinging"', 'thing = "lamp"', "`prepared.bell_cracks.things`: nothing of `lamp` changes."),
    ("plot.toml", 'thing = "lamp", state = "swinging"', 'thing = "lamp", holder = "bean"', "`prepared.bell_cracks.things`: no character `bean` in this world. Did you mean `ben`?"),
    ("plot.toml", 'thing = "lamp", state = "swinging"', 'thing = "lamp", holder = "ben", place = "yard"', "`lamp` cannot be in a `place` and with a `holder`. Choose one."),
    ("plot.toml", 'between = ["kitchen", "yard"]', 'between = ["kitchen", "loft"]', "`prepared.bell_cracks.doors`: there is no way between `kitchen` and `loft`."),
    ("plot.toml", 'between = ["kitchen", "yard"]', 'between = ["kitchen", "yerd"]', "`prepared.bell_cracks.doors`: no place `yerd` in this world. Did you mean `yard`?"),
    ("plot.toml", "not_before = 3", "not_before = 0", "`bell_cracks.not_before`"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "problem"), SLIPS)
def test_each_slip_in_a_plot_is_told_with_its_place_and_what_would_be_right(
    world: Path, file: str, old: str, new: str, problem: str
) -> None:
    _replace(world / file, old, new)
    found = _problems(world)
    assert any(problem in line and file in line for line in found), found


def test_a_member_may_have_told_what_was_shared_and_nobody_else(world: Path) -> None:
    shared = 'shared = [{ organisation = "guild", scene = "supper" }]'
    told = 'told = [{{ to = "ben", by = "{who}", scene = "supper" }}]'
    _replace(world / "facts.toml", shared, f"{shared}\n{told.format(who='ann')}")
    assert _problems(world) == []
    _replace(world / "facts.toml", shared + "\n", "")
    assert any("`ann` does not know this itself by then" in line for line in _problems(world))


def test_two_things_inside_each_other_are_both_named(world: Path) -> None:
    _replace(world / "places.toml", 'inside = "chest"', 'inside = "key"')
    found = "\n".join(_problems(world))
    assert "`box` is inside itself" in found
    assert "`key` is inside itself" in found


# ── threads that cannot be closed ─────────────────────────────────────────────────────────────


def why(world: Path) -> dict[str, str]:
    return {item.thread: item.problem for item in unclosable(read_world(world))}


def test_a_thread_whose_fact_nobody_may_tell_cannot_be_closed(world: Path) -> None:
    keeps = 'keeps = [{ fact = "cup_broken", because = "Ann would be angry." }]\n'
    _replace(world / "cast.toml", 'wishes = [{ fact = "cup_broken", to = ["cy"] }]\n', keeps)
    found = why(world)
    assert set(found) == {"cup"}
    assert "`known`: never that `cy` knows `cup_broken`" in found["cup"]
    # A thing that shows it, where Cy can go, lets it be closed again; behind a locked door not.
    ledger = 'reveals = ["flour_short"]'
    _replace(world / "places.toml", ledger, 'reveals = ["flour_short", "cup_broken"]')
    _replace(world / "plot.toml", 'when = [{ knows = "key_hidden" }]\nthings', "things")
    assert why(world) == {}
    _replace(world / "plot.toml", 'things = [{ thing = "ledger", place = "kitchen" }]\n', "")
    assert set(why(world)) == {"cup"}
    unlocked = 'doors = [{ between = ["yard", "loft"], door = "shut" }]\n'
    _replace(world / "plot.toml", "not_before = 2\n", f"not_before = 2\n{unlocked}")
    assert why(world) == {}


def test_what_only_its_reader_sees_is_shown_to_nobody_else(world: Path) -> None:
    keeps = 'keeps = [{ fact = "cup_broken", because = "Ann would be angry." }]\n'
    _replace(world / "cast.toml", 'wishes = [{ fact = "cup_broken", to = ["cy"] }]\n', keeps)
    lamp = 'name = "the lamp"\nholder = "ben"\n'
    _replace(world / "places.toml", lamp, f'{lamp}reveals = ["cup_broken"]\nshows = "reader"\n')
    assert set(why(world)) == {"cup"}
    _replace(world / "places.toml", f'{lamp}reveals = ["cup_broken"]\nshows = "reader"\n',
             f'{lamp}reveals = ["cup_broken"]\n')  # fmt: skip
    assert why(world) == {}


def test_who_is_behind_a_locked_door_is_told_nothing(world: Path) -> None:
    _replace(world / "scenes" / "01_supper.md", 'cy = "yard"', 'cy = "loft"')
    assert "never that `cy` knows `cup_broken`" in why(world)["cup"]
    _replace(world / "places.toml", 'door = "locked"', 'door = "shut"')
    assert why(world) == {}


def test_what_is_told_goes_on_from_one_who_was_told(world: Path) -> None:
    """Ann keeps the key from Ben, and not from Cy, who keeps it from nobody."""
    when = '"out"\ncloses = true\nwhen = [{ knows = "key_hidden" }]'
    _replace(world / "places.toml", 'reveals = ["key_hidden"]\n', "")
    _replace(world / "plot.toml", when, when.replace("{ knows", '{ who = "ben", knows'))
    assert why(world) == {}
    _replace(world / "cast.toml", 'unless = ["cy"], ', "")
    assert "never that `ben` knows `key_hidden`" in why(world)["key"]


def test_a_thread_that_needs_somebody_not_to_know_what_it_knows_cannot_be_closed(
    world: Path,
) -> None:
    known = 'when = [{ who = "cy", knows = "cup_broken" }]'
    _replace(world / "plot.toml", known, 'when = [{ who = "ben", lacks = "cup_broken" }]')
    assert "never that `ben` does not know `cup_broken`" in why(world)["cup"]


def test_a_thread_without_a_closing_state_is_told(world: Path) -> None:
    _replace(world / "plot.toml", "closes = true\n", "")
    assert why(world) == {"cup": "no state of it `closes`, so it stays open for ever."}


def test_check_reports_a_thread_that_cannot_be_closed(
    world: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(world)]) == 0
    _replace(world / "plot.toml", "closes = true\n", "")
    assert main(["check", str(world)]) == 1
    assert "plot.toml: `threads.cup`: no state of it `closes`" in capsys.readouterr().err


# ── schemas ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("folder", WORLDS, ids=lambda path: path.name)
def test_plots_and_organisations_fit_their_schemas(folder: Path) -> None:
    checked = 0
    for path in sorted(folder.glob("*.toml")):
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        jsonschema.validate(values, schemas()[f"{path.stem}.json"])
        checked += 1
    assert checked >= 6


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ("organisations.json", {"guild": {"name": "the guild", "membres": []}}),
        ("organisations.json", {"guild": {"name": "the guild", "members": [{"from": "supper"}]}}),
        ("plot.json", {"thread": {}}),
        ("plot.json", {"prepared": {"owl": {"text": "An owl.", "not_before": 0}}}),
        ("plot.json", {"threads": {"cup": {"question": "?", "states": []}}}),
    ],
)
def test_the_schemas_refuse_slips_in_a_plot(schema: str, value: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value, schemas()[schema])
