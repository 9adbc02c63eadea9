"""The block has all facts, sure preferences and the last episodes, in at most 150 lines."""

from __future__ import annotations

from limpet.hosts.instruction_files import END, START
from limpet.insight.distil.block import MOST_IMPORTED, MOST_LINES, refer_to, render_memory_block
from limpet.insight.distil.document import MemoryDocument, Preference, SessionEpisode


def document(facts: int, episodes: int, *, sure: int = 1) -> MemoryDocument:
    made = MemoryDocument.parse("")
    made.change_facts(removed=(), added=[f"fact {number}" for number in range(facts)])
    made.add_episodes(
        [SessionEpisode(title=f"day {number}", bullets=("a", "b", "c", "d", "e")) for number in range(episodes)]
    )
    made.set_preferences([*(Preference(text=f"rule {number}", count=5) for number in range(sure))])
    return made


def test_low_confidence_and_old_episodes_are_left_out() -> None:
    made = document(2, 7)
    made.set_preferences([Preference(text="sure", count=5), Preference(text="unsure", count=4)])
    lines = render_memory_block(made, reference="@x")
    assert (lines[0], lines[2], lines[-1]) == (START, "@x", END)
    assert {"- fact 0", "- fact 1", "- sure", "### day 6", "### day 2"} <= {*lines}
    assert not {"- unsure", "### day 1"} & {*lines}


def test_the_block_is_never_longer_than_its_limit() -> None:
    for facts in (0, 100, 140, 150, 151, 1000):
        for sure in (0, 10, 200):
            for episodes in (0, 1, 9):
                lines = render_memory_block(document(facts, episodes, sure=sure), reference="@x")
                assert len(lines) <= MOST_LINES
                assert (lines[0], lines[-1]) == (START, END)
                if facts and sure < 100:
                    assert f"- fact {facts - 1}" in lines


def test_a_line_that_is_too_long_stays_in_memory_md() -> None:
    made = MemoryDocument.parse("## Facts\n- " + "x" * 200 + "\n- short one\n")
    assert render_memory_block(made, reference="@x")[3:-1] == ["", "## Facts", "- short one"]


def test_the_reference_is_relative_to_the_file() -> None:
    memory = "/p/.claude/memory/MEMORY.md"
    assert refer_to(memory, "/p/CLAUDE.md", tokens=10) == "@.claude/memory/MEMORY.md"
    assert refer_to(memory, "/p/.claude/CLAUDE.md", tokens=MOST_IMPORTED) == "@memory/MEMORY.md"


def test_a_large_memory_md_is_named_and_not_imported() -> None:
    reference = refer_to("/p/.claude/memory/MEMORY.md", "/p/CLAUDE.md", tokens=MOST_IMPORTED + 1)
    assert reference.startswith("More is in .claude/memory/MEMORY.md;")
