"""What happens to a draft at the door: known, compared, inferred, cited, counted, chained and signed."""

from __future__ import annotations

import pytest

from limpet.errors import Refused
from limpet.model.change import Status
from limpet.model.memory import Concept, Draft, Impact, Kind, Memory, Origin, Region, Sensitivity, Type
from limpet.model.outcome import Admitted, Duplicate, Rejected
from limpet.model.signature import Verdict
from limpet.operations.remember import run_many
from limpet.text.tokens import count_tokens
from tests.operations.desk import DAY, MODEL, PROGRAM, Desk, git_folder

TEXT = "Migrations run with alembic"
# Put together at run time, so that nothing here looks like a secret to a scanner.
TOKEN = "ghp" + "_" + "x7Kq9Zr2LmW4tB8vNcD3sF6hJ1pQ5yUaEoGi"


# Known already


def test_an_exact_duplicate_is_the_older_memory(desk: Desk) -> None:
    first = desk.remember(TEXT)
    outcome = desk.ask("remember", text=TEXT)
    assert isinstance(outcome, Duplicate)
    assert outcome.memory.id == first.id
    assert desk.texts() == [TEXT]


@pytest.mark.parametrize("origin", [origin for origin in Origin if origin is not Origin.USER])
def test_what_the_user_says_is_theirs_though_others_said_it_before(desk: Desk, origin: Origin) -> None:
    theirs = desk.remember(TEXT, origin=origin.value)
    outcome = desk.ask("remember", text=TEXT)
    assert isinstance(outcome, Admitted)
    assert outcome.memory.origin is Origin.USER
    assert desk.ask("show", id=theirs.id).stored.status is Status.SUPERSEDED
    assert desk.texts() == [TEXT]
    assert isinstance(desk.ask("remember", text=TEXT), Duplicate)


def test_what_others_say_after_the_user_is_a_duplicate(desk: Desk) -> None:
    own = desk.remember(TEXT)
    again = desk.ask("remember", text=TEXT, origin="external")
    assert isinstance(again, Duplicate)
    assert (again.memory.id, again.memory.origin) == (own.id, Origin.USER)


@pytest.mark.parametrize("text", [f"  {TEXT}\n", TEXT.replace(" ", "\n"), TEXT.replace(" ", "  \t")])
def test_the_same_words_wrapped_differently_are_a_duplicate(desk: Desk, text: str) -> None:
    desk.remember(TEXT)
    assert isinstance(desk.ask("remember", text=text), Duplicate)


def test_another_letter_case_is_another_memory(desk: Desk) -> None:
    desk.remember("use FOO")
    assert isinstance(desk.ask("remember", text="use foo"), Admitted)


def test_a_duplicate_adds_what_the_older_memory_did_not_know_about_itself(desk: Desk) -> None:
    first = desk.remember(TEXT, tags=["db"], files=["a.py"], concepts=["gotcha"])
    again = desk.ask("remember", text=TEXT, tags=["db", "alembic"], files=["b.py"], concepts=["pattern"])
    shown = desk.ask("show", id=first.id).stored.memory
    assert again.memory == shown
    assert shown.tags == ("db", "alembic")
    assert shown.files_read == ("a.py", "b.py")
    assert shown.concepts == (Concept.GOTCHA, Concept.PATTERN)
    assert shown.updated_at == first.updated_at


def test_a_duplicate_that_brings_nothing_new_writes_nothing(desk: Desk) -> None:
    desk.remember(TEXT)
    before = desk.journal()
    desk.ask("remember", text=TEXT)
    assert desk.journal() == before


def test_duplicates_never_make_the_tags_endless(desk: Desk) -> None:
    first = desk.remember(TEXT, tags=["t"])
    for round in range(3):
        desk.ask("remember", text=TEXT, tags=[f"t{round}-{number}" for number in range(20)])
    assert len(desk.ask("show", id=first.id).stored.memory.tags) == 32


def test_a_duplicate_says_what_was_asked_for_and_not_taken(desk: Desk) -> None:
    first = desk.remember(TEXT, impact="LOW")
    outcome = desk.ask("remember", text=TEXT, impact="HIGH", sensitivity="secret", pinned=True)
    assert outcome.notes == (
        f"it keeps its impact, sensitivity; to change that: limpet correct {first.id} …",
        f"it is not pinned; to pin it: limpet pin {first.id}",
    )


def test_what_is_known_in_one_scope_is_new_in_another(desk: Desk) -> None:
    here = desk.remember(TEXT)
    everywhere = desk.ask("remember", text=TEXT, region="AGENT")
    other = desk.ask("remember", text=TEXT, by="Other")
    assert isinstance(everywhere, Admitted) and isinstance(other, Admitted)
    assert len({here.id, everywhere.memory.id, other.memory.id}) == 3


def test_a_text_that_has_expired_may_be_stored_again(desk: Desk) -> None:
    desk.remember(TEXT, ttl_days=1)
    desk.ms += 2 * DAY
    assert isinstance(desk.ask("remember", text=TEXT), Admitted)
    assert desk.texts() == [TEXT]


def test_a_batch_is_compared_with_itself(desk: Desk) -> None:
    with desk.open() as runtime:
        draft = Draft(text=TEXT, origin=Origin.USER)
        first, second = run_many(runtime, [draft, draft])
    assert isinstance(first, Admitted) and isinstance(second, Duplicate)
    assert second.memory.id == first.memory.id


# Forgotten before


@pytest.mark.parametrize("caller", [MODEL, PROGRAM], ids=["model", "program"])
def test_forgotten_text_is_refused_to_an_agent_and_told_how_to_bring_it_back(desk: Desk, caller: object) -> None:
    first = desk.remember(TEXT)
    desk.ask("forget", ids=[first.id])
    before = desk.journal()
    outcome = desk.ask("remember", text=TEXT, as_=caller)
    assert outcome == Rejected(
        reason=f"this was forgotten and only the user can bring it back: limpet restore {first.id}"
    )
    assert desk.journal() == before


def test_forgotten_text_may_be_stored_again_by_the_user(desk: Desk) -> None:
    first = desk.remember(TEXT)
    desk.ask("forget", ids=[first.id])
    again = desk.remember(TEXT)
    assert again.id != first.id
    assert desk.texts() == [TEXT]


def test_forgotten_text_does_not_come_back_by_another_region(desk: Desk) -> None:
    first = desk.remember(TEXT, region="PROJECT")
    desk.ask("forget", ids=[first.id])
    assert isinstance(desk.ask("remember", text=TEXT, region="AGENT", as_=MODEL), Rejected)
    agent_wide = desk.remember("Short answers, please", region="AGENT")
    desk.ask("forget", ids=[agent_wide.id])
    assert isinstance(desk.ask("remember", text="Short answers, please", region="PROJECT", as_=MODEL), Rejected)


def test_forgotten_text_does_not_come_back_as_a_correction(desk: Desk) -> None:
    first, other = desk.remember(TEXT), desk.remember("The office plant needs water")
    desk.ask("forget", ids=[first.id])
    assert isinstance(desk.ask("correct", id=other.id, text=TEXT, as_=MODEL), Rejected)
    assert desk.texts() == ["The office plant needs water"]


def test_an_older_version_of_something_forgotten_does_not_come_back_either(desk: Desk) -> None:
    first = desk.remember("The default port is 8080")
    second = desk.ask("correct", id=first.id, text="The default port is 9090").memory
    desk.ask("forget", ids=[second.id])
    assert isinstance(desk.ask("remember", text="The default port is 8080", as_=MODEL), Rejected)
    assert desk.json("graph")["nodes"] == []


# Nearly the same, or the opposite


NEAR = (
    "The nightly backup job copies the orders table to the second site before the morning shift begins its work",
    "The nightly backup job copies the orders table to the second site before the morning shift starts its work",
)


def test_near_duplicates_are_both_kept_and_linked(desk: Desk) -> None:
    first = desk.remember(NEAR[0])
    outcome = desk.ask("remember", text=NEAR[1])
    assert isinstance(outcome, Admitted)
    assert outcome.notes == (f"nearly the same as {first.id}",)
    assert desk.ask("show", id=outcome.memory.id).links == (("near", first.id),)
    assert desk.ask("show", id=first.id).links == (("near of", outcome.memory.id),)
    assert len(desk.texts()) == 2


def test_near_duplicates_can_be_switched_off(desk: Desk) -> None:
    desk.remember(NEAR[0])
    assert desk.ask("remember", text=NEAR[1], flags={"admit.near_duplicates": False}).notes == ()


OLD, NEW = "The default port of the API is 8080", "The default port of the API is 9090"


def contradict(desk: Desk, older: str, newer: str) -> tuple[Memory, Memory, tuple[tuple[str, str], ...]]:
    first = desk.remember(OLD, origin=older)
    second = desk.remember(NEW, origin=newer)
    shown = desk.ask("show", id=second.id)
    return desk.ask("show", id=first.id).stored.memory, shown.stored.memory, shown.links


@pytest.mark.parametrize(("older", "newer"), [("user", "user"), ("agent", "user"), ("external", "tool")])
def test_a_contradiction_lowers_the_older_ones_confidence_and_links_both(desk: Desk, older: str, newer: str) -> None:
    first, second, links = contradict(desk, older, newer)
    assert first.confidence == 0.6
    assert second.confidence == 1.0
    assert links == (("contradicts", first.id),)


@pytest.mark.parametrize(("older", "newer"), [("user", "agent"), ("agent", "tool"), ("user", "external")])
def test_a_contradiction_never_counts_against_a_higher_trust(desk: Desk, older: str, newer: str) -> None:
    first, second, links = contradict(desk, older, newer)
    assert first.confidence == 1.0
    assert second.confidence == 0.6
    assert links == (("contradicts", first.id),)


def test_a_confirmed_memory_is_not_doubted_on_an_agents_word(desk: Desk) -> None:
    first = desk.remember(OLD, as_=MODEL)
    desk.ask("confirm", ids=[first.id])
    second = desk.remember(NEW, as_=MODEL)
    assert desk.ask("show", id=first.id).stored.memory.confidence == 1.0
    assert second.confidence == 0.6


def test_a_negation_is_a_contradiction(desk: Desk) -> None:
    first = desk.remember("The build uses make")
    outcome = desk.ask("remember", text="The build does not use make")
    assert any(first.id in note for note in outcome.notes)
    assert desk.ask("show", id=first.id).stored.memory.confidence == 0.6


def test_two_projects_never_contradict_each_other(desk: Desk) -> None:
    first = desk.remember(OLD)
    outcome = desk.ask("remember", text=NEW, cwd=desk.folder)
    assert outcome.notes == ()
    assert desk.ask("show", id=first.id).stored.memory.confidence == 1.0


def test_a_correction_does_not_contradict_what_it_corrects(desk: Desk) -> None:
    first = desk.remember(OLD)
    outcome = desk.ask("correct", id=first.id, text=NEW)
    assert outcome.notes == ()
    assert outcome.memory.confidence == 1.0


# Inferred


@pytest.mark.parametrize(
    ("text", "kind", "impact", "type"),
    [
        ("Never run migrations by hand", Kind.ARCHITECTURAL, Impact.CRITICAL, Type.DECISION),
        ("Matt prefers short answers", Kind.EMOTIONAL, Impact.MEDIUM, None),
        ("We shipped version 2 of the importer", Kind.ACHIEVEMENTS, Impact.MEDIUM, None),
        ("The monkey likes its mustache", None, Impact.MEDIUM, None),
    ],
)
def test_what_is_not_given_is_inferred(desk: Desk, text: str, kind: Kind, impact: Impact, type: Type | None) -> None:
    memory = desk.remember(text)
    assert kind is None or memory.kind is kind
    assert memory.impact is impact
    assert memory.importance == impact.importance
    assert type is None or memory.type is type
    assert memory.title == text


def test_what_is_given_wins(desk: Desk) -> None:
    memory = desk.remember(
        "Never run migrations by hand",
        kind="emotional",
        impact="low",
        type="bugfix",
        region="agent",
        title="By hand",
        subtitle="ever",
        tags=["db"],
        concepts=["trade-off"],
        importance=0.45,
        difficulty=0.9,
        confidence=0.8,
    )
    assert (memory.kind, memory.impact, memory.type) == (Kind.EMOTIONAL, Impact.LOW, Type.BUGFIX)
    assert (memory.region, memory.project) == (Region.AGENT, None)
    assert (memory.title, memory.subtitle, memory.tags) == ("By hand", "ever", ("db",))
    assert memory.concepts == (Concept.TRADE_OFF,)
    assert (memory.importance, memory.difficulty, memory.confidence) == (0.45, 0.9, 0.8)


def test_a_preference_for_every_project_belongs_to_the_agent(desk: Desk) -> None:
    memory = desk.remember("Matt prefers short answers in all projects")
    assert (memory.region, memory.project) == (Region.AGENT, None)


# Cited, counted, chained


def test_files_named_in_the_text_are_cited_if_they_exist(desk: Desk) -> None:
    git_folder(desk.project)
    (desk.project / "src").mkdir()
    (desk.project / "src" / "app.py").write_text("one\ntwo\nthree\n")
    memory = desk.remember("The cause is in src/app.py:2-3, not in src/gone.py, nor in /etc/passwd or ../x.py")
    assert [(each.path, each.start, each.end) for each in memory.citations] == [("src/app.py", 2, 3)]
    assert memory.citations[0].span_hash and memory.citations[0].commit == memory.commit


def test_files_of_a_tool_call_are_cited_too(desk: Desk) -> None:
    (desk.project / "app.py").write_text("one\n")
    memory = desk.remember("Something about the application", files=["app.py", "gone.py"])
    assert [each.path for each in memory.citations] == ["app.py"]
    assert memory.files_read == ("app.py", "gone.py")


def test_nothing_of_this_folder_is_cited_for_another_project(desk: Desk) -> None:
    desk.remember("Here already")
    (desk.folder / "app.py").write_text("one\n")
    memory = desk.remember("About app.py", cwd=desk.folder, within="shop")
    assert (memory.citations, memory.branch, memory.commit) == ((), None, None)
    assert desk.texts() == ["About app.py", "Here already"]


def test_citing_can_be_switched_off(desk: Desk) -> None:
    (desk.project / "app.py").write_text("one\n")
    assert desk.remember("About app.py", flags={"admit.cite": False}).citations == ()


def test_tokens_are_counted_once_for_the_shown_text(desk: Desk) -> None:
    assert desk.remember(TEXT).token_count == count_tokens(TEXT)


def test_each_memory_names_the_newest_live_one_of_its_kind_and_region(desk: Desk) -> None:
    first = desk.remember("Learnt one thing", kind="LEARNINGS")
    second = desk.remember("Learnt another thing", kind="LEARNINGS")
    other = desk.remember("Drew a line between layers", kind="ARCHITECTURAL")
    everywhere = desk.remember("Learnt it everywhere", kind="LEARNINGS", region="AGENT")
    third = desk.remember("Learnt a third thing", kind="LEARNINGS")
    assert first.previous_memory_id is None
    assert second.previous_memory_id == first.id
    assert other.previous_memory_id is None
    assert everywhere.previous_memory_id is None
    assert third.previous_memory_id == second.id
    desk.ask("forget", ids=[third.id])
    assert desk.remember("Learnt a fourth thing", kind="LEARNINGS").previous_memory_id == second.id
    assert desk.remember("Not mine", kind="LEARNINGS", by="Other").previous_memory_id is None


def test_where_and_when_it_was_said_is_kept(desk: Desk) -> None:
    git_folder(desk.project, branch="tide", born="first")
    memory = desk.remember(TEXT, session="s-1")
    assert memory.session == "s-1"
    assert memory.branch == "tide" and memory.commit
    assert memory.created_at == memory.updated_at == desk.now


# Signed


def test_an_agent_without_a_key_signs_nothing(desk: Desk) -> None:
    assert desk.remember(TEXT).signature is None


def test_an_agent_with_a_key_signs_whatever_comes_in(desk: Desk) -> None:
    desk.ask("sign")
    first = desk.remember(TEXT, as_=MODEL)
    second = desk.ask("correct", id=first.id, text=f"{TEXT} 1.13", as_=MODEL).memory
    assert first.signature and second.signature
    verdicts = [desk.ask("show", id=each.id).stored.verdict for each in (first, second)]
    assert verdicts == [Verdict.GOOD, Verdict.GOOD]


def test_a_key_made_by_another_process_is_used_at_once(desk: Desk) -> None:
    from limpet.operations.remember import run

    with desk.open() as runtime:
        before = run(runtime, text="Stored before there was a key")
        desk.ask("sign")
        after = run(runtime, text="Stored after there was one")
    assert isinstance(before, Admitted) and isinstance(after, Admitted)
    assert after.memory.signature
    assert desk.ask("verify").problems == ()


# Origin


@pytest.mark.parametrize("caller", [MODEL, PROGRAM], ids=["model", "program"])
def test_nobody_can_claim_more_than_they_are(desk: Desk, caller: object) -> None:
    with pytest.raises(Refused, match="cannot be claimed here; the most is 'agent'"):
        desk.ask("remember", text=TEXT, origin="user", as_=caller)
    assert desk.remember(TEXT, as_=caller).origin is Origin.AGENT


@pytest.mark.parametrize("origin", ["tool", "file", "import", "external"])
def test_anybody_can_claim_less(desk: Desk, origin: str) -> None:
    assert desk.remember(TEXT, as_=MODEL, origin=origin).origin == origin


def test_what_is_made_of_several_has_the_least_trust_and_the_strictest_secrecy(desk: Desk) -> None:
    trusted = desk.remember("Said by the user", sensitivity="private")
    foreign = desk.remember("Read on a web page", origin="external", confidence=0.5)
    with desk.open() as runtime:
        draft = Draft(text="Both together say this", origin=Origin.USER, sources=(trusted, foreign))
        outcome = run_many(runtime, [draft])[0]
    assert isinstance(outcome, Admitted)
    assert outcome.memory.origin is Origin.EXTERNAL
    assert outcome.memory.sensitivity == "private"
    assert outcome.memory.confidence == 0.5
    assert outcome.memory.lineage == (trusted.id, foreign.id)
    desk.ask("forget", ids=[foreign.id])
    assert desk.ask("show", id=outcome.memory.id).stored.status is Status.FORGOTTEN


# How private it is


def test_ordinary_text_is_public(desk: Desk) -> None:
    assert desk.remember("Migrations run with alembic").sensitivity is Sensitivity.PUBLIC


def test_text_that_held_a_secret_is_private(desk: Desk) -> None:
    assert desk.remember(f"The deploy token is {TOKEN}").sensitivity is Sensitivity.PRIVATE


def test_personal_text_is_private(desk: Desk) -> None:
    text = "Matt's home address is 12 Elm Street, Springfield; his phone number is +1 415 555 2671"
    assert desk.remember(text).sensitivity is Sensitivity.PRIVATE


@pytest.mark.parametrize("asked", list(Sensitivity))
def test_an_explicit_sensitivity_wins(desk: Desk, asked: Sensitivity) -> None:
    assert desk.remember(f"The deploy token is {TOKEN}", sensitivity=asked).sensitivity is asked


def test_without_classification_the_sensitivity_is_unknown_and_nothing_returns_it_unasked(desk: Desk) -> None:
    memory = desk.remember("Migrations run with alembic", flags={"admit.classify": False})
    assert memory.sensitivity is Sensitivity.UNKNOWN
    assert desk.texts() == []
    assert desk.texts(private=True) == []
    assert desk.texts("recall", query="alembic migrations", private=True) == []
    assert desk.texts(all=True, private=True) == []
    assert desk.json("graph", private=True)["nodes"] == []
    assert desk.ask("export", private=True).memories == 0
    assert desk.texts(sensitivity="unknown") == ["Migrations run with alembic"]
    assert desk.texts("recall", query="alembic migrations", sensitivity="unknown") == ["Migrations run with alembic"]


def test_without_classification_an_explicit_sensitivity_still_counts(desk: Desk) -> None:
    memory = desk.remember("Migrations", sensitivity="public", flags={"admit.classify": False})
    assert memory.sensitivity is Sensitivity.PUBLIC


@pytest.mark.parametrize("level", ["private", "secret"])
def test_private_memories_are_shown_only_when_asked_for(desk: Desk, level: str) -> None:
    desk.remember("The gate is green", sensitivity=level)
    assert desk.texts() == []
    assert desk.texts("recall", query="gate green") == []
    assert desk.texts(private=True) == ["The gate is green"]
    assert desk.texts("recall", query="gate green", private=True) == ["The gate is green"]


def test_a_correction_stays_as_private_as_what_it_corrects(desk: Desk) -> None:
    memory = desk.remember("The gate is green", sensitivity="private")
    assert desk.ask("correct", id=memory.id, text="The gate is blue").memory.sensitivity is Sensitivity.PRIVATE


def test_a_model_that_says_a_private_text_again_learns_nothing_else_about_it(desk: Desk) -> None:
    desk.remember("The gate is green", sensitivity="private", title="Where Ann lives", tags=["ann"], session="s-ann")
    outcome = desk.ask("remember", text="The gate is green", as_=MODEL)
    assert isinstance(outcome, Duplicate)
    assert "ann" not in str(outcome).lower().replace("annotation", "")
    assert desk.texts() == []


def test_a_contradiction_does_not_tell_the_words_of_a_private_memory(desk: Desk) -> None:
    desk.remember("The default port of the vault is 8080", sensitivity="private")
    outcome = desk.ask("remember", text="The default port of the vault is 9090", as_=MODEL)
    assert any("contradicts mem_" in note for note in outcome.notes)
    assert "8080" not in " ".join(outcome.notes)
