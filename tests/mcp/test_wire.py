"""Whatever a model sends comes back as an answer or as a sentence: no crash, no protocol error, no silence."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from limpet.mcp.tools import TOOLS
from limpet.mcp.wire import repair_line
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

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.number = 0
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


@contextmanager
def raw_client(folder: Path) -> Iterator[RawClient]:
    (folder / "shop").mkdir()
    process = subprocess.Popen(
        [*COMMAND, "--tools", "all"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder / "shop",
        env=environment(folder),
    )
    yield RawClient(process)
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
def test_json_that_the_sdk_cannot_read_is_answered_too(hostile: RawClient, arguments: str) -> None:
    hostile.call("store_memory", arguments)


def test_arguments_that_are_no_object_are_refused_by_name(hostile: RawClient) -> None:
    said = hostile.call("recall", '["query"]')
    assert said["isError"] and "it takes query, limit" in said["content"][0]["text"]


@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_brackets_that_are_never_closed_do_not_end_the_server(hostile: RawClient, bracket: str) -> None:
    hostile.send(bracket * 100_000)
    assert not hostile.call("ltm_status", "{}").get("isError")


def test_noise_between_messages_is_passed_over(hostile: RawClient) -> None:
    for noise in ("", "hello", "{", "\x00\x01", "[]", "null", '{"jsonrpc":"2.0"}'):
        hostile.send(noise)
    assert not hostile.call("ltm_status", "{}").get("isError")


def test_a_line_that_can_be_read_is_left_as_it_is() -> None:
    for text in ('{"a": "🙂 \\ud83d\\ude42"}\n', "\n", "", "no json"):
        assert repair_line(text) == text


def test_half_a_character_becomes_a_mark_and_whole_ones_stay() -> None:
    mended = json.loads(repair_line('{"a":"\\ud83d\\ude42 \\ud83d x","b":[1,{"c":null}]}'))
    assert mended == {"a": "🙂 � x", "b": [1, {"c": None}]}


def test_brackets_within_texts_are_not_taken_for_depth() -> None:
    text = json.dumps({"a": "[" * 300 + '"' + "{" * 300, "b": "\ud800"})
    assert json.loads(repair_line(text))["a"] == "[" * 300 + '"' + "{" * 300
