"""Measure how fast memories are found as their number grows, compared with raw FTS5 in the same run."""
