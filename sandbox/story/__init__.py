"""The story, pure: events, stage, perception, facts, grants, views. Knows neither clock, disk nor network."""
