"""How many attacks on a memory are seen, how many honest notes are suspected, and what it costs."""
