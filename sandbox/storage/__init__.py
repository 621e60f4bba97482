"""Folders and files: worlds, saves, journals, cassettes."""
