"""What a schema cannot say about a world: names that lead nowhere, presence that was not, knowledge from nowhere."""

from collections.abc import Iterable, Iterator

from sandbox.storage.findings import Finding, Locate, missing
from sandbox.storage.lint_hidden import hidden
from sandbox.storage.lint_names import words_for_names
from sandbox.storage.lint_plot import disguises, organisations, prepared, threads, whereabouts
from sandbox.story.canon import Canon, CanonFact, CanonScene
from sandbox.story.items import Spanned
from sandbox.story.people import Character


def lint(canon: Canon, locate: Locate) -> list[str]:
    """One line for each problem in `canon`."""
    checks = (
        _twins,
        words_for_names,
        _scenes,
        _characters,
        disguises,
        _places,
        whereabouts,
        hidden,
        organisations,
        _facts,
        _predicates,
        _patterns,
        threads,
        prepared,
        _spans,
    )
    return [locate(*finding) for check in checks for finding in check(canon)]


def _twins(canon: Canon) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for section in ("characters", "places", "things", "entities", "organisations"):
        for item in getattr(canon, section):
            if item.id in seen:
                yield (
                    section,
                    item.id,
                    f"is the id of one of the {seen[item.id]} too. Ids are unique.",
                )
            seen[item.id] = section


def _scenes(canon: Canon) -> Iterator[Finding]:
    yield from missing("world", "start", "canon scene", [canon.start], canon.scene_order)
    last = -1
    for scene in canon.scenes:
        yield from _one_scene(canon, scene)
        hours, minutes = scene.clock.split(":")
        clock = int(hours) * 60 + int(minutes)
        if clock < last:
            yield "scenes", f"{scene.id}.clock", f"`{scene.clock}` is before the scene above it."
        last = clock


def _one_scene(canon: Canon, scene: CanonScene) -> Iterator[Finding]:
    roster, key = scene.roster, scene.id
    yield from missing("scenes", f"{key}.place", "place", [scene.place], canon.places_by_id)
    for part in ("active", "silent", "mentioned"):
        where = f"{key}.roster.{part}"
        yield from missing("scenes", where, "character", getattr(roster, part), canon.cast)
    for both in sorted(set(roster.present) & set(roster.mentioned)):
        yield "scenes", f"{key}.roster", f"`{both}` is present and only mentioned. Choose one."
    for who in scene.episodes:
        if who not in roster.present:
            problem = f"`{who}` was not there. Only those active or silent keep an episode."
            yield "scenes", f"{key}.episodes", problem
    yield from missing("scenes", f"{key}.positions", "character", scene.positions, canon.cast)
    for who, place in scene.positions.items():
        where = f"{key}.positions.{who}"
        yield from missing("scenes", where, "place", [place], canon.places_by_id)


def _characters(canon: Canon) -> Iterator[Finding]:
    for who in canon.characters:
        yield from missing("characters", f"{who.id}.home", "place", [who.home], canon.places_by_id)
        for key, names in _people_named_by(who):
            yield from missing("characters", f"{who.id}.{key}", "character", names, canon.cast)
        for key, items in (("wishes", who.wishes), ("keeps", who.keeps)):
            facts = [item.fact for item in items]
            yield from missing("characters", f"{who.id}.{key}", "fact", facts, canon.facts_by_id)
        predicates = [want.predicate for want in who.wants]
        where = f"{who.id}.wants"
        yield from missing("characters", where, "predicate", predicates, canon.predicates)


def _people_named_by(who: Character) -> Iterator[tuple[str, Iterable[str]]]:
    yield "name_known_to", who.name_known_to or ()
    yield "impairment_known_to", who.impairment_known_to or ()
    yield "relations", [relation.to for relation in who.relations]
    yield "trust", who.trust
    yield "wishes", [name for wish in who.wishes for name in wish.to]
    yield "keeps", [name for keep in who.keeps for name in keep.unless]


def _places(canon: Canon) -> Iterator[Finding]:
    for number, link in enumerate(canon.links):
        where = f"links.{number}.between"
        yield from missing("links", where, "place", link.between, canon.places_by_id)
    for thing in canon.things:
        yield from missing(
            "things", f"{thing.id}.place", "place", [thing.place], canon.places_by_id
        )
        yield from missing("things", f"{thing.id}.holder", "character", [thing.holder], canon.cast)
        where = f"{thing.id}.reveals"
        yield from missing("things", where, "fact", thing.reveals, canon.facts_by_id)


def _facts(canon: Canon) -> Iterator[Finding]:
    for fact in canon.facts:
        yield from missing("facts", f"{fact.id}.cause", "fact", [fact.cause], canon.facts_by_id)
        yield from missing("facts", f"{fact.id}.scene", "scene", [fact.scene], canon.scene_order)
        where = f"{fact.id}.predicate"
        yield from missing("facts", where, "predicate", [fact.predicate], canon.predicates)
        for key in ("experienced", "observed", "voiced"):
            where = f"{fact.id}.{key}"
            yield from missing("facts", where, "character", getattr(fact, key), canon.cast)
        if fact.to_subject is not None and fact.subject not in canon.names:
            problem = f"`{fact.subject}` is nobody in this world, so nobody can say it to them."
            yield "facts", f"{fact.id}.to_subject", f"{problem} Leave it out, or name its subject."
        yield from _presence(canon, fact)
        yield from _tellings(canon, fact)


def _presence(canon: Canon, fact: CanonFact) -> Iterator[Finding]:
    scene = next((s for s in canon.scenes if s.id == fact.scene), None)
    for who in (*fact.experienced, *fact.observed) if scene else ():
        if scene and who in canon.cast and who not in scene.roster.present:
            problem = f"`{who}` was not present in `{scene.id}`: mention is not presence."
            yield "facts", f"{fact.id}.scene", problem


def _tellings(canon: Canon, fact: CanonFact) -> Iterator[Finding]:
    knowers: set[str] = set(canon.cast) if fact.common else {*fact.experienced, *fact.observed}
    knowers |= _members(canon, fact)
    order = canon.scene_order
    for telling in sorted(fact.told, key=lambda t: order.get(t.scene, 0)):
        where = f"{fact.id}.told"
        names = [telling.to, telling.by]
        yield from missing("facts", where, "character", names, canon.cast)
        yield from missing("facts", where, "scene", [telling.scene], order)
        scene = next((s for s in canon.scenes if s.id == telling.scene), None)
        for who in names if scene else ():
            if scene and who in canon.cast and who not in scene.roster.present:
                yield "facts", where, f"`{who}` was not present in `{telling.scene}`."
        if telling.by in canon.cast and telling.by not in knowers:
            yield "facts", where, f"`{telling.by}` does not know this itself by then."
        knowers.add(telling.to)


def _members(canon: Canon, fact: CanonFact) -> set[str]:
    """Whoever has a fact through an organisation, at one time or another."""
    groups = [canon.organisations_by_id.get(sharing.organisation) for sharing in fact.shared]
    return {member.who for group in groups if group for member in group.members}


def _predicates(canon: Canon) -> Iterator[Finding]:
    for id_, predicate in canon.predicates.items():
        where = f"{id_}.inverse"
        inverse = [predicate.inverse]
        yield from missing("predicates", where, "predicate", inverse, canon.predicates)
        for wording in predicate.wordings:
            if "{s}" not in wording or "{o}" not in wording:
                yield "predicates", f"{id_}.wordings", f"`{wording}` lacks `{{s}}` or `{{o}}`."
            elif problem := _of_slots(wording, ("s", "o")):
                yield "predicates", f"{id_}.wordings", problem
        if predicate.question and (problem := _of_slots(predicate.question, ("s",))):
            yield "predicates", f"{id_}.question", problem


def _of_slots(text: str, slots: Iterable[str]) -> str:
    """What is wrong with the braces of a wording. Empty: only its slots stand in them."""
    rest = text
    for slot in slots:
        rest = rest.replace(f"{{{slot}}}", "")
    if "{" not in rest and "}" not in rest:
        return ""
    right = " and ".join(f"`{{{slot}}}`" for slot in slots)
    return f"`{text}` has other braces than {right}. Leave them out."


def _patterns(canon: Canon) -> Iterator[Finding]:
    owners = [(pattern.id, pattern.owner) for pattern in canon.patterns]
    for id_, owner in owners:
        yield from missing("patterns", f"{id_}.owner", "character", [owner], canon.cast)


def _spans(canon: Canon) -> Iterator[Finding]:
    for section in (
        "characters", "places", "links", "things", "organisations", "facts", "patterns",
    ):  # fmt: skip
        for number, item in enumerate(getattr(canon, section)):
            key = getattr(item, "id", str(number))
            for path, spanned in _spanned_within(item, key):
                names = [spanned.from_, spanned.until]
                yield from missing(section, path, "canon scene", names, canon.scene_order)


def _spanned_within(item: object, path: str) -> Iterator[tuple[str, Spanned]]:
    if isinstance(item, Spanned):
        yield path, item
        for name in type(item).model_fields:
            yield from _spanned_within(getattr(item, name), f"{path}.{name}")
    elif isinstance(item, tuple):
        for number, part in enumerate(item):
            yield from _spanned_within(part, f"{path}.{number}")
