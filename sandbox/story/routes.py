"""How a character came to know a fact."""

from enum import StrEnum


class Route(StrEnum):
    """The paper's four (ReverieMem, section 3.3), and `told`, which keeps its teller."""

    EXPERIENCED = "experienced"
    OBSERVED = "observed"
    ORGANISATION = "organisation"
    """Through an organisation that the character belongs to."""
    COMMON = "common"
    TOLD = "told"
