"""Memories as files that people and git can read: `.claude/ltm/` of a repository."""
