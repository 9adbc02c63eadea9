"""What was stored, known or refused is said in a few lines."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_new_memory_a_known_one_and_a_refused_one(shell: Shell) -> None:
    stored = shell.say("remember", "The port is 9090").out.splitlines()
    assert stored[0].startswith("remembered mem_") and stored[0].endswith("  PROJECT")
    assert stored[1] == "  The port is 9090"
    assert shell.say("remember", "The port is 9090").out.startswith("already stored as mem_")
    refused = shell.say("remember", " ")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == "limpet: there is nothing to remember: the text is empty; give a text\n"


def test_a_private_memory_says_how_to_see_it(shell: Shell) -> None:
    told = shell.say("remember", "Kept for the owner", "--sensitivity", "private").out
    assert "stored as private: shown only with --private" in told
