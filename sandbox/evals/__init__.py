"""Measuring: how fast, how large, how dear."""
