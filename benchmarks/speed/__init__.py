"""How fast memories are found as their number grows, beside raw FTS5 in the same run."""
