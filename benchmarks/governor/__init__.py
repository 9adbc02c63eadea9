"""Measure how many attacks are detected, how many honest notes are suspected, and what it costs."""
