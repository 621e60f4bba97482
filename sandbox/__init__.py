"""An interactive multi-agent story sandbox in which every character remembers only what it witnessed."""

__version__ = "0.1.0"
