"""A text is cut into claims that can stand alone."""

from __future__ import annotations

from limpet.text.claims import split_claims, split_sentences


def test_sentences_end_where_people_end_them() -> None:
    text = "See foo.py, v. 3.11, e.g. here. Is it? Yes! (Really.) And so on..."
    assert split_sentences(text) == ["See foo.py, v. 3.11, e.g. here.", "Is it?", "Yes!", "(Really.)", "And so on..."]


def test_a_point_carries_the_line_that_governs_it() -> None:
    found = split_claims("Never:\n- this\n- that\n\nAlways good.\n\n## Don'ts\n\n- more\n\n## Facts\n\n- some\n")
    assert [(claim.text, claim.under) for claim in found] == [
        ("- this", "Never:"),
        ("- that", "Never:"),
        ("Always good.", ""),
        ("- more", "Don'ts"),
        ("- some", ""),
    ]


def test_a_list_may_begin_further_to_the_right_than_it_goes_on() -> None:
    found = split_claims("  * the first point\n    goes on\n* the second point")
    assert [claim.text for claim in found] == ["* the first point\n    goes on", "* the second point"]


def test_a_fence_within_a_fence_is_part_of_one_block() -> None:
    block = "````md\n```\nnever deploy\n```\n\nnever deploy\n````"
    found = split_claims(f"Before.\n{block}\nAfter.\n```\nnot closed")
    assert [(claim.text, claim.is_block) for claim in found] == [
        ("Before.", False),
        (block, True),
        ("After.", False),
        ("```\nnot closed", True),
    ]


def test_a_line_with_code_in_three_marks_opens_no_fence() -> None:
    assert [claim.is_block for claim in split_claims("```make``` builds it.\n\nThen deploy.")] == [False, False]
