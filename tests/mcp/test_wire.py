"""Whatever a model sends comes back as an answer or as a sentence: no crash, no protocol error, no silence."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from limpet.mcp.tools import TOOLS
from limpet.mcp.wire import parse
from tests.mcp.client import COMMAND, NOT_HANGING_S, environment

CALLS = 2000 if os.environ.get("LIMPET_TEST_FAULTS") == "full" else 300

ODD: tuple[Any, ...] = (
    *("", " ", "x", "\0", "a\0b", "\ud800", "é\udfff", "‮rtl", "<private>x</private>", "A" * 100_000, "; DROP TABLE--"),
    *("mem_", "mem_01", "%", "*", '"', "(", "NEAR", "../../etc/passwd", "2026-01-01", "-1", "🙂", "\u2028", "true"),
    *(0, 1, -1, 10**18, 10**40, 2**63, 0.5, -0.0, 1e308, float("inf"), float("nan"), True, False, None),
    *([], {}, [None], [[["x"]]], {"a": {"b": [1]}}, ["x"] * 500, [1, "2", None], {"": ""}, "mem_" + "0" * 26),
)


class RawClient:
    """The bare protocol, to send what no client would."""

    def __init__(self, process: subprocess.Popen[bytes], *, introduce: bool = True) -> None:
        self.process = process
        self.number = 0
        if not introduce:
            return
        info = {"name": "t", "version": "0"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
        assert "result" in self.request("initialize", json.dumps(hello))
        self.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def send(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode("utf-8", "surrogatepass") + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: str) -> dict[str, Any]:
        self.number += 1
        self.send(f'{{"jsonrpc":"2.0","id":{self.number},"method":"{method}","params":{params}}}')
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert answer["id"] == self.number
        return answer

    def call(self, name: str, arguments: str) -> dict[str, Any]:
        answer = self.request("tools/call", f'{{"name":{json.dumps(name)},"arguments":{arguments}}}')
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        assert result["content"][0]["text"] and isinstance(result["structuredContent"], dict)
        return result

    def ask(self, method: str, params: Any) -> dict[str, Any]:
        """Return the result or the error, without the texts of errors, which may differ."""
        answer = self.request(method, json.dumps(params))
        return answer["result"] if "result" in answer else {"code": answer["error"]["code"]}


OURS = [*COMMAND, "--tools", "all"]
SDKS = [sys.executable, "-m", "tests.mcp.reference"]


@contextmanager
def raw_client(folder: Path, command: Sequence[str] = OURS, *, introduce: bool = True) -> Iterator[RawClient]:
    (folder / "shop").mkdir(exist_ok=True)
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder / "shop",
        env=environment(folder, PYTHONPATH=os.pathsep.join(sys.path)),
    )
    yield RawClient(process, introduce=introduce)
    left, complaints = process.communicate(timeout=NOT_HANGING_S)
    assert (process.returncode, left, complaints) == (0, b"", b"")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    with raw_client(tmp_path_factory.mktemp("hostile")) as one:
        yield one


def argument(chance: random.Random, name: str, ids: list[str]) -> Any:
    if name in ("id", "around") and chance.random() < 0.5:
        return chance.choice(ids)
    if name in ("limit", "offset") and chance.random() < 0.5:
        return chance.randint(-2, 50)
    return chance.choice(ODD)


def test_no_arguments_break_it(hostile: RawClient) -> None:
    chance = random.Random(7)
    stored = hostile.call("store_memory", '{"content":"A first memory to act upon"}')
    ids = [stored["structuredContent"]["id"]]
    failed = 0
    for _ in range(CALLS):
        tool = chance.choice(TOOLS)
        names = [*tool.takes, *tool.also]
        chosen = set(chance.sample(names, chance.randint(0, len(names)))) | set(tool.required)
        arguments = {name: argument(chance, name, ids) for name in sorted(chosen)}
        if chance.random() < 0.1:
            arguments[chance.choice(("origin", "", "\0", "__class__", "x" * 5000, "self"))] = chance.choice(ODD)
        result = hostile.call(tool.name, json.dumps(arguments))
        failed += bool(result.get("isError"))
        said = result["content"][0]["text"]
        assert "something went wrong inside" not in said, (tool.name, arguments, said)
        if result.get("isError"):
            assert len(said) <= 600 and "Traceback" not in said
    assert 0 < failed < CALLS
    assert not hostile.call("ltm_check", "{}").get("isError")


@pytest.mark.parametrize(
    "arguments",
    [
        *('{"content":"half \\ud83d of it"}', '{"content":"\\udc00\\ud800"}'),
        '{"content":' + "[" * 300 + "]" * 300 + "}",
        '{"content":' + '{"a":' * 5000 + "1" + "}" * 5000 + "}",
        '{"content":"x","difficulty":' + "9" * 5000 + "}",
        '{"content":"x","difficulty":0.' + "9" * 5000 + "}",
        *('{"content":NaN}', '{"content":1e999}', "[1,2]", '"text"', "7", "true"),
    ],
    ids=lambda arguments: arguments[:24],
)
def test_json_that_strict_parsers_refuse_is_answered_too(hostile: RawClient, arguments: str) -> None:
    hostile.call("store_memory", arguments)


def test_arguments_that_are_no_object_are_refused_by_name(hostile: RawClient) -> None:
    said = hostile.call("recall", '["query"]')
    assert said["isError"] and "it takes query, also, limit" in said["content"][0]["text"]


@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_brackets_that_are_never_closed_do_not_end_the_server(hostile: RawClient, bracket: str) -> None:
    hostile.send(bracket * 100_000)
    assert not hostile.call("ltm_status", "{}").get("isError")


def test_noise_between_messages_is_passed_over(hostile: RawClient) -> None:
    for noise in ("", "hello", "{", "\x00\x01", "[]", "null", '{"jsonrpc":"2.0"}'):
        hostile.send(noise)
    assert not hostile.call("ltm_status", "{}").get("isError")


def test_half_a_character_becomes_a_mark_and_whole_ones_stay() -> None:
    assert parse(b'{"a":"\\ud83d\\ude42 \\ud83d x","b":[1,{"c":null}]}') == {"a": "🙂 � x", "b": [1, {"c": None}]}


def test_brackets_within_texts_are_not_taken_for_depth() -> None:
    text = "[" * 300 + '"' + "{" * 300
    assert parse(json.dumps({"a": text, "b": "\ud800"}).encode())["a"] == text


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RawClient, RawClient]]:
    """Yield clients of our server and of the SDK's, which share a home and a project."""
    folder = tmp_path_factory.mktemp("both")
    with raw_client(folder) as ours, raw_client(folder, SDKS) as theirs:
        ours.call("store_memory", '{"content":"The tide table is printed on Mondays","files":["tide.py"]}')
        ours.call("store_fact", '{"subject":"tide","predicate":"turns","object":"at six"}')
        yield ours, theirs


def hello(version: Any) -> dict[str, Any]:
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}


@pytest.mark.parametrize(
    ("method", "params"),
    [
        *(
            ("initialize", hello(version))
            for version in ("2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28", "1999")
        ),
        *(
            ("initialize", {}),
            ("ping", {}),
            ("server/discover", {}),
            ("tools/list", {}),
            ("tools/list", {"cursor": "x"}),
        ),
        *((method, {}) for method in ("nothing", "prompts/list", "resources/list", "tools/call")),
        ("logging/setLevel", {"level": "info"}),
        *(("tools/call", {"name": 7}), ("tools/call", {"name": "nothing"})),
        *(("tools/call", {"name": "recall", "arguments": given}) for given in ({}, {"query": 7}, {"x": 1})),
    ],
    ids=lambda given: json.dumps(given)[:40] if isinstance(given, dict) else given,
)
def test_a_client_of_the_older_protocol_gets_what_the_sdk_answers(
    both: tuple[RawClient, RawClient], method: str, params: dict[str, Any]
) -> None:
    ours, theirs = (client.ask(method, params) for client in both)
    assert ours == theirs


def envelope(**params: Any) -> dict[str, Any]:
    names = {"protocolVersion": "2026-07-28", "clientInfo": {"name": "t", "version": "0"}, "clientCapabilities": {}}
    given = params.pop("meta", names)
    return {**params, "_meta": {f"io.modelcontextprotocol/{name}": value for name, value in given.items()}}


def test_a_client_of_the_newer_protocol_gets_what_the_sdk_answers(tmp_path: Path) -> None:
    requests: list[tuple[str, dict[str, Any]]] = [
        ("server/discover", envelope()),
        ("tools/list", envelope()),
        *((method, envelope()) for method in ("ping", "nothing", "prompts/list", "tools/call")),
        *(("tools/call", envelope(name=name, arguments={})) for name in ("ltm_status", "recall", "nothing")),
        ("tools/list", envelope(meta={"protocolVersion": "2099-01-01", "clientCapabilities": {}})),
        ("tools/list", envelope(meta={"protocolVersion": "2026-07-28"})),
    ]
    said = []
    for command in (OURS, SDKS):
        with raw_client(tmp_path, command, introduce=False) as client:
            said.append([client.ask(method, params) for method, params in requests])
    assert said[0] == said[1]


@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS if tool.read_only])
def test_a_tool_gives_the_result_that_it_gives_through_the_sdk(both: tuple[RawClient, RawClient], tool: str) -> None:
    [found] = both[0].call("list_memories", "{}")["structuredContent"]["memories"]
    given = {"query": "tide table", "id": found["id"], "file": "tide.py", "concept": "gotcha"}
    needed = next(each.required for each in TOOLS if each.name == tool)
    params = {"name": tool, "arguments": {name: given[name] for name in needed}}
    ours, theirs = (client.ask("tools/call", params) for client in both)
    assert not ours["isError"]
    assert ours == theirs


def test_a_cancelled_call_is_not_answered(hostile: RawClient) -> None:
    call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "ltm_check"}}
    for id in ("first", "second"):
        hostile.send(json.dumps({**call, "id": id}))
    hostile.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"second"}}')
    hostile.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}')
    assert hostile.process.stdout is not None
    assert json.loads(hostile.process.stdout.readline())["id"] == "first"
    assert not hostile.call("ltm_status", "{}").get("isError")


def test_calls_are_answered_that_came_before_the_input_ended(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    calls = [
        {"name": "store_memory", "arguments": {"content": f"Buoy {id} is painted in month {id + 3}"}} for id in range(3)
    ]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call})
        for id, call in enumerate(calls)
    ]
    done = subprocess.run(
        OURS,
        input="\n".join(lines),
        capture_output=True,
        text=True,
        cwd=tmp_path / "shop",
        env=environment(tmp_path),
        check=True,
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [0, 1, 2]


def test_the_tools_are_listed_before_anything_heavy_is_loaded(tmp_path: Path) -> None:
    code = (
        "import sys, limpet.mcp.server; print([each for each in ('mcp', 'pydantic', 'anyio') if each in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
