"""The files of a tool call are named as the project names them."""

from __future__ import annotations

import pytest

from limpet.model.event import (
    ToolFinished,
)
from tests.hosts.reading import read_payload, read_tool_call
from tests.hosts.recorded import payloads


def test_a_read_file_is_named_as_the_project_names_it() -> None:
    found = read_payload(payloads()["PostToolUse:Read"])
    assert isinstance(found, ToolFinished)
    assert (found.output, found.files_read, found.files_modified) == ("hello\n", ("a.txt",), ())


@pytest.mark.parametrize(
    ("path", "cwd", "named"),
    [
        ("/home/dev/project/src/a.py", "/home/dev/project", "src/a.py"),
        ("src/../b.py", "/home/dev/project", "b.py"),
        ("/home/dev/project/../other/c.py", "/home/dev/project", "/home/dev/other/c.py"),
        ("/home/dev/project-two/d.py", "/home/dev/project", "/home/dev/project-two/d.py"),
        ("C:\\work\\proj\\src\\e.py", "C:\\work\\proj", "src/e.py"),
        ("f.py", "", "f.py"),
    ],
)
def test_a_path_is_relative_only_where_it_is_inside(path: str, cwd: str, named: str) -> None:
    assert read_tool_call("Edit", {"file_path": path, "new_string": "x"}, {}, cwd=cwd).files_modified == (named,)
