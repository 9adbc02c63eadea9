"""Measure how well memories are found through the public API, on public questions and on our own."""
