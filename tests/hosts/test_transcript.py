"""A transcript is read line by line from any offset, whatever it holds."""

from __future__ import annotations

import io

from limpet.hosts.transcript import SkippedLines, find_line_before, parse_object, read_lines

LINES = b'{"a": 1}\n{"b": 2}\nnot json\n{"a": 3}\n{"a": 4'


def read(
    data: bytes, *, start: int = 0, longest: int = 1000
) -> tuple[list[tuple[int, int, dict[str, int]]], SkippedLines]:
    skipped = SkippedLines()
    found = read_lines(io.BytesIO(data), start=start, matters=lambda raw: True, skipped=skipped, longest=longest)
    return [(line.number, line.start, line.record) for line in found], skipped


def test_objects_have_their_line_and_offset_and_broken_lines_are_counted() -> None:
    found, skipped = read(LINES)
    assert found == [(1, 0, {"a": 1}), (2, 9, {"b": 2}), (4, 27, {"a": 3})]
    assert (skipped.broken, skipped.too_long) == (1, 0)


def test_reading_goes_on_from_an_offset_with_the_same_numbers() -> None:
    assert read(LINES, start=9)[0] == read(LINES)[0][1:]


def test_a_last_line_that_is_whole_is_used_without_its_newline() -> None:
    assert [record for *_, record in read(LINES + b"}")[0]][-1] == {"a": 4}


def test_a_line_too_long_to_matter_is_skipped() -> None:
    found, skipped = read(b'{"x": "' + b"y" * 500 + b'"}\n{"a": 1}\n', longest=100)
    assert [record for *_, record in found] == [{"a": 1}]
    assert skipped.too_long == 1


def test_the_last_line_before_an_offset_is_found_by_its_words() -> None:
    file = io.BytesIO(LINES)
    file.seek(3)
    assert find_line_before(file, 27, b'"b"') == {"b": 2}
    assert find_line_before(file, 9, b'"b"') is None
    assert file.tell() == 3


def test_only_an_object_is_an_object() -> None:
    assert (parse_object(b"[1]"), parse_object(b"{"), parse_object(b"[" * 100_000)) == (None, None, None)
