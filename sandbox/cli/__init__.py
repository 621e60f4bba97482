"""The command line. What a command needs is loaded when it runs: `--help` loads nothing else."""

from sandbox.cli.main import main

__all__ = ["main"]
