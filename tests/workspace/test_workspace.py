"""The package loads little."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from limpet import workspace


def test_everything_promised_can_be_imported() -> None:
    assert all(getattr(workspace, name) is not None for name in workspace.__all__)
    with pytest.raises(AttributeError):
        workspace.nothing  # noqa: B018


def test_locating_loads_little_and_starts_nothing() -> None:
    code = (
        "import sys; before = set(sys.modules); from limpet import workspace; workspace.locate('.');"
        "heavy = {'pathlib', 'subprocess', 'typing', 'limpet.workspace.citations', 'limpet.model', 'unicodedata'};"
        "print(sorted(heavy & (set(sys.modules) - before)))"
    )
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(workspace.__file__))))
    env = {**os.environ, "PYTHONPATH": source}
    result = subprocess.run([sys.executable, "-S", "-c", code], env=env, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
