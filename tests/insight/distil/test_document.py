"""MEMORY.md is edited in place: what is not changed stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.insight.distil.document import Certainty, MemoryDocument, Preference, SessionEpisode

WHOLE = """# Project Memory

## Facts
- one
  with a second line
- two

Prose.

## Episodes

### 2026-01-01 first
- a
- b
- c

## Preferences
### High Confidence
- Never add docstrings (rejected 12/15 times)
- Keep it short (7 observations)
"""


PIECES = ["a", "#", " ", "-", "\n", "`", "## Facts\n", "### x\n", "- y\n", "(3 observations)\n"]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_reading_and_writing_changes_nothing(text: str) -> None:
    for whole in (f"x{text}", f"x{text}".replace("\n", "\r\n")):
        assert MemoryDocument.parse(whole).render() == whole


@given(st.lists(st.sampled_from([*PIECES, "\r\n", "- z\r\n", "\r"])).map("".join))
def test_reading_and_writing_keeps_mixed_line_ends(text: str) -> None:
    assert MemoryDocument.parse(f"x{text}").render() == f"x{text}"


@pytest.mark.parametrize("most", ["\n", "\r\n"])
def test_a_new_line_ends_like_most_and_the_others_stay_as_they_are(most: str) -> None:
    other = "\r\n" if most == "\n" else "\n"
    mixed = WHOLE.replace("\n", most).replace(f"- b{most}", f"- b{other}")
    document = MemoryDocument.parse(mixed)
    document.change_facts(removed=["one"], added=["three"])
    document.add_episodes([SessionEpisode(title="next", bullets=("d",))])
    gone = f"- one{most}  with a second line{most}"
    assert document.render() == mixed.replace(gone, "").replace(f"Prose.{most}", f"Prose.{most}- three{most}").replace(
        f"- c{most}", f"- c{most}{most}### next{most}- d{most}"
    )


def test_the_parts_are_read() -> None:
    document = MemoryDocument.parse(WHOLE)
    assert document.facts == ["one", "two"]
    assert document.episodes == [SessionEpisode(title="2026-01-01 first", bullets=("a", "b", "c"))]
    assert document.preferences == [Preference(text="Keep it short", count=7)]


def test_a_fact_is_removed_with_the_lines_that_continue_it() -> None:
    document = MemoryDocument.parse(WHOLE)
    document.change_facts(removed=["one"], added=["three"])
    assert document.render() == WHOLE.replace("- one\n  with a second line\n", "").replace(
        "Prose.\n", "Prose.\n- three\n"
    )


def test_episodes_are_added_below_the_others() -> None:
    document = MemoryDocument.parse(WHOLE)
    document.add_episodes([SessionEpisode(title="2026-01-02 next", bullets=("d", "e", "f"))])
    assert document.render() == WHOLE.replace("- c\n", "- c\n\n### 2026-01-02 next\n- d\n- e\n- f\n")
    document.drop_episodes(document.episodes[1:])
    assert document.render() == WHOLE


def test_a_new_document_has_only_the_sections_that_it_needs() -> None:
    document = MemoryDocument.parse("")
    document.change_facts(removed=(), added=["one"])
    assert document.render().endswith("\n\n## Facts\n- one\n")
    assert "Episodes" not in document.render()


def test_preferences_move_between_tiers_and_other_lines_stay() -> None:
    document = MemoryDocument.parse(WHOLE)
    document.set_preferences([Preference(text="Keep it short", count=4), Preference(text="Use tabs", count=1)])
    assert document.render().endswith(
        "### High Confidence\n- Never add docstrings (rejected 12/15 times)\n\n"
        "### Medium Confidence\n- Keep it short (4 observations)\n\n"
        "### Low Confidence\n- Use tabs (1 observation)\n"
    )
    document.set_preferences([Preference(text="Use tabs", count=5)])
    assert document.render().endswith(
        "### High Confidence\n- Use tabs (5 observations)\n- Never add docstrings (rejected 12/15 times)\n"
    )


@pytest.mark.parametrize(
    ("count", "certainty"),
    [(1, Certainty.LOW), (2, Certainty.LOW), (3, Certainty.MEDIUM), (4, Certainty.MEDIUM), (5, Certainty.HIGH)],
)
def test_the_certainty_follows_from_the_count(count: int, certainty: Certainty) -> None:
    assert Certainty.of(count) is certainty


@pytest.mark.parametrize(
    "fenced",
    [
        "~~~~md\n```\n## Facts\n- no\n```\n## Facts\n~~~~",
        "````\n```\n## Facts\n````",
        "- item\n  ````\n  ```\n## Facts\n  ````",
        "```\n~~~\n## Facts\n```",
        "```\n``` is how a fence opens\n## Facts\n```",
    ],
)
def test_only_the_marks_that_opened_a_fence_close_it(fenced: str) -> None:
    document = MemoryDocument.parse(f"# x\n{fenced}\n## Facts\n- yes\n")
    assert document.facts == ["yes"] and document.render() == f"# x\n{fenced}\n## Facts\n- yes\n"


def test_code_between_backticks_at_the_start_of_a_line_opens_no_fence() -> None:
    assert MemoryDocument.parse("```x``` is code\n## Facts\n- yes\n").facts == ["yes"]


def test_a_heading_in_a_fence_is_no_section() -> None:
    document = MemoryDocument.parse("# x\n```md\n## Facts\n- no\n```\n")
    assert document.facts == []


def test_only_the_episode_with_the_same_bullets_is_dropped() -> None:
    first, second = (SessionEpisode(title="2026-01-01 lsp", bullets=bullets) for bullets in (("a", "b"), ("c", "d")))
    document = MemoryDocument.parse("")
    document.add_episodes([first, second])
    document.drop_episodes([first])
    assert document.episodes == [second]
