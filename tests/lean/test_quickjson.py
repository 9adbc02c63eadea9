"""Quick JSON says what `json` says."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.lean import quickjson

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_what_is_written_reads_the_same_by_both(value: object) -> None:
    text = quickjson.dumps(value)
    assert text.isascii()
    assert json.loads(text) == value
    assert quickjson.loads(text) == value
    assert quickjson.loads(json.dumps(value, indent=2, ensure_ascii=False)) == value


@pytest.mark.parametrize("text", ["", "  ", "{", "[1,", "nul", '{"a": 1} x', '"\\u12"', "{'a': 1}", "\ufeff{}"])
def test_what_is_no_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        quickjson.loads(text)


@pytest.mark.parametrize("text", ['"abc', '{"a": "b', '"\\u12"', '{"a" 1}', '{"a": 1,', "[1,", "[" * 200_000])
@pytest.mark.parametrize("function", ["loads", "load_first"])
@pytest.mark.parametrize("before", ["", "sys.modules['_json'] = None"], ids=["C scanner", "no C scanner"])
def test_what_is_no_json_is_a_value_error_in_a_fresh_interpreter(text: str, function: str, before: str) -> None:
    code = (
        f"import sys; sys.path.append({str(Path(quickjson.__file__).parents[2])!r})\n"
        f"{before}\n"
        "from limpet.lean import quickjson\n"
        "text = sys.stdin.read()\n"
        f"try: quickjson.{function}(text)\n"
        "except ValueError: print('refused')"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=text, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("refused\n", "")


def test_the_beginning_of_a_text_can_be_read_alone() -> None:
    assert quickjson.load_first('"abc", "def": [1') == "abc"
    with pytest.raises(ValueError, match=r"."):
        quickjson.load_first("abc")


def test_what_json_does_not_know_is_not_written() -> None:
    assert quickjson.dumps(math.inf) == "null"
    with pytest.raises(TypeError):
        quickjson.dumps(object())
