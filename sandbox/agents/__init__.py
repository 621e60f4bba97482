"""Minds: who decides a character's move, and from what."""
