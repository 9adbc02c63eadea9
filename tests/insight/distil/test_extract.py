"""Extraction by rules takes whole sentences that last, and leaves the rest in the stash."""

from __future__ import annotations

from datetime import date

from limpet.insight.distil.extract import Extraction, Stash, extract_stash, find_day
from tests.operations.stashes import STASH


def extract(text: str, *, proven: bool = True) -> Extraction:
    stash = Stash(name="x", text=text, day=date(2026, 2, 3), digest="")
    return extract_stash(stash, is_proven=lambda line: proven or "`" not in line)


def test_the_same_stash_gives_the_same_lines() -> None:
    assert extract(STASH) == extract(STASH)


def test_facts_stand_below_decisions_or_speak_like_rules() -> None:
    text = "Some prose. From now on every release needs a changelog.\n\n"
    text += "## Decisions\n- tabs in makefiles, spaces elsewhere\n"
    assert extract(text).facts == (
        "From now on every release needs a changelog.",
        "tabs in makefiles, spaces elsewhere",
    )


def test_each_item_of_a_bare_list_is_a_fact_or_is_named() -> None:
    items = ["The session store is Redis", "Ruth owns the billing code", "run it again", "Opened src/app/main.py"]
    items.append(" ".join(["a very long item"] * 12))
    found = extract("# Where we stand\n\n" + "".join(f"- {item}\n" for item in items))
    assert found.facts == ("The session store is Redis", "Ruth owns the billing code")
    assert [text for text, _ in found.left_out] == [*items[2:]] and all(reason for _, reason in found.left_out)
    assert extract("## Open\n- The session store is Redis\n## Files\n- Redis\n").left_out == ()


def test_what_a_heading_governs_is_no_fact() -> None:
    text = (
        "## Decisions\nRejected:\n- use threads everywhere\n- always squash commits\n\n## Open\n- always decide later\n"
    )
    assert extract(text).facts == ()


def test_code_and_tables_are_left_out() -> None:
    text = "## Decisions\n```sh\nnever run this\n```\n\n| always | never |\n|---|---|\n\n- We prefer small commits.\n"
    assert extract(text).facts == ("We prefer small commits.",)


def test_a_command_needs_a_proof() -> None:
    text = "## Decisions\n- Always run `make test-fast` before a commit.\n"
    assert extract(text).facts == ("Always run `make test-fast` before a commit.",)
    assert extract(text, proven=False).facts == ()


def test_an_episode_has_three_to_five_bullets_that_are_no_facts() -> None:
    found = extract(STASH)
    assert found.episode is not None
    assert 3 <= len(found.episode.bullets) <= 5
    assert not {*found.facts} & {*found.episode.bullets}


def test_a_stash_that_says_too_little_makes_no_episode() -> None:
    assert extract("## Done\n- The importer reads gzip files.\n- The exporter writes them.\n").episode is None
    assert extract("") == Extraction()


def test_the_day_is_the_one_that_the_stash_names() -> None:
    assert find_day("# x\ncreated: 2026-02-30, 2026-03-01", "y") == date(2026, 3, 1)
    assert find_day("# x", "2026-01-28-friction") == date(2026, 1, 28)
    assert find_day("# x", "y") is None


def test_of_a_request_only_the_rule_is_a_fact() -> None:
    text = "## Wanted\n- Make the search faster. Always measure before you optimise.\n"
    assert extract(text).facts == ("Always measure before you optimise.",)


def test_a_quotation_is_left_out() -> None:
    found = extract(f"> Never do this. We always quote.\n\n{STASH}")
    assert found == extract(STASH)


def test_facts_alone_are_no_episode() -> None:
    text = "## Decisions\n- Never mix tabs.\n- Always use uv.\n- We prefer small commits.\n"
    assert len(extract(text).facts) == 3 and extract(text).episode is None
