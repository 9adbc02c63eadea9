"""Find memories: by a question, by their relation to a memory, and by time."""
