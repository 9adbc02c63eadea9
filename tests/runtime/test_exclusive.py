"""Threads that share a runtime use it one after the other."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from limpet.runtime import Runtime, open_runtime
from limpet.runtime.exclusive import ExclusiveRuntime


@pytest.fixture
def shared(home: Path, tmp_path: Path) -> ExclusiveRuntime:
    return ExclusiveRuntime(lambda: open_runtime(home=str(home), cwd=str(tmp_path)))


def test_it_is_opened_once_at_its_first_use(shared: ExclusiveRuntime) -> None:
    with shared.use_if_idle() as closed:
        assert closed is None
    with shared.use() as first:
        assert first is not None
    with shared.use() as second:
        assert second is first
    shared.close()


def test_a_second_thread_waits_until_the_first_is_done(shared: ExclusiveRuntime) -> None:
    order: list[str] = []
    waiting = threading.Event()

    def second() -> None:
        waiting.set()
        with shared.use():
            order.append("second")

    thread = threading.Thread(target=second)
    with shared.use():
        thread.start()
        assert waiting.wait(10)
        order.append("first")
    thread.join(10)
    assert order == ["first", "second"]
    shared.close()


def test_a_caller_that_wants_an_idle_runtime_gets_none_while_it_is_used(shared: ExclusiveRuntime) -> None:
    found: list[Runtime | None] = []

    def look() -> None:
        with shared.use_if_idle() as runtime:
            found.append(runtime)

    look()
    with shared.use() as used:
        thread = threading.Thread(target=look)
        thread.start()
        thread.join(10)
    look()
    assert found == [None, None, used]
    shared.close()


def test_closing_gives_up_on_a_caller_who_keeps_it(shared: ExclusiveRuntime) -> None:
    with shared.use() as used:
        thread = threading.Thread(target=lambda: shared.close(timeout=0.01))
        thread.start()
        thread.join(10)
        assert used.reading() is not None
    shared.close()
    with shared.use() as again:
        assert again is not used
    shared.close()


def test_it_is_wanted_while_a_caller_waits(shared: ExclusiveRuntime) -> None:
    with shared.use():
        assert not shared.is_wanted()
        thread = threading.Thread(target=lambda: shared.use().__enter__())
        thread.start()
        while not shared.is_wanted():
            thread.join(0.001)
        assert thread.is_alive()
    thread.join(10)
    assert not shared.is_wanted()
