"""Several wordings of a question are one question, and cues are words that a memory is found by."""

from __future__ import annotations

import pytest

from limpet.errors import UsageError
from tests.operations.sandbox import Sandbox

POOL = "HikariCP is limited to ten connections, because the small database allows no more."
OTHERS = (
    "The release notes are written by hand on Fridays.",
    "Snapshots of the rendered pages are reviewed in pull requests.",
    "The importer reads the supplier's files at night.",
)


def found(sandbox: Sandbox, query: str, **options: object) -> list[str]:
    return [hit["memory"]["content"] for hit in sandbox.json("recall", query=query, **options)["hits"]]


@pytest.fixture
def stored(sandbox: Sandbox) -> Sandbox:
    for text in (*OTHERS, POOL):
        sandbox.remember(text)
    return sandbox


def test_another_wording_finds_what_the_question_does_not_name(stored: Sandbox) -> None:
    asked = "why do requests queue up under load"
    also = ("HikariCP limit", "how many database connections are allowed")
    assert found(stored, asked, also=also)[0] == POOL
    assert found(stored, asked, also=also) != found(stored, asked)


def test_what_several_wordings_find_comes_before_what_one_finds(stored: Sandbox) -> None:
    assert found(stored, "release notes", also=("database connections", "HikariCP ten connections"))[0] == POOL


def test_a_hit_that_one_wording_is_sure_of_is_not_weak(stored: Sandbox) -> None:
    asked = "why do requests queue up under load"
    [first] = stored.json("recall", query=asked, also=("HikariCP connections limited to ten",), limit=1)["hits"]
    assert not first["weak"]


def test_the_pages_of_a_question_with_wordings_follow_each_other(stored: Sandbox) -> None:
    also = ("database connections",)
    whole = found(stored, "release notes", also=also)
    assert [found(stored, "release notes", also=also, limit=1, offset=at)[0] for at in range(len(whole))] == whole


def test_the_same_wording_twice_counts_once(stored: Sandbox) -> None:
    once = stored.json("recall", query="release notes")["hits"]
    twice = stored.json("recall", query="release notes", also=("release notes", " "))["hits"]
    assert [each["score"] for each in once] == [each["score"] for each in twice]


def test_more_than_four_wordings_are_refused(stored: Sandbox) -> None:
    with pytest.raises(UsageError, match="at most 4"):
        stored.ask("recall", query="x", also=tuple("abcde"))


def test_a_memory_is_found_by_its_cues_which_are_not_its_words(sandbox: Sandbox) -> None:
    for text in OTHERS:
        sandbox.remember(text)
    sandbox.remember(POOL, cues="throughput, bottleneck backpressure")
    hit = sandbox.json("recall", query="bottleneck of the throughput")["hits"][0]
    assert hit["memory"]["content"] == POOL and not hit["weak"]
    assert "bottleneck" not in hit["memory"]["title"] + hit["memory"]["content"]


def test_twelve_cues_count_and_they_can_be_changed(sandbox: Sandbox) -> None:
    words = [f"cue{number}" for number in range(14)]
    id = sandbox.remember(POOL, cues=" ".join(words)).id
    assert sandbox.json("show", id=id)["memory"]["cues"].split() == words[:12]
    corrected = sandbox.json("correct", id=id, text=POOL, cues="starvation")["memory"]
    assert corrected["cues"] == "starvation"
    kept = sandbox.json("correct", id=corrected["id"], text=f"{POOL} Ask Ines.")["memory"]
    assert kept["cues"] == "starvation"


def test_storing_a_text_again_with_cues_applies_them(sandbox: Sandbox) -> None:
    id = sandbox.remember(POOL).id
    sandbox.ask("remember", text=POOL, cues="starvation")
    assert sandbox.json("show", id=id)["memory"]["cues"] == "starvation"
    assert found(sandbox, "starvation")[0] == POOL


def test_a_secret_in_the_cues_is_removed(sandbox: Sandbox) -> None:
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    sandbox.remember(POOL, cues=f"deploy {token}")
    assert token not in str(sandbox.json("list"))


def test_cues_count_for_the_meaning_of_a_memory_too(sandbox: Sandbox) -> None:
    asked = "which animal guards the farm"
    plain = sandbox.remember("Rex belongs to the household of Ines.")
    cued = sandbox.remember("Bello belongs to the household of Olaf.", cues="dog watchdog")
    hits = sandbox.json("recall", query=asked, explain=True)["hits"]
    near = {hit["memory"]["id"]: hit["parts"]["cosine"] for hit in hits}
    assert near[cued.id] > near[plain.id] + 0.1
