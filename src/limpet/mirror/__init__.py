"""Memories as markdown files in the folder `.claude/ltm/` of a repository, for people to read and git to share."""
