"""Distil sessions: write facts, episodes and preferences from them to `.claude/memory/MEMORY.md` and to CLAUDE.md.

The sources are stashes (files that record what a session did and decided), the user's objections in friction reports,
and kept memories. CLAUDE.md, or the instruction file of another host, gets a block with the most important lines.
"""
