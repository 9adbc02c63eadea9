"""Which calls a pattern matches."""

from __future__ import annotations

import pytest

from limpet.model.call_pattern import CallPattern, PatternKind, decode_pattern


def command(*words: str, text: str = "") -> CallPattern:
    return CallPattern(kind=PatternKind.COMMAND, words=words, text=text)


@pytest.mark.parametrize(
    ("pattern", "line", "expected"),
    [
        (command("pip"), "cd x && sudo pip install requests", True),
        (command("pip"), "python -m pip install requests", True),
        (command("pip"), "echo pip", False),
        (command("pip"), "pipx run black", False),
        (command("git", "push", "--force"), "git push origin main --force", True),
        (command("git", "push", "--force"), "git push --force-with-lease", False),
        (command("git", "push", "--force"), "git push origin main", False),
        (command("git", "push", "--force"), 'git commit -m "git push --force"', False),
        (command("git", "commit", text="co-authored-by"), 'git commit -m "x\n\nCo-Authored-By: y"', True),
        (command("git", "commit", text="co-authored-by"), 'git commit -m "x"', False),
        (command("rm", "-rf"), "", False),
    ],
)
def test_a_command_matches_by_its_program_and_arguments(pattern: CallPattern, line: str, expected: bool) -> None:
    assert pattern.matches(tool="Bash", command=line) is expected


@pytest.mark.parametrize(
    ("wanted", "file", "expected"),
    [
        ("src/app.py", "src/app.py", True),
        ("src/app.py", "/home/x/repo/src/app.py", True),
        ("app.py", "src/myapp.py", False),
        ("generated/", "src/generated/api.ts", True),
        ("generated/", "generated/deep/api.ts", True),
        ("generated/", "src/generated.ts", False),
        ("generated/", "src\\generated\\api.ts", True),
    ],
)
def test_a_file_matches_by_its_path_or_its_folder(wanted: str, file: str, expected: bool) -> None:
    assert CallPattern(kind=PatternKind.FILE, words=(wanted,)).matches(tool="Edit", files=(file,)) is expected


def test_a_tool_matches_by_its_name_or_its_server() -> None:
    assert CallPattern(kind=PatternKind.TOOL, words=("WebSearch",)).matches(tool="WebSearch")
    assert not CallPattern(kind=PatternKind.TOOL, words=("WebSearch",)).matches(tool="WebFetch")
    server = CallPattern(kind=PatternKind.TOOL, words=("mcp__playwright",))
    assert server.matches(tool="mcp__playwright__click") and not server.matches(tool="mcp__playwright2__click")


def test_a_pattern_survives_its_encoding() -> None:
    for pattern in (command("git", "commit", text="x"), CallPattern(kind=PatternKind.FILE, words=("a/",))):
        assert decode_pattern(pattern.encode()) == pattern


@pytest.mark.parametrize(
    "given", [{}, {"kind": "command", "words": []}, {"kind": "x", "words": ["a"]}, {"kind": "tool"}]
)
def test_what_is_no_pattern_is_refused(given: dict[str, object]) -> None:
    with pytest.raises((KeyError, ValueError)):
        decode_pattern(given)
