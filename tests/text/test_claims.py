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
