"""Scheduler, session, dispatch, replay and scripts."""
