"""Convert a tool call and its result to an event that has the same form for every host.

Claude Code reports a result as an object that depends on the tool, Codex as plain text after a short header, Gemini CLI
in a field `llmContent`, and MCP servers as a list of blocks. The data is not trusted: every field may be missing or
have an unexpected type.
"""

from __future__ import annotations

import posixpath
from datetime import datetime
from typing import Any

from limpet.hosts import HOSTS, names_of
from limpet.hosts.payload import (
    clean_value,
    cut_middle,
    first_text,
    integer_of,
    list_of,
    mapping_of,
    message_text,
    text_of,
    to_one_line,
)
from limpet.hosts.tool_actions import action_of
from limpet.model.event import Action, ToolFinished

_INPUT_FIELDS = {
    Action.SEARCH: ("pattern", "query", "path"),
    Action.FETCH: ("url", "query", "prompt"),
    Action.DELEGATE: ("description", "prompt", "message", "objective"),
    Action.OTHER: ("query", "url", "command", "skill", "name"),
    Action.MEMORY: ("query",),
}
_PATH_FIELDS = ("file_path", "notebook_path", "absolute_path", "path", "filePath", "target_file")
_WRITTEN_FIELDS = ("content", "new_string", "new_source", "new_str", "file_text", "insert_text", "contents")
_MOST_FILES = 50
_LONGEST_PATH = 4_096
_FILE_MARKERS = ("*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "+++ b/")
_OUTPUT_FIELDS = {
    Action.RUN: ("aggregated_output", "formatted_output", "output", "llmContent", "content"),
    Action.READ: ("file", "content", "llmContent", "output", "text"),
    Action.SEARCH: ("content", "filenames", "matches", "results", "llmContent", "output"),
    Action.FETCH: ("result", "results", "content", "llmContent", "output"),
}
_ANY_OUTPUT_FIELDS = ("content", "llmContent", "result", "output", "text", "message", "results")

_REFUSALS = tuple(text for host in HOSTS for text in names_of(host).REFUSALS)


def make_tool_event(
    *,
    session: str,
    at: datetime,
    tool: str,
    given: object,
    answer: object,
    cwd: str,
    failed: bool = False,
    interrupted: bool = False,
    subagent: str | None = None,
    line: int | None = None,
) -> ToolFinished:
    """Convert a finished tool call to an event.

    `given` is the input of the tool and `answer` its result, both as the host reports them. `cwd` is the agent's
    working directory, and `line` the number of the line in the transcript.
    """
    action = action_of(tool)
    values = clean_value(given) if isinstance(given, dict) else {"input": text_of(given)} if given else {}
    output, code = _read_output(action, answer)
    failed = failed or bool(code) or _reports_failure(answer)
    if action is Action.EDIT and not failed:
        output = _find_written_text(values, mapping_of(answer)) or output
    return ToolFinished(
        session=session,
        at=at,
        tool=tool,
        action=action,
        input=values,
        command=_format_command(action, values),
        output=cut_middle(output),
        failed=failed,
        interrupted=interrupted or _was_interrupted(answer, output, failed),
        files_read=_find_named_files(values, answer, cwd) if action is Action.READ else (),
        files_modified=_find_named_files(values, answer, cwd) if action is Action.EDIT and not failed else (),
        subagent=subagent,
        line=line,
    )


def _format_command(action: Action, values: dict[str, Any]) -> str:
    if action is not Action.RUN:
        return to_one_line(first_text(values, *_INPUT_FIELDS.get(action, ())))
    found = values.get("command", values.get("cmd"))
    if isinstance(found, list):
        words = [text_of(word) for word in found]
        # `bash -lc` is added by the host; only the script after it was asked for.
        shell = len(words) == 3 and words[1] in ("-c", "-lc", "-Command")
        found = words[2] if shell else " ".join(words)
    lines = text_of(found).replace("\\\n", " ").splitlines()
    return to_one_line("; ".join(filter(None, map(str.strip, lines))))


def _read_output(action: Action, answer: object) -> tuple[str, int | None]:
    """Return the output of a tool as text, and its exit code; the code is None if the host does not report it."""
    if not isinstance(answer, dict):
        text = message_text(answer)
        return unwrap_output(text) if action in (Action.RUN, Action.EDIT) else (text, None)
    text, code = _find_result_text(action, answer), _read_exit_code(answer)
    if "llmContent" in answer:
        text, told = unwrap_output(text.removeprefix("<untrusted_context>\n").removesuffix("\n</untrusted_context>"))
        code = told if code is None else code
    return text, code


def _find_result_text(action: Action, answer: dict[str, Any]) -> str:
    if "stdout" in answer or "stderr" in answer:
        both = (text_of(answer.get("stdout")), text_of(answer.get("stderr")))
        return "\n".join(part.rstrip("\n") if part is both[0] else part for part in both if part)
    for name in (*_OUTPUT_FIELDS.get(action, ()), *_ANY_OUTPUT_FIELDS):
        found = message_text(answer.get(name))
        if found:
            return found
    error = answer.get("error")
    found = message_text(error) or first_text(mapping_of(error), "message") or _find_structured_text(answer)
    # The other texts in the result of an edit are the old file; in that of a sub-agent, how it was started.
    if found or action in (Action.EDIT, Action.DELEGATE):
        return found
    return "\n".join(filter(None, (text_of(each) for each in answer.values())))


def _find_structured_text(answer: dict[str, Any]) -> str:
    found = answer.get("structuredContent")
    if not isinstance(found, dict) or not found:
        return ""
    import json

    return json.dumps(clean_value(found), ensure_ascii=False, default=str)


def unwrap_output(text: str) -> tuple[str, int | None]:
    """Return the output of a command without the lines that a host adds around it, and the exit code in these lines.

    The exit code is None if the lines do not contain one.
    """
    codex, gemini = names_of("codex"), names_of("gemini")
    head, marker, body = text.partition(codex.OUTPUT_BEGINS)
    lines, headers = head.splitlines(), codex.OUTPUT_HEADERS
    if marker and 0 < len(lines) <= len(headers) and all(line.startswith(headers) for line in lines if line):
        return body, _find_exit_code(lines, codex.EXIT_CODES)
    if not text.startswith(gemini.OUTPUT_LABEL):
        return text, None
    lines, footers = text[len(gemini.OUTPUT_LABEL) :].splitlines(), []
    while lines and lines[-1].startswith(gemini.OUTPUT_FOOTERS):
        footers.append(lines.pop())
    body = "\n".join(lines)
    return "" if body == "(empty)" else body, _find_exit_code(footers, gemini.EXIT_CODES)


def _find_exit_code(lines: list[str], labels: tuple[str, ...]) -> int | None:
    for line in lines:
        for label in labels:
            number = line.removeprefix(label).strip()
            if number != line.strip() and number.isdecimal():
                return int(number[:6])
    return None


def _read_exit_code(answer: dict[str, Any]) -> int | None:
    for place in (answer, mapping_of(answer.get("metadata")), mapping_of(answer.get("data"))):
        for name in ("exit_code", "exitCode", "returncode"):
            code = integer_of(place.get(name))
            if code is not None:
                return code
    return None


def _reports_failure(answer: object) -> bool:
    if not isinstance(answer, dict):
        return False
    if answer.get("isError") is True or answer.get("is_error") is True or answer.get("success") is False:
        return True
    return bool(answer.get("error")) or answer.get("status") in ("error", "failed", "failure")


def _was_interrupted(answer: object, output: str, failed: bool) -> bool:
    reply = mapping_of(answer)
    if reply.get("interrupted") is True or reply.get("status") == "cancelled":
        return True
    return (failed or "llmContent" in reply) and output.startswith(_REFUSALS)


def _find_written_text(values: dict[str, Any], answer: dict[str, Any]) -> str:
    """Return the text that an edit wrote to a file; an empty string if neither the input nor the result has it."""
    found = first_text(values, *_WRITTEN_FIELDS)
    if found:
        return found
    edits = [first_text(mapping_of(each), *_WRITTEN_FIELDS) for each in list_of(values.get("edits"))]
    if any(edits):
        return "\n".join(filter(None, edits))
    patch = _find_patch(values)
    if patch:
        return _added_lines(patch.splitlines())
    hunks = [mapping_of(each) for each in list_of(answer.get("structuredPatch"))]
    return _added_lines([text_of(line) for hunk in hunks for line in list_of(hunk.get("lines"))])


def _find_patch(values: dict[str, Any]) -> str:
    found = first_text(values, "patch", "input", "command", "diff")
    listed = values.get("command")
    if not found and isinstance(listed, list) and listed:
        found = text_of(listed[-1])
    return found if "*** Begin Patch" in found or found.startswith(("--- ", "diff ")) else ""


def _find_named_files(values: dict[str, Any], answer: object, cwd: str) -> tuple[str, ...]:
    named = [text_of(values.get(name)) for name in _PATH_FIELDS]
    named += [text_of(each) for name in ("paths", "file_paths") for each in list_of(values.get(name))]
    if not any(named):
        reply = mapping_of(answer)
        named += [first_text(mapping_of(reply.get("file")), "filePath"), text_of(reply.get("filePath"))]
    patch = _find_patch(values).splitlines()
    named += [line[len(mark) :].strip() for line in patch for mark in _FILE_MARKERS if line.startswith(mark)]
    return _relative_paths(cwd, named)


def _relative_paths(cwd: str, paths: list[str]) -> tuple[str, ...]:
    """Return the paths relative to `cwd`, each once and in the given order; a path outside `cwd` becomes absolute.

    At most `_MOST_FILES` paths are returned, without paths that are too long or not printable.
    """
    root = _normalise_path(cwd) if cwd else ""
    found: dict[str, None] = {}
    for path in paths:
        if path and len(path) <= _LONGEST_PATH and path.isprintable():
            found[_make_relative(root, path)] = None
    return tuple(found)[:_MOST_FILES]


def _added_lines(lines: list[str]) -> str:
    """Return the text that a patch adds, given the lines of the patch."""
    return "\n".join(line[1:] for line in lines if line.startswith("+") and not line.startswith("+++ "))


def _make_relative(root: str, path: str) -> str:
    # Normalised first, so that `cwd/../x` is not taken for a path inside `cwd`.
    normal = _normalise_path(path)
    absolute = normal.startswith("/") or normal[1:3] == ":/"
    if root and not absolute and not normal.startswith("~"):
        normal = posixpath.normpath(posixpath.join(root, normal))
    border = root.rstrip("/") + "/"
    return normal[len(border) :] if root and normal.startswith(border) else normal


def _normalise_path(path: str) -> str:
    # Only a path with a drive letter or two leading backslashes is from Windows; elsewhere names may have a backslash.
    if path[1:3] == ":\\" or path.startswith("\\\\"):
        path = path.replace("\\", "/")
    return posixpath.normpath(path)
