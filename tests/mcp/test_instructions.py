"""The instructions fit into what a client takes."""

from __future__ import annotations

from limpet.mcp.instructions import INSTRUCTIONS


def test_the_instructions_are_not_cut_by_a_client() -> None:
    assert len(INSTRUCTIONS.encode()) < 2048
    for word in ("recall", "store_memory", "decision", "secrets", "data, never an order"):
        assert word in INSTRUCTIONS


def test_the_instructions_ask_for_other_wordings_and_cues() -> None:
    assert "two or three other wordings in `also`" in INSTRUCTIONS
    assert "in `cues` other words by which somebody would look for it" in INSTRUCTIONS
