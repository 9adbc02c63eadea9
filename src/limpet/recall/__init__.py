"""Find memories: by a question, around a memory, and in the order of time."""
