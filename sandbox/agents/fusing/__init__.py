"""Fusion: the one request of a move, made from one character's view and nothing else."""

from sandbox.agents.fusing.files import template as template
from sandbox.agents.fusing.fuse import again as again
from sandbox.agents.fusing.fuse import fused as fused
from sandbox.agents.fusing.fuse import once_more as once_more
from sandbox.agents.fusing.material import MOVE_SCHEMA as MOVE_SCHEMA
from sandbox.agents.fusing.material import Limits as Limits
from sandbox.agents.fusing.material import Material as Material
from sandbox.agents.fusing.material import Prompt as Prompt
