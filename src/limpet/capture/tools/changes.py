"""Describe the edits and commands between a failure and its fix, and decide which of them may be the fix.

An edit counts if it touches a file that the failure or its command names, a file that a failed test tests, or a line
with a name from the error. Edits that only add print statements or skip a test never count. Edits of notes count only
if the failure names the file. A command counts if it contains such a name. An edit of a settings file, or a command
that prepares the environment, counts only if it is the only change.
"""

from __future__ import annotations

import re

from limpet.capture.tools.observe import Observation
from limpet.capture.tools.shell import Run
from limpet.lean.digest import sha256
from limpet.lean.pattern import lazy
from limpet.text.error_signature import find_tested_file
from limpet.text.words import word_set

_MOST_LINES, _LONGEST_EDIT, _LONGEST_LINE, _LONGEST_COMMAND = 12, 600, 200, 400
MOST_CLUES = 40

# A path is read as a whole and its ending compared, because a pattern with the ending would be tried at every letter.
_PATH = lazy(r"[\w@./\\-]++")
_FILE_NAME = lazy(
    r"[\w-]{1,60}+\.(?:py|pyi|js|jsx|ts|tsx|mjs|cjs|go|rs|rb|java|kt|c|cc|cpp|h|hpp|cs|php|swift|vue|svelte|sql|sh|toml"
    r"|cfg|ini|json|ya?ml|lock|pem|env|css|scss|html|gradle|tf|proto|ex|exs|scala|md|rst)"
)
_FAILED_TEST = lazy(
    r"^[^\w\n]*+(?:FAIL(?:ED)?|ERROR)\b.*|^[ \t]*+[^\s:]++:\d++(?!.*Warning)|\([^\s()]+:\d++:\d++\)", re.M
)
"""The parts of an output that name a test which failed; others may name tests which passed."""
_QUOTED_NAME = lazy(r"['\"`‘]([@\w][\w.@/-]{1,60})['\"`’]")
_IDENTIFIER = lazy(
    r"[A-Za-z]\w*+(?:[._/-]\w++)++|[A-Za-z]\w{2,60}+(?=\()|(?<=\)\.)\w++|[a-z]++[A-Z]\w*+|[A-Z][a-z0-9]++[A-Z]\w*+"
    r"|[A-Z][A-Z0-9_]{3,}|[a-z]++_\w++|[a-z]++\d\w*+"
)
_CLASS = lazy(r"\w*(?:Error|Exception|Warning|Exit|Interrupt|Fault|Traceback)")
_EMPTY_NAMES = word_set("non-zero exit-code npm err errno stdout stderr http https www node_modules site-packages")
_WORD = lazy(r"[\w@](?:[\w.@/-]*\w)?")
_AROUND = 3
"""The number of lines after the error line that are searched for names."""
_SETTING = lazy(
    r"config|settings|conftest|dockerfile|makefile|compose|requirements|package\.json|\.env\b|\.(?:toml|cfg|ini|ya?ml|lock"
    r"|properties|csproj|gradle|cmake|tf|conf)\b",
    re.I,
)

_NOTES = (".md", ".rst", ".txt", ".adoc")
_NOTE_LIKE_SETTINGS = ("requirements.txt", "cmakelists.txt", "constraints.txt")
_SKIPS = lazy(
    r"mark\.(?:skip|xfail)|unittest\.skip|pytest\.skip|\b(?:it|test|describe)\.(?:skip|only|todo)\b|\bx(?:it|describe)\("
    r"|@(?:Ignore|Disabled)\b|\bt\.Skip\(|#\[ignore|# type: ignore|# noqa|eslint-disable|@ts-(?:ignore|nocheck"
    r"|expect-error)|//\s*nolint"
)
_PRINTS = lazy(r"(?:print|puts|p|dbg!|var_dump|echo)\b[ (]|console\.\w|log(?:ger|ging)?\.\w|fmt\.Print|System\.out")

_REVERTS = lazy(
    r"\bgit\s+(?:checkout(?!\s+-b)|restore|switch(?!\s+-c)|revert|reset\s+--hard|stash(?!\s+(?:pop|apply|list|show)))"
    r"([^;&|\n]*)"
)
_BYPASSES = lazy(
    r"--no-verify\b|--exit-zero\b|--deselect\b|--ignore(?:-glob)?\b|--(?:lf|last-failed)\b|--skip[\w-]*|--exclude[\w-]*"
    r"|\|\|\s*(?:true|:|exit 0|echo\b)|\bSKIP=|--allow-failure\b|--continue-on-error\b|;\s*true\b"
)
_SELECTS = lazy(r"(?:\s-k|\s-t|\s--grep|\s--filter|\s--testNamePattern|\s-run)[= ]+(\"[^\"]*\"|'[^']*'|\S+)")
# Programs that prepare the surroundings of a command. Version control, editors and readers do not.
_NEVER_PREPARES = word_set("git gh glab echo cd python python3 node ruby perl sleep")


def find_clues(text: str, error: str) -> tuple[str, ...]:
    """Return the names, in lower case, that link a later change to a failure.

    They are the file names in the output, the files that the failed tests test, and the identifiers in the error line
    and just below it.
    """
    found = dict.fromkeys(_find_files(text))
    failed = "\n".join(match.group() for match in _FAILED_TEST.finditer(text))
    found |= dict.fromkeys(filter(None, map(find_tested_file, _find_files(failed))))
    found |= dict.fromkeys(_names_in(f"{error}\n{_lines_after(text, error)}"))
    return tuple(found)[-MOST_CLUES:]


def _find_files(text: str) -> list[str]:
    """Return the names of the source files in a text, without their folders, in lower case."""
    names = (_base_name(match.group().rstrip(".-/")) for match in _PATH.finditer(text))
    return [name for name in names if _FILE_NAME.fullmatch(name)]


def _lines_after(text: str, error: str) -> str:
    at = text.find(error[:_LONGEST_LINE])
    return "\n".join(text[at + len(error) :].splitlines()[: _AROUND + 1]) if at >= 0 else ""


def _names_in(error: str) -> list[str]:
    found = [*_QUOTED_NAME.findall(error), *_IDENTIFIER.findall(error)]
    parts = [*found, *(re.split(r"[/\\]", each)[-1] for each in found), *(each.rpartition(".")[2] for each in found)]
    plain = (each.strip("._-/") for each in parts)
    return [each.lower() for each in plain if len(each) > 2 and not _CLASS.fullmatch(each) and not _is_empty(each)]


def _is_empty(name: str) -> bool:
    return name.lower() in _EMPTY_NAMES or name.isdigit()


def short_path(path: str) -> str:
    """Return the last three parts of a path: enough to identify the file, without showing the home folder."""
    return "/".join(part for part in path.replace("\\", "/").split("/")[-3:] if part)


def touches_clue(seen: Observation, clues: tuple[str, ...], command: str, error: str) -> bool:
    """Tell whether an edit concerns a failure, given the clues, the command and the error line of the failure."""
    if not _may_mend(seen):
        return False
    name = _base_name(seen.files_modified[0])
    if name.endswith(_NOTES) and name not in _NOTE_LIKE_SETTINGS:
        return name in clues
    if name in clues or _is_named(seen.files_modified[0], f"{command} {error}"):
        return True
    old = seen.input.get("old_string", seen.input.get("old_str"))
    gone = old.splitlines() if isinstance(old, str) else []
    return any(names_clue(line, clues) for line in (*_find_added_lines(seen), *gone))


def is_setting(seen: Observation) -> bool:
    """Tell whether an edit changes a settings file. It may fix an error without naming anything from the error."""
    return _may_mend(seen) and _SETTING.search(short_path(seen.files_modified[0])) is not None


def _may_mend(seen: Observation) -> bool:
    fresh = _find_added_lines(seen)
    if not seen.files_modified or not fresh or any(_SKIPS.search(line) for line in fresh):
        return False
    return not all(_PRINTS.match(line.strip()) for line in fresh)


_LEAST_NAME, _LEAST_PREFIX = 3, 6


def _is_named(path: str, text: str) -> bool:
    """Tell whether a text names a file, either by its name without a suffix or by the beginning of a folder name."""
    words = {_stem(_base_name(word.split("::", 1)[0])) for word in _WORD.findall(text)}
    stem = _stem(_base_name(path))
    if len(stem) > _LEAST_NAME and stem in words:
        return True
    folders = [part.lower() for part in re.split(r"[/\\]", short_path(path))[:-1] if len(part) >= _LEAST_PREFIX]
    return any(word[:_LEAST_PREFIX] == part[:_LEAST_PREFIX] for word in words for part in folders)


def names_clue(text: str, clues: tuple[str, ...]) -> bool:
    """Tell whether a text contains one of the clues of a failure as a whole word."""
    words: set[str] = set()
    for word in _WORD.findall(text.lower()):
        words |= {word, _base_name(word), *re.split(r"[._/@-]", word)}
    return any(clue in words for clue in clues)


def may_prepare(run: Run, failed: str) -> bool:
    """Tell whether a command may prepare the environment of a failed one: it installs, starts or moves something."""
    return run.program not in _NEVER_PREPARES or failed.split(" ", 1)[0] == run.program == "git"


def _find_added_lines(seen: Observation) -> list[str]:
    """Return the lines that an edit added."""
    given = seen.input
    old, new = given.get("old_string", given.get("old_str")), given.get("new_string", given.get("new_str"))
    before = {line.strip() for line in old.splitlines()} if isinstance(old, str) else set()
    written = new if isinstance(new, str) else seen.text
    return [line.rstrip() for line in written.splitlines() if line.strip() and line.strip() not in before]


def describe_edit(seen: Observation) -> str:
    """Return a description of an edit: the file, and the lines that were added or replaced."""
    path, fresh = short_path(seen.files_modified[0]), _find_added_lines(seen)
    old = seen.input.get("old_string", seen.input.get("old_str"))
    gone = [line.strip() for line in old.splitlines() if line.strip()] if isinstance(old, str) else []
    if len(fresh) == len(gone) == 1 and len(gone[0]) <= _LONGEST_LINE:
        return f"in {path}, `{gone[0]}` became `{fresh[0].strip()[:_LONGEST_LINE]}`"
    if len(fresh) == 1:
        return f"in {path}, added `{fresh[0].strip()[:_LONGEST_LINE]}`"
    shown: list[str] = []
    room = _LONGEST_EDIT
    for line in fresh[:_MOST_LINES]:
        room -= len(line)
        if shown and room < 0:
            break
        shown.append(f"    {line[:_LONGEST_LINE]}")
    if len(fresh) > len(shown):
        shown.append(f"    … ({len(fresh) - len(shown)} more lines)")
    return "\n".join((f"in {path}, wrote", *shown))


def edit_key(seen: Observation, *, undone: bool = False) -> str:
    """Return a key that identifies an edit by its old and new text, or an empty string if they are unknown.

    If `undone` is true, return the key of the edit that would reverse it.
    """
    given = seen.input
    old, new = given.get("old_string", given.get("old_str")), given.get("new_string", given.get("new_str"))
    if not isinstance(old, str) or not isinstance(new, str):
        return ""
    parts = (new, old) if undone else (old, new)
    return ":".join(sha256(part.encode("utf-8", "surrogatepass")).hexdigest()[:8] for part in parts)


def describe_command(command: str) -> str:
    """Return a command on one line, cut if it is very long."""
    line = " ".join(command.split())
    return line if len(line) <= _LONGEST_COMMAND else f"{line[:_LONGEST_COMMAND]} …"


def find_reverted(command: str) -> tuple[str, ...] | None:
    """Return the names of the files that a git command reverts, or None if it reverts nothing.

    An empty tuple means all files.
    """
    found = _REVERTS.search(command)
    if found is None:
        return None
    return tuple(_find_files(found.group(1)))


def narrows(command: str, failed: str, clues: tuple[str, ...]) -> bool:
    """Tell whether a command avoids what failed before, because it skips, ignores or does not select it.

    `failed` is the command that failed.
    """
    known = {match.group() for match in _BYPASSES.finditer(failed)}
    if any(match.group() not in known for match in _BYPASSES.finditer(command)):
        return True
    chosen = [match.group(1).strip("'\"") for match in _SELECTS.finditer(f" {command}")]
    return any(each not in failed and ("not " in each or not _is_among(each, clues)) for each in chosen)


def _is_among(selected: str, clues: tuple[str, ...]) -> bool:
    return any(clue.partition(".")[0].removeprefix("test_") in selected.lower() for clue in clues)


def _base_name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1].lower()


def _stem(name: str) -> str:
    stem = name.partition(".")[0].replace("-", "_")
    return stem.removeprefix("test_").removesuffix("_test").removesuffix("_spec") or name
