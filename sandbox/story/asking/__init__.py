"""Answers for people: who knows something and why, who believes it, what a line would teach."""
