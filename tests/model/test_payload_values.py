"""What cannot be read in a payload counts as missing."""

from __future__ import annotations

import pytest

from limpet.model.payload_values import decode_links, get_counts, get_text, get_texts, replace_texts


def test_a_text_is_returned_and_anything_else_is_not() -> None:
    assert get_text({"name": "limpet"}, "name", "none") == "limpet"
    assert get_text({"name": None}, "name", "none") is None
    assert get_text({}, "name", "none") == get_text({"name": 7}, "name", "none") == "none"


def test_only_the_texts_of_a_list_are_returned() -> None:
    assert get_texts({"tags": ["one", 2, None, "three"]}, "tags") == ["one", "three"]
    assert get_texts({"tags": "one"}, "tags") == get_texts({}, "tags") == []


@pytest.mark.parametrize(("given", "count"), [(3, 3), (-1, 0), (1 << 53, 0), ("3", 0), (None, 0)])
def test_a_count_is_never_negative_or_huge(given: object, count: int) -> None:
    assert get_counts({"seen": given}, ("seen", "kept")) == {"seen": count, "kept": 0}


def test_a_known_text_stays_unless_the_payload_has_another() -> None:
    known = {"branch": "main", "commit": None}
    assert replace_texts(known, {"branch": 7, "commit": "c1", "project": "p"}) == {"branch": "main", "commit": "c1"}


def test_links_are_pairs_or_objects() -> None:
    links = [["similar", "mem_1"], {"relation": "concurrent", "to": "mem_2"}, ["similar"], ["similar", 3], "similar"]
    assert decode_links({"links": links}) == [("similar", "mem_1"), ("concurrent", "mem_2")]
    assert decode_links({"links": "similar"}) == decode_links({}) == []
