"""The bundled worlds at their default start, one for each language, read once."""

from functools import cache

from sandbox.storage.places import worlds_folder
from sandbox.storage.worlds import read_world
from sandbox.story.fold import fold
from sandbox.story.ids import CharacterId
from sandbox.story.view import CharacterView
from sandbox.story.world import World

FOLDERS = {"en": "lantern_inn", "zh": "jiangcun_duchuan"}


@cache
def world(language: str) -> World:
    canon = read_world(worlds_folder() / FOLDERS[language])
    return fold(canon, canon.default_start, []).world


def view(language: str, who: str) -> CharacterView:
    return CharacterView(world(language), CharacterId(who))
