"""The estimate of tokens, beside what real tokenizers make of the two worlds and of single sentences."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from sandbox.story.tokens import estimated_tokens

ROOT = Path(__file__).parents[3]
WORLDS = {"en": ROOT / "worlds" / "lantern_inn", "zh": ROOT / "worlds" / "jiangcun_duchuan"}

COUNTED = [
    # Text, then its tokens by cl100k (older hosted models), by Qwen and by Llama 2: counted once.
    ("The key hung here at supper, and somebody has taken it since.", 14, 14, 15),
    ("Who is here: Mara; Tobin; a man with a wet coat", 15, 15, 16),
    ('f12: "I saw light under the cellar door." (Tobin told me)', 19, 20, 21),
    ("雨下了一整夜，渡船还拴在老柳树下。", 24, 16, 30),
    ("你早就知道的事：f3：船桨在庙里（听小满说的）", 28, 20, 36),
    ("他没有回答，只是把门轻轻关上了。", 19, 11, 25),
    ("「走吧。」她说，「天快亮了。」", 20, 14, 26),
]


def _prose(world: Path) -> str:
    files = sorted(world.glob("scenes/*.md"))
    return "".join(path.read_text(encoding="utf-8").rpartition("+++")[2] for path in files)


@pytest.fixture(scope="module")
def llama_2() -> Tokenizer:
    """Of those at hand the one that needs most tokens for Chinese; it comes with `wordllama`."""
    found = find_spec("wordllama")
    assert found is not None
    assert found.origin is not None
    (path,) = Path(found.origin).parent.rglob("l2_supercat_tokenizer_config.json")
    return Tokenizer.from_file(str(path))


def test_english_is_counted_right_to_a_fifth(llama_2: Tokenizer) -> None:
    text = _prose(WORLDS["en"])
    real = len(llama_2.encode(text, add_special_tokens=False).ids)
    assert 0.85 <= estimated_tokens(text) / real <= 1.2


def test_chinese_is_never_undercounted_threefold(llama_2: Tokenizer) -> None:
    text = _prose(WORLDS["zh"])
    real = len(llama_2.encode(text, add_special_tokens=False).ids)
    assert 0.55 <= estimated_tokens(text) / real <= 1.2


@pytest.mark.parametrize(("text", "cl100k", "qwen", "llama"), COUNTED)
def test_a_sentence_is_counted_within_the_tokenizers_own_differences(
    text: str, cl100k: int, qwen: int, llama: int
) -> None:
    estimate = estimated_tokens(text)
    assert 0.6 * min(cl100k, qwen, llama) <= estimate <= 1.5 * max(cl100k, qwen, llama)
    assert estimate >= 0.55 * max(cl100k, qwen, llama)


def test_marks_and_names_in_both_scripts_count() -> None:
    assert estimated_tokens("。，！？") >= 4
    assert estimated_tokens("") <= 1
    assert estimated_tokens("Mara说：“走。”") >= 6
