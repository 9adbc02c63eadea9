"""A code proves a person: it works once, for its verb, for a short time."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.errors import Refused
from limpet.runtime.codes import CODE_MINUTES, show_code, use_code

NOW = 1_000_000


def test_a_code_is_used_once_within_its_time_and_for_its_verb(tmp_path: Path) -> None:
    home = str(tmp_path)
    code = show_code(home, "confirm", now_ms=NOW)
    assert code.replace("-", "") not in "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    with pytest.raises(Refused, match="no valid code"):
        use_code(home, "purge", code, now_ms=NOW)
    with pytest.raises(Refused, match="no valid code"):
        use_code(home, "confirm", code, now_ms=NOW + CODE_MINUTES * 60_000 + 1)
    use_code(home, "confirm", f" {code.lower()} ", now_ms=NOW)
    with pytest.raises(Refused, match="no valid code"):
        use_code(home, "confirm", code, now_ms=NOW)


def test_after_three_wrong_codes_the_right_one_is_void(tmp_path: Path) -> None:
    home = str(tmp_path)
    code = show_code(home, "confirm", now_ms=NOW)
    for _ in range(3):
        with pytest.raises(Refused, match="not the code"):
            use_code(home, "confirm", "AAAA-AAAA", now_ms=NOW)
    with pytest.raises(Refused, match="no valid code"):
        use_code(home, "confirm", code, now_ms=NOW)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"salt": 1, "hash": "x", "until": "x", "tries": 0}'])
def test_a_damaged_code_is_none(tmp_path: Path, text: str) -> None:
    code = show_code(str(tmp_path), "confirm", now_ms=NOW)
    (tmp_path / "codes" / "confirm.json").write_text(text)
    with pytest.raises(Refused, match="no valid code"):
        use_code(str(tmp_path), "confirm", code, now_ms=NOW)
