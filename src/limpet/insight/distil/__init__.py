"""Distil what sessions left behind into `.claude/memory/MEMORY.md` and a block of the host's instruction file."""
