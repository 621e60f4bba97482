"""Stories in which a person plays one of the cast, pushes others, and has beats played anew."""

from sandbox.story.commands import Do, Edit, Fire, Go, Inject, Retake, Retract, Say
from sandbox.story.threads import obstacle
from tests.property.canary_watch import HALL, YARD, Watch, pair, person

SPOKEN = ("zq9601x", "zq9602x")
"""Said in play by a person, and taken back."""


async def a_person_plays(watch: Watch, who: str = "ann") -> None:
    """Every command for a character of one's own and for others, with beats of minds between."""
    me = person(who)
    here = watch.story.stage.attending(watch.story.stage.place_of[me])
    to = tuple(other for other in here if other != me)[:1]
    watch.order(Say(character=me, words="I play: zq9501x. What do you say?", to=to))
    await watch.play(4)
    watch.order(Do(character=me, text="searches: zq9502x", searches=True))
    watch.order(Inject(text="A crash: zq9503x.", place=watch.story.stage.place_of[me]))
    await watch.play(4)
    await retaken(watch)
    away = YARD if watch.story.stage.place_of[me] == HALL else HALL
    watch.order(Go(character=me, place=away))
    await watch.play(3)
    watch.order(Say(character=me, words="And here: zq9504x.", to=()))
    pushed = person("cy")
    watch.order(Say(character=pushed, words="I am made to say zq9505x.", to=()))
    watch.order(Do(character=pushed, text="is made to show zq9506x"))
    await watch.play(3)
    fire_what_may(watch)
    await watch.play(3)
    await retaken(watch)
    watch.check_everything_kept()
    assert not [line for line in watch.journal() if line["mind"] == who]


def fire_what_may(watch: Watch) -> None:
    """Every prepared event whose time has come."""
    for prepared in watch.story.canon.prepared_by_id:
        if prepared not in watch.story.fired and not obstacle(watch.story, prepared):
            watch.order(Fire(prepared=prepared))


async def retaken(watch: Watch) -> None:
    """The last beat of a mind is played anew: what it said before is in nobody's request."""
    before = watch.journal()[-1]["turn"]
    watch.order(Retake())
    watch.follow()
    await watch.play(2)
    assert watch.journal()[-1]["turn"] >= before


async def what_was_heard_is_taken_out(watch: Watch) -> None:
    """A line that minds have heard is taken out of the story, and another gets other words."""
    for said, command in ((SPOKEN[0], "retract"), (SPOKEN[1], "edit")):
        a, b = pair(watch)
        watch.order(Say(character=a, words=f"Heard by all: {said}.", to=(b,)))
        turn = watch.story.turn
        await watch.play(3)
        if command == "retract":
            watch.order(Retract(turn=turn))
        else:
            watch.order(Edit(turn=turn, words="Other words."))
        watch.check_everything_kept(pages=False)
    await watch.play(6)
    watch.check_everything_kept()
