"""Write docs/reference from the declarations in the code; `--check` tells whether it is up to date.

Verbs, settings and errors are declared once, so their reference is not written by hand. The shape of a JSON answer is
taken from a real answer: every verb is run once in a temporary home.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from limpet import errors
from limpet.cli.commands import COMMANDS, GLOBAL_OPTIONS, load_command
from limpet.cli.parser import help_text
from limpet.forms.json import encode_answer
from limpet.http.endpoints import Endpoint
from limpet.http.hooks import event_names
from limpet.http.openapi import ERRORS
from limpet.http.routes import ALL_ENDPOINTS
from limpet.insight.achievements import Achievement, AchievementKind
from limpet.mcp.instructions import INSTRUCTIONS
from limpet.mcp.tools import RARE, TOOLS, Tool
from limpet.model.memory import Draft, Origin
from limpet.operations.achievements import AchievementsAnswer
from limpet.operations.catalogue import CATALOGUE, GROUPS, Param, Verb, VerbSummary, load_verb
from limpet.runtime import Caller, Runtime, open_runtime
from limpet.settings import SettingInfo, describe, load

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
NOTE = "<!-- Written by scripts/reference.py; change the declarations and run `make docs`. -->"


def main(argv: list[str]) -> int:
    if argv not in ([], ["--check"]):
        sys.stderr.write("usage: python scripts/reference.py [--check]\n")
        return 2
    stale = []
    for name, text in pages().items():
        path = FOLDER / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if argv:
            stale.append(f"docs/reference/{name}")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale:
        sys.stderr.write(f"out of date: {', '.join(stale)}; run: make docs\n")
    return 1 if stale else 0


def pages() -> dict[str, str]:
    return {
        "cli.md": cli_page(),
        "http.md": http_page(),
        "mcp.md": mcp_page(),
        "settings.md": settings_page(),
        "errors.md": errors_page(),
    }


def page(*parts: str) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def table(headings: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(headings)} |", f"|{'---|' * len(headings)}"]
    lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(lines)


def code(text: object) -> str:
    return f"`{text}`"


# The command line


def cli_page() -> str:
    answers = sample_answers()
    shared = _shared_rows()
    return page(
        "# Command line",
        NOTE,
        "`limpet COMMAND [options]`. `limpet` lists the commands that come first, `limpet help GROUP` those of a group "
        "(browse, change, trust, learn, move, run), `limpet help all` every one. `limpet COMMAND --help` explains one, "
        "`limpet --version` prints the version, and `limpet --completion bash` (or `zsh`, `fish`) writes a "
        "completion script.",
        "\n".join(f"- **{title}**: {listed}" for group, title in GROUPS.items() if (listed := _listed(group))),
        "## Everywhere",
        "Every command understands these options, unless it has an option of the same name itself.",
        table(("option", "meaning"), ((_spelled(flag, about), str(about["help"])) for flag, about in GLOBAL_OPTIONS)),
        "The answer goes to standard output, errors and notices to standard error. On a terminal there are colours "
        "and tables; in a pipe a list has one row per line, cells separated by tabs. `NO_COLOR` turns colours off. "
        'With `--json` an error is JSON too: `{"error": …, "do": …}`, where `do` may be `null`.',
        table(
            ("exit status", "meaning"),
            iter(
                (
                    ("0", "done; also a duplicate, and an empty answer"),
                    ("1", "refused, damaged, or not found"),
                    ("2", "the command line or a settings file cannot be understood"),
                    ("130", "stopped with Ctrl-C"),
                )
            ),
        ),
        "## Shared options",
        "These options mean the same in every command that has them.",
        table(("option", "meaning"), iter(shared)),
        *(_section(each, answers.get(each.name, {}), shared) for each in COMMANDS),
        "## The memory in JSON",
        f"A `memory` above has these fields: {_names(answers['remember']['memory'])}.",
        "A `memory*` also has its standing, which is derived and can change while the memory stays the same: "
        f"{_names(_standing(answers))}.",
        "Times are UTC with milliseconds. What is not known is `null`. New fields may be added, but no field "
        "changes its meaning. [Words](../explanation/words.md) explains each.",
    )


def _listed(group: str) -> str:
    return ", ".join(f"[{each.name}](#{each.name})" for each in COMMANDS if each.group == group)


def _spelled(flag: str, about: dict[str, Any]) -> str:
    return code(f"{flag} {about['metavar']}" if "metavar" in about else flag)


def _shared_rows() -> list[tuple[str, ...]]:
    """Return the rows of the options that at least three commands have, with the same help."""
    params = (param for each in COMMANDS for param in load_command(each.name).params)
    counted = Counter(_row(param) for param in params if not param.positional)
    return [row for row, count in counted.items() if count >= 3]


def _section(what: VerbSummary, answer: dict[str, Any], shared: Sequence[tuple[str, ...]]) -> str:
    chosen = load_command(what.name)
    rows = [_row(param) for param in chosen.params]
    own = [row for row in rows if row not in shared]
    others = ", ".join(row[0] for row in rows if row in shared)
    examples = "```sh\n" + "\n".join(chosen.examples) + "\n```" if chosen.examples else ""
    json = f"With `--json`: `{shape(answer)}`" if answer else ""
    return page(
        f"## {what.name}",
        what.summary,
        chosen.details,
        f"```text\n{usage(what, chosen)}\n```",
        "\n".join(f"- {name}: {meaning}" for name, meaning in own),
        f"[Shared options](#shared-options): {others}." if others else "",
        examples,
        json,
    )


def usage(what: VerbSummary, chosen: Verb) -> str:
    words = ["limpet", what.name]
    for param in chosen.params:
        if param.positional:
            name = param.name.upper() + ("…" if param.many or param.free_text else "")
            words.append(name if param.required else f"[{name}]")
    if any(not param.positional for param in chosen.params):
        words.append("[options]")
    return " ".join(words)


def _row(param: Param) -> tuple[str, ...]:
    if param.positional:
        name = code(param.name.upper())
    else:
        value = "" if param.kind == "flag" else f" {_value_name(param)}"
        short = f"`-{param.short}`, " if param.short else ""
        name = f"{short}`{param.flag}{value}`"
    return name, help_text(param, code)


def _value_name(param: Param) -> str:
    return {"integer": "N", "number": "N", "moment": "DATE"}.get(param.kind, param.name.upper())


# The shape of answers


def shape(value: Any, *, depth: int = 0) -> str:
    """Return the keys of a JSON value; a memory and a table of counts are only named."""
    match value:
        case {"original_content": _}:
            return "memory*" if "strength" in value else "memory"
        case dict() if depth < 2 or set(value) == {"match", "recency", "strength", "trust"}:
            return "{" + ", ".join(_entry(key, each, depth + 1) for key, each in value.items()) + "}"
        case dict():
            return "{…}"
        case [first, *_] if isinstance(first, dict):
            return f"[{shape(first, depth=depth)}]"
        case list():
            return "[…]"
        case _:
            return ""


def _entry(key: str, value: Any, depth: int) -> str:
    inner = "{…}" if isinstance(value, dict) and depth == 1 and "original_content" not in value else None
    inner = shape(value, depth=depth) if inner is None else inner
    return key if inner in ("", key) else f"{key}: {inner}"


def _names(fields: dict[str, Any]) -> str:
    return ", ".join(map(code, fields))


def _standing(answers: dict[str, dict[str, Any]]) -> dict[str, Any]:
    plain = answers["remember"]["memory"]
    return {key: value for key, value in answers["show"]["memory"].items() if key not in plain}


def sample_answers() -> dict[str, dict[str, Any]]:
    """Return a real answer of every verb as JSON; an empty one for a verb that has none."""
    with tempfile.TemporaryDirectory(prefix="limpet-reference-") as folder:
        project = os.path.join(folder, "shop")
        os.mkdir(project)
        owner = Caller(origin=Origin.USER, proof="terminal")
        runtime = open_runtime(home=os.path.join(folder, "home"), cwd=project, caller=owner)
        try:
            listed = {each.name for each in CATALOGUE}
            answers = {name: ask() for name, ask in _questions(runtime, folder) if name in listed}
        finally:
            runtime.close()
    unasked = [each.name for each in CATALOGUE if each.name not in answers]
    if unasked:
        raise SystemExit(f"scripts/reference.py does not ask {unasked[0]!r} yet; add it to `_questions`")
    return answers


def _questions(runtime: Runtime, folder: str) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Yield the verbs with parameters that give a full answer, in an order in which each finds something."""
    made: dict[str, str] = {}

    def ask(name: str, **values: Any) -> dict[str, Any]:
        chosen = load_verb(name)
        answer = chosen.run(runtime, **chosen.accept(values))
        return encode_answer(chosen, answer, runtime.now())

    def remember() -> dict[str, Any]:
        answer = ask("remember", text="The default port of the API is 8080")
        made["port"] = answer["memory"]["id"]
        made["other"] = ask("remember", text="The API speaks JSON")["memory"]["id"]
        return answer

    def facts() -> dict[str, Any]:
        ask("facts", action="add", words=["api", "port", "8080"])
        return ask("facts", action="add", words=["api", "port", "9090"])

    def apps() -> dict[str, Any]:
        ask("apps", action="register", app="calendar")
        said = ask("apps", action="converse", app="calendar", words=["I prefer meetings after 2pm on weekdays."])
        return ask("apps", action="end", app="calendar", words=[said["conversation"]])

    def inbox() -> dict[str, Any]:
        door = runtime.admission(actor="capture:anima")
        door.admit(Draft(text="The queue has 12 workers", origin=Origin.USER))
        runtime.write(door.changes)
        return ask("inbox")

    export = os.path.join(folder, "export.jsonl")
    yield "remember", remember
    yield "inbox", inbox
    yield "correct", lambda: ask("correct", id=made["port"], text="The default port of the API is 9090")
    yield "recall", lambda: ask("recall", query="default port")
    yield "list", lambda: ask("list")
    yield "show", lambda: {**ask("show", id=made["port"]), "links": [_LINK]}
    yield "timeline", lambda: ask("timeline")
    yield "related", lambda: ask("related", id=made["port"])
    yield "facts", facts
    yield "graph", lambda: ask("graph")
    yield "stats", lambda: ask("stats", projects=True)
    yield "apps", apps
    yield "cost", lambda: ask("cost")
    yield "why", lambda: ask("why", asked=True)
    yield "feedback", lambda: ask("feedback", id=made["port"], says="useful")
    yield "capture", lambda: ask("capture", text="Always use pnpm instead of npm in this repository")
    yield "backfill", lambda: {**ask("backfill", path=os.path.join(folder, "shop")), **_LEARNT}
    yield "friction", lambda: {**ask("friction", path=_record_session(folder)), **_MEASURED}
    yield "antigens", lambda: {**ask("antigens"), **_ANTIGENS}
    yield "stash", lambda: ask("stash", text="Wanted: a retry. Open: the test.")
    yield "achievements", lambda: encode_answer(load_verb("achievements"), _ACHIEVED, runtime.now())
    yield "distil", lambda: {**ask("distil"), **_DISTILLED}
    yield "pin", lambda: ask("pin", id=made["other"])
    yield "confirm", lambda: ask("confirm", ids=[made["other"]])
    yield "sign", lambda: ask("sign")
    yield "verify", lambda: {**ask("verify"), "problems": [_PROBLEM]}
    yield "blame", lambda: ask("blame", id=made["port"])
    yield "forget", lambda: ask("forget", ids=[made["other"]])
    yield "restore", lambda: ask("restore", id=made["other"])
    yield "export", lambda: ask("export", file=export)
    yield "share", lambda: ask("share")
    yield "sync", lambda: ask("sync")
    yield "unshare", lambda: ask("unshare")
    yield "import", lambda: {**ask("import", file=export, merge=True), **_IMPORTED}
    yield "check", lambda: _CHECKED
    yield "upkeep", lambda: ask("upkeep")
    yield "config", lambda: ask("config")
    yield "doctor", lambda: {**ask("doctor"), "problems": [_PROBLEM]}
    yield "purge", lambda: ask("purge", ids=[made["port"]], yes=True)
    yield "setup", lambda: ask("setup", host="claude-code", dry_run=True)
    yield "uninstall", lambda: {**ask("uninstall", dry_run=True), "files": [_FILE]}
    yield "demo", dict


def _record_session(folder: str) -> str:
    """Record a session in which the user objected, and return the path of its file."""
    about = {"sessionId": "s-1", "cwd": os.path.join(folder, "shop"), "timestamp": "2026-11-15T05:00:00.000Z"}
    texts = (("user", "add a retry"), ("assistant", "Added."), ("user", "no, use the other file"))
    records = [{"type": kind, "message": {"role": kind, "content": text}, **about} for kind, text in texts]
    path = os.path.join(folder, "s-1.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
    return path


# A healthy store has no problems and these memories no links, so their shapes are given here.
_IMPORTED = {
    "objects": [{"store": "", "name": "", "result": "", "why": "", "memory": ""}],
    "found": [{"from": "", "path": ""}],
}
_CHECKED = {
    "base": "",
    "head": "",
    "files": 0,
    "memories": 0,
    "findings": [{"where": "", "cause": "", "named": "", "why": "", "text": ""}],
    "added": [{"where": "", "text": ""}],
}
_FILE = {"host": "", "path": "", "action": "", "adds": []}
_DISTILLED = {
    "notes": [""],
    "failed": [{"path": "", "problem": ""}],
    "gathered": [{"id": "", "sort": "", "text": ""}],
}
_LEARNT = {"failed": [{"path": "", "problem": ""}], "examples": [{"title": "", "type": "", "content": ""}]}
_ACHIEVED = AchievementsAnswer(
    commits=1,
    found=((Achievement(kind=AchievementKind.FEATURE, title="", text="", commit="", at=datetime(2026, 11, 1)), None),),
    known=0,
    left_out=0,
    shallow=False,
    dry_run=True,
)
_LINK = {"relation": "", "id": ""}
_MEASURED = {
    "earlier": {"analyzed_at": "", "sessions": 0, "interactive": 0, "bad": 0, "path": ""},
    "failed": [{"path": "", "problem": ""}],
}
_ANTIGENS = {
    "antigens": [
        {
            "id": "", "about": "", "pattern": {"kind": "", "words": [""]}, "status": "", "voice": "",
            "conversations": 0, "last_seen": "",
            "replay": {"calls": 0, "incidents_matched": 0, "accepted_matched": 0, "proven": False},
            "before": {"objected": 0, "conversations": 0}, "since": {"objected": 0, "conversations": 0},
            "overruled": 0, "memory": "", "decided_at": "",
            "incidents": [{"conversation": "", "at": "", "call": "", "transcript": "", "line": 0, "quote": ""}],
            "accepted": [""],
        }
    ],
    "decided": "",
    "memory": "",
    "path": "",
    "rule": "",
}  # fmt: skip
_PROBLEM = {"what": "", "where": "", "subject": None, "fixable": False}


# MCP tools


def http_page() -> str:
    return page(
        "# HTTP",
        NOTE,
        "`limpet serve` answers these requests on 127.0.0.1 and on the socket file `http/socket` in the home. "
        "[Run a server](../how-to/run-a-server.md) says how to start it. Each request but `/health` needs the header "
        "`Authorization: Bearer …` with the token from `http/token`. Those marked *person* also need "
        "`Limpet-Person: …` with what the server has shown on its terminal, or with a one-time code where the verb "
        "takes one.",
        "`GET` takes its parameters from the query, and one that may be given several times is repeated. The other "
        "methods take a JSON object. `Limpet-Folder`, percent-encoded, names the folder of the project, and "
        "`Limpet-Session` the session. With the token alone the answer is the one that [an agent is given](mcp.md); "
        "for a person it is that of `--json` on the [command line](cli.md).",
        table(("request", "who", "verb", "parameters"), (_http_row(each) for each in ALL_ENDPOINTS)),
        table(
            ("request", "answer"),
            iter(
                (
                    ("`GET /health`", '`{"status": "ok"}`, without a token'),
                    ("`GET /metrics`", "counters for Prometheus"),
                    ("`GET /openapi.json`", "this table for programs"),
                    ("`POST /mcp`", "the [MCP tools](mcp.md), streamable HTTP without sessions"),
                    ("`POST /hook/EVENT`", f"a hook event: {', '.join(map(code, event_names()))}"),
                )
            ),
        ),
        'An error is `{"error": "a sentence"}`, and on `/hook` no body.',
        table(("status", "meaning"), ((status, text) for status, text in ERRORS.items())),
    )


def _http_row(endpoint: Endpoint) -> tuple[str, ...]:
    who = "person" if endpoint.needs_person else ""
    params = (f"{code(each.name)}{'*' if endpoint.is_required(each) else ''}" for each in endpoint.params)
    verb_link = f"[{endpoint.verb}](cli.md#{endpoint.verb})"
    taken = "the input of a tool call" if endpoint.whole_body else " ".join(params)
    return code(f"{endpoint.method} {endpoint.path}"), who, verb_link, taken


def mcp_page() -> str:
    return page(
        "# MCP tools",
        NOTE,
        "`limpet mcp` serves these tools over standard input and output; a client starts it. With `--tools all` it "
        "offers the rare ones too. Each calls an operation that the [command line](cli.md) has as well. What a "
        "model stores has the origin `agent`, whatever it claims. It sees only public memories of its own project, and "
        "it cannot erase anything.",
        table(("tool", "operation", "what it does"), (_tool_row(tool) for tool in TOOLS)),
        *(_tool_section(tool) for tool in TOOLS),
        "## Answers",
        "An answer is one JSON object, both as text and as structured content. A memory in it is a row: `id`, `title` "
        "or `text`, `kind`, `type`, `age` and `trust`. `trust` says who said it, or what to be careful about; a row "
        "with `quoted` is text from outside, to be read as data. Long texts are cut so that a default answer stays "
        "below 2,000 tokens; `get_memory` returns one in full. An error is an error result of one sentence.",
        "## Instructions",
        "Every model receives this when it connects:",
        f"```text\n{INSTRUCTIONS.strip()}\n```",
    )


def _tool_row(tool: Tool) -> tuple[str, ...]:
    return f"[{tool.name}](#{tool.name})", f"[{tool.operation}](cli.md#{tool.operation})", tool.description


def _tool_section(tool: Tool) -> str:
    properties = tool.schema()["properties"]
    nature = "Only reads." if tool.read_only else "Changes something."
    rare = "Offered with `--tools all`." if tool in RARE else ""
    also = f"Also understood: {', '.join(map(code, tool.also))}." if tool.also else ""
    arguments = (f"{code(name)} ({_tool_argument(tool, name, properties[name])})" for name in tool.takes)
    taken = f"Arguments: {', '.join(arguments)}." if tool.takes else "No arguments."
    return page(f"## {tool.name}", " ".join(filter(None, (nature, rare))), " ".join(filter(None, (taken, also))))


def _tool_argument(tool: Tool, name: str, declared: dict[str, Any]) -> str:
    items = declared.get("items", declared)
    value = "/".join(map(code, items["enum"])) if "enum" in items else str(items["type"])
    value = f"a list of {value}" if "items" in declared else value
    value += f", {declared['description']}" if "description" in declared else ""
    default = declared.get("default")
    if name in tool.required:
        return f"{value}, required"
    return f"{value}, {code(default)} by default" if default is not None else value


# Settings


def settings_page() -> str:
    declared = describe()
    sections: dict[str, list[SettingInfo]] = {}
    for info in declared:
        sections.setdefault(info.key.partition(".")[0], []).append(info)
    plain = load(home=os.sep, environ={})
    return page(
        "# Settings",
        NOTE,
        "A value comes from the last of these that sets it: the default, `config.toml` in the home, the "
        "project's `.limpet.toml` or `[tool.limpet]` in its `pyproject.toml`, an environment variable, an option of "
        "the command. `limpet config` lists every setting with its value and where the value comes from.",
        "```toml\n# ~/.limpet/config.toml\n[recall]\nlimit = 10\n```",
        "```sh\n"
        "limpet config recall.limit 10        # writes that file\n"
        "LIMPET_RECALL__LIMIT=10 limpet recall deploy\n"
        "```",
        "The variable of a setting is made of its section and its name, as here.",
        "A project's files come with a repository that somebody else may have written. They can set only what is "
        "marked with *project* below; anything else in them is ignored, and a notice says so.",
        *(
            page(
                f"## {name}",
                type(getattr(plain, name)).__doc__ or "",
                table(("setting", "default", "value", "meaning"), map(_setting_row, infos)),
            )
            for name, infos in sections.items()
        ),
        "## Other variables",
        table(
            ("variable", "meaning"),
            iter(
                (
                    ("`LIMPET_HOME`", "The folder that holds all of Limpet's data; `~/.limpet` if not set."),
                    ("`LIMPET_DEBUG`", "If set, an internal error shows a traceback."),
                    ("`NO_COLOR`", "If set, output has no colours."),
                )
            ),
        ),
    )


def _expected(info: SettingInfo) -> str:
    if isinstance(info.default, bool):
        return ""
    return info.expected.replace("a whole number from ", "whole, ").removeprefix("a number from ")


def _setting_row(info: SettingInfo) -> tuple[str, ...]:
    default = str(info.default).lower() if isinstance(info.default, bool) else str(info.default)
    return (
        code(info.key),
        code(default) if default else "empty",
        _expected(info),
        f"{info.help} (project)" if info.project_allowed else info.help,
    )


# Errors


def errors_page() -> str:
    meanings = dict(re.findall(r"([A-Z][A-Za-z]+) {2,}(.+)", errors.__doc__ or ""))
    kinds = (name for name in errors.__all__ if isinstance(getattr(errors, name), type))
    missing = [name for name in kinds if name not in meanings]
    if missing:
        raise SystemExit(f"the docstring of errors.py does not explain {missing[0]}; add it to the tree")
    return page(
        "# Errors",
        NOTE,
        "Everything Limpet raises on purpose is a `LimpetError` from `limpet.errors`; its text is one sentence that "
        "says what happened and what to do. On the command line the sentence goes to standard error and the class "
        "decides the exit status. An expected outcome, such as a duplicate or a rejected text, is an answer, not an "
        "error.",
        table(("error", "is a", "exit status", "meaning"), _error_rows(errors.LimpetError, meanings)),
    )


def _error_rows(kind: type[errors.LimpetError], meanings: dict[str, str]) -> Iterator[tuple[str, ...]]:
    name = kind.__name__
    parent = kind.__bases__[0].__name__
    meaning = re.sub(r" \(exit \d\)", "", meanings[name])
    yield code(name), code(parent), str(kind.exit_code), meaning[0].upper() + meaning[1:] + "."
    for child in kind.__subclasses__():
        if child.__name__ in meanings:
            yield from _error_rows(child, meanings)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
